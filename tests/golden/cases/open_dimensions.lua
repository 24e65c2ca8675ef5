-- Several open dimensions: in front of the axis, behind it, the same number twice, by an array of outputs.
-- digest: c h json svg proof-cpp
-- dump: plan
-- options: --isa=avx2
return {
  split "speech: f32[batch?,64,time=100?] @1 -> left:32 right:32",
  split { name = "frames", dtype = "u8", shape = { 2, free("n", 4), 3, free("h"), free("w"), free("n", 4) }, axis = 2,
          lengths = { 1, 2 } },
  split "front: u16[layers?,3,tokens=8?,6] @3 -> 1 2 3",
  split { name = "many", dtype = "i4", shape = { 80, free("height"), 4 }, axis = 0, parts = 40 },
}
