-- Returns the function that reads a tensor of a case, and the one that writes a dim as cases have it.
-- "2*N" is a product, which rules have as a string of their own.
local function product(text)
  local number, names = 1, {}
  for factor in text:gmatch("[^*]+") do
    if math.tointeger(tonumber(factor)) then
      number = math.tointeger(tonumber(factor))
    else
      names[#names + 1] = factor
    end
  end
  table.sort(names)
  return "\1" .. number .. "\1" .. table.concat(names, "\1")
end

local function dim_text(d)
  if type(d) ~= "string" or d:sub(1, 1) ~= "\1" then
    return d and tostring(d) or "?"
  end
  return (d:sub(2):gsub("^1\1", ""):gsub("\1", "*"))
end

local function word(text)
  if text:find("*", 1, true) then
    return product(text)
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

return parse, dim_text
