-- The ops whose machine code is checked: few and many narrow columns; long runs, inline, by calls and with non-temporal
-- stores; two ops of only straight-line code (tiny_), and one whose calls take nanoseconds (short_).
local function rows(name, dtype, count, lengths)
  local row = 0
  for _, length in ipairs(lengths) do
    row = row + length
  end
  return split { name = name, dtype = dtype, shape = { count, row }, axis = 1, lengths = lengths }
end

local function ones(count)
  local list = {}
  for i = 1, count do
    list[i] = 1
  end
  return list
end

return {
  rows("u8_2", "u8", 100000, { 1, 1 }),
  rows("u8_3", "u8", 100000, { 1, 1, 1 }),
  rows("u8_4", "u8", 100000, { 1, 1, 1, 1 }),
  rows("u8_124", "u8", 100000, { 1, 2, 4 }),
  rows("u16_3", "u16", 100000, { 1, 1, 1 }),
  rows("f32_2", "f32", 100000, { 1, 1 }),
  rows("f32_3", "f32", 100000, { 1, 1, 1 }),
  rows("f32_4", "f32", 100000, { 1, 1, 1, 1 }),
  rows("f32_311", "f32", 100000, { 3, 1, 1 }),
  rows("f32_44444444", "f32", 10000, { 4, 4, 4, 4, 4, 4, 4, 4 }),
  rows("f32_2_2_1_80", "f32", 10000, { 2, 2, 1, 80 }),
  rows("u8_64", "u8", 10000, ones(64)),
  rows("wide", "f32", 30, { 768, 768, 768, 768, 768, 768, 768, 768 }),
  rows("lines", "f32", 30, { 256, 256 }),
  rows("ragged", "u8", 1000, { 85, 170 }),
  rows("short_f32", "f32", 1, { 32, 32, 32, 32 }),
  rows("tiny_f32", "f32", 1, { 2, 2 }),
  rows("tiny_u8", "u8", 1, { 1, 1, 1 }),
}
