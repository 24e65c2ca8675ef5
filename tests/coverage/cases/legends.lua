-- Few pictures, whose legends have unwanted parts, in bytes and within bytes, padding after groups of rows, and more parts
-- than they name.
-- emit: svg
-- options:
return {
  split { name = "most", dtype = "u8", shape = { 60 }, parts = 60 },
  split { name = "some", dtype = "u8", shape = { 3, 4 }, axis = 1, lengths = { 1, 3 }, outputs = { "a", false } },
  split { name = "bits", dtype = "u4", shape = { 3, 5 }, axis = 1, lengths = { 1, 4 }, outputs = { "a", false } },
  split "rows: u8[9/40,9,3] @2 -> r:1/12/1 g:2",
}
