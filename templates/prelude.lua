-- Helpers for the templates: text, numbers as text, and the spelling of tensors. They only present what the plan
-- decides. Everything defined here is a global of every template.

-- The line length limit of generated text, in columns.
line_limit = 100

-- Iterates over a table in the order of its keys: numbers first, then strings.
function sorted(t)
  local list = keys(t)
  local i = 0
  return function()
    i = i + 1
    if list[i] ~= nil then
      return list[i], t[list[i]]
    end
  end
end

function map(list, f)
  local out = {}
  for i, item in ipairs(list) do
    out[i] = f(item, i)
  end
  return out
end

-- A list of f(i, item) for every item i of a list.
function map_numbered(list, f)
  local result = {}
  for i, item in ipairs(list) do
    result[i] = f(i, item)
  end
  return result
end

-- The items for which is_wanted(item) is true.
function filter(list, is_wanted)
  local out = {}
  for _, item in ipairs(list) do
    out[#out + 1] = is_wanted(item) and item or nil
  end
  return out
end

-- A function of one argument that caches the results of f.
function remembered(f)
  local known = {}
  return function(key)
    local value = known[key]
    if value == nil then
      value = f(key)
      known[key] = value
    end
    return value
  end
end

-- A string of blanks.
blanks = remembered(function(count) return (" "):rep(count) end)

function pad(text, width)
  return #text < width and text .. blanks(width - #text) or text
end

function pad_left(text, width)
  return #text < width and blanks(width - #text) .. text or text
end

-- Lays out rows (lists of strings) in columns. sides has "l" or "r" for each column. Trailing blanks are removed.
function columns(rows, sides, between)
  local widths = {}
  for _, row in ipairs(rows) do
    for i, cell in ipairs(row) do
      widths[i] = math.max(widths[i] or 0, #cell)
    end
  end
  local right, lines = {}, {}
  for i = 1, #sides do
    right[i] = sides:sub(i, i) == "r"
  end
  between = between or "  "
  local cells = {} -- reused by all rows: there may be thousands
  for r, row in ipairs(rows) do
    local count = #row
    for i, cell in ipairs(row) do
      local missing = widths[i] - #cell
      if missing > 0 and (right[i] or i < count) then
        cell = right[i] and blanks(missing) .. cell or cell .. blanks(missing)
      end
      cells[i] = cell
    end
    local line = table.concat(cells, between, 1, count)
    if line:byte(-1) == 32 then
      -- A pattern that ends in "$" would try every blank of a wide gap, so this searches from the end.
      line = line:sub(1, #line + 1 - (line:reverse():find("[^ ]") or #line + 1))
    end
    lines[r] = line
  end
  return lines
end

-- A table for a comment, with start before each line. If a line would be too long, the last cell of every row moves to
-- a line of its own.
function comment_table(start, rows, sides)
  local lines = columns(rows, sides)
  for _, line in ipairs(lines) do
    if #start + #line > line_limit then
      local heads = columns(map(rows, function(row)
        return {table.unpack(row, 1, #row - 1)}
      end), sides)
      lines = {}
      for i, row in ipairs(rows) do
        lines[#lines + 1] = heads[i]
        if row[#row] ~= "" then
          lines[#lines + 1] = "     " .. row[#row]
        end
      end
      break
    end
  end
  return join(map(lines, function(line) return start .. line end), "\n")
end

-- "1 byte", "2 bytes", "2 copies"
function plural(n, word)
  if n == 1 then
    return "1 " .. word
  end
  return n .. " " .. word:gsub("y$", "ie") .. "s"
end

-- "a, b and c"; long lists become "a to z".
function enumerate(names)
  if #names == 1 then
    return names[1]
  elseif #names > 8 then
    return names[1] .. " to " .. names[#names]
  end
  return join({table.unpack(names, 1, #names - 1)}) .. " and " .. names[#names]
end

-- Groups neighbours with the same key: a list of lists.
function runs(list, key)
  local out, last = {}, nil
  for _, item in ipairs(list) do
    local this = key(item)
    if this ~= last then
      out[#out + 1] = {}
      last = this
    end
    table.insert(out[#out], item)
  end
  return out
end

-- Any bytes as text that cannot end a C comment or cause a warning inside one.
function in_comment(text)
  text = text:gsub("[^ -~]", "?"):gsub("%*/", "* /"):gsub("/%*", "/ *")
  return (text:gsub("%?%?+", function(marks) return "?" .. (" ?"):rep(#marks - 1) end))
end

-- Printable text as XML text.
function escaped(text)
  return (text:gsub("[<>&]", {["<"] = "&lt;", [">"] = "&gt;", ["&"] = "&amp;"}))
end

-- Any bytes as XML text.
function in_markup(text)
  return escaped(in_comment(text))
end

-- Any bytes as text of a Python docstring.
function in_docstring(text)
  return (in_comment(text):gsub('["\\]', "?"))
end

-- A paragraph as the inside of a C comment, with " * " before every line.
function comment_lines(paragraph)
  local lines = {}
  for _, line in ipairs(wrap(paragraph, line_limit - 4)) do
    lines[#lines + 1] = " * " .. line
  end
  return table.concat(lines, "\n")
end

-- A C string literal with its quotes.
function c_string(text)
  return '"' .. text:gsub('[%c"\\?\128-\255]', function(c)
    if c == '"' or c == "\\" or c == "?" then
      return "\\" .. c
    end
    return string.format("\\%03o", c:byte())
  end) .. '"'
end

-- How packed elements lie in bytes.
function packing_text(kernel)
  local bits = plural(kernel.element_bits, "bit")
  if kernel.packing == "lsb" then
    return "Elements of " .. bits .. " follow each other without gaps, the first one in the least significant bits of its byte."
  elseif kernel.packing == "msb" then
    return "Elements of " .. bits .. " follow each other without gaps, the first one in the most significant bits of its byte."
  end
  return "Elements of " .. bits .. " lie in groups of 3 bytes, the low bits of all before their high bits."
end

-- "[1, 1024, 768]"
function shape(dims)
  return "[" .. join(dims) .. "]"
end

-- text(o) of each open number o of a kernel, once for each time that it is a factor of dimensions first + 1 to last.
function open_factors(kernel, first, last, text)
  local list = {}
  for d = first + 1, last do
    for _, o in ipairs(kernel.open) do
      for _ = 1, o.powers[d] do
        list[#list + 1] = text(o)
      end
    end
  end
  return list
end

-- The dimension of the full tensor that is dimension i of an output. They differ if the output does not have the axis.
function dim_of(kernel, dims, i)
  return #dims < kernel.rank and i > kernel.axis and i + 1 or i
end

-- A kernel's dims; open ones as text, "batch" or "197*batch*time", passed through `name`.
function dims_of(kernel, dims, name)
  local list = {}
  for i, dim in ipairs(dims) do
    local d = dim_of(kernel, dims, i)
    local names = open_factors(kernel, d - 1, d, function(o) return o.name end)
    if #names > 0 and dim ~= 1 then
      table.insert(names, 1, tostring(dim))
    end
    list[i] = #names > 0 and name(table.concat(names, "*")) or dim
  end
  return list
end

-- The names of a kernel's open numbers, "'batch' and 'time'".
function open_names(kernel, name)
  return enumerate(map(kernel.open, function(o) return "'" .. name(o.name) .. "'" end))
end

-- The expected numbers: "batch = 64, time = 100".
function expected_of(kernel, name)
  return join(map(kernel.open, function(o) return name(o.name) .. " = " .. o.expected end))
end

-- The same shape with open dimensions, for a comment: "[batch, 1024, 768]".
function shape_of(kernel, dims)
  return shape(dims_of(kernel, dims, in_comment))
end

-- "{1, 1024, 768}"
function braces(values)
  return "{" .. join(values) .. "}"
end

-- A function from an output of the kernel to "data[:, :, 0:768]", or to "data[:, :, 0]" if the output does not have the
-- axis.
function slices(kernel)
  local rank = kernel.rank
  local before = kernel.data .. "[" .. (":, "):rep(kernel.axis)
  local behind = (", :"):rep(rank - kernel.axis - 1) .. "]"
  return function(output)
    local start, dims = output.start, output.dims
    local is_index = dims and #dims < rank
    return before .. (is_index and start or start .. ":" .. start + output.length) .. behind
  end
end

function slice(kernel, output)
  return slices(kernel)(output)
end

-- "data[0, 3, :]": a row of the input.
function row_slice(kernel, row)
  local parts = map(kernel.dims, function() return ":" end)
  for i = kernel.axis, 1, -1 do
    parts[i] = row % kernel.dims[i]
    row = row // kernel.dims[i]
  end
  return kernel.data .. shape(parts)
end

-- A number of bytes as C text. Pointers are counted, because their size is the target's.
function size(kernel, bytes)
  if not kernel.pointer_elements or bytes == 0 then
    return tostring(bytes)
  elseif bytes == kernel.element_bytes then
    return "sizeof(const char *)"
  end
  return bytes // kernel.element_bytes .. " * sizeof(const char *)"
end

-- A C expression times n. It must bind at least as tightly as a product.
function product(text, n)
  return n == 1 and text or text .. " * " .. n
end

-- The product of open numbers, each raised to its power.
local function open_product(numbers, powers)
  local product = 1
  for i, power in ipairs(powers) do
    for _ = 1, power do
      product = product * numbers[i]
    end
  end
  return product
end

-- A function from values of a kernel's open numbers to their products: over the dimensions before the axis (rows), from
-- it on (scale), and over all (items). Powers are counted once.
function open_products(kernel)
  local before = map(kernel.open, function(o) return open_power(o, 0, kernel.axis) end)
  local behind = map(kernel.open, function(o) return open_power(o, kernel.axis, kernel.rank) end)
  return function(numbers)
    local rows, scale = open_product(numbers, before), open_product(numbers, behind)
    return {numbers = numbers, items = rows * scale, rows = rows, scale = scale}
  end
end

-- How often an open number is a factor of dimensions first + 1 to last.
function open_power(open, first, last)
  local sum = 0
  for d = first + 1, last do
    sum = sum + open.powers[d]
  end
  return sum
end

-- Appended to an offset or a width of a kernel whose rows have an open length.
function times_scale(kernel, text)
  return kernel.scales and text .. " * scale" or text
end

-- "q", "q + 768", "q + row * 768"
function at(pointer, offset, row)
  if offset == 0 then
    return pointer
  end
  if not row then
    return pointer .. " + " .. offset
  end
  return pointer .. " + " .. row .. (offset ~= 1 and " * " .. offset or "")
end

-- "open a, b, c close" with filled lines; continuation lines are aligned after `open` if there is room.
function filled(open, arguments, close)
  local whole = open .. table.concat(arguments, ", ") .. close
  if #whole <= line_limit then
    return whole
  end
  local lines, line = {}, open
  local indent = #open <= 60 and #open or #open:match("^ *") + 4
  for i, argument in ipairs(arguments) do
    local text = argument .. (i < #arguments and "," or close)
    local space = i > 1 and " " or ""
    if i > 1 and #line + #space + #text > line_limit then
      lines[#lines + 1] = line
      line, space = (" "):rep(indent), ""
    end
    line = line .. space .. text
  end
  lines[#lines + 1] = line
  return table.concat(lines, "\n")
end

-- The words for what a function reads and for what it writes: the parameter, the array of parameters, the pointer to
-- bytes, the pointer into interleaved streams, the types of both pointers, and the macro for an entry of the array.
local read = {given = "input", array = "inputs", at = "in", stream = "from", any = "const void *",
              bytes = "const unsigned char *", entry = "splitgen_input"}
local written = {given = "output", array = "outputs", at = "out", stream = "to", any = "void *",
                 bytes = "unsigned char *", entry = "splitgen_output"}

-- The words for a kernel that declares the array of its parts itself.
local gathered = {given = read.given, array = "all_inputs", at = read.at, stream = read.stream, any = read.any,
                  bytes = read.bytes, entry = read.entry}

-- The words for a kernel's full tensor, and for its parts.
function whole_of(kernel)
  return kernel.joins and written or read
end

function part_of(kernel)
  return kernel.gathers and gathered or kernel.joins and read or written
end

-- The array of parts that the function of a kernel takes. Inner functions take another one if the kernel inserts
-- constants.
function given_array(kernel)
  return kernel.joins and read.array or written.array
end

-- A kernel's full tensor and its parts as parameters or arguments, inputs first.
function read_first(kernel, whole, parts)
  local list = {table.unpack(parts)}
  table.insert(list, kernel.joins and #list + 1 or 1, whole)
  return list
end

-- Whether rows of the full tensor or of a part are padded.
function has_rows_apart(kernel)
  return kernel.has_gaps or #filter(kernel.outputs, function(o) return o.has_gaps end) > 0
end

-- Elements from the first to the last of some rows of `width` elements, at stride `row`, or in groups at strides
-- `steps`.
function elements_of(kernel, rows, width, row, steps)
  if rows * width == 0 then
    return 0
  end
  local at, left = 0, rows - 1
  for g, step in ipairs(steps) do
    at, left = at + left // kernel.row_groups[g] * step, left % kernel.row_groups[g]
  end
  return at + left * row + width
end

-- The verb for the kernels of this unit: "split", "concatenate" or "split and concatenate"; and how many concatenate.
unit_joins = #filter(unit.kernels, function(kernel) return kernel.joins end)
deeds = (unit_joins == 0 and "split" or unit_joins == #unit.kernels and "concatenate" or "split and concatenate") .. " tensors"

-- The parameters of a kernel's function, in order.
function passed(kernel)
  return filter(kernel.parameters, function(p) return p.passed end)
end

-- The same, as in the public prototype.
function parameters(kernel)
  return map(passed(kernel), function(p)
    if p.role == "number" then
      return p.type .. " " .. p.symbol
    elseif p.role == "array" then
      return p.type:gsub("%*$", "") .. p.symbol .. "[]"
    end
    return p.type .. "SPLITGEN_RESTRICT " .. p.symbol
  end)
end

-- The number of all rows, as C; with open rows it depends on an argument.
function all_rows(kernel)
  return kernel.open_rows and product(kernel.items, kernel.item_rows) or tostring(kernel.item_rows)
end

-- The same place if rows have an open length.
function at_scaled(kernel, pointer, offset, row)
  return offset == 0 and pointer or times_scale(kernel, at(pointer, offset, row))
end

-- "12 bytes"; "12 bytes per item" if a dimension is open.
function bytes_text(kernel, bytes)
  return plural(bytes, "byte") .. (kernel.is_free and " per item" or "")
end

-- Whether items of a tensor are further apart than they are long: the padding after the last row is in no buffer.
local function leaves_padding(tensor) return tensor.bytes_apart > tensor.bytes end

-- Whether the size of some buffer is not that of one item times the number of items.
function has_padded_items(kernel)
  return leaves_padding(kernel) or #filter(kernel.outputs, leaves_padding) > 0
end

-- The same for the buffer of a tensor: "16 bytes per item, but 12 for the last" if rows are padded.
function buffer_text(kernel, tensor)
  return bytes_text(kernel, tensor.bytes_apart) .. (leaves_padding(tensor) and ", but " .. tensor.bytes .. " for the last" or "")
end

-- The text of the prototype; qualifiers come before "void".
function prototype(kernel, qualifiers, tail)
  return filled(qualifiers .. "void " .. kernel.name .. "(", parameters(kernel), ")" .. tail)
end

-- Words of a shell command inside a comment. A byte that may not appear there is moved out of the quotes: $'\303' is
-- the byte of that number.
function in_command(text)
  text = text:gsub("[^ -~]", function(c) return string.format("'$'\\%03o''", c:byte()) end)
  text = text:gsub("%*/", "*''/"):gsub("/%*", "/''*")
  return (text:gsub("%?%?+", function(marks) return "?" .. ("''?"):rep(#marks - 1) end))
end

-- The command that makes the file again, and the SHA-256 of each file that was read, as sha256sum prints it, with start
-- before every line. For the comment at the top of each file. --check looks for the words "Command:" and "SHA-256:".
function made_by(start)
  local lines, line = {}, start .. "Command:"
  for i, word in ipairs(map(unit.command, function(word) return in_command(word.text) end)) do
    if i > 1 and #line + #word + 3 > line_limit then
      lines[#lines + 1] = line .. " \\"
      line = start .. "   "
    end
    line = line .. " " .. word
  end
  lines[#lines + 1] = line
  for _, file in ipairs(unit.files) do
    lines[#lines + 1] = start .. "SHA-256: " .. file.sha256 .. "  " .. in_comment(file.name)
  end
  return join(lines, "\n")
end

-- A function that returns the sum of the bytes of the elements of the parts for which is_counted is `counted`; nil on overflow.
function bytes_of_parts(is_counted, counted)
  return function()
    local bytes = 0
    for _, k in ipairs(unit.kernels) do
      for _, o in ipairs(k.outputs) do
        bytes = bytes + (is_counted(o) == counted and o.units * k.element_bytes or 0)
        if bytes < 0 then
          return nil
        end
      end
    end
    return bytes
  end
end

-- The bytes that nodes of the models copy if their tensors are placed as a whole.
function bytes_placed()
  local bytes, parts = 0, 0
  for _, g in ipairs(unit.placements) do
    bytes = bytes and bytes <= math.maxinteger - g.bytes_copied and bytes + g.bytes_copied or nil
    parts = parts + g.uncounted
  end
  return bytes, parts
end

-- The end of a sentence about copied bytes: parts whose size nobody knows.
function uncounted(parts)
  return parts > 0 and ", and " .. plural(parts, "part") .. " of unknown size" or ""
end

-- Whether any kernel has a free dimension.
has_free = #filter(unit.kernels, function(kernel) return kernel.is_free end) > 0

-- The export macro and a space, or nothing.
exported = unit.export_macro == "" and "" or unit.export_macro .. " "

-- For every generated file, after its #includes: the check that it fits the header, and an empty default for the export
-- macro.
abi_check = "#if SPLITGEN_ABI != " .. unit.abi ..
            '\n#error "this file does not fit splitgen/splitgen.h: generate it again"\n#endif'
-- The lines around parts of splitgen's headers in standalone files.
begin_headers = "/* From here on: parts of splitgen's headers. MIT License, Copyright (c) 2026 the splitgen authors. */"
end_headers = "/* End of the parts of splitgen's headers. */"
export_default = "#ifndef " .. unit.export_macro .. "\n#define " .. unit.export_macro .. "\n#endif"

-- The section attribute of functions and a space, or nothing.
placed = unit.section == "" and "" or unit.stem_macro .. "_SECTION "
