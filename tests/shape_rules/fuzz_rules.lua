-- Runs every rule on random invalid nodes: lua_sums fuzz_rules.lua FOLDER-OF-RULES [ROUNDS [SEED]]
-- Attributes are missing, or have any value of their type, which the tool checks when a rule reads them. Inputs are
-- missing, too many, or of any element type, rank, dims and values. Half of the nodes are completely random. The others
-- are cases of cases*.lua with one or two changes, which get further in a rule. A rule must return outputs that the
-- engine accepts, or report the fault by error() or assert(). Everything else is a bug of the rule: exits with 1.
local folder, rounds, seed = arg[1], tonumber(arg[2] or 300), tonumber(arg[3] or 1)

local said = {} -- the messages with which rules refuse nodes
local function refuse(text)
  said[text] = true
  error(text, 0)
end
local sandbox = {
  assert = function(ok, text, ...)
    if not ok then
      refuse(text or "assertion failed!")
    end
    return ok, text, ...
  end,
  error = refuse, ipairs = ipairs, pairs = pairs, next = next, select = select, type = type, tonumber = tonumber,
  tostring = tostring, pcall = pcall, string = string, table = table, math = math,
  sums = sums,
}
sandbox._G = sandbox
-- Called by a rule to read an attribute as a type.
local ask
function sandbox.check_attribute(node, name, kind)
  ask(node, name, kind)
end
sandbox.element_type = assert(loadfile((arg[0]:match("^.*/") or "") .. "element_types.lua"))(folder)
local function load_rules(name)
  return assert(loadfile(folder .. "/" .. name, "t", sandbox))()
end
local rules = load_rules("rules.lua")
for name, rule in pairs(load_rules("rules_openvino.lua")) do
  rules[name] = rule
end

local names = {}
for name in pairs(rules) do
  names[#names + 1] = name
end
table.sort(names)

-- Operator -> the attributes that its rule has read so far, and the types it read them as; the first rounds find them.
local attributes = {}
for _, name in ipairs(names) do
  attributes[name] = {}
end
local asks -- the current rule
function ask(_, name, kind)
  for _, known in ipairs(attributes[asks]) do
    if known.name == name and known.kind == kind then
      return
    end
  end
  table.insert(attributes[asks], { name = name, kind = kind })
end

-- The tool limits the time of a call, and so does this.
local STEPS = 1000000

math.randomseed(seed)
local random = math.random
local function one_of(list)
  return list[random(math.max(#list, 1))]
end

local INTEGERS = { 0, 0, 1, 1, 2, 2, 3, 4, 5, 7, 8, 16, -1, -1, -2, -3, -7, 100, 4097, 1 << 31, 1 << 40, math.maxinteger,
                   math.mininteger }
local FLOATS = { 0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 2.5, 1e30, -1e30, 1 / 0, -1 / 0, 0 / 0, 3.0 }
local TEXTS = { "", "x", "SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET", "constant", "reflect", "edge", "wrap", "linear",
                "nearest", "cubic", "floor", "ceil", "LEFT", "RIGHT", "DCR", "CRD", "forward", "bidirectional", "FLOAT",
                "ij,jk->ik", "i...,...->", "->", "ii", "mean", "none", "sum", "max", "not_larger", "f32", "i64",
                "explicit", "valid", "same_upper", "bidirectional", "numpy", "pdpd", "1,2", "1,-1,0" }
local DTYPES = { "f32", "f16", "bf16", "f64", "i64", "i64", "i64", "i32", "bool", "u8", "i8", "i4", "u64", "string" }
local DIMS = { 0, 1, 1, 2, 3, 4, 6, 8, 12, 224, 1 << 20, 1 << 40, math.maxinteger, "N", "M", false,
               2 * "N", 12 * "M" * "N" }

local function integer()
  return one_of(INTEGERS)
end
local function list_of(entry)
  local list = {}
  for i = 1, random(0, 6) do
    list[i] = entry()
  end
  return list
end
local function float()
  return one_of(FLOATS)
end
local function text()
  return one_of(TEXTS)
end

local function elements(shape)
  local count = 1
  for _, d in ipairs(shape) do
    if math.type(d) ~= "integer" or (d > 4096) then
      return nil
    end
    count = count * d
  end
  return count
end

local function small_shape()
  local shape = {}
  for i = 1, random(0, 2) do
    shape[i] = random(0, 5)
  end
  return shape
end

-- A tensor as the engine may know it.
local function tensor()
  local fact = {}
  if random(8) > 1 then
    fact.dtype = one_of(DTYPES)
  end
  if random(8) > 1 then
    fact.shape = {}
    if random(2) == 1 then
      fact.shape = small_shape()
    else
      for i = 1, random(0, 6) do
        fact.shape[i] = one_of(DIMS)
      end
    end
    local count = elements(fact.shape)
    if count and count <= 24 and random(3) > 1 then
      local is_float = not fact.dtype or fact.dtype:match("^b?f")
      fact.value = {}
      for i = 1, count do
        local kind = random(12)
        fact.value[i] = kind == 1 and false or kind == 2 and "N" or is_float and random(2) == 1 and float()
          or fact.dtype == "bool" and random(0, 1) or integer()
      end
    end
  end
  return fact
end

local VALUES = {
  INT = integer, FLOAT = float, STRING = text, TENSOR = tensor,
  INTS = function() return list_of(integer) end,
  FLOATS = function() return list_of(float) end,
  STRINGS = function() return list_of(text) end,
  SPARSE_TENSOR = tensor,
  -- of OpenVINO
  FLAG = function() return one_of { "true", "false" } end,
  ELEMENT = function() return one_of { "f32", "i64", "boolean", "FP16", "dynamic" } end,
}

local function node_of(name)
  local op_type = name:match("[^.]+$")
  local node = { name = "", op_type = op_type, domain = name:sub(1, -#op_type - 2), opset = random(0, 28),
                 noutputs = random(0, 4), attributes = {} }
  for _, attribute in ipairs(attributes[name]) do
    local value = VALUES[attribute.kind]
    if value and random(3) > 1 then
      node.attributes[attribute.name] = value()
    end
  end
  return node
end

-- Most nodes have inputs that roughly fit each other, so that rules do not stop at the first check.
local function inputs_of(node)
  local inputs = {}
  node.ninputs = random(0, 6)
  local first = tensor()
  for i = 1, node.ninputs do
    local kind = random(8)
    if kind == 1 then
      inputs[i] = nil
    elseif kind == 2 and first.shape then
      inputs[i] = { dtype = first.dtype, shape = table.move(first.shape, 1, #first.shape, 1, {}) }
    else
      inputs[i] = i == 1 and first or tensor()
    end
  end
  return inputs
end

-- The fault, as text, if the engine would not accept the outputs; otherwise nil.
local function fault(outputs, noutputs)
  if not outputs then
    return nil
  elseif type(outputs) ~= "table" then
    return "gives a " .. type(outputs)
  end
  for i = 1, noutputs do
    local out = outputs[i]
    if out and type(out) ~= "table" then
      return "output " .. i .. " is a " .. type(out)
    end
    for _, d in ipairs(out and out.shape or {}) do
      if not (d == false or type(d) == "string" or type(d) == "userdata" or math.tointeger(d) and d >= 0) then
        return "output " .. i .. " has the dim " .. tostring(d)
      end
    end
    for k = 1, out and out.shape and #out.shape or 0 do
      if out.shape[k] == nil then
        return "output " .. i .. " has no dim " .. k
      end
    end
    if out and out.dtype and type(out.dtype) ~= "string" then
      return "output " .. i .. " has the type " .. tostring(out.dtype)
    end
    local is_float = out and (not out.dtype or out.dtype:match("^f%d+$") or out.dtype == "bf16")
    local count = out and out.value and out.shape and elements(out.shape)
    if count and #out.value <= 4096 and #out.value ~= count then
      return "output " .. i .. " has " .. #out.value .. " values for " .. count
    end
    for k = 1, out and out.value and #out.value or 0 do
      local v = out.value[k]
      if not (v == false or type(v) == "string" or type(v) == "userdata" or math.tointeger(v) or is_float and type(v) == "number") then
        return "output " .. i .. " has the value " .. tostring(v)
      end
    end
  end
end

local function print_value(v)
  if type(v) == "string" then
    return ("%q"):format(v)
  elseif type(v) ~= "table" then
    return tostring(v)
  end
  local keys, words = {}, {}
  for k in pairs(v) do
    keys[#keys + 1] = k
  end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  for _, k in ipairs(keys) do
    words[#words + 1] = (type(k) == "string" and k .. " = " or "[" .. k .. "] = ") .. print_value(v[k])
  end
  return "{ " .. table.concat(words, ", ") .. " }"
end

-- Rule -> its cases.
local here = arg[0]:match("^.*/") or ""
local parse = dofile(here .. "parse_tensor.lua")
local cases = {}
for _, file in ipairs { "cases.lua", "cases_checked.lua" } do
  for _, case in ipairs(dofile(here .. file)) do
    cases[case[1]] = cases[case[1]] or {}
    table.insert(cases[case[1]], case)
  end
end

local function copied(v)
  if type(v) ~= "table" then
    return v
  end
  local copy = {}
  for k, entry in pairs(v) do
    copy[k] = copied(entry)
  end
  return copy
end

-- Changes an entry of a list to another one of the same type, adds one, or removes one.
local function change_list(list, entry)
  local at = random(0, #list)
  if at == 0 then
    table.insert(list, random(#list + 1), entry())
  elseif random(3) == 1 then
    table.remove(list, at)
  else
    list[at] = entry()
  end
end

local function change_attribute(node, name)
  local attribute = one_of(attributes[name])
  local value = attribute and VALUES[attribute.kind]
  if value then
    local old = node.attributes[attribute.name]
    if old ~= nil and random(3) == 1 then
      node.attributes[attribute.name] = nil
    elseif attribute.kind == "INTS" and type(old) == "table" then
      change_list(old, integer)
    else
      node.attributes[attribute.name] = value()
    end
  end
end

local function change_input(node, inputs)
  local at = random(1, node.ninputs + 1)
  local x, kind = inputs[at], random(6)
  node.ninputs = math.max(node.ninputs, at)
  if not x or kind == 1 then
    inputs[at] = random(2) == 1 and tensor() or nil
  elseif kind == 2 then
    x.dtype = one_of(DTYPES)
  elseif kind == 3 or not x.shape then
    x.shape, x.value = nil, nil
  elseif x.value and #x.value > 0 then
    x.value[random(#x.value)] = integer()
  else
    change_list(x.shape, function() return one_of(DIMS) end)
    x.value = nil
  end
end

local function changed_case(case)
  local node, inputs = node_of(case[1]), {}
  node.opset, node.attributes, node.ninputs = case[2], copied(case[3]), 0
  for text in case[4]:gmatch("%S+") do
    node.ninputs = node.ninputs + 1
    inputs[node.ninputs] = parse(text)
  end
  for _ = 1, random(2) do
    if random(2) == 1 then
      change_attribute(node, case[1])
    else
      change_input(node, inputs)
    end
  end
  return node, inputs
end

local function drawn(name, from_case)
  if from_case and cases[name] then
    return changed_case(one_of(cases[name]))
  end
  local node = node_of(name)
  return node, inputs_of(node)
end

local wrong, ran, refused = 0, 0, 0
for _, name in ipairs(names) do
  local faults = {}
  for round = 1, rounds do
    local node, inputs = drawn(name, round % 2 == 0)
    local called = print_value(node) .. " " .. print_value(inputs)
    local spent = false
    debug.sethook(function() spent = true; error("takes too long", 0) end, "", STEPS)
    asks = name
    local ok, outputs = pcall(rules[name], node, inputs)
    debug.sethook()
    ran = ran + 1
    local problem
    if ok then
      problem = fault(outputs, node.noutputs)
    elseif spent then
      problem = "takes more than " .. STEPS .. " steps"
    elseif not said[outputs] then
      problem = tostring(outputs):gsub("^.*/", "")
    end
    refused = refused + (ok and 0 or 1)
    local kind = problem and problem:gsub("%-?%d+%.?%d*e?[+-]?%d*$", "") or ""
    if problem and not faults[kind] then
      faults[kind] = true
      wrong = wrong + 1
      print(name .. ": " .. problem)
      print("  " .. called)
    end
  end
end
print(ran .. " calls of " .. #names .. " rules, " .. refused .. " refused with a reason, " .. wrong .. " faults; seed "
  .. seed)
os.exit(wrong == 0)
