-- A label that does not exist.
-- error@+1:1: no visible label 'done' for <goto> at line 3
goto done
return split { dtype = "f32", shape = { 4 }, parts = 2 }
