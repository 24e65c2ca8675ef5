-- Concats: properties that their inputs must share, and words of the other direction.
return {
  -- error@+1:11: concat takes a notation with '<-', but this one has '->', which splits: write split "..."
  concat "rgb: u8[4,6,3] @1 -> r:1 g:3 _:2",
  -- error@+1:10: split takes a notation with '->', but this one has '<-', which joins: write concat "..."
  split "rgb: u8[4,6,3] @1 <- r:1 g:3 _:2",
  -- note@+2:3: the notation is made here
  -- error@notation in concats.lua:9:1:1: split takes a notation with '->', but this one has '<-', which joins: write concat "..."
  split("u8[4] <- /" .. 2),
  -- error@+1:66: unknown field 'inputs' in split; it reads one tensor, and what it makes are 'outputs'; parts are joined by concat
  split { dtype = "f32", shape = { 2, 12 }, axis = 1, parts = 3, inputs = { "a", "b", "c" } },
  -- error@+1:67: unknown field 'outputs' in concat; it makes one tensor, and what it reads are 'inputs'; a tensor is cut by split
  concat { dtype = "f32", shape = { 2, 12 }, axis = 1, parts = 3, outputs = { "a", "b", "c" } },
  -- error@+1:43: unknown field 'tensors' in concat; did you mean 'inputs'?
  concat { dtype = "f32", shape = { 12 }, tensors = { "a" }, parts = 1 },
  -- error@+1:43: unknown field 'dim' in concat; did you mean 'axis'?
  concat { dtype = "f32", shape = { 12 }, dim = 0, parts = 1 },
  -- error@+1:43: unknown field 'color' in concat; its fields are name, dtype, shape, axis, lengths, parts, inputs, align, packing, row_stride, strides
  concat { dtype = "f32", shape = { 12 }, color = 0, parts = 1 },
  -- error@+1:3: concat takes a table { ... } or a notation, not 7
  concat(7),
  -- error@+1:3: openvino.Concat is called with a dot, not a colon
  openvino:Concat {},
  -- error@+1:70: entry 2 of 'inputs' must be a name, or false for a part that is not wanted, not 7
  concat { dtype = "f32", shape = { 12 }, parts = 2, inputs = { "a", 7 } },
  -- error@+1:39: unknown field 'shape' in onnx.Concat; every input has its own: inputs = { { dtype = ..., shape = {...} }, ... }
  onnx.Concat { opset = 13, axis = 0, shape = { 4 } },
  -- error@+1:31: unknown field 'lengths' in openvino.Concat; every input is as long as its shape says; where only the whole is known, write concat
  openvino.Concat { axis = 0, lengths = { 4 } },
  -- error@+1:50: entry 1 of 'inputs' must be a table { dtype = ..., shape = {...} }, not the string 'a'
  onnx.Concat { opset = 13, axis = 0, inputs = { "a" } },
  -- error@+1:48: 'inputs' must be a list of tables, not 3
  onnx.Concat { opset = 13, axis = 0, inputs = 3 },
  -- error@+1:67: unknown field 'dims' in entry 1 of 'inputs'; did you mean 'shape'?
  onnx.Concat { opset = 13, axis = 0, inputs = { { dtype = "f32", dims = { 4 } } } },
  -- error@+1:77: entry 1 of 'shape' must be an integer, not the string 'n'; write param("n") for a dimension that -D n=... sets, free("n") for one that is passed on each call
  onnx.Concat { opset = 13, axis = 0, inputs = { { dtype = "f32", shape = { "n" } } } },
}
