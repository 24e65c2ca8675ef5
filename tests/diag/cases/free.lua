-- Open dimensions where they are not allowed, and messages about them in other types.
-- error@<command line>:1:13: 'told' must be a whole number from 1 on, not 'many'
-- args: -D told=many
local n = free("batch", 64)
return {
  -- error@+1:66: entry 1 of 'lengths' must be an integer, not the open dimension 'batch': only entries of a shape can be open
  split { dtype = "f32", shape = { n, 8 }, axis = 1, lengths = { n, 4 } },
  -- error@+1:51: 'axis' must be an integer, not the open dimension 'batch': only entries of a shape can be open
  split { dtype = "f32", shape = { n, 8 }, axis = n, parts = 2 },
  -- error@+1:66: entry 1 of 'outputs' must be a name, or false for a part that is not wanted, not the open dimension 'batch'
  split { dtype = "f32", shape = { n, 8 }, axis = 1, outputs = { n, "b" }, parts = 2 },
  -- error@+1:36: free takes a name and the number that is expected: free("batch", 64)
  split { dtype = "f32", shape = { free(64), 8 }, axis = 1, parts = 2 },
  -- error@+1:36: the number of 'half' that is expected must be an integer, not 0.5
  split { dtype = "f32", shape = { free("half", 0.5), 8 }, axis = 1, parts = 2 },
  -- note@+1:36: it is the expected size of an open dimension
  split { dtype = "f32", shape = { free("told", 5), 8 }, axis = 1, parts = 2 },
}
