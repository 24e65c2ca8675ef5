-- A function without its end.
-- note@+1:7: it opens here
local function make(n)
  -- error@+1:59: 'end' expected (to close 'function' at line 3) near <eof>
  return split { dtype = "f32", shape = { n }, parts = 2 }

-- nothing follows
