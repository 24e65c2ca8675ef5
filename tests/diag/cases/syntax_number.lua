-- An invalid number.
-- error@+1:41: malformed number near '4x'
return split { dtype = "f32", shape = { 4x }, parts = 2 }
