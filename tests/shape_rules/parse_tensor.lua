-- Returns the function that parses a tensor of a case. "2*N" and "N*(M+1)" are dims that depend on names.
local names = setmetatable({}, { __index = function(_, name) return name end })

local function word(text)
  if text:find("%a.*[*+]") or text:find("[*+].*%a") then
    return load("return " .. text, text, "t", names)()
  end
  return text ~= "?" and (math.tointeger(tonumber(text)) and not text:find("[.e]")
    and math.tointeger(tonumber(text)) or tonumber(text) or text)
end

local function words(text)
  local list = {}
  for item in text:gmatch("[^,]+") do
    list[#list + 1] = word(item)
  end
  return list
end

-- "f32[1,N,?]", "i64[2]{3,N}", "f32" (rank unknown), "?" (all unknown), "-" (not given),
-- "(f32[2];f32[3])" (a sequence)
local parse
function parse(text)
  if text == "-" then
    return nil
  end
  if text:sub(1, 1) == "(" then
    local list = {}
    for item in text:sub(2, -2):gmatch("[^;]+") do
      list[#list + 1] = parse(item)
    end
    return { sequence = list }
  end
  local dtype, rest = text:match("^([%w?]+)(.*)$")
  local shape, value = rest:match("^%[([^%]]*)%](.*)$")
  return { dtype = dtype ~= "?" and dtype or nil, shape = shape and words(shape),
           value = value and value ~= "" and words(value:sub(2, -2)) or nil }
end

return parse
