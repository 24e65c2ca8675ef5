-- A misspelt operator.
-- error@+1:13: there is no onnx.Splt; did you mean onnx.Split?
return onnx.Splt { num_outputs = 2 }
