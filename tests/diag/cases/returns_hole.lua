-- A list with a hole.
local op = split { dtype = "f32", shape = { 4 }, parts = 2 }
-- error@+1:14: the returned list has a hole: entry 2 is nil
return { op, nil, op }
