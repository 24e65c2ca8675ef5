-- Returns the function that reads a tensor of a case.
local function word(text)
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

-- "f32[1,N,?]", "i64[2]{3,N}", "f32" (rank unknown), "?" (all unknown), "-" (not given)
local function parse(text)
  if text == "-" then
    return nil
  end
  local dtype, rest = text:match("^([%w?]+)(.*)$")
  local shape, value = rest:match("^%[([^%]]*)%](.*)$")
  return { dtype = dtype ~= "?" and dtype or nil, shape = shape and words(shape),
           value = value and value ~= "" and words(value:sub(2, -2)) or nil }
end

return parse
