-- Fields by their names in other libraries, or in another constructor.
return {
  -- error@+1:44: unknown field 'dim' in split; did you mean 'axis'?
  split { dtype = "f32", shape = { 4, 5 }, dim = 0, parts = 2 },
  -- error@+1:44: unknown field 'chunks' in split; did you mean 'parts' or 'lengths'?
  split { dtype = "f32", shape = { 4, 5 }, chunks = 2 },
  -- error@+1:44: unknown field 'Split_Size' in split; did you mean 'lengths'?
  split { dtype = "f32", shape = { 4, 5 }, Split_Size = 2 },
  -- error@+1:44: unknown field 'indices_or_sections' in split; did you mean 'parts' or 'lengths' (not places to cut at)?
  split { dtype = "f32", shape = { 4, 5 }, indices_or_sections = { 2 } },
  -- error@+1:38: unknown field 'indices' in onnx.Split; did you mean 'split' (not places to cut at)?
  onnx.Split { opset = 13, axis = 1, indices = { 4, 8 } },
  -- error@+1:64: unknown field 'num_or_size_splits' in openvino.Split; did you mean 'num_splits'?
  openvino.Split { data = { dtype = "f32", shape = { 4, 5 } }, num_or_size_splits = 2 },
  -- error@+1:75: unknown field 'split_size' in openvino.Split; its fields are name, data, axis, num_splits, outputs, align, packing, row_stride, strides
  openvino.Split { data = { dtype = "f32", shape = { 4, 12 } }, axis = 1, split_size = 4 },
  -- error@+1:83: unknown field 'num_outputs' in openvino.VariadicSplit; did you mean 'split_lengths'?
  openvino.VariadicSplit { data = { dtype = "f32", shape = { 4, 12 } }, axis = 1, num_outputs = 5 },
  -- error@+2:25: unknown field 'elem_type' in data; did you mean 'dtype'?
  -- error@+1:44: unknown field 'size' in data; did you mean 'shape'?
  onnx.Split { data = { elem_type = "f32", size = { 4, 5 } }, num_outputs = 2 },
}
