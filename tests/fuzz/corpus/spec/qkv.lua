return split {
  name = "split_qkv", dtype = "f32", shape = { param("batch", 1), 16, 24 }, axis = -1,
  lengths = { 8, 8, -1 }, outputs = { "q", false, "v" }, align = 64,
}
