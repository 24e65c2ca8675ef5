# --views, marks of views, and the sums of bytes that need no copy and of those that do.
include("${CMAKE_CURRENT_LIST_DIR}/cli.cmake")
write(net.onnxtxt [[
<ir_version: 10, opset_import: ["" : 18]>
net (float[1, 3, 4096] x, float[8, 3] y) => (a, b, c, d, e, f)
{
  ["/views"] a, b, c = Split <axis = 1, num_outputs = 3> (x)
  ["/rows"] d, e, f = Split <axis = 1, num_outputs = 3> (y)
}
]])

run("splitgen --list net.onnxtxt | tail -1" 0)
expect_same("the sums" "${OUT}" "total: 49152 bytes need no copy, 96 bytes do\n")
run("splitgen --list --views=constants net.onnxtxt" 0)
expect_out("a:1 .view, no code." "d:1 .strided view or copy." "total: 49152 bytes need no copy, 96 bytes do")
run("splitgen --list -e 'f32[2,4] @1 -> q:view:1 3 ; u8[b=5?,4] @1 -> /2'" 0)
expect_out("q:1 .strided view, no code." "total: 8 bytes need no copy, 28 bytes do, of open dimensions one item each")

# A model's views are plain memcpy, unless instructions are asked for; a spec's have their bodies.
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
expect_out("rows_avx2") # the other node keeps its own

# Constants: no function, but constants and a place in the descriptor.
run("splitgen net.onnxtxt --only=/views --views=constants" 0)
if(OUT MATCHES "void ")
    fail("a kernel of views only has a function")
endif()
expect_out("SPLITGEN_VIEW_CONTIGUOUS, 16384, views_strides.0., true")
run("splitgen net.onnxtxt --only=/views --views=constants --emit=h" 0)
if(OUT MATCHES "void ")
    fail("a kernel of views only has a prototype")
endif()
expect_out("VIEWS_B_BYTE_OFFSET +16384" "VIEWS_C_VIEW +SPLITGEN_VIEW_CONTIGUOUS")
run("splitgen net.onnxtxt --views=some" 2)

# One output by its mark: here 'view' is no name, everywhere else it is one.
run("splitgen -e 'view: f32[2,4] @1 -> q:view:1 view:*' --dump=split" 0)
expect_out("split view " "part 0 q start 0 length 1 bytes 8 view only" "part 1 out1 start 1 length 3 bytes 24 view only")
run("splitgen -e 'f32[view=3?,4] @1 -> view:view:2 2' --dump=split" 0)
expect_out("part 0 view start 0 length 2 bytes 8 view only")
run("splitgen -e 'f32[2,4] @1 -> view x /2' --dump=split" 0)
expect_out("part 0 view start 0 length 2 bytes 16\n")
write(named.lua "return split { dtype = 'u8', shape = { 4 }, parts = 2, outputs = { 'view', { name = 'x', view = true } } }\n")
run("splitgen named.lua --dump=split" 0)
expect_out("part 0 view start 0 length 2 bytes 2\n" "part 1 x start 2 length 2 bytes 2 view only")

# A line for each kernel.
run("splitgen net.onnxtxt --views=constants --emit=map | grep -v '^#'" 0)
expect_same("the map" "${OUT}" "/views\t-\t-\tx\tview 0 a\tview 16384 b\tview 32768 c
/rows\trows\tconst float*, float*, float*, float*\ty\tcopy d\tcopy e\tcopy f
")
