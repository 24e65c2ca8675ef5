-- The operators Split and Concat as ONNX defines them, with ONNX's rules and errors; opset selects the version.
local x = { dtype = "float", shape = { 6, 12, 10, 24 } }

return {
  -- Version 18: num_outputs need not divide the axis; the last part is smaller: 2, 2, 2, 1.
  onnx.Split { name = "onnx_uneven", opset = 18, data = { dtype = "float", shape = { 7, 5 } },
               axis = 0, num_outputs = 4, outputs = 4 },
  onnx.Split { name = "onnx_even", opset = 18, data = x, axis = 1, num_outputs = 3, outputs = 3 },
  -- Version 13: lengths, or equal parts over the outputs.
  onnx.Split { name = "onnx_lengths", opset = 13, data = x, axis = -4, split = { 1, 2, 3 },
               outputs = { "a", "b", "c" } },
  onnx.Split { name = "onnx_equal", opset = 13, data = x, axis = 3, outputs = 2 },
  -- An output without a name is not generated.
  onnx.Split { name = "onnx_omitted", opset = 11, data = { dtype = "int64", shape = { 2, 6 } },
               axis = 1, split = { 1, 2, 3 }, outputs = { "a", "", "c" } },
  -- Concat takes lengths and all other dimensions from its inputs.
  onnx.Concat { name = "onnx_join", opset = 13, axis = -1,
                inputs = { { dtype = "float", shape = { 8, 64 }, name = "a" },
                           { dtype = "float", shape = { 8, 32 }, name = "b" } } },
  -- Version 1 concatenates along axis 1 by default.
  onnx.Concat { name = "onnx_join_1", opset = 1,
                inputs = { { dtype = "float16", shape = { 2, 5, 3 } },
                           { dtype = "float16", shape = { 2, 1, 3 } } } },
}
