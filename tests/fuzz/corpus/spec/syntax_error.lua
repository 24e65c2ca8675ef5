return split {
  name = "a"
  dtype = "f32",
}
