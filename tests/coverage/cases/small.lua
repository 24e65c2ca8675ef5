-- Code optimised for size, alone and after code for instruction sets.
-- options: --optimize=size
-- options: --optimize=size --no-memcpy
-- options: --optimize=size --isa=all --non-temporal=always
return {
  split "planes: u8[10,64,3] @2 -> r:1 g:1 b:1",
  split "again: u8[64,10,3] @2 -> r:1 g:1 b:1",
  split { name = "many", dtype = "i16", shape = { 100, 33 }, axis = 1, parts = 33 },
  split "packed: u4[16,8] @1 -> a:3 b:5",
}
