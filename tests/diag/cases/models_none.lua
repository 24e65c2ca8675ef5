-- Text that is not a model.
-- error@+2:18: 'lib/tools.lua' is not a model: neither ONNX nor OpenVINO's IR
-- note@+1:8: 'lib/tools.lua' is loaded here
return onnx.load("lib/tools.lua")
