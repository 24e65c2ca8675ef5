# Models as inputs: format detection, options that resolve sizes, names in the output.
include("${CMAKE_CURRENT_LIST_DIR}/cli.cmake")
get_filename_component(corpus "${CMAKE_CURRENT_LIST_DIR}/../fuzz/corpus" ABSOLUTE)

# Lengths and shapes as exporters write them: a batch without a number, a computed reshape.
write(net.onnxtxt [[
<ir_version: 10, opset_import: ["" : 18]>
net (float[batch, 12, 20] x) => (float[batch, 12, 4] q, float[batch, 12, 16] rest)
<int64[2] lengths = {4, 16}, int64[1] minus = {-1}, int64[1] last = {20}>
{
  size = Shape <start: int = 0, end: int = 2> (x)
  flat = Concat <axis = 0> (size, last)
  y = Reshape (x, flat)
  ["/heads/Split"] q, rest = Split <axis = 2> (y, lengths)
  [second] a, "", c = Split <axis = 1, num_outputs = 3> (rest)
}
]])
set(listed "heads_Split: f32\\[2,12,20\\] axis 2 -> q:4 [^\n]*, rest:16 [^\n]*\n")
string(APPEND listed "second: f32\\[2,12,16\\] axis 1 -> a:4 [^\n]*, c:4 ")
run("splitgen --list -D batch=2 net.onnxtxt" 0)
expect_no_err()
expect_out("^${listed}")
run("splitgen --list --shape x=2,12,20 net.onnxtxt" 0)
expect_out("^${listed}")
run("splitgen --list --shape 'x=f32[2,12,20]' - < net.onnxtxt" 0)
expect_out("^${listed}")

# The same in JSON, with the model's own names.
run("splitgen --list --format=json -D batch=2 net.onnxtxt" 0)
expect_no_err()
function(expect_list value)
    string(JSON is GET "${OUT}" ${ARGN})
    expect_same("${ARGN}" "${is}" "${value}")
endfunction()
expect_list(heads_Split ops 0 name)
expect_list(/heads/Split ops 0 node)
expect_list(Split ops 0 op_type)
expect_list(y ops 0 tensors input)
expect_list(rest ops 0 tensors outputs 1)
string(JSON depth LENGTH "${OUT}" ops 0 path)
expect_same("a node of the graph itself" "${depth}" 0)
expect_list(c ops 1 tensors outputs 2)
string(JSON unwanted TYPE "${OUT}" ops 1 tensors outputs 1)
expect_same("a tensor nobody wants" "${unwanted}" NULL)
expect_list(4 ops 1 lengths 1)
expect_list(2 summary splits)

# Kernels looked up by their nodes, with their origin.
write(lookup.c [[
#include <stdio.h>
#include "net.h"

int main(void)
{
    const splitgen_kernel *found = splitgen_find(&net_registry, "/heads/Split");
    const splitgen_origin *origin = found != NULL ? found->origin : NULL;
    if (origin == NULL || splitgen_find(&net_registry, "heads_Split") != NULL ||
        splitgen_find(&net_registry, "second") != &second_kernel) {
        return 1;
    }
    printf("%s: %s '%s' of %s splits '%s' into '%s' and '%s', path of %u, %s\n", found->name, origin->op_type,
           origin->node, origin->model->file, origin->whole, found->parts[0].name, found->parts[1].name,
           (unsigned)origin->npath, origin->model->sha256);
    return second_kernel.origin->model != origin->model;
}
]])
run("splitgen -D batch=2 --emit=c,h,registry -o gen/ net.onnxtxt" 0)
get_filename_component(root "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
run("cc -std=c99 -Wall -Wextra -Wpedantic -Werror -Igen -I'${root}/include' gen/net.c gen/net_registry.c lookup.c \
     '${root}'/runtime/*.c -o lookup && ./lookup" 0)
file(SHA256 "${WORK}/net.onnxtxt" digest)
expect_same("what a kernel tells of its node" "${OUT}"
            "heads_Split: Split '/heads/Split' of net.onnxtxt splits 'y' into 'q' and 'rest', path of 0, ${digest}\n")

write(branch.onnxtxt [[
<ir_version: 10, opset_import: ["" : 18]>
net (bool c, float[4,6] x) => (y)
{
  [choose] y = If (c) <
    then_branch = t () => (a) { a, b = Split <axis = 0, num_outputs = 2> (x) },
    else_branch = e () => (d) { d = Identity (x) }>
}
]])
run("splitgen --list --format=json branch.onnxtxt" 0)
expect_list("" ops 0 node)
expect_list(choose ops 0 path 0)
expect_list(a ops 0 views 0)
expect_list(96 summary bytes_saved_by_views)

# All Splits with the same missing sizes share one error, which gives a command to paste.
run("splitgen net.onnxtxt" 1)
expect_no_out()
expect_err("net.onnxtxt:8:3: error: 2 Splits need -D batch=VALUE: the first, Split '/heads/Split', needs every dim of 'y' as a number, but it is \\[batch, 12, 20\\]"
           "leave open what has no number with --open, or give -D batch=VALUE, or leave them out with --except /heads/Split --except second"
           "note: try: splitgen --open net.onnxtxt\n$")
write(lacks.onnxtxt [[
<ir_version: 10, opset_import: ["" : 18, "other" : 1]>
lacks (float["the batch", 12] x, int64[2] lengths, float[T, 8] z) => (a)
{
  a, b = Split <axis = 1> (x, lengths)
  c, d = Split <axis = 1, num_outputs = 2> (z)
  y = other.Strange (x)
  e, f = Split <axis = 1, num_outputs = 2> (y)
  n = NonZero (z)
  t = Transpose (n)
  g, h = Split <axis = 1, num_outputs = 2> (t)
}
]])
run("cp lacks.onnxtxt \"it's lacking.onnxtxt\"; splitgen --explain -D T=5 \"it's lacking.onnxtxt\" 2>&1 | tee said | sed -n 's/.*try: //p' > command" 0)
run("cat said" 0)
expect_out("leave open what has no number with --open --value lengths=INTS, or give -D 'the batch=VALUE' --value lengths=INTS, or" "give --shape 'y=TYPE\\[DIMS\\]', or"
           "'n', made by NonZero 'n': its shape depends on the data" "leave open what has no number with --open, or give --shape 'n=2,n\\?' \\(then pass 'n' on each call; or a number for it\\)"
           "try: splitgen --explain -D T=5 --open --shape 'y=TYPE\\[DIMS\\]' --value lengths=INTS 'it'.''s lacking.onnxtxt'\n$")
run("sed -i 's/--explain/--list/; s/TYPE/f16/; s/DIMS/2,4/; s/INTS/5,7/' command; eval \"$(cat command)\"" 0)
expect_no_err()
expect_out("f32\\[the batch,12\\]" "f32\\[5,8\\]" "f16\\[2,4\\]" "i64\\[dim0,2\\]")

# Wrong forms of a shape or of values: the message gives the right form.
foreach(form "x:2,12,20" "x 2,12,20" "x=2x12x20" "x=2*12*20" "x=2×12×20" "x={2,12,20}" "x=2, 12, 20" "x=2 12 20"
             "x: 2, 12, 20" "x=<2,12,20>")
    run("splitgen --list --shape '${form}' net.onnxtxt" 2)
    expect_err("note: write --shape x=2,12,20\n$")
endforeach()
foreach(form "x=-1,12,20" "x=?,12,20" "x=None,12,20" "x=n,12,20" "x=(-1,12,20)" "x:-1,12,20" "x=-1x12x20")
    run("splitgen --list --shape '${form}' net.onnxtxt" 2)
    expect_err("note: write --shape 'x=n[?],12,20'\n$")
endforeach()
foreach(form "x:f32[2,12,20]" "x=float32(2,12,20)" "x=2x12x20xf32" "x=tensor<2x12x20xf32>" "x=f32 2,12,20")
    run("splitgen --list --shape '${form}' net.onnxtxt" 2)
    expect_err("note: write --shape 'x=f32\\[2,12,20\\]'\n$")
endforeach()
foreach(form "lengths:5,7" "lengths 5,7" "lengths=5x7" "lengths={5,7}" "lengths=5, 7")
    run("splitgen --list --value '${form}' lacks.onnxtxt" 2)
    expect_err("note: write --value lengths=5,7\n$")
endforeach()
foreach(form "x" "x:1" "=1,2" "x=-1,-1" "x=1,$" "x=f32[f16[1,2]]")
    run("splitgen --list --shape '${form}' net.onnxtxt" 2)
    if(ERR MATCHES "note: write")
        message(FATAL_ERROR "'${form}' is taken for what it is not:\n${ERR}")
    endif()
endforeach()
run("splitgen --list -D batch=2 --except '/heads/*' net.onnxtxt" 0)
expect_out("^second: [^\n]*\ntotal: [^\n]*\n(with --emit[^\n]*\n)?([0-9]+ of [0-9]+ [^\n]*\n)?$")
run("splitgen --list -D batch=2 --only 'sec?nd' net.onnxtxt" 0)
expect_out("^second: [^\n]*\ntotal: [^\n]*\n(with --emit[^\n]*\n)?([0-9]+ of [0-9]+ [^\n]*\n)?$")
run("splitgen --list -D batch=2 --only nobody net.onnxtxt" 2)
expect_err("--only: the model has no Split 'nobody'; there is '/heads/Split', 'second'\n")
run("splitgen --list -D batch=2 --except '/heads/Spilt' net.onnxtxt" 2)
expect_err("--except: the model has no Split '/heads/Spilt'; did you mean '/heads/Split'")
# A contradiction between an option and the file is reported at the option, with both values.
foreach(said "x=2,12" "x=2,12,21" "x=f16[2,12,20]" "x=2,12,n=20?" "x=[2,13,20]")
    run("splitgen --list --shape '${said}' net.onnxtxt; true" 0)
    expect_err("<command line>:1:[0-9]+: warning: 'x' is given as [^\n]*, but the model says that it is f32\\[batch, 12, 20\\]; what is given counts")
endforeach()
foreach(said "x=[2,12,20]" "x=(2,12,20)" "x=f32[2,12,20]" "x=[b=2?,12,20]")
    run("splitgen --list --shape '${said}' net.onnxtxt" 0)
    expect_no_err()
endforeach()
run("splitgen --list -D batch=2 --shape z=1 net.onnxtxt" 2)
expect_err("the model has no tensor 'z'")
run("splitgen --list --shape X=2,12,20 net.onnxtxt" 2)
expect_err("needs every dim of 'y'" "--shape: the model has no tensor 'X'; did you mean 'x'")
run("splitgen --list --shape x=2,12,x net.onnxtxt" 2)
expect_err(":1:32: error: 'x' is not a whole number of at least 0")

# A wrong length is reported at its place.
run("sed 's/{4, 16}/{4, 17}/' net.onnxtxt > wrong.onnxtxt; splitgen -D batch=1 wrong.onnxtxt" 1)
expect_err("wrong.onnxtxt:3:[0-9]+: error: op 'heads_Split': lengths sum to 21, but axis 2 has 20")

# The names of the model, and its path.
run("splitgen -D batch=1 --emit=c,h,json -o out/ --depfile net.d net.onnxtxt" 0)
file(READ "${WORK}/out/net.json" json)
string(JSON kernel GET "${json}" kernels 0)
function(expect_json value)
    string(JSON is GET "${kernel}" ${ARGN})
    expect_same("${ARGN}" "${is}" "${value}")
endfunction()
expect_json("/heads/Split" node)
expect_json("Split" op_type)
expect_json("" domain)
expect_json("y" input tensor)
expect_json("rest" outputs 1 tensor)
expect_json("net.onnxtxt" model file)
file(SHA256 "${WORK}/net.onnxtxt" sha256)
expect_json("${sha256}" model sha256)
file(READ "${WORK}/out/net.c" c)
string(REPLACE "\n * " " " c "${c}")
foreach(words "From Split '/heads/Split' of 'net.onnxtxt' [(]SHA-256 ${sha256}[)], which splits 'y'")
    expect_text("the banner" "${c}" "${words}")
endforeach()
file(READ "${WORK}/net.d" depfile)
expect_text("the dependency file" "${depfile}" "net.onnxtxt")

# A dim may have any name: -D and --open accept it, and a shell can parse the suggested command.
foreach(dim batch "batch size" "past_sequence_length + 1" "p2o.DynamicDimension.0" "floor(s0/2)" "?" "*" "a=b"
            "a=b=c" "=x" "-x" "2" "it's" "$HOME" "`x`" "x&y|z" "Größe" "!x" "#x" "~" "(x)" "{x}")
    write(named.onnxtxt "<ir_version: 10, opset_import: [\"\" : 18]>\nm (float[\"${dim}\", 12] x) => (a, b)\n{ a, b = Split <axis = 1, num_outputs = 2> (x) }\n")
    string(REPLACE "'" "'\\''" quoted "${dim}")
    set(D "-D ")
    if(dim STREQUAL "-x") # or it looks like an option
        set(D -D)
    endif()
    foreach(value 3 free free:4)
        run("splitgen --list ${D}'${quoted}=${value}' named.onnxtxt" 0)
        expect_no_err()
    endforeach()
    run("splitgen --open='${quoted}=4' --isa=portable --emit=c -o named.c named.onnxtxt && cc -std=c99 -Wall -Wextra -Wpedantic -Werror -I'${root}/include' -fsyntax-only named.c" 0)
    expect_no_err()
    set(wrong abc "1,seq=16")
    if(dim STREQUAL "batch")
        set(wrong -1 1e3 abc "" "1,seq=16" free:0 free:x 99999999999999999999)
    endif()
    foreach(value IN LISTS wrong)
        run("splitgen --list ${D}'${quoted}=${value}' named.onnxtxt" 2)
        expect_err("^<command line>:1:[0-9]+: error: '${value}' is not a size for '")
    endforeach()
    run("splitgen named.onnxtxt 2>&1 | sed -n 's/.*give \\(-D.*\\), or leave .*/\\1/p' | sed 's/VALUE/3/' > advice" 0)
    run("eval \"splitgen --list $(cat advice) named.onnxtxt\"" 0)
endforeach()
run("splitgen --list -D Batch= net.onnxtxt" 1)
expect_err("<command line>:1:20: warning: no input has a parameter or dim 'Batch'; did you mean 'batch'")
run("splitgen --list -D batch=2 -D mode=fast net.onnxtxt" 0)
expect_no_err()

# Invisible characters and those that change the writing direction are escaped in every printed name.
set(hidden "")
foreach(c [[\342\200\256]] [[\342\200\252]] [[\342\201\246]] [[\342\201\251]] [[\342\200\216]] [[\342\200\217]] [[\330\234]] [[\342\200\213]]
          [[\342\201\240]] [[\357\273\277]] [[\302\255]] [[\341\240\216]] [[\343\205\244]] [[\363\240\201\201]])
    run("printf '${c}'" 0)
    list(APPEND hidden "${OUT}")
endforeach()
list(JOIN hidden "" c)
write(hidden.onnxtxt "<ir_version: 10, opset_import: [\"\" : 18]>\nm (float[\"N${c}\", 12] \"x${c}\") => (a, b)\n{ [\"n${c}\"] \"a${c}\", b = Split <axis = 1, num_outputs = 2> (\"x${c}\")\n [\"m${c}\"] c, d = Split <axis = 1, num_outputs = 2> (\"a${c}\") }\n")
foreach(look "--list" "--list --fuse" "--list --format=json" "--list --fuse --format=json" "--explain --fuse"
             "--explain" "--dump=op,split,layout,plan,program" "--report=text" "--report=json" "" "--fuse" "--emit=h"
             "--emit=json" "--emit=svg" "--emit=py" "--emit=registry" "--diagnostics-format=json -D y=1")
    foreach(free "--free 'N${c}'" "--except 'z${c}'")
        run("splitgen ${look} ${free} hidden.onnxtxt; true" 0)
        foreach(one IN LISTS hidden)
            string(FIND "${OUT}${ERR}" "${one}" at)
            if(NOT at EQUAL -1)
                fail("${look} prints what nobody sees")
            endif()
        endforeach()
    endforeach()
endforeach()

# Such a name cannot end a comment, a string or an element of the output.
foreach(dim [[a<b&c>d]] [[""\"; import nosuch; \"""]] [[*/ int x; /*]])
    write(named.onnxtxt "<ir_version: 10, opset_import: [\"\" : 18]>\nm (float[dim, 12] x) => (a, b)\n{ a, b = Split <axis = 1, num_outputs = 2> (x) }\n")
    write(dim "${dim}")
    run("splitgen --isa=portable --shape x=\"$(cat dim)?,12\" --emit=c,svg,py -o named named.onnxtxt" 0)
    run("cc -std=c99 -Wall -Wextra -Werror -I'${root}/include' -fsyntax-only named.c" 0)
    find_program(python python3)
    if(python)
        run("'${python}' -c 'import ast, xml.dom.minidom as m; m.parse(\"named.svg\"); t = ast.parse(open(\"named.py\").read()); assert \"nosuch\" in ast.get_docstring(t) or \"nosuch\" not in open(\"dim\").read()'" 0)
    endif()
endforeach()

# Values given for inputs, and shape rules of the user.
write(given.onnxtxt [[
<ir_version: 10, opset_import: ["" : 18, "my.domain" : 1]>
net (float[6] x, int64[2] sizes) => (a, b)
{
  y = my.domain.Widen (x)
  a, b = Split <axis = 0> (y, sizes)
}
]])
write(rules.lua "return { ['my.domain.Widen'] = function(node, inputs) return { inputs[1] } end }\n")
run("splitgen --list --value sizes=2,4 --shape-rules rules.lua given.onnxtxt" 0)
expect_out("^a: f32\\[6\\] axis 0 -> a:2 [^\n]*, b:4 ")
# A value that does not fit is reported at the option, even if other nodes change it first.
run("splitgen --list --value sizes=2,5 --shape-rules rules.lua given.onnxtxt" 1)
expect_err("<command line>:1:25: error: op 'a': lengths sum to 7, but axis 0 has 6")
run("sed 's/(y, sizes)/(y, same)/; s/^  a, b/  same = Identity (sizes)  a, b/' given.onnxtxt > through.onnxtxt" 0)
run("splitgen --list --value sizes=2,5 --shape-rules rules.lua through.onnxtxt" 1)
expect_err("<command line>:1:25: error: op 'a': lengths sum to 7, but axis 0 has 6")
run("splitgen --list --value sizes=2,4 given.onnxtxt" 1)
expect_err("made by my.domain.Widen|made by Widen")
run("splitgen --list --shape-rules rules.lua given.onnxtxt" 1)
expect_err("--value sizes=")
# Rules read attributes unchanged, or by a type.
run("sed 's/Widen (x)/Widen <pads = [1, 2], by = 2.5> (x)/' given.onnxtxt > attributes.onnxtxt" 0)
write(reading.lua "require 'rules'
return { ['my.domain.Widen'] = function(node, inputs)
  local a, pads = node.attributes, shape_rules.ints(node, 'pads', {})
  return { { dtype = 'f32', shape = { 6 + pads[1] + a.pads[2] + (math.type(a.by) == 'float' and 1 or 0) } } }
end }\n")
run("splitgen --list --value sizes=4,6 --shape-rules reading.lua attributes.onnxtxt" 0)
expect_out("^a: f32\\[10\\] axis 0 -> a:4 ")
run("sed -i 's/pads = .1, 2./pads = 2/' attributes.onnxtxt" 0)
run("splitgen --list --value sizes=4,6 --shape-rules reading.lua attributes.onnxtxt" 1)
expect_err("attributes.onnxtxt:4:24: error: 'pads' of Widen 'y' must be of type INTS, but is of type INT: 2\n")
run("splitgen --print=shape-rules" 0)
expect_out("rules.Concat|rules\\[\"Concat\"\\]")

# OpenVINO's IR with its constants, and a binary of ONNX.
write(ir.xml [[
<?xml version="1.0"?>
<net name="n" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="2,6" element_type="f32"/>
<output><port id="0" precision="FP32"><dim>2</dim><dim>6</dim></port></output></layer>
<layer id="1" name="axis" type="Const" version="opset1"><data element_type="i64" shape="" offset="0" size="8"/>
<output><port id="0" precision="I64"/></output></layer>
<layer id="2" name="cut" type="Split" version="opset1"><data num_splits="3"/>
<input><port id="0"/><port id="1"/></input><output>
<port id="2" precision="FP32"><dim>2</dim><dim>2</dim></port><port id="3" precision="FP32"><dim>2</dim><dim>2</dim></port>
<port id="4" precision="FP32"><dim>2</dim><dim>2</dim></port></output></layer>
<layer id="3" name="r" type="Result" version="opset1"><input><port id="0"/></input></layer></layers>
<edges><edge from-layer="0" from-port="0" to-layer="2" to-port="0"/><edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
<edge from-layer="2" from-port="2" to-layer="3" to-port="0"/></edges></net>
]])
run("printf '\\1\\0\\0\\0\\0\\0\\0\\0' > ir.bin; splitgen --list ir.xml" 0)
expect_out("^cut: f32\\[2,6\\] axis 1 -> [^\n]*:2 ")
# Version 10 by hand: types in capitals, any port numbers, lengths through a Convert, a dim without a number.
write(v10.xml [[
<net name="n" version="10"><layers>
<layer id="10" name="x" type="Parameter" version="opset1"><data shape="-1,6" element_type="FP16"/>
<output><port id="0" precision="FP16"><dim>-1</dim><dim>6</dim></port></output></layer>
<layer id="11" name="axis" type="Const" version="opset1"><data element_type="I64" shape="1" offset="0" size="8"/>
<output><port id="1" precision="I64"><dim>1</dim></port></output></layer>
<layer id="12" name="lengths" type="Const" version="opset1"><data element_type="I16" shape="2" offset="8" size="4"/>
<output><port id="1" precision="I16"><dim>2</dim></port></output></layer>
<layer id="13" name="wide" type="Convert" version="opset1"><data destination_type="i64"/>
<input><port id="0"><dim>2</dim></port></input><output><port id="1" precision="I64"><dim>2</dim></port></output></layer>
<layer id="14" name="cut" type="VariadicSplit" version="opset1">
<input><port id="7"/><port id="5"/><port id="6"/></input><output>
<port id="9" precision="FP16"><dim>-1</dim><dim>4</dim></port><port id="8" precision="FP16"><dim>-1</dim><dim>2</dim></port></output></layer>
<layer id="15" name="r" type="Result" version="opset1"><input><port id="0"/></input></layer></layers>
<edges><edge from-layer="10" from-port="0" to-layer="14" to-port="7"/><edge from-layer="11" from-port="1" to-layer="14" to-port="5"/>
<edge from-layer="12" from-port="1" to-layer="13" to-port="0"/><edge from-layer="13" from-port="1" to-layer="14" to-port="6"/>
<edge from-layer="14" from-port="8" to-layer="15" to-port="0"/></edges></net>
]])
run("printf '\\377\\377\\377\\377\\377\\377\\377\\377\\4\\0\\377\\377' > v10.bin; splitgen --list --shape x=3,6 v10.xml" 0)
expect_out("^cut: f16\\[3,6\\] axis 1 -> [^\n]*:4 [^\n]*:2 ")
run("splitgen --depfile ir.d ir.xml -o ir.c" 0)
file(READ "${WORK}/ir.d" depfile)
expect_text("the dependency file" "${depfile}" "ir.xml" "ir.bin")
run("splitgen --list -D N=3 '${corpus}/onnx/split'" 0)
expect_out("^s: f32\\[2,3,6\\]")
run("splitgen --list -D N=3 --shape x=2,3,7 '${corpus}/onnx/split'" 1)
expect_err("split: byte [0-9]+: error: op 's': lengths sum to 6, but axis 2 has 7"
           "split: byte 7: note: this is Split 's', which splits 'x' by the lengths in 'l'")
run("splitgen --list '${corpus}/onnx/split'" 1)
expect_err("split: byte 7: error: Split 's' needs every dim of 'x' as a number, but it is \\[2, N, 6\\]")
run("printf '\\037\\213\\010' > m.onnx; splitgen m.onnx" 1)
expect_err("'m.onnx' is compressed with gzip")
run("splitgen absent.onnx" 3)

# In a spec: ops are selected and renamed, and every file is in the dependency file.
write(pick.lua [[
local ops = onnx.load("net.onnxtxt", { dims = { batch = 2 } })
local kept = {}
for _, op in ipairs(ops) do
  assert(op.op_type == "Split" and #op.path == 0 and op.dtype == "f32")
  if op.node == "/heads/Split" then
    assert(op.input == "y" and op.outputs[2] == "rest" and op.lengths[1] == 4 and op.shape[1] == 2)
    op.name = "heads"
    kept[#kept + 1] = op
  else
    assert(op.outputs[2] == false and op.parts == 3 and op.lengths == nil and op.axis == 1)
  end
end
local more = openvino.load("./ir.xml")
table.move(more, 1, #more, #kept + 1, kept)
return kept
]])
run("splitgen --list pick.lua" 0)
expect_no_err()
expect_out("^heads: f32\\[2,12,20\\] axis 2 -> q:4 [^\n]*\ncut: f32\\[2,6\\] axis 1 [^\n]*\ntotal: [^\n]*\n(with --emit[^\n]*\n)?([0-9]+ of [0-9]+ [^\n]*\n)?$")
run("splitgen --list --only heads pick.lua" 0)
expect_out("^heads: [^\n]*\ntotal: [^\n]*\n(with --emit[^\n]*\n)?([0-9]+ of [0-9]+ [^\n]*\n)?$")
run("splitgen --list --only 'second' pick.lua" 2)
expect_err("no op is called 'second'")
run("splitgen --depfile pick.d --emit=c,json -o out/ pick.lua" 0)
file(READ "${WORK}/pick.d" depfile)
expect_text("the dependency file" "${depfile}" "pick.lua" "net.onnxtxt" "ir.xml" "ir.bin")
file(READ "${WORK}/out/pick.json" json)
string(JSON kernel GET "${json}" kernels 0)
expect_json("/heads/Split" node)
expect_json("${sha256}" model sha256)
file(MAKE_DIRECTORY "${WORK}/models")
file(COPY_FILE "${corpus}/onnx/split" "${WORK}/models/split.onnx")
write(binary.lua "return onnx.load('split.onnx')")
run("splitgen --list -D N=3 -I models binary.lua" 0)
expect_no_err()
expect_out("^s: f32\\[2,3,6\\]")

# Options of the command line apply if the spec does not set them.
write(all.lua "return onnx.load('net.onnxtxt')")
run("splitgen --list --shape x=2,12,20 all.lua" 0)
expect_out("^${listed}")
run("splitgen --list -D batch=2 --shape z=1 all.lua" 2)
expect_err("the model has no tensor 'z'")
write(said.lua "return onnx.load('net.onnxtxt', { shapes = { x = 'f32[2,12,20]' }, except = { 'sec*' } })")
run("splitgen --list said.lua" 0)
expect_out("^heads_Split: f32\\[2,12,20\\] [^\n]*\ntotal: [^\n]*\n(with --emit[^\n]*\n)?([0-9]+ of [0-9]+ [^\n]*\n)?$")
run("splitgen --list --shape x=4,12,20 said.lua" 0)
expect_out("^heads_Split: f32\\[2,12,20\\] ")
expect_err("warning: --shape of 'x' has no effect")
write(valued.lua "return onnx.load('given.onnxtxt', { values = { sizes = { 2, 4 } } })")
run("splitgen --list --shape-rules rules.lua valued.lua" 0)
expect_out("^a: f32\\[6\\] axis 0 -> a:2 ")

# An open dimension through MatMul, Reshape and Conv, and the output of --list, --dump and -D.
write(vit.onnxtxt [[
<ir_version: 10, opset_import: ["" : 18]>
vit (float[batch, 197, 48] x, float[48, 144] w) => (float[batch, 197, 48] q, k, v)
<int64[2] flat = {-1, 48}, int64[4] heads = {0, 197, 4, 12}>
{
  qkv = MatMul (x, w)
  ["/attn/Split"] q, k, v = Split <axis = -1, num_outputs = 3> (qkv)
  tokens = Reshape (q, flat)
  ["/mlp/Split"] a, b = Split <axis = 1, num_outputs = 2> (tokens)
  h = Reshape (k, heads)
  ["/heads/Split"] c, d = Split <axis = 3, num_outputs = 2> (h)
}
]])
set(free "^attn_Split: f32\\[batch,197,144\\] axis 2 -> [^\n]*\nmlp_Split: f32\\[197\\*batch,48\\] axis 1 ")
string(APPEND free "-> [^\n]*\nheads_Split: f32\\[batch,197,4,12\\] axis 3 ")
foreach(said --open --open=batch --open=batch=64 "--free batch=64" "--free batch" "-D batch=free:64" "-D batch=free" "--shape x=batch=64?,197,48"
             "--shape 'x=batch?,197,48'" "--shape 'x=f32[batch=2?,197,48]'")
    run("splitgen --list ${said} vit.onnxtxt" 0)
    expect_no_err()
    expect_out("${free}")
endforeach()
run("splitgen --list --format=json --free batch=64 vit.onnxtxt" 0)
expect_list("197*batch" ops 1 shape 0)
expect_list(48 ops 1 shape 1)
expect_list(batch ops 1 free name)
expect_list(0 ops 1 free dim)
expect_list(64 ops 1 free expected)
run("splitgen --dump=op,split --free batch=64 --only '/mlp/*' vit.onnxtxt" 0)
expect_out("shape \\[197\\*batch=64.,48\\]" "split mlp_Split f32\\[197\\*batch,48\\] axis 1\n  outer 197 "
           "open parameter batch expected 64 factor of 0")
write(conv.onnxtxt [[
<ir_version: 10, opset_import: ["" : 18]>
conv (float[N, 3, 8, 8] x, float[4, 3, 3, 3] w) => (a, b)
{
  y = Conv <pads = [1, 1, 1, 1]> (x, w)
  ["/c2f/Split"] a, rest = Split <axis = 1, num_outputs = 2> (y)
  ["/c2f/Split_1"] b, c = Split <axis = 1, num_outputs = 2> (rest)
  ["/batch"] d, e = Split <axis = 0, num_outputs = 2> (y)
}
]])
run("splitgen --list --fuse --free N --except /batch conv.onnxtxt" 0)
expect_out("^c2f_Split: f32\\[N,4,8,8\\] axis 1 -> a:2 [^\n]*, b:1 [^\n]*, c:1 [^\n]*; fused with '/c2f/Split_1'\ntotal: [^\n]*\n(with --emit[^\n]*\n)?([0-9]+ of [0-9]+ [^\n]*\n)?$")
# The split axis needs a number, and one suggested command gives everything that is missing.
foreach(said --open --open=N "--free N")
    run("splitgen --explain ${said} conv.onnxtxt" 1)
    expect_err("conv.onnxtxt:7:3: error: Split '/batch' cuts dim 0 of 'y' and needs it as a number, but 'y' is \\[N, 4, 8, 8\\]"
               "give -D N=VALUE, or leave this Split out with --except /batch"
               "try: splitgen --explain( --open)? -D N=VALUE conv.onnxtxt\n$")
endforeach()
write(two.onnxtxt [[
<ir_version: 10, opset_import: ["" : 18]>
m (float[N, T, 8] x) => (a, b)
{
  a, b = Split <axis = 2, num_outputs = 2> (x)
}
]])
# Several dims may be open; the suggestion keeps what is given for one of them.
foreach(said "-D N=2" "--free N=3" "-D N=free:3" "--open=N=3")
    run("splitgen --list ${said} two.onnxtxt" 1)
    expect_err("leave open what has no number with --open, or give -D T=VALUE, or"
               "try: splitgen --list (-D N=2|--open=N=3) --open two.onnxtxt\n$")
endforeach()
run("splitgen --list --open -D N=2 two.onnxtxt" 0)
expect_out("^a: f32\\[2,T,8\\] axis 2 ")
run("splitgen --list --open=N --open=T=7 two.onnxtxt" 0)
expect_out("^a: f32\\[N,T,8\\] axis 2 ")
run("splitgen --open -D N=2 two.onnxtxt" 0)
expect_out("Command: splitgen -D N=2 --open two.onnxtxt\n")
run("splitgen --open=T --isa=portable -D N=2 two.onnxtxt" 0)
expect_out("Command: splitgen -D N=2 --open=T --isa=portable two.onnxtxt\n")
run("splitgen --dump=op --open --open=T=7 two.onnxtxt" 0)
expect_out("shape \\[N=1.,T=7.,8\\]")
run("splitgen --list --open=n conv.onnxtxt" 2)
expect_err("<command line>:1:24: error: --open: the model has no dim 'n'; did you mean 'N'")
run("splitgen --list --free n conv.onnxtxt" 2)
expect_err("<command line>:1:24: error: --open: the model has no dim 'n'; did you mean 'N'")
run("splitgen --list --shape x=N=4?,3,8,8 --free N=5 conv.onnxtxt" 1)
expect_err("4 of 'N' are expected here, but 5 elsewhere")
run("splitgen --list --shape x=N?,3,8,8 -D N=5 conv.onnxtxt" 1)
expect_err("'N' is open here, but elsewhere it is 5")
run("splitgen --list --open= conv.onnxtxt" 2)
expect_err("'--open' may not be empty")
foreach(open "true" "{ 'N', T = 7 }" "{ N = 1, T = 7 }")
    write(opened.lua "return onnx.load('two.onnxtxt', { open = ${open} })")
    run("splitgen --list opened.lua" 0)
    expect_out("^a: f32\\[N,T,8\\] axis 2 ")
endforeach()
write(opened.lua "return onnx.load('two.onnxtxt', { open = { 'N' } })")
run("splitgen --list opened.lua" 1)
expect_err("leave open what has no number with open = true, or give dims = { T = VALUE }, or")
write(freed.lua "return onnx.load('vit.onnxtxt', { dims = { batch = free('items', 8) }, only = { '/mlp/*' } })")
run("splitgen --dump=op freed.lua" 0)
expect_out("shape \\[197\\*items=8.,48\\]")
run("splitgen --dump=op -D items=9 freed.lua" 0)
expect_out("shape \\[197\\*items=9.,48\\]")
write(kept.lua [[
local op = onnx.load("vit.onnxtxt", { shapes = { x = { free("n"), 197, 48 } } })[2]
return split { dtype = op.dtype, shape = op.shape, axis = 1, lengths = { 40, 8 } }
]])
run("splitgen --dump=op kept.lua" 0)
expect_out("shape \\[197\\*n=1.,48\\]")
write(both.lua "return onnx.load('vit.onnxtxt', { dims = { batch = 8 }, only = { '/mlp/*' } })")
run("splitgen --dump=op --free batch both.lua" 0)
expect_err("warning: --open of 'batch' has no effect: the spec says what it is")
expect_out("shape \\[1576,48\\]")
write(if.onnxtxt [[
<ir_version: 10, opset_import: ["" : 18]>
m (float[N, 8] x) => (z)
<int64[1] zero = {0}, int64[1] four = {4}>
{
  s = Shape (x)
  n = Gather (s, zero)
  c = Less (n, four)
  z = If (c) <
    then_branch = t () => (u) { half = Cast <to = 10> (x)  u = Identity (half) },
    else_branch = e () => (u2) { ["large"] u2, v2 = Split <axis = 1, num_outputs = 2> (x) }
  >
  ["typed"] p, q = Split <axis = 1, num_outputs = 2> (z)
}
]])
# The branch depends on N: the Split in one of them has a kernel, and their result has no single type.
run("splitgen --list --open=N --except typed if.onnxtxt" 0)
expect_out("^large: f32\\[N,8\\] axis 1 ")
run("splitgen --explain --open=N if.onnxtxt" 1)
expect_err("Split 'typed' cuts dim 1 of 'z' and needs it as a number, but 'z' is \\[N, \\?\\]")
run("splitgen --list --shape x=n=4?,6 v10.xml" 0)
expect_out("^cut: f16\\[n,6\\] axis 1 -> ")
run("splitgen --list --open v10.xml" 0)
expect_out("^cut: f16\\[dim0,6\\] axis 1 -> ")
write(opened.lua "return openvino.load('v10.xml', { open = true })")
run("splitgen --list opened.lua" 0)
expect_out("^cut: f16\\[dim0,6\\] axis 1 -> ")
run("splitgen --list --free n v10.xml" 2)
expect_err("--open: the model has no dim 'n'" "no dim of its inputs has a name; give one in the shape of an input: --shape x=n.,...")

# Loading ends with the budgets of the spec, inside the model or outside, and reports an error once.
write(again.lua "for i = 1, 3 do pcall(onnx.load, 'net.onnxtxt') end return {}")
run("splitgen again.lua" 1)
string(REGEX MATCHALL "needs every dim of 'y'" said "${ERR}")
list(LENGTH said times)
expect_same("an error in a loop" "${times}" 1)
string(REPEAT "b = Identity (x) " 20000 many)
write(many.onnxtxt "<ir_version: 10, opset_import: [\"\" : 18]>\nnet (float[4] x) => (b) {\n${many}}\n")
write(many.lua "return onnx.load('many.onnxtxt')")
foreach(memory 1 2 4 8)
    run("splitgen --max-memory=${memory} many.lua" 5)
    expect_err("many.onnxtxt:[0-9]+:[0-9]+: error: up to here the model takes all memory that is left"
               "many.lua:1:8: note: 'many.onnxtxt' is loaded here" "raise --max-memory")
endforeach()
run("{ cat '${corpus}/onnx/split'; } > cut.onnx; truncate -s -1 cut.onnx; echo \"return onnx.load('cut.onnx')\" > cut.lua; splitgen cut.lua" 1)
expect_err("cut.onnx: byte [^\n]*error" "cut.lua:1:8: note: 'cut.onnx' is loaded here")
