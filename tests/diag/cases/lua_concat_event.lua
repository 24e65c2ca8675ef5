-- What it does to the stack some versions of Lua do not survive.
-- error@+1:1: '__concat' is not available in a spec
setmetatable({}, { __concat = function() return "" end })
