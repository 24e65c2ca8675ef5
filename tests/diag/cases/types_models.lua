-- Values of the wrong type in the fields of the ONNX and OpenVINO operators.
return {
  -- error@+1:24: 'opset' must be an integer, not the string '18'; write opset = 18
  onnx.Split { opset = "18", data = { dtype = "float", shape = { 4 } }, num_outputs = 2 },
  -- error@+1:35: 'data' must be a table { dtype = ..., shape = {...} }, not the string 'float[4]'
  onnx.Split { opset = 18, data = "float[4]", num_outputs = 2 },
  -- error@+1:45: 'dtype' must be a string, not 1
  onnx.Split { opset = 18, data = { dtype = 1, shape = { 4 } }, num_outputs = 2 },
  -- error@+1:64: entry 1 of 'shape' must be an integer, not a table
  onnx.Split { opset = 18, data = { dtype = "float", shape = { {} } }, num_outputs = 2 },
  -- error@+1:85: 'num_outputs' must be an integer, not false
  onnx.Split { opset = 18, data = { dtype = "float", shape = { 4 } }, num_outputs = false },
  -- error@+1:84: entry 2 of 'split' must be an integer, not the string '2'; write 2
  onnx.Split { opset = 13, data = { dtype = "float", shape = { 4 } }, split = { 2, "2" } },
  -- error@+1:68: 'axis' must be an integer, not the string '0'; write axis = 0
  openvino.Split { data = { dtype = "f32", shape = { 4 } }, axis = "0", num_splits = 2 },
  -- error@+1:84: 'num_splits' must be an integer, not 2.5
  openvino.Split { data = { dtype = "f32", shape = { 4 } }, axis = 0, num_splits = 2.5 },
  openvino.VariadicSplit {
    data = { dtype = "f32", shape = { 4 } },
    -- error@+1:14: entry 1 of 'axis' must be an integer, not the string '0'; write 0
    axis = { "0" },
    -- error@+1:26: entry 2 of 'split_lengths' must be an integer, not 2.5
    split_lengths = { 2, 2.5 },
  },
}
