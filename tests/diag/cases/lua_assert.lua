-- A failing assert.
local heads, width = 5, 768
-- error@+1:1: the heads must divide the width
assert(width % heads == 0, "the heads must divide the width")
