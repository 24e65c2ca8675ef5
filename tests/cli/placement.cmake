# --emit=placement beside other options, of several models, and of what a graph of a model may be in: each works or says what
# to do instead.
include("${CMAKE_CURRENT_LIST_DIR}/cli.cmake")

set(head "<ir_version: 10, opset_import: [\"\" : 18]>\n")
function(c2f name dims)
    write(${name}.onnxtxt "${head}net (float[${dims}] i) => (o) <int64[2] s = {4,4}> {
  x = Abs (i)
  [\"${name}_split\"] a, b = Split <axis = 1> (x, s)
  c = Abs (b)
  [\"${name}_join\"] y = Concat <axis = 1> (a, b, c)
  o = Abs (y)
}\n")
endfunction()
c2f(one "1,8,4,4")
c2f(two "2,8,4,4")
c2f(open "N,8,M,4")
set(place "splitgen --ops=all --emit=placement")

# Open dimensions: what depends on them is a sum of products, for every number; the arena is for the expected ones.
set(rows "--open --strided=Abs --strided-read=Abs")
run("${place} ${rows} open.onnxtxt" 0)
expect_out("\"bytes_copied\": 0," "{\"name\": \"N\", \"expected\": 1},\n +{\"name\": \"M\", \"expected\": 1}\n"
           "\"id\": 1, \"owner\": \"arena\", \"bytes\": \"192\\*M\\*N\", \"offset\": 0"
           "\"name\": \"b\", [^\n]*\"dims\": \\[\"N\", 4, \"M\", 4\\], \"bytes\": \"192\\*M\\*N-128\\*M\", [^\n]*\"byte_offset\": \"64\\*M\", \"strides\": \\[\"192\\*M\", \"16\\*M\", 16, 4\\]}"
           "\"name\": \"x\", [^\n]*\"byte_offset\": 0,")
run("${place} --open=N=3 -D M=2 --strided=Abs --strided-read=Abs open.onnxtxt" 0)
expect_out("\"arena\": 1152," "\"bytes\": \"384\\*N\", \"offset\": 0" "\"byte_offset\": 128, \"strides\": \\[384, 32, 16, 4\\]")
run("${place} --open=N=1 -D M=2 open.onnxtxt" 0)
expect_out("\"bytes_copied\": 640,") # one image needs no copy, but others do

# What stays where it is for the expected numbers alone is copied: a Reshape, and a part that has a name of its own.
write(alike.onnxtxt "${head}net (float[N,4] i, float[M,4] j) => (o, p) <int64[1] s = {8}> { x = Abs (i)
 z = Abs (j)\n [\"join\"] y = Concat <axis = 1> (x, z)\n o = Abs (y)\n k = Reshape (x, s)\n p = Abs (k) }\n")
run("${place} --open=N=2 --open=M=2 --strided=Abs --strided-read=Abs alike.onnxtxt" 0)
expect_out("\"node\": \"join\", [^\n]*\"copies\": \\[\"x\"\\]}" "\"node\": \"k\", [^\n]*\"copies\": \\[\"k\"\\]}")

# Several models, shards, and options about code; --views=omit says what a placement says anyway.
run("${place} one.onnxtxt two.onnxtxt" 0)
expect_out("\"model\": \"one.onnxtxt\".*\"bytes_copied\": 0,.*\"model\": \"two.onnxtxt\".*\"bytes_copied\": 2560,")
run("splitgen --ops=all --emit=c,placement --shards=2 -o k.c one.onnxtxt two.onnxtxt; ls k*" 0)
expect_same("files" "${OUT}" "k_1.c\nk_2.c\nk_placement.json\n")
run("${place} one.onnxtxt > plain.json" 0)
foreach(option --views=omit "--isa=avx2 --optimize=size --non-temporal=always" --only=*one*)
    run("${place} ${option} one.onnxtxt | cmp - plain.json" 0)
endforeach()
run("${place} -o p.json --depfile d one.onnxtxt; cat d; ${place} --check p.json one.onnxtxt" 0)
expect_same("depfile" "${OUT}" "p.json: \\\n  one.onnxtxt\n")
run("echo >> p.json; ${place} --check p.json one.onnxtxt" 4)

# A node that is left out, or waits for a size, is one of those that read and write dense tensors.
run("${place} --except=one_join one.onnxtxt" 0)
expect_out("\"bytes_moved\": 512,\n +\"bytes_copied\": 0,")
run("${place} --skip-unresolved one.onnxtxt open.onnxtxt" 0)
expect_out("\"bytes_moved\": 0,")
expect_err("warning: Split 'open_split' is left out")

# What says otherwise, and models within a spec.
foreach(views copy omit-outputs)
    run("${place} --views=${views} one.onnxtxt" 2)
    expect_err("which parts are copied; leave out '--views', or say '--views=omit'")
endforeach()
run("${place} --fuse one.onnxtxt" 2)
expect_err("which parts are copied; leave out '--fuse'\n")
write(net.lua "return onnx.load('one.onnxtxt', { ops = { 'all' } })\n")
run("splitgen --emit=placement net.lua" 2)
expect_err("no input is one; give the model that the spec loads as an input")

# Tensors whose size is no sum of open dimensions have no place: a warning names them, and their parts are copied.
write(conv.onnxtxt "${head}g (float[1,3,H,W] x, float[4,3,3,3] w) => (y) { c = Conv <pads = [1,1,1,1], strides = [2,2]> (x, w)
 a, b = Split <axis = 1, num_outputs = 2> (c)\n d = Relu (b)\n k = Concat <axis = 1> (a, d)\n y = Sigmoid (k) }\n")
run("splitgen --open=H=32 --open=W=32 --emit=c,h,placement,placement-header,placement-svg -o n.c conv.onnxtxt" 0)
expect_err("conv.onnxtxt:2:[0-9]+: warning: 'c', 'a', 'b', 'd', 'k', 'y' have no place in the plan, because their size is neither"
           "note: numbers for the dims that they are made from give them a place")
run("cat n_placement.json; grep -c '^void [ak](' n.c; grep -c ' [ak](' n.h; grep 'unknown size' n_placement.h n_placement.svg" 0)
expect_out("\"bytes_copied\": 0,\n +\"uncounted\": 4," "\"node\": \"a\", [^\n]*\"does\": \"kernel\", \"kernel\": \"a\", [^\n]*\"copies\": \\[\"a\", \"b\"\\]}"
           "\"node\": \"k\", [^\n]*\"does\": \"kernel\", [^\n]*\"copies\": \\[\"a\", \"d\"\\]}" "\n2\n2\n"
           "n_placement.h:[^\n]*unknown size" "n_placement.svg:[^\n]*4 parts of unknown size")
run("splitgen --open=H=32 --open=W=32 --ops=all --list conv.onnxtxt" 0)
expect_out("with --emit=placement: 0 bytes are copied, and 4 parts of unknown size\n")
run("splitgen --open=H=32 --open=W=32 --ops=all --list --format=json conv.onnxtxt" 0)
expect_out("\"bytes_placed\":0,\"parts_uncounted\":4")
run("${place} -Werror --open=H=32 --open=W=32 conv.onnxtxt" 1)
run("${place} -D H=32 -D W=32 conv.onnxtxt" 0)
expect_out("\"bytes_moved\": 8192,")

# Empty tensors beside open dimensions, as in the first step of decoding with a cache.
write(cache.onnxtxt "${head}g (float[N,2,P,4] past, float[N,2,1,4] t) => (present) { k = Relu (t)\n present = Concat <axis = 2> (past, k) }\n")
run("${place} -D P=0 --open=N=1 cache.onnxtxt" 0)
expect_out("\"bytes_copied\": 0," "\"name\": \"past\", [^\n]*\"bytes\": 0,")
run("splitgen -D P=0 --open=N=1 --list --ops=all cache.onnxtxt" 0)

# What nothing gives, and more bytes than 64 bits can count.
write(order.onnxtxt "${head}g (float[4] x) => (y) { y = Abs (b)\n b = Relu (x) }\n")
run("${place} order.onnxtxt" 1)
expect_err("order.onnxtxt:2:[0-9]+: error: Abs 'y' cannot run: nothing gives 'b' before it is read")
write(no_output.onnxtxt "${head}g (float[4] x) => (z) { y = Concat <axis = 0> (x, x) }\n")
run("${place} no_output.onnxtxt" 1)
expect_err("no_output.onnxtxt:2:[0-9]+: error: the graph has no output 'z': nothing gives 'z' before it is read")
set(nodes "")
set(outputs "")
foreach(i RANGE 1 33)
    string(APPEND nodes " a${i}, b${i} = Split <axis = 1, num_outputs = 2> (x)\n c${i} = Abs (a${i})\n")
    string(APPEND outputs ", c${i}, b${i}")
endforeach()
string(SUBSTRING "${outputs}" 2 -1 outputs)
write(large.onnxtxt "${head}g (float[72057594037927936,2] x) => (${outputs}) {\n${nodes}}\n")
foreach(options "${place}" "splitgen --ops=all --list")
    run("${options} large.onnxtxt" 1)
    expect_err("large.onnxtxt:2:[0-9]+: error: the tensors of this graph have 2\\^63 bytes or more together, [^\n]*; give smaller dims\n")
endforeach()

# Bodies of control flow and of functions are graphs of their own; OpenVINO's models too have a placement.
set(cut "a, b = Split <axis = 0> (x, s)\n c = Abs (b)\n y = Concat <axis = 0> (a, c)")
write(loop.onnxtxt "${head}net (int64 n, bool t, float[8] i) => (o) <int64[2] s = {4,4}> {
  [\"turn\"] o = Loop (n, t, i) <body = g (int64 k, bool u, float[8] x) => (bool v, float[8] y) { v = Identity (u)\n ${cut} }>
}\n")
run("${place} loop.onnxtxt" 0)
expect_out("\"path\": \\[\"turn\"\\],\n" "\"bytes_moved\": 65,\n +\"bytes_copied\": 17,") # u, and the part of an input
write(call.onnxtxt "<ir_version: 10, opset_import: [\"\" : 18, \"own\" : 1]>
net (float[8] i) => (o) { x = Abs (i)\n [\"call\"] o = own.f (x) }
<domain: \"own\", opset_import: [\"\" : 18]> f (x) => (y) { s = Constant <value_ints = [4, 4]> ()\n ${cut} }\n")
run("${place} call.onnxtxt" 0)
expect_out("\"path\": \\[\"call\"\\],\n" "\"bytes_moved\": 64,\n +\"bytes_copied\": 16,")
run("${place} '${CMAKE_CURRENT_LIST_DIR}/../exec/cases/fused_packed.xml'" 0)
expect_out("\"model\": \"fused_packed.xml\"," "\"bytes_moved\": 50,\n +\"bytes_copied\": 50,") # packed elements share no buffer
