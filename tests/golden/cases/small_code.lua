-- Code made for size: portable, one loop over the rows for all who call; runs are single copies.
-- golden: c
-- options: --optimize=size
return {
  split "planes: u8[6,4,3] @2 -> r:1 g:1 b:1",
  split "heads: f32[8,86] @1 -> box:4 _:2 masks:80 none:0",
}
