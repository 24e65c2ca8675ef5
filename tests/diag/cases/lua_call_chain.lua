-- Lua would call the table in the metatable, and so on without end.
-- error@+2:1: in a spec, '__call' is a function, not a table
local m = {} m.__call = m
setmetatable(m, m)
