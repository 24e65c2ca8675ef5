-- More outputs than parameters: groups of narrow columns, groups of runs, combined writes.
-- run: exhaustively
-- options:
-- options: --non-temporal=always
-- options: --non-temporal=always --isa=avx2
-- options: --unroll=none --dispatch=static
local function columns(name, dtype, rows, lengths, outputs)
  local width = 0
  for _, length in ipairs(lengths) do
    width = width + length
  end
  return split { name = name, dtype = dtype, shape = { rows, width }, axis = 1, lengths = lengths, outputs = outputs }
end

local function times(count, length, last)
  local list = {}
  for i = 1, count do
    list[i] = length
  end
  list[#list + 1] = last
  return list
end

local seen = { { view = true } }
for i = 2, 64 do
  seen[i] = "part" .. i
end

return {
  columns("experts", "f32", 48, times(32, 192, 4)), -- a narrow one behind groups that are fed
  columns("doubles", "f64", 90, times(32, 1, 1)), -- behind strips of 4 one of so few instructions that it is printed twice
  columns("in_turn", "f64", 600, { 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1,
                                   2, 1, 2, 1, 2 }), -- AVX2 permutes whole registers, some of them loaded by halves
  columns("last_bit", "f32", 520, times(32, 16, 1)), -- a strip without a line of its own
  columns("bytes", "u8", 300, times(64, 1)),
  columns("asked", "u8", 82000, times(64, 1)), -- strips that ask for the next block
  columns("words", "u16", 600, times(100, 1)),
  columns("seen", "u8", 82000, times(64, 1), seen), -- one of them is read as a view
  columns("ragged", "f32", 64, times(40, 81)),
  columns("odd", "f64", 20, { 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19,
                              21, 23, 25, 27, 29, 31, 2, 4 }),
  columns("few_rows", "u8", 3, times(40, 2)),
  columns("many_runs", "f32", 210, times(16, 81)), -- one output after the other, over several rows
  columns("nibbles", "u4", 9, times(40, 1)),
  columns("few_nibbles", "u4", 1, times(40, 1)), -- less than a group of rows
  columns("unlike", "u8", 300, { 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1,
                                 2, 1, 2 }), -- strips of more than 8 outputs that are not equally wide
  columns("single", "u8", 4096, { 1 }), -- a copy of a few instructions by AVX2, past the cache too
  columns("nothing", "f32", 0, times(40, 1)),
  columns("thousands", "f32", 2, times(2500, 1)), -- a list of lists of lists
  columns("beyond", "u8", 200000, times(11, 1)), -- past the cache, not all of it runs
}
