-- Kernels that share the code of another one: with equal tensors, names or shape, and with others.
-- options: --isa=all
-- options: --export-macro=API
return {
  split "first: f32[4,3] @1 -> q:1 k:2",
  split "again: f32[4,3] @1 -> q:1 k:2",
  split "named: f32[4,3] @1 -> a:1 b:2",
  split "reshaped: f32[2,2,3] @2 -> q:1 k:2",
  split "retyped: i32[4,3] @1 -> q:1 k:2",
  split "lanes: f32[90,40] @1 -> /40",
  split "retyped_lanes: i32[90,40] @1 -> /40",
  split "open_lanes: f32[n=90?,40] @1 -> /40",
  split "retyped_open_lanes: u32[n=90?,40] @1 -> /40",
  concat "joined_lanes: f32[90,40] @1 <- /40",
  concat "retyped_joined_lanes: u32[90,40] @1 <- /40",
}
