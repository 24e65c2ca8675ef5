-- The same for OpenVINO.
-- error@+1:8: openvino.load is not available: name the model on the command line, as in 'splitgen model.onnx', or describe the split with openvino.Split and openvino.VariadicSplit
return openvino.load("model.xml", { shapes = {} })
