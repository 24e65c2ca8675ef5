-- The same in the operators of the standards, and fields that have no translation.
return {
  -- error@+1:55: unknown field 'chunks' in split; PyTorch's 'chunks' is up to 6 chunks of one length, the last one shorter: write lengths = { 2, 2, 2, 2, 2 }
  split { dtype = "f32", shape = { 4, 10 }, axis = 1, chunks = 6 },
  -- error@+1:62: unknown field 'split_size' in split; PyTorch's 'split_size' is chunks of length 6, the last one shorter if need be: write 'lengths' (a list of the lengths)
  split { dtype = "f32", shape = { 4, free("n") }, axis = 1, split_size = 6 },
  -- error@+1:55: unknown field 'num_or_size_splits' in split; TensorFlow's 'num_or_size_splits' is 3 equal parts: write parts = 3
  split { dtype = "f32", shape = { 4, 12 }, axis = 1, num_or_size_splits = 3 },
  -- error@+1:55: unknown field 'num_or_size_splits' in split; TensorFlow's 'num_or_size_splits' is lengths of parts: write lengths = { 4, -1 }
  split { dtype = "f32", shape = { 4, 12 }, axis = 1, num_or_size_splits = { 4, -1 } },
  -- error@+1:66: unknown field 'squeeze_axis' in split; MXNet's 'squeeze_axis' is not needed: parts of length 1 have the same bytes with and without their axis
  split { dtype = "f32", shape = { 4, 12 }, axis = 1, parts = 3, squeeze_axis = true },
  -- error@+1:83: unknown field 'indices_or_sections' in onnx.Split; NumPy's 'indices_or_sections' is places to cut at, not lengths: write split = { 4, 4, 4 }
  onnx.Split { opset = 13, data = { dtype = "f32", shape = { 4, 12 } }, axis = 1, indices_or_sections = { 4, 8 } },
  -- error@+1:38: unknown field 'indices_or_sections' in onnx.Split; NumPy's 'indices_or_sections' is places to cut at, not lengths: write 'split' (a list of the lengths)
  onnx.Split { opset = 13, axis = 1, indices_or_sections = { 4, 8 } },
  -- error@+1:75: unknown field 'split_size' in openvino.Split; PyTorch's 'split_size' is chunks of length 4, the last one shorter if need be: write num_splits = 3
  openvino.Split { data = { dtype = "f32", shape = { 4, 12 } }, axis = 1, split_size = 4 },
  -- error@+1:83: unknown field 'split_size' in openvino.VariadicSplit; PyTorch's 'split_size' is chunks of length 5, the last one shorter if need be: write split_lengths = { 5, 5, 2 }
  openvino.VariadicSplit { data = { dtype = "f32", shape = { 4, 12 } }, axis = 1, split_size = 5 },
  -- error@+2:26: unknown field 'size' in split; it is 'shape' here
  -- error@+1:54: unknown field 'split_size' in split; PyTorch's 'split_size' is chunks of length the string '4', the last one shorter if need be: write 'lengths' (a list of the lengths)
  split { dtype = "f32", size = { 4, 12 }, axis = 1, split_size = "4" },
}
