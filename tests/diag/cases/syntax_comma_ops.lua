-- A missing comma between ops.
return {
  -- error@+1:51: a comma is missing after this, before 'split'
  split { dtype = "f32", shape = { 4 }, parts = 2 }
  split { dtype = "f32", shape = { 4 }, parts = 2 },
}
