-- One operator too many; the first '=' of the line is right.
-- error@+1:23: unexpected symbol near '='
local n = 2 local m = = 3
return split { dtype = "f32", shape = { n }, parts = m }
