-- Rows of one byte, and the same bytes as one run.
return split { name = "bytes", dtype = "u8", shape = { 36, 1 }, axis = 1, lengths = { 1 }, outputs = { "same" } }
