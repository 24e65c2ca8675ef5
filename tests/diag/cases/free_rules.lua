-- Which dimension may be open; a -D is compared with the names of free ones, too.
-- warning@<command line>:1:13: no input has a parameter or dim 'btach'; did you mean 'batch'?
-- args: -D btach=8
local n = free("batch", 64)
return {
  -- error@+1:36: dimension 0 is open, but its name is empty
  split { dtype = "f32", shape = { free(""), 8 }, axis = 1, parts = 2 },
  -- error@+1:36: at least 1 of 'none' must be expected, but the number is 0
  split { dtype = "f32", shape = { free("none", 0), 8 }, axis = 1, parts = 2 },
  -- error@+1:65: dimension 1, 'batch', is open, but lies behind axis 0
  onnx.Split { opset = 18, data = { dtype = "f32", shape = { 4, n } }, num_outputs = 2 },
  -- error@+2:67: only one dimension may be open, but 0, 'batch', and 1, 'm', are: give one a number
  -- note@+1:64: the first is here
  openvino.Split { axis = 2, data = { dtype = "f32", shape = { n, free("m"), 4 } }, num_splits = 2 },
}
