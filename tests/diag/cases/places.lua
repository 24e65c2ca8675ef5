-- Tables and values that are not literals in the call.
local fields = { dtype = "f32", shape = { 4 }, axis = "x" }
local lengths = { 1, 2.5 }
local function make(n)
  -- error@+1:43: op 'places_4': entry 1 of 'shape' must be an integer, not the string '4'; write 4
  return split { dtype = "f32", shape = { n }, parts = 2 }
end
local cut = split
return {
  -- error@+1:3: 'axis' must be an integer, not the string 'x'
  split(fields),
  -- error@+1:51: entry 2 of 'lengths' must be an integer, not 2.5
  split { dtype = "f32", shape = { 4 }, lengths = lengths },
  -- error@+1:53: entry 2 of 'lengths' must be an integer, not 2.5
  split { dtype = "f32", shape = { 4 }, lengths = { table.unpack(lengths) } },
  -- note@+1:3: called from here
  make "4",
  -- error@+1:47: 'parts' must be an integer, not the string '2'; write parts = 2
  cut { dtype = "f32", shape = { 4 }, parts = "2" },
  -- error@+2:49: 'parts' must be an integer, not 2.5
  -- error@+1:87: 'parts' must be an integer, not 3.5
  split { dtype = "f32", shape = { 4 }, parts = 2.5 }, split { dtype = "f32", parts = 3.5 },
}
