-- Two files that require each other.
-- error@lib/second.lua:2:16: 'lib/first.lua' is required while it is still being run: it requires 'lib/second.lua', which requires 'lib/first.lua'
-- note@lib/first.lua:2:16: 'second' is required here
-- note@+1:23: 'lib.first' is required here
local first = require "lib.first"
