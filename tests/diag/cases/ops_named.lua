-- Ops that the place of an error does not identify: from a loop, a helper, a required file.
local maker = require "lib.maker"
local ops = {}
for i = 1, 5 do
  -- error@+2:67: ops 'ops_named_1', 'ops_named_2', 'ops_named_3' and 2 more: lengths sum to 7, but axis 0 has 8
  -- note@+1:50: the shape is given here
  ops[#ops + 1] = split { dtype = "f32", shape = { 8 }, lengths = { 3, 4 } }
end
for i = 1, 2 do
  -- error@+1:52: ops 'x1', 'x2': unknown dtype 'f99'; 'splitgen --help=types' lists them all
  ops[#ops + 1] = split { name = "x" .. i, dtype = "f99", shape = { 8 }, lengths = { 3, 5 } }
end
local function helper(name)
  -- error@+2:57: op 'y': axis 3 is out of range: a shape of 1 dimension has axes -1 to 0
  -- note@+1:68: the shape is given here
  local op = split { name = name, dtype = "f32", axis = 3, shape = { 8 }, parts = 2 }
  return op
end
-- note@+1:1: called from here
ops[#ops + 1] = helper("y")
-- error@lib/maker.lua:4:78: op 'alpha': lengths sum to 7, but axis 0 has 5
-- note@+2: called from here
-- note@lib/maker.lua:4:58: the shape is given here
ops[#ops + 1] = maker.make("alpha", 5)
-- error@lib/maker.lua:4:78: op 'beta': lengths sum to 7, but axis 0 has 5
-- note@+2: called from here
-- note@lib/maker.lua:4:58: the shape is given here
ops[#ops + 1] = maker.make("beta", 5)
return ops
