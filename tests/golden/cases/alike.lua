-- Kernels of the same rows and columns run one code: of the same shape and names, of other names (one
-- of them the other kernel's), of another shape, of another type; not where elements are assigned.
-- golden: registry
-- digest: c json
-- dump: plan
return {
  split "first: f32[4,3] @1 -> q:1 k:2",
  split "again: f32[4,3] @-1 -> q:1 k:2",
  split "named: f32[4,3] @1 -> first:1 first_all:2",
  split "reshaped: f32[2,2,3] @2 -> q:1 k:2",
  split "retyped: i32[4,3] @1 -> q:1 k:2",
  split "assigned: i32[4,2] @1 -> q:1 k:1",
  split "not_assigned: f32[4,2] @1 -> q:1 k:1",
}
