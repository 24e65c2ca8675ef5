-- More pictures than there is room for all their rows and legends, one with a narrow part and one with more outputs than colours.
-- emit: svg
-- options:
local list = { split { name = "many", dtype = "u8", shape = { 36 }, parts = 12 } }
for i = 1, 6 do
  list[#list + 1] = split { name = "page" .. i, dtype = "u8", shape = { 9, 1000 + i }, axis = 1, lengths = { i, 1000 } }
end
return list
