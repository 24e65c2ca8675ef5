-- Which dimensions may be open; a -D is also compared with the names of open ones.
-- warning@<command line>:1:13: no input has a parameter or dim 'btach'; did you mean 'batch'?
-- args: -D btach=8
local n = free("batch", 64)
return {
  -- error@+1:36: dimension 0 is open, but its name is empty; it is what the kernel's parameter is called after, as in 'batch'
  split { dtype = "f32", shape = { free(""), 8 }, axis = 1, parts = 2 },
  -- error@+1:36: at least 1 of 'none' must be expected, but the number is 0
  split { dtype = "f32", shape = { free("none", 0), 8 }, axis = 1, parts = 2 },
  -- error@+1:62: 'batch' cannot be open: dimension 0 is the split axis; give it a number
  onnx.Split { opset = 18, data = { dtype = "f32", shape = { n, 4 } }, num_outputs = 2 },
  -- error@+1:67: 3 of 'batch' are expected here, but 64 in dimension 0
  openvino.Split { axis = 2, data = { dtype = "f32", shape = { n, free("batch", 3), 4 } }, num_splits = 2 },
  -- error@+1:71: 'm' after the axis is open, but if it is 1, 'out0' begins or ends at bit 4 of a row, within a byte; give it a number
  split { dtype = "u4", axis = 1, lengths = { 1, 3 }, shape = { 2, 4, free("m") } },
  -- error@+1:35: 'n' is open, but one of it is 3 elements of 4 bits in 'data', which are not whole bytes; give it a number
  split { dtype = "u4", shape = { free("n", 2), 3 }, axis = 1, lengths = { 2, 1 }, outputs = { "a", false } },
  -- error@+1:35: 'n' is open, but one of it is 1 element of 1 bit in 'a', which are not whole bytes; give it a number
  split { dtype = "u1", shape = { free("n", 2), 8 }, axis = 1, lengths = { 1, 7 }, outputs = { "a", false } },
  -- error@+1:65: packing 'planes' keeps 8 elements of 'u3' in 3 bytes, but from one row of the whole to the next there are 12, so that begins within such a group; store it as 'lsb'
  split { dtype = "u3", shape = { free("n", 2), 12 }, packing = "planes", axis = 1, lengths = { 8, 4 }, outputs = { "a", false } },
  -- error@+1:259: 'q' is the 17th number that is open, but 16 may be: give it a number
  split { dtype = "u8", shape = { free("a", 1), free("b", 1), free("c", 1), free("d", 1), free("e", 1), free("f", 1), free("g", 1), free("h", 1), free("i", 1), free("j", 1), free("k", 1), free("l", 1), free("m", 1), free("n", 1), free("o", 1), free("p", 1), free("q", 1), 2 }, axis = -1, parts = 2 },
  -- error@+1:35: 4611686018427387904 of 'n' are expected, but they exceed 2^63 - 1 bytes; expect fewer
  split { dtype = "u8", shape = { free("n", 4611686018427387904), 2 }, axis = 1, lengths = { 1, 1 } },
  -- error@+1:35: 576460752303423489 of 'n' are expected, but they exceed 2^62 bits; expect fewer
  split { dtype = "u4", shape = { free("n", 576460752303423489), 2 }, axis = 1, parts = 1 },
}
