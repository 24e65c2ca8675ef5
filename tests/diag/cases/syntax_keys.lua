-- Keys in the syntax of JSON.
-- error@+1:23: '}' expected near ':'; a field is written name = value
return split { "dtype": "f32", shape = { 2, 12 }, axis = 1, parts = 3 }
