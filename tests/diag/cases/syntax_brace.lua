-- A brace that is never closed.
return {
  -- error@+2:53: the text ends, but '{' on line 2 is not closed: '}' is missing
  -- note@2:8: it opens here
  split { dtype = "f32", shape = { 4 }, parts = 2 },
