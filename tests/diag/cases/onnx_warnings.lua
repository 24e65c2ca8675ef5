-- Legal splits that other implementations treat in another way.
-- exit: 0
local data = { dtype = "float", shape = { 5 } }
return {
  -- warning@+1:55: part 3 is empty: axis 0 has 5, and chunks of 2 fill only 3 of 4 parts; ONNX Runtime refuses such a split
  onnx.Split { opset = 18, data = data, num_outputs = 4 },
  -- warning@+1:68: 3 of 5 parts have an output: ONNX Runtime would make chunks of 2, not 1
  onnx.Split { opset = 18, data = data, num_outputs = 5, outputs = 3 },
}
