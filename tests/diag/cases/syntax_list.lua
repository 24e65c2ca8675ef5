-- A list in the syntax of Python.
-- error@+1:39: unexpected symbol near '['; a list is written { 2, 12 }
return split { dtype = "f32", shape = [2, 12], axis = 1, parts = 3 }
