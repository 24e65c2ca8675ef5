-- Every way to describe a split or a concat in splitgen's own words.
local sizes = require "sizes" -- any Lua file beside the spec
local batch = param("batch", 2) -- splitgen -D batch=8 forms.lua

return {
  -- Lengths along an axis; the axis counts from the front (default 0) or, negative, from the back.
  split { name = "by_lengths", dtype = "f32", shape = { 6, 12, 10, 24 }, axis = 0,
          lengths = { 1, 2, 3 } },
  -- One length may be -1: what remains.
  split { name = "by_rest", dtype = "f32", shape = { 6, 12, 10, 24 }, axis = 0,
          lengths = { -1, 2 } },
  -- Equal parts.
  split { name = "by_parts", dtype = "f32", shape = { 6, 12, 10, 24 }, axis = 1, parts = 3 },
  -- Names become the parameters of the C function.
  split { name = "by_name", dtype = "f16", shape = { batch, 5, sizes.model }, axis = -1,
          lengths = sizes.heads, outputs = { "q", "k", "v" } },
  -- false: no code for this part; the following parts keep their positions.
  split { name = "some", dtype = "i32", shape = { 4, 9 }, axis = 1, lengths = { 2, 3, 4 },
          outputs = { "first", false, "last" } },
  -- Lengths and dimensions may be 0.
  split { name = "with_zero", dtype = "u16", shape = { 3, 7 }, axis = 1, lengths = { 0, 4, 0, 3 } },
  split { name = "nothing", dtype = "f64", shape = { 0, 6 }, axis = 1, parts = 2 },
  -- A promise that every pointer is a multiple of 64 bytes; splitgen_run checks it.
  split { name = "aligned", dtype = "f32", shape = { 8, 48 }, axis = 1, lengths = { 16, 32 },
          align = 64 },
  -- Every type of the standards: elements of 1, 2, 4, 8 and 16 bytes, and strings, whose pointers are copied.
  split { name = "truths", dtype = "bool", shape = { 5, 3 }, axis = 1, parts = 3 },
  split { name = "brain", dtype = "bf16", shape = { 4, 10 }, axis = 1, lengths = { 3, 7 } },
  split { name = "waves", dtype = "c128", shape = { 3, 4 }, axis = 1, lengths = { 1, 3 } },
  split { name = "words", dtype = "string", shape = { 4, 3 }, axis = 1, lengths = { 1, 2 } },
  -- More than 32 outputs: the C function takes an array of pointers.
  split { name = "many", dtype = "u8", shape = { 10, 40 }, axis = 1, parts = 40 },
  -- The notation, one line for one split, here and on the command line (splitgen -e '...').
  split "brief: f32[2,96] @-1 -> 32,64",
  split "named: i8[3,20] @1 -> scale:4 zero:4 weights:*",
  split "thirds: u8[4,6,3] @2 -> /3",
  split "skips: f16[576] -> kv:512 _:64",
  -- Concat: parts are inputs, and the shape is that of the full tensor. Ranges without an input do not change.
  concat { name = "join_lengths", dtype = "f32", shape = { 6, 12, 10, 24 }, axis = 0,
           lengths = { 1, 2, 3 } },
  concat { name = "join_gap", dtype = "i32", shape = { 4, 9 }, axis = 1, lengths = { 2, 3, 4 },
           inputs = { "first", false, "last" } },
  -- Padded rows: the row stride in elements, of the full tensor and of a part. Padding is never read or written.
  split { name = "apart", dtype = "f16", shape = { 5, 12 }, axis = 1, row_stride = 16,
          lengths = { 4, 8 }, outputs = { { name = "q", row_stride = 6 }, "kv" } },
  concat { name = "join_apart", dtype = "u8", shape = { 8, 3, 4 }, axis = 1, row_stride = 20,
           parts = 3, inputs = { "a", { name = "b", row_stride = 16 }, "c" } },
  -- In the notation the arrow is reversed, and a stride follows the shape or the length.
  concat "join_rgb: u8[4,6,3] @2 <- r:1 g:1 b:1",
  concat "join_skips: f32[3,96]/128 @1 <- q:32/40 _:16 kv:48",
}
