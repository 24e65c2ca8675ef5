-- A wrong argument to a library function.
-- error@+1:20: bad argument #1 to 'rep' (number expected, got table)
local name = ("x"):rep({})
return split { name = name, dtype = "f32", shape = { 4 }, parts = 2 }
