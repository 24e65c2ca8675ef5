return split {
  name    = "split_qkv",
  dtype   = "f32",
  shape   = { 2, 12 },
  axis    = 1,
  lengths = require "sizes",
  outputs = { "q", "k", "v" },
}
