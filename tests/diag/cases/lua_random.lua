-- No random numbers.
-- error@+1:46: attempt to call a nil value (field 'random'); 'random' is not available in a spec
return split { dtype = "f32", shape = { math.random(4) }, parts = 2 }
