-- A spec that forgets its return.
-- error@+1:1: the spec returns nothing; return one op or a list of ops: return split { ... }
split { dtype = "f32", shape = { 4 }, parts = 2 }
