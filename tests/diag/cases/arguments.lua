-- Constructors that are called with other arguments than one table.
return {
  -- error@+1:3: split takes one table { ... }, not 0 arguments
  split(),
  -- error@+1:3: split takes a table { ... } or a notation, not 7
  split(7),
  -- error@+1:3: split takes a table { ... } or a notation, not nil
  split(nil),
  -- error@+1:3: split takes one table { ... }, not 2 arguments
  split({}, {}),
  -- error@+1:3: onnx.Split takes a table { ... }, not the string 'f32[4] -> /2'
  onnx.Split "f32[4] -> /2",
  -- error@+1:3: onnx.Split is called with a dot, not a colon
  onnx:Split { num_outputs = 2 },
  -- error@+1:3: openvino.VariadicSplit takes a table { ... }, not a function
  openvino.VariadicSplit(split),
}
