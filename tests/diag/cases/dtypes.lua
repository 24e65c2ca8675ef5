-- Element types that are unknown or do not fit the operator.
return {
  -- error@+1:19: unknown dtype 'f23'; did you mean 'f32'?
  split { dtype = "f23", shape = { 4 }, parts = 2 },
  -- error@+1:19: unknown dtype 'f33'; 'splitgen --help=types' lists them all
  split { dtype = "f33", shape = { 4 }, parts = 2 },
  -- error@+1:19: unknown dtype 'quux'; 'splitgen --help=types' lists them all
  split { dtype = "quux", shape = { 4 }, parts = 2 },
  -- error@+1:19: unknown dtype ''; 'splitgen --help=types' lists them all
  split { dtype = "", shape = { 4 }, parts = 2 },
  -- error@+1:61: unknown packing 'low': it is 'lsb' (first element in the least significant bits), 'msb' (in the most significant ones) or 'planes'
  split { dtype = "u4", shape = { 4 }, parts = 2, packing = "low" },
  -- error@+1:80: 'packing' is 'lsb', but OpenVINO's 'u1' is stored as 'msb' only
  openvino.Split { data = { dtype = "u1", shape = { 4 } }, axis = 0, packing = "lsb", num_splits = 2 },
  -- error@+1:71: packing 'planes' keeps 8 elements of 'u3' in 3 bytes, but 'out0' ends at element 4 of a row, within such a group; store it as 'lsb'
  split { dtype = "u3", shape = { 12 }, lengths = { 4, 8 }, packing = "planes" },
  -- error@+1:62: 'packing' applies to packed types only, and elements of 'f32' are whole bytes
  split { dtype = "f32", shape = { 4 }, parts = 2, packing = "low" },
  -- error@+1:45: no version of ONNX Split takes dtype 'u1'
  onnx.Split { opset = 18, data = { dtype = "u1", shape = { 4 } }, num_outputs = 2 },
  -- error@+1:45: opset 11 has Split-11, which does not take dtype 'bf16'; Split-13 does
  onnx.Split { opset = 11, data = { dtype = "bfloat16", shape = { 4 } }, split = { 2, 2 } },
  -- error@+1:37: OpenVINO has no element type 'c64'
  openvino.Split { data = { dtype = "complex64", shape = { 4 } }, axis = 0, num_splits = 2 },
  -- error@+1:19: unknown dtype 'float128'; 'splitgen --help=types' lists them all
  split { dtype = "float128", shape = { 4 }, parts = 2 },
  -- error@+1:45: unknown dtype 'f4': NumPy's codes count bytes and need their byte order, as in '<f4', which is 'f32'
  onnx.Split { opset = 18, data = { dtype = "f4", shape = { 4 } }, num_outputs = 2 },
  -- error@+1:37: dtype '>i8' is big-endian, but kernels take elements in the byte order of their machine; a split moves them as they are, so 'i64' will do
  openvino.Split { data = { dtype = ">i8", shape = { 4 } }, axis = 0, num_splits = 2 },
  -- error@+1:19: dtype 'int' is 'i64' in NumPy, 'i32' in PyTorch, 'i32' in C: write the one that is meant
  split { dtype = "int", shape = { 4 }, parts = 2 },
  -- right ones
  split { name = "a", dtype = "torch.float32", shape = { 4 }, parts = 2 },
  split { name = "b", dtype = "str", shape = { 4 }, parts = 2 },
  split "c: <f4[4] -> /2",
  split "d: tensor(float)[4] -> /2",
  split "e: half[4] -> /2",
  onnx.Split { name = "f", opset = 18, data = { dtype = "np.float64", shape = { 4 } }, num_outputs = 2 },
  openvino.Split { name = "g", data = { dtype = "|u1", shape = { 4 } }, axis = 0, num_splits = 2 },
}
