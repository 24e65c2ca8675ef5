-- Names in a spec that the model does not have.
-- note@+4:8: 'lib/net.onnxtxt' is loaded here
-- note@+3:8: 'lib/net.onnxtxt' is loaded here
-- note@+2:8: 'lib/net.onnxtxt' is loaded here
-- note@+1:8: 'lib/net.onnxtxt' is loaded here
return onnx.load("lib/net.onnxtxt", {
  -- error@+1:14: shapes: the model has no tensor 'xy'; did you mean 'x'?
  shapes = { xy = { 1 } },
  -- error@+1:14: values: the model has no tensor 'weights'; there is 'x', 'a', 'b'
  values = { weights = { 1, 2 } },
  -- error@+1:23: dims: the model has no dim 'bach'; did you mean 'batch'?
  dims = { batch = 2, ["bach"] = 2 },
  only = { "a",
    -- error@+1:5: only: the model has no Split 'q*'; there is 'a'
    "q*" },
})
