-- A string without its end.
-- error@+1:24: unfinished string near '"f32, shape = { 4 }, parts = 2 }'
return split { dtype = "f32, shape = { 4 }, parts = 2 }
