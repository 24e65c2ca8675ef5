return {
  onnx.Split { opset = 18, name = "a", data = { dtype = "float", shape = { 2, 7 } }, axis = 1, num_outputs = 3 },
  onnx.Split { opset = 13, name = "b", data = { dtype = "int64", shape = { 6 } }, split = { 2, 4 }, outputs = { "x", "" } },
  onnx.Split { opset = 1, name = "c", axis = 0, data = { dtype = "double", shape = { 4 } }, split = { 1, 3 }, outputs = 2 },
}
