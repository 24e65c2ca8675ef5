-- Concats: what their inputs have to have in common.
return {
  -- error@+3:17: input 1 ('b') has dtype 'f16', but input 0 ('a') has 'f32': tensors that are joined have one element type
  -- note@+1:85: input 0 ('a') is given here
  onnx.Concat { name = "k1", opset = 13, axis = 1, inputs = { { name = "a", dtype = "f32", shape = { 2, 3 } },
      { dtype = "f16", shape = { 2, 4 }, name = "b" } } },
  -- error@+3:34: input 1 ('b') has 3 in dimension 0, but input 0 ('a') has 2: only along axis 1 may they differ
  -- note@+1:102: input 0 ('a') is given here
  onnx.Concat { name = "k2", opset = 13, axis = 1, inputs = { { name = "a", dtype = "f32", shape = { 2, 3 } },
      { dtype = "f32", shape = { 3, 4 }, name = "b" } } },
}
