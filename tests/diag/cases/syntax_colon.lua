-- Fields in the syntax of Python and JSON.
-- error@+1:23: <name> expected near '"f32"'
return split { dtype: "f32", shape = { 2, 12 }, axis = 1, parts = 3 }
