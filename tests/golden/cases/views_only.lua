-- An output marked as a view has no code; neither have, with --views=constants, those that are contiguous.
-- golden: c
-- digest: h json proof
-- options: --views=constants --isa=portable
return {
  split {
    name    = "marked",
    dtype   = "f32",
    shape   = { 2, 6 },
    axis    = 1,
    lengths = { 2, 3, 1 },
    outputs = { "copied", { name = "seen", view = true }, { view = false } },
  },
  split { name = "seen_whole", dtype = "u8", shape = { 4, 3 }, lengths = { 1, 3 }, outputs = { "first", "rest" } },
}
