# --views, marks of views, and the totals of bytes that need a copy and that do not.
include("${CMAKE_CURRENT_LIST_DIR}/cli.cmake")
write(net.onnxtxt [[
<ir_version: 10, opset_import: ["" : 18]>
net (float[1, 3, 4096] x, float[8, 3] y) => (a, b, c, d, e, f)
{
  ["/views"] a, b, c = Split <axis = 1, num_outputs = 3> (x)
  ["/rows"] d, e, f = Split <axis = 1, num_outputs = 3> (y)
}
]])

run("splitgen --list net.onnxtxt | tail -2" 0)
expect_same("the sums" "${OUT}" "total: 49152 bytes need no copy, 96 bytes do
1 of 2 is worth a kernel; 1 is a view
")
# What memcpy copies as fast needs no kernel either, and a placement copies less than kernels do.
run("splitgen --list -e 'wide: u8[4,9000] @1 -> /2; views: f32[4] -> /2; narrow: u8[9,3] @1 -> /3' | tail -1" 0)
expect_same("the sum" "${OUT}" "1 of 3 is worth a kernel; 1 is a view, 1 copies long runs only, which memcpy does as fast
")
write(nested.onnxtxt [[
<ir_version: 10, opset_import: ["" : 18]>
net (float[1, 8, 4] x) => (y)
{
  t = Relu (x)
  a, b = Split <axis = 1, num_outputs = 2> (t)
  c = Relu (b)
  z = Concat <axis = 1> (a, b, c)
  y = Relu (z)
}
]])
run("splitgen --list --ops=all nested.onnxtxt | sed -n '/^total/,/^with/p'" 0)
expect_same("the sums of a model" "${OUT}" "total: 192 bytes need no copy, 128 bytes do
with --emit=placement: 0 bytes are copied
")
run("splitgen --list --ops=all --format=json nested.onnxtxt" 0)
expect_out("\"bytes_placed\":0")
run("splitgen --list --views=constants net.onnxtxt" 0)
expect_out("a:1 .view, no code." "d:1 .strided view or copy." "total: 49152 bytes need no copy, 96 bytes do")
run("splitgen --list -e 'f32[2,4] @1 -> q:view:1 3 ; u8[b=5?,4] @1 -> /2'" 0)
expect_out("q:1 .strided view, no code." "total: 8 bytes need no copy, 28 bytes do, of open dimensions one item each")

# A model's views are plain memcpy, unless instruction sets are requested; a spec's have vector versions.
run("splitgen net.onnxtxt --only=/views" 0)
if(OUT MATCHES "avx2|neon|splitgen_put")
    fail("views of a model have bodies nobody asked for")
endif()
expect_out("splitgen_copy.a_?," "void views")
run("splitgen net.onnxtxt --only=/views --isa=all" 0)
expect_out("avx2")
run("splitgen -e 'views: f32[1,3,4096] @1 -> /3'" 0)
expect_out("avx2")
run("splitgen net.onnxtxt" 0)
expect_out("rows_avx2") # the other node keeps its own version

# Offsets only: no function, but constants and an entry in the descriptor.
run("splitgen net.onnxtxt --only=/views --views=constants" 0)
if(OUT MATCHES "void ")
    fail("a kernel of views only has a function")
endif()
expect_out("CONTIGUOUS, 16384, views_dims.[0-9]., true")
run("splitgen net.onnxtxt --only=/views --views=constants --emit=h" 0)
if(OUT MATCHES "void ")
    fail("a kernel of views only has a prototype")
endif()
expect_out("VIEWS_B_BYTE_OFFSET +16384" "VIEWS_C_VIEW +SPLITGEN_VIEW_CONTIGUOUS")
run("splitgen net.onnxtxt --views=some" 2)

# One output by its mark: here 'view' is a mark, everywhere else it is a name.
run("splitgen -e 'view: f32[2,4] @1 -> q:view:1 view:*' --dump=split" 0)
expect_out("split view " "part 0 q start 0 length 1 bytes 8 view only" "part 1 out1 start 1 length 3 bytes 24 view only")
run("splitgen -e 'f32[view=3?,4] @1 -> view:view:2 2' --dump=split" 0)
expect_out("part 0 view start 0 length 2 bytes 8 view only")
run("splitgen -e 'f32[2,4] @1 -> view x /2' --dump=split" 0)
expect_out("part 0 view start 0 length 2 bytes 16\n")
write(named.lua "return split { dtype = 'u8', shape = { 4 }, parts = 2, outputs = { 'view', { name = 'x', view = true } } }\n")
run("splitgen named.lua --dump=split" 0)
expect_out("part 0 view start 0 length 2 bytes 2\n" "part 1 x start 2 length 2 bytes 2 view only")

# A row for each function of a kernel, with the requirements that its operator follows.
run("splitgen net.onnxtxt --only /rows --isa=portable --emit=trace | cut -d, -f 1,3-" 0)
expect_out("^\"model\",\"node\",\"operator\",\"domain\",\"tensor\",\"requirements\",\"kernel\",\"function\",\"instruction set\",\"test\"\n"
           "\n\"net.onnxtxt\",\"/rows\",\"Split\",\"\",\"y\",\"ONNX: Split 1, 2, 11, 13, 18\",\"rows\",\"rows\",\"portable\",\"net_selftest\"\n$")
run("splitgen -e 'a: u8[999,3] @1 -> /3; b: u8[8] -> 4 4' --isa=avx2 --views=omit --emit=trace | cut -d, -f 7-10" 0)
expect_out("\n\"\",\"a\",\"a_avx2\",\"AVX2\"\n\"\",\"a\",\"a\",\"portable\"\n\"\",\"b\",\"\",\"\"\n$")

# A tensor has one place: a view is counted, and has no code, only if a node writes or reads it there.
write(places.onnxtxt [[
<ir_version: 10, opset_import: ["" : 18]>
net (float[1,8] x, float[1,4] input) => (swapped, twice, again, outputs, out, known, nested, tail, behind)
<float[1,4] k = {1, 2, 3, 4}, int64[2] flat = {1, 4}>
{
  ["/split"] a, b = Split <axis = 1, num_outputs = 2> (x)
  ["/swap"] swapped = Concat <axis = 1> (b, a)
  made = Abs (a)
  ["/twice"] twice = Concat <axis = 1> (made, made)
  ["/again"] again = Concat <axis = 1> (made, input)
  out = Abs (b)
  ["/give"] outputs = Concat <axis = 1> (out, k)
  alias = Reshape (made, flat)
  other = Abs (made)
  ["/known"] known = Concat <axis = 1> (alias, other)
  first = Abs (a)
  second = Abs (b)
  ["/inner"] inner = Concat <axis = 1> (first, second)
  ["/nested"] nested = Concat <axis = 1> (inner, other)
  ["/cut"] head, tail = Split <axis = 1, num_outputs = 2> (inner)
  ["/behind"] behind = Concat <axis = 1> (head, other)
}
]])
run("splitgen --ops=all --list places.onnxtxt | sed '/^with/,$d'" 0)
expect_same("places" "${OUT}" "split: f32[1,8] axis 1 -> a:4 (view), b:4 (view)
swap: f32[1,8] axis 1 <- b:4 (copy: '/split' already makes it a view of 'x'), a:4 (copy: '/split' already makes it a view of 'x')
twice: f32[1,8] axis 1 <- made:4 (view), made_2:4 (copy: '/twice' already places it in 'twice')
again: f32[1,8] axis 1 <- made:4 (copy: '/twice' already places it in 'twice'), input:4 (copy: it is an input of the model, which belongs to the caller)
give: f32[1,8] axis 1 <- out:4 (copy: it is an output of the model, which belongs to the caller), k:4 (copy: it is a constant)
known: f32[1,8] axis 1 <- alias:4 (copy: '/twice' already places it in 'twice'), other:4 (view)
inner: f32[1,8] axis 1 <- first:4 (view), second:4 (view)
nested: f32[1,12] axis 1 <- inner:8 (view), other:4 (copy: '/known' already places it in 'known')
cut: f32[1,8] axis 1 -> head:4 (view), tail:4 (view)
behind: f32[1,8] axis 1 <- head:4 (copy: '/cut' already makes it a view of 'inner'), other:4 (copy: '/known' already places it in 'known')
total: 160 bytes need no copy, 176 bytes do
")
# The totals agree with the code: exactly the counted bytes are omitted.
run("splitgen --ops=all --list --views=omit places.onnxtxt | grep ^total" 0)
expect_same("the sums" "${OUT}" "total: 160 bytes need no copy, 176 bytes do\n")
run("splitgen --ops=all --views=omit places.onnxtxt" 0)
expect_out("void swap[(]const float [*]SPLITGEN_RESTRICT b,"
           "void twice[(]const float [*]SPLITGEN_RESTRICT made_2," "void give[(]const float [*]SPLITGEN_RESTRICT out,"
           "static const uint32_t give_k")
set(code "${OUT}")
if(code MATCHES "void (split|inner|cut)[(]")
    fail("a kernel of parts that stay where they are has a function")
endif()
run("splitgen --ops=all --views=constants places.onnxtxt | grep -v -e '--views='" 0)
string(REGEX REPLACE "[^\n]*--views=[^\n]*\n" "" code "${code}")
expect_same("the older word" "${OUT}" "${code}")
run("splitgen --ops=all --views=omit-outputs --list places.onnxtxt" 0)
expect_out("give: f32.1,8. axis 1 <- out:4 .view, no code., k:4 .copy: it is a constant.")
# --fuse: pieces of another tensor no longer have a producer.
write(swap.onnxtxt [[
<ir_version: 10, opset_import: ["" : 18]>
net (float[1,8] x) => (swapped)
{
  ["/split"] a, b = Split <axis = 1, num_outputs = 2> (x)
  ["/swap"] swapped = Concat <axis = 1> (b, a)
}
]])
run("splitgen --ops=all --views=omit --fuse --list swap.onnxtxt" 0)
expect_same("fused" "${OUT}" "swap: f32[1,8] axis 1 <- b:4 (copy: it is read directly from 'x'), a:4 (copy: it is read directly from 'x'); fused with '/split'
total: 0 bytes need no copy, 32 bytes do
")

# Rows in groups: a view has the same offset in every group.
run("splitgen -e 'a: u8[4/100,8,12] @2 -> x:4 y:8' --emit=h" 0)
expect_out("A_X_ALIGN +1\n")
write(aligned.lua "return split { name = 'a', dtype = 'u8', shape = { 4, 8, 12 }, strides = { 100, 12, 1 }, axis = 2, lengths = { 4, 8 }, align = 64 }\n")
run("splitgen aligned.lua --emit=h" 0)
expect_out("A_OUT0_ALIGN +4\n")
write(odd.lua "return split { name = 'a', dtype = 'u8', shape = { 4, 8, 12 }, strides = { 102, 12, 1 }, axis = 2, lengths = { 4, 8 }, align = 64 }\n")
run("splitgen odd.lua --emit=h" 0)
expect_out("A_OUT0_ALIGN +2\n")

# A placement decides itself which parts are copied. In a block whose Split and Concat share a buffer none is, so no
# kernel has a function. For two images all parts are copied, unless the operators between can write rows with a stride.
set(block [[
<ir_version: 10, opset_import: ["" : 18]>
net (float[IMAGES,8,4,4] i) => (o) <int64[2] s = {4,4}> {
  x = Abs (i)
  ["split"] a, b = Split <axis = 1> (x, s)
  c = Abs (b)
  ["join"] y = Concat <axis = 1> (a, b, c)
  o = Abs (y)
}
]])
string(REPLACE "IMAGES" "1" text "${block}")
write(one.onnxtxt "${text}")
string(REPLACE "IMAGES" "2" text "${block}")
write(two.onnxtxt "${text}")
run("splitgen --emit=c,placement -o one.c one.onnxtxt && cat one.c" 0)
if(OUT MATCHES "void ")
    fail("a kernel that copies nothing has a function")
endif()
run("cat one_placement.json" 0)
expect_out("\"bytes_copied\": 0," "\"does\": \"nothing\", \"kernel\": null, \"whole\": \"x\"")
run("splitgen --emit=placement -o - two.onnxtxt" 0)
expect_out("\"bytes_moved\": 2560,\n +\"bytes_copied\": 2560," "\"kernel\": \"join\"")
run("splitgen --emit=placement --strided=Conv,Abs --strided-read=Abs -o - two.onnxtxt" 0)
expect_out("\"bytes_copied\": 0,")
run("splitgen --emit=placement --strided=Conv --strided-read=Abs -o - two.onnxtxt" 0)
expect_out("\"bytes_copied\": 2560,")
run("splitgen --emit=placement -e 'u8[4] @0 -> 1 3'" 2)
expect_err("'--emit=placement' is about models, and no input is one")
run("splitgen --emit=placement --fuse one.onnxtxt" 2)
expect_err("'--emit=placement' decides for each node of a model which parts are copied; leave out '--fuse'")
run("splitgen --strided=Conv one.onnxtxt" 2)
expect_err("'--strided' is about '--emit=placement', which is not given")
