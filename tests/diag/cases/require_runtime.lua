-- An error in a function of a required file.
-- error@lib/tools.lua:5:22: attempt to index a nil value (field 'rows')
local tools = require "lib.tools"
-- note@+1:1: called from here
local op = tools.half("f32", "4")
return op
