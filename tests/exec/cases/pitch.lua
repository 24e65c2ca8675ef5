-- Random ops, by a seed, whose rows lie in groups with padding between them, in both directions: strides of any
-- dimension before the axis, of the full tensor and of parts, open ones, packed ones, up to three kinds of groups. The
-- first ops are those of camera frames.
local state = param("seed", 1) * 7919 + 17

local function random(low, high)
  state = (state * 1103515245 + 12345) % 2147483648
  return low + (state >> 8) % (high - low + 1)
end

local function chance(percent) return random(1, 100) <= percent end

local function pick(list) return list[random(1, #list)] end

-- The strides of these dimensions; all of those before the axis are multiples of `unit`.
local function strides_of(dims, axis, percent, unit)
  local strides, step = {}, 1
  for d = #dims, 1, -1 do
    if d <= axis and chance(percent) then
      step = step + pick { 0, 1, 2, 3, 5, 17, 64, 100 }
    end
    step = d <= axis and (step + unit - 1) // unit * unit or step
    strides[d] = step
    step = step * dims[d]
  end
  return strides
end

local function op_of(number)
  local rank = random(2, 5)
  local axis = random(1, rank - 1) -- dimensions before it
  local packed = chance(15)
  local unit = packed and 2 or 1
  local dims, lengths, total = {}, {}, 0
  for d = 1, rank do
    dims[d] = pick { 1, 2, 3, 4, 5, 7 }
  end
  if chance(50) then
    dims[axis] = pick { 33, 64, 100, 129, 257 }
  end
  for i = 1, pick { 1, 2, 3, 4, 5, 35 } do
    lengths[i] = unit * pick { 1, 1, 1, 2, 3, 8 }
    total = total + lengths[i]
  end
  dims[axis + 1] = total
  local elements = total
  for d = 1, rank do -- not too many: self-tests check every byte many times
    if d ~= axis + 1 then
      dims[d] = elements * dims[d] > 6000 and 1 or dims[d]
      elements = elements * dims[d]
    end
  end
  local shape = { table.unpack(dims) }
  local strides = strides_of(dims, axis, 60, unit)
  if chance(25) then
    shape[1], dims[1] = free("n", dims[1]), 1
  end
  local parts = {}
  for i = 1, #lengths do
    local own = { table.unpack(dims) }
    own[axis + 1] = lengths[i]
    local chosen = #lengths < 33 and chance(40)
    parts[i] = chosen and { name = "p" .. i, strides = strides_of(own, axis, 50, unit) } or "p" .. i
  end
  local op = { name = "k" .. number, dtype = packed and "u4" or pick { "u8", "u8", "u16", "f32", "f64", "c128" },
               shape = shape, axis = axis, lengths = lengths, strides = strides }
  if chance(50) then
    op.inputs = parts
    return concat(op)
  end
  op.outputs = parts
  return split(op)
end

local ops = {
  split "rgb: u8[4/600,190,3] @2 -> r:1 g:1 b:1",
  concat { name = "frame", dtype = "u8", shape = { 4, 190, 3 }, axis = 2, parts = 3, strides = { 600, 3, 1 } },
  split "uv: u8[4/400,192,2] @2 -> u:1/256/1 v:1/200/1",
  split "clip: u8[h=3?/7000,10/640,200,3] @3 -> r:1 g:1/2400/230/1 b:1",
  split "texture: u8[5/1000,61/16,4] @2 -> 3 1",
  split "chroma: u8[4/1300,640/2,1] @2 -> u:1",
  split "thirds: u16[4/1920,640/3,1] @2 -> u:1",
  split "quads: f32[4/1280,320/4,3] @2 -> x:1 y:1 z:1",
  split "doubles: f64[h=3?,200/2,1] @2 -> u:1",
  concat { name = "samples", dtype = "u8", shape = { 4, 640, 1 }, axis = 2, parts = 1, strides = { 1536, 2, 1 } },
}
for number = 1, param("count", 12) do
  ops[#ops + 1] = op_of(number)
end
return ops
