-- Lengths that do not fit the axis.
return {
  -- error@+2:64: lengths sum to 7, but axis 1 has 6
  -- note@+1:34: the shape is given here
  split { dtype = "f32", shape = { 2, 6 }, axis = 1, lengths = { 2, 5 } },
  -- error@+2:65: lengths sum to 5, but axis 1 has 6
  -- note@+1:34: the shape is given here
  split { dtype = "f32", shape = { 2, 6 }, axis = -1, lengths = { 2, 3 } },
  -- error@+2:51: lengths exceed the axis: they sum to 7 before what remains, but axis 0 has 6
  -- note@+1:34: the shape is given here
  split { dtype = "f32", shape = { 6 }, lengths = { 4, -1, 3 } },
  -- error@+2:60: only one length may be -1 (what remains), but lengths 1 and 3 are
  -- note@+1:53: the first is here
  split { dtype = "f32", shape = { 6 }, lengths = { -1, 2, -1 } },
  -- error@+1:56: length 2 is -2: a length is 0 or more, or -1 for what remains
  split { dtype = "f32", shape = { 6 }, lengths = { 8, -2 } },
  -- error@+1:51: 'lengths' is empty: a split has at least one part
  split { dtype = "f32", shape = { 6 }, lengths = {} },
  -- error@+1:70: the lengths sum to more than 2^63 - 1 up to length 2
  split { dtype = "f32", shape = { 6 }, lengths = { math.maxinteger, 1 } },
  -- error@+2:69: give 'lengths' or 'parts', not both
  -- note@+1:51: 'lengths' is given here
  split { dtype = "f32", shape = { 6 }, lengths = { 3, 3 }, parts = 2 },
  -- error@+2:49: cannot split axis 0 (length 6) into 4 equal parts; give 'lengths' for unequal parts
  -- note@+1:34: the shape is given here
  split { dtype = "f32", shape = { 6 }, parts = 4 },
  -- error@+1:49: 'parts' must be at least 1, but is 0
  split { dtype = "f32", shape = { 6 }, parts = 0 },
  -- error@+1:49: 'parts' must be at least 1, but is -1
  split { dtype = "f32", shape = { 6 }, parts = -1 },
}
