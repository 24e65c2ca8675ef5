-- A parameter that makes the lengths wrong.
-- args: -D width=770
return split {
  dtype = "f32",
  -- note@+1:11: the shape is given here
  shape = { 2, param("width", 768) },
  axis = 1,
  -- error@+1:13: lengths sum to 768, but axis 1 has 770
  lengths = { 256, 256, 256 },
}
