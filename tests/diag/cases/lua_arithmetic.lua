-- Arithmetic on nil.
local width
-- error@+1:45: attempt to perform arithmetic on a nil value (local 'width')
return split { dtype = "f32", shape = { 2 * width }, parts = 2 }
