-- The same for OpenVINO.
-- error@+1:8: openvino.load is not available in splitgen 0.1: describe the split with openvino.Split and openvino.VariadicSplit
return openvino.load("model.xml", { shapes = {} })
