-- A model outside the folder.
-- error@+1:18: '../net.onnx' cannot be loaded; a model is named by its path below the folder of the spec, or of an -I, without '..'
return onnx.load("../net.onnx")
