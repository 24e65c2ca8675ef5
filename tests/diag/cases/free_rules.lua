-- Which dimensions may be open; a -D is compared with the names of free ones, too.
-- warning@<command line>:1:13: no input has a parameter or dim 'btach'; did you mean 'batch'?
-- args: -D btach=8
local n = free("batch", 64)
return {
  -- error@+1:36: dimension 0 is open, but its name is empty
  split { dtype = "f32", shape = { free(""), 8 }, axis = 1, parts = 2 },
  -- error@+1:36: at least 1 of 'none' must be expected, but the number is 0
  split { dtype = "f32", shape = { free("none", 0), 8 }, axis = 1, parts = 2 },
  -- error@+1:62: the tensor is split along dimension 0, so its length must be known, but 'batch' is open; every other dimension may be; give it a number
  onnx.Split { opset = 18, data = { dtype = "f32", shape = { n, 4 } }, num_outputs = 2 },
  -- error@+1:67: 3 of 'batch' are expected here, but 64 in dimension 0
  openvino.Split { axis = 2, data = { dtype = "f32", shape = { n, free("batch", 3), 4 } }, num_splits = 2 },
  -- error@+1:71: 'm' is open and lies behind the axis, but where it is 1, 'out0' begins or ends at bit 4 of a row, within a byte
  split { dtype = "u4", axis = 1, lengths = { 1, 3 }, shape = { 2, 4, free("m") } },
}
