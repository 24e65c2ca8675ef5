-- Properties that the inputs of a Concat must share, also with open dimensions.
return {
  -- error@+1:3: 'inputs' is missing: the tensors to concatenate, each with its dtype and shape
  openvino.Concat { axis = 0 },
  -- error@+1:40: 'inputs' is empty: a Concat has at least one input
  openvino.Concat { axis = 0, inputs = {} },
  -- error@+2:42: 'dtype' of input 1 ('a') is missing: name the element type, as in "f32"
  -- error@+1:83: unknown dtype 'f31'; 'splitgen --help=types' lists them all
  openvino.Concat { axis = 0, inputs = { { shape = { 2 }, name = "a" }, { dtype = "f31", shape = { 2 }, name = "b" } } },
  -- error@+4:98: input 2 has dtype 'i32', but input 1 ('a') has 'f32': tensors that are concatenated have one element type
  -- note@+3:52: input 1 ('a') is given here
  -- error@+2:132: input 3 ('b') has dtype 'i64', but input 1 ('a') has 'f32': tensors that are concatenated have one element type
  -- note@+1:52: input 1 ('a') is given here
  openvino.Concat { axis = 0, inputs = { { dtype = "f32", shape = { 2 }, name = "a" }, { dtype = "i32", shape = { 2 } }, { dtype = "i64", shape = { 2 }, name = "b" } } },
  -- error@+1:42: 'shape' of input 1 ('a') is missing
  openvino.Concat { axis = 0, inputs = { { dtype = "f32", name = "a" } } },
  -- error@+1:67: input 1 ('a') has rank 0: a scalar has no axis to concatenate along
  openvino.Concat { axis = 0, inputs = { { dtype = "f32", shape = {}, name = "a" } } },
  -- error@+2:116: input 2 ('b') has 1 dimension, but input 1 ('a') has 2: tensors that are concatenated have the same number
  -- note@+1:67: input 1 ('a') is given here
  openvino.Concat { axis = 0, inputs = { { dtype = "f32", shape = { 2, 3 }, name = "a" }, { dtype = "f32", shape = { 2 }, name = "b" } } },
  -- error@+1:118: dimension 0 of input 2 ('b') is -1: every dimension must be known when the kernel is generated, or be open, which is written free("n")
  openvino.Concat { axis = 0, inputs = { { dtype = "f32", shape = { 2, 3 }, name = "a" }, { dtype = "f32", shape = { -1, 3 }, name = "b" } } },
  -- error@+1:72: dimension 1 of input 1 ('a') is -7: it must be 0 or more
  openvino.Concat { axis = 0, inputs = { { dtype = "f32", shape = { 2, -7 }, name = "a" } } },
  -- error@+1:129: the inputs have more than 2^63 - 1 along axis 0, up to input 2 ('b')
  openvino.Concat { axis = 0, inputs = { { dtype = "f32", shape = { math.maxinteger }, name = "a" }, { dtype = "f32", shape = { 1 }, name = "b" } } },
  -- error@+2:129: input 2 ('b') has 4 in dimension 0, but input 1 ('a') has n: only along axis 1 may they differ
  -- note@+1:69: input 1 ('a') is given here
  openvino.Concat { axis = 1, inputs = { { dtype = "f32", shape = { free("n", 4), 3 }, name = "a" }, { dtype = "f32", shape = { 4, 5 }, name = "b" } } },
  -- error@+2:129: input 2 ('b') has m in dimension 0, but input 1 ('a') has n: only along axis 1 may they differ
  -- note@+1:69: input 1 ('a') is given here
  openvino.Concat { axis = 1, inputs = { { dtype = "f32", shape = { free("n", 4), 3 }, name = "a" }, { dtype = "f32", shape = { free("m", 4), 5 }, name = "b" } } },
  -- error@+2:129: 8 of 'n' are expected in input 2 ('b'), but 4 in input 1 ('a')
  -- note@+1:69: input 1 ('a') is given here
  openvino.Concat { axis = 1, inputs = { { dtype = "f32", shape = { free("n", 4), 3 }, name = "a" }, { dtype = "f32", shape = { free("n", 8), 5 }, name = "b" } } },
  -- error@+1:121: 'n' of input 2 ('b') cannot be open: dimension 1 is the concat axis; give it a number
  openvino.Concat { axis = 1, inputs = { { dtype = "f32", shape = { 2, 3 }, name = "a" }, { dtype = "f32", shape = { 2, free("n", 4) }, name = "b" } } },
}
