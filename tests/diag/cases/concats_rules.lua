-- Concats: their parts, their versions in ONNX, and properties that their inputs must share.
return {
  -- error@+3:17: input 2 ('b') has dtype 'f16', but input 1 ('a') has 'f32': tensors that are concatenated have one element type
  -- note@+1:85: input 1 ('a') is given here
  onnx.Concat { name = "k1", opset = 13, axis = 1, inputs = { { name = "a", dtype = "f32", shape = { 2, 3 } },
      { dtype = "f16", shape = { 2, 4 }, name = "b" } } },
  -- error@+3:34: input 2 ('b') has 3 in dimension 0, but input 1 ('a') has 2: only along axis 1 may they differ
  -- note@+1:102: input 1 ('a') is given here
  onnx.Concat { name = "k2", opset = 13, axis = 1, inputs = { { name = "a", dtype = "f32", shape = { 2, 3 } },
      { dtype = "f32", shape = { 3, 4 }, name = "b" } } },
  -- error@+1:52: 'lengths' is empty: a concat has at least one part
  concat { dtype = "f32", shape = { 6 }, lengths = {} },
  -- error@+1:35: the shape has rank 0: a scalar has no axis to concatenate along
  concat { dtype = "f32", shape = {}, lengths = { 1 } },
  -- error@+2:62: 1 input is given, but 'parts' is 2
  -- note@+1:50: 'parts' is given here
  concat { dtype = "f32", shape = { 6 }, parts = 2, inputs = { "a" } },
  -- error@+2:71: 3 inputs are given, but 'lengths' has 2 lengths
  -- note@+1:52: the lengths are given here
  concat { dtype = "f32", shape = { 6 }, lengths = { 2, 4 }, inputs = { "a", "b", "c" } },
  -- error@+2:69: input name 'a' is used twice
  -- note@+1:64: the first is here
  concat { dtype = "f32", shape = { 6 }, parts = 2, inputs = { "a", "a" } },
  -- error@+1:62: no input is wanted: there is nothing to generate
  concat { dtype = "f32", shape = { 6 }, parts = 2, inputs = { false, false } },
  -- error@+1:40: 'n' cannot be open: dimension 1 is the concat axis; give it a number
  concat { dtype = "f32", shape = { 4, free("n", 2) }, axis = 1, lengths = { 2 } },
  -- error@+1:3: 'opset' is missing: the rules of ONNX Concat depend on it
  onnx.Concat { axis = 0, inputs = { { dtype = "f32", shape = { 7 }, name = "x" } } },
  -- error@+2:3: axis 1, the default of Concat-1, is out of range: a shape of 1 dimension has axes -1 to 0
  -- note@+1:64: the shape is given here
  onnx.Concat { opset = 1, inputs = { { dtype = "f32", shape = { 2 }, name = "a" } } },
  -- error@+1:3: 'axis' is missing: Concat-4 (opset 4) has no default axis
  onnx.Concat { opset = 4, inputs = { { dtype = "f32", shape = { 2, 3 }, name = "a" } } },
  -- error@+1:3: 'axis' is missing: Concat-4 (opset 10) has no default axis
  onnx.Concat { opset = 10, inputs = { { dtype = "f32", shape = { 2, 3 }, name = "a" } } },
  -- error@+1:3: 'axis' is missing: Concat-13 (opset 25) has no default axis
  onnx.Concat { opset = 25, inputs = { { dtype = "f32", shape = { 2, 3 }, name = "a" } } },
  -- error@+1:59: opset 3 has Concat-1, which does not take dtype 'i32'; Concat-4 does
  onnx.Concat { opset = 3, axis = 0, inputs = { { dtype = "i32", shape = { 2 }, name = "a" } } },
  -- error@+1:60: opset 12 has Concat-11, which does not take dtype 'bf16'; Concat-13 does
  onnx.Concat { opset = 12, axis = 0, inputs = { { dtype = "bf16", shape = { 2 }, name = "a" } } },
  -- error@+1:60: no version of ONNX Concat takes dtype 'u4'
  onnx.Concat { opset = 25, axis = 0, inputs = { { dtype = "u4", shape = { 2 }, name = "a" } } },
  -- error@+1:3: 'axis' is missing: it is an attribute of openvino.Concat and has no default
  openvino.Concat { inputs = { { dtype = "f32", shape = { 8 }, name = "a" } } },
}
