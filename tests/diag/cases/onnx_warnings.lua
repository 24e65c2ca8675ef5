-- Legal splits whose lengths are easily mistaken for others.
-- exit: 0
local data = { dtype = "float", shape = { 5 } }
return {
  -- warning@+1:55: part 4 is empty: axis 0 has 5, and 3 chunks of 2 before the last part exceed it; give the lengths in 'split'
  onnx.Split { opset = 18, data = data, num_outputs = 4 },
  -- warning@+1:68: 3 of 5 parts have an output: chunks are of 1, by 'num_outputs', and would be of 2 by the number of outputs; say what is meant by the lengths in 'split'
  onnx.Split { opset = 18, data = data, num_outputs = 5, outputs = 3 },
}
