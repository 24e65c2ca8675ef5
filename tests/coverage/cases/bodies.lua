-- Code that only some vector versions print: loads and stores of rotated tiles, prefetching, stores side by side, packed
-- elements that are not byte-aligned, in both bit orders, combined lines of padded rows, and outputs that are consecutive
-- whole lines; runs of two tiles that are not in a loop, and long runs that bypass the cache.
-- options: --non-temporal=always
-- options:
return {
  split "rotated: f32[4200,4] @1 -> /4",
  split "runs_of_lines: u8[20,2000] @1 -> 999 1000 1",
  split "nibbles: u1[70,300] @1 -> 100 200",
  split "lines_of_a_pitch: u8[40/600,190,3] @2 -> /3",
  split "odd_bits: u3[9,700] @1 -> 3 200 497 0",
  split { name = "most_first", dtype = "u1", shape = { 70, 65 }, axis = 1, lengths = { 1, 64 }, packing = "msb" },
  split "two_tiles: u8[64,116] @1 -> 8 8 100",
  concat "long_runs: u8[40,900] @1 <- 301 599",
  concat { name = "pairs", dtype = "i16", shape = { 801, 2 }, axis = 1, lengths = { 1, 1 } },
  concat { name = "many", dtype = "f32", shape = { 8, 2673 }, axis = 1, parts = 33 },
}
