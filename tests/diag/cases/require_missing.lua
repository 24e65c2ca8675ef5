-- A file that does not exist.
-- error@+1:24: there is no file to require here; looked for 'lib/absent.lua'
local shapes = require "lib.absent"
