-- Shape and value rules of OpenVINO's operators, by their names in an IR: rules["openvino.Add"]. The top of rules.lua
-- documents the arguments and results of a rule. This file uses its global table shape_rules, so rules.lua runs first.
--
-- Sources: the operator pages of OpenVINO's documentation, and shape_infer in src/core/shape_inference where the pages
-- are incomplete. Attributes have the form of the XML: numbers, lists, texts; "true" and "false" are texts.

local v = shape_rules
local tensor, at, is_int, copy, of_rank, append = v.tensor, v.at, v.is_int, v.copy, v.of_rank, v.append
local onnx = v.rules
local rules = {}

local define = v.definer("openvino.", rules)

---------------------------------------------------------------------------------------------------
-- Attributes

local int, ints, text = v.int, v.ints, v.text
local read_flag, read_element = v.reader "FLAG", v.reader "ELEMENT"

local function flag(node, name, default)
  local value = read_flag(node, name)
  if value == nil then
    return default
  end
  return value == 1 or type(value) == "string" and value:lower() == "true"
end

local legacy = { boolean = "bool", fp16 = "f16", fp32 = "f32", fp64 = "f64", bin = "u1" }
local function dtype_attribute(node, name, default) -- mandatory without a default
  local value = read_element(node, name)
  if value == nil and default == nil then
    v.required(read_element, node, name)
  elseif type(value) ~= "string" then
    return default
  end
  value = value:lower()
  if value == "dynamic" or value == "undefined" or value == "unspecified" then
    return nil
  end
  return legacy[value] or value
end

-- The first element of an input if it is an integer; else false.
local function number(input)
  return v.whole(v.first_of(input))
end

-- The elements of an input; dims may be -1 or names.
local function elements(inputs, i)
  return v.entries(inputs[i])
end

---------------------------------------------------------------------------------------------------
-- Elementwise

-- The elements of input i, a list of axes or a single one.
local function axes_of(inputs, i)
  local axes = at(inputs, i).shape
  v.has_rank(axes, axes and math.min(#axes, 1), "the list of axes")
  return elements(inputs, i)
end
local function check_axes(inputs, i)
  local shape, axes = at(inputs, 1).shape, axes_of(inputs, i)
  v.marked(shape and axes, shape and #shape)
end

define([[Acos Acosh Asin Asinh Atan Atanh BitwiseNot Clamp Cos Cosh CumSum Elu Erf
  Exp Gelu HSigmoid HSwish Hardswish
  Log Mish PReLU Round RMS ReLU Relu GatherTree Selu Sigmoid Sin Sinh
  SoftPlus SoftSign Sqrt Swish Tan Tanh]], v.same)
define("HardSigmoid", v.same, "? - -")
define("GRN", v.same, ".__")
define("Inverse", v.same, ".NN")
-- A rule that checks something and keeps the type and the shape of the first input.
local function kept(names, check)
  define(names, function(node, inputs)
    check(node, inputs, at(inputs, 1).shape)
    return v.same(node, inputs)
  end)
end
kept("FakeQuantize", function(_, inputs, shape)
  for i = 2, 5 do
    shape = v.broadcast(shape, at(inputs, i).shape)
  end
end)
kept("SoftMax Softmax LogSoftmax", function(node, _, shape)
  local known = shape and #shape > 0
  v.axis_of(known and int(node, "axis", node.opset == 1 and 0 or 1) or 0, known and #shape or 1)
end)
kept("LRN MVN NormalizeL2", function(node, inputs, x)
  local axes = at(inputs, 2).shape
  if x and axes and v.compared(axes[1], #x) == 1 then
    v.fail(axes[1], " axes of an input of rank ", #x)
  end
  v.has_rank(axes, node.op_type == "NormalizeL2" and axes and #axes or 1, "the list of axes")
  check_axes(inputs, 2)
end)
kept("Reverse", function(node, inputs)
  if text(node, "mode", "index") == "index" then
    check_axes(inputs, 2)
  end
end)
kept("Roll", function(_, inputs)
  local shift = at(inputs, 2).shape
  check_axes(inputs, 3)
  v.same_shape(shift and #shift > 0 and shift or nil, at(inputs, 3).shape, "the shift")
end)
-- Before version 5 the data is the third input. The others have an element for each channel.
define("BatchNormInference", function(node, inputs)
  local early = node.opset > 0 and node.opset < 5
  v.fitting(inputs, early and "C C NC. C C" or "NC. C C C C")
  return v.same(node, { inputs[early and 3 or 1] })
end)
kept("ScatterElementsUpdate ScatterUpdate", function(node, inputs, shape)
  local x, indices, axis = tensor(nil, shape), tensor(nil, at(inputs, 2).shape), number(inputs[4])
  v.axis_of(axis or 0, x.shape and axis and #x.shape or 1)
  local elementwise = node.op_type == "ScatterElementsUpdate"
  v.has_rank(elementwise and indices.shape or nil, x.shape and #x.shape, "the list of indices")
  v.same_shape(at(inputs, 3).shape, elementwise and indices.shape
    or axis and v.gather(x, indices, axis)[1].shape or nil, "the updates")
end)
-- Complex data has a last dim of 2, which RDFT adds and IRDFT removes. The last axis of these two has half the elements
-- on the complex side.
define("DFT IDFT RDFT IRDFT", function(node, inputs)
  local x, axes, sizes = at(inputs, 1), elements(inputs, 2), elements(inputs, 3)
  local known, real = axes and v.whole_list(axes), node.op_type == "RDFT"
  if not x.shape or not known then
    return { tensor(x.dtype, node.op_type:match("^I?DFT") and not inputs[3] and x.shape or nil) }
  end
  local shape, places = copy(x.shape), v.axes_of(known, #x.shape - (real and 0 or 1))
  v.merge(not real and shape[#shape], 2, "the last dim")
  v.same_shape(at(inputs, 3).shape, { #known }, "the list of sizes")
  for i, a in ipairs(places) do
    local size = inputs[3] and (sizes and sizes[i] or false) or -1
    if size ~= -1 then
      shape[a] = size
    elseif i == #known and node.op_type == "IRDFT" then
      shape[a] = is_int(shape[a]) and 2 * (shape[a] - 1)
    end
    if i == #known and real then
      shape[a] = is_int(shape[a]) and shape[a] // 2 + 1
    end
  end
  if real then
    shape[#shape + 1] = 2
  elseif node.op_type == "IRDFT" then
    shape[#shape] = nil
  end
  return { tensor(x.dtype, shape) }
end, "? R R")
kept("ReverseSequence", function(node, inputs, shape)
  v.axis_of(shape and int(node, "seq_axis", 0) or 0, shape and #shape or 1)
  v.same_shape(at(inputs, 2).shape, { shape and shape[v.axis_of(int(node, "batch_axis", 0), #shape)] or false }, "the lengths")
end)
kept("ShuffleChannels", function(node, _, shape)
  v.quotient({ shape and shape[v.axis_of(int(node, "axis", 1), #shape)] or false }, { v.positive(node, "group", 1) })
end)
kept("FakeConvert", function(_, inputs, shape)
  v.broadcasts_to(at(inputs, 2).shape, shape, "the scale")
  v.same_shape(at(inputs, 3).shape, at(inputs, 2).shape, "the shift")
end)
define("IsFinite", v.test(function(x) return x - x == 0 end))
define("IsInf", v.test(function(x, node)
  return x == math.huge and flag(node, "detect_positive", true) or x == -math.huge and flag(node, "detect_negative", true)
end))

-- auto_broadcast="none" requires equal shapes.
local function elementwise(names, rule)
  define(names, function(node, inputs)
    if text(node, "auto_broadcast", "numpy") == "none" then
      v.same_shape(at(inputs, 2).shape, at(inputs, 1).shape, "input 2")
    end
    return rule(node, inputs)
  end)
end
-- Operators with a rule of ONNX, by its name there.
for name, theirs in ([[Result=Identity Assign=Identity Identity=Identity ConvertLike=CastLike ScatterNDUpdate=ScatterND
  GroupNormalization=GroupNormalization GridSample=GridSample Einsum=Einsum IsNaN=IsNaN Abs=Abs Negative=Neg Sign=Sign
  Floor=Floor Ceiling=Ceil LogicalNot=Not Not=Not Add=Add Subtract=Sub Multiply=Mul Power=Pow Equal=Equal Less=Less
  LessEqual=LessOrEqual Greater=Greater GreaterEqual=GreaterOrEqual LogicalAnd=And And=And LogicalOr=Or Or=Or
  LogicalXor=Xor Xor=Xor Select=Where]]):gmatch("(%w+)=(%w+)") do
  elementwise(name, onnx[theirs])
end
-- Integers are rounded down, unless m_pythondiv="false".
elementwise("Divide", v.binary(function(x, y, node)
  if y == 1 then
    return x
  elseif not math.type(x) or not math.type(y) or y == 0 then
    return false
  elseif is_int(x) and is_int(y) then
    return flag(node, "m_pythondiv", true) and x // y or v.truncated(x, y)
  end
  return x / y
end))
local function remainder(f)
  return v.binary(function(x, y)
    return is_int(x) and is_int(y) and y ~= 0 and f(x, y)
  end)
end
elementwise("FloorMod", remainder(function(x, y) return x % y end))
elementwise("Mod", remainder(function(x, y) return x - v.truncated(x, y) * y end))
elementwise("Maximum", v.binary(v.larger))
elementwise("Minimum", v.binary(v.smaller))
elementwise("SquaredDifference BitwiseAnd BitwiseOr BitwiseXor BitwiseLeftShift BitwiseRightShift", v.binary())
elementwise("NotEqual", v.comparison(function(order) return order ~= 0 end))

define("Convert", function(node, inputs)
  return v.cast(at(inputs, 1), dtype_attribute(node, "destination_type"))
end)

---------------------------------------------------------------------------------------------------
-- Shapes as values

define("ShapeOf", function(node, inputs)
  local shape = at(inputs, 1).shape
  local dtype = dtype_attribute(node, "output_type", "i64")
  return { tensor(dtype, { shape and #shape or false }, copy(shape)) }
end)

define("Range", function(node, inputs)
  return { v.range(dtype_attribute(node, "output_type", at(inputs, 1).dtype or false),
    v.first_of(inputs[1]), v.first_of(inputs[2]), v.first_of(inputs[3])) }
end, "- - -")

-- special_zero="true": a 0 copies the input's dim at that position.
define("Reshape", function(node, inputs)
  local x, dims = at(inputs, 1), elements(inputs, 2)
  local special = flag(node, "special_zero", false)
  return { v.with_shape(x, dims and v.reshaped(x.shape, dims, function() return special end)) }
end)

-- No axes, or an empty list: all dims of 1 are removed.
define("Squeeze", function(_, inputs)
  local axes = axes_of(inputs, 2)
  local given = inputs[2] ~= nil and not (axes and #axes == 0)
  -- Since version 15 an axis whose dim is not 1 may be kept; earlier versions reject it.
  return v.squeeze(at(inputs, 1), given and axes or nil, given)
end)
define("Unsqueeze", function(_, inputs)
  return v.unsqueeze(at(inputs, 1), axes_of(inputs, 2))
end)

-- An empty order reverses the axes.
define("Transpose", function(_, inputs)
  local x, order = at(inputs, 1), elements(inputs, 2)
  if inputs[2] and not order then
    return { tensor(x.dtype, x.shape and of_rank(#x.shape)) }
  elseif order and #order > 0 then
    local known = v.whole_list(order)
    return known and v.transpose(x, known) or { tensor(x.dtype, of_rank(#order)) }
  end
  return v.transpose(x)
end, "? R")

define("Concat", function(node, inputs)
  return v.concat(inputs, int(node, "axis", 0))
end)

-- If the axis is unknown, only the rank is known.
local function cut(node, inputs, lengths_of)
  local x, axis = at(inputs, 1), number(inputs[2])
  local out = {}
  if axis and x.shape then
    return v.split(x, axis, lengths_of(x.shape[v.axis_of(axis, #x.shape)]), node.noutputs)
  end
  for i = 1, node.noutputs do
    out[i] = tensor(x.dtype, x.shape and of_rank(#x.shape))
  end
  return out
end

define("Split", function(node, inputs)
  return cut(node, inputs, function(d)
    local n = v.positive(node, "num_splits", node.noutputs)
    if is_int(d) and d % n ~= 0 then
      v.fail("axis of ", d, " cannot be cut into ", n, " equal parts")
    end
    return v.filled(math.min(n, node.noutputs), n == 1 and d or is_int(d) and d // n)
  end)
end)

-- One length may be -1, which is the rest of the axis.
define("VariadicSplit", function(node, inputs)
  return cut(node, inputs, function(d)
    local lengths, rest, open = copy(elements(inputs, 3) or of_rank(node.noutputs)), d, nil
    if #lengths < node.noutputs then -- an output that nothing reads may be missing
      v.fail(#lengths, " lengths for ", node.noutputs, " outputs")
    end
    for i, n in ipairs(lengths) do
      if n == -1 then
        if open then
          v.fail("two lengths are -1")
        end
        open = i
      else
        rest = rest and n and v.sub(rest, n)
      end
    end
    if open then
      if is_int(rest) and rest < 0 then
        v.fail("lengths exceed the axis of ", d)
      end
      lengths[open] = rest or false
    end
    return v.dims_of(lengths)
  end)
end)

-- The axis is an input; negative indices count from the end.
define("Gather GatherV2", function(node, inputs)
  local x, indices, axis = at(inputs, 1), at(inputs, 2), number(inputs[3])
  local batch = node.opset == 1 and 0 or int(node, "batch_dims", 0)
  if not axis then
    local rank = x.shape and indices.shape and #x.shape + #indices.shape - 1 - batch
    return { tensor(x.dtype, rank and rank >= 0 and batch >= -#indices.shape and of_rank(rank) or nil) }
  end
  return v.gather(x, indices, axis, batch < 0 and indices.shape and batch + #indices.shape or math.max(batch, 0))
end)
define("GatherElements", function(node, inputs)
  local wanted, indices = copy(at(inputs, 1).shape), at(inputs, 2).shape
  if wanted and indices then -- unlike in ONNX, the other dims are equal
    local axis = v.axis_of(int(node, "axis", 0), #wanted)
    wanted[axis] = indices[axis] or false
    v.same_shape(indices, wanted, "the indices")
  end
  return onnx.GatherElements(node, inputs)
end)
-- Version 5 merges all batch dims into one, version 8 keeps them.
define("GatherND", function(node, inputs)
  local out, batch = onnx.GatherND(node, inputs)[1], int(node, "batch_dims", 0)
  for i = 1, out.shape and batch or 0 do
    v.merge(inputs[1].shape[i], inputs[2].shape[i], "axis " .. i - 1 .. " of the batch")
  end
  if out.shape and batch > 1 and node.opset > 0 and node.opset < 8 then
    local shape = { v.product(out.shape, 1, batch) }
    out.shape = append(shape, table.move(out.shape, batch + 1, #out.shape, 1, {}))
  end
  return { out }
end)

-- data, start, stop, step, axes
define("Slice", function(_, inputs)
  return v.slice(at(inputs, 1), elements(inputs, 2), elements(inputs, 3),
    inputs[5] and (elements(inputs, 5) or { false }) or nil, elements(inputs, 4) or of_rank(32))
end, "? R R R R")

kept("SliceScatter", function(node, inputs, shape)
  local part = rules["openvino.Slice"](node, { tensor(nil, shape), table.unpack(inputs, 3, 6) })[1]
  v.same_shape(at(inputs, 2).shape, part.shape, "the updates")
end)

-- Masks as in TensorFlow, with one entry for each entry of begin. A 1 in begin_mask or end_mask selects from the start
-- or to the end of the axis. new_axis adds a dim of 1, shrink_axis selects one index, ellipsis is all axes that no
-- other entry covers.
define("StridedSlice", function(node, inputs)
  local x, begin, stop = at(inputs, 1), elements(inputs, 2), elements(inputs, 3)
  local step = elements(inputs, 4)
  local count = begin and #begin or stop and #stop
  v.same_shape(at(inputs, 3).shape, at(inputs, 2).shape, "the list of ends")
  if not x.shape or not count then
    return { tensor(x.dtype) }
  end
  local function mask(name)
    local bits = ints(node, name, {})
    return function(i) return bits[i] == 1 end
  end
  local from_start, to_end = mask("begin_mask"), mask("end_mask")
  local new, shrink, rest = mask("new_axis_mask"), mask("shrink_axis_mask"), mask("ellipsis_mask")
  local named = 0
  for i = 1, count do
    named = named + ((new(i) or rest(i)) and 0 or 1)
  end
  local shape, axis = {}, 1
  local starts, stops, axes, steps = {}, {}, {}, {}
  for i = 1, count do
    if rest(i) then
      append(shape, table.move(x.shape, axis, axis + #x.shape - named - 1, 1, {}))
      axis = axis + #x.shape - named
    elseif new(i) then
      shape[#shape + 1] = 1
    elseif axis > #x.shape then
      v.fail("more positions than the rank ", #x.shape)
    else
      local d, by = x.shape[axis], inputs[4] and (step and step[i] or false) or 1
      local first, last = begin and begin[i] or false, stop and stop[i] or false
      if is_int(by) and from_start(i) then
        first = by > 0 and 0 or math.maxinteger
      end
      if is_int(by) and to_end(i) then
        last = by > 0 and math.maxinteger or math.mininteger
      end
      if not shrink(i) then
        local _, _, size = v.slice_axis(d, first, last, by)
        shape[#shape + 1] = size
      elseif is_int(d) and is_int(first) and (first < -d or first >= d) then
        v.fail("index ", first, " is outside an axis of ", d)
      else
        last, by = is_int(first) and (first == -1 and math.maxinteger or first + 1), 1
      end
      axes[#axes + 1], starts[#axes + 1], stops[#axes + 1], steps[#axes + 1] = axis - 1, first, last, by
      axis = axis + 1
    end
  end
  append(shape, table.move(x.shape, axis, #x.shape, 1, {}))
  local part = x.value and v.slice(x, starts, stops, axes, steps)[1].value
  return { v.with_shape(tensor(x.dtype, nil, part), shape) }
end)

-- numpy: one-way, dims of 1 are broadcast to the shape; bidirectional: both ways; explicit: axes_mapping gives the axes
-- of the input in the result.
define("Broadcast", function(node, inputs)
  local x, dims = at(inputs, 1), elements(inputs, 2)
  local mode = text(node, "mode", "numpy")
  local shape = dims and v.dims_of(dims)
  if mode == "bidirectional" and node.opset == 1 then
    v.fail("its mode 'bidirectional' exists since version 3")
  elseif mode ~= "explicit" and node.opset ~= 1 and inputs[3] then
    v.fail("its axes are for the mode 'explicit', not '", mode, "'")
  elseif mode == "bidirectional" then
    shape = v.broadcast(x.shape, shape)
  elseif mode == "explicit" then
    local axes = inputs[3] and elements(inputs, 3) or inputs[3] or v.fail("its axes are missing")
    for i, axis in ipairs(shape and axes or {}) do
      local place = axis and v.axis_of(axis, #shape)
      v.broadcasts_to(place and x.shape and { x.shape[i] } or nil, { place and shape[place] or false }, "the broadcast input")
    end
    return { tensor(x.dtype, shape) }
  end
  v.broadcasts_to(mode == "numpy" and x.shape or nil, shape, "the broadcast input")
  return { tensor(x.dtype, shape, shape and x.shape and #x.shape <= #shape and v.broadcast_value(x, shape) or nil) }
end)

-- The shorter list is extended to the length of the other with leading ones.
define("Tile", function(_, inputs)
  local x, repeats = at(inputs, 1), elements(inputs, 2)
  if not repeats or not x.shape then
    return { tensor(x.dtype) }
  end
  local rank = math.max(#repeats, #x.shape)
  local shape = append(v.filled(rank - #x.shape, 1), x.shape)
  return v.tile(v.with_shape(x, shape), append(v.filled(rank - #repeats, 1), repeats))
end, "? R")

define("Pad", function(node, inputs)
  local x, mode, sides = at(inputs, 1), text(node, "pad_mode", "constant"), { elements(inputs, 2) or {}, elements(inputs, 3) or {} }
  for i, d in ipairs((mode == "reflect" or mode == "symmetric") and x.shape or {}) do
    local most = mode == "reflect" and v.sub(d, 1) or d
    for _, pads in ipairs(sides) do
      if v.compared(pads[i] or false, most) == 1 then
        v.fail("axis ", i - 1, " has no ", pads[i], " elements to reflect")
      end
    end
  end
  return v.pad(x, elements(inputs, 2), elements(inputs, 3))
end)

---------------------------------------------------------------------------------------------------
-- Convolution and pooling

local auto_pads = { same_upper = "SAME_UPPER", same_lower = "SAME_LOWER", valid = "VALID" }

-- Strides, dilations, and the pads of each side.
local function spatial_lists(node, n)
  local strides, dilations = v.spatial_list(node, "strides", n, 1), v.spatial_list(node, "dilations", n, 1)
  for i = 1, n do
    if strides[i] < 1 or dilations[i] < 1 then
      v.fail("a stride is ", strides[i], ", its dilation ", dilations[i])
    end
  end
  return strides, dilations, v.spatial_list(node, "pads_begin", n, 0), v.spatial_list(node, "pads_end", n, 0)
end

local function kernel_size(kernel, i)
  local k = kernel and kernel[i] or false
  return v.compared(k, 1) == -1 and v.fail("its kernel is ", k) or k
end

-- The spatial dims of a window over shape; kernel: a list, or nil.
local function windows(node, shape, kernel)
  local n = shape and #shape - 2 or kernel and #kernel
  if not n or n < 0 or kernel and #kernel ~= n then
    return nil
  end
  local strides, dilations, first, last = spatial_lists(node, n)
  local auto_pad = auto_pads[text(node, "auto_pad", "explicit")]
  local rounding = text(node, "rounding_type", "floor")
  if rounding == "ceil_torch" and node.opset > 0 and node.opset < 14 then
    v.fail("its rounding_type 'ceil_torch' exists since version 14")
  end
  local out = {}
  for i = 1, n do
    local d, k = shape and shape[i + 2] or false, kernel_size(kernel, i)
    out[i] = v.window(d, k, strides[i], dilations[i], first[i], last[i], auto_pad, rounding == "ceil_torch")
    if rounding == "ceil" and not auto_pad and is_int(d) and is_int(k) then
      -- Unlike in PyTorch, the last window may begin after the data.
      out[i] = -(-(d + first[i] + last[i] - (k - 1) * dilations[i] - 1) // strides[i]) + 1
    end
  end
  return out
end

-- skip: the number of dims of the filter before its kernel; channels(filter shape) returns the channels of the result,
-- from(filter shape, node) those of the data.
local function convolution(filter, skip, channels, from)
  return function(node, inputs)
    local x, w = at(inputs, 1), at(inputs, filter)
    local kernel = w.shape and table.move(w.shape, skip + 1, #w.shape, 1, {})
    v.merge(x.shape and x.shape[2], w.shape and from(w.shape, node), "the number of channels")
    v.has_rank(w.shape, x.shape and #x.shape + skip - 2, "the filter")
    local spatial = windows(node, x.shape, kernel)
    return { tensor(x.dtype, spatial and append(
      { x.shape and x.shape[1] or false, w.shape and channels(w.shape) or false }, spatial)) }
  end
end
local function dim(i) return function(w) return w[i] end end
local function times(i, k) return function(w) return v.mul(w[i], w[k]) end end
define("Convolution", convolution(2, 2, dim(1), dim(2)))
define("GroupConvolution", convolution(2, 3, times(1, 2), times(1, 3)))
local deformable = convolution(3, 2, dim(1), function(w, node) return v.mul(w[2], v.positive(node, "group", 1)) end)
-- Two offsets for each element of the kernel at each place, and a factor.
define("DeformableConvolution", function(node, inputs)
  local out, w, groups = deformable(node, inputs), at(inputs, 3).shape, v.positive(node, "deformable_group", 1)
  for i = 2, 4, 2 do
    local wanted = copy(out[1].shape)
    if wanted then
      wanted[2] = w and v.mul(i == 2 and 2 * groups or groups, v.product(w, 3))
    end
    v.same_shape(at(inputs, i).shape, wanted, "input " .. i)
  end
  return out
end)

-- The third input is the spatial shape of the result.
local function backprop(skip, channels, from)
  return function(node, inputs)
    local x, w = at(inputs, 1), at(inputs, 2)
    local kernel = w.shape and table.move(w.shape, skip + 1, #w.shape, 1, {})
    local n = x.shape and #x.shape - 2 or kernel and #kernel
    if not n then
      return { tensor(x.dtype) }
    end
    local shape = { x.shape and x.shape[1] or false, w.shape and channels(w.shape) or false }
    v.merge(x.shape and x.shape[2], w.shape and from(w.shape), "the number of channels")
    v.has_rank(w.shape, n + skip, "the filter")
    v.same_shape(at(inputs, 3).shape, { n }, "the shape of the result")
    local strides, dilations, first, last = spatial_lists(node, n)
    local more = v.spatial_list(node, "output_padding", n, 0)
    if inputs[3] then
      return { tensor(x.dtype, append(shape, v.dims_of(elements(inputs, 3) or of_rank(n)))) }
    end
    local auto_pad = auto_pads[text(node, "auto_pad", "explicit")]
    for i = 1, n do -- without a given output shape SAME adds no pads
      local pads = auto_pad and 0 or first[i] + last[i]
      shape[i + 2] = v.transposed_window(x.shape and x.shape[i + 2] or false,
        kernel_size(kernel, i), strides[i], dilations[i], more[i], pads)
    end
    return { tensor(x.dtype, shape) }
  end
end
define("ConvolutionBackpropData", backprop(2, dim(2), dim(1)))
define("GroupConvolutionBackpropData", backprop(3, times(1, 3), times(1, 2)))

define("MaxPool AvgPool AdaptiveAvgPool AdaptiveMaxPool", function(node, inputs, dims)
  local x, size = at(inputs, 1), elements(inputs, 2)
  local spatial = size and v.dims_of(size)
  if not node.op_type:match("^Adaptive") then
    v.required(ints, node, "strides")
    spatial = windows(node, x.shape, v.required(ints, node, "kernel"))
  end
  v.same_shape(at(inputs, 2).shape, { x.shape and #x.shape - 2 or false }, "the list of sizes")
  local shape = spatial and append({ dims.N, dims.C }, spatial)
  return { tensor(x.dtype, shape), tensor(dtype_attribute(node, "index_element_type", "i64"), shape) }
end, "NC.")
define("ROIAlign", function(node, inputs, dims)
  return { tensor(at(inputs, 1).dtype, { dims.R, dims.C, v.positive(node, "pooled_h"), v.positive(node, "pooled_w") }) }
end, "NCHW R4 R")

-- As in ONNX, but for any number of spatial dims.
define("DepthToSpace SpaceToDepth", function(node, inputs)
  return v.moved_blocks(at(inputs, 1), int(node, "block_size", 1), node.op_type == "SpaceToDepth")
end)

-- Version 1: the input has sizes, and axes is an attribute. 4: data, sizes, scales, axes. 11: data, sizes or scales,
-- axes. Pads are added first.
define("Interpolate", function(node, inputs)
  local x, mode = at(inputs, 1), text(node, "shape_calculation_mode", "sizes")
  local axes, last_place = ints(node, "axes"), (node.opset == 0 or node.opset >= 11) and 3 or 4
  local by_scales = axes == nil and mode == "scales"
  local sizes, scales = elements(inputs, 2), elements(inputs, last_place - 1)
  if axes == nil then
    axes = inputs[last_place] and (elements(inputs, last_place) or { false })
  end
  local known = axes and v.whole_list(axes)
  for _, axis in ipairs(known or {}) do
    if axis < 0 then
      v.fail("axis ", axis, " is negative")
    end
  end
  if not x.shape or axes and not known then
    return { tensor(x.dtype, x.shape and of_rank(#x.shape)) }
  end
  local shape, zeros = copy(x.shape), v.filled(#x.shape, 0)
  local first, last = ints(node, "pads_begin", zeros), ints(node, "pads_end", zeros)
  for i = 1, #shape do
    local before, after = first[i] or 0, last[i] or 0
    shape[i] = math.min(before, after) < 0 and v.fail("axis ", i - 1, " has pads of ", before, " and ", after)
      or v.add(shape[i], before + after)
  end
  return v.resize(tensor(x.dtype, shape), by_scales and scales or nil, not by_scales and sizes or nil, known, "stretch", 1e-6)
end, "? S T A")

---------------------------------------------------------------------------------------------------
-- Products and reductions

define("MatMul", function(node, inputs)
  local a, b = at(inputs, 1), at(inputs, 2)
  return { tensor(a.dtype or b.dtype, v.matmul_shape(v.transposed_factor(a.shape, flag(node, "transpose_a", false)),
    v.transposed_factor(b.shape, flag(node, "transpose_b", false)))) }
end)

local function reduction(fold, begin)
  return function(node, inputs)
    local x = at(inputs, 1)
    return { v.reduce(x, axes_of(inputs, 2), true, flag(node, "keep_dims", false), v.limits[x.dtype] and fold, begin) }
  end
end
define("ReduceSum", reduction(v.add, 0))
define("ReduceProd", reduction(v.mul, 1))
define("ReduceMax", reduction(v.larger))
define("ReduceMin", reduction(v.smaller))
define("ReduceMean ReduceL1 ReduceL2 ReduceLogicalAnd ReduceLogicalOr", reduction())

define("TopK", function(node, inputs)
  local x, k = at(inputs, 1), at(inputs, 2).value
  local shape = copy(x.shape)
  if shape then
    shape[v.axis_of(v.required(int, node, "axis"), #shape)] = k and v.dims_of(k)[1] or false
  end
  return { tensor(x.dtype, shape), tensor(dtype_attribute(node, "index_element_type", "i32"), shape) }
end)

define("OneHot", function(node, inputs)
  local indices, depth = at(inputs, 1), at(inputs, 2).value
  local shape = copy(indices.shape)
  if shape then
    table.insert(shape, v.axis_of(v.required(int, node, "axis"), #shape + 1), depth and v.dims_of(depth)[1] or false)
  end
  return { tensor(at(inputs, 3).dtype, shape) }
end, "? - - -")

define("NonZero", function(node, inputs)
  local out = onnx.NonZero(node, inputs)[1]
  return { tensor(dtype_attribute(node, "output_type", "i64"), out.shape, out.value) }
end)

-- A state that starts as the input. A later run may give it any shape that its declaration allows, such as "1,?,2..8",
-- or "..." for any shape.
define("ReadValue", function(node, inputs)
  local x, dims = at(inputs, 1), node.attributes.variable_shape
  local dtype = dtype_attribute(node, "variable_type", false)
  if not dtype or not dims then
    return { tensor(x.dtype, x.shape) }
  end
  dims = type(dims) == "table" and table.concat(dims, ",") or tostring(dims)
  local shape = {}
  for dim in dims:gmatch("[^,]+") do
    local size = tonumber(dim)
    shape[#shape + 1] = size and size >= 0 and math.tointeger(size) or false
  end
  return { tensor(dtype, dims ~= "..." and shape or nil) }
end)

define("RandomUniform", function(node, inputs)
  local dims = elements(inputs, 1)
  return { tensor(dtype_attribute(node, "output_type"), dims and v.dims_of(dims)) }
end, "R + +")
define("Eye", function(node, inputs)
  local batch, shape = inputs[4] and (elements(inputs, 4)), nil
  if not inputs[4] or batch then
    shape = append(v.dims_of(batch or {}), { number(inputs[1]), number(inputs[2]) })
  end
  return { tensor(dtype_attribute(node, "output_type"), shape) }
end, "+ + + R")

local function places(input)
  return function(node, inputs)
    return { tensor(dtype_attribute(node, "output_type", "i64"), at(inputs, input).shape) }
  end
end
define("SearchSorted", places(2))
define("Bucketize", places(1))
-- data, blocks, pads_begin, pads_end: blocks of each dim are moved to the batch. BatchToSpace is the inverse, which then
-- cuts off the beginning and the end of each dim.
define("SpaceToBatch BatchToSpace", function(node, inputs, dims)
  local x, blocks, first, last = at(inputs, 1), elements(inputs, 2), elements(inputs, 3), elements(inputs, 4)
  v.merge(dims.R, x.shape and #x.shape, "the number of blocks")
  local shape, back = copy(x.shape), node.op_type == "BatchToSpace"
  for i = 1, shape and #shape or 0 do
    local d, block, pads = shape[i], blocks and blocks[i] or false, 0
    for _, side in ipairs { first or {}, last or {} } do
      local more = side[i] or false
      pads = v.compared(more, 0) == -1 and v.fail("axis ", i - 1, " has ", more, " pads") or v.add(pads, more)
    end
    if i == 1 and back then
      shape[1] = v.quotient({ d }, blocks or { false })
    elseif i == 1 then
      shape[1] = v.mul(d, v.product(blocks or { false }))
    elseif back then
      shape[i] = v.sub(v.mul(d, block), pads)
    else
      shape[i] = v.quotient({ v.add(d, pads) }, { block })
    end
  end
  return { tensor(x.dtype, shape) }
end, "? R R R")
-- Squares of `stride` x `stride` become channels; a stride of 2 makes [N, 4 C, H / 2, W / 2].
define("ReorgYolo", function(node, inputs, dims)
  local stride = v.positive(node, "stride")
  return { tensor(at(inputs, 1).dtype, { dims.N, v.mul(dims.C, stride * stride), v.quotient({ dims.H }, { stride }),
                                         v.quotient({ dims.W }, { stride }) }) }
end, "NCHW")
-- With do_softmax the dims from axis to end_axis become one. Without it there are only the channels of `mask`.
define("RegionYolo", function(node, inputs, dims)
  local x, s = at(inputs, 1), { dims.N, dims.C, dims.H, dims.W }
  if not flag(node, "do_softmax", true) then
    local channels = (v.positive(node, "classes") + v.positive(node, "coords") + 1) * #ints(node, "mask", {})
    return { tensor(x.dtype, { s[1], channels, s[3], s[4] }) }
  end
  local axis, stop = v.axis_of(int(node, "axis", 1), 4), v.axis_of(int(node, "end_axis", 3), 4)
  local shape = append(table.move(s, 1, axis - 1, 1, {}), { v.product(s, axis, stop) })
  return { tensor(x.dtype, append(shape, table.move(s, stop + 1, 4, 1, {}))) }
end, "NCHW")
-- A row of the table for each bag; the bags are given by their first indices, as rows of indices, or by their number.
local function bags(_, inputs, dims)
  local shape, count = copy(at(inputs, 1).shape), dims.N
  if shape then
    shape[1] = count == nil and number(inputs[4]) or count or false
  end
  return { tensor(at(inputs, 1).dtype, shape) }
end
define("EmbeddingBagOffsetsSum EmbeddingBagOffsets", bags, "_. I N - I")
define("EmbeddingBagPackedSum EmbeddingBagPacked", bags, "_. NB NB")
define("EmbeddingSegmentsSum", bags, "_. I I - - I")

---------------------------------------------------------------------------------------------------
-- Attention and recurrent networks

-- Query [.., length, size], value [.., other length, size of the result].
define("ScaledDotProductAttention", function(_, inputs, dims)
  local shape = copy(at(inputs, 1).shape)
  if shape then
    shape[#shape] = dims.V
  end
  return { tensor(at(inputs, 1).dtype, shape) }
end, ".LE .SE .SV ? +")

-- States [batch, hidden]; in sequences [batch, directions, hidden], and Y [batch, directions, seq, hidden].
local function of_gates(node, dims) -- GRUs have a second bias with linear_before_reset
  local gates = node.op_type:match("^LSTM") and 4 or 3
  v.merge(dims.G, v.mul(dims.H, gates), "the weights")
  v.merge(dims.K, v.mul(dims.H, flag(node, "linear_before_reset", false) and 4 or 3), "the bias")
end
local function cell(node, inputs, dims)
  local state = tensor(at(inputs, 1).dtype, { dims.B, dims.H })
  of_gates(node, dims)
  return { state, state }
end
define("LSTMCell", cell, "B_ BH BH G_ GH G")
define("GRUCell", cell, "B_ BH G_ GH K")
define("RNNCell", cell, "B_ BH H_ HH H")
local function sequence(node, inputs, dims)
  local dtype, directions = at(inputs, 1).dtype, text(node, "direction", "forward"):lower() == "bidirectional" and 2 or 1
  v.merge(dims.N, directions, "the number of directions")
  of_gates(node, dims)
  local last = tensor(dtype, { dims.B, directions, dims.H })
  return { tensor(dtype, { dims.B, directions, dims.T, dims.H }), last, last }
end
define("LSTMSequence", sequence, "BT_ BNH BNH B NG_ NGH NG")
define("GRUSequence", sequence, "BT_ BNH B NG_ NGH NK")
define("RNNSequence", sequence, "BT_ BNH B NH_ NHH NH")


return rules
