-- The reader for another format.
-- error@+2:22: 'lib/net.onnxtxt' is an ONNX model; load it with onnx.load
-- note@+1:8: 'lib/net.onnxtxt' is loaded here
return openvino.load("lib/net.onnxtxt")
