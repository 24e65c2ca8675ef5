-- Lua would call what the metatable of that table has, and so on without an end.
-- error@+2:1: in a spec, '__call' is a function, not a table
local m = {} m.__call = m
setmetatable(m, m)
