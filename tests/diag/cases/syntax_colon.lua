-- Fields in the syntax of Python and JSON.
-- error@+1:23: <name> expected near '"f32"'; a field is written name = value
return split { dtype: "f32", shape = { 2, 12 }, axis = 1, parts = 3 }
