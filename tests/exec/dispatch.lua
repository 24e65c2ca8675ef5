-- Compares the dispatch table of --dump=plan with the conditions in the C: the functions NAME_vector, NAME_any, or
-- NAME_bits for packed elements, parsed line by line. Both must have the same rows in the same order.
--
--   lua dispatch.lua PLANS C
--
-- It also checks that every function for non-temporal stores has them: directly, by a tile that is asked to, or by
-- another such function.
--
-- Prints the number of kernels with a table and of their rows; exits 1 if they differ.
local plans_path, c_path = ...

local function lines_of(path)
  local list = {}
  for line in io.lines(path) do
    list[#list + 1] = line
  end
  return list
end

-- A row in a form that both sides can produce.
local function row(isa, way, rows, share, aligned, off, traits)
  table.sort(traits)
  return table.concat({isa, way, rows, share, aligned, off, table.concat(traits, "+")}, " ")
end

local planned, order = {}, {}
do
  local now
  for _, line in ipairs(lines_of(plans_path)) do
    local name = line:match("^plan (%S+) ")
    if name then
      now, planned[name] = name, {}
      order[#order + 1] = name
    end
    local isa, way, rows, share, aligned, off, traits =
      line:match("^  choice body %d+ (%S+) (.+) rows (%d+) footprint (%S+) aligned (%d+) off (%S+) traits(.*)$")
    if isa then
      local list = {}
      for trait in traits:gmatch("%S+") do
        list[#list + 1] = trait
      end
      table.insert(planned[now], row(isa:upper():gsub("^AVX2.*", "AVX2"), way, rows, share, aligned, off, list))
    end
  end
end

local ways = {_non_temporal = "non-temporal", _combined = "combined", _combined_non_temporal = "combined non-temporal", [""] = "ordinary"}

-- Adds the requirements of a condition to the ones so far.
local function ask(condition, asked)
  for part in (condition .. " && "):gmatch("(.-) && ") do
    local rows = part:match("^rows >= (%d+)$")
    local bits = part:match("^%(cpu & [%u_]+_(%w+)%) == SPLITGEN_[%u_]+%w+$")
    local bit = part:match("^%(cpu & SPLITGEN_CPU_(%w+)%) != 0$") or part:match("^%(cpu & SPLITGEN_CPU_([%w_]+)%) != 0$")
    local aligned = part:match("^bits %% (%d+) == 0$")
    local off = part:match("^bits %% (.+) != 0$")
    if rows then
      asked.rows = rows
    elseif bits then
      asked.isa = bits
    elseif bit and bit:match("^AVX") then
      asked.isa = bit
    elseif bit then
      asked.traits[#asked.traits + 1] = bit
    elseif part == "large" then
      asked.past = true
    elseif aligned then
      asked.aligned = aligned
    elseif off then
      asked.off = off == "splitgen_combining_unit(cpu)" and "-1" or off
    elseif part ~= "rows > 0" then
      error("a condition of no row: " .. part)
    end
  end
end

-- The rows of NAME_vector or NAME_any, whose lines begin at `at`. NAME_any has loops of its own around them.
local function printed_rows(lines, at, name)
  local found, family, group, inner, share = {}, nil, nil, nil, "any"
  local i = at
  while lines[i] ~= "}" and not lines[i]:match("^#if SPLITGEN_%w+$") do
    i = i + 1
  end
  while lines[i] ~= "}" do
    local line = lines[i]
    if line:match("^    if %(splitgen_asked_cpu") or line:match("^#else$") or line:match("^    for ") or line:match("^    size_t row") or
        line:match("^    " .. name .. "_portable%(") then
      break
    end
    while line:match("^ *}? ?e?l?s?e? ?if %(") and not line:match("{$") do
      i = i + 1
      line = line .. " " .. lines[i]:match("^ *(.*)$")
    end
    family = line:match("^#el?if SPLITGEN_(%w+)$") or line:match("^#if SPLITGEN_(%w+)$") or family
    local condition = line:match("^    if %((.*)%) {$")
    if condition == "cpu == 0" then -- adds the condition, and starts the next row
      while not lines[i]:match("^    }$") do
        i = i + 1
      end
      condition, line = nil, ""
    end
    local under = line:match("^        if %((.*)%) {$") or line:match("^        } else if %((.*)%) {$")
    share = line:match("large = splitgen_stream_(%w+)%(") or share
    local callee = line:match("^ +" .. name .. "_%l+%d*([%l_]*)%(")
    if condition then
      group, inner, share = condition, nil, "any"
    elseif under then
      inner = under
    elseif callee then
      local asked = {rows = "1", aligned = "1", off = "0", traits = {}, isa = family}
      ask(group, asked)
      if inner then
        ask(inner, asked)
      end
      local way = assert(ways[callee] or ways[callee:gsub("^_own", ""):gsub("^_few", "")], "no way of storing: " .. callee)
      found[#found + 1] =
        row(asked.isa, way, asked.rows, asked.past and share or "any", asked.aligned, asked.off, asked.traits)
      inner = nil
    end
    i = i + 1
  end
  return found
end

local lines = lines_of(c_path)

local through = { "splitgen_store_%w+%(", "_storeu_%w+%(" } -- with an ordinary store from a register

local function has(first, last, patterns)
  for at = first, last do
    for _, pattern in ipairs(patterns) do
      if lines[at]:match(pattern) then
        return true
      end
    end
  end
  return false
end

-- A tile that a loop asks for non-temporal stores: patterns of those stores, single and combined.
local told = {"splitgen_pieces_%w+%(", "splitgen_lines_%w+%(", "splitgen_ragged_%w+%(", "SPLITGEN_PAST_[LRP]", "non_temporal%);",
              "splitgen_store_%l+%(at"}
local told_combined = {"splitgen_combined_%w+%(", "splitgen_store_%l+%(at"}

-- The lines of the function whose head is at line i.
local function inside(i)
  local first = i
  while lines[first] ~= "{" do
    first = first + 1
  end
  local last = first
  while lines[last] ~= "}" do
    last = last + 1
  end
  return first, last
end

local tiles = {}
for i, line in ipairs(lines) do
  local tile = line:match("^SPLITGEN_TILE void ([%w_]+)%(")
  if tile then
    tiles[tile] = i
  end
  local name = line:match("^static .*void ([%w_]+_non_temporal)%(")
  if name then
    local first, last = inside(i)
    local loop, by
    for at = first, last do
      local of, handed = lines[at]:match("^    splitgen_([%l_]+_streamed)%(([%w_]+),")
      if not of then
        of, handed = lines[at]:match("^    splitgen_(tiles_past)%(([%w_]+),")
      end
      loop, by = of or loop, handed or by
    end
    if loop then
      local from, to = inside(tiles[by])
      -- A group of columns may have only runs that are too short for non-temporal stores.
      local may_not = loop == "tiles_past" and not has(from, to, through)
      if not may_not and not has(from, to, loop:match("combined") and told_combined or told) then
        io.write(name, ": a tile that writes through the cache:\n", table.concat(lines, "\n", from, to), "\n")
        os.exit(1)
      end
    end
    if not loop and not has(first, last, { "^    splitgen_column_groups_past%(" }) then
      io.write(name, " writes through the cache:\n", table.concat(lines, "\n", first, last), "\n")
      os.exit(1)
    end
  end
end

local printed, shared = {}, {}
for i, line in ipairs(lines) do
  local name = line:match("^static inline bool ([%w_]+)_vector%(")
  if lines[i - 1] and lines[i - 1]:match("^/%* Rows %[first, last%).* with the fastest variant") then
    name = line:match("^static SPLITGEN_NOINLINE void ([%w_]+)_any%(")
  end
  local packed = line:match("^static void ([%w_]+)_bits%(")
  name = name or packed
  if name then
    local body = i
    while lines[body] ~= "{" do
      body = body + 1
    end
    printed[name] = printed_rows(lines, body, name .. (packed and "_bits" or ""))
  end
  local kernel = line:match("^/%* ([%w_]+): ")
  shared.now = kernel or shared.now
  if line:match("Runs the code of") then
    shared[shared.now] = true
  end
end

local tables, rows = 0, 0
for _, name in ipairs(order) do
  local want, have = planned[name], printed[name] or {}
  if #want > 0 and not shared[name] then
    tables, rows = tables + 1, rows + #want
    if table.concat(want, "\n") ~= table.concat(have, "\n") then
      io.write(name, "\nplanned:\n", table.concat(want, "\n"), "\nprinted:\n", table.concat(have, "\n"), "\n")
      os.exit(1)
    end
  end
end
print(tables, rows)
