-- The return that ran, among several.
local wide = true
if wide then
  -- error@+1:12: entry 1 of the returned list is the string 'wide', not an op; a notation is written split "..."
  return { "wide" }
end
return split { dtype = "f32", shape = { 4 }, parts = 2 }
