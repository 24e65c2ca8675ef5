-- No random numbers.
-- error@+1:46: attempt to call a nil value (field 'random'); 'random' is not available in a spec: the same spec always makes the same kernels; give what differs between runs by -D n=8, and read it by param("n")
return split { dtype = "f32", shape = { math.random(4) }, parts = 2 }
