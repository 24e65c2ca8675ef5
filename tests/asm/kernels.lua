-- The ops whose machine code is looked at: narrow columns, long runs in line, by calls and past the
-- cache, and two that are all straight-line code.
local function rows(name, dtype, count, lengths)
  local row = 0
  for _, length in ipairs(lengths) do
    row = row + length
  end
  return split { name = name, dtype = dtype, shape = { count, row }, axis = 1, lengths = lengths }
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
  rows("wide", "f32", 64, { 256, 256, 256, 256 }),
  rows("lines", "f32", 8, { 256, 256 }),
  rows("tiny_f32", "f32", 1, { 2, 2 }),
  rows("tiny_u8", "u8", 1, { 1, 1, 1 }),
}
