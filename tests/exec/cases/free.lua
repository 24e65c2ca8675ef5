-- Open dimensions with names that the generated code uses itself, or that are keywords of C++.
local function matrix(name, dtype, item, expected, lengths, outputs)
  return split { name = name, dtype = dtype, shape = { free(item, expected), 7 }, axis = 1, lengths = lengths,
                 outputs = outputs }
end

local many, sum = {}, 0
for i = 1, 40 do
  many[i] = i % 3 + 1
  sum = sum + many[i]
end

return {
  matrix("free_rows", "i16", "rows", 5, { 2, 5 }, { "first", "last" }),
  matrix("free_all", "u8", "all", 3000, { 1, 2, 4 }, { "input", "outputs", "n" }),
  matrix("free_first", "f64", "first", 64, { 3, 4 }, { "batch", "rows" }),
  matrix("free_class", "bf16", "class", 1, { 6, 1 }, { "cpu", "row" }),
  matrix("free_none", "f32", "left", 9, { 0, 7 }, { "nothing", "everything" }),
  split { name = "free_last", dtype = "i8", shape = { 1, free("last", 10), 3, sum }, axis = 3, lengths = many },
  split { name = "free_bits", dtype = "u4", shape = { free("bits", 100), 8, 7 }, axis = 2, lengths = { 3, 4 } },
  split { name = "free_whole", dtype = "u4", shape = { free("items", 100), 8 }, axis = 1, lengths = { 2, 6 } },
}
