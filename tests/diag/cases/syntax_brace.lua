-- A brace that is never closed.
return {
  -- error@+1:53: unexpected symbol near <eof>
  split { dtype = "f32", shape = { 4 }, parts = 2 },
