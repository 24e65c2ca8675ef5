local rules = {}
function rules.Relu(node, inputs)
  local x = inputs[1]
  return { { dtype = x.dtype, shape = x.shape, value = { 1, false, "N" } } }
end
rules["com.x.Exp"] = function(node) error(node.op_type .. ": " .. #node.attributes) end
return rules
