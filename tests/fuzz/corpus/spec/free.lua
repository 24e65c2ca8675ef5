local n = free("batch", 64)
return {
  split { dtype = "u8", shape = { n, 2, 6 }, axis = 2, lengths = { 1, 5 } },
  onnx.Split { opset = 18, data = { dtype = "u4", shape = { 1, free("m"), 4 } }, axis = 2, num_outputs = 2 },
}
