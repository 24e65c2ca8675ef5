-- A file without packed elements; open dimensions before the axis of words, and more than 8 outputs
-- of runs with non-temporal stores.
-- options:
return {
  split { name = "runs", dtype = "f32", shape = { 180, 3200 }, axis = 1, parts = 10 },
  split "front: u16[layers?,3,tokens=8?,6] @3 -> 1 2 3",
  split { name = "few", dtype = "f64", shape = { 7, 5 }, axis = 1, lengths = { 1, 4 } },
  split { name = "empty", dtype = "u8", shape = { 4096, 3 }, axis = 1, lengths = { 1, 0, 2 } },
}
