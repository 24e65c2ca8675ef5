-- A syntax error in a required file.
-- error@lib/broken.lua:2:13: a comma is missing after this, before '3'
-- note@+1:24: 'lib.broken' is required here
local broken = require "lib.broken"
