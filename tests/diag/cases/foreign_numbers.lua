-- Numbers in the form of other libraries: sizes, cuts, chunks, negative positions, unknown axes.
return {
  -- error@+2:45: unknown field 'dim' in split; PyTorch's 'dim' is 'axis' here: axis = 1
  -- error@+1:54: unknown field 'split_size' in split; PyTorch's 'split_size' is chunks of length 4, the last one shorter if need be: write lengths = { 4, 4, 4 }
  split { dtype = "f32", shape = { 4, 12 }, dim = 1, split_size = 4 },
  -- error@+2:45: unknown field 'split_size_or_sections' in split; PyTorch's 'split_size_or_sections' is lengths of parts: write lengths = { 4, 8 }
  -- error@+1:80: unknown field 'dim' in split; PyTorch's 'dim' is 'axis' here: axis = -1
  split { dtype = "f32", shape = { 4, 12 }, split_size_or_sections = { 4, 8 }, dim = -1 },
  -- error@+1:55: unknown field 'split_size' in split; PyTorch's 'split_size' is chunks of length 4, the last one shorter if need be: write lengths = { 4, 4, 3 }
  split { dtype = "f32", shape = { 4, 11 }, axis = 1, split_size = 4 },
  -- error@+1:56: unknown field 'indices_or_sections' in split; NumPy's 'indices_or_sections' is places to cut at, not lengths: write lengths = { 4, 4, 4 }
  split { dtype = "f32", shape = { 4, 12 }, axis = -1, indices_or_sections = { 4, 8 } },
  -- error@+1:56: unknown field 'indices_or_sections' in split; NumPy's 'indices_or_sections' is places to cut at, not lengths: write lengths = { 4, 6, 2 }
  split { dtype = "f32", shape = { 4, 12 }, axis = -1, indices_or_sections = { 4, -2 } },
  -- error@+1:37: unknown field 'indices_or_sections' in split; NumPy's 'indices_or_sections' is places to cut at, not lengths: write 'lengths' (a list of the lengths)
  split { dtype = "f32", axis = -1, indices_or_sections = { 4, -2 } },
  -- error@+1:37: unknown field 'indices_or_sections' in split; NumPy's 'indices_or_sections' is places to cut at, not lengths: write 'lengths' (a list of the lengths)
  split { dtype = "f32", axis = -1, indices_or_sections = { 8, 4 } },
  -- error@+1:55: unknown field 'indices_or_sections' in split; NumPy's 'indices_or_sections' is 3 parts, the first ones longer by one if need be: write parts = 3
  split { dtype = "f32", shape = { 4, 12 }, axis = 1, indices_or_sections = 3 },
  -- error@+1:55: unknown field 'indices_or_sections' in split; NumPy's 'indices_or_sections' is 3 parts, the first ones longer by one if need be: write lengths = { 4, 4, 3 }
  split { dtype = "f32", shape = { 4, 11 }, axis = 1, indices_or_sections = 3 },
  -- error@+1:55: unknown field 'chunks' in split; PyTorch's 'chunks' is up to 4 chunks of one length, the last one shorter: write lengths = { 3, 3, 3, 1 }
  split { dtype = "f32", shape = { 4, 10 }, axis = 1, chunks = 4 },
  -- error@+1:37: unknown field 'indices_or_sections' in split; NumPy's 'indices_or_sections' is places to cut at, not lengths: write lengths = { 4, 4, -1 }
  split { dtype = "f32", axis = -1, indices_or_sections = { 4, 8 } },
  -- error@+1:75: unknown field 'chunks' in openvino.Split; PyTorch's 'chunks' is up to 6 chunks of one length, the last one shorter: write num_splits = 5
  openvino.Split { data = { dtype = "f32", shape = { 4, 10 } }, axis = 1, chunks = 6 },
}
