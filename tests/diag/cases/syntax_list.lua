-- A list as Python has it.
-- error@+1:39: unexpected symbol near '['; a list is written { 2, 12 }
return split { dtype = "f32", shape = [2, 12], axis = 1, parts = 3 }
