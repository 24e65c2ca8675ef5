-- The minimum and maximum of row strides, and where they are not allowed.
return {
  -- error@+1:79: the row stride of the whole is 11, but a row has 12 elements: the next would begin within it
  split { dtype = "f32", shape = { 2, 12 }, axis = 1, parts = 2, row_stride = 11 },
  -- error@+3:79: the row stride of the whole must be at least 1, but is 0
  -- error@+2:121: the row stride of output 'a' must be at least 1, but is -1
  -- error@+1:154: the row stride of output 'b' is 5, but a row has 6 elements: the next would begin within it
  split { dtype = "f32", shape = { 2, 12 }, axis = 1, parts = 2, row_stride = 0, outputs = { { name = "a", row_stride = -1 }, { name = "b", row_stride = 5 } } },
  -- error@+1:95: the row stride of input 0 is 1, but a row has 2 elements: the next would begin within it
  concat { dtype = "f32", shape = { 2, 1, 2 }, axis = 1, parts = 1, inputs = { { row_stride = 1 } } },
  -- error@+1:110: input 'b' is only a view, so it has the row stride of the full tensor: remove its row stride, or the mark
  concat { dtype = "f32", shape = { 2, 12 }, axis = 1, parts = 2, inputs = { "a", { name = "b", row_stride = 9, view = true } } },
  -- error@+1:79: rows of the whole that begin every 1152921504606846976 elements are beyond 2^63 - 1 bytes
  split { dtype = "f32", shape = { 2, 12 }, axis = 1, parts = 2, row_stride = 1152921504606846976 },
  -- error@+1:78: rows of the whole that begin every 576460752303423489 elements are beyond 2^62 bits
  split { dtype = "u4", shape = { 2, 12 }, axis = 1, parts = 2, row_stride = 576460752303423489 },
  -- error@+1:115: rows of output 'a' that begin every 2305843009213693952 elements are beyond 2^63 - 1 bytes
  split { dtype = "u8", shape = { free("n", 4), 12 }, axis = 1, parts = 2, outputs = { { name = "a", row_stride = 2305843009213693952 }, "b" } },
  -- error@+1:88: with 'n' open, rows begin at whole bytes, but those of the whole begin every 5 elements of 4 bits; make the row stride a multiple of 2
  split { dtype = "u4", shape = { free("n", 2), 4 }, axis = 1, parts = 2, row_stride = 5 },
  -- error@+1:120: with 'n' open, rows begin at whole bytes, but those of input 'b' begin every 12 elements of 1 bit; make the row stride a multiple of 8
  concat { dtype = "u1", shape = { free("n", 2), 16 }, axis = 1, parts = 2, inputs = { "a", { name = "b", row_stride = 12 } } },
  -- error@+1:54: packing 'planes' keeps 8 elements of 'u3' in 3 bytes, but from one row of the whole to the next there are 20, so that begins within such a group; store it as 'lsb'
  split { dtype = "u3", shape = { 2, 16 }, packing = "planes", axis = 1, parts = 2, row_stride = 20 },
  -- error@+1:54: packing 'planes' keeps 8 elements of 'u3' in 3 bytes, but from one row of b to the next there are 9, so that begins within such a group; store it as 'lsb'
  split { dtype = "u3", shape = { 2, 16 }, packing = "planes", axis = 1, parts = 2, outputs = { "a", { name = "b", row_stride = 9 } } },
  -- error@+1:127: 'b' is to be a view without code, but no view of it exists: a row begins every 28 bits, no whole number of bytes; without the mark it is copied
  split { dtype = "u4", shape = { 2, 6 }, axis = 1, lengths = { 2, 4 }, row_stride = 7, outputs = { "a", { name = "b", view = true } } },
}
