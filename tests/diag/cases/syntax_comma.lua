-- A missing comma.
-- note@+1:14: it opens here
return split {
  dtype = "f32",
  shape = { 4 }
  -- error@+1:3: '}' expected (to close '{' at line 3) near 'parts'
  parts = 2,
}
