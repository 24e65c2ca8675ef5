-- A misspelt word.
-- error@+1:8: attempt to call a nil value (global 'splt'); did you mean 'split'?
return splt { dtype = "f32", shape = { 4 }, parts = 2 }
