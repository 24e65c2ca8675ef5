-- Returns the function that parses a tensor of a case, and the one that writes a dim in the form of cases. "2*N" is a
-- product, which rules have as a string in their own form.
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

local dim_text
local function name_text(name)
  if name:sub(1, 1) ~= "\3" then
    return name
  end
  local words = {}
  for term in name:gmatch("[^\3]+") do
    words[#words + 1] = dim_text(term:find("\4") and "\1" .. term:gsub("\4", "\1") or term)
  end
  return table.concat(words, "+")
end

function dim_text(d)
  if type(d) ~= "string" or d:sub(1, 1) ~= "\1" then
    return type(d) == "string" and name_text(d) or d and tostring(d) or "?"
  end
  local words = {}
  for factor in d:sub(2):gsub("^1\1", ""):gmatch("[^\1]+") do
    words[#words + 1] = factor:sub(1, 1) == "\3" and "(" .. name_text(factor) .. ")" or factor
  end
  return table.concat(words, "*")
end

-- "N+2*M+1", "N*(M+1)"
local word
function word(text)
  local open = text:find("(", 1, true)
  if open then
    local front = text:sub(1, open - 1)
    return "\1" .. (front:find("^%d") and "" or "1*"):gsub("[*]", "\1") .. front:gsub("[*]", "\1") .. word(text:sub(open + 1, -2))
  elseif text:find("+", 2, true) and text:find("%a") then
    local sum = ""
    for term in text:gmatch("[^+]+") do
      sum = sum .. "\3" .. (term:find("^%d") and term or "1*" .. term):gsub("[*]", "\4")
    end
    return sum
  elseif text:find("*", 1, true) then
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
