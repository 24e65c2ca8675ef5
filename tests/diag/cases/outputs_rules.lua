-- Counts of outputs, and names that C++ reserves.
return {
  -- error@+2:67: 2 outputs are given, but 'lengths' has 1 length
  -- note@+1:50: the lengths are given here
  split { dtype = "u8", shape = { 6 }, lengths = { 6 }, outputs = { "a", "b" } },
  -- error@+6:50: lengths sum to 7, but axis 0 has 6
  -- note@+5:33: the shape is given here
  -- error@+4:67: 2 outputs are given, but 'lengths' has 1 length
  -- note@+3:50: the lengths are given here
  -- error@+2:74: output name 'a' is used twice
  -- note@+1:69: the first is here
  split { dtype = "u8", shape = { 6 }, lengths = { 7 }, outputs = { "a", "a" } },
  -- error@+1:18: kernel name 'xor_eq' is a keyword of C++; 'xor_eq_' would do
  split { name = "xor_eq", dtype = "u8", shape = { 6 }, parts = 1 },
  -- error@+1:18: kernel name 'a__b' contains '__', which is reserved in C++; 'a_b' would do
  split { name = "a__b", dtype = "u8", shape = { 6 }, parts = 1 },
}
