-- Fields in the syntax of a Python call.
-- error@+1:20: ')' expected near '='; fields are written in braces, as in split { dtype = "f32" }
return split(dtype = "f32", shape = { 2, 12 }, axis = 1, parts = 3)
