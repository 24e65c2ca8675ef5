-- Required fields that are missing.
return {
  -- error@+1:3: 'dtype' is missing: name the element type, as in "f32"
  split { shape = { 4 }, parts = 2 },
  -- error@+1:3: 'shape' is missing
  split { dtype = "f32", parts = 2 },
  -- error@+1:3: give 'lengths' or 'parts': neither is there
  split { dtype = "f32", shape = { 4 } },
  -- error@+1:51: give 'lengths' or 'parts': 'outputs' alone does not say how long a part is
  split { dtype = "f32", shape = { 4 }, outputs = { "a", "b" } },
  -- error@+1:3: 'opset' is missing: the rules of ONNX Split depend on it
  onnx.Split { data = { dtype = "float", shape = { 4 } }, num_outputs = 2 },
  -- error@+2:3: 'dtype' is missing: name the element type, as in "f32"
  -- error@+1:3: 'shape' is missing
  onnx.Split { opset = 18, num_outputs = 2 },
  -- error@+1:3: 'axis' is missing: it is an input of openvino.Split and has no default
  openvino.Split { data = { dtype = "f32", shape = { 4 } }, num_splits = 2 },
  -- error@+1:3: 'split_lengths' is missing
  openvino.VariadicSplit { data = { dtype = "f32", shape = { 4 } }, axis = 0 },
  -- error@+1:3: 'num_splits' is missing
  openvino.Split { data = { dtype = "f32", shape = { 4 } }, axis = 0 },
}
