---@meta
-- The vocabulary of splitgen specs, for editors that support LuaCATS annotations. This file is never run.
--
--   splitgen --print=lua-api > splitgen.lua     and add its folder to workspace.library

---The bit order of an element type of fewer than 8 bits: "lsb" (the first element in the least significant
---bits; the default, except for OpenVINO's u1), "msb", or "planes" (OpenVINO's former u3 and u6).
---@alias splitgen.Packing "lsb"|"msb"|"planes"

---An element type by its name in splitgen or, after the #, in ONNX, OpenVINO, NumPy, PyTorch and C; see
---`splitgen --help=types`.
---@alias splitgen.DType string
---@TYPES@

---@class splitgen.Output
---@field name? string
---@field row_stride? integer elements from one row to the next; a row is everything from the axis on
---@field strides? integer[] elements between indices of each dimension; no padding from the axis on
---@field view? boolean only a view: constants and an entry in the descriptor, no code

---Part names. `false` or "" leaves the part out: no code is generated for it, and in a concat its place is padding,
---which is not written.
---@alias splitgen.Outputs (string|false|splitgen.Output)[]|integer

---@class splitgen.Input: splitgen.Output
---@field dtype splitgen.DType
---@field shape (integer|splitgen.Free)[]

---@class splitgen.Free An open (dynamic) dimension, made by free(): its length is passed on every call.

---@class splitgen.Op A spec returns one op or a list of ops. Fields have the values that were written, or nil.
---Only the name can be set.
---@field name? string the C symbol
---@field dtype? splitgen.DType
---@field shape? (integer|splitgen.Free)[]
---@field axis? integer
---@field lengths? integer[]
---@field parts? integer
---@field outputs? (string|false)[]|integer of a split
---@field inputs? (string|false)[]|integer of a concat
---@field row_stride? integer of the full tensor
---@field strides? integer[] of the full tensor
---@field opset? integer
---@field node? string of an op from a model: the name of its node
---@field op_type? string the operator in the model
---@field nodes? string[] of a slice group: the nodes whose outputs it makes
---@field path? string[] the enclosing nodes, outermost first
---@field input? string the full tensor: the input of a split, or the result of a concat

---@class splitgen.Tensor
---@field dtype splitgen.DType
---@field shape (integer|splitgen.Free)[]

---@class splitgen.SplitFields
---@field name? string C symbol; default: the file's name as an identifier
---@field dtype splitgen.DType
---@field shape (integer|splitgen.Free)[]
---@field axis? integer negative ones count from the end; default 0
---@field lengths? integer[] lengths on the axis; one may be -1, the rest of the axis
---@field parts? integer instead of lengths: the number of equal parts, which must divide the dimension
---@field outputs? splitgen.Outputs
---@field align? integer guaranteed alignment of every pointer, in bytes
---@field packing? splitgen.Packing
---@field row_stride? integer of the full tensor: elements from one row to the next; default: no padding
---@field strides? integer[] of the full tensor: elements between indices of each dimension; no padding from the axis on

---A split, by its fields or in the one-line notation.
---```lua
---return split { dtype = "f32", shape = { 1, 1024, 2304 }, axis = -1, lengths = { 768, 768, 768 } }
---return split "qkv: f32[1,1024,2304] @2 -> q:768 k:768 v:*"
---```
---@param fields splitgen.SplitFields|string
---@return splitgen.Op
function split(fields) end

---@class splitgen.ConcatFields
---@field name? string C symbol; default: the file's name as an identifier
---@field dtype splitgen.DType
---@field shape (integer|splitgen.Free)[] of the full tensor
---@field axis? integer negative ones count from the end; default 0
---@field lengths? integer[] lengths on the axis; one may be -1, the rest of the axis
---@field parts? integer instead of lengths: the number of equal parts, which must divide the dimension
---@field inputs? splitgen.Outputs
---@field align? integer guaranteed alignment of every pointer, in bytes
---@field packing? splitgen.Packing
---@field row_stride? integer of the full tensor
---@field strides? integer[] of the full tensor

---A concat, by its fields or in the one-line notation with a reversed arrow.
---```lua
---return concat { dtype = "u8", shape = { 1080, 1920, 3 }, axis = 2, lengths = { 1, 1, 1 }, inputs = { "r", "g", "b" } }
---return concat "rgb: u8[1080,1920,3] @2 <- r:1 g:1 b:1"
---```
---@param fields splitgen.ConcatFields|string
---@return splitgen.Op
function concat(fields) end

---@class onnx
onnx = {}

---@class splitgen.OnnxSplit
---@field opset integer
---@field name? string
---@field data splitgen.Tensor
---@field axis? integer
---@field split? integer[]
---@field num_outputs? integer since opset 18
---@field outputs? splitgen.Outputs
---@field align? integer
---@field packing? splitgen.Packing
---@field row_stride? integer of the full tensor: elements from one row to the next; default: no padding
---@field strides? integer[] of the full tensor: elements between indices of each dimension; no padding from the axis on

---The ONNX operator Split with the rules of its opset.
---@param fields splitgen.OnnxSplit
---@return splitgen.Op
function onnx.Split(fields) end

---@class splitgen.OnnxConcat
---@field opset integer
---@field name? string
---@field axis? integer required since opset 4; before, the default is 1
---@field inputs splitgen.Input[]
---@field align? integer
---@field packing? splitgen.Packing
---@field row_stride? integer of the full tensor
---@field strides? integer[] of the full tensor

---The ONNX operator Concat with the rules of its opset.
---@param fields splitgen.OnnxConcat
---@return splitgen.Op
function onnx.Concat(fields) end

---@class splitgen.ModelOptions
---@field shapes? table<string, (integer|splitgen.Free)[]|string> of tensors: { 1, 3, 224, 224 }, "f32[1,3,224,224]", "f32"
---@field dims? table<string, integer|splitgen.Free> sizes of symbolic dims
---@field open? boolean|table<integer|string, string|integer> true: all dims without a number are open; { "N", M = 64 }
---@field values? table<string, integer[]> of tensors
---@field only? string[] names of nodes, with * and ?; the others are left out
---@field except? string[]
---@field ops? ("split"|"slice"|"concat"|"all")[] which operators become ops, as for --ops; default: Splits
---@field skip_unresolved? boolean leave out operators with unknown sizes, with a warning for each

---The Splits of an ONNX model, in its order. The file is beside the spec or below a folder of -I.
---```lua
---local ops = onnx.load("model.onnx", { dims = { N = 8 } })
---```
---@param path string without ".."
---@param options? splitgen.ModelOptions
---@return splitgen.Op[]
function onnx.load(path, options) end

---@class openvino
openvino = {}

---The same for OpenVINO's IR, the .xml file.
---@param path string
---@param options? splitgen.ModelOptions
---@return splitgen.Op[]
function openvino.load(path, options) end

---@class splitgen.OpenvinoSplit
---@field name? string
---@field data splitgen.Tensor
---@field axis integer
---@field num_splits integer must divide the dimension
---@field outputs? splitgen.Outputs
---@field align? integer
---@field packing? splitgen.Packing
---@field row_stride? integer of the full tensor: elements from one row to the next; default: no padding
---@field strides? integer[] of the full tensor: elements between indices of each dimension; no padding from the axis on

---The OpenVINO operation Split-1.
---@param fields splitgen.OpenvinoSplit
---@return splitgen.Op
function openvino.Split(fields) end

---@class splitgen.OpenvinoVariadicSplit
---@field name? string
---@field data splitgen.Tensor
---@field axis integer|integer[]
---@field split_lengths integer[] one may be -1
---@field outputs? splitgen.Outputs
---@field align? integer
---@field packing? splitgen.Packing
---@field row_stride? integer of the full tensor: elements from one row to the next; default: no padding
---@field strides? integer[] of the full tensor: elements between indices of each dimension; no padding from the axis on

---The OpenVINO operation VariadicSplit-1.
---@param fields splitgen.OpenvinoVariadicSplit
---@return splitgen.Op
function openvino.VariadicSplit(fields) end

---@class splitgen.OpenvinoConcat
---@field name? string
---@field axis integer
---@field inputs splitgen.Input[]
---@field align? integer
---@field packing? splitgen.Packing
---@field row_stride? integer of the full tensor
---@field strides? integer[] of the full tensor

---The OpenVINO operation Concat-1.
---@param fields splitgen.OpenvinoConcat
---@return splitgen.Op
function openvino.Concat(fields) end

---The value of `-D name=value`, else the default. If the default is a number, the value must be one.
---@generic T: integer|string|boolean
---@param name string
---@param default? T
---@return T
function param(name, default) end

---An open (dynamic) dimension, as an entry of a shape: its length is passed on every call. Any length is correct; the
---kernel is optimised for the expected one, which -D name=value sets.
---```lua
---return split { dtype = "f32", shape = { free("batch", 64), 1024, 2304 }, axis = 2, parts = 3 }
---```
---@param name string
---@param expected? integer default 1
---@return splitgen.Free
function free(name, expected) end

---The result of a Lua file beside the spec or below a folder of -I. "a.b" is a/b.lua.
---@param name string
---@return any
function require(name) end
