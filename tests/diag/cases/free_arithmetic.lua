-- An open dimension is not a number.
local n = free("batch", 64)
-- error@+1: attempt to perform arithmetic on a still open dimension value...
return split { dtype = "f32", shape = { n * 2, 8 }, axis = 1, parts = 2 }
