-- Values of the wrong type in every field of split.
return {
  -- error@+1:18: 'name' must be a string, not 5
  split { name = 5, dtype = "f32", shape = { 4 }, parts = 2 },
  -- error@+1:19: 'dtype' must be a string, not 32
  split { dtype = 32, shape = { 4 }, parts = 2 },
  -- error@+1:34: 'shape' must be a list of integers, not 4; write shape = { 4 }
  split { dtype = "f32", shape = 4, parts = 2 },
  -- error@+1:34: 'shape' must be a list of integers, not the string '4'; write shape = { 4 }
  split { dtype = "f32", shape = "4", parts = 2 },
  -- error@+1:36: entry 1 of 'shape' must be an integer, not 4.5
  split { dtype = "f32", shape = { 4.5 }, parts = 2 },
  -- error@+1:36: entry 1 of 'shape' must be an integer, not the string '4'; write 4
  split { dtype = "f32", shape = { "4" }, parts = 2 },
  -- error@+1:48: 'axis' must be an integer, not the string '0'; write axis = 0
  split { dtype = "f32", shape = { 4 }, axis = "0", parts = 2 },
  -- error@+1:48: 'axis' must be an integer, not 0.5
  split { dtype = "f32", shape = { 4 }, axis = 0.5, parts = 2 },
  -- error@+1:49: 'parts' must be an integer, not the string '2'; write parts = 2
  split { dtype = "f32", shape = { 4 }, parts = "2" },
  -- error@+1:49: 'parts' must be an integer, not a table; the lengths are 'lengths'
  split { dtype = "f32", shape = { 4 }, parts = {} },
  -- error@+1:51: 'lengths' must be a list of integers, not 2; the number of equal parts is 'parts'
  split { dtype = "f32", shape = { 4 }, lengths = 2 },
  -- error@+1:56: entry 2 of 'lengths' must be an integer, not true
  split { dtype = "f32", shape = { 4 }, lengths = { 2, true } },
  -- error@+1:60: 'align' must be an integer, not the string '16'; write align = 16
  split { dtype = "f32", shape = { 4 }, parts = 2, align = "16" },
  -- error@+1:62: 'packing' must be a string, not 1
  split { dtype = "f32", shape = { 4 }, parts = 2, packing = 1 },
  -- error@+1:62: 'outputs' must be a list of names or a number, not the string 'a'; write outputs = { "a" }
  split { dtype = "f32", shape = { 4 }, parts = 2, outputs = "a" },
  -- error@+1:69: entry 2 of 'outputs' must be a name, or false for a part that is not wanted, not 2
  split { dtype = "f32", shape = { 4 }, parts = 2, outputs = { "a", 2 } },
  -- error@+1:64: entry 1 of 'outputs' must be a name, or false for a part that is not wanted, not true
  split { dtype = "f32", shape = { 4 }, parts = 2, outputs = { true, "b" } },
}
