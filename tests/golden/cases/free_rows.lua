-- A dimension whose length the program says: rows of bytes, and of packed elements.
-- golden: c
-- digest: h json svg test proof
-- options: --isa=avx2
return {
  split { name = "heads", dtype = "f16", shape = { free("batch", 64), 12 }, axis = 1, lengths = { 2, 6, 4 },
          outputs = { "q", "rows", "batch" } },
  split "nibbles: u4[1,tokens?,2,3] @3 -> 1 2",
}
