-- What this release does not read.
-- error@+1:8: onnx.load is not available in splitgen 0.1: describe the split with onnx.Split
return onnx.load "model.onnx"
