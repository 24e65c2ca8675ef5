-- All of them, or some.
return onnx.load("lib/net.onnxtxt", {
  -- error@+1:10: 'open' must be true or a table of dims, as in open = { "N", M = 64 }, not the string 'all'
  open = "all",
})
