-- Dims of a model that a spec leaves open: names, some with the number that is expected.
return onnx.load("lib/net.onnxtxt", {
  -- error@+4:10: the dim 'batch' is given twice
  -- error@+3:10: 'open' has 7 among its dims, each of which is a name, "N", or a name and the number that is expected, N = 64
  -- error@+2:10: the expected size of 'seq' is 0, but must be at least 1
  -- note@+1:44: it is given here as well
  open = { "batch", 7, seq = 0 }, dims = { batch = 3 },
})
