-- Shape and value rules of ONNX's operators, and of com.microsoft's where their definition is simple.
--
-- rules["Conv"] is the rule for ONNX's own domain, rules["com.microsoft.FusedMatMul"] for another.
-- A rule is a function(node, inputs) that returns the list of outputs. An input or output is
--   { dtype = "f32", shape = {1, "N", false}, value = {...} }   or   { sequence = { tensor, ... } }
-- dtype: nil if unknown. shape: nil if the rank is unknown; a dim is an integer, a string (a name), a size that depends
-- on names such as 197*N+1, or false (unknown). A rule can use such a size like a name: equal sizes are equal values,
-- always >= 0. mul, div, add, sub, product and quotient of the table shape_rules make them, and so do operators. value:
-- nil, or the elements in row-major order: integers (bool: 0 and 1), floats, names and sizes as in shapes, false if
-- unknown; at most 4096.
--
-- inputs[i] is nil if it is not given. node has op_type, domain, opset (0: not imported), noutputs, attributes.
-- error("...") reports that the inputs contradict the operator. A rule reads attributes with their type, as in
-- int(node, "axis", 0) or ints(node, "pads"): shape_rules.int, .ints, .float, .floats and .text in other files. If the
-- model has another type, that is an error at the attribute. node.attributes.axis reads it unchecked.
--
-- Sources: a rule follows the operator's page in ONNX's Operators.md and Changelog.md, and the results of
-- onnx.shape_inference, unless a comment says otherwise. A dim that cannot be determined from the inputs is false.

local MAX_VALUES = 4096
local unknown = {}

-- Level 0 adds no position in this file to the message: its reader looks for an error in a model.
local function fail(...)
  error(table.concat({ ... }), 0)
end

-- An output. If the attributes and inputs contradict the operator, the dims are invalid, which is reported here.
local function tensor(dtype, shape, value)
  for i = 1, shape and #shape or 0 do
    local d = shape[i]
    if d == nil or type(d) == "number" and not (math.type(d) == "integer" and d >= 0) then
      fail("its inputs and attributes do not fit each other: dim ", i - 1, " of an output would be ",
        d == nil and "missing" or tostring(d))
    end
  end
  return { dtype = dtype, shape = shape, value = value }
end

---------------------------------------------------------------------------------------------------
-- Dims

local function is_int(d)
  return math.type(d) == "integer"
end

-- Sizes that depend on names are made by C: sum_lua.h documents these functions.
local add, sub, mul = sums.add, sums.sub, sums.mul
local exact_quotient, is_positive, most, dim_text = sums.quotient, sums.is_positive, sums.most, sums.text
local floored = sums.floored

-- Whether a dim or element depends on names.
local function is_open(d)
  return d and not math.type(d)
end

local function shape_text(shape)
  local words = {}
  for i, d in ipairs(shape) do
    words[i] = dim_text(d)
  end
  return "[" .. table.concat(words, ",") .. "]"
end

-- Two dims that must be equal: returns the more precise one.
local function merge(a, b, what)
  if not a or a == b then
    return b
  elseif not b then
    return a
  elseif is_int(a) and is_int(b) then
    fail(what or "a dim", " is ", a, " on one side and ", b, " on the other")
  end
  return is_int(a) and a or b
end

-- Two dims that broadcast: equal, or one of them 1. If one is a number other than 1, it is the result, since an unknown
-- dim can only be 1 or that number.
local function broadcast_dim(a, b)
  if a == 1 or a == b then
    return b
  elseif b == 1 then
    return a
  elseif is_int(a) and is_int(b) then
    fail("dims ", a, " and ", b, " do not broadcast")
  elseif is_int(a) then
    return a
  elseif is_int(b) then
    return b
  end
  return false
end

local function copy(list)
  return list and table.move(list, 1, #list, 1, {})
end

local function filled(n, what)
  local out = {}
  for i = 1, n do
    out[i] = what
  end
  return out
end

-- A list of unknown dims of this rank.
local function of_rank(n)
  return filled(n, false)
end

-- Numpy's broadcasting of two shapes; nil if the rank of one is unknown.
local function broadcast(a, b)
  if not a or not b then
    return nil
  end
  local out, rank = {}, math.max(#a, #b)
  for i = 1, rank do
    local x, y = a[i - rank + #a], b[i - rank + #b]
    if x == nil then
      out[i] = y
    elseif y == nil then
      out[i] = x
    else
      out[i] = broadcast_dim(x, y)
    end
  end
  return out
end

-- other: another rank that is possible
local function has_rank(shape, rank, what, other)
  if shape and rank and #shape ~= rank and #shape ~= other then
    fail(what or "the input", " has rank ", #shape, ", not ", rank, other and " or " .. other or "")
  end
end

-- Fails if one shape cannot be the other.
local function same_shape(shape, other, what)
  if shape and other then
    has_rank(shape, #other, what)
    for i, d in ipairs(shape) do
      merge(d, other[i], "axis " .. i - 1 .. " of " .. what)
    end
  end
end

-- The index, from 1, of an axis; a negative axis counts from the end.
local function axis_of(axis, rank)
  if axis < -rank or axis >= rank then
    fail("axis ", axis, " is outside rank ", rank)
  end
  return (axis < 0 and axis + rank or axis) + 1
end

---------------------------------------------------------------------------------------------------
-- Arithmetic on dims and elements. Names can be operands if the result holds for all their values.

-- Integer division rounds toward zero, as in C.
local function truncated(a, b)
  local quotient = a // b
  return quotient < 0 and quotient * b ~= a and quotient + 1 or quotient
end

local function div(a, b)
  if b == 1 then
    return a
  elseif not math.type(a) or not math.type(b) then
    return exact_quotient(a, b)
  elseif is_int(a) and is_int(b) then
    return b ~= 0 and not (a == math.mininteger and b == -1) and truncated(a, b)
  end
  return a / b
end

-- How a compares with b: -1, 0, 1, or nil if unknown. Names are dims, so they are at least 0.
local function compared(a, b)
  if not a or not b then
    return nil
  elseif a == b then
    return 0
  elseif math.type(a) and math.type(b) then
    return a < b and -1 or a > b and 1 or nil
  elseif math.type(b) and b < 0 or is_positive(sub(a, b)) then
    return 1
  elseif math.type(a) and a < 0 or is_positive(sub(b, a)) then
    return -1
  end
end

-- The function that takes the smaller of two (sign 1) or the larger (-1); false if it is uncertain.
local function extreme_of(sign)
  return function(a, b)
    local order = compared(a, b)
    if not order and a and b and a == a and b == b then
      order = sub(a, b) and 1 or sub(b, a) and -1
    end
    return order and (order * sign <= 0 and a or b) or false
  end
end
local smaller, larger = extreme_of(1), extreme_of(-1)

-- The product of dims; false if one of them is unknown, unless another is 0.
local function product(dims, first, last)
  local out = 1
  for i = first or 1, last or #dims do
    if dims[i] == 0 then
      return 0
    end
    out = out and mul(out, dims[i])
  end
  return out
end

-- The product of `above` divided by the product of `below`; equal names cancel. False: unknown.
local function quotient(above, below)
  local number, divisor = product(above), product(below)
  if is_int(number) and is_int(divisor) and divisor ~= 0 and number % divisor ~= 0 then
    fail("the elements, ", number, ", are no multiple of ", divisor)
  end
  return exact_quotient(number, divisor)
end

---------------------------------------------------------------------------------------------------
-- Values

-- The number of elements if it is known and small enough to list them; else nil.
local function listed(shape)
  local n = shape and product(shape)
  if is_int(n) and n >= 0 and n <= MAX_VALUES then
    for _, d in ipairs(shape) do
      if not is_int(d) then
        return nil
      end
    end
    return n
  end
end

-- The elements of an input: its value, or a list of unknowns if only their number is known; else nil.
local function entries(input)
  if not input then
    return nil
  elseif input.value then
    return input.value
  end
  local n = listed(input.shape)
  return n and filled(n, false)
end

-- The first element of an input; false if it is unknown.
local function first_of(input)
  return (entries(input) or {})[1] or false
end

-- The smallest and largest element of integer types; for u64 the largest integer of Lua.
local limits = { bool = { 0, 1 } }
for bits = 1, 64 do
  limits["i" .. bits] = { -1 << bits - 1, math.maxinteger >> 64 - bits }
  limits["u" .. bits] = { 0, math.maxinteger >> math.max(63 - bits, 0) }
end

-- Rounds a result to its type; false if it does not fit or rounding is uncertain. The sum, product and quotient of two
-- f32, calculated in f64 and rounded once more, are the f32 results.
local function fit(dtype, v)
  local limit = limits[dtype]
  if not math.type(v) then
    return v
  elseif limit then
    return is_int(v) and v >= limit[1] and v <= limit[2] and v
  elseif dtype == "f32" then
    return (string.unpack("<f", string.pack("<f", v)))
  elseif dtype == "f64" then
    return v + 0.0
  end
  -- The other floats have at least these integers.
  return (dtype == "f16" or dtype == "bf16") and v // 1 == v and v >= -256 and v <= 256 and v + 0.0
end

local function fitted(dtype, value)
  for i, v in ipairs(value) do
    value[i] = fit(dtype, v)
  end
  return value
end

-- The distance in elements between neighbours along each axis.
local function strides_of(shape)
  local strides, step = {}, 1
  for i = #shape, 1, -1 do
    strides[i] = step
    step = step * shape[i]
  end
  return strides
end

-- Calls visit(number from 1, indices from 0) for every element in order.
local function each(shape, visit)
  local at = filled(#shape, 0)
  for n = 1, product(shape) do
    visit(n, at)
    local i = #shape
    while i > 0 do
      at[i] = at[i] + 1
      if at[i] < shape[i] then
        break
      end
      at[i] = 0
      i = i - 1
    end
  end
end

-- The number, from 1, of the element of a broadcast input.
local function offset_in(shape, strides, at)
  local offset = 1
  for i, d in ipairs(shape) do
    local p = d ~= 1 and at[i + #at - #shape] or 0
    if p >= d then
      return nil -- the input does not broadcast to the shape
    end
    offset = offset + p * strides[i]
  end
  return offset
end

-- The elements f(a, b, ...) of broadcast inputs; nil if they cannot be listed or none is known.
local function mapped(dtype, shape, f, ...)
  local args, known = { ... }, false
  if not listed(shape) then
    return nil
  end
  local lists, strides = {}, {}
  for i, input in ipairs(args) do
    lists[i] = entries(input)
    for _, v in ipairs(not known and input.value or {}) do
      known = known or v
    end
    if not lists[i] then
      return nil
    end
    strides[i] = strides_of(input.shape)
  end
  if not known then
    return nil
  end
  local out = {}
  each(shape, function(n, at)
    local values = {}
    for i, list in ipairs(lists) do
      values[i] = list[offset_in(args[i].shape, strides[i], at) or 0] or false
    end
    out[n] = fit(dtype, f(table.unpack(values)) or false)
  end)
  return out
end

-- A selection of the elements of x: from(k, indices) returns the index, from 0, along axis k of x.
local function picked(x, shape, from)
  if not x.value or not listed(shape) or not listed(x.shape) then
    return nil
  end
  local out, strides = {}, strides_of(x.shape)
  each(shape, function(n, at)
    local offset = 1
    for k, step in ipairs(strides) do
      offset = offset + from(k, at) * step
    end
    out[n] = x.value[offset] or false
  end)
  return out
end

-- The number, from 1, of the element with these indices.
local function offset_at(at, strides)
  local offset = 1
  for i, p in ipairs(at) do
    offset = offset + p * strides[i]
  end
  return offset
end

-- Whether all elements are known and can be ordered (no NaN).
local function all_numbers(list)
  for _, v in ipairs(list) do
    if not math.type(v) or v ~= v then
      return false
    end
  end
  return true
end

-- Whether the elements of all these inputs can be listed, and each input has known elements.
local function valued(...)
  for _, x in ipairs { ... } do
    if not x.value or not listed(x.shape) then
      return false
    end
  end
  return true
end

-- Calls visit(number, first, step) for every line of elements along an axis: line `number`, from 1, consists of the
-- elements first, first + step, ...
local function each_line(shape, axis, visit)
  local step = product(shape, axis + 1)
  for number = 1, product(shape, 1, axis - 1) * step do
    local block, rest = (number - 1) // step, (number - 1) % step
    visit(number, block * shape[axis] * step + rest + 1, step)
  end
end

-- Adds to a sum of floats. If a sum is rounded it depends on the order, so only integers are added that are so small
-- that no sum of MAX_VALUES of them exceeds the range in which f32 is exact.
local function add_exactly(sum, v)
  return math.type(sum) and math.type(v) and v // 1 == v and math.abs(v) <= MAX_VALUES and sum + v or false
end

-- The function that adds elements of a type; nil if the sums are uncertain.
local function adder(dtype)
  return limits[dtype] and add or (dtype == "f32" or dtype == "f64") and add_exactly or nil
end

-- Sums of products of elements: the common form of matmul, einsum and so on. The result has the dims `shape`, and each
-- element is a sum over the dims `inner`. Axis k of input i is dim labels[i][k] of the concatenation of both lists,
-- unless it has length 1.
local MAX_PRODUCTS = 1024 -- limit of one contraction: lengths need few products, weights have many
local function contracted(dtype, shape, inner, list, labels)
  local dims, plus = table.move(inner, 1, #inner, #shape + 1, copy(shape)), adder(dtype)
  local run = product(inner)
  local work = listed(shape) and is_int(run) and mul(product(shape), run)
  if not work or work > MAX_PRODUCTS or not plus or not valued(table.unpack(list)) then
    return nil
  end
  local steps = {}
  for i, x in ipairs(list) do
    local strides = strides_of(x.shape)
    steps[i] = filled(#dims, 0)
    for k, label in ipairs(labels[i]) do
      steps[i][label] = steps[i][label] + (x.shape[k] == 1 and 0 or strides[k])
    end
  end
  local out = filled(product(shape), 0)
  each(dims, function(n, pos)
    local term = 1
    for i, x in ipairs(list) do
      term = mul(term, x.value[offset_at(pos, steps[i])])
    end
    local to = (n - 1) // run + 1
    out[to] = out[to] and plus(out[to], term)
  end)
  return fitted(dtype, out)
end

-- An integer from an attribute or element, which may be an integral float (Split-1 gives its lengths in the type of the
-- data); false if it is not integral or unknown.
local function whole(v)
  return math.type(v) and math.tointeger(v) or false
end

-- A list of integers if all are known, else nil.
local function whole_list(list)
  local out = {}
  for i, v in ipairs(list or {}) do
    out[i] = whole(v)
    if not out[i] then
      return nil
    end
  end
  return list and out
end

---------------------------------------------------------------------------------------------------
-- Nodes

local function attribute(node, name, default)
  local value = node.attributes and node.attributes[name]
  if value == nil then
    return default
  end
  return value
end

-- Reads an attribute with a type of ONNX, or OpenVINO's FLAG or ELEMENT. The tool defines check_attribute; without the
-- tool nothing is checked.
local check = check_attribute or function() end
local function reader(kind)
  return function(node, name, default)
    check(node, name, kind)
    return attribute(node, name, default)
  end
end
local int, float, text = reader "INT", reader "FLOAT", reader "STRING"
local floats, texts, constant, sparse = reader "FLOATS", reader "STRINGS", reader "TENSOR", reader "SPARSE_TENSOR"

-- Warns if an implementation makes another size than the rule does. README.md has the table of these choices.
-- The tool defines warn.
local tell = warn or function() end
local function disagree(ours, whose, theirs, others)
  if ours and theirs and ours ~= theirs then
    tell("implementations disagree about its shape: " .. dim_text(ours) .. " here, as in " .. whose .. ", but "
      .. dim_text(theirs) .. " in " .. others)
  end
end

-- A text that is one of some words; the first one is the default.
local function word_of(node, name, words)
  local value = text(node, name, words:match("%S+"))
  return (" " .. words .. " "):find(" " .. value .. " ", 1, true) and value
    or fail("its attribute '", name, "' is '", value, "', not one of ", words)
end

-- A list of one entry in OpenVINO's XML is read as a number.
local function ints(node, name, default)
  check(node, name, "INTS")
  local value = attribute(node, name, default)
  return is_int(value) and { value } or value
end

-- A mandatory attribute.
local function required(read, node, name)
  local value = read(node, name)
  if value == nil then
    fail("its attribute '", name, "' is missing")
  end
  return value
end

-- An attribute that is at least 1; mandatory if it has no default.
local function positive(node, name, default)
  local value = default and int(node, name, default) or required(int, node, name)
  if value < 1 then
    fail("its attribute '", name, "' is ", value, ", not a number from 1 on")
  end
  return value
end

-- A list with an entry of at least `least` for each spatial dim; mandatory if the entries have no default.
local function spatial_list(node, name, n, entry, least)
  local list = entry and ints(node, name, filled(n, entry)) or required(ints, node, name)
  if #list ~= n then
    fail("its attribute '", name, "' has ", #list, " entries, not ", n)
  end
  for _, v in ipairs(least and list or {}) do
    if v < least then
      fail("its attribute '", name, "' holds ", v, ", which is less than ", least)
    end
  end
  return list
end

-- Whether the node follows a version of ONNX before this one. Not imported means the newest. Other domains have their
-- own versions: a rule that they share with ONNX is used in its newest version.
local function before(node, opset)
  local own = not node.domain or node.domain == "" or node.domain == "ai.onnx"
  return own and node.opset and node.opset > 0 and node.opset < opset
end

local function at(inputs, i)
  return inputs[i] or unknown
end

-- The first versions had types as text: "FLOAT". The tool defines element_type.
local function dtype_attribute(node, name, default)
  local value = (name == "to" and before(node, 6) and text or int)(node, name)
  if value == nil or value == 0 and name == "output_dtype" then
    return default
  end
  return element_type(value) or fail("its attribute '", name, "' is ", value, ", which is no type of elements")
end

-- A list of integers given as an attribute or, in later versions, as an input. Returns the entries (nil: even their
-- number is unknown) and whether it is given at all.
local function list_argument(node, inputs, name, index, read)
  local value = (read or ints)(node, name)
  if value ~= nil then
    return type(value) == "table" and value or { value }, true
  end
  return entries(inputs[index]), inputs[index] ~= nil
end

-- An integer given as an attribute or as an input of one element; nil if it is not given, false if it is unknown.
local function number_argument(node, inputs, name, index)
  local list, given = list_argument(node, inputs, name, index, int)
  if not given then
    return nil
  end
  return list and whole(list[1])
end

-- The indices, from 1, of axes, none of which may be given twice; without a list those of the first `count`.
local function axes_of(axes, rank, count)
  local list, seen = {}, {}
  for i = 1, axes and #axes or count do
    list[i] = axis_of(axes and axes[i] or i - 1, rank)
    if seen[list[i]] then
      fail("axis ", list[i] - 1, " is given twice")
    end
    seen[list[i]] = true
  end
  return list
end

-- marks[i] is true for each axis i in the list; nil if an axis is unknown.
local function marked(axes, rank)
  local marks, known = {}, whole_list(axes)
  for _, axis in ipairs(known or {}) do
    marks[axis_of(axis, rank)] = true
  end
  return known and marks
end

local function unknown_outputs(node)
  local out = {}
  for i = 1, node.noutputs or 1 do
    out[i] = unknown
  end
  return out
end

-- Checks the shapes of inputs by a pattern such as "NC. C - ?": a word for each input, a letter or digit for each dim;
-- the same letter is the same dim, _ any. A dot stands for any other dims, - for no dims, + for no dims or a single 1, ? for any
-- shape. Returns the dim of each letter, false if it is unknown.
local function fitting(inputs, pattern)
  local dims, i = {}, 0
  for letter in pattern:gmatch("%a") do
    dims[letter] = false
  end
  for word in pattern:gmatch("%S+") do
    i = i + 1
    local shape, letters = at(inputs, i).shape, word:gsub("[-.+]", "")
    if shape and word ~= "?" then
      if #shape < #letters or letters == word and #shape > #letters or #shape > (word == "-" and 0 or word == "+" and 1 or #shape) then
        fail("input ", i, " has rank ", #shape, ", not ", #letters)
      elseif word == "+" and math.type(shape[1]) == "integer" and shape[1] ~= 1 then
        fail("input ", i, " has ", shape[1], " elements, not one")
      end
      local skipped = word:sub(1, 1) == "." and #shape - #letters or 0
      for k = 1, #letters do
        local letter = letters:sub(k, k)
        if letter ~= "_" then
          dims[letter] = merge(dims[letter] or math.tointeger(tonumber(letter)), shape[skipped + k],
            "axis " .. skipped + k - 1 .. " of input " .. i)
        end
      end
    end
  end
  return dims
end

local rules = {}

-- Fails unless a shape broadcasts to another.
local function broadcasts_to(shape, to, what)
  same_shape(broadcast(shape, to), to, what)
end

-- Returns the function that sets the rule for several operators of a domain; their names are separated by blanks. With
-- a pattern, which is checked before, the rule gets the dims of fitting(), too.
local function definer(domain, list)
  return function(names, rule, pattern)
    local checked = pattern and function(node, inputs)
      return rule(node, inputs, fitting(inputs, pattern))
    end
    for name in names:gmatch("%S+") do
      list[domain .. name] = checked or rule
    end
  end
end
local define = definer("", rules)
local microsoft, ml = definer("com.microsoft.", rules), definer("ai.onnx.ml.", rules)

---------------------------------------------------------------------------------------------------
-- Elementwise, one input

local function same(_, inputs)
  return { tensor(at(inputs, 1).dtype, at(inputs, 1).shape) }
end

define([[Acos Acosh Asin Asinh Atan Atanh Cos Cosh Sin Sinh Tan Tanh Exp Log Erf
  Sigmoid HardSigmoid HardSwish Elu Selu Celu LeakyRelu ThresholdedRelu Gelu Mish Swish Softplus
  Softsign Shrink LRN
  Scale ScaledTanh ParametricSoftplus Affine ImageScaler]], same)

define("InstanceNormalization", same, "NC. C C")
rules.MeanVarianceNormalization = function(node, inputs)
  axes_of(ints(node, "axes", { 0, 2, 3 }), at(inputs, 1).shape and #inputs[1].shape or math.maxinteger)
  return same(node, inputs)
end

define("Softmax LogSoftmax Hardmax LpNormalization", function(node, inputs)
  local shape, late = at(inputs, 1).shape, node.op_type == "LpNormalization" or not before(node, 13)
  axis_of(shape and int(node, "axis", late and -1 or 1) or 0, shape and #shape or 1)
  return same(node, inputs)
end)

local function unary(f)
  return function(_, inputs)
    local x = at(inputs, 1)
    return { tensor(x.dtype, x.shape, x.value and mapped(x.dtype, x.shape, f, x)) }
  end
end

local function identity(_, inputs)
  return { at(inputs, 1) }
end

local function number_only(f)
  return function(v)
    return math.type(v) and f(v)
  end
end

rules.Identity = identity
rules.Neg = unary(number_only(function(v) return sub(0, v) end))
rules.Abs = unary(function(v) return math.type(v) and v < 0 and sub(0, v) or v end)
rules.Sign = unary(number_only(function(v)
  local sign = v > 0 and 1 or v < 0 and -1 or 0
  return v == v and (is_int(v) and sign or sign + 0.0)
end))
rules.Floor = unary(function(v) return math.type(v) and v // 1 or v end)
rules.Ceil = unary(function(v) return math.type(v) and -(-v // 1) or v end)
-- Rounds to the nearest integer, halves to even.
rules.Round = unary(function(v)
  if not math.type(v) or v // 1 == v then
    return v
  end
  local down = v // 1
  local rest = v - down
  return (rest > 0.5 or rest == 0.5 and down % 2 == 1) and down + 1 or down
end)
rules.Sqrt = unary(number_only(function(v) return v >= 0 and math.sqrt(v) end))
rules.Reciprocal = unary(number_only(function(v) return 1 / v end))
rules.Relu = unary(function(v) return math.type(v) and v < 0 and v * 0 or v end)
rules.Not = function(_, inputs)
  local x = at(inputs, 1)
  return { tensor("bool", x.shape, x.value and mapped("bool", x.shape, function(v)
    return whole(v) and 1 - v
  end, x)) }
end

-- Clip-1, -6: attributes; later versions: optional inputs.
define("Clip", function(node, inputs)
  local x = at(inputs, 1)
  local value = x.value
  local function limited(f, name, limit)
    local number = before(node, 11) and float(node, name)
    limit = number and tensor(x.dtype, {}, { fit(x.dtype, number) }) or not before(node, 11) and limit
    if value and limit then
      value = mapped(x.dtype, x.shape, f, tensor(x.dtype, x.shape, value), limit)
    end
  end
  limited(larger, "min", inputs[2])
  limited(smaller, "max", inputs[3])
  return { tensor(x.dtype, x.shape, value) }
end, "? + +")

-- holds(v, node) tests a number; the result for a name is 0.
local function test(holds)
  return function(node, inputs)
    local x = at(inputs, 1)
    return { tensor("bool", x.shape, x.value and mapped("bool", x.shape, function(v)
      return v and (math.type(v) and holds(v, node) and 1 or 0)
    end, x)) }
  end
end
rules.IsNaN = test(function(v) return v ~= v end)
rules.IsInf = test(function(v, node)
  return v == math.huge and int(node, "detect_positive", 1) ~= 0
    or v == -math.huge and int(node, "detect_negative", 1) ~= 0
end)
rules.RegexFullMatch = function(node, inputs)
  required(text, node, "pattern")
  return { tensor("bool", at(inputs, 1).shape) }
end

-- Cast: floats to integers round toward zero; anything to bool is v ~= 0.
local function cast_value(from, to, v)
  if not v or from == to or not to then
    return v
  elseif is_open(v) then
    return (limits[to] and to ~= "bool" or to == "f32" or to == "f64") and v
  elseif to == "bool" then
    return v ~= 0 and 1 or 0
  elseif limits[to] then
    return v == v and math.tointeger(v < 0 and -(-v // 1) or v // 1) or false
  end
  return v + 0.0
end

local function cast(x, to)
  local value = x.value and to ~= "string" and x.dtype ~= "string" and {}
  for i, v in ipairs(value and x.value or {}) do
    value[i] = fit(to, cast_value(x.dtype, to, v))
  end
  return { tensor(to, x.shape, value or nil) }
end

rules.Cast = function(node, inputs)
  return cast(at(inputs, 1), dtype_attribute(node, "to"))
end
rules.CastLike = function(_, inputs)
  return cast(at(inputs, 1), at(inputs, 2).dtype)
end
-- Only between types of the same width.
rules.BitCast = function(node, inputs)
  local x, to = at(inputs, 1), dtype_attribute(node, "to")
  local function width_of(dtype) return dtype == "bool" and "8" or (dtype or ""):match("%d+") end
  local width, wanted = width_of(x.dtype), width_of(to)
  if width and wanted and width ~= wanted then
    fail("an element has ", width, " bits, but ", wanted, " in ", to)
  end
  return { tensor(to, x.shape) }
end

---------------------------------------------------------------------------------------------------
-- Elementwise, several inputs

-- Until version 6 the second input was broadcast to the first, by the attributes broadcast and axis.
local function result_shape(node, a, b)
  if before(node, 7) then
    return a.shape
  end
  return broadcast(a.shape, b.shape)
end

-- f computes an element; dtype is the type of the result, nil for that of the inputs.
local function binary(f, dtype)
  return function(node, inputs)
    local a, b = at(inputs, 1), at(inputs, 2)
    local type_ = dtype or a.dtype or b.dtype
    local shape = result_shape(node, a, b)
    local direct = not before(node, 7) or b.shape and #b.shape == 0
    return { tensor(type_, shape, f and direct and mapped(type_, shape, function(x, y)
      return f(x, y, node, type_)
    end, a, b) or nil) }
  end
end

local function comparison(holds)
  return binary(function(x, y)
    local order = compared(x, y)
    return order and (holds(order) and 1 or 0)
  end, "bool")
end

local function both_known(f)
  return function(x, y, node, dtype)
    return math.type(x) and math.type(y) and f(x, y, node, dtype)
  end
end

-- Only for integers.
local function both_whole(f)
  return function(x, y, node, dtype)
    return is_int(x) and is_int(y) and f(x, y, node, dtype)
  end
end

rules.Add = binary(add)
rules.Sub = binary(sub)
rules.Mul = binary(mul)
rules.Div = binary(div)
-- The result has the sign of the divisor, or with fmod=1 that of the dividend.
rules.Mod = binary(both_known(function(x, y, node)
  if y == 0 then
    return false
  elseif int(node, "fmod", 0) ~= 1 then
    return is_int(x) and is_int(y) and x % y
  end
  local rest = x % y
  return rest ~= 0 and (rest < 0) ~= (x < 0) and rest - y or rest
end))
-- Float results only if they are integers that every library computes exactly.
rules.Pow = binary(function(x, y, _, dtype)
  if y == 1 then
    return x
  elseif not math.type(x) or not math.type(y) then
    return false
  elseif not limits[dtype] then
    local out = x ^ y
    return out // 1 == out and math.abs(out) <= 1 << 24 and out
  elseif not whole(y) or y < 0 then
    return false
  end
  local out = 1
  for _ = 1, math.min(whole(y), 64) do
    out = out and mul(out, x)
  end
  return (y <= 64 or x == 0 or x == 1) and out
end)
rules.Equal = comparison(function(order) return order == 0 end)
rules.Less = comparison(function(order) return order < 0 end)
rules.Greater = comparison(function(order) return order > 0 end)
rules.LessOrEqual = comparison(function(order) return order <= 0 end)
rules.GreaterOrEqual = comparison(function(order) return order >= 0 end)
-- One known operand can determine the result.
rules.And = binary(function(x, y) return (x == 0 or y == 0) and 0 or x and y and 1 end, "bool")
rules.Or = binary(function(x, y) return (x == 1 or y == 1) and 1 or x and y and 0 end, "bool")
rules.Xor = binary(both_whole(function(x, y) return x ~ y end), "bool")
rules.BitwiseAnd = binary(both_whole(function(x, y) return x & y end))
rules.BitwiseOr = binary(both_whole(function(x, y) return x | y end))
rules.BitwiseXor = binary(both_whole(function(x, y) return x ~ y end))
rules.BitwiseNot = function(_, inputs)
  local x = at(inputs, 1)
  local limit = limits[x.dtype] or {}
  return { tensor(x.dtype, x.shape, x.value and mapped(x.dtype, x.shape, number_only(function(v)
    return limit[1] == 0 and x.dtype ~= "u64" and limit[2] - v or is_int(v) and ~v
  end), x)) }
end
-- Unsigned types only; bits that are shifted out are lost.
local shifted = binary(both_whole(function(x, y, node, dtype)
  local limit, way = limits[dtype], text(node, "direction")
  if not limit or y < 0 or limit[2] >> y == 0 then
    return false
  end
  return way == "LEFT" and (x << y & limit[2]) or x >> y
end))rules.BitShift = function(node, inputs)
  word_of(node, "direction", "LEFT RIGHT")
  return shifted(node, inputs)
end

rules.SwiGLU = function(node, inputs)
  same_shape(at(inputs, 2).shape, at(inputs, 1).shape, "input 2")
  return same(node, inputs)
end
define("StringConcat PRelu", binary()) -- ONNX Runtime also broadcasts the data to the slope

local function variadic(f)
  return function(node, inputs)
    local out = at(inputs, 1)
    for i = 2, #inputs do
      local x = at(inputs, i)
      local shape = result_shape(node, out, x)
      same_shape(before(node, 8) and x.shape or nil, out.shape, "input " .. i)
      out = tensor(out.dtype or x.dtype, shape, mapped(out.dtype, shape, f, out, x))
    end
    return { out }
  end
end
rules.Max = variadic(larger)
rules.Min = variadic(smaller)
rules.Sum = variadic(add)
rules.Mean = function(node, inputs)
  local sum = rules.Sum(node, inputs)[1]
  return { tensor(sum.dtype, sum.shape, sum.value and mapped(sum.dtype, sum.shape, function(v)
    return div(v, #inputs)
  end, sum)) }
end

rules.Where = function(_, inputs)
  local c, a, b = at(inputs, 1), at(inputs, 2), at(inputs, 3)
  local dtype, shape = a.dtype or b.dtype, broadcast(broadcast(c.shape, a.shape), b.shape)
  return { tensor(dtype, shape, mapped(dtype, shape, function(condition, x, y)
    if condition then
      return condition ~= 0 and x or condition == 0 and y
    end
    return x == y and x
  end, c, a, b)) }
end

---------------------------------------------------------------------------------------------------
-- Constants and shapes as values

rules.Constant = function(node)
  local out
  for _, kind in ipairs { { constant, "value" }, { sparse, "sparse_value" }, { int, "value_int", "i64" },
                          { ints, "value_ints", "i64" }, { float, "value_float", "f32" }, { floats, "value_floats", "f32" },
                          { text, "value_string", "string" }, { texts, "value_strings", "string" } } do
    local v, dtype = kind[1](node, kind[2]), kind[3]
    if v ~= nil and out then
      fail("it has two values")
    elseif v ~= nil and not dtype then
      out = tensor(v.dtype, v.shape, v.value)
    elseif type(v) == "table" then
      out = tensor(dtype, { #v }, dtype ~= "string" and #v <= MAX_VALUES and copy(v) or nil)
    elseif v ~= nil then
      out = tensor(dtype, {}, dtype ~= "string" and { v } or nil)
    end
  end
  return { out or unknown }
end

-- start and end (since version 15) are clamped to the rank.
rules.Shape = function(node, inputs)
  local shape = at(inputs, 1).shape
  local first, last = int(node, "start", 0), int(node, "end")
  if not shape then
    return { tensor("i64", { false }) }
  end
  local rank = #shape
  first = math.min(math.max(first < 0 and first + rank or first, 0), rank)
  last = last or rank
  last = math.min(math.max(last < 0 and last + rank or last, 0), rank)
  local value = table.move(shape, first + 1, last, 1, {})
  return { tensor("i64", { #value }, value) }
end

rules.Size = function(_, inputs)
  local shape = at(inputs, 1).shape
  return { tensor("i64", {}, shape and { product(shape) }) }
end

-- Converts a list of elements to dims. A negative one is an error.
local function dims_of(list)
  local out = {}
  for i, v in ipairs(list) do
    out[i] = is_open(v) and v or whole(v)
    if is_int(out[i]) and out[i] < 0 then
      fail("a dim is ", out[i])
    end
  end
  return out
end

local function constant_of(dtype, shape, v)
  local n = listed(shape)
  return tensor(dtype, shape, n and v ~= nil and filled(n, v) or nil)
end

define("ConstantOfShape", function(node, inputs)
  local list, value = entries(inputs[1]), constant(node, "value")
  local shape = list and dims_of(list)
  if value then
    merge(value.shape and product(value.shape), 1, "the number of values")
    return { constant_of(value.dtype, shape, value.value and value.value[1]) }
  end
  return { constant_of("f32", shape, 0.0) }
end, "_.")

-- ceil((limit - start) / delta) elements, at least 0.
local function range(dtype, start, limit, delta)
  if not (math.type(start) and math.type(limit) and math.type(delta)) then
    if not is_int(delta) or delta == 0 then
      return tensor(dtype, { false })
    elseif delta < 0 then
      start, limit = limit, start
    end
    local length = sub(limit, start)
    length = length and (is_int(length) and -(-length // math.abs(delta)) or exact_quotient(length, math.abs(delta)))
    return tensor(dtype, { length or sub(start, limit) and 0 })
  elseif delta == 0 then
    fail("the step is 0")
  end
  local n = -((start - limit) // delta)
  if not is_int(n) then
    n = math.tointeger(-((start - limit) / delta // 1)) or false
  end
  n = n and math.max(n, 0)
  local value = n and n <= MAX_VALUES and {} or nil
  local sum = start -- ONNX Runtime adds up the steps, each rounded
  for i = 1, value and n or 0 do
    value[i] = fit(dtype, start + (i - 1) * delta)
    value[i] = value[i] == sum and value[i]
    sum = fit(dtype, sum and sum + delta)
  end
  return tensor(dtype, { n }, value)
end

define("Range", function(_, inputs)
  return { range(at(inputs, 1).dtype or at(inputs, 2).dtype, first_of(inputs[1]), first_of(inputs[2]),
    first_of(inputs[3])) }
end, "+ + +")

-- Windows of a given length.
define("HannWindow HammingWindow BlackmanWindow", function(node, inputs)
  local size = dims_of { first_of(inputs[1]) }
  return { tensor(dtype_attribute(node, "output_datatype", "f32"), size[1] == 0 and fail("its size is 0") or size) }
end, "+")

---------------------------------------------------------------------------------------------------
-- The same elements in another shape

-- The dims of a reshape. `list` has the wanted dims; -1 is the one to compute. `copies(i)` says whether entry i, a 0,
-- is the input's dim. A single unknown entry is computed like a -1, because the number of elements determines it,
-- unless a copied dim is 0.
local function reshaped(shape, list, copies)
  local out, above, below, open = {}, copy(shape or {}), {}, nil
  local holes, asked = 0, 0
  for i, v in ipairs(list) do
    if v == 0 and copies(i) then
      if shape and i > #shape then
        fail("entry ", i - 1, " copies a dim that the input of rank ", #shape, " does not have")
      end
      out[i] = shape and shape[i] or false
      if shape and shape[i] ~= 0 then
        above[i] = 1 -- cancels on both sides, known or not
      else
        below[#below + 1] = false
      end
    elseif v == -1 or not v then
      out[i], open, holes, asked = false, i, holes + 1, asked + (v and 1 or 0)
      if asked > 1 then
        fail("two dims are -1, and at most one can be computed")
      end
    else
      if is_int(v) and v < -1 then
        fail("a dim is ", v)
      end
      out[i] = v
      below[#below + 1] = v
    end
  end
  if shape and holes == 1 then
    out[open] = quotient(above, below)
  elseif shape and holes == 0 then
    local before_, after = product(shape), product(out)
    if is_int(before_) and is_int(after) and before_ ~= after then
      fail(before_, " elements cannot have the shape ", shape_text(out))
    end
  end
  return out
end

-- Same elements: the value is kept if the new shape is known.
local function with_shape(x, shape)
  return tensor(x.dtype, shape, x.value and listed(shape) == #x.value and x.value or nil)
end

-- Reshape-1 has an attribute; with allowzero=1 (version 14) a 0 means 0.
define("Reshape", function(node, inputs)
  local x = at(inputs, 1)
  local list = list_argument(node, inputs, "shape", 2)
  local zero = int(node, "allowzero", 0) == 1
  local entry = {}
  for _, v in ipairs(zero and list or {}) do
    entry[v] = true
  end
  if entry[0] and entry[-1] then
    fail("with allowzero=1 its dims can hold 0 or -1, but hold both")
  end
  return { with_shape(x, list and reshaped(x.shape, list, function() return not zero end)) }
end, "? R")

rules.Flatten = function(node, inputs)
  local x, axis = at(inputs, 1), int(node, "axis", 1)
  if not x.shape then
    return { tensor(x.dtype, { false, false }) }
  end
  local rank = #x.shape
  if axis < (before(node, 11) and 0 or -rank) or axis > rank then
    fail("axis ", axis, " is outside rank ", rank)
  end
  axis = axis < 0 and axis + rank or axis
  return { with_shape(x, { product(x.shape, 1, axis), product(x.shape, axis + 1) }) }
end

-- Without axes all dims of 1 are removed, so all dims must be known.
local function squeeze(x, axes, given)
  if not x.shape then
    return { tensor(x.dtype) }
  end
  local gone = axes and marked(axes, #x.shape)
  if given and not gone then
    return { tensor(x.dtype, axes and #axes <= #x.shape and of_rank(#x.shape - #axes) or nil) }
  end
  local shape = {}
  for i, d in ipairs(x.shape) do
    if not given and not is_int(d) then
      return { tensor(x.dtype) }
    elseif gone and gone[i] and is_int(d) and d ~= 1 then
      fail("axis ", i - 1, " is ", d, ", not 1")
    elseif gone and not gone[i] or not given and d ~= 1 then
      shape[#shape + 1] = d
    end
  end
  return { with_shape(x, shape) }
end
define("Squeeze", function(node, inputs)
  local axes, given = list_argument(node, inputs, "axes", 2)
  local out = squeeze(at(inputs, 1), axes, given)
  if given and axes and #axes == 0 and out[1].shape then
    disagree(shape_text(out[1].shape), "the standard", shape_text(squeeze(at(inputs, 1))[1].shape or {}), "ONNX Runtime")
  end
  return out
end, "? R")

-- Axes refer to the result.
local function unsqueeze(x, axes)
  if not x.shape or not axes then
    return { tensor(x.dtype) }
  end
  local rank = #x.shape + #axes
  local new = marked(axes, rank)
  if not new then
    return { tensor(x.dtype, of_rank(rank)) }
  end
  local shape, next_ = {}, 1
  for i = 1, rank do
    shape[i] = 1
    if not new[i] then
      shape[i], next_ = x.shape[next_], next_ + 1
    end
  end
  if next_ ~= #x.shape + 1 or #shape ~= rank then
    fail("an axis is given twice")
  end
  return { with_shape(x, shape) }
end
rules.Unsqueeze = function(node, inputs)
  return unsqueeze(at(inputs, 1), (list_argument(node, inputs, "axes", 2)))
end

-- order: axes of the input, from 0; nil reverses them.
local function transpose(x, order)
  if not x.shape then
    return { tensor(x.dtype, order and of_rank(#order)) }
  end
  local rank, shape, to = #x.shape, {}, {}
  if order and #order ~= rank then
    fail("the order names ", #order, " axes of an input of rank ", rank)
  end
  for i = 1, rank do
    local from = order and axis_of(order[i], rank) or rank + 1 - i
    if order and order[i] < 0 then
      fail("the order holds ", order[i])
    elseif to[from] then
      fail("axis ", from - 1, " stands twice in the order")
    end
    shape[i], to[from] = x.shape[from], i
  end
  return { tensor(x.dtype, shape, picked(x, shape, function(k, pos) return pos[to[k]] end)) }
end
rules.Transpose = function(node, inputs)
  return transpose(at(inputs, 1), ints(node, "perm"))
end

-- The values of a concat: of each input in turn, a block of elements that are contiguous along the axis.
local function joined(list, axis, shape)
  if not listed(shape) then
    return nil
  end
  local values, runs, known = {}, {}, false
  for i, x in ipairs(list) do
    if not listed(x.shape) then
      return nil
    end
    values[i], runs[i] = entries(x), product(x.shape, axis)
    known = known or x.value ~= nil
  end
  if not known then
    return nil
  end
  local out = {}
  for block = 0, product(shape, 1, axis - 1) - 1 do
    for i, run in ipairs(runs) do
      table.move(values[i], block * run + 1, (block + 1) * run, #out + 1, out)
    end
  end
  return out
end

-- The common type of x and the inputs before it, whose type is `dtype`.
local function of_type(x, dtype, what)
  if x.dtype and dtype and x.dtype ~= dtype then
    fail(what, " is ", x.dtype, ", and what is before it ", dtype)
  end
  return dtype or x.dtype
end

-- Checks that indices are i32 or i64, and have rank 1 at most if `rank` is given.
local function of_places(x, what, rank)
  if x and x.dtype and x.dtype ~= "i64" and x.dtype ~= "i32" then
    fail(what, " is ", x.dtype, ", not i32 or i64")
  elseif x and rank then
    has_rank(x.shape, rank, what)
  end
end

-- An input of unknown rank still leaves the other dims known; the axis needs the dims of all inputs.
local function concat(list, axis)
  local dtype, shape, all = nil, nil, true
  for i, x in ipairs(list) do
    dtype = of_type(x, dtype, "input " .. i)
    if not x.shape then
      all = false
    elseif not shape then
      shape = copy(x.shape)
      axis = axis_of(axis, #shape)
      shape[axis] = 0
    end
  end
  for i, x in ipairs(shape and list or {}) do
    has_rank(x.shape, #shape, "input " .. i)
    for k, d in ipairs(x.shape or {}) do
      if k == axis then
        shape[k] = shape[k] and add(shape[k], d)
      else
        shape[k] = merge(shape[k], d, "axis " .. k - 1)
      end
    end
  end
  if shape and not all then
    shape[axis] = false
  end
  local value = all and shape and joined(list, axis, shape)
  return { tensor(dtype, shape, value and dtype and fitted(dtype, value) or value) }
end

-- The axis had the default 1 until version 3.
rules.Concat = function(node, inputs)
  return concat(inputs, before(node, 4) and int(node, "axis", 1) or required(int, node, "axis"))
end

-- lengths: nil if even their number may be wrong; entries may be unknown.
local function split(x, axis, lengths, noutputs)
  local out, start = {}, 0
  if not x.shape then
    for i = 1, noutputs do
      out[i] = tensor(x.dtype)
    end
    return out
  end
  axis = axis_of(axis, #x.shape)
  local total, same_length = 0, {} -- parts of the same length differ only in their values
  for i = 1, noutputs do
    local length = lengths and lengths[i] or false
    local like = same_length[length]
    if not like then
      like = tensor(x.dtype, copy(x.shape))
      like.shape[axis] = length
      same_length[length] = like
    end
    out[i] = x.value and start and tensor(x.dtype, like.shape, picked(x, like.shape, function(k, pos)
      return k == axis and pos[k] + start or pos[k]
    end)) or like
    start = start and is_int(length) and start + length
    total = total and is_int(length) and total + length
  end
  if lengths and #lengths == noutputs and total and is_int(x.shape[axis]) and total ~= x.shape[axis] then
    fail("the lengths add up to ", total, ", the axis has ", x.shape[axis])
  end
  return out
end

-- Lengths: an attribute (2 to 12), an input (1, 13 and later), or equal parts. Version 18 added num_outputs and uneven
-- parts: ceil(dim / parts) each, and the last parts are shorter.
rules.Split = function(node, inputs)
  local x, n = at(inputs, 1), node.noutputs
  local axis = int(node, "axis", 0)
  local list, given = list_argument(node, inputs, "split", 2)
  if n == 0 then
    fail("it has no outputs")
  end
  local d = x.shape and x.shape[axis_of(axis, #x.shape)]
  if list and #list ~= n then
    fail(#list, " lengths for ", n, " outputs")
  elseif given then
    return split(x, axis, list and dims_of(list), n)
  end
  local parts = not before(node, 18) and int(node, "num_outputs") or n
  if parts < n then
    fail("num_outputs is ", parts, ", the node has ", n, " outputs")
  elseif before(node, 18) and is_int(d) and d % n ~= 0 then
    fail("axis of ", d, " cannot be cut into ", n, " equal parts")
  end
  local shown = math.min(parts, n + 1) -- one more than the outputs shows that there are too many
  local lengths = of_rank(shown)
  if parts == 1 then
    lengths[1] = d or false
  elseif is_int(d) then
    local chunk = -(-d // parts)
    for i = 1, shown do
      lengths[i] = math.max(math.min(chunk, d - (i - 1) * chunk), 0)
    end
  end
  return split(x, axis, lengths, n)
end

-- A bound of a slice, from 0 to d, of an axis whose length d is not a number; false if it is uncertain.
local function bound_in(d, bound)
  if is_int(bound) and bound < 0 then
    return d and sub(d, -bound)
  elseif bound == 0 or d and bound == d then
    return bound
  end
  return d and bound and (sub(d, bound) and bound or sub(bound, d) and d)
end

-- The range of a slice with step 1 of an axis whose length is not a number.
local function named_range(d, start, stop)
  local first, last = bound_in(d, start), bound_in(d, stop)
  local length = first and last and (sub(last, first) or sub(first, last) and 0)
  return is_int(first) and first, 1, length or start and start == stop and math.type(start) and start ~= 0 and 0
end

-- The length of a range with step 1 of an axis whose length is not a number, if no sum says it.
local function cut_range(d, start, stop, far)
  if stop >= far - 1 then
    return start >= 0 and floored(d, -start, 1) or start < 0 and floored(d, 0, 1, -start)
  elseif (start < 0) == (stop < 0) then
    return stop > start and floored(d, start < 0 and stop or -start, 1, stop - start)
  end
  return start >= 0 and floored(d, stop - start, 1)
end

-- One axis of a slice: its first index, step and number of elements; false if unknown. A name is kept only if the slice
-- provably selects all of the axis.
local function slice_axis(d, start, stop, step)
  if not is_int(step) then
    return false, false, d == 0 and 0
  elseif step == 0 then
    fail("a step is 0")
  elseif d == 0 then
    return 0, step, 0
  end
  local far = 1 << 31
  if not is_int(d) then
    local reversed = step == -1 and is_int(start) and (start == -1 or start >= far - 1)
      and is_int(stop) and stop <= 1 - far
    if reversed then
      return false, step, d
    elseif step ~= 1 then
      local to_end = step > 0 and is_int(start) and start >= 0 and is_int(stop) and stop >= far - 1
      return false, step, start and start == stop and (start ~= 0 and math.type(start)) and 0
        or to_end and floored(d, step - 1 - start, step)
    end
    local first, by, length = named_range(d, start, is_int(stop) and stop >= far - 1 and d or stop)
    return first, by, length or is_int(start) and is_int(stop) and cut_range(d, start, stop, far)
  elseif not is_int(start) or not is_int(stop) then
    start = is_int(start) and (start < 0 and math.max(start + d, 0) or math.min(start, d)) or start
    stop = is_int(stop) and (stop < 0 and math.max(stop + d, 0) or math.min(stop, d)) or stop
    local inside = step == 1 and most(start) and most(stop) and most(start) <= d and most(stop) <= d
    return false, step, inside and (sub(stop, start) or sub(start, stop) and 0) or false
  end
  start = start < 0 and start + d or start
  stop = stop < 0 and stop + d or stop
  if step > 0 then
    start, stop = math.min(math.max(start, 0), d), math.min(math.max(stop, 0), d)
    return start, step, math.max(-((start - stop) // step), 0)
  end
  start, stop = math.min(math.max(start, 0), d - 1), math.min(math.max(stop, -1), d - 1)
  return start, step, math.max(-((start - stop) // step), 0)
end

-- The arguments are lists of elements; axes nil: the first ones. is_onnx: warn of another implementation.
local function slice(x, starts, stops, axes, steps, is_onnx)
  if not x.shape then
    return { tensor(x.dtype) }
  end
  local count = starts and #starts or stops and #stops
  local rank = #x.shape
  local known = not axes and count and {} or whole_list(axes)
  if not known or not count then
    return { tensor(x.dtype, of_rank(rank)) }
  end
  local shape, first, by = copy(x.shape), filled(rank, 0), filled(rank, 1)
  for i, a in ipairs(axes_of(axes and known, rank, count)) do
    first[a], by[a], shape[a] =
      slice_axis(x.shape[a], starts and starts[i] or false, stops and stops[i] or false, not steps and 1 or steps[i])
    if is_onnx and shape[a] and is_int(by[a]) and by[a] < 0 and (stops[i] == math.maxinteger or stops[i] == (1 << 31) - 1) then
      local _, _, size = slice_axis(x.shape[a], starts[i], math.mininteger, by[a])
      disagree(shape[a], "the standard", size, "ONNX Runtime")
    end
  end
  return { tensor(x.dtype, shape, picked(whole_list(first) and x or unknown, shape, function(k, pos)
    return first[k] + pos[k] * by[k]
  end)) }
end

-- The arguments are attributes until version 9, inputs since.
rules.Slice = function(node, inputs)
  local starts = list_argument(node, inputs, "starts", 2)
  local stops = list_argument(node, inputs, "ends", 3)
  local axes, has_axes = list_argument(node, inputs, "axes", 4)
  local steps, has_steps = list_argument(node, inputs, "steps", 5)
  local count = starts and #starts or 0
  local names, lists, dtype = { "starts", "ends", "axes", "steps" }, { starts, stops, axes, steps }, nil
  for i, name in ipairs(names) do
    local list, given = lists[i], inputs[i + 1]
    if list and starts and #list ~= count then
      fail("'starts' has ", count, " entries, but '", name, "' has ", #list)
    end
    of_places(given, "'" .. name .. "'", 1)
    dtype = given and of_type(given, dtype, "'" .. name .. "'") or dtype
  end
  return slice(at(inputs, 1), starts, stops, has_axes and (axes or { false }) or nil,
    has_steps and (steps or of_rank(count)) or nil, true)
end

-- The index, from 0; a negative one counts from the end. False if it is unknown.
local function index_in(index, d)
  if not is_int(index) then
    return false
  elseif index < -d or index >= d then
    fail("index ", index, " is outside an axis of ", d)
  end
  return index < 0 and index + d or index
end

-- The shape of the indices replaces the axis.
local function gather(x, indices, axis, batch)
  if not x.shape or not indices.shape then
    return { tensor(x.dtype) }
  end
  axis = axis_of(axis, #x.shape)
  batch = batch or 0
  if batch < 0 or batch >= axis or batch > #indices.shape then
    fail("its batch_dims is ", batch, ", but the axis is ", axis - 1, " and the indices have rank ", #indices.shape)
  end
  local shape = table.move(x.shape, 1, axis - 1, 1, {})
  for i = 1, batch do
    shape[i] = merge(shape[i], indices.shape[i])
  end
  table.move(indices.shape, batch + 1, #indices.shape, #shape + 1, shape)
  table.move(x.shape, axis + 1, #x.shape, #shape + 1, shape)
  if batch > 0 or not x.value or not indices.value or not listed(shape) then
    return { tensor(x.dtype, shape) }
  end
  local d, run = x.shape[axis], product(x.shape, axis + 1)
  local value = {}
  for block = 0, product(x.shape, 1, axis - 1) - 1 do
    for _, index in ipairs(indices.value) do
      local from = index_in(index, d)
      for i = 1, run do
        value[#value + 1] = from and x.value[(block * d + from) * run + i] or false
      end
    end
  end
  return { tensor(x.dtype, shape, value) }
end

rules.Gather = function(node, inputs)
  local x, indices, axis = at(inputs, 1), at(inputs, 2), int(node, "axis", 0)
  of_places(indices, "the index")
  local d = x.shape and x.shape[axis_of(axis, #x.shape)]
  for _, index in ipairs(is_int(d) and indices.value or {}) do
    index_in(index, d)
  end
  return gather(x, indices, axis)
end

-- Checks that elementwise indices along an axis fit the input: the other dims are no longer than its own.
local function of_elements(x, indices, axis)
  if x.shape and indices.shape then
    has_rank(indices.shape, #x.shape, "the list of indices")
    for i, d in ipairs(indices.shape) do
      if i ~= axis and compared(d, x.shape[i]) == 1 then
        fail("axis ", i - 1, " of the indices is ", dim_text(d), ", that of the input ", dim_text(x.shape[i]))
      end
    end
  end
end

-- Elementwise indices along one axis: visit(number, offset in x or false).
local function each_indexed(x, indices, axis, visit)
  local strides = strides_of(x.shape)
  each(indices.shape, function(n, pos)
    local index = index_in(indices.value[n], x.shape[axis])
    visit(n, index and offset_at(pos, strides) + (index - pos[axis]) * strides[axis])
  end)
end

rules.GatherElements = function(node, inputs)
  local x, indices = at(inputs, 1), at(inputs, 2)
  local axis = x.shape and axis_of(int(node, "axis", 0), #x.shape)
  of_elements(x, indices, axis)
  if not valued(x, indices) then
    return { tensor(x.dtype, indices.shape) }
  end
  local value = {}
  each_indexed(x, indices, axis, function(n, from)
    value[n] = from and x.value[from] or false
  end)
  return { tensor(x.dtype, indices.shape, value) }
end

-- The blocks that lists of `last` indices after `batch` dims select: their first elements (false if unknown) and their
-- length.
local function indexed_blocks(shape, indices, batch, last)
  local strides, blocks, run = strides_of(shape), {}, product(shape, batch + last + 1)
  local of_batch = product(indices.shape, batch + 1, #indices.shape - 1)
  for n = 1, product(indices.shape, 1, #indices.shape - 1) do
    local from = (n - 1) // math.max(of_batch, 1) * product(shape, batch + 1) + 1
    for k = 1, last do
      local index = index_in(indices.value[(n - 1) * last + k], shape[batch + k])
      from = from and index and from + index * strides[batch + k]
    end
    blocks[n] = from
  end
  return blocks, run
end

-- The shape is that of the indices without its last dim, then the dims of the data that are not indexed.
rules.GatherND = function(node, inputs)
  local x, indices, batch = at(inputs, 1), at(inputs, 2), int(node, "batch_dims", 0)
  local last = indices.shape and indices.shape[#indices.shape]
  if not x.shape or not is_int(last) then
    return { tensor(x.dtype) }
  elseif batch < 0 or batch >= #indices.shape or last > #x.shape - batch then
    fail("indices of ", last, " numbers, ", batch, " of their dims those of a batch, into an input of rank ", #x.shape)
  end
  same_shape(table.move(indices.shape, 1, batch, 1, {}), table.move(x.shape, 1, batch, 1, {}), "the indices")
  local shape = table.move(indices.shape, 1, #indices.shape - 1, 1, {})
  table.move(x.shape, batch + last + 1, #x.shape, #shape + 1, shape)
  local value = valued(x, indices) and listed(shape) and {} or nil
  if value then
    local blocks, run = indexed_blocks(x.shape, indices, batch, last)
    for _, from in ipairs(blocks) do
      for i = 0, run - 1 do
        value[#value + 1] = from and x.value[from + i] or false
      end
    end
  end
  return { tensor(x.dtype, shape, value) }
end

-- The function that combines an update with the old value. Sums and products of floats depend on the order.
local function update_of(node, dtype)
  local word = text(node, "reduction", "none")
  local exact = limits[dtype]
  local ways = { none = function(_, new) return new end, add = exact and add, mul = exact and mul,
                 max = larger, min = smaller }
  return ways[word]
end

-- x with updates. write(value, change) calls change(offset, number of the update) for each of them; nil if the offset
-- is unknown, which makes all values unknown.
local function scattered(node, x, indices, updates, write)
  local update = update_of(node, x.dtype)
  if not update or not valued(x, indices, updates) then
    return { tensor(x.dtype, x.shape) }
  end
  local value, known = copy(x.value), true
  write(function(offset, n)
    known = known and offset
    if known then
      value[offset] = fit(x.dtype, update(value[offset], updates.value[n]))
    end
  end)
  return { tensor(x.dtype, x.shape, known and value or nil) }
end

define("Scatter ScatterElements", function(node, inputs)
  local x, indices, updates = at(inputs, 1), at(inputs, 2), at(inputs, 3)
  of_elements(x, indices, x.shape and axis_of(int(node, "axis", 0), #x.shape))
  same_shape(updates.shape, indices.shape, "the updates")
  return scattered(node, x, indices, updates, function(change)
    each_indexed(x, indices, axis_of(int(node, "axis", 0), #x.shape), function(n, to)
      change(to, n)
    end)
  end)
end)

define("TensorScatter", function(node, inputs)
  local wanted = copy(at(inputs, 1).shape)
  if wanted then
    wanted[axis_of(int(node, "axis", -2), #wanted)] = false
  end
  same_shape(at(inputs, 2).shape, wanted, "the update")
  return same(node, inputs)
end, "B. B. B")

define("ScatterND", function(node, inputs)
  local x, indices, updates = at(inputs, 1), at(inputs, 2), at(inputs, 3)
  local last = indices.shape and indices.shape[#indices.shape]
  if x.shape and is_int(last) then
    if last > #x.shape then
      fail("indices of ", last, " numbers into an input of rank ", #x.shape)
    end
    local wanted = table.move(indices.shape, 1, #indices.shape - 1, 1, {})
    same_shape(updates.shape, table.move(x.shape, last + 1, #x.shape, #wanted + 1, wanted), "the updates")
  end
  return scattered(node, x, indices, updates, function(change)
    local blocks, run = indexed_blocks(x.shape, indices, 0, last)
    for n, to in ipairs(blocks) do
      for i = 0, run - 1 do
        change(to and to + i, (n - 1) * run + i + 1)
      end
    end
  end)
end, "? _.")

local function one_element(x, what)
  merge(x and x.shape and product(x.shape), 1, "the number of elements of " .. what)
end

-- Cumulative sums and products along an axis: exclusive or inclusive, forward or reverse.
local function cumulated(node, inputs, fold, begin)
  local x, axis = at(inputs, 1), whole(first_of(inputs[2]))
  axis = axis and x.shape and axis_of(axis, #x.shape)
  local value = fold and axis and valued(x) and {} or nil
  if value then
    local d, exclusive = x.shape[axis], int(node, "exclusive", 0) ~= 0
    each_line(x.shape, axis, function(_, first, step)
      local so_far = begin
      for i = 0, d - 1 do
        local to = first + (int(node, "reverse", 0) ~= 0 and d - 1 - i or i) * step
        local next_ = so_far and fold(so_far, x.value[to])
        value[to] = exclusive and so_far or not exclusive and next_
        so_far = next_
      end
    end)
  end
  return { tensor(x.dtype, x.shape, value and fitted(x.dtype, value)) }
end
define("CumSum", function(node, inputs)
  return cumulated(node, inputs, adder(at(inputs, 1).dtype), 0)
end, "? +")
define("CumProd", function(node, inputs)
  return cumulated(node, inputs, limits[at(inputs, 1).dtype] and mul, 1)
end, "? +")

-- Zeros below or above a diagonal, which the second input moves.
define("Trilu", function(node, inputs)
  local x, k, upper = at(inputs, 1), not inputs[2] and 0 or whole(first_of(inputs[2])), int(node, "upper", 1) ~= 0
  if not k or not valued(x) then
    return { tensor(x.dtype, x.shape) }
  end
  local value = {}
  each(x.shape, function(n, pos)
    local right = pos[#pos] - pos[#pos - 1] -- distance to the main diagonal
    local kept = upper and right >= k or not upper and right <= k
    value[n] = kept and x.value[n] or not kept and fit(x.dtype, 0)
  end)
  return { tensor(x.dtype, x.shape, value) }
end, ".__ +")

-- Reverses the first elements of each sequence and keeps the others.
rules.ReverseSequence = function(node, inputs)
  local x, lengths = at(inputs, 1), at(inputs, 2)
  local rank = x.shape and #x.shape or 2
  local batch, time = axis_of(int(node, "batch_axis", 1), rank), axis_of(int(node, "time_axis", 0), rank)
  if batch + time ~= 3 or batch < 1 or time < 1 or x.shape and #x.shape < 2 then
    fail("one of its axes is 0 and the other 1, of an input of rank 2 and more")
  elseif x.shape and lengths.shape then
    has_rank(lengths.shape, 1, "the list of lengths")
    merge(lengths.shape[1], x.shape[batch], "the number of lengths")
  end
  if not valued(x, lengths) or not whole_list(lengths.value) then
    return { tensor(x.dtype, x.shape) }
  end
  return { tensor(x.dtype, x.shape, picked(x, x.shape, function(k, pos)
    local length = lengths.value[pos[batch] + 1]
    return k == time and pos[k] < length and length - 1 - pos[k] or pos[k]
  end)) }
end

local function broadcast_value(x, shape)
  return x.value and mapped(x.dtype, shape, function(v) return v end, x) or nil
end

-- A two-way broadcast: an entry of 1 keeps the dim.
define("Expand", function(_, inputs)
  local x, list = at(inputs, 1), entries(inputs[2])
  local shape = list and broadcast(x.shape, dims_of(list))
  return { tensor(x.dtype, shape, broadcast_value(x, shape)) }
end, "? R")

local function tile(x, repeats)
  if not x.shape then
    return { tensor(x.dtype, repeats and of_rank(#repeats)) }
  end
  local shape, times = {}, repeats and dims_of(repeats)
  if repeats and #repeats ~= #x.shape then
    fail(#repeats, " repeats for an input of rank ", #x.shape)
  end
  for i, d in ipairs(x.shape) do
    shape[i] = times and mul(d, times[i]) or false
  end
  return { tensor(x.dtype, shape, picked(x, shape, function(k, pos) return pos[k] % x.shape[k] end)) }
end

-- Tile-1: the number of repeats and the axis are one number each.
rules.Tile = function(node, inputs)
  local x = at(inputs, 1)
  if not before(node, 6) then
    has_rank(at(inputs, 2).shape, 1, "the list of repeats")
    return tile(x, entries(inputs[2]))
  end
  local times, axis = whole(first_of(inputs[2])), whole(first_of(inputs[3]))
  if not x.shape or not axis then
    return { tensor(x.dtype, x.shape and of_rank(#x.shape)) }
  end
  local repeats = filled(#x.shape, 1)
  repeats[axis_of(axis, #x.shape)] = times
  return tile(x, repeats)
end

-- The lists have all pads before, then all pads after. Version 1 calls them paddings; an input since 11; axes since 18.
-- source(p, d): the index, from 0, of the element that is copied to p, before or after the axis; nil for `fill`.
-- Without source no values are computed.
local function pad(x, before_, behind, axes, source, fill)
  if not x.shape then
    return { tensor(x.dtype) }
  end
  local shape, rank = copy(x.shape), #x.shape
  local first = filled(rank, 0)
  local known = not axes and {} or whole_list(axes)
  if not before_ or not behind or not known then
    return { tensor(x.dtype, of_rank(rank)) }
  end
  if #before_ ~= #behind or #before_ ~= (axes and #known or rank) then
    fail(#before_ + #behind, " pads for ", axes and #known or rank, " axes")
  end
  for i, a in ipairs(axes_of(axes and known, rank, rank)) do
    local more = before_[i] and behind[i] and add(before_[i], behind[i])
    shape[a] = shape[a] and more and add(shape[a], more)
    first[a] = before_[i]
    if is_int(shape[a]) and shape[a] < 0 then
      fail("padding takes more from axis ", a - 1, " than it has")
    end
  end
  if not source or not valued(x) or not listed(shape) or not whole_list(first) then
    return { tensor(x.dtype, shape) }
  end
  local strides, value = strides_of(x.shape), {}
  each(shape, function(n, pos)
    local offset = 1
    for i, p in ipairs(pos) do
      local from = p - first[i]
      local inside = from >= 0 and from < x.shape[i]
      from = inside and from or source(from, x.shape[i])
      offset = offset and from and offset + from * strides[i]
    end
    value[n] = offset and x.value[offset] or not offset and fill
  end)
  return { tensor(x.dtype, shape, value) }
end

-- The source of padding by mode. An empty axis has no source.
local pad_sources = {
  constant = function() end,
  edge = function(p, d) return d > 0 and (p < 0 and 0 or d - 1) end,
  wrap = function(p, d) return d > 0 and p % d end,
  reflect = function(p, d)
    local period = math.max(2 * (d - 1), 1)
    p = p % period
    return d > 0 and (p < d and p or period - p)
  end,
}

-- The first and the second half of a list.
local function halves(list)
  if not list then
    return nil, nil
  end
  local n = #list // 2
  return table.move(list, 1, n, 1, {}), table.move(list, n + 1, #list, 1, {})
end

local function any_pad(node, inputs)
  local x = at(inputs, 1)
  local list = ints(node, "paddings") or list_argument(node, inputs, "pads", 2)
  local axes = inputs[4] and (entries(inputs[4]) or { false })
  local first, second = halves(list)
  local source, fill = pad_sources[text(node, "mode", "constant")], float(node, "value", 0)
  for i = 1, list and #list or 0 do -- tools differ in how they combine negative pads with other modes
    local cut = not whole(list[i]) or list[i] < 0
    source = (not cut or source == pad_sources.constant) and source or nil
  end
  one_element(inputs[3], "the value")
  if inputs[3] then
    fill = first_of(inputs[3])
  end
  return pad(x, first, second, axes, source, fit(x.dtype, fill))
end
define("Pad", any_pad, "? R ? S")

-- Cuts the middle out of what is too long and pads with zeros around what is too short. Axes since version 18.
define("CenterCropPad", function(node, inputs)
  local x, list, axes = at(inputs, 1), entries(inputs[2]), ints(node, "axes")
  if not x.shape then
    return { tensor(x.dtype) }
  end
  local shape, places = copy(x.shape), axes_of(axes, #x.shape, #x.shape)
  if list and #list ~= #places then
    fail(#list, " dims for ", #places, " axes")
  end
  for i, a in ipairs(places) do
    shape[a] = list and dims_of(list)[i] or false
  end
  return { tensor(x.dtype, shape) }
end, "? R")

---------------------------------------------------------------------------------------------------
-- Resizing

-- floor(dim * scale), both as f32, as in ONNX Runtime. OpenVINO adds 1e-6 to the scale first.
local function scaled(d, scale, more)
  if scale == 1 then
    return d
  elseif is_open(d) and math.type(scale) then
    local by = 1
    while by < 64 and scale * by % 1 ~= 0 do
      by = 2 * by
    end
    local all = scale * by % 1 == 0 and mul(d, scale * by)
    return all and (exact_quotient(all, by) or floored(all, 0, by))
  end
  local function by(added)
    local size = fit("f32", fit("f32", d + 0.0) * fit("f32", fit("f32", scale) + added))
    return math.tointeger(size // 1) or false
  end
  if not is_int(d) or not math.type(scale) then
    return false
  elseif not more then
    disagree(by(0), "ONNX Runtime", by(fit("f32", 1e-6)), "OpenVINO")
  end
  return by(more or 0)
end

-- Sizes with a policy keep the aspect ratio: every axis gets the same scale.
local function kept_ratio(shape, axes, sizes, policy)
  local scale
  for i, a in ipairs(axes) do
    local d, size = shape[a], whole(sizes[i])
    if not is_int(d) or d == 0 or not size then
      return of_rank(#axes)
    end
    local own = fit("f32", size / d)
    if not scale or (policy == "not_larger") == (own < scale) then
      scale = own
    end
  end
  local out = {}
  for i, a in ipairs(axes) do
    out[i] = math.tointeger((fit("f32", scale * shape[a]) + 0.5) // 1)
  end
  return out
end

local function resize(x, scales, sizes, axes, policy, more)
  local given = sizes or scales
  for _, scale in ipairs(scales or {}) do
    if math.type(scale) and not (scale > 0) then
      fail("a scale is ", scale)
    end
  end
  if not x.shape then
    return { tensor(x.dtype, not axes and given and of_rank(#given) or nil) }
  end
  local shape, list = copy(x.shape), axes_of(axes, #x.shape, #x.shape)
  if given and #given ~= #list then
    fail(#given, sizes and " sizes" or " scales", " for ", #list, " axes")
  end
  if sizes and policy ~= "stretch" then
    sizes = kept_ratio(x.shape, list, sizes, policy)
  end
  local dims = sizes and dims_of(sizes)
  for i, a in ipairs(list) do
    shape[a] = dims and dims[i] or not dims and scales and scaled(shape[a], scales[i], more) or false
  end
  return { tensor(x.dtype, shape) }
end

-- Resize-10: X, scales; later: X, roi, scales, sizes; scales may be empty.
rules.Resize = function(node, inputs)
  local x = at(inputs, 1)
  if before(node, 11) then
    return resize(x, entries(inputs[2]))
  end
  local function unless_empty(list)
    return list and not (list.shape and list.shape[1] == 0 or list.value and #list.value == 0) and list or nil
  end
  local scales, sizes = unless_empty(inputs[3]), unless_empty(inputs[4])
  if scales and sizes then
    fail("both scales and sizes are given")
  end
  return resize(x, entries(scales), entries(sizes), ints(node, "axes"),
    word_of(node, "keep_aspect_ratio_policy", "stretch not_larger not_smaller"))
end

-- Upsample-1: height_scale and width_scale; 7: scales; 9: an input.
rules.Upsample = function(node, inputs)
  local height, width = float(node, "height_scale"), float(node, "width_scale")
  if height and width then
    return resize(at(inputs, 1), { 1.0, 1.0, height, width })
  end
  return resize(at(inputs, 1), (list_argument(node, inputs, "scales", 2, floats)))
end

-- Moves blocks of b elements along each spatial axis to the channels, or back.
local function moved_blocks(x, b, deeper)
  local shape = copy(x.shape)
  for i = 3, shape and #shape or 0 do
    local more, less = deeper and 2 or i, deeper and i or 2
    shape[more], shape[less] = mul(shape[more], b), quotient({ shape[less] }, { b })
  end
  return { tensor(x.dtype, shape) }
end
define("DepthToSpace SpaceToDepth", function(node, inputs)
  return moved_blocks(at(inputs, 1), positive(node, "blocksize"), node.op_type == "SpaceToDepth")
end, "NCHW")

---------------------------------------------------------------------------------------------------
-- Convolution and pooling

-- The number of positions of a sliding window along one axis. first, last: the pads before and after the data. With
-- SAME and stride 1, or if the pads compensate for the window, the dim is unchanged; a product that the stride divides
-- is divided if the pads compensate for the last window. may_lack: the window may be longer than the padded data.
local function window(d, kernel, stride, dilation, first, last, auto_pad, ceil_mode, may_lack)
  local same_pad = auto_pad == "SAME_UPPER" or auto_pad == "SAME_LOWER"
  if same_pad then
    local size = stride == 1 and d or is_int(d) and -(-d // stride) or exact_quotient(d, stride)
      or floored(d, stride - 1, stride)
    if may_lack and is_int(d) and is_int(kernel) then
      local room = d + math.max((size - 1) * stride + kernel - d, 0) - (kernel - 1) * dilation - 1
      disagree(size, "the standard", (ceil_mode and -(-room // stride) or truncated(room, stride)) + 1, "ONNX Runtime")
    end
    return size
  elseif not is_int(kernel) then
    return false
  elseif auto_pad == "VALID" then
    first, last = 0, 0
  end
  local reach = (kernel - 1) * dilation + 1
  if stride == 1 and first + last == reach - 1 then
    return d
  elseif not is_int(d) then
    local made_up = (first + last - reach) // stride == -1
    local rest = first + last - reach + stride
    if ceil_mode then -- the last window begins as below
      return floored(d, math.min(rest, first) + stride - 1, stride)
    end
    return made_up and exact_quotient(d, stride) or floored(d, rest, stride)
  end
  local room = d + first + last - reach
  local places = (ceil_mode and -(-room // stride) or truncated(room, stride)) + 1
  if room < 0 and (not may_lack or places < 0) then
    fail("a window of ", reach, " does not fit ", d + first + last)
  elseif not ceil_mode then
    disagree(places, "ONNX Runtime", room // stride + 1, "the standard")
    return places
  end
  -- The last window must begin inside the data or the pads before it (PyTorch's rule too).
  local kept = (places - 1) * stride >= d + first and places - 1 or places
  disagree(kept, "ONNX Runtime", auto_pad == "VALID" and places or kept, "OpenVINO and onnx's shape inference")
  return kept
end

-- A convolution has pads or computes them.
local function no_pads_twice(node, auto_pad)
  if auto_pad and auto_pad ~= "NOTSET" and ints(node, "pads") then
    fail("it has both 'auto_pad' and 'pads'")
  end
end

-- The spatial dims of a window over x, from axis `from` on. kernel: a list of dims, or nil.
local function windows(node, shape, from, kernel, is_pool)
  local n = shape and #shape - from + 1 or kernel and #kernel
  if not n then
    return nil
  elseif kernel and #kernel ~= n then
    fail("a kernel of ", #kernel, " dims over ", n, " dims of data")
  end
  local strides, dilations = spatial_list(node, "strides", n, 1, 1), spatial_list(node, "dilations", n, 1, 1)
  local pads = spatial_list(node, "pads", 2 * n, 0, 0)
  local auto_pad = text(node, "auto_pad", "NOTSET")
  no_pads_twice(node, not is_pool and auto_pad)
  local ceil_mode = int(node, "ceil_mode", 0) == 1
  local out = {}
  for i = 1, n do
    if kernel and compared(kernel[i], 1) == -1 then
      fail("its kernel is ", kernel[i])
    end
    out[i] = window(shape and shape[from + i - 1] or false, kernel and kernel[i] or false,
      strides[i], dilations[i], pads[i], pads[n + i], auto_pad, ceil_mode, is_pool)
  end
  return out
end

local function append(list, more)
  return table.move(more, 1, #more, #list + 1, list)
end

-- The kernel: the dims of the weights after the first two, which the attribute repeats.
local function kernel_of(node, w)
  local given, kernel = ints(node, "kernel_shape"), w.shape and table.move(w.shape, 3, #w.shape, 1, {})
  has_rank(kernel, given and #given, "the kernel without its first two axes")
  for i = 1, given and kernel and #given or 0 do
    kernel[i] = merge(given[i], kernel[i], "axis " .. i - 1 .. " of the kernel")
  end
  return kernel or given
end

local function conv(node, x, w, dtype, bias)
  local group, dims = positive(node, "group", 1), fitting({ x, w, bias or unknown }, "NC_. MK_. M")
  has_rank(w.shape, x.shape and #x.shape, "the kernel")
  merge(dims.C, mul(dims.K, group), "the number of channels")
  quotient({ dims.M }, { group })
  local spatial = windows(node, x.shape, 3, kernel_of(node, w))
  return { tensor(dtype, spatial and append({ dims.N, dims.M }, spatial)) }
end

rules.Conv = function(node, inputs)
  return conv(node, at(inputs, 1), at(inputs, 2), at(inputs, 1).dtype, inputs[3])
end
-- An offset of two numbers, and a mask of one, for each element of the kernel at each place.
define("DeformConv", function(node, inputs)
  local out = conv(node, at(inputs, 1), at(inputs, 2), at(inputs, 1).dtype, inputs[4])
  local kernel, s, groups = kernel_of(node, at(inputs, 2)), out[1].shape, positive(node, "offset_group", 1)
  for place = 3, 5, 2 do
    local numbers = kernel and mul(place == 3 and 2 * groups or groups, product(kernel)) or false
    local wanted = s and append({ s[1], numbers }, table.move(s, 3, #s, 1, {}))
    same_shape(at(inputs, place).shape, wanted, "input " .. place)
  end
  return out
end, "NC_. MK_. ? M")
rules.ConvInteger = function(node, inputs)
  return conv(node, at(inputs, 1), at(inputs, 2), "i32")
end
define("QLinearConv", function(node, inputs)
  return conv(node, at(inputs, 1), at(inputs, 4), at(inputs, 8).dtype or at(inputs, 1).dtype, inputs[9])
end, "NC_. + + MK_. ? ? + + M")

-- MaxPool has a second output: the index of each element.
define("MaxPool AveragePool LpPool", function(node, inputs, dims)
  local x = at(inputs, 1)
  local spatial = windows(node, x.shape, 3, required(ints, node, "kernel_shape"), true)
  local shape = spatial and append({ dims.N, dims.C }, spatial)
  return { tensor(x.dtype, shape), tensor("i64", shape) }
end, "NC_.")

define("GlobalAveragePool GlobalMaxPool GlobalLpPool", function(_, inputs, dims)
  local x = at(inputs, 1)
  return { tensor(x.dtype, x.shape and append({ dims.N, dims.C }, filled(#x.shape - 2, 1))) }
end, "NC_.")

-- stride * (dim - 1) + output_padding + size of the dilated kernel - pads; or output_shape; or with SAME stride * dim, if
-- the pads are then not negative.
local function transposed_window(d, kernel, stride, dilation, more, pads, auto_pad)
  if auto_pad == "SAME_UPPER" or auto_pad == "SAME_LOWER" then
    local reach = is_int(kernel) and more + (kernel - 1) * dilation + 1
    if not reach or reach >= stride then
      return reach and mul(d, stride)
    end
    local size = is_int(d) and stride * (d - 1) + reach
    disagree(size, "ONNX Runtime and OpenVINO", mul(d, stride), "the standard")
    return size
  elseif not is_int(d) or not is_int(kernel) then
    local lost = auto_pad == "VALID" and 0 or pads
    local rest = is_int(kernel) and more + (kernel - 1) * dilation + 1 - stride - lost
    local size = rest and mul(d, stride)
    return rest == 0 and size or size and floored(size, rest, 1)
  end
  local size = stride * (d - 1) + more + (kernel - 1) * dilation + 1
    - (auto_pad == "VALID" and 0 or pads)
  return size >= 0 and size or fail("the pads leave ", size, " elements")
end

define("ConvTranspose", function(node, inputs, dims)
  local x, w = at(inputs, 1), at(inputs, 2)
  local kernel = kernel_of(node, w)
  local n = x.shape and #x.shape - 2 or kernel and #kernel
  if not n then
    return { tensor(x.dtype) }
  end
  local strides, dilations = spatial_list(node, "strides", n, 1, 1), spatial_list(node, "dilations", n, 1, 1)
  local pads, more = spatial_list(node, "pads", 2 * n, 0), spatial_list(node, "output_padding", n, 0)
  local wanted = ints(node, "output_shape")
  if kernel and #kernel ~= n or wanted and #wanted < n then
    fail("its kernel or output_shape is not of ", n, " spatial dims")
  end
  no_pads_twice(node, text(node, "auto_pad"))
  local group = positive(node, "group", 1)
  local shape = { dims.N, mul(dims.M, group) }
  quotient({ merge(dims.C, dims.K, "the number of channels") }, { group })
  merge(dims.B, shape[2], "the bias")
  for i = 1, n do
    local d, k = x.shape and x.shape[i + 2] or false, kernel and kernel[i] or false
    if more[i] < 0 or more[i] >= math.max(strides[i], dilations[i]) then
      fail("its output_padding of ", more[i], " is negative, or not below the stride of ", strides[i], " or the dilation")
    end
    -- Version 1 of the operator also accepted the full shape here.
    local size = wanted and wanted[#wanted - n + i]
    local most = size and is_int(d) and is_int(k) and strides[i] * d + (k - 1) * dilations[i]
    if most and size > most then
      fail("its output_shape is ", size, ", but ", d, " elements make at most ", most)
    end
    shape[i + 2] = size or transposed_window(d, k, strides[i], dilations[i], more[i], pads[i] + pads[n + i],
      text(node, "auto_pad", "NOTSET"))
  end
  return { tensor(x.dtype, shape) }
end, "NC_. KM_. B")

define("MaxUnpool", function(node, inputs, dims)
  local x, wanted = at(inputs, 1), entries(inputs[3])
  same_shape(at(inputs, 2).shape, x.shape, "the tensor of indices")
  local given = wanted and dims_of(wanted)
  if not x.shape then
    return { tensor(x.dtype, given) }
  end
  local n = #x.shape - 2
  local kernel, strides = spatial_list(node, "kernel_shape", n, nil, 1), spatial_list(node, "strides", n, 1, 1)
  local pads = spatial_list(node, "pads", 2 * n, 0)
  if inputs[3] then
    same_shape(given, append({ dims.N, dims.C }, of_rank(n)), "the output")
    return { tensor(x.dtype, given) }
  end
  local shape = copy(x.shape)
  for i, d in ipairs(at(inputs, 2).shape or {}) do -- the indices have the shape of the data
    shape[i] = merge(shape[i], d)
  end
  for i = 1, n do
    shape[i + 2] = transposed_window(shape[i + 2], kernel[i], strides[i], 1, 0, pads[i] + pads[n + i])
  end
  return { tensor(x.dtype, shape) }
end, "NC_. NC_. R")

define("MaxRoiPool", function(node, inputs, dims)
  local size = spatial_list(node, "pooled_shape", 2, nil, 1)
  return { tensor(at(inputs, 1).dtype, { dims.R, dims.C, size[1], size[2] }) }
end, "NCHW R5")
define("RoiAlign", function(node, inputs, dims)
  return { tensor(at(inputs, 1).dtype,
    { dims.R, dims.C, int(node, "output_height", 1), int(node, "output_width", 1) }) }
end, "NCHW R4 R")
define("GridSample", function(_, inputs, dims)
  local x, grid = at(inputs, 1), at(inputs, 2)
  local rank = x.shape and #x.shape or grid.shape and #grid.shape
  has_rank(grid.shape, rank, "the grid")
  merge(grid.shape and grid.shape[rank], rank and rank - 2, "the last dim of the grid")
  if not rank then
    return { tensor(x.dtype) }
  end
  local places = grid.shape and table.move(grid.shape, 2, rank - 1, 1, {}) or of_rank(rank - 2)
  return { tensor(x.dtype, append({ dims.N, dims.C }, places)) }
end, "NC. N.")
define("AffineGrid", function(_, inputs)
  local size = entries(inputs[2])
  if not size then
    return { tensor(at(inputs, 1).dtype) }
  end
  local rank = #size
  local shape = append(dims_of { size[1] }, dims_of(table.move(size, 3, rank, 1, {})))
  same_shape(at(inputs, 1).shape, { shape[1], rank - 2, rank - 1 }, "theta")
  shape[rank] = rank - 2
  return { tensor(at(inputs, 1).dtype, shape) }
end, "N__ R")
-- [N, C * product(block), L] becomes [N, C, image...].
define("Col2Im", function(node, inputs, dims)
  local x, image, block = at(inputs, 1), entries(inputs[2]), entries(inputs[3])
  if not image then
    return { tensor(x.dtype) }
  end
  local places = windows(node, dims_of(image), 1, block and dims_of(block))
  merge(dims.L, product(places), "the number of places")
  return { tensor(x.dtype, append({ dims.N, block and quotient({ dims.C }, dims_of(block)) }, dims_of(image))) }
end, "NCL I I")

---------------------------------------------------------------------------------------------------
-- Matrix products

-- Numpy's matmul: a vector is a row on the left and a column on the right, and that dim is removed from the result.
local function matmul_shape(a, b)
  if not a or not b then
    return nil
  elseif #a == 0 or #b == 0 then
    fail("a factor has rank 0")
  end
  local left = #a == 1 and { 1, a[1] } or a
  local right = #b == 1 and { b[1], 1 } or b
  merge(left[#left], right[#right - 1], "the inner dim")
  local shape = broadcast(table.move(left, 1, #left - 2, 1, {}), table.move(right, 1, #right - 2, 1, {}))
  if #a > 1 then
    shape[#shape + 1] = left[#left - 1]
  end
  if #b > 1 then
    shape[#shape + 1] = right[#right]
  end
  return shape
end

-- The result has the batch dims, the row unless the left factor is a vector, and the column unless the right one is;
-- the inner dim is labelled after them.
local function matmul(dtype, a, b)
  local shape = matmul_shape(a.shape, b.shape)
  if not valued(a, b) then
    return tensor(dtype, shape)
  end
  local left, right = #a.shape > 1 and 1 or 0, #b.shape > 1 and 1 or 0
  local batches, inner = #shape - left - right, #shape + 1
  local function labels_of(rank, ...)
    local labels = {}
    for i = 1, rank - 2 do
      labels[i] = batches - (rank - 2) + i
    end
    return table.move({ ... }, 1, math.min(rank, 2), #labels + 1, labels)
  end
  local of_a = left == 1 and labels_of(#a.shape, batches + 1, inner) or { inner }
  return tensor(dtype, shape, contracted(dtype, shape, { a.shape[#a.shape] }, { a, b },
    { of_a, labels_of(#b.shape, inner, batches + left + 1) }))
end

rules.MatMul = function(_, inputs)
  local a, b = at(inputs, 1), at(inputs, 2)
  return { matmul(a.dtype or b.dtype, a, b) }
end
-- The third and fourth inputs are zero points.
rules.MatMulInteger = function(_, inputs)
  local a, b = at(inputs, 1), at(inputs, 2)
  return { inputs[3] == nil and inputs[4] == nil and matmul("i32", a, b)
    or tensor("i32", matmul_shape(a.shape, b.shape)) }
end
rules.QLinearMatMul = function(_, inputs)
  return { tensor(at(inputs, 8).dtype or at(inputs, 1).dtype, matmul_shape(at(inputs, 1).shape, at(inputs, 4).shape)) }
end

define("Gemm", function(node, inputs, dims)
  local a, b, x, y = at(inputs, 1), at(inputs, 2), { dims.A, dims.B }, { dims.C, dims.D }
  local turn_a, turn_b = int(node, "transA", 0) ~= 0, int(node, "transB", 0) ~= 0
  local inner = merge(x[turn_a and 1 or 2], y[turn_b and 2 or 1], "the inner dim")
  local out = tensor(a.dtype or b.dtype, { x[turn_a and 2 or 1], y[turn_b and 1 or 2] })
  if inputs[3] and inputs[3].shape then -- C is broadcast to the result, never the reverse
    broadcasts_to(inputs[3].shape, out.shape, "C")
  end
  if float(node, "alpha", 1) == 1 and float(node, "beta", 1) == 1 then
    out.value = contracted(out.dtype, out.shape, { inner }, { a, b },
      { turn_a and { 3, 1 } or { 1, 3 }, turn_b and { 2, 3 } or { 3, 2 } })
    out.value = out.value and inputs[3] and mapped(out.dtype, out.shape, add, out, inputs[3])
      or not inputs[3] and out.value or nil
  end
  return { out }
end, "AB CD")

-- Splits a term into its letters before and after the dots; the third result is whether there are dots.
local function einsum_term(term)
  local first, last = term:match("^(%a*)%.%.%.(%a*)$")
  if not first and not term:match("^%a*$") then
    fail("the term '", term, "' is not understood")
  end
  return first or term, last or "", first ~= nil
end

-- Letters are dims, and the same letter is the same dim; dots are dims that broadcast. Without an output term: the
-- dots, then the letters that occur once, capitals first.
rules.Einsum = function(node, inputs)
  local equation = required(text, node, "equation"):gsub("%s", "")
  local left, right = equation:match("^(.-)%->(.*)$")
  left = left or equation
  local dims, count, dots, index = {}, {}, {}, 0
  for term in (left .. ","):gmatch("(.-),") do
    index = index + 1
    local x = inputs[index] or fail("its equation has ", index, " terms and more, but input ", index - 1, " is missing")
    local first, last, dotted = einsum_term(term)
    for letter in (first .. last):gmatch("%a") do
      count[letter] = (count[letter] or 0) + 1
      dims[letter] = dims[letter] or 1
    end
    local middle = x.shape and #x.shape - #first - #last
    if middle and (middle < 0 or middle > 0 and not dotted) then
      fail("the term '", term, "' does not name an input of rank ", #x.shape)
    elseif middle then
      for i = 1, #first do
        dims[first:sub(i, i)] = broadcast_dim(dims[first:sub(i, i)], x.shape[i])
      end
      for i = 1, #last do
        dims[last:sub(i, i)] = broadcast_dim(dims[last:sub(i, i)], x.shape[#x.shape - #last + i])
      end
      dots = dots and broadcast(dots, table.move(x.shape, #first + 1, #first + middle, 1, {}))
    else
      dots = not dotted and dots or nil
      for letter in (first .. last):gmatch("%a") do
        dims[letter] = broadcast_dim(dims[letter], false)
      end
    end
  end
  merge(index, #inputs, "the number of inputs")
  if not right then
    local once = {}
    for letter in ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"):gmatch("%a") do
      once[#once + 1] = count[letter] == 1 and letter or nil
    end
    right = "..." .. table.concat(once)
  end
  local first, last, dotted = einsum_term(right)
  if dotted and not dots then
    return { tensor(at(inputs, 1).dtype) }
  end
  local shape, seen = {}, {}
  for letter in (first .. last):gmatch("%a") do
    if not dims[letter] and not count[letter] or seen[letter] then
      fail("its result has the letter '", letter, seen[letter] and "' twice" or "', which no input has")
    end
    seen[letter] = true
  end
  for letter in first:gmatch("%a") do
    shape[#shape + 1] = dims[letter]
  end
  append(shape, dotted and dots or {})
  for letter in last:gmatch("%a") do
    shape[#shape + 1] = dims[letter]
  end
  return { tensor(at(inputs, 1).dtype, shape) }
end

define("Det", function(_, inputs)
  local x = at(inputs, 1)
  return { tensor(x.dtype, x.shape and table.move(x.shape, 1, #x.shape - 2, 1, {})) }
end, ".NN")

---------------------------------------------------------------------------------------------------
-- Reductions

-- axes: entries, nil if unknown; given: whether there are any. fold combines two elements, starting with `begin`;
-- finish(result, count) computes the final element.
local function reduce(x, axes, given, keep, fold, begin, finish)
  local dtype = x.dtype
  if not x.shape then
    return tensor(dtype)
  end
  local rank = #x.shape
  local gone = given and marked(axes, rank)
  if given and not gone then
    local left = keep and rank or axes and #axes <= rank and rank - #axes
    return tensor(dtype, left and of_rank(left))
  end
  local shape, from = {}, {}
  for i, d in ipairs(x.shape) do
    if given and not gone[i] then
      shape[#shape + 1] = d
      from[i] = #shape
    elseif keep then
      shape[#shape + 1] = 1
    end
  end
  local n = listed(shape)
  if not fold or not x.value or not n or not listed(x.shape) then
    return tensor(dtype, shape)
  end
  local out, strides = filled(n, begin), strides_of(shape)
  each(x.shape, function(number, pos)
    local offset = 1
    for i, p in ipairs(pos) do
      offset = offset + (from[i] and p * strides[from[i]] or 0)
    end
    local so_far = out[offset]
    if so_far == nil then
      out[offset] = x.value[number]
    else
      out[offset] = fold(so_far, x.value[number])
    end
  end)
  local count = n > 0 and product(x.shape) // n or 0
  for i = 1, n do
    local v = out[i] or false -- the largest of no elements is unknown
    out[i] = fit(dtype, v and finish and finish(v, count) or v)
  end
  return tensor(dtype, shape, out)
end

-- Axes: an attribute, or an input since 13 (ReduceSum) or 18 (the others). Without axes, or with an empty list,
-- everything is reduced, unless noop_with_empty_axes is set. fold_of(dtype) returns the fold, nil if the result is
-- uncertain. keeps: the reduction of a single element is that element.
local function reduction(keeps, fold_of, begin, finish)
  return function(node, inputs)
    local x = at(inputs, 1)
    local axes, given = list_argument(node, inputs, "axes", 2)
    has_rank(at(inputs, 2).shape, 1, "the list of axes")
    given = given and not (axes and #axes == 0)
    if not given and int(node, "noop_with_empty_axes", 0) == 1 then
      return { tensor(x.dtype, x.shape, keeps and x.value or nil) }
    end
    local fold = fold_of and fold_of(x.dtype)
    return { reduce(x, axes, given, int(node, "keepdims", 1) == 1, fold, begin, finish) }
  end
end
-- A sum over of(element).
local function sum_of(of)
  return function(dtype)
    local plus = adder(dtype)
    return plus and function(sum, v)
      return plus(sum, of(v))
    end
  end
end
local function magnitude(v)
  return math.type(v) and v < 0 and sub(0, v) or v
end
local function always(f)
  return function() return f end
end
rules.ReduceSum = reduction(true, adder, 0)
rules.ReduceProd = reduction(true, function(dtype) return limits[dtype] and mul end, 1)
rules.ReduceMax = reduction(true, always(larger))
rules.ReduceMin = reduction(true, always(smaller))
rules.ReduceMean = reduction(true, adder, 0, div)
rules.ReduceL1 = reduction(false, sum_of(magnitude), 0)
rules.ReduceSumSquare = reduction(false, sum_of(function(v) return mul(v, v) end), 0)
define("ReduceL2 ReduceLogSum ReduceLogSumExp", reduction())

-- The position, from 0, of the largest element (sign 1) or smallest (-1); of equal ones the first or the last.
local function extreme(x, first, step, d, sign, last)
  local place = 0
  for i = 1, d - 1 do
    local order = compared(x.value[first + i * step], x.value[first + place * step])
    if not order then
      return false
    elseif order * sign > 0 or order == 0 and last then
      place = i
    end
  end
  return d > 0 and place
end

local function arg_extreme(sign)
  return function(node, inputs)
    local x, axis = at(inputs, 1), int(node, "axis", 0)
    local out = reduce(x, { axis }, true, int(node, "keepdims", 1) == 1)
    local value = valued(x) and listed(out.shape) and {} or nil
    if value then
      axis = axis_of(axis, #x.shape)
      each_line(x.shape, axis, function(number, first, step)
        value[number] = extreme(x, first, step, x.shape[axis], sign, int(node, "select_last_index", 0) ~= 0)
      end)
    end
    return { tensor("i64", out.shape, value) }
  end
end
rules.ArgMax = arg_extreme(1)
rules.ArgMin = arg_extreme(-1)

-- The positions 0 to n - 1 in the order of before_(a, b); the sort is stable.
local function sorted_places(n, before_)
  local places = {}
  for i = 1, n do
    places[i] = i - 1
  end
  table.sort(places, function(a, b)
    if before_(a, b) then
      return true
    end
    return not before_(b, a) and a < b
  end)
  return places
end

-- The first k of each line in sorted order, and their positions.
local function top_value(x, axis, k, largest)
  local value, places, strides = {}, {}, nil
  local d, shape = x.shape[axis], copy(x.shape)
  shape[axis] = k
  strides = strides_of(shape)
  each_line(x.shape, axis, function(number, first, step)
    local line = {}
    for i = 0, d - 1 do
      line[i + 1] = x.value[first + i * step]
    end
    local order = all_numbers(line) and sorted_places(d, function(a, b)
      if largest then
        a, b = b, a
      end
      return line[a + 1] < line[b + 1]
    end)
    local to = (number - 1) // step * step * k + (number - 1) % step + 1
    for i = 0, k - 1 do
      places[to + i * strides[axis]] = order and order[i + 1] or false
      value[to + i * strides[axis]] = order and line[order[i + 1] + 1] or false
    end
  end)
  return value, places
end

-- k: an attribute in version 1, an input since 10.
define("TopK", function(node, inputs)
  local x, k = at(inputs, 1), number_argument(node, inputs, "k", 2)
  local shape = copy(x.shape)
  if shape then
    local axis = axis_of(int(node, "axis", -1), #shape)
    if is_int(shape[axis]) and k and k > shape[axis] then
      fail("the ", k, " largest of ", shape[axis])
    end
    local value = at(inputs, 2).value
    shape[axis] = k or value and is_open(value[1]) and value[1] or false
    if k and k >= 0 and valued(x) and int(node, "sorted", 1) == 1 then
      local first, places = top_value(x, axis, k, int(node, "largest", 1) ~= 0)
      return { tensor(x.dtype, shape, first), tensor("i64", shape, places) }
    end
  end
  return { tensor(x.dtype, shape), tensor("i64", shape) }
end, "? 1")

---------------------------------------------------------------------------------------------------
-- Normalizations

-- Outputs after the first are statistics, one for each channel: four, two (version 14), or none.
define("BatchNormalization", function(node, inputs, dims)
  local x, most = at(inputs, 1), before(node, 14) and 5 or int(node, "training_mode", 0) ~= 0 and 3 or 1
  if node.noutputs ~= most and not (before(node, 14) and node.noutputs == 1) then
    fail("it has ", node.noutputs, " outputs, but ", most, before(node, 14) and " or 1" or " with this training_mode")
  end
  local channels = tensor(at(inputs, 4).dtype or x.dtype, { dims.C })
  return { tensor(x.dtype, x.shape), channels, channels, channels, channels }
end, "NC. C C C C")

-- Mean and inverse deviation have 1 in place of each dim from the axis on.
local function layer_normalization(node, inputs)
  local x = at(inputs, 1)
  local stats = copy(x.shape)
  if stats then
    local axis = axis_of(int(node, "axis", -1), #stats)
    for place = 2, at(inputs, 3).shape and 3 or 2 do
      broadcasts_to(at(inputs, place).shape, x.shape, "input " .. place)
    end
    for i = axis, #stats do
      stats[i] = 1
    end
  end
  local statistic = tensor(node.noutputs > 1 and dtype_attribute(node, "stash_type", "f32") or nil, stats)
  return { tensor(x.dtype, x.shape), statistic, statistic }
end
rules.LayerNormalization = layer_normalization
rules.SimplifiedLayerNormalization = layer_normalization -- ONNX Runtime defines it in ONNX's own domain
rules.RMSNormalization = function(node, inputs) -- the result has the type of the scale
  return { tensor(at(inputs, 2).dtype or at(inputs, 1).dtype, layer_normalization(node, inputs)[1].shape) }
end
-- Scale and bias have an element for each channel, before version 21 for each group.
rules.GroupNormalization = function(node, inputs)
  local dims, groups = fitting(inputs, before(node, 21) and "NC. G G" or "NC. C C"), positive(node, "num_groups")
  merge(dims.G, groups, "the number of groups")
  quotient({ dims.C or false }, { groups })
  return same(node, inputs)
end

-- The mask had the type of the data before version 10, and is bool since.
define("Dropout", function(node, inputs)
  local x = at(inputs, 1)
  return { inputs[3] and tensor(x.dtype, x.shape) or x, tensor(before(node, 10) and x.dtype or "bool", x.shape) }
end, "? + +")

define("NegativeLogLikelihoodLoss SoftmaxCrossEntropyLoss", function(node, inputs)
  local x, shape = at(inputs, 1), copy(at(inputs, 2).shape)
  has_rank(shape, x.shape and #x.shape - 1, "the target")
  for i, d in ipairs(shape and x.shape and shape or {}) do -- the shape of the scores without their classes
    shape[i] = merge(d, x.shape[i == 1 and 1 or i + 1] or false)
  end
  local none = word_of(node, "reduction", "mean sum none") == "none"
  return { tensor(x.dtype, not none and {} or shape), tensor(x.dtype, x.shape) }
end, "NC. N. C")

---------------------------------------------------------------------------------------------------
-- Recurrent networks

-- X [seq, batch, input], Y [seq, directions, batch, hidden]; with layout 1 the batch comes first.
local function recurrent(name, gates)
  define(name, function(node, inputs, dims)
    local hidden = int(node, "hidden_size") or dims.H or is_int(dims.G) and dims.G // gates
    local directions = word_of(node, "direction", "forward reverse bidirectional") == "bidirectional" and 2 or 1
    merge(dims.D, directions, "the number of directions")
    merge(dims.G, mul(gates, hidden), "the size of the gates")
    merge(dims.H, hidden, "hidden_size")
    merge(dims.V, mul(2 * gates, hidden), "the bias")
    local y, state = { dims.S, directions, dims.B, hidden }, { directions, dims.B, hidden }
    if int(node, "layout", 0) ~= 0 then
      y, state = { dims.S, dims.B, directions, hidden }, { dims.S, directions, hidden }
    end
    -- With output_sequence=0 (version 1) there is no sequence; Y is then unused.
    local dtype = at(inputs, 1).dtype
    return { tensor(dtype, y), tensor(dtype, state), tensor(dtype, state) }
  end, "SBI DGI DGH DV")
end
recurrent("LSTM", 4)
recurrent("GRU", 3)
recurrent("RNN", 1)

---------------------------------------------------------------------------------------------------
-- Quantization

rules.DynamicQuantizeLinear = function(_, inputs)
  return { tensor("u8", at(inputs, 1).shape), tensor("f32", {}), tensor("u8", {}) }
end
-- The scale is one number, one for each slice of an axis, or one for each block of block_size.
local function along_axis(node, inputs)
  local x, scale = at(inputs, 1).shape, at(inputs, 2).shape
  if int(node, "block_size", 0) ~= 0 then
    has_rank(scale, x and #x, "the scale")
  elseif x and scale and #scale == 1 and scale[1] ~= 1 then
    merge(scale[1], x[axis_of(int(node, "axis", 1), #x)], "the scale")
  end
  local zero = at(inputs, 3).shape
  merge(zero and product(zero), scale and product(scale), "the number of zero points")
end
rules.QuantizeLinear = function(node, inputs)
  along_axis(node, inputs)
  of_type({ dtype = dtype_attribute(node, "output_dtype") }, at(inputs, 3).dtype, "its output_dtype")
  return { tensor(at(inputs, 3).dtype or dtype_attribute(node, "output_dtype", "u8"), at(inputs, 1).shape) }
end
-- Before version 19 the result is f32, then it has the type of the scale; since 23 an attribute can override it.
rules.DequantizeLinear = function(node, inputs)
  along_axis(node, inputs)
  return { tensor(dtype_attribute(node, "output_dtype",
    before(node, 19) and "f32" or at(inputs, 2).dtype), at(inputs, 1).shape) }
end

---------------------------------------------------------------------------------------------------
-- Operators whose output sizes depend on the data

-- One row for each axis of x: the indices of all nonzero elements along it.
rules.NonZero = function(_, inputs)
  local x = at(inputs, 1)
  disagree(x.shape and #x.shape or 1, "the standard", math.max(x.shape and #x.shape or 1, 1), "ONNX Runtime")
  if not valued(x) or #x.shape == 0 or not all_numbers(x.value) then
    return { tensor("i64", { x.shape and #x.shape or false, x.shape and product(x.shape) == 0 and 0 }) }
  end
  local rows, value = {}, {}
  for i = 1, #x.shape do
    rows[i] = {}
  end
  each(x.shape, function(n, pos)
    for i, p in ipairs(x.value[n] ~= 0 and pos or {}) do
      rows[i][#rows[i] + 1] = p
    end
  end)
  for _, row in ipairs(rows) do
    append(value, row)
  end
  return { tensor("i64", { #rows, #rows[1] }, value) }
end
rules.NonMaxSuppression = function() return { tensor("i64", { false, 3 }) } end

-- x flattened.
local function flat(x)
  return tensor(x.dtype, { x.shape and product(x.shape) or false }, x.value)
end

-- Some positions of an axis, which may be unknown.
local function chosen(x, axis, places)
  if not x.shape then
    return tensor(x.dtype)
  end
  return gather(x, tensor("i64", { places and #places or false }, places), axis)[1]
end

-- Without an axis x is flattened. If the condition is shorter than the axis, the rest is left out.
define("Compress", function(node, inputs)
  local condition, axis = at(inputs, 2).value, int(node, "axis")
  local x = axis and at(inputs, 1) or flat(at(inputs, 1))
  local places = condition and whole_list(condition) and {} or nil
  local d = places and x.shape and x.shape[axis_of(axis or 0, #x.shape)]
  if is_int(d) and #condition > d then
    fail("its condition has ", #condition, " elements for an axis of ", d)
  end
  for i, v in ipairs(places and condition or {}) do
    places[#places + 1] = v ~= 0 and i - 1 or nil
  end
  return { chosen(x, axis or 0, places) }
end, "? R")

-- The distinct slices of x along an axis: the position of the first of each kind and how many there are; and for every
-- slice its kind. Sorted, or in order of first occurrence.
local function kinds_of(x, axis, sorted)
  local lists, run = {}, product(x.shape, axis + 1)
  for i = 1, x.shape[axis] do
    lists[i] = {}
  end
  for n, v in ipairs(x.value) do
    append(lists[(n - 1) // run % #lists + 1], { v })
  end
  local function before_(a, b)
    local list, other = lists[a + 1], lists[b + 1]
    for i, v in ipairs(list) do
      if v ~= other[i] then
        return v < other[i]
      end
    end
    return false
  end
  local kinds, kind_at = {}, {}
  for _, place in ipairs(sorted_places(#lists, before_)) do
    local kind = kinds[#kinds]
    if not kind or before_(kind.first, place) then
      kind = { first = place, count = 0 }
      kinds[#kinds + 1] = kind
    end
    kind.count = kind.count + 1
    kind_at[place + 1] = kind
  end
  if not sorted then
    table.sort(kinds, function(a, b) return a.first < b.first end)
  end
  local firsts, counts, which = {}, {}, {}
  for i, kind in ipairs(kinds) do
    firsts[i], counts[i], kind.number = kind.first, kind.count, i - 1
  end
  for i, kind in ipairs(kind_at) do
    which[i] = kind.number
  end
  return firsts, which, counts
end

rules.Unique = function(node, inputs)
  local x, axis = at(inputs, 1), int(node, "axis")
  local list = axis and x or flat(x)
  local known = valued(list) and all_numbers(list.value) and product(list.shape) > 0
  local place = list.shape and axis_of(axis or 0, #list.shape)
  local firsts, which, counts
  if known then
    firsts, which, counts = kinds_of(list, place, int(node, "sorted", 1) == 1)
  end
  local n = firsts and #firsts or false
  return { chosen(list, axis or 0, firsts), tensor("i64", { n }, firsts),
           tensor("i64", { list.shape and list.shape[place] or false }, which), tensor("i64", { n }, counts) }
end
define("Multinomial", function(node, _, dims)
  local dtype = dtype_attribute(node, "dtype", "i32")
  of_places({ dtype = dtype }, "its result")
  if dims.C == 0 then
    fail("there are no classes")
  end
  return { tensor(dtype, { dims.N, positive(node, "sample_size", 1) }) }
end, "NC")

-- The elements of values, off and on, along the new axis. Indices out of range set nothing to on.
local function one_hot(indices, values, axis, shape)
  if not valued(indices, values) or not listed(shape) then
    return nil
  end
  local value, strides = {}, strides_of(indices.shape)
  each(shape, function(n, pos)
    local outer = copy(pos)
    local place = table.remove(outer, axis)
    local index = cast_value(nil, "i64", indices.value[offset_at(outer, strides)])
    index = is_int(index) and index < 0 and index + shape[axis] or index
    value[n] = is_int(index) and values.value[index == place and 2 or 1] or false
  end)
  return value
end

-- Adds an axis whose length is the second input.
define("OneHot", function(node, inputs)
  local indices, depth = at(inputs, 1), at(inputs, 2).value
  if not indices.shape then
    return { tensor(at(inputs, 3).dtype) }
  end
  local shape = copy(indices.shape)
  depth = depth and cast_value(nil, "i64", depth[1]) or false
  local axis = axis_of(int(node, "axis", -1), #shape + 1)
  table.insert(shape, axis, depth)
  return { tensor(at(inputs, 3).dtype, shape, one_hot(indices, at(inputs, 3), axis, shape)) }
end, "_. + 2")

local function like(node, inputs)
  return { tensor(dtype_attribute(node, "dtype", at(inputs, 1).dtype), at(inputs, 1).shape) }
end
define("RandomNormalLike RandomUniformLike Bernoulli", like)

-- k: the diagonal, 0 is the main one.
define("EyeLike", function(node, inputs)
  local out, k = like(node, inputs)[1], int(node, "k", 0)
  if listed(out.shape) and out.dtype then
    local value = {}
    each(out.shape, function(n, pos)
      value[n] = fit(out.dtype, pos[2] - pos[1] == k and 1 or 0)
    end)
    out.value = value
  end
  return { out }
end, "__")
define("RandomNormal RandomUniform", function(node)
  local shape = ints(node, "shape")
  return { tensor(dtype_attribute(node, "dtype", "f32"), shape and copy(shape)) }
end)
rules.ImageDecoder = function(node)
  return { tensor("u8", { false, false, text(node, "pixel_format", "RGB") == "Grayscale" and 1 or 3 }) }
end
rules.StringSplit = function(_, inputs)
  local shape = at(inputs, 1).shape
  return { tensor("string", shape and append(copy(shape), { false })), tensor("i64", shape) }
end
-- As many columns as the largest of ngram_indexes says.
rules.TfIdfVectorizer = function(node, inputs)
  local shape, most = at(inputs, 1).shape, -1
  for _, index in ipairs(required(ints, node, "ngram_indexes")) do
    most = math.max(most, index)
  end
  has_rank(shape, 1, "the input", 2)
  return { tensor("f32", shape and (#shape == 1 and { most + 1 } or { shape[1], most + 1 })) }
end
rules.StringNormalizer = function(node, inputs)
  local shape = at(inputs, 1).shape
  local stop = texts(node, "stopwords")
  has_rank(shape, 1, "the input", 2)
  merge(shape and #shape == 2 and shape[1], 1, "the number of rows")
  if stop and #stop > 0 then
    shape = shape and (#shape == 1 and { false } or { 1, false })
  end
  return { tensor("string", shape) }
end

---------------------------------------------------------------------------------------------------
-- Signals

-- Real [.., n, 1] or complex [.., n, 2]; a onesided result has n // 2 + 1. The axis is an input since version 20.
define("DFT", function(node, inputs)
  local x, length = at(inputs, 1), inputs[2]
  local axis = before(node, 20) and int(node, "axis", 1)
    or not before(node, 20) and (not inputs[3] and -2 or whole(first_of(inputs[3])))
  local one_sided, inverse = int(node, "onesided", 0) ~= 0, int(node, "inverse", 0) ~= 0
  if not x.shape then
    return { tensor(x.dtype) }
  end
  local shape = axis and copy(x.shape) or of_rank(#x.shape)
  if not axis then
    shape = not one_sided and not length and append(table.move(x.shape, 1, #shape - 1, 1, {}), { 2 }) or shape
    return { tensor(x.dtype, shape) }
  end
  axis = axis_of(axis, #shape)
  if axis == #shape then
    fail("axis ", axis - 1, " is that of the real and imaginary parts")
  elseif length then
    shape[axis] = first_of(length)
  end
  if one_sided and inverse then
    merge(x.shape[#shape], 2, "the number of parts of an element")
    shape[axis] = length and shape[axis] or is_int(shape[axis]) and 2 * (shape[axis] - 1)
    shape[#shape] = 1
  else
    if one_sided then
      merge(x.shape[#shape], 1, "the number of parts of an element")
      shape[axis] = is_int(shape[axis]) and shape[axis] // 2 + 1
    end
    shape[#shape] = 2
  end
  return { tensor(x.dtype, shape) }
end, "? + +")
-- [batch, frames, bins, 2]
define("STFT", function(node, inputs)
  local x, window_ = at(inputs, 1), at(inputs, 3)
  local step, length = first_of(inputs[2]), inputs[4] and first_of(inputs[4])
  length = length or not inputs[4] and window_.shape and window_.shape[1] or false
  local known = x.shape and is_int(x.shape[2]) and is_int(step) and is_int(length)
  has_rank(x.shape, 2, "the signal", 3)
  if x.shape and is_int(x.shape[3]) and (x.shape[3] < 1 or x.shape[3] > 2) then
    fail("its elements have ", x.shape[3], " parts, not 1 or 2")
  elseif known and step < 1 then
    fail("its frames are ", step, " elements apart")
  elseif known and (length < 0 or length > x.shape[2]) then
    fail("its frames have ", length, " elements of ", x.shape[2])
  end
  local bins = length
  if int(node, "onesided", 1) ~= 0 then
    bins = is_int(length) and length // 2 + 1
  end
  return { tensor(x.dtype, { x.shape and x.shape[1] or false,
                             known and (x.shape[2] - length) // step + 1 or false, bins, 2 }) }
end, "? + ? -")
define("MelWeightMatrix", function(node, inputs)
  local sizes = dims_of { first_of(inputs[1]), first_of(inputs[2]) }
  return { tensor(dtype_attribute(node, "output_datatype", "f32"),
    { is_int(sizes[2]) and sizes[2] // 2 + 1, sizes[1] }) }
end, "+ + + + +")

---------------------------------------------------------------------------------------------------
-- Attention

-- The data is [batch, heads, length, size] or, with num_heads, [batch, length, heads * size].
rules.RotaryEmbedding = function(node, inputs)
  local x, caches = at(inputs, 1).shape, at(inputs, 2).shape
  has_rank(x, 3, "the input", 4)
  if x and #x == 3 and int(node, "num_heads", 0) < 1 then
    fail("its num_heads is missing")
  elseif inputs[4] then
    has_rank(caches, 2, "the cache")
  elseif x and caches and #caches == 3 then
    merge(caches[1], x[1], "the batch")
    merge(caches[2], x[#x - 1], "the length")
  end
  same_shape(at(inputs, 3).shape, caches, "the second cache")
  return same(node, inputs)
end

-- Q, K, V are [batch, heads, length, size], or [batch, length, heads * size] with the numbers of heads as attributes.
-- The result has the shape of Q with the size of V. The length of present key and value is past + new.
define("Attention", function(node, inputs, dims)
  local q, k, v = at(inputs, 1), at(inputs, 2), at(inputs, 3)
  local rank = q.shape and #q.shape or k.shape and #k.shape or v.shape and #v.shape
  if not rank then
    return { tensor(q.dtype), tensor(k.dtype), tensor(v.dtype), tensor(q.dtype) }
  elseif (inputs[5] == nil) ~= (inputs[6] == nil) or node.noutputs < 3 and (inputs[5] or node.noutputs == 2) then
    fail("of past and present keys and values it has some, but not all")
  end
  local function four(x, name)
    local heads = int(node, name, 0)
    heads = heads > 0 and heads
    has_rank(x.shape, rank, "one of query, key and value")
    if not x.shape then
      return of_rank(4)
    elseif rank == 4 then
      merge(heads, x.shape[2], "the number of heads")
      return not before(node, 25) and int(node, name) and fail("its ", name, " is for inputs of rank 3") or x.shape
    end
    has_rank(x.shape, 3)
    return { dims.B, heads or fail("its attribute '", name, "' is not a number from 1 on"), x.shape[2],
             quotient({ x.shape[3] }, { heads }) }
  end
  local past_k, past_v = at(inputs, 5).shape or of_rank(4), at(inputs, 6).shape or of_rank(4)
  local qs, ks, vs = four(q, "q_num_heads"), four(k, "kv_num_heads"), four(v, "kv_num_heads")
  local heads, length = merge(merge(merge(ks[2], vs[2]), past_k[2]), past_v[2]), merge(ks[3], vs[3])
  quotient({ qs[2] }, { heads })
  local size, v_size = merge(merge(qs[4], ks[4], "the size of a head"), past_k[4]), merge(vs[4], past_v[4])
  local total = inputs[5] and past_k[3] and length and add(past_k[3], length) or not inputs[5] and length
  local mask = copy(at(inputs, 4).shape)
  if mask and not before(node, 24) and is_int(mask[#mask]) and is_int(total) and mask[#mask] < total then
    mask[#mask] = total -- the rest is masked out
  end
  local scores = { dims.B, qs[2], qs[3], total }
  broadcasts_to(mask, scores, "the mask")
  return { tensor(q.dtype, rank == 3 and { dims.B, qs[3], mul(qs[2], v_size) } or { dims.B, qs[2], qs[3], v_size }),
           tensor(k.dtype, { dims.B, heads, total, size }), tensor(v.dtype, { dims.B, heads, total, v_size }),
           tensor(q.dtype, scores) }
end, "B. B. B. _. B___ B___ B")

-- Query [batch, length, heads * k], value [batch, length, kv_heads * v]: the result [batch, length, heads * v], the state
-- [batch, kv_heads, k, v]. com.microsoft's can have more kv_heads than heads, and states of the last positions.
local function linear_attention(node, inputs, dims)
  local q, heads, kv_heads = at(inputs, 1), positive(node, "q_num_heads"), positive(node, "kv_num_heads")
  local size, slots = quotient({ dims.V }, { kv_heads }), int(node, "state_window", 0)
  local state = { dims.N, kv_heads, quotient({ dims.Q }, { heads }), size }
  same_shape(at(inputs, 4).shape, slots == 0 and state or nil, "the state")
  return { tensor(q.dtype, { dims.N, dims.T, mul(size, math.max(heads, kv_heads)) }),
           tensor(at(inputs, 4).dtype or q.dtype, slots > 0 and append({ slots }, state) or state) }
end
define("LinearAttention", function(node, inputs, dims)
  local heads, kv_heads = positive(node, "q_num_heads"), positive(node, "kv_num_heads")
  quotient({ heads }, { kv_heads })
  merge(dims.K, mul(quotient({ dims.Q }, { heads }), kv_heads), "the size of the keys")
  return linear_attention(node, inputs, dims)
end, "NTQ NTK NTV N___")

-- The state is the data that the convolution reads before the first element: kernel - 1 elements.
define("CausalConvWithState", function(_, inputs, dims)
  local x, state = at(inputs, 1), { dims.N, dims.C, is_int(dims.K) and dims.K - 1 }
  same_shape(at(inputs, 4).shape, state, "the state")
  return { tensor(x.dtype, x.shape), tensor(x.dtype, state) }
end, "NCT C1K C NCS")

---------------------------------------------------------------------------------------------------
-- Sequences, whose tensors have facts of their own. The tool implements SequenceAt, which needs no rule.

-- The parts that SplitToSequence makes: their lengths, and whether the axis is removed from each.
local function sequence_parts(node, inputs, d)
  if inputs[2] == nil then
    return is_int(d) and d <= MAX_VALUES and filled(d, 1), int(node, "keepdims", 1) == 0
  end
  local given, list = inputs[2], whole_list(entries(inputs[2]))
  of_places(given, "the input 'split'")
  has_rank(given.shape, 0, "the input 'split'", 1)
  for _, length in ipairs(given.shape and #given.shape == 1 and list or {}) do
    if length < 0 then
      fail("a length is ", length)
    end
  end
  if not list or not given.shape or #given.shape > 0 then
    return given.shape and list and dims_of(list)
  end
  local chunk, lengths = list[1], {}
  if chunk < 1 then
    fail("its parts have ", chunk, " each, which is not a number of at least 1")
  elseif not is_int(d) or d // chunk >= MAX_VALUES then
    return nil
  end
  for start = 0, d - 1, chunk do
    lengths[#lengths + 1] = math.min(chunk, d - start)
  end
  return lengths
end

rules.SplitToSequence = function(node, inputs)
  local x, axis = at(inputs, 1), int(node, "axis", 0)
  local lengths, bare = sequence_parts(node, inputs, x.shape and x.shape[axis_of(axis, #x.shape)])
  if not x.shape or not lengths then
    return { unknown }
  end
  local parts = split(x, axis, lengths, #lengths)
  for i = 1, bare and #parts or 0 do
    parts[i] = squeeze(parts[i], { axis }, true)[1]
  end
  return { { sequence = parts } }
end

rules.SequenceConstruct = function(_, inputs)
  local dtype
  for i, x in ipairs(inputs) do
    dtype = of_type(x, dtype, "input " .. i)
  end
  return { { sequence = inputs } }
end

-- A position in a sequence: nil if unknown. Without an input it is the end.
local function place_in(inputs, index, count, last)
  local given = inputs[index]
  local place = first_of(given)
  if given == nil then
    return last
  end
  of_places(given, "the index")
  if is_int(place) and (place < -count or place > last) then
    fail("index ", place, " is outside a sequence of ", count, " tensors")
  end
  return is_int(place) and (place < 0 and place + count or place) or nil
end

rules.SequenceInsert = function(_, inputs)
  local list, x = at(inputs, 1).sequence, at(inputs, 2)
  local place = list and place_in(inputs, 3, #list, #list)
  if not place then
    return { unknown }
  end
  of_type(x, list[1] and list[1].dtype, "the tensor")
  local out = copy(list)
  table.insert(out, place + 1, x)
  return { { sequence = out } }
end

rules.SequenceErase = function(_, inputs)
  local list = at(inputs, 1).sequence
  local place = list and #list > 0 and place_in(inputs, 2, #list, #list - 1)
  if not place then
    return { unknown }
  end
  local out = copy(list)
  table.remove(out, place + 1)
  return { { sequence = out } }
end

rules.SequenceEmpty = function()
  return { { sequence = {} } }
end

-- Concatenates the tensors along an axis, or stacks them along a new one.
rules.ConcatFromSequence = function(node, inputs)
  local list, axis, each = at(inputs, 1).sequence, required(int, node, "axis"), at(inputs, 1).each
  if each and each.shape then -- of unknown length
    local one = int(node, "new_axis", 0) ~= 0 and unsqueeze(each, { axis })[1] or tensor(each.dtype, each.shape)
    local shape = copy(one.shape)
    shape[axis_of(axis, #shape)] = false
    return { tensor(one.dtype, shape) }
  elseif not list or #list == 0 then
    return { unknown }
  elseif int(node, "new_axis", 0) ~= 0 then
    local apart = {}
    for i, x in ipairs(list) do
      apart[i] = unsqueeze(x, { axis })[1]
    end
    list = apart
  end
  return concat(list, axis)
end

rules.SequenceLength = function(_, inputs)
  local list = at(inputs, 1).sequence
  return { tensor("i64", {}, list and { #list }) }
end

-- Operators whose output shape cannot be inferred. The rule shows a user that the operator is known. Optionals are
-- below.
define("SequenceAt SequenceMap", unknown_outputs)
-- An optional that contains a tensor is treated as that tensor; one that may be empty is unknown.
rules.Optional = function(_, inputs) return { at(inputs, 1) } end
rules.OptionalGetElement = rules.Optional
rules.OptionalHasElement = function(_, inputs)
  local known = not inputs[1] and 0 or inputs[1].shape and 1
  return { tensor("bool", {}, known and { known } or nil) }
end

---------------------------------------------------------------------------------------------------
-- com.microsoft: ONNX Runtime's ContribOperators.md

-- A rule for some of the inputs, without their elements: quantized operators have a scale and a zero point after each
-- tensor, and fused ones change the result.
local function at_places(places, rule)
  return function(node, inputs)
    local chosen = {}
    for i, place in ipairs(places) do
      chosen[i] = tensor(at(inputs, place).dtype, at(inputs, place).shape)
    end
    return rule(node, chosen)
  end
end

microsoft([[Gelu QuickGelu BiasAdd GemmaRotaryEmbedding
  QLinearLeakyRelu QLinearSigmoid GroupNorm SkipGroupNorm QMoE
  BiasSoftmax GatedRelativePositionBias BiasDropout BitmaskDropout BitmaskBiasDropout
  QOrderedGelu QOrderedLayerNormalization LongformerAttention]], same)
microsoft("BiasGelu FastGelu", same, ".D D")
microsoft("Inverse", same, ".NN")
microsoft("ScaledSiLU", same, "? -")
-- The positions are [batch, length], or the first one alone; MRotaryEmbedding has three of them. The caches have half a
-- head, unless num_heads is given.
microsoft("RotaryEmbedding MRotaryEmbedding", function(node, inputs, dims)
  local x, places, three = at(inputs, 1).shape, at(inputs, 2).shape, node.op_type == "MRotaryEmbedding"
  has_rank(x, 3, "the input", 4)
  if three or places and #places > 1 then
    same_shape(places, x and append(three and { 3 } or {}, { x[1], x[#x - 1] }), "the positions")
  else
    one_element(inputs[2], "the positions")
  end
  if x and #x == 3 then
    local heads = three and positive(node, "num_heads") or int(node, "num_heads", 0)
    quotient({ x[3] }, { heads > 0 and heads or mul(2, dims.D) })
  end
  return same(node, inputs)
end, "? ? SD SD")
microsoft("MoE", function(node, inputs, dims)
  local fused = text(node, "activation_type", "relu"):match("glu$") and int(node, "swiglu_fusion", 0) ~= 0
  local shape = at(inputs, 1).shape
  merge(dims.F, mul(dims.I, fused and 2 or 1), "the size of an expert")
  has_rank(shape, 2, "the input", 3)
  merge(shape and product(shape, 1, #shape - 1), dims.N, "the number of tokens")
  return same(node, inputs)
end, ".H NE EFH EF EHI EH EIH EI")

-- The distinct elements in order of first occurrence, the index of each element among them, and their counts.
microsoft("Unique", function(node, inputs)
  local out = rules.Unique({ attributes = { sorted = 0 } }, inputs)
  return { out[1], out[3], out[4] }
end, "N")
for _, name in ipairs { "QuantizeLinear", "GridSample", "Trilu", "Range", "GatherND" } do
  microsoft(name, rules[name])
end
microsoft("Pad", function(node, inputs) -- its pads can be a matrix of one row
  local pads = at(inputs, 2).shape
  same_shape(pads, pads and #pads ~= 1 and { 1, false } or pads, "the list of pads")
  return any_pad(node, inputs)
end)
microsoft("MaxpoolWithMask", function(node, inputs)
  local x = at(inputs, 1).shape
  same_shape(at(inputs, 2).shape, x and append(of_rank(2), table.move(x, 3, #x, 1, {})), "the mask")
  return rules.MaxPool(node, inputs)
end)
-- The result has the type of the scale.
microsoft("DequantizeLinear", function(node, inputs)
  along_axis(node, inputs)
  return { tensor(at(inputs, 2).dtype, at(inputs, 1).shape) }
end)

microsoft("QLinearSoftmax", rules.Softmax)
microsoft("GatedRMSNorm", function(node, inputs)
  same_shape(at(inputs, 3).shape, at(inputs, 1).shape, "the gate")
  return same(node, inputs)
end, ".D D")
microsoft("NGramRepeatBlock", function(_, inputs) return { at(inputs, 2) } end, "BS BV")
microsoft("QuantizeWithOrder", function(_, inputs) return { tensor("i8", at(inputs, 1).shape) } end)
microsoft("DequantizeWithOrder", function(node, inputs)
  return { tensor(dtype_attribute(node, "to", "f32"), at(inputs, 1).shape) }
end)

microsoft("FusedConv", rules.Conv)
microsoft("FusedGemm", at_places({ 1, 2, 3 }, rules.Gemm))
microsoft("GemmFastGelu", at_places({ 1, 2 }, rules.MatMul))
microsoft("LayerNormalization SimplifiedLayerNormalization", layer_normalization)

-- transBatchA: the matrix dims are the first and the last; all between are batches.
local function fused_factor(shape, turn, turn_batch)
  if not shape or #shape < 2 then
    return shape
  end
  local out, rank = copy(shape), #shape
  if turn_batch then
    table.insert(out, rank - 1, table.remove(out, 1))
  end
  if turn then
    out[rank - 1], out[rank] = out[rank], out[rank - 1]
  end
  return out
end
local function fused_matmul(node, inputs)
  local a, b = at(inputs, 1), at(inputs, 2)
  local function on(name)
    return int(node, name, 0) ~= 0
  end
  if (on "transBatchA" or on "transBatchB") and a.shape and b.shape and (#a.shape ~= #b.shape or #a.shape < 3) then
    fail("transBatchA and transBatchB need factors of the same rank, at least 3")
  end
  return { tensor(a.dtype, matmul_shape(fused_factor(a.shape, on "transA", on "transBatchA"),
    fused_factor(b.shape, on "transB", on "transBatchB"))) }
end
microsoft("FusedMatMul TransposeMatMul FusedMatMulActivation", fused_matmul)
microsoft("MatMulInteger16", rules.MatMulInteger)
-- The result is f32 for all quantized types of the factors.
local function float_matmul(scale)
  return function(_, inputs, dims)
    broadcasts_to(at(inputs, scale).shape, { dims.N }, "the scale")
    return { tensor("f32", matmul_shape(at(inputs, 1).shape, at(inputs, 2).shape)) }
  end
end
microsoft("DynamicQuantizeMatMul", float_matmul(3), "? .N ? ? N")
microsoft("MatMulIntegerToFloat", float_matmul(4), "? .N ? ? ? ? N")

-- The second factor is packed; its dims K and N are attributes.
microsoft("MatMulNBits MatMulBnb4", function(node, inputs)
  local a = at(inputs, 1)
  local shape = copy(a.shape)
  if shape then
    merge(shape[#shape], int(node, "K", false), "the inner dim")
    shape[#shape] = int(node, "N", false)
  end
  return { tensor(a.dtype, shape) }
end, "_.")
microsoft("MatMulFpQ4", function(_, inputs)
  local a, b = at(inputs, 1), entries(inputs[3])
  return { tensor(a.dtype, b and matmul_shape(a.shape, dims_of(b))) }
end)

-- Result, mean, inverse deviation, and the sum that was normalized.
microsoft("SkipLayerNormalization SkipSimplifiedLayerNormalization", function(_, inputs)
  local x = at(inputs, 1)
  broadcasts_to(at(inputs, 2).shape, x.shape, "what is added")
  local stats = copy(x.shape)
  if stats and #stats > 0 then
    stats[#stats] = 1
  end
  local whole_, statistic = tensor(x.dtype, x.shape), tensor("f32", stats)
  return { whole_, statistic, statistic, whole_ }
end, ".SD .SD D D D")

microsoft("TorchEmbedding", function(_, inputs, dims)
  local shape = at(inputs, 2).shape
  return { tensor(at(inputs, 1).dtype, shape and append(copy(shape), { dims.D })) }
end, "VD")

-- input_ids, segment_ids, word_embedding, ... The result is [batch, length, hidden], the mask [batch], then the sum.
-- For quantized tables the ninth input is the scale.
microsoft("EmbedLayerNormalization QEmbedLayerNormalization", function(node, inputs, dims)
  local dtype = at(inputs, 3).dtype
  if node.op_type == "QEmbedLayerNormalization" then
    dtype = at(inputs, 9).dtype or "f32"
  end
  local sum = tensor(dtype, { dims.B, dims.S, dims.H })
  return { sum, tensor("i32", { dims.B }), sum }
end, "BS BS VH PH TH H H BS")

-- The query is [batch, length, heads * size], or has key and value packed after it. The cache is [batch, kv_heads,
-- length, size]; its length is known only at run time.
microsoft("GroupQueryAttention SparseAttention", function(node, inputs, dims)
  local q, heads, kv, hidden = at(inputs, 1), positive(node, "num_heads"), positive(node, "kv_num_heads"), dims.H
  if not inputs[2] then
    hidden = is_int(hidden) and hidden // (heads + 2 * kv) * heads
  end
  local size = dims.K or is_int(hidden) and hidden // heads
  local cache = tensor(at(inputs, 4).dtype or q.dtype, { dims.B, kv, false, size })
  return { tensor(q.dtype, { dims.B, dims.T, hidden }), cache, cache }
end, "BTH ? ? ___K")

-- The value is [batch, length, hidden] or [batch, heads, length, size]; packed queries have rank 5.
microsoft("MultiHeadAttention", function(node, inputs, dims)
  local q, v = at(inputs, 1), at(inputs, 3)
  local heads = positive(node, "num_heads")
  has_rank(q.shape, 3, "the query", 5)
  if inputs[3] and not inputs[2] then
    fail("it has a value, but no key")
  elseif not q.shape then
    return { tensor(q.dtype, of_rank(3)) }
  elseif #q.shape == 5 then -- [batch, length, heads, 3, size]
    return { tensor(q.dtype, { q.shape[1], q.shape[2], mul(q.shape[3], q.shape[5]) }) }
  end
  local k = at(inputs, 2).shape
  has_rank(v.shape, k and #k, "the value")
  same_shape(k and #k == 4 and v.shape or nil, k, "the value")
  has_rank(not inputs[3] and k or nil, 5, "what has keys and values")
  merge(#q.shape == 3 and k and #k == 3 and q.shape[3], k and k[3], "the size of query and key")
  merge(dims.N, heads, "the number of heads")
  local of_v = v.shape or {} -- none if keys and values are packed: [batch, length, heads, 2, size]
  local hidden = #of_v == 3 and of_v[3] or #of_v == 4 and mul(of_v[2], of_v[4])
    or inputs[2] ~= nil and not inputs[3] and q.shape[3]
  local function present(x, past, size) -- [batch, heads, length, size]
    local s = x and x.shape or {}
    local length, last = s[#s == 4 and 3 or 2] or false, s[#s == 4 and 4 or 5] or quotient({ s[3] or false }, { heads })
    merge(#s == 4 and s[2], heads, "the number of heads")
    if past then
      length = past.shape and #past.shape == 4 and add(past.shape[3], length) or false
    end
    return tensor(q.dtype, { q.shape[1], heads, length, merge(last, size, "the size of a head") })
  end
  local first, second = present(inputs[2], inputs[7], dims.K), present(inputs[3] or inputs[2], inputs[8], dims.V)
  merge(first.shape[3], second.shape[3], "the length of keys and values")
  return { tensor(q.dtype, { q.shape[1], q.shape[2], hidden }), first, second,
           tensor(q.dtype, { q.shape[1], heads, q.shape[2], first.shape[3] }) }
end, "B. B. B. ? ? ? BNPK BNPV")

-- Input [batch, length, in], weights [in, q + k + v]; the three sizes are equal without qkv_hidden_sizes.
local function value_size(node, dims)
  local sizes = ints(node, "qkv_hidden_sizes")
  merge(sizes and #sizes, 3, "the number of qkv_hidden_sizes")
  return sizes and sizes[3] or quotient({ dims.H }, { 3 })
end
local function packed_attention(node, inputs, dims)
  local quantized, heads, hidden = node.op_type == "QAttention", positive(node, "num_heads"), value_size(node, dims)
  local past, length = inputs[quantized and 9 or 5], dims.T
  local dtype = quantized and at(inputs, 4).dtype or at(inputs, 1).dtype
  merge(dims.N, heads, "the number of heads")
  local size = merge(dims.K, quotient({ hidden }, { heads }), "the size of a head")
  if past then
    length = int(node, "past_present_share_buffer", 0) == 0 and add(dims.P, length) or dims.P
  end
  return { tensor(dtype, { dims.B, dims.T, hidden }),
           tensor(past and past.dtype or dtype, { 2, dims.B, heads, length, size }) }
end
microsoft("Attention DecoderMaskedSelfAttention", packed_attention, "BTD DH H ? 2BNPK")
microsoft("QAttention", packed_attention, "BTD DH H - ? ? ? ? 2BNPK")
-- The tokens of all sequences in a row: [tokens, hidden].
microsoft("PackedMultiHeadAttention", function(node, inputs)
  local q, value = at(inputs, 1), at(inputs, 3)
  local packed = q.shape and #q.shape == 4 -- [tokens, heads, 3, size]
  return { tensor(q.dtype, { q.shape and q.shape[1] or false,
    packed and mul(q.shape[2], q.shape[4]) or not packed and value.shape and value.shape[2] or false }) }
end)
microsoft("PackedAttention", function(node, inputs, dims)
  return { tensor(at(inputs, 1).dtype, { dims.T, value_size(node, dims) }) }
end, "TD DH H")
microsoft("LinearAttention", function(node, inputs, dims)
  local window = int(node, "state_window", 0)
  if window < 0 or window > 8 then
    fail("its state_window is ", window, ", not 0 to 8")
  end
  return linear_attention(node, inputs, dims)
end, "NTQ NT_ NTV")
-- The pads are an input.
microsoft("ConvTransposeWithDynamicPads", function(node, inputs)
  local pads = entries(inputs[3] or fail("its pads are missing"))
  node.attributes.auto_pad = text(node, "auto_pad") ~= "VALID" and text(node, "auto_pad") or nil
  node.attributes.pads = pads and whole_list(pads) or nil
  local out = rules.ConvTranspose(node, { inputs[1], inputs[2], inputs[4] })
  for i = 3, inputs[3] and not node.attributes.pads and out[1].shape and #out[1].shape or 0 do
    out[1].shape[i] = false
  end
  return out
end)
-- Processes one token at a time. Its present outputs depend on whether they share a buffer with the past, so they are
-- left unknown.
microsoft("DecoderMaskedMultiHeadAttention", function(node, inputs)
  return { rules["com.microsoft.MultiHeadAttention"](node, inputs)[1] }
end)

-- A table of [buckets, heads] becomes [1, heads, query, key].
microsoft("RelativePositionBias", function(_, inputs)
  local buckets = at(inputs, 1)
  local function length(i)
    return (dims_of(entries(inputs[i]) or {}))[1] or false
  end
  return { tensor(buckets.dtype, { 1, buckets.shape and buckets.shape[2] or false, length(2), length(3) }) }
end)

microsoft("QLinearAdd QLinearMul", at_places({ 1, 4 }, binary()))
microsoft("MulInteger", at_places({ 1, 3 }, binary(nil, "i32")))
microsoft("ComplexMul ComplexMulConj", binary())
microsoft("ReduceSumInteger", function(node, inputs)
  local out = at_places({ 1 }, rules.ReduceMean)(node, inputs)
  return { tensor(at(inputs, 1).dtype == "u8" and "u32" or "i32", out[1].shape) }
end)
microsoft("QOrderedMatMul", function(_, inputs)
  return { tensor("i8", matmul_shape(at(inputs, 1).shape, at(inputs, 3).shape)) }
end)
microsoft("DynamicQuantizeLSTM", function(node, inputs) -- its weights are transposed
  local function turned(i)
    return transpose(tensor(nil, at(inputs, i).shape), { 0, 2, 1 })[1]
  end
  return rules.LSTM(node, { inputs[1], turned(2), turned(3), inputs[4] })
end)

-- A table quantized in blocks. Elements of fewer than 8 bits are packed into u8 along the last dim. Floats can share
-- scales along other axes, and have one block with a block_size of 0.
microsoft("GatherBlockQuantized", function(node, inputs)
  local x, scales = at(inputs, 1), at(inputs, 3)
  local shape = copy(x.shape)
  if shape and #shape > 0 and x.dtype == "u8" then
    shape[#shape] = mul(shape[#shape], 8 // positive(node, "bits", 4))
  elseif shape and #shape > 0 and not x.dtype then
    shape[#shape] = false
  end
  if shape and scales.shape then
    local wanted, axis, is_float = copy(shape), axis_of(int(node, "quantize_axis", 1), #shape), (x.dtype or ""):match("^f")
    local block = is_float and int(node, "block_size", 128) == 0 and math.maxinteger or positive(node, "block_size", 128)
    wanted[axis] = is_int(wanted[axis]) and -(-wanted[axis] // block)
    has_rank(scales.shape, #shape, "the scales")
    merge(x.dtype == "u8" and axis_of(int(node, "gather_axis", 0), #shape) - 1, 0, "the gather_axis of u8")
    local check = is_float and broadcasts_to or same_shape
    check(scales.shape, wanted, "the scales")
  end
  return gather(tensor(scales.dtype, shape), at(inputs, 2), int(node, "gather_axis", 0))
end)
microsoft("QLinearReduceMean", at_places({ 1 }, rules.ReduceMean))
microsoft("QLinearWhere", at_places({ 1, 2, 5 }, rules.Where))
-- The inputs begin with the scale and zero point of the result.
microsoft("QLinearConcat", function(node, inputs)
  local places = {}
  for i = 3, #inputs, 3 do
    places[#places + 1] = inputs[i] and i or fail("input ", i, " is missing")
  end
  merge(#inputs % 3, 2, "the number of inputs modulo 3")
  return at_places(places, function(_, list)
    return concat(list, required(int, node, "axis"))
  end)(node, inputs)
end)
microsoft("QGemm", function(node, inputs)
  local out = at_places({ 1, 4, 7 }, rules.Gemm)(node, inputs)[1]
  return { tensor(inputs[9] and inputs[9].dtype or "f32", out.shape) }
end, "__ ? ? __")

-- The channels are the last dim: always, or with channels_last.
local function channels_first(shape)
  return append({ shape[1], shape[#shape] }, table.move(shape, 2, #shape - 1, 1, {}))
end
local function channels_behind(rule)
  return function(node, inputs)
    local x = at(inputs, 1)
    if not x.shape or #x.shape < 2 then
      return { tensor(x.dtype) }
    end
    local out = rule(node, { tensor(x.dtype, channels_first(x.shape)), table.unpack(inputs, 2, 9) })[1]
    local s = out.shape
    return { tensor(out.dtype, append(append({ s[1] }, table.move(s, 3, #s, 1, {})), { s[2] })) }
  end
end
local function channels_last(rule)
  local behind = channels_behind(rule)
  return function(node, inputs)
    return (int(node, "channels_last", 0) == 0 and rule or behind)(node, inputs)
  end
end
microsoft("QLinearGlobalAveragePool", channels_last(rules.GlobalAveragePool))
microsoft("QLinearAveragePool", channels_last(rules.MaxPool))
microsoft("NhwcMaxPool", channels_behind(rules.MaxPool))

microsoft("QLinearConv", channels_last(rules.QLinearConv))

-- [batch, height, width, channels], kernels [out, height, width, in].
microsoft("NhwcConv NhwcFusedConv", channels_behind(function(node, inputs)
  local w = at(inputs, 2)
  return rules.Conv(node, { inputs[1], tensor(w.dtype, w.shape and channels_first(w.shape)), inputs[3] })
end))

-- Half of the last dim is the gate.
microsoft("BiasSplitGelu", function(_, inputs)
  local x = at(inputs, 1)
  local shape = copy(x.shape)
  if shape then
    shape[#shape] = is_int(shape[#shape]) and shape[#shape] // 2
  end
  return { tensor(x.dtype, shape) }
end)
microsoft("ExpandDims", function(_, inputs)
  one_element(inputs[2], "the axis")
  return unsqueeze(at(inputs, 1), entries(inputs[2]))
end)
microsoft("MurmurHash3", function(node, inputs)
  return { tensor(int(node, "positive", 1) == 1 and "u32" or "i32", at(inputs, 1).shape) }
end)
-- The distance of each row of one input to each row of the other.
microsoft("CDist", function(_, inputs, dims)
  return { tensor(at(inputs, 1).dtype, { dims.N, dims.M }) }
end, "ND MD")
-- Overlapping windows of a dim, `step` apart; their size becomes the last dim.
microsoft("UnfoldTensor", function(node, inputs)
  local x, size = at(inputs, 1), positive(node, "size")
  local shape = copy(x.shape)
  if shape then
    local axis = axis_of(int(node, "dim", -1), #shape)
    local d = shape[axis]
    if compared(size, d) == 1 then
      fail("a window of ", size, " does not fit ", d)
    end
    shape[axis] = is_int(d) and (d - size) // positive(node, "step", 1) + 1
    shape = append(shape, { size })
  end
  return { tensor(x.dtype, shape) }
end)
-- Rectangles of [batch, channels, height, width], resized to one size.
microsoft("CropAndResize", function(_, inputs, dims)
  local crop = dims_of(entries(inputs[4]) or {})
  if crop[1] == 0 or crop[2] == 0 then
    fail("a side of the result is 0")
  end
  return { tensor(at(inputs, 1).dtype, { dims.R, dims.C, crop[1] or false, crop[2] or false }) }
end, "NCHW R4 R 2")
microsoft("IsAllFinite", function() return { tensor("bool", {}) } end)

ml("Imputer Binarizer", same)
local function rows_of(x) -- a vector is one row
  has_rank(x.shape, 1, "the input", 2)
  return x.shape and (#x.shape == 1 and 1 or x.shape[1]) or false
end
ml("Normalizer Scaler", function(node, inputs)
  local scale, offset = #floats(node, "scale", {}), #floats(node, "offset", {})
  if node.op_type == "Normalizer" then
    rows_of(at(inputs, 1))
  elseif scale == 0 or scale ~= offset then
    fail("it has ", scale, " scales and ", offset, " offsets")
  elseif scale ~= 1 and at(inputs, 1).shape then
    merge(scale, inputs[1].shape[#inputs[1].shape], "the number of scales")
  end
  return { tensor("f32", at(inputs, 1).shape) }
end)
-- Fails unless the node has exactly one of these attributes.
local function only_one(node, names)
  local found = 0
  for name in names:gmatch("%S+") do
    found = found + (attribute(node, name) ~= nil and 1 or 0)
  end
  return found == 1 or fail("it has ", found, " of the attributes ", names, ", not one")
end
-- The type of labels that a classifier or a map from one kind of label to another gives.
local function label_type(node, strings, others)
  return #(texts(node, strings) or {}) > 0 and "string" or others
end
ml("LabelEncoder", function(node, inputs)
  local x, values = at(inputs, 1), constant(node, "values_tensor")
  local other = x.dtype == "string" and "i64" or x.dtype and "string" or nil -- version 1
  for _, what in ipairs(node.opset == 1 and {} or { "keys_", "values_" }) do
    only_one(node, ("Xtensor Xstrings Xint64s Xfloats"):gsub("X", what))
  end
  return { tensor(values and values.dtype or label_type(node, "values_strings", ints(node, "values_int64s") and "i64"
    or floats(node, "values_floats") and "f32" or other), x.shape) }
end)
ml("CategoryMapper", function(node, inputs)
  local x = at(inputs, 1)
  merge(#required(ints, node, "cats_int64s"), #required(texts, node, "cats_strings"), "the number of categories")
  return { tensor(x.dtype == "string" and "i64" or x.dtype and "string", x.shape) }
end)
ml("FeatureVectorizer", function(node, inputs)
  local columns, rows, sizes = 0, false, required(ints, node, "inputdimensions")
  merge(#sizes, #inputs, "the number of inputs")
  for i, n in ipairs(sizes) do
    columns, rows = n >= 0 and columns + n or fail("an input has ", n, " columns"), merge(rows, rows_of(at(inputs, i)), "the rows")
  end
  return { tensor("f32", { rows, columns }) }
end)
ml("CastMap", function(node)
  local to = text(node, "cast_to", "TO_FLOAT")
  local dense = text(node, "map_form", "DENSE") == "DENSE"
  return { tensor(to == "TO_STRING" and "string" or to == "TO_INT64" and "i64" or "f32",
    { 1, not dense and int(node, "max_map", 1) }) }
end)
ml("DictVectorizer", function(node)
  return { tensor(nil, { 1, #(texts(node, "string_vocabulary") or ints(node, "int64_vocabulary", {})) }) }
end)
local function targets(node, inputs)
  local x, tree = at(inputs, 1), node.op_type:match("^Tree")
  return { tensor(node.op_type == "TreeEnsemble" and x.dtype or "f32",
    { rows_of(x), node.op_type == "SVMRegressor" and 1 or positive(node, tree and "n_targets" or "targets", 1) }) }
end
ml("LinearRegressor TreeEnsembleRegressor SVMRegressor", targets)
ml("TreeEnsemble", targets, "NF")
-- The label of each row, and the score of each class.
ml("LinearClassifier SVMClassifier TreeEnsembleClassifier", function(node, inputs)
  local linear = node.op_type == "LinearClassifier"
  local names, numbers = "classlabels_strings", linear and "classlabels_ints" or "classlabels_int64s"
  if node.op_type == "SVMClassifier" then
    numbers = "classlabels_ints"
  end
  local rows, count = rows_of(at(inputs, 1)), #(texts(node, names) or {})
  if count > 0 and #ints(node, numbers, {}) > 0 then
    fail("it has labels of two kinds")
  end
  count = count > 0 and count or #ints(node, numbers, {})
  return { tensor(label_type(node, names, "i64"), { rows }),
           tensor("f32", { rows, count > 0 and count or linear and 1 }) } -- several classes of a linear one have labels
end)
ml("ZipMap", unknown_outputs)

-- Selects columns of x [.., columns] by index; a vector becomes a matrix of one row.
ml("ArrayFeatureExtractor", function(_, inputs)
  local x, columns = at(inputs, 1), at(inputs, 2)
  local shape, count = copy(x.shape), product(columns.shape or { false })
  if shape and #shape == 1 then
    shape = { 1, count }
  elseif shape then
    shape[#shape] = count
  end
  return { tensor(x.dtype, shape) }
end, ".D")
ml("OneHotEncoder", function(node, inputs)
  local shape = at(inputs, 1).shape
  only_one(node, "cats_int64s cats_strings")
  return { tensor("f32", shape and append(shape, { #(ints(node, "cats_int64s") or texts(node, "cats_strings")) })) }
end)

-- Exported to other files of rules: rules_openvino.lua and a user's own.
shape_rules = {
  tensor = tensor, fail = fail, unknown = unknown, rules = rules, at = at, attribute = attribute,
  reader = reader, spatial_list = spatial_list, required = required, broadcasts_to = broadcasts_to, int = int, ints = ints, float = float, floats = floats, text = text,
  positive = positive, is_int = is_int, merge = merge, broadcast = broadcast, broadcast_dim = broadcast_dim, copy = copy,
  filled = filled, of_rank = of_rank, axis_of = axis_of, has_rank = has_rank, add = add, sub = sub,
  mul = mul, div = div, dim_text = dim_text, product = product, quotient = quotient, listed = listed, entries = entries,
  whole = whole, whole_list = whole_list, dims_of = dims_of, mapped = mapped, picked = picked, moved_blocks = moved_blocks,
  axes_of = axes_of,
  append = append, same = same, first_of = first_of, unary = unary, binary = binary, comparison = comparison,
  reduce = reduce, reshaped = reshaped, with_shape = with_shape, squeeze = squeeze,
  unsqueeze = unsqueeze, transpose = transpose, concat = concat, split = split, slice = slice,
  slice_axis = slice_axis, gather = gather, tile = tile, pad = pad, resize = resize,
  scaled = scaled, window = window, transposed_window = transposed_window, range = range,
  matmul_shape = matmul_shape, test = test, disagree = disagree, same_shape = same_shape, cast = cast, constant_of = constant_of,
  broadcast_value = broadcast_value, truncated = truncated, compared = compared, larger = larger, one_element = one_element,
  smaller = smaller, limits = limits, definer = definer, fitting = fitting, transposed_factor = fused_factor, marked = marked,
}

return rules
