"""--skip-unresolved: nodes of a model with unknown sizes are left out, with a warning for each, and the others become
kernels; --list does this by default. Invalid nodes remain an error, except in a branch, which may never run."""
import re

from listing import lists, model
from testing import regex

SOME = """net (float[8] x, float[N,M] y) => (a, b, e)
{
  [good] a, b = Split <axis = 0, num_outputs = 2> (x)
  nz = NonZero (x)
  [dyn] c, d = Split <axis = 1, num_outputs = 2> (nz)
  [join] e = Concat <axis = 1> (nz, nz)
  [named] f, g = Split <axis = 1, num_outputs = 2> (y)
}
"""
LEFT_OUT = [
    regex(
        r":6:\d+: warning: Split 'dyn' is left out: it cuts dim 1 of 'nz' and needs it as a number, but 'nz' is \[1, \?\]\n"),
    regex(r":7:\d+: warning: Concat 'join' is left out: it joins along dim 1 of 'nz' and needs it as a number"),
    regex(r":8:\d+: warning: Split 'named' is left out: it cuts dim 1 of 'y'")]


def test_some_are_left_out(work):
    model(work, "some.onnxtxt", SOME)
    work.splitgen("--ops=all some.onnxtxt -o out.c", 1)
    work.expect_files("some.onnxtxt")
    work.splitgen("--ops=all some.onnxtxt --skip-unresolved -o out.c",
                  err=[*LEFT_OUT, "note: try: splitgen --ops=all --skip-unresolved"])
    work.expect_files("out.c", "some.onnxtxt")
    work.expect_file("out.c", ["void good(", "Command: splitgen --ops=all --skip=unresolved some.onnxtxt"])
    # --list writes nothing, and needs no option for it; -Werror makes each of them an error.
    work.splitgen("--ops=all --list some.onnxtxt", out=lists("good: "), err=LEFT_OUT)
    work.splitgen("--ops=all --list -Werror some.onnxtxt", 1)
    work.splitgen("--ops=all --skip-unresolved -Werror some.onnxtxt", 1, out="")


def test_nothing_remains_the_errors_are_the_same_as_without_the_option(work):
    model(work, "some.onnxtxt", SOME)
    work.splitgen("--skip-unresolved --only dyn some.onnxtxt", 1, out="", err=["error: Split 'dyn' cuts dim 1 of 'nz'",
            "give --shape nz=1,VALUE, or", "try: splitgen --skip-unresolved --only dyn --shape nz=1,VALUE some.onnxtxt"])
    work.splitgen("--list --only dyn some.onnxtxt", 1)
    # Beside another input nothing may remain.
    work.splitgen("--skip-unresolved --only dyn --only other some.onnxtxt -e 'other: f32[4] -> 2,2' --list", out=regex(
            r"^other: "))


def test_a_branch_that_is_never_valid_by_a_split_and_by_a_concat(work):
    model(work, "branch.onnxtxt", """net (float[8] x, float[2,3] p, float[3,4] q, bool c) => (a, o)
{
  [good] a, b = Split <axis = 0, num_outputs = 2> (x)
  [choose] o = If (c) <
    then_branch = then () => (r) <int64[2] l = {4, 4}> { [fits] r, s = Split <axis = 0> (x, l) },
    else_branch = other () => (t) <int64[2] m = {5, 6}> { [not] t, u = Split <axis = 0> (x, m)  v = Concat <axis = 1> (p, q) }
  >
}
""")
    work.splitgen("--ops=all branch.onnxtxt", 1, out="")
    work.splitgen("--ops=all --skip-unresolved branch.onnxtxt --list", out=["good", "fits"], err=[regex(
            r"warning: [^\n]*left out, because it is in a branch that may never run: lengths sum to 11, but axis 0 has 8\n"),
            regex(r"warning: [^\n]*left out, because it is in a branch that may never run: ")])
    work.splitgen("--ops=all --list branch.onnxtxt", out=lists("good: ", "fits: "))
    work.splitgen("--only not --skip-unresolved branch.onnxtxt", 1, err="error: nothing is left to generate\n")


def test_anywhere_else_it_is_an_error_also_in_a_function_which_runs(work):
    model(work, "invalid.onnxtxt", """net (float[8] x) => (a, c) <int64[2] l = {5, 6}>
{
  a, b = Split <axis = 0> (x, l)
  c, d = Split <axis = 0, num_outputs = 2> (x)
}
""")
    work.splitgen("--skip-unresolved invalid.onnxtxt", 1, err=regex(
            r"error: [^\n]*lengths sum to 11, but axis 0 has 8"))


def test_it_is_also_an_error_if_a_node(work):
    """It is also an error if a node that is not left out needs what a node makes that is left out and cannot run: because both branches fail, or because the node that is left out lacks a size as well."""
    model(work, "needed.onnxtxt", """net (float[4, 8] x, bool c) => (y, z)
{
  u = If (c) <
    then_branch = then () => (r) { [one] r = Concat <axis = 9> (x, x) },
    else_branch = other () => (t) { [two] t = Concat <axis = 9> (x, x) }
  >
  [halves] y, z = Split <axis = 1, num_outputs = 2> (u)
}
""")
    work.splitgen("--ops=all --skip-unresolved needed.onnxtxt", 1, out="", err=["warning: Concat 'one' is left out",
            regex(r"error: [^\n]*axis 9 is out of range"), "note: Split 'halves' needs what it makes"])
    model(work, "lacking.onnxtxt", """net (float[N, 8] x, float[4, 8] k) => (a, b, z, e, f)
{
  [first] y, z = Split <axis = 9, num_outputs = 2> (x)
  [second] a, b = Split <axis = 1, num_outputs = 2> (y)
  [third] e, f = Split <axis = 1, num_outputs = 2> (k)
}
""")
    work.splitgen("--skip-unresolved lacking.onnxtxt", 1, out="", err=["warning: Split 'first' is left out",
            "error: Split 'first' cannot run: axis 9 is outside rank 2", "note: Split 'second' needs what it makes"])


def test_a_spec_sets_the_option_for_the_model_that_it_loads(work):
    model(work, "some.onnxtxt", SOME)
    work.write("load.lua", "return onnx.load('some.onnxtxt', { skip_unresolved = true })\n")
    work.splitgen("load.lua --list", out=lists("good: "))
    work.write("load.lua", "return onnx.load('some.onnxtxt', { skip_unresolved = 1 })\n")
    work.splitgen("load.lua", 1, err=regex(r"load.lua:1:\d+: error: 'skip_unresolved' is true or false, not 1\n"))
    work.splitgen("--skip-unresolved -e 'f32[4] -> 4'", 2, err="'--skip' is about models, and no input is one")


def test_the_same_for_an_ir(work):
    work.write("net.xml", """<?xml version="1.0"?>
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
""")
    work.splitgen("--ops=concat net.xml", 1)
    work.splitgen("--ops=concat --skip-unresolved net.xml --list", out="kept", err=regex(
            r"net.xml:[0-9:]+ warning: Concat 'lost' is left out: it needs every dim of 'lost'"))


def test_the_ports_of_an_ir(work):
    """A rule that contradicts them counts, with a warning that names both; without a rule they are used."""
    port = '<port id="0" precision="FP32"><dim>2</dim><dim>3</dim></port>'
    for type in "ReLU", "Unheard":
        work.write("ports.xml", f"""<?xml version="1.0"?>
<net name="n" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="2,3" element_type="f32"/><output>{port}</output></layer>
<layer id="1" name="y" type="{type}" version="opset1"><input>{port}</input>
<output><port id="1" precision="FP32"><dim>2</dim><dim>4</dim></port></output></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges></net>
""")
        if type == "ReLU":
            work.splitgen("--dump=shapes ports.xml", out="y: f32[2, 3]\n", err=regex(
                    r"ports.xml:5:\d+: warning: the file says that 'y' is \[2, 4\], but it comes out as \[2, 3\], which is what counts"))
        else:
            work.splitgen("--dump=shapes ports.xml", out="y: f32[2, 4]\n")


def test_each_node_has_its_line_for_any_number_of_nodes(work):
    nodes = "".join(f"  [n{i}] a{i}, b{i} = Split <axis = 0, num_outputs = 2> (x)\n" for i in range(1, 151))
    model(work, "many.onnxtxt", f"""net (float[8] z, float[N] x) => (p)
{{
{nodes}  p, q = Split <axis = 0, num_outputs = 2> (z)
}}
""")
    for how in "--list", "--skip-unresolved -o many.c":
        done = work.splitgen(f"many.onnxtxt {how}")
        assert len(re.findall("warning: Split 'n[0-9]*' is left out", done.err)) == 150
