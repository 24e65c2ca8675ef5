-- Checks that rules are right for every number that a symbol stands for: lua_sums names_rules.lua FOLDER-OF-RULES ROUNDS
-- SEED. Numbers of cases are replaced by symbols. The symbolic result, with each symbol replaced by its number again,
-- must be the numeric result, wherever both are known.
local folder, rounds, seed = arg[1], tonumber(arg[2]), tonumber(arg[3])
element_type = assert(loadfile((arg[0]:match("^.*/") or "") .. "element_types.lua"))(folder)
local rules = dofile(folder .. "/rules.lua")
for name, rule in pairs(dofile(folder .. "/rules_openvino.lua")) do
  rules[name] = rule
end
local here = arg[0]:match("^.*/") or ""
local parse = dofile(here .. "parse_tensor.lua")
math.randomseed(seed)
local random = math.random

local STEPS = 1000000 -- of a call
local NUMBERS = { 0, 1, 1, 2, 2, 3, 4, 5, 6, 8, 12, 64, 197, 4097 }

-- Calls visit(list, index, is_value) for every dim and value that is a number from 1 on; not for dims of lists whose
-- length other inputs determine.
local function each_number(inputs, visit)
  for i = 1, inputs.count do
    local x = inputs[i]
    local is_list = x and x.dtype == "i64"
    for _, list in ipairs { x and not is_list and not x.value and x.shape or {}, is_list and x.value or {} } do
      for k, v in ipairs(list) do
        if math.type(v) == "integer" and v >= 1 or type(v) == "string" and v:match("^%a+$") then
          visit(list, k, is_list)
        end
      end
    end
  end
end

local function inputs_of(case)
  local inputs = { count = 0 }
  for text in case[4]:gmatch("%S+") do
    inputs.count = inputs.count + 1
    inputs[inputs.count] = parse(text)
  end
  return inputs
end

-- A dim or value with numbers instead of symbols; false if it is unknown.
local function evaluated(d, numbers)
  if not d or math.type(d) then
    return d
  end
  local ok, number = pcall(load("return " .. sums.text(d), "dim", "t", numbers))
  return ok and number or false
end

local function list_differs(a, b, numbers)
  if #a ~= #b then
    return #a .. " entries, not " .. #b
  end
  for i, d in ipairs(a) do
    local is, wanted = evaluated(d, numbers), b[i]
    if math.type(is) and math.type(wanted) and is ~= wanted and (is == is or wanted == wanted) then
      return sums.text(d) .. " is " .. is .. ", not " .. wanted
    end
  end
end

-- How the symbolic result contradicts the numeric one; nil if it does not.
local function differs(named, plain, numbers)
  for i, out in ipairs(plain) do
    local is = named[i]
    if is and is.shape and out.shape then
      local how = list_differs(is.shape, out.shape, numbers)
      if how then
        return "the shape of output " .. i .. ": " .. how
      end
      if is.value and out.value then
        how = list_differs(is.value, out.value, numbers)
        if how then
          return "the value of output " .. i .. ": " .. how
        end
      end
    end
  end
end

local function call(case, inputs)
  local name = case[1]
  local op_type = name:match("[^.]+$")
  local noutputs = 0
  for _ in case[5]:gmatch("%S+") do
    noutputs = noutputs + 1
  end
  local node = { op_type = op_type, domain = name:sub(1, -#op_type - 2), opset = case[2],
                 attributes = case[3], noutputs = case.noutputs or noutputs, ninputs = inputs.count }
  debug.sethook(function() error("takes too long", 0) end, "", STEPS)
  local ok, outputs = pcall(rules[name], node, inputs)
  debug.sethook()
  return ok and outputs
end

local compared, products, with_sums, wrong = 0, 0, 0, 0
local function try(case)
  local share, numbers = random(), {}
  local named, plain = inputs_of(case), inputs_of(case)
  local chosen, other = {}, random(3) > 1
  each_number(named, function(list, k, is_value)
    local name = type(list[k]) == "string" and list[k] or random() < share and "d_" .. list[k]
    if name then
      numbers[name] = numbers[name] or (other or type(list[k]) == "string") and NUMBERS[random(#NUMBERS)] or list[k]
      if is_value and numbers[name] == 0 then
        numbers[name] = 1 -- for Reshape a 0 is another dim
      end
      list[k] = name
    end
    chosen[#chosen + 1] = name or false
  end)
  local at = 0
  each_number(plain, function(list, k)
    at = at + 1
    list[k] = chosen[at] and numbers[chosen[at]] or list[k]
  end)
  local said, wanted = call(case, named), call(case, plain)
  if not said or not wanted then
    return
  end
  compared = compared + 1
  for _, out in ipairs(said) do
    for _, d in ipairs(out.shape or {}) do
      local text = type(d) == "userdata" and sums.text(d) or ""
      products = products + (text:find("*", 1, true) and 1 or 0)
      with_sums = with_sums + (text:find("+", 1, true) and 1 or 0)
    end
  end
  local how = differs(said, wanted, numbers)
  if how then
    wrong = wrong + 1
    local words = {}
    for name, number in pairs(numbers) do
      words[#words + 1] = name .. " = " .. number
    end
    table.sort(words)
    print(case[1] .. "-" .. case[2] .. " of " .. case[4] .. " with " .. table.concat(words, ", "))
    print("  " .. how)
  end
end

for _ = 1, rounds do
  for _, file in ipairs { "cases.lua", "cases_checked.lua" } do
    for _, case in ipairs(dofile(here .. file)) do
      try(case)
    end
  end
end
print(compared .. " calls with names and with numbers, " .. products .. " dims that are products, " .. with_sums .. " with sums, " .. wrong
  .. " contradictions; seed " .. seed)
os.exit(wrong == 0 and compared > 0 and products > 0 and with_sums > 0)
