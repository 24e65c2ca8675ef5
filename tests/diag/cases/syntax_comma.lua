-- A missing comma between fields, which Lua finds one token later.
return split {
  dtype = "f32",
  -- error@+1:15: a comma is missing after this, before 'parts'
  shape = { 4 }
  parts = 2,
}
