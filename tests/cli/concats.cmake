# --ops=concat: every Concat of a model becomes a kernel, except those of weights only and of shapes.
include("${CMAKE_CURRENT_LIST_DIR}/cli.cmake")

# model(<name> <inputs and outputs> <node>...), of one opset, with a few constants.
set(opset 18)
function(model name head)
    list(JOIN ARGN "\n" nodes)
    write(${name} "<ir_version: 10, opset_import: [\"\" : ${opset}]>\nnet ${head}
<int64[1] one = {1}, int64[2] two = {1, 2}, int64 i0 = {0}, float[2,1] k = {1.5, -2.0}, float[2,3] w = {1,2,3,4,5,6}>
{\n${nodes}\n}\n")
endfunction()

# listed(<options and name> <line>...): the output of --list for every kernel, without how parts are copied.
function(listed arguments)
    run("splitgen --list ${arguments} | sed -E 's/ \\((view|copy|empty|strided view or copy)[^)]*\\)//g; /^total: /,$d'" 0)
    list(JOIN ARGN "\n" lines)
    expect_same("${arguments}" "${OUT}" "${lines}\n")
endfunction()

function(expect_json value)
    string(JSON is GET "${OUT}" ${ARGN})
    string(REGEX REPLACE "[ \n]" "" is "${is}")
    expect_same("${ARGN}" "${is}" "${value}")
endfunction()

# none(<name>): it has no kernel, and the summary counts none.
function(none name)
    run("splitgen --ops=concat --list ${name}" 1)
    expect_err("error: the model has no nodes of '--ops=concat'")
    run("splitgen --list ${name}" 1)
    expect_err("error: the model has no Split nodes")
    if(ERR MATCHES "--ops")
        fail("a Concat is counted")
    endif()
endfunction()

# --- Concats that become kernels

# In graph order, between Splits and slice groups; one input, empty ones, one tensor twice, an axis from the end.
model(all.onnxtxt "(float[2,8] x, float[0,8] e, string[3] s) => (a, b, c, d, f, g, p, q)"
      "[a] a = Concat <axis = -1> (x, k, x)" "[split] b, c = Split <axis = 1, num_outputs = 2> (x)"
      "[single] d = Concat <axis = 0> (x)" "[empty] f = Concat <axis = 0> (e, x, e)" "[texts] g = Concat <axis = 0> (s, s)"
      "p = Gather (x, i0)" "q = Gather <axis = 0> (x, one)")
set(concats "a: f32[2,17] axis 1 <- x:8, k:1, x_2:8" "single: f32[2,8] axis 0 <- x:2"
    "empty: f32[2,8] axis 0 <- e:0, x:2, e_2:0" "texts: string[6] axis 0 <- s:3, s_2:3")
set(split "split: f32[2,8] axis 1 -> b:4, c:4")
set(gathers "x: f32[2,8] axis 0 -> p:1, q:1\; Gather x 2")
list(GET concats 0 first)
list(SUBLIST concats 1 3 others)
set(slices "groups of Slices, Gathers and SequenceAts (1)")
listed("all.onnxtxt" "${split}" "not listed: ${slices}, Concat nodes (4)\; --ops=split,slice,concat lists them too")
listed("--ops=concat all.onnxtxt" "${concats}"
       "not listed: Split and VariadicSplit nodes (1), ${slices}\; --ops=split,slice,concat lists them too")
listed("--ops=split,slice all.onnxtxt" "${split}" "${gathers}"
       "not listed: Concat nodes (4)\; --ops=split,slice,concat lists them too")
foreach(ops all split,slice,concat concat,slice,split)
    listed("--ops=${ops} all.onnxtxt" "${first}" "${split}" "${others}" "${gathers}")
endforeach()
listed("--ops=concat,split all.onnxtxt" "${first}" "${split}" "${others}"
       "not listed: ${slices}\; --ops=split,slice,concat lists them too")
listed("--ops=all --fuse all.onnxtxt" "${first}" "${split}" "${others}" "${gathers}")
run("splitgen all.onnxtxt | grep -v 'Command: ' > default.c" 0)
run("splitgen --ops=split all.onnxtxt | grep -v 'Command: ' | cmp - default.c" 0)

# --only and --except select nodes and rename none.
listed("--ops=all --only a --only 'sp*' all.onnxtxt" "${first}" "${split}")
listed("--ops=concat --except a all.onnxtxt" "${others}"
       "not listed: Split and VariadicSplit nodes (1), ${slices}\; --ops=split,slice,concat lists them too")
run("splitgen --ops=concat --only singel all.onnxtxt" 2)
expect_err("--only: the model has no Split or Concat 'singel'\; did you mean 'single'[?]")
run("splitgen --ops=all --only nothing all.onnxtxt" 2)
expect_err("--only: the model has no Split, slice group or Concat 'nothing'")

# JSON.
run("splitgen --ops=all --list --format=json all.onnxtxt" 0)
foreach(field "concat op" "split 1 op" "Concat op_type" "a node" "[2,17] shape" "1 axis" "[8,1,8] lengths" "x inputs 0 name"
        "x_2 inputs 1 name" "x inputs 1 tensor" "[2,8] inputs 1 shape" "64 inputs 1 bytes" "k parts 1 constant" "a output tensor" "[2,17] output shape"
        "136 output bytes" "x tensors inputs 1" "a tensors output")
    separate_arguments(field)
    list(POP_FRONT field value)
    set(op 0)
    if(field MATCHES "^1;op")
        set(op 1)
        set(field op)
    endif()
    expect_json("${value}" ops ${op} ${field})
endforeach()
expect_json(4 summary concats)
expect_json(2 summary splits)
run("splitgen --list --format=json all.onnxtxt" 0)
expect_json(5 summary not_listed count)
expect_json("--ops=split,slice,concat" summary not_listed option)

# A Concat never takes the name of a Split or slice group.
model(names.onnxtxt "(float[2,8] x) => (b, c, p, q)" "[split] y = Concat <axis = 0> (x, x)" "z = Concat <axis = 0> (x)"
      "[split] b, c = Split <axis = 1, num_outputs = 2> (x)" "p = Gather (z, i0)" "q = Gather <axis = 0> (z, one)")
listed("--ops=all names.onnxtxt" "split_2: f32[4,8] axis 0 <- x:2, x_2:2" "z_2: f32[2,8] axis 0 <- x:2"
       "split: f32[2,8] axis 1 -> b:4, c:4" "z: f32[2,8] axis 0 -> p:1, q:1\; Gather x 2")

# Branches and functions; the axis was 1 before opset 4.
write(graphs.onnxtxt [[
<ir_version: 8, opset_import: ["" : 3, "my" : 1]>
net (float[2,8] x, bool c) => (y, z)
{
  [choose] y = If (c) <then_branch = yes () => (a) { [t] a = Concat (x, x) },
                       else_branch = no () => (b) { [e] b = Concat <axis = 0> (x, x) }>
  [call] z = my.twice (x)
}
<domain: "my", opset_import: ["" : 13]>
twice (u) => (v) { [within] v = Concat <axis = 0> (u, u) }
]])
listed("--ops=concat graphs.onnxtxt" "t: f32[2,16] axis 1 <- x:8, x_2:8" "e: f32[4,8] axis 0 <- x:2, x_2:2"
       "within: f32[4,8] axis 0 <- u:2, u_2:2")

# Packed elements, which OpenVINO concatenates and ONNX does not.
model(packed.onnxtxt "(uint4[2,4] x, uint4[3,4] y) => (z)" "z = Concat <axis = 0> (x, y)")
run("splitgen --ops=concat packed.onnxtxt" 1)
expect_err("no version of ONNX Concat takes dtype 'u4'")
write(packed.xml [[
<net name="g" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="2,4" element_type="u4"/>
 <output><port id="0" precision="U4"><dim>2</dim><dim>4</dim></port></output></layer>
<layer id="1" name="join" type="Concat" version="opset1"><data axis="-1"/>
 <input><port id="0"><dim>2</dim><dim>4</dim></port><port id="1"><dim>2</dim><dim>4</dim></port></input>
 <output><port id="2" precision="U4"><dim>2</dim><dim>8</dim></port></output></layer>
<layer id="2" name="r" type="Result" version="opset1"><input><port id="0"><dim>2</dim><dim>8</dim></port></input></layer>
</layers><edges>
<edge from-layer="0" from-port="0" to-layer="1" to-port="0"/><edge from-layer="0" from-port="0" to-layer="1" to-port="1"/>
<edge from-layer="1" from-port="2" to-layer="2" to-port="0"/>
</edges></net>
]])
listed("--ops=concat packed.xml" "join: u4[2,8] axis 1 <- x:4, x_2:4")
run("splitgen packed.xml" 1)
expect_err("note: --ops=split,concat would generate: Concat nodes [(]1[)]")

# --- Concats that become no kernel

# Of weights only, computed in any way; of shapes, known or not; beside one of data.
model(weights.onnxtxt "(float[2,8] x) => (z)" "v = Identity (w)" "u = Add (w, w)"
      "y = Concat <axis = 0> (v, u)" "z = Concat <axis = 1> (y, y)")
model(constants.onnxtxt "() => (z)" "c = Constant <value = float[1] {1}> ()" "z = Concat <axis = 0> (c, c)")
model(shapes.onnxtxt "(float[N,M] x) => (z)" "s = Shape (x)" "n = Gather (s, one)" "t = Mul (n, one)"
      "z = Concat <axis = 0> (t, one, s)")
model(sizes.onnxtxt "(float[N,M] x) => (z)" "s = Shape (x)" "i = Cast <to = 6> (s)" "z = Concat <axis = 0> (i, i)")
foreach(name weights constants shapes sizes)
    none(${name}.onnxtxt)
endforeach()
model(numbers.onnxtxt "(int64[2] n, float[N] x) => (z, y)" "s = Shape (x)" "z = Concat <axis = 0> (n, one)"
      "y = Concat <axis = 0> (s, one)")
listed("--ops=concat numbers.onnxtxt" "z: i64[3] axis 0 <- n:2, one:1")
foreach(value n=3,4 z=3,4,1)
    run("splitgen --ops=concat --value ${value} numbers.onnxtxt" 1)
    expect_err("the model has no nodes of '--ops=concat'")
endforeach()

# --- constants are data of the kernel, in any encoding and from any node

# holds(<type> <dims of x> <numbers of the table> <node or initialiser>...): z concatenates x and k, whose numbers are
# in the file.
function(holds type dims numbers)
    set(given ${ARGN})
    set(constants "")
    if(given MATCHES "^<")
        list(POP_FRONT given constants)
    endif()
    list(JOIN given "\n" nodes)
    write(data.onnxtxt "<ir_version: 10, opset_import: [\"\" : 18]>\nnet (${type}[${dims}] x) => (z) ${constants}
{\n${nodes}\nz = Concat <axis = 0> (x, k)\n}\n")
    run("splitgen --ops=concat data.onnxtxt" 0)
    expect_no_err()
    string(REGEX MATCH "static const uint[0-9]+_t z_k\\[\\] = {[^}]*}" table "${OUT}")
    string(REGEX REPLACE "^[^{]*{|[ \n}]" "" table "${table}")
    string(REGEX REPLACE "([0-9a-f])(U|ULL)(,|$)" "\\1\\3" table "${table}")
    expect_same("${type} ${ARGN}" "${table}" "${numbers}")
endfunction()
foreach(row "float|1.5|0x3fc00000" "double|-2|0xc000000000000000" "float16|15361|0x3c01" "bfloat16|16256|0x3f80" "bool|1|0x1"
        "int8|-1|0xff" "uint16|65535|0xffff" "int64|-2|0xfffffffffffffffe" "uint64|18446744073709551615|0xffffffffffffffff"
        "complex64|1.5, 2|0x3fc00000,0x40000000" "complex128|1, -2|0x3ff0000000000000,0xc000000000000000")
    string(REPLACE "|" ";" row "${row}")
    list(GET row 0 type)
    list(GET row 1 literal)
    list(GET row 2 bits)
    holds(${type} 2 "${bits}" "<${type}[1] k = {${literal}}>")
    holds(${type} 2 "${bits}" "k = Constant <value = ${type}[1] {${literal}}> ()")
    holds(${type} 2,2 "${bits},${bits}" "n = Constant <value = int64[2] {1, 2}> ()"
          "k = ConstantOfShape <value = ${type}[1] {${literal}}> (n)")
    holds(${type} 2,1 "${bits}" "<${type}[1] c = {${literal}}, int64[1] a = {0}>" "k = Unsqueeze (c, a)")
endforeach()
holds(float 2,3 "0x0,0x0,0x0" "n = Constant <value_ints = [1, 3]> ()" "k = ConstantOfShape (n)")
holds(float 2 "0x3f800000,0x80000000" "k = Constant <value_floats = [1.0, -0.0]> ()")
holds(float 2 "0x3e99999a" "f = Constant <value_float = 0.3> ()" "a = Constant <value_ints = [0]> ()" "k = Unsqueeze (f, a)")
holds(int64 2 "0x7,0xffffffffffffffff" "k = Constant <value_ints = [7, -1]> ()")
holds(int64 2 "0x7" "i = Constant <value_int = 7> ()" "a = Constant <value_ints = [0]> ()" "k = Unsqueeze (i, a)")
holds(int64 "6,4" "0x4,0x6,0x4,0x6" "<int64[1] i = {1}, int64 j = {0}, int64[1] a = {0}>" "s = Shape (x)" "u = Gather (s, i)" "v = Gather (s, j)"
      "w = Unsqueeze (v, a)" "c = Concat <axis = 0> (u, w)" "k2 = Unsqueeze (c, a)" "o = Constant <value_ints = [1, 2]> ()"
      "p = Reshape (k2, o)" "e = Constant <value_ints = [1, 2]> ()" "q = Expand (p, e)" "k = Concat <axis = 1> (q, q)" "y = Identity (k)")
# The Identity of another domain is an unknown operator.
write(foreign.onnxtxt "<ir_version: 10, opset_import: [\"\" : 18, \"com.acme\" : 1]>\nnet (float[2] x) => (z) <float[2] c = {1, 2}>
{\nk = com.acme.Identity (c)\nz = Concat <axis = 0> (x, k)\n}\n")
run("splitgen --ops=concat --shape k=f32[2] foreign.onnxtxt" 0)
expect_out("in +k +\\[2\\] +8 bytes +data\\[2:4\\] at byte 8\n" "void z\\([^)]*const float [*]SPLITGEN_RESTRICT k")

# The result of a random or stateful node is no constant, even if all its inputs are constant.
foreach(node "Bernoulli (c)" "RandomNormalLike (c)" "RandomUniformLike <dtype = 1> (c)" "Dropout (c, r, t)")
    write(chance.onnxtxt "<ir_version: 10, opset_import: [\"\" : 18]>\nnet (float[2,2] x) => (z) <float[2,2] c = {0, 1, 0, 1}, float r = {0.5}, bool t = {1}>
{\nk = ${node}\nz = Concat <axis = 0> (x, k)\n}\n")
    run("splitgen --ops=concat chance.onnxtxt" 0)
    expect_out("void z\\([^)]*const float [*]SPLITGEN_RESTRICT k")
    run("splitgen --ops=concat --emit=placement chance.onnxtxt" 0)
    expect_out("\"name\": \"k\"[^\n]*\"kind\": \"inner\"")
endforeach()
file(WRITE "${WORK}/state.bin" "12345678")
foreach(type i32 dynamic)
    write(state.xml "<?xml version=\"1.0\"?>
<net name=\"g\" version=\"11\"><layers>
<layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\"><data shape=\"2\" element_type=\"i32\"/>
 <output><port id=\"0\" precision=\"I32\"><dim>2</dim></port></output></layer>
<layer id=\"1\" name=\"c\" type=\"Const\" version=\"opset1\"><data element_type=\"i32\" shape=\"2\" offset=\"0\" size=\"8\"/>
 <output><port id=\"0\" precision=\"I32\"><dim>2</dim></port></output></layer>
<layer id=\"2\" name=\"k\" type=\"ReadValue\" version=\"opset6\"><data variable_id=\"v\" variable_type=\"${type}\" variable_shape=\"2\"/>
 <input><port id=\"0\"><dim>2</dim></port></input><output><port id=\"1\" precision=\"I32\"><dim>2</dim></port></output></layer>
<layer id=\"3\" name=\"z\" type=\"Concat\" version=\"opset1\"><data axis=\"0\"/>
 <input><port id=\"0\"><dim>2</dim></port><port id=\"1\"><dim>2</dim></port></input>
 <output><port id=\"2\" precision=\"I32\"><dim>4</dim></port></output></layer>
<layer id=\"4\" name=\"r\" type=\"Result\" version=\"opset1\"><input><port id=\"0\"><dim>4</dim></port></input></layer>
</layers><edges>
<edge from-layer=\"1\" from-port=\"0\" to-layer=\"2\" to-port=\"0\"/>
<edge from-layer=\"0\" from-port=\"0\" to-layer=\"3\" to-port=\"0\"/><edge from-layer=\"2\" from-port=\"1\" to-layer=\"3\" to-port=\"1\"/>
<edge from-layer=\"3\" from-port=\"2\" to-layer=\"4\" to-port=\"0\"/>
</edges></net>
")
    run("splitgen --ops=concat state.xml" 0)
    expect_out("void z\\([^)]*const int32_t [*]SPLITGEN_RESTRICT k")
endforeach()

# --- open and unknown dimensions

model(open.onnxtxt "(float[N,8,2] x, float[N,8,2] y, float[2,M] u) => (a, b, c)" "[front] a = Concat <axis = 1> (x, y)"
      "[behind] b = Concat <axis = 0> (u, u)")
listed("--ops=concat --open open.onnxtxt" "front: f32[N,16,2] axis 1 <- x:8, y:8" "behind: f32[4,M] axis 0 <- u:2, u_2:2")
listed("--ops=concat --open=N -D M=5 open.onnxtxt" "front: f32[N,16,2] axis 1 <- x:8, y:8" "behind: f32[4,5] axis 0 <- u:2, u_2:2")
run("splitgen --ops=concat --list --format=json --open open.onnxtxt" 0)
expect_json("[\"N\",8,2]" ops 0 inputs 1 shape)
expect_json("[\"N\",16,2]" ops 0 output shape)
run("splitgen --ops=concat open.onnxtxt" 1)
expect_err("Concat 'front' needs every dim of 'a' as a number, but it is \\[N, 16, 2\\]" "-D N=VALUE"
           "leave this Concat out with --except front" "try: splitgen --ops=concat --open open.onnxtxt")

# An open axis is refused, and all Concats with the same missing dimension share one error.
model(axis.onnxtxt "(float[2,N] x, float[2,4] y, float[2,M] z) => (a, b, c)" "[one] a = Concat <axis = 1> (x, y)"
      "[two] b = Concat <axis = 1> (y, x)" "[both] c = Concat <axis = 1> (x, z)")
run("splitgen --ops=concat --open axis.onnxtxt" 1)
expect_err("2 Concats need -D N=VALUE: the first, Concat 'one', joins along dim 1 of 'x' and needs it as a number, but 'x' is \\[2, N\\]"
           "Concat 'both' joins along dim 1 of 'x'" "give -D N=VALUE -D M=VALUE, or leave this Concat out with --except both"
           "try: splitgen --ops=concat --open -D N=VALUE -D M=VALUE axis.onnxtxt")
listed("--ops=concat -D N=3 -D M=1 axis.onnxtxt" "one: f32[2,7] axis 1 <- x:3, y:4" "two: f32[2,7] axis 1 <- y:4, x:3"
       "both: f32[2,4] axis 1 <- x:3, z:1")

# A length that follows from the other lengths.
model(rest.onnxtxt "(float[2,N] x, float[2,4] y) => (float[2,7] a)" "a = Concat <axis = 1> (x, y)")
listed("--ops=concat rest.onnxtxt" "a: f32[2,7] axis 1 <- x:3, y:4")

# --- errors

function(wrong head node message)
    model(wrong.onnxtxt "${head}" "[c] ${node}")
    run("splitgen --ops=concat wrong.onnxtxt" 1)
    expect_err("${message}")
endfunction()
wrong("(float[2,8] x, float[3,8] y) => (z)" "z = Concat <axis = 1> (x, y)"
      "op 'c': input 1 [(]'y'[)] has 3 in dimension 0, but input 0 [(]'x'[)] has 2: only along axis 1 may they differ")
wrong("(float[2,8] x, float[8] y) => (z)" "z = Concat <axis = 1> (x, y)" "input 1 [(]'y'[)] has 1 dimension, but input 0 [(]'x'[)] has 2")
wrong("(float[2,8] x, double[2,8] y) => (z)" "z = Concat <axis = 1> (x, y)" "input 1 [(]'y'[)] has dtype 'f64', but input 0 [(]'x'[)] has 'f32'")
wrong("(float[2,8] x) => (z)" "z = Concat <axis = 2> (x, x)" "axis 2 is out of range: a shape of 2 dimensions has axes -2 to 1")
wrong("(float[2,8] x) => (z)" "z = Concat (x, x)" "op 'c': 'axis' is missing: Concat-[0-9]+ [(]opset [0-9]+[)] has no default axis")

# --- in a spec, and other options

write(spec.lua "local ops = onnx.load('all.onnxtxt', { ops = { 'concat' }, only = { 'a' } })
assert(#ops == 1 and ops[1].op_type == 'Concat' and ops[1].lengths[2] == 1)\nreturn ops\n")
listed("spec.lua" "${first}")
run("splitgen --ops=join all.onnxtxt" 2)
expect_err("'join'" "'concat'")

# A concatenated sequence of tensors is a Concat of these tensors, unless a node takes tensors out of it.
model(sequences.onnxtxt "(float[2,6] x, float[2,3] y) => (j, q, m, n, e)" "a, b = Split <axis = 1, num_outputs = 2> (x)"
      "s = SequenceConstruct (b, y)" "[join] j = ConcatFromSequence <axis = -1> (s)" "t = SequenceConstruct (y, y)"
      "[stack] q = ConcatFromSequence <axis = 0, new_axis = 1> (t)" "u = SequenceConstruct (y, y)"
      "[twice] m = ConcatFromSequence <axis = 0> (u)" "v = SequenceConstruct (y, y)" "[read] n = ConcatFromSequence <axis = 0> (v)"
      "e = SequenceAt (v, i0)")
run("splitgen --ops=concat --list sequences.onnxtxt" 0)
expect_err("note: ConcatFromSequence 'read' is no kernel: the sequence 'v' is also an output or read by other operators")
listed("--ops=concat sequences.onnxtxt" "join: f32[2,6] axis 1 <- b:3, y:3" "stack: f32[2,2,3] axis 0 <- y:1, y_2:1" "twice: f32[4,3] axis 0 <- y:2, y_2:2"
       "not listed: Split and VariadicSplit nodes (1)\; --ops=split,concat lists them too")

# The same holds after SequenceInserts and SequenceErases at known positions. A sequence that two Concats
# read has to be written for both.
model(chains.onnxtxt "(float[2,6] x, float[2,3] y, int64 n) => (j, k1, k2, u)" "a, b = Split <axis = 1, num_outputs = 2> (x)"
      "s0 = SequenceEmpty ()" "s1 = SequenceInsert (s0, y)" "s2 = SequenceInsert (s1, a, i0)" "s3 = SequenceErase (s2)"
      "s4 = SequenceInsert (s3, y)" "[chain] j = ConcatFromSequence <axis = 1> (s4)" "t = SequenceConstruct (b, y)"
      "[one] k1 = ConcatFromSequence <axis = 1> (t)" "[two] k2 = ConcatFromSequence <axis = -1, new_axis = 1> (t)"
      "v = SequenceConstruct (y)" "v1 = SequenceInsert (v, a, n)" "[where] u = ConcatFromSequence <axis = 0> (v1)")
listed("--ops=concat chains.onnxtxt" "chain: f32[2,6] axis 1 <- a:3, y:3" "one: f32[2,6] axis 1 <- b:3, y:3"
       "two: f32[2,3,2] axis 2 <- b:1, y:1" "not listed: Split and VariadicSplit nodes (1)\; --ops=split,concat lists them too")
run("splitgen --ops=concat,split --fuse --list chains.onnxtxt" 0)
expect_err("note: ConcatFromSequence 'where' is no kernel: the position of SequenceInsert 'v1' is not constant")
expect_out("one: .*not fused with 'a', which feeds it: the sequence 't', which has it, is read 2 times")

# A constant is not a parameter, so 32 tensors and a constant still need no array.
foreach(i RANGE 1 32)
    list(APPEND inputs "float[2,1] x${i}")
    list(APPEND joined "x${i}")
endforeach()
list(JOIN inputs ", " inputs)
list(JOIN joined ", " joined)
model(wide.onnxtxt "(${inputs}) => (z)" "z = Concat <axis = 1> (${joined}, k)")
run("splitgen --ops=concat wide.onnxtxt" 0)
expect_out("static const uint32_t z_k" "x32,\n *float [*]SPLITGEN_RESTRICT data[)];")

# It is not an entry of the array either: x2 is the first entry, and the descriptor and JSON count as the function
# does.
foreach(i RANGE 33 37)
    string(APPEND inputs ", float[2,1] x${i}")
    string(APPEND joined ", x${i}")
endforeach()
model(array.onnxtxt "(${inputs}) => (z)" "e = Constant <value = float[2,0] {}> ()"
      "z = Concat <axis = 1> (k, x1, e, ${joined}, k)")
run("splitgen --ops=concat array.onnxtxt" 0)
expect_out("static const uint32_t z_k\\[\\]" "static const uint32_t z_k_2\\[\\]" "void z\\(const float [*]const inputs\\[\\]"
           "all_inputs\\[\\] = {z_k, splitgen_input\\(inputs, 0\\), NULL,\n *splitgen_input\\(inputs, 1\\)"
           "splitgen_input\\(inputs, 37\\), z_k_2}")
run("splitgen --ops=concat --emit=json array.onnxtxt" 0)
string(JSON last GET "${OUT}" kernels 0 parameters 38 place)
expect_same("place of the last" "${last}" 37)
run("splitgen --ops=concat --emit=h array.onnxtxt" 0)
expect_out("k +.*, a constant\n.*inputs\\[0\\].* k_2 .*, a constant")

# The array is on the stack, so its size is limited.
foreach(i RANGE 1 200)
    string(APPEND joined ", ${joined}")
    string(LENGTH "${joined}" length)
    if(length GREATER 16500)
        break()
    endif()
endforeach()
model(limit.onnxtxt "(${inputs}) => (z)" "z = Concat <axis = 1> (${joined}, k)")
run("splitgen --ops=concat limit.onnxtxt" 5)
expect_err("parts are more than splitgen joins where some are constants: 4096" "--except")
