-- error@+1:41: attempt to perform arithmetic on a nil value (global 'batch'); a value that -D batch=... sets is written param("batch")
return split { dtype = "f32", shape = { batch * 2, 4 }, parts = 2 }
