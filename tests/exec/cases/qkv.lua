-- The spec of the documentation, with a smaller shape.
return split {
  name    = "split_qkv",
  dtype   = "f32",
  shape   = { param("batch", 1), 4, 36 },
  axis    = -1,
  lengths = { 12, 12, -1 },
  outputs = { "q", "k", "v" },
}
