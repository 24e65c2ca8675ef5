-- Returns the function element_type, which rules get from the tool: it gives the name of an element type by
-- its number in TensorProto.DataType or by a word such as "FLOAT", from dtypes.inc. Argument: FOLDER-OF-RULES.
local file = assert(io.open(... .. "/../../include/splitgen/dtypes.inc"))
local types = {}
for name, rest in file:read("a"):gmatch('SPLITGEN_DTYPE%(%w+,%s*%d+,%s*"(%w+)",(.-)%)') do
  local onnx, number = rest:match('"(%w*)",%s*(%d+)')
  if number ~= "0" then
    types[tonumber(number)], types[onnx:upper()] = name, name
  end
end
file:close()
return function(value)
  return types[value]
end
