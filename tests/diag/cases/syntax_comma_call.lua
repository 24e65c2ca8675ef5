-- A missing comma between arguments.
-- error@+1:40: a comma is missing after this, before '8'
local width = math.max(param("width", 4) 8)
return split { dtype = "f32", shape = { width }, parts = 2 }
