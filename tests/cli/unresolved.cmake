# --skip-unresolved: nodes of a model with unknown sizes are left out, with a warning for each, and the others become
# kernels; --list does this by default. Invalid nodes remain an error, except in a branch, which may never run.
include("${CMAKE_CURRENT_LIST_DIR}/cli.cmake")

# model(<name> <text>...): adds the common header.
function(model name)
    list(JOIN ARGN "" text)
    write(${name} "<ir_version: 10, opset_import: [\"\" : 18]>\n${text}")
endfunction()

model(some.onnxtxt [[
net (float[8] x, float[N,M] y) => (a, b, e)
{
  [good] a, b = Split <axis = 0, num_outputs = 2> (x)
  nz = NonZero (x)
  [dyn] c, d = Split <axis = 1, num_outputs = 2> (nz)
  [join] e = Concat <axis = 1> (nz, nz)
  [named] f, g = Split <axis = 1, num_outputs = 2> (y)
}
]])
run("splitgen --ops=all some.onnxtxt -o out.c" 1)
expect_files("some.onnxtxt")
set(dyn ":5:[0-9]+: warning: Split 'dyn' is left out: it cuts dim 1 of 'nz' and needs it as a number, but 'nz' is \\[1, \\?\\]\n")
set(join ":6:[0-9]+: warning: Concat 'join' is left out: it joins along dim 1 of 'nz' and needs it as a number")
set(named ":8:[0-9]+: warning: Split 'named' is left out: it cuts dim 1 of 'y'")
run("splitgen --ops=all some.onnxtxt --skip-unresolved -o out.c" 0)
string(REPLACE ":5:" ":6:" dyn "${dyn}")
string(REPLACE ":6:" ":7:" join "${join}")
expect_err("${dyn}" "${join}" "${named}" "note: try: splitgen --ops=all --skip-unresolved")
expect_files("out.c" "some.onnxtxt")
run("cat out.c" 0)
expect_out("void good\\(" "Command: splitgen --ops=all --skip=unresolved some.onnxtxt")
# --list writes nothing, and needs no option for it; -Werror makes each of them an error.
run("splitgen --ops=all --list some.onnxtxt" 0)
expect_out("^good: [^\n]*\ntotal: [^\n]*\n(with --emit[^\n]*\n)?([0-9]+ of [0-9]+ [^\n]*\n)?$")
expect_err("${dyn}" "${join}" "${named}")
run("splitgen --ops=all --list -Werror some.onnxtxt" 1)
run("splitgen --ops=all --skip-unresolved -Werror some.onnxtxt" 1)
expect_no_out()

# Nothing remains: the errors are the same as without the option.
run("splitgen --skip-unresolved --only dyn some.onnxtxt" 1)
expect_no_out()
expect_err("error: Split 'dyn' cuts dim 1 of 'nz'" "give --shape 'nz=1,n\\?'")
run("splitgen --list --only dyn some.onnxtxt" 1)
# Beside another input nothing may remain.
run("splitgen --skip-unresolved --only dyn --only other some.onnxtxt -e 'other: f32[4] -> 2,2' --list" 0)
expect_out("^other: ")

# A branch that is never valid, by a Split and by a Concat.
model(branch.onnxtxt [[
net (float[8] x, float[2,3] p, float[3,4] q, bool c) => (a, o)
{
  [good] a, b = Split <axis = 0, num_outputs = 2> (x)
  [choose] o = If (c) <
    then_branch = then () => (r) <int64[2] l = {4, 4}> { [fits] r, s = Split <axis = 0> (x, l) },
    else_branch = other () => (t) <int64[2] m = {5, 6}> { [not] t, u = Split <axis = 0> (x, m)  v = Concat <axis = 1> (p, q) }
  >
}
]])
run("splitgen --ops=all branch.onnxtxt" 1)
expect_no_out()
run("splitgen --ops=all --skip-unresolved branch.onnxtxt --list" 0)
expect_err("warning: [^\n]*left out, because it is in a branch that may never run: lengths sum to 11, but axis 0 has 8\n"
           "warning: [^\n]*left out, because it is in a branch that may never run: ")
expect_out("good" "fits")
run("splitgen --ops=all --list branch.onnxtxt" 0)
expect_out("^good: [^\n]*\nfits: [^\n]*\ntotal: [^\n]*\n(with --emit[^\n]*\n)?([0-9]+ of [0-9]+ [^\n]*\n)?$")
run("splitgen --only not --skip-unresolved branch.onnxtxt" 1)
expect_err("error: nothing is left to generate\n")

# Anywhere else it is an error, also in a function, which runs.
model(invalid.onnxtxt [[
net (float[8] x) => (a, c) <int64[2] l = {5, 6}>
{
  a, b = Split <axis = 0> (x, l)
  c, d = Split <axis = 0, num_outputs = 2> (x)
}
]])
run("splitgen --skip-unresolved invalid.onnxtxt" 1)
expect_err("error: [^\n]*lengths sum to 11, but axis 0 has 8")

# It is also an error if a node that is not left out needs what a node makes that is left out and cannot run: because both
# branches fail, or because the node that is left out lacks a size as well.
model(needed.onnxtxt [[
net (float[4, 8] x, bool c) => (y, z)
{
  u = If (c) <
    then_branch = then () => (r) { [one] r = Concat <axis = 9> (x, x) },
    else_branch = other () => (t) { [two] t = Concat <axis = 9> (x, x) }
  >
  [halves] y, z = Split <axis = 1, num_outputs = 2> (u)
}
]])
run("splitgen --ops=all --skip-unresolved needed.onnxtxt" 1)
expect_no_out()
expect_err("warning: Concat 'one' is left out" "error: [^\n]*axis 9 is out of range" "note: Split 'halves' needs what it makes")
model(lacking.onnxtxt [[
net (float[N, 8] x, float[4, 8] k) => (a, b, z, e, f)
{
  [first] y, z = Split <axis = 9, num_outputs = 2> (x)
  [second] a, b = Split <axis = 1, num_outputs = 2> (y)
  [third] e, f = Split <axis = 1, num_outputs = 2> (k)
}
]])
run("splitgen --skip-unresolved lacking.onnxtxt" 1)
expect_no_out()
expect_err("warning: Split 'first' is left out" "error: Split 'first' cannot run: axis 9 is outside rank 2"
           "note: Split 'second' needs what it makes")

# A spec sets the option for the model that it loads.
write(load.lua "return onnx.load('some.onnxtxt', { skip_unresolved = true })\n")
run("splitgen load.lua --list" 0)
expect_out("^good: [^\n]*\ntotal: [^\n]*\n(with --emit[^\n]*\n)?([0-9]+ of [0-9]+ [^\n]*\n)?$")
write(load.lua "return onnx.load('some.onnxtxt', { skip_unresolved = 1 })\n")
run("splitgen load.lua" 1)
expect_err("load.lua:1:[0-9]+: error: 'skip_unresolved' is true or false, not 1\n")
run("splitgen --skip-unresolved -e 'f32[4] -> 4'" 2)
expect_err("'--skip' is about models, and no input is one")

# The same for an IR.
write(net.xml [[
<?xml version="1.0"?>
<net name="n" version="11">
 <layers>
  <layer id="0" name="x" type="Parameter" version="opset1"><data shape="?,8" element_type="f32"/>
   <output><port id="0" precision="FP32"><dim>-1</dim><dim>8</dim></port></output></layer>
  <layer id="1" name="y" type="Parameter" version="opset1"><data shape="2,8" element_type="f32"/>
   <output><port id="0" precision="FP32"><dim>2</dim><dim>8</dim></port></output></layer>
  <layer id="2" name="lost" type="Concat" version="opset1"><data axis="1"/>
   <input><port id="0"><dim>-1</dim><dim>8</dim></port><port id="1"><dim>-1</dim><dim>8</dim></port></input>
   <output><port id="2" precision="FP32"><dim>-1</dim><dim>16</dim></port></output></layer>
  <layer id="3" name="kept" type="Concat" version="opset1"><data axis="1"/>
   <input><port id="0"><dim>2</dim><dim>8</dim></port><port id="1"><dim>2</dim><dim>8</dim></port></input>
   <output><port id="2" precision="FP32"><dim>2</dim><dim>16</dim></port></output></layer>
 </layers>
 <edges>
  <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/><edge from-layer="0" from-port="0" to-layer="2" to-port="1"/>
  <edge from-layer="1" from-port="0" to-layer="3" to-port="0"/><edge from-layer="1" from-port="0" to-layer="3" to-port="1"/>
 </edges>
</net>
]])
run("splitgen --ops=concat net.xml" 1)
run("splitgen --ops=concat --skip-unresolved net.xml --list" 0)
expect_err("net.xml:[0-9:]+ warning: Concat 'lost' is left out: it needs every dim of 'lost'")
expect_out("kept")

# The ports of an IR: a rule that contradicts them counts, with a warning that names both; without a rule they are used.
set(port "<port id=\"0\" precision=\"FP32\"><dim>2</dim><dim>3</dim></port>")
foreach(type IN ITEMS ReLU Unheard)
    write(ports.xml "<?xml version=\"1.0\"?>
<net name=\"n\" version=\"11\"><layers>
<layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\"><data shape=\"2,3\" element_type=\"f32\"/><output>${port}</output></layer>
<layer id=\"1\" name=\"y\" type=\"${type}\" version=\"opset1\"><input>${port}</input>
<output><port id=\"1\" precision=\"FP32\"><dim>2</dim><dim>4</dim></port></output></layer>
</layers><edges><edge from-layer=\"0\" from-port=\"0\" to-layer=\"1\" to-port=\"0\"/></edges></net>
")
    run("splitgen --dump=shapes ports.xml" 0)
    if(type STREQUAL ReLU)
        expect_err("ports.xml:5:[0-9]+: warning: the file says that 'y' is \\[2, 4\\], but it comes out as \\[2, 3\\], which is what counts")
        expect_out("y: f32\\[2, 3\\]\n")
    else()
        expect_out("y: f32\\[2, 4\\]\n")
    endif()
endforeach()

# Each node has its line, for any number of nodes.
set(nodes "")
foreach(i RANGE 1 150)
    string(APPEND nodes "  [n${i}] a${i}, b${i} = Split <axis = 0, num_outputs = 2> (x)\n")
endforeach()
model(many.onnxtxt "net (float[8] z, float[N] x) => (p)
{
${nodes}  p, q = Split <axis = 0, num_outputs = 2> (z)
}
")
foreach(how "--list" "--skip-unresolved -o many.c")
    run("splitgen many.onnxtxt ${how} 2> many.err; grep -c 'warning: Split .n[0-9]*. is left out' many.err" 0)
    expect_out("(^|\n)150\n")
endforeach()
