-- Several open dimensions, before the axis and after it, for few and many outputs, packed elements and words, and outputs
-- that are views.
-- options:
-- options: --no-memcpy
-- options: --views=constants
return {
  split "speech: f32[batch?,64,time=10?] @1 -> left:32 right:view:32",
  split { name = "frames", dtype = "u8", shape = { 2, free("n", 4), 3, free("h"), free("w"), free("n", 4) }, axis = 2,
          lengths = { 1, 2 } },
  split { name = "many", dtype = "i4", shape = { 34, free("height"), 4 }, axis = 0, parts = 34 },
  split "planes: f32[3,h?,w?] @0 -> r:view:1 g:view:1 b:view:1",
  split "none: f32[0,n?,3,t?] @2 -> 1 2",
}
