-- Runs the cases: lua_sums run_cases.lua FOLDER-OF-RULES CASES.lua... Prints every wrong case; exits with 1 if there is
-- any, or if an operator has a rule and no case.
local folder = arg[1]

-- The rules get exactly the functions of their sandbox.
local sandbox = {
  assert = assert, error = error, ipairs = ipairs, select = select, type = type, tonumber = tonumber,
  tostring = tostring, string = string, table = { concat = table.concat, insert = table.insert,
  move = table.move, pack = table.pack, remove = table.remove, sort = table.sort,
  unpack = table.unpack },
  sums = sums, math = { abs = math.abs, huge = math.huge, max = math.max, maxinteger = math.maxinteger, min = math.min,
  mininteger = math.mininteger, sqrt = math.sqrt, tointeger = math.tointeger, type = math.type, ult = math.ult },
}
sandbox.element_type = assert(loadfile((arg[0]:match("^.*/") or "") .. "element_types.lua"))(folder)
local function load_rules(name)
  return assert(loadfile(folder .. "/" .. name, "t", sandbox))()
end
local rules = load_rules("rules.lua")
for name, rule in pairs(load_rules("rules_openvino.lua")) do
  rules[name] = rule
end

local parse = dofile((arg[0]:match("^.*/") or "") .. "parse_tensor.lua")

local function print_list(list)
  local out = {}
  for i, v in ipairs(list) do
    out[i] = sums.text(v)
  end
  return table.concat(out, ",")
end

local text_of
function text_of(out)
  out = out or {}
  if out.sequence then
    local list = {}
    for i, x in ipairs(out.sequence) do
      list[i] = text_of(x)
    end
    return "(" .. table.concat(list, ";") .. ")"
  end
  return (out.dtype or "?") .. (out.shape and "[" .. print_list(out.shape) .. "]" or "")
    .. (out.value and "{" .. print_list(out.value) .. "}" or "")
end

local failed, ran, covered = 0, 0, {}
for i = 2, #arg do
  for n, case in ipairs(dofile(arg[i])) do
    local name, opset, attributes, given, wanted = table.unpack(case)
    local inputs, noutputs, index = {}, 0, 0
    for text in given:gmatch("%S+") do
      index = index + 1
      inputs[index] = parse(text)
    end
    for _ in wanted:gmatch("%S+") do
      noutputs = noutputs + 1
    end
    if wanted:match("^error") then
      noutputs = case.noutputs or 1
    end
    local op_type = name:match("[^.]+$")
    local node = { op_type = op_type, domain = name:sub(1, -#op_type - 2), opset = opset,
                   noutputs = noutputs, attributes = attributes }
    local ok, outputs = pcall(rules[name] or error, node, inputs)
    local got = {}
    for k = 1, noutputs do
      got[k] = ok and text_of(outputs[k])
    end
    local result = ok and table.concat(got, " ") or "error: " .. tostring(outputs)
    ran, covered[name] = ran + 1, true
    if result ~= wanted then
      failed = failed + 1
      print(arg[i] .. ", case " .. n .. ": " .. name .. "-" .. opset .. " of " .. given)
      print("  wanted " .. wanted)
      print("  got    " .. result)
    end
  end
end

-- Rules that share one function need only one case.
local by_function = {}
for name, rule in pairs(rules) do
  by_function[rule] = by_function[rule] or covered[name]
end
local missing = {}
for name, rule in pairs(rules) do
  if not by_function[rule] then
    missing[#missing + 1] = name
  end
end
table.sort(missing)
for _, name in ipairs(missing) do
  print("no case for " .. name)
end
print(ran .. " cases, " .. failed .. " wrong, " .. #missing .. " rules without a case")
os.exit(failed == 0 and #missing == 0)
