-- A field of nil.
local sizes = {}
-- error@+1:47: attempt to index a nil value (field 'model')
return split { dtype = "f32", shape = { sizes.model.width }, parts = 2 }
