-- A function of another library.
-- error@+1:8: attempt to index a nil value (global 'torch'); a spec needs no library: write split { dtype = "f32", shape = { 2, 12 }, parts = 2 }
return torch.split { dtype = "f32", shape = { 2, 12 }, axis = 1, parts = 2 }
