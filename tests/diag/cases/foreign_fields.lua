-- Fields by their names in other libraries.
return {
  -- error@+1:44: unknown field 'dim' in split; PyTorch's 'dim' is 'axis' here
  split { dtype = "f32", shape = { 4, 5 }, dim = 0, parts = 2 },
  -- error@+1:44: unknown field 'chunks' in split; PyTorch's 'chunks' is 'parts' here
  split { dtype = "f32", shape = { 4, 5 }, chunks = 2 },
  -- error@+1:44: unknown field 'split_size' in split; PyTorch's 'split_size' is 'lengths' (a list) or 'parts' (a number) here
  split { dtype = "f32", shape = { 4, 5 }, split_size = 2 },
  -- error@+1:44: unknown field 'sections' in split; NumPy's 'sections' is 'lengths' (a list) or 'parts' (a number) here
  split { dtype = "f32", shape = { 4, 5 }, sections = 2 },
  -- error@+1:64: unknown field 'chunks' in openvino.Split; PyTorch's 'chunks' is 'num_splits' here
  openvino.Split { data = { dtype = "f32", shape = { 4, 5 } }, chunks = 2 },
  -- error@+1:25: unknown field 'elem_type' in data; ONNX' 'elem_type' is 'dtype' here
  onnx.Split { data = { elem_type = "f32", shape = { 4, 5 } }, num_outputs = 2 },
}
