-- Undefined names are nil in Lua; they would end a list and remove a field.
local size
return {
  -- error@+1:36: entry 1 of 'shape' is 'batch', which is not defined; write param("batch") for a dimension that -D batch=... sets, free("batch") for one that is passed on each call
  split { dtype = "f32", shape = { batch, 4 }, parts = 2 },
  -- error@+1:39: entry 2 of 'shape' is 'batch', which is not defined; write param("batch") for a dimension that -D batch=... sets, free("batch") for one that is passed on each call
  split { dtype = "f32", shape = { 4, batch }, parts = 2 },
  -- error@+1:19: 'dtype' is 'f32', which is not defined; a text is written "f32"
  split { dtype = f32, shape = { 4 }, parts = 2 },
  -- error@+1:48: 'axis' is 'last', which is not defined; a value that -D last=... sets is written param("last")
  split { dtype = "f32", shape = { 4 }, axis = last, parts = 2 },
  -- error@+2:64: entry 1 of 'outputs' is 'q', which is not defined; a text is written "q"
  -- error@+1:67: entry 2 of 'outputs' is 'k', which is not defined; a text is written "k"
  split { dtype = "f32", shape = { 4 }, parts = 2, outputs = { q, k } },
  -- error@+1:36: 'shape' has a hole: entry 1 is nil; write param("n") for a dimension that -D n=... sets, free("n") for one that is passed on each call
  split { dtype = "f32", shape = { size, 4 }, parts = 2 },
  split { dtype = "f32", shape = { 4 }, parts = 2, align = size },
}
