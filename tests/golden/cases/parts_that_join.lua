-- What is told of kernels that join, and of tensors whose rows do not lie behind each other: where a producer can write
-- its part, what no part fills, what lies between rows.
-- digest: h json svg
return {
  concat { name = "planes", dtype = "u8", shape = { 4, 6, 3 }, axis = 2, lengths = { 1, 1, 1 }, inputs = { "r", "g", "b" } },
  concat { name = "padded", dtype = "f32", shape = { 3, 9 }, axis = 1, row_stride = 12, lengths = { 2, 4, 1, 2 },
           inputs = { { name = "a", row_stride = 4 }, "b", false, "c" } },
  concat { name = "stacked", dtype = "i16", shape = { 5, 4 }, axis = 0, lengths = { 2, 3 },
           inputs = { { name = "top", view = true }, "bottom" } },
  split { name = "heads", dtype = "f16", shape = { 4, 12 }, axis = 1, row_stride = 16, lengths = { 4, 8 },
          outputs = { { name = "q", row_stride = 6 }, "kv" } },
  concat { name = "nibbles", dtype = "u4", shape = { 2, 7 }, axis = 1, lengths = { 3, 4 }, inputs = { "x", "y" } },
}
