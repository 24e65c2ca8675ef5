-- Outputs that do not fit the parts.
return {
  -- error@+2:62: 3 outputs are given, but 'parts' is 2
  -- note@+1:49: 'parts' is given here
  split { dtype = "f32", shape = { 4 }, parts = 2, outputs = { "a", "b", "c" } },
  -- error@+2:71: 1 output is given, but 'lengths' has 2 lengths
  -- note@+1:51: the lengths are given here
  split { dtype = "f32", shape = { 4 }, lengths = { 1, 3 }, outputs = { "a" } },
  -- error@+2:71: 3 outputs are given, but 'lengths' has 2 lengths
  -- note@+1:51: the lengths are given here
  split { dtype = "f32", shape = { 4 }, lengths = { 1, 3 }, outputs = 3 },
  -- error@+2:69: output name 'a' is used twice
  -- note@+1:64: the first is here
  split { dtype = "f32", shape = { 4 }, parts = 2, outputs = { "a", "a" } },
  -- error@+1:62: no output is wanted: there is nothing to generate
  split { dtype = "f32", shape = { 4 }, parts = 2, outputs = { false, "" } },
  -- error@+1:62: 'outputs' must be at least 1, but is 0
  split { dtype = "f32", shape = { 4 }, parts = 2, outputs = 0 },
}
