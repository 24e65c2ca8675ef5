-- Rows in groups, with padding between groups: in both directions, with arrays of parts, views, small code and open rows.
-- run: exhaustively
-- options:
-- options: --optimize=size
-- options: --unroll=full --non-temporal=always
local list = {
  split "planes: u8[4/100,8,3] @2 -> r:1/40/1 g:1 b:view:1",
  concat "joined: u8[4/100,8,3] @2 <- r:1/40/1 g:1 b:1",
  split "rows: f32[n?/200,8,12] @2 -> a:4 b:8/80/8",
  split "many: u8[4/1000,3,80] @2 -> /40",
  split("many_parts: u8[4,3,80] @2 -> 2/16/2" .. (" 2"):rep(39)),
  concat "many_joined: u8[4/1000,3,80] @2 <- /40",
  split "nibbles: u4[4/100,8,4] @2 -> a:2 b:2",
}
return list
