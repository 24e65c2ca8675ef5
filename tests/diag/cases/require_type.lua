-- Not a name.
-- error@+1:15: require takes the name of a file, without .lua
local first = require(7)
