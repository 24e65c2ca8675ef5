-- Fields that do not exist, with and without a similar one.
return {
  -- error@+1:11: unknown field 'dytpe' in split; did you mean 'dtype'?
  split { dytpe = "f32", shape = { 4 }, parts = 2 },
  -- error@+1:26: unknown field 'Shape' in split; did you mean 'shape'?
  split { dtype = "f32", Shape = { 4 }, parts = 2 },
  -- error@+1:41: unknown field 'part' in split; did you mean 'parts'?
  split { dtype = "f32", shape = { 4 }, part = 2 },
  -- error@+1:41: unknown field 'lenghts' in split; did you mean 'lengths'?
  split { dtype = "f32", shape = { 4 }, lenghts = { 2, 2 } },
  -- error@+1:52: unknown field 'color' in split; its fields are name, dtype, shape, axis, lengths, parts, outputs, align, packing, row_stride, strides
  split { dtype = "f32", shape = { 4 }, parts = 2, color = "red" },
  -- error@+1:52: unknown field 'opset' in split; its fields are name, dtype, shape, axis, lengths, parts, outputs, align, packing, row_stride, strides
  split { dtype = "f32", shape = { 4 }, parts = 2, opset = 18 },
  -- error@+1:16: unknown field 'dtype' in onnx.Split; write data = { dtype = ..., shape = {...} }
  onnx.Split { dtype = "float", data = { shape = { 4 } }, num_outputs = 2 },
  -- error@+1:42: unknown field 'shpae' in data; did you mean 'shape'?
  onnx.Split { data = { dtype = "float", shpae = { 4 } }, num_outputs = 2 },
  -- error@+1:59: unknown field 'num_output' in onnx.Split; did you mean 'num_outputs'?
  onnx.Split { data = { dtype = "float", shape = { 4 } }, num_output = 2 },
  -- error@+1:71: unknown field 'num_split' in openvino.Split; did you mean 'num_splits'?
  openvino.Split { data = { dtype = "f32", shape = { 4 } }, axis = 0, num_split = 2 },
  -- error@+1:49: unknown field 'lengths' in openvino.VariadicSplit; did you mean 'split_lengths'?
  openvino.VariadicSplit { data = {}, axis = 0, lengths = { 2, 2 } },
  -- error@+1:41: split has 2 without a name, but its fields are written name = value
  split { dtype = "f32", shape = { 4 }, 2 },
  -- error@+1:3: split has 2 without a name, but its fields are written name = value
  split { dtype = "f32", shape = { 4 }, [true] = 2 },
  -- error@+2:52: 'parts' is given twice
  -- note@+1:41: it is given here already
  split { dtype = "f32", shape = { 4 }, parts = 2, parts = 3 },
}
