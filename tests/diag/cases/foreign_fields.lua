-- Fields by their names in other libraries.
return {
  -- error@+1:44: unknown field 'dim' in split; PyTorch's 'dim' is 'axis' here: axis = 0
  split { dtype = "f32", shape = { 4, 5 }, dim = 0, parts = 2 },
  -- error@+1:44: unknown field 'chunks' in split; PyTorch's 'chunks' is up to 2 chunks of one length, the last one shorter: write parts = 2
  split { dtype = "f32", shape = { 4, 5 }, chunks = 2 },
  -- error@+1:44: unknown field 'split_size' in split; PyTorch's 'split_size' is chunks of length 2, the last one shorter if need be: write lengths = { 2, 2 }
  split { dtype = "f32", shape = { 4, 5 }, split_size = 2 },
  -- error@+1:44: unknown field 'sections' in split; PyTorch's 'sections' is 2 parts, the first ones longer by one if need be: write parts = 2
  split { dtype = "f32", shape = { 4, 5 }, sections = 2 },
  -- error@+1:64: unknown field 'chunks' in openvino.Split; PyTorch's 'chunks' is up to 2 chunks of one length, the last one shorter: write num_splits = 2
  openvino.Split { data = { dtype = "f32", shape = { 4, 5 } }, chunks = 2 },
  -- error@+1:25: unknown field 'elem_type' in data; ONNX' 'elem_type' is 'dtype' here
  onnx.Split { data = { elem_type = "f32", shape = { 4, 5 } }, num_outputs = 2 },
}
