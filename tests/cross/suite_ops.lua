-- Makes ops for the execution harness from the benchmark's cases: the same splits and concats with fewer or shorter
-- rows, as a spec for splitgen and as the table of tests/exec/check.h. Plain Lua runs it, not splitgen, so that the
-- table is independent of the generator. It generates no kernel.
--
--   lua suite_ops.lua SUITE SPEC TABLE BYTES [both]
--
-- both: every case as a split and as a concat; otherwise they alternate from case to case. Prints the number of ops.
local suite_path, spec_path, table_path, bytes, both = ...

-- Approximate bytes of an op and of a row: enough for several tiles of any vector code, few enough for an emulator and
-- an element-by-element reference. The number of rows is odd, so that tiles of 2, 4, 8, ... leave remaining rows.
local BYTES, ROW_BYTES, FEWEST_ROWS, MOST_ROWS = tonumber(bytes), tonumber(bytes) // 2, 9, 331

local element_bits = { u1 = 1, u2 = 2, u4 = 4, u8 = 8, i8 = 8, i16 = 16, u16 = 16, f16 = 16,
                       bf16 = 16, f32 = 32, i64 = 64, c128 = 128 }
local element_align = { c128 = 8 }

-- The cases of the suite with `outer` rows.
local function cases(outer)
  local globals = {
    param = function(name, default) return name == "outer" and outer or default end,
    split = function(case) return case end,
    table = table,
    ipairs = ipairs,
  }
  return assert(loadfile(suite_path, "t", globals))()
end

local function elements_behind(case)
  local elements = 1
  for d = case.axis + 1, #case.shape do
    elements = elements * case.shape[d]
  end
  return elements
end

local function row_bytes(case)
  return (elements_behind(case) * element_bits[case.dtype] + 7) // 8
end

-- Shortens rows of several megabytes where this does not change how they are copied.
local function shorten(case)
  local before = 0
  while row_bytes(case) > ROW_BYTES and row_bytes(case) ~= before do
    before = row_bytes(case)
    local longest = case.axis + 1
    for d = longest + 1, #case.shape do
      longest = case.shape[d] > case.shape[longest] and d or longest
    end
    if longest == case.axis + 1 then
      local sum = 0
      for i, length in ipairs(case.lengths) do
        case.lengths[i] = length > 256 and length // 2 or length
        sum = sum + case.lengths[i]
      end
      case.shape[longest] = sum
    else
      case.shape[longest] = (case.shape[longest] + 1) // 2
    end
  end
end

local function numbers(list)
  return table.concat(list, ", ")
end

local function repeated(text, times)
  return string.rep(text .. ", ", times)
end

local spec, arrays, entries = { "return {" }, { '#include "check.h"' }, {}
local nops = 0
local by_rows = {}
for index, case in ipairs(cases(1)) do
  local bits = assert(element_bits[case.dtype], case.dtype)
  shorten(case)
  if case.axis > 0 then
    local rows = BYTES // row_bytes(case)
    rows = math.max(FEWEST_ROWS, math.min(MOST_ROWS, rows // 2 * 2 + 1))
    by_rows[rows] = by_rows[rows] or cases(rows)
    local wide = by_rows[rows][index]
    assert(wide.name == case.name)
    shorten(wide)
    case = wide
  end
  local bytes = math.max(1, bits // 8)
  -- the same map in both directions
  for joins = both and 0 or index % 2, both and 1 or index % 2 do
    local name = case.name .. (joins == 1 and "_join" or "")
    local id = 2 * index + joins
    spec[#spec + 1] = string.format(
      '  %s { name = "%s", dtype = "%s", shape = { %s }, axis = %d, lengths = { %s } },',
      joins == 1 and "concat" or "split", name, case.dtype, numbers(case.shape), case.axis,
      numbers(case.lengths))
    arrays[#arrays + 1] = string.format(
      "extern const splitgen_kernel %s_kernel;\n" ..
      "static const int64_t dims_%d[] = {%s};\nstatic const int64_t lengths_%d[] = {%s};\n" ..
      "static const bool wanted_%d[] = {%s};\nstatic const char *const names_%d[] = {%s};",
      name, id, numbers(case.shape), id, numbers(case.lengths), id, repeated("1", #case.lengths), id,
      repeated("NULL", #case.lengths))
    entries[#entries + 1] = string.format(
      '    {0, &%s_kernel, "%s", SPLITGEN_%s, %d, %d, %s, names_%d, 0, {0}, {0}, {%d, dims_%d, %d, %d, %d, ' ..
      "lengths_%d, wanted_%d, %d, 0, NULL}},",
      name, name, case.dtype:upper(), element_align[case.dtype] or bytes, bits < 8 and bits or 0,
      bits < 8 and "PACKED_LSB" or "PACKED_NONE", id, #case.shape, id, case.axis, bytes,
      #case.lengths, id, id, joins)
    nops = nops + 1
  end
end
spec[#spec + 1] = "}\n"

local function write(path, ...)
  local file = assert(io.open(path, "w"))
  for _, lines in ipairs({ ... }) do
    file:write(table.concat(lines, "\n"), "\n")
  end
  file:close()
end

write(spec_path, spec)
write(table_path, arrays, { "const check_op check_ops[] = {" }, entries,
      { "};", "const size_t check_nops = " .. nops .. ";",
        "const unsigned long long check_seed = 1;" })
print(nops)
