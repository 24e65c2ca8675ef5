-- Parts that do not fit the default axis, or that another axis fits better.
return {
  -- error@+2:56: lengths sum to 3, but axis 0 has 8 (axis 0 is the default; axis 2 has 3: write 'axis = 2')
  -- note@+1:33: the shape is given here
  split { dtype = "u8", shape = { 8, 4, 3 }, lengths = { 1, 1, 1 } },
  -- error@+2:66: lengths sum to 3, but axis 1 has 4 (axis 2 has 3: write 'axis = 2')
  -- note@+1:33: the shape is given here
  split { dtype = "u8", shape = { 8, 4, 3 }, axis = 1, lengths = { 1, 1, 1 } },
  -- error@+2:56: lengths sum to 5, but axis 0 has 8 (axis 0 is the default)
  -- note@+1:33: the shape is given here
  split { dtype = "u8", shape = { 8, 4, 3 }, lengths = { 5 } },
  -- error@+2:55: cannot split axis 0 (length 8) into 3 equal parts (axis 0 is the default; axis 2 has 3: write 'axis = 2'); give 'lengths' for unequal parts
  -- note@+1:34: the shape is given here
  concat { dtype = "u8", shape = { 8, 4, 3 }, parts = 3 },
  -- note@+1:54: axis 0 is split, which is the default, but axis 2 has 3: write 'axis = 2' for axis 2, or 'axis = 0' to keep axis 0 without this note
  split { dtype = "u8", shape = { 9, 4, 3 }, parts = 3 },
  -- error@+1:62: length 2 ('b') is -3: a length is 0 or more, or -1 for what remains
  split { dtype = "u8", shape = { 9, 4, 3 }, lengths = { 12, -3 }, outputs = { "a", "b" } },
}
