-- Models are inputs of their own.
-- error@+1:8: onnx.load is not available: name the model on the command line, as in 'splitgen model.onnx', or describe the split with onnx.Split
return onnx.load "model.onnx"
