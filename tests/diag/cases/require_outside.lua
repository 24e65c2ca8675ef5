-- A file outside the folder.
-- error@+1:24: '../secret' cannot be required; names are words with dots for folders, as in "lib.shapes" for lib/shapes.lua
local shapes = require "../secret"
