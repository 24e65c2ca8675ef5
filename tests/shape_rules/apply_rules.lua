-- Applies the rules to cases and prints what they give, one line of JSON a case.
--   lua5.4 apply_rules.lua FOLDER-OF-RULES CASES.lua
-- CASES.lua returns a list of { rule = "Conv", node = {...}, inputs = {...} }; an input is false where
-- it is not given.
local folder, cases = arg[1], dofile(arg[2])
element_type = assert(loadfile((arg[0]:match("^.*/") or "") .. "element_types.lua"))(folder)
local rules = dofile(folder .. "/rules.lua")
for name, rule in pairs(dofile(folder .. "/rules_openvino.lua")) do
  rules[name] = rule
end

local function json(v)
  if type(v) ~= "table" then
    if v == nil or v ~= v or v == 1 / 0 or v == -1 / 0 then
      return "null"
    end
    return type(v) == "string" and string.format("%q", v):gsub("\\\n", "\\n") or tostring(v)
  end
  local words = {}
  for i = 1, #v do
    words[i] = json(v[i])
  end
  return "[" .. table.concat(words, ",") .. "]"
end

for _, case in ipairs(cases) do
  for i, input in ipairs(case.inputs) do
    case.inputs[i] = input or nil
  end
  local rule = rules[case.rule]
  local ok, outputs = pcall(rule or error, case.node, case.inputs)
  if not rule then
    print('["no rule"]')
  elseif not ok then
    print('["error",' .. json(tostring(outputs)) .. "]")
  else
    local words = {}
    for i = 1, case.node.noutputs do
      local out = outputs[i] or {}
      words[i] = "[" .. json(out.dtype) .. "," .. json(out.shape) .. "," .. json(out.value) .. "]"
    end
    print('["ok",' .. "[" .. table.concat(words, ",") .. "]]")
  end
end
