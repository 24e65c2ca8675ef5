---@meta
-- The vocabulary of splitgen specs, for editors that read LuaCATS annotations. Nothing here runs.
--
--   splitgen --print-lua-api > splitgen.lua     and add its folder to workspace.library

---The bit order of an element type below a byte: "lsb" (the first element in the least significant
---bits; the default, but for OpenVINO's u1), "msb", or "planes" (OpenVINO's former u3 and u6).
---@alias splitgen.Packing "lsb"|"msb"|"planes"

---An element type by its name here, or by one of those behind it, of ONNX, OpenVINO, NumPy, PyTorch
---and C; see `splitgen --help=types`.
---@alias splitgen.DType string
---@TYPES@

---@class splitgen.Output
---@field name? string
---@field row_stride? integer elements from one of its rows to the next, a row being all from the axis on
---@field strides? integer[] elements from one index of each of its dimensions to the next; those from the axis on have no gaps
---@field view? boolean only a view: its constants and its place in the descriptor, no code

---Part names. `false` or "" keeps the part's place but makes no code for it; of a concat that is a gap, which is left
---as it is.
---@alias splitgen.Outputs (string|false|splitgen.Output)[]|integer

---@class splitgen.Input: splitgen.Output
---@field dtype splitgen.DType
---@field shape (integer|splitgen.Free)[]

---@class splitgen.Free An open dimension: its length is said when the program runs, by free().

---@class splitgen.Op What a spec returns, alone or in a list. Its fields are as they were written; nil
---where nothing was. Only the name can be set.
---@field name? string the C symbol
---@field dtype? splitgen.DType
---@field shape? (integer|splitgen.Free)[]
---@field axis? integer
---@field lengths? integer[]
---@field parts? integer
---@field outputs? (string|false)[]|integer of a split
---@field inputs? (string|false)[]|integer of a concat
---@field row_stride? integer of the whole
---@field strides? integer[] of the whole
---@field opset? integer
---@field node? string of an op from a model: the name of its node
---@field op_type? string the operator as the model calls it
---@field nodes? string[] of a family, whose outputs it makes
---@field path? string[] the nodes around it, from without to within
---@field input? string the whole: the tensor that is split, or that inputs are joined to

---@class splitgen.Tensor
---@field dtype splitgen.DType
---@field shape (integer|splitgen.Free)[]

---@class splitgen.SplitFields
---@field name? string C symbol; default: the file's name made an identifier
---@field dtype splitgen.DType
---@field shape (integer|splitgen.Free)[]
---@field axis? integer negative ones count from the end; default 0
---@field lengths? integer[] lengths on the axis; one may be -1, which is what remains
---@field parts? integer instead of lengths: equal parts; the dimension must divide
---@field outputs? splitgen.Outputs
---@field align? integer promise about every pointer, in bytes
---@field packing? splitgen.Packing
---@field row_stride? integer of the whole: elements from one row to the next; default: as many as a row has
---@field strides? integer[] of the whole: elements from one index of each dimension to the next; those from the axis on have no gaps

---A split, by its fields or in the one-line notation.
---```lua
---return split { dtype = "f32", shape = { 1, 1024, 2304 }, axis = -1, lengths = { 768, 768, 768 } }
---return split "qkv: f32[1,1024,2304] @2 -> q:768 k:768 v:*"
---```
---@param fields splitgen.SplitFields|string
---@return splitgen.Op
function split(fields) end

---@class splitgen.ConcatFields
---@field name? string C symbol; default: the file's name made an identifier
---@field dtype splitgen.DType
---@field shape (integer|splitgen.Free)[] of the whole
---@field axis? integer negative ones count from the end; default 0
---@field lengths? integer[] lengths on the axis; one may be -1, which is what remains
---@field parts? integer instead of lengths: equal parts; the dimension must divide
---@field inputs? splitgen.Outputs
---@field align? integer promise about every pointer, in bytes
---@field packing? splitgen.Packing
---@field row_stride? integer of the whole
---@field strides? integer[] of the whole

---A concat: parts that are joined, by its fields or in the one-line notation with its arrow turned.
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
---@field row_stride? integer of the whole: elements from one row to the next; default: as many as a row has
---@field strides? integer[] of the whole: elements from one index of each dimension to the next; those from the axis on have no gaps

---The ONNX operator Split with the rules of its opset.
---@param fields splitgen.OnnxSplit
---@return splitgen.Op
function onnx.Split(fields) end

---@class splitgen.OnnxConcat
---@field opset integer
---@field name? string
---@field axis? integer required since opset 4; below it is 1
---@field inputs splitgen.Input[]
---@field align? integer
---@field packing? splitgen.Packing
---@field row_stride? integer of the whole
---@field strides? integer[] of the whole

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
---@field ops? ("split"|"slice"|"concat"|"all")[] which operators become ops, as --ops says; Splits without it
---@field skip_unresolved? boolean leave out what is not known well enough, with a warning for each

---The Splits of an ONNX model beside the spec or below a folder given by -I, in the order of the model.
---```lua
---local ops = onnx.load("model.onnx", { dims = { N = 8 } })
---```
---@param path string without ".."
---@param options? splitgen.ModelOptions
---@return splitgen.Op[]
function onnx.load(path, options) end

---@class openvino
openvino = {}

---The same of OpenVINO's IR, the .xml file.
---@param path string
---@param options? splitgen.ModelOptions
---@return splitgen.Op[]
function openvino.load(path, options) end

---@class splitgen.OpenvinoSplit
---@field name? string
---@field data splitgen.Tensor
---@field axis integer
---@field num_splits integer the dimension must divide
---@field outputs? splitgen.Outputs
---@field align? integer
---@field packing? splitgen.Packing
---@field row_stride? integer of the whole: elements from one row to the next; default: as many as a row has
---@field strides? integer[] of the whole: elements from one index of each dimension to the next; those from the axis on have no gaps

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
---@field row_stride? integer of the whole: elements from one row to the next; default: as many as a row has
---@field strides? integer[] of the whole: elements from one index of each dimension to the next; those from the axis on have no gaps

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
---@field row_stride? integer of the whole
---@field strides? integer[] of the whole

---The OpenVINO operation Concat-1.
---@param fields splitgen.OpenvinoConcat
---@return splitgen.Op
function openvino.Concat(fields) end

---The value of `-D name=value`, else the default. With a number as default it is a number.
---@generic T: integer|string|boolean
---@param name string
---@param default? T
---@return T
function param(name, default) end

---A dimension whose length the program says when it runs, as an entry of a shape in front of the axis; all before
---it are 1. Any number is right; the kernel is planned for the one that is expected, which -D name=value sets.
---```lua
---return split { dtype = "f32", shape = { free("batch", 64), 1024, 2304 }, axis = 2, parts = 3 }
---```
---@param name string
---@param expected? integer default 1
---@return splitgen.Free
function free(name, expected) end

---The result of a Lua file beside the spec or below a folder given by -I. "a.b" is a/b.lua.
---@param name string
---@return any
function require(name) end
