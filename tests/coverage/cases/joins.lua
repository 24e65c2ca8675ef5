-- Concats: row strides, gaps that are not written, pieces of rows, packed elements, many inputs, open dimensions.
-- run: exhaustively
-- options:
-- options: --non-temporal=always
-- options: --dispatch=static --optimize=size
-- options: --views=constants
return {
  concat "planes: u8[40,3] @1 <- r:1 g:1 b:1",
  concat "apart: f32[64,24]/40 @1 <- left:8/12 right:16",
  concat "filled: u8[30,60] @1 <- a:20 _:7 b:33",
  concat "bits: u4[30,9] @1 <- a:2 b:7",
  concat "batched: f32[n?,48]/64 @1 <- a:16/20 b:32",
  concat { name = "many", dtype = "u8", shape = { 30, 80 }, axis = 1, parts = 40 },
  concat "rows: f32[24,4] @0 <- a:8 b:16",
  concat "twelve: u8[400,24]/28 @1 <- /12",
  concat "lanes: f32[64,24]/28 @1 <- /24",
  concat "halves: f32[64,12]/16 @1 <- /12",
}
