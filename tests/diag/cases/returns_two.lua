-- Two values instead of a list.
local op = split { dtype = "f32", shape = { 4 }, parts = 2 }
-- error@+1:1: the spec returns 2 values; put them into a list: return { ... }
return op, op
