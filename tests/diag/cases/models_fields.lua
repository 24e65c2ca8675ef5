-- Facts about a model, in the right types.
return openvino.load("model.xml", {
  -- error@+1:3: unknown field 'dim' in openvino.load; did you mean 'dims'?
  dim = { N = 8 },
  -- error@+1:23: entry 2 of 'x' is -2, but a dim is 0 or more
  shapes = { x = { 1, -2 },
    -- error@+1:9: unknown dtype 'f99'; 'splitgen --help=types' lists them all
    y = "f99[1,2]",
    -- error@+1:9: 'q' is not a whole number of at least 0, as 'shapes' needs between commas, nor an open dim such as 'batch?' or 'batch=64?'
    z = "f32[1,q]" },
  -- error@+1:13: 'dims' must be a table, as in dims = { N = 8 }, not 8
  dims =    8,
  -- error@+1:15: entry 1 of 'except' must be a string, not 5
  except =  { 5 },
})
