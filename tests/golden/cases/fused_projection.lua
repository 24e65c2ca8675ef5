-- The picture at the top of the project's README: an attention layer's queries, keys and values.
-- golden: svg
return split { name = "qkv", dtype = "f32", shape = { 8, 24 }, axis = 1, lengths = { 12, 6, 6 }, outputs = { "q", "k", "v" } }
