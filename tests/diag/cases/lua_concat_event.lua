-- This corrupts the stack of some versions of Lua.
-- error@+1:1: '__concat' is not available in a spec
setmetatable({}, { __concat = function() return "" end })
