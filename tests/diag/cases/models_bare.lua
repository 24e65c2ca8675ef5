-- Facts about a model without the field they belong to.
return onnx.load("lib/net.onnxtxt", {
  -- error@+1:3: unknown field 'batch' in onnx.load; if it is a dim, write dims = { batch = 1 }
  batch = 1,
  -- error@+1:3: unknown field 'seq' in onnx.load; if it is a dim, write dims = { seq = ... }
  seq = free("seq", 16),
  -- error@+1:3: unknown field 'x' in onnx.load; if it is a tensor, write shapes = { x = ... }
  x = { 1, 6 },
  -- error@+1:3: unknown field 'batch size' in onnx.load; if it is a dim, write dims = { ["batch size"] = 1 }
  ["batch size"] = 1,
})
