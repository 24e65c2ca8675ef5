-- 1,000 ops of 37 shapes, as a large model has them: heads, gates, boxes, pixels, channels.
local shapes = {}
for i = 1, 37 do
  local width = 8 * (1 + i * 7 % 40)
  local kinds = {
    { dtype = "f32", shape = { 1, 64 + i, 3 * width }, axis = -1, parts = 3 },
    { dtype = "f16", shape = { 1, 32, 2 * width, 7 }, axis = 1, parts = 2 },
    { dtype = "f32", shape = { 8 * i, 85 }, axis = 1, lengths = { 4, 1, 80 } },
    { dtype = "u8", shape = { 32 * i, 32, 3 }, axis = 2, parts = 3 },
    { dtype = "f32", shape = { 1, 80 * i, 4 * i }, axis = 2, parts = 4 },
  }
  shapes[i] = kinds[i % 5 + 1]
end

local ops = {}
for i = 1, 1000 do
  local op = shapes[i * 11 % 37 + 1]
  op.name = "layer" .. i
  ops[i] = split(op)
end
return ops
