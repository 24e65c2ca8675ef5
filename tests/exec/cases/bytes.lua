-- Rows of one byte beside a run of all of them.
return split { name = "bytes", dtype = "u8", shape = { 36, 1 }, axis = 1, lengths = { 1 }, outputs = { "same" } }
