-- Marks of views: which outputs can have one, and how it is written.
return {
  -- error@+1:28: 'a' is to be a view without code, but no view of it exists: it begins at bit 4 of byte 0; without the mark it is copied
  split "u4[2,8] @1 -> 1 a:view:3 4",
  -- error@+1:106: 'q' is to be a view without code, but no view of it exists: a row has 28 bits, no whole number of bytes; without the mark it is copied
  split { dtype = "u4", shape = { 2, 7 }, axis = 1, lengths = { 2, 5 }, outputs = { { name = "q", view = true }, "k" } },
  -- error@+1:23: an output that is not wanted has no view either: give it a name, or leave the mark out
  split "u8[8] -> 4 _:view:4",
}
