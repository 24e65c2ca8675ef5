-- Columns of different widths: a strided view each, copied in straight line.
-- golden: c h json svg bench proof
return split {
  name = "gates",
  dtype = "f32",
  shape = {2, 6},
  axis = 1,
  lengths = {2, 4},
  outputs = {"a", "b"},
}
