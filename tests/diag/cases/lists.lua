-- Lists with holes, names and other things a list cannot have.
return {
  -- error@+1:39: 'shape' has a hole: entry 2 is nil; write param("n") for a dimension that -D n=... sets, free("n") for one that is passed on each call
  split { dtype = "f32", shape = { 4, nil, 2 }, parts = 2 },
  -- error@+1:34: 'shape' has an entry 'n', but a list has no named entries
  split { dtype = "f32", shape = { 4, n = 2 }, parts = 2 },
  -- error@+1:34: 'shape' has a hole: entry 1 is nil; write param("n") for a dimension that -D n=... sets, free("n") for one that is passed on each call
  split { dtype = "f32", shape = { [2] = 4 }, parts = 2 },
  -- error@+1:34: 'shape' has an entry that is not numbered from 1
  split { dtype = "f32", shape = { [0] = 4, 2 }, parts = 2 },
  -- error@+1:56: 'lengths' has a hole: entry 2 is nil
  split { dtype = "f32", shape = { 4 }, lengths = { 1, nil, 3 } },
  -- error@+1:56: 'lengths' has a hole: entry 2 is nil
  split { dtype = "f32", shape = { 4 }, lengths = { 1, nil, 3, "x" } },
  -- error@+1:53: entry 1 of 'lengths' must be an integer, not a table
  split { dtype = "f32", shape = { 4 }, lengths = { { 1 }, 3 } },
  -- error@+1:69: 'outputs' has a hole: entry 2 is nil
  split { dtype = "f32", shape = { 4 }, parts = 2, outputs = { "a", nil, "b" } },
  -- error@+1:62: 'outputs' has an entry 'a', but a list has no named entries
  split { dtype = "f32", shape = { 4 }, parts = 2, outputs = { a = 1, b = 2 } },
  -- error@+1:36: entry 1 of 'shape' is 9.2233720368548e+18, which does not fit 64 bits
  split { dtype = "f32", shape = { 2 ^ 63 }, parts = 2 },
  -- error@+1:36: entry 1 of 'shape' must be an integer, not nan
  split { dtype = "f32", shape = { 0 / 0 }, parts = 2 },
  -- error@+1:36: entry 1 of 'shape' must be an integer, not inf
  split { dtype = "f32", shape = { 1 / 0 }, parts = 2 },
  -- error@+1:19: 'dtype' contains a zero byte
  split { dtype = "f\0", shape = { 4 }, parts = 2 },
}
