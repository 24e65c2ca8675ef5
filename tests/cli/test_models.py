"""Models as inputs: format detection, options that resolve sizes, names in the output."""
import ast
import hashlib
import json
import re
import xml.dom.minidom

import pytest
from listing import lists, model
from testing import SOURCE, exactly, expect_text, regex, without

CORPUS = SOURCE / "tests/fuzz/corpus/onnx"


NET = """<ir_version: 10, opset_import: ["" : 18]>
net (float[batch, 12, 20] x) => (float[batch, 12, 4] q, float[batch, 12, 16] rest)
<int64[2] lengths = {4, 16}, int64[1] minus = {-1}, int64[1] last = {20}>
{
  size = Shape <start: int = 0, end: int = 2> (x)
  flat = Concat <axis = 0> (size, last)
  y = Reshape (x, flat)
  ["/heads/Split"] q, rest = Split <axis = 2> (y, lengths)
  [second] a, "", c = Split <axis = 1, num_outputs = 3> (rest)
}
"""

LACKS = """<ir_version: 10, opset_import: ["" : 18, "other" : 1]>
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
"""

IR = """<?xml version="1.0"?>
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
"""

GIVEN = """<ir_version: 10, opset_import: ["" : 18, "my.domain" : 1]>
net (float[6] x, int64[2] sizes) => (a, b)
{
  y = my.domain.Widen (x)
  a, b = Split <axis = 0> (y, sizes)
}
"""

RULES = "return { ['my.domain.Widen'] = function(node, inputs) return { inputs[1] } end }\n"

V10_BIN = bytes([255] * 8 + [4, 0, 255, 255])

V10 = """<net name="n" version="10"><layers>
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
"""


LISTED = regex(
    r"^heads_Split: f32\[2,12,20\] axis 2 -> q:4, rest:16 [^\n]*\nsecond: +f32\[2,12,16\] axis 1 -> a:4, .*c:4 ")


@pytest.fixture
def work(work):
    work.write("net.onnxtxt", NET)
    work.write("ir.xml", IR)
    work.write("ir.bin", bytes([1, 0, 0, 0, 0, 0, 0, 0]))
    return work


def test_lengths_and_shapes_as_exporters_write_them(work):
    """A batch without a number, a computed reshape."""
    work.splitgen("--list -D batch=2 net.onnxtxt", out=LISTED, err="")
    work.splitgen("--list --shape x=2,12,20 net.onnxtxt", out=LISTED)
    work.splitgen("--list --shape 'x=f32[2,12,20]' - < net.onnxtxt", out=LISTED)


def test_the_same_in_json_with_the_models_own_names(work):
    work.splitgen("--list --format=json -D batch=2 net.onnxtxt", err="").holds({
        "ops 0 name": "heads_Split", "ops 0 node": "/heads/Split", "ops 0 op_type": "Split", "ops 0 tensors input": "y",
        "ops 0 tensors outputs 1": "rest", "ops 0 path": [], "ops 1 tensors outputs 1": None, "ops 1 tensors outputs 2": "c",
        "ops 1 lengths 1": 4, "summary splits": 2})


def test_kernels_looked_up_by_their_nodes_with_their_origin(work):
    work.write("lookup.c", """#include <stdio.h>
#include "net.h"

int main(void)
{
    const splitgen_kernel *found = splitgen_find(&net_registry, "/heads/Split");
    const splitgen_origin *origin = found != NULL ? found->origin : NULL;
    if (origin == NULL || splitgen_find(&net_registry, "heads_Split") != NULL ||
        splitgen_find(&net_registry, "second") != &second_kernel) {
        return 1;
    }
    printf("%s: %s '%s' of %s splits '%s' into '%s' and '%s', path of %u, %s\\n", found->name, origin->op_type,
           origin->node, origin->model->file, origin->whole, found->parts[0].name, found->parts[1].name,
           (unsigned)origin->npath, origin->model->sha256);
    return second_kernel.origin->model != origin->model;
}
""")
    work.splitgen("-D batch=2 --emit=c,h,registry -o gen/ net.onnxtxt")
    work.compile("-Igen gen/net.c gen/net_registry.c lookup.c -o lookup")
    digest = hashlib.sha256(NET.encode()).hexdigest()
    work.run("./lookup", out=exactly("heads_Split: Split '/heads/Split' of net.onnxtxt splits 'y' into 'q' and 'rest', "
                                     f"path of 0, {digest}\n"))


def test_a_node_in_a_branch(work):
    model(work, "branch.onnxtxt", """net (bool c, float[4,6] x) => (y)
{
  [choose] y = If (c) <
    then_branch = t () => (a) { a, b = Split <axis = 0, num_outputs = 2> (x) },
    else_branch = e () => (d) { d = Identity (x) }>
}
""")
    work.splitgen("--list --format=json branch.onnxtxt").holds({"ops 0 node": "", "ops 0 path 0": "choose",
            "ops 0 views 0": "a", "summary bytes_saved_by_views": 96})


def test_all_splits_with_the_same_missing_sizes_share_one_error_which_gives_a_command_to_paste(work):
    work.splitgen("net.onnxtxt", 1, out="", err=[
            "net.onnxtxt:8:3: error: 2 Splits need -D batch=VALUE: the first, Split '/heads/Split', needs every dim of 'y' as a number, but it is [batch, 12, 20]",
            "leave open what has no number with --open, or give -D batch=VALUE, or leave them out with --except /heads/Split --except second",
            regex(r"note: try: splitgen --open net.onnxtxt\n$")])
    work.write("lacks.onnxtxt", LACKS)
    work.run(
        "cp lacks.onnxtxt \"it's lacking.onnxtxt\"; splitgen --explain -D T=5 \"it's lacking.onnxtxt\" 2>&1 | tee said | sed -n 's/.*try: //p' > command")
    work.run("cat said", out=[
            "leave open what has no number with --open --value lengths=INTS, or give -D 'the batch=VALUE' --value lengths=INTS, or",
            "give --shape 'y=TYPE[DIMS]', or", "'n', made by NonZero 'n': its shape depends on the data",
            "leave open what has no number with --open, or give --shape 'n=2,n?' (then pass 'n' on each call; or a number for it)",
            regex(
            r"try: splitgen --explain -D T=5 --open --shape 'y=TYPE\[DIMS\]' --value lengths=INTS 'it'.''s lacking.onnxtxt'\n$")])
    work.run("sed -i 's/--explain/--list/; s/TYPE/f16/; s/DIMS/2,4/; s/INTS/5,7/' command; eval \"$(cat command)\"",
             out=["f32[the batch,12]", "f32[5,8]", "f16[2,4]", "i64[dim0,2]"], err="")


def test_wrong_forms_of_a_shape_or_of_values_the_message_gives_the_right_form(work):
    work.write("lacks.onnxtxt", LACKS)
    for form in ["x:2,12,20", "x 2,12,20", "x=2x12x20", "x=2*12*20", "x=2×12×20", "x={2,12,20}", "x=2, 12, 20",
                 "x=2 12 20", "x: 2, 12, 20", "x=<2,12,20>"]:
        work.splitgen(f"--list --shape '{form}' net.onnxtxt", 2, err=regex(r"note: write --shape x=2,12,20\n$"))
    for form in ["x=-1,12,20", "x=?,12,20", "x=None,12,20", "x=n,12,20", "x=(-1,12,20)", "x:-1,12,20", "x=-1x12x20"]:
        work.splitgen(f"--list --shape '{form}' net.onnxtxt", 2, err=regex(r"note: write --shape 'x=n\?,12,20'\n$"))
    for form in ["x:f32[2,12,20]", "x=float32(2,12,20)", "x=2x12x20xf32", "x=tensor<2x12x20xf32>", "x=f32 2,12,20"]:
        work.splitgen(f"--list --shape '{form}' net.onnxtxt", 2, err=regex(
                r"note: write --shape 'x=f32\[2,12,20\]'\n$"))
    for form in ["lengths:5,7", "lengths 5,7", "lengths=5x7", "lengths={5,7}", "lengths=5, 7"]:
        work.splitgen(f"--list --value '{form}' lacks.onnxtxt", 2, err=regex(r"note: write --value lengths=5,7\n$"))
    for form in ["x", "x:1", "=1,2", "x=-1,-1", "x=1,$", "x=f32[f16[1,2]]"]:
        work.splitgen(f"--list --shape '{form}' net.onnxtxt", 2, err=without("note: write"))
    work.splitgen("--list -D batch=2 --except '/heads/*' net.onnxtxt", out=lists("second: "))
    work.splitgen("--list -D batch=2 --only 'sec?nd' net.onnxtxt", out=lists("second: "))
    work.splitgen("--list -D batch=2 --only nobody net.onnxtxt", 2,
                  err="--only: the model has no Split 'nobody'; there is '/heads/Split', 'second'\n")
    work.splitgen("--list -D batch=2 --except '/heads/Spilt' net.onnxtxt", 2,
                  err="--except: the model has no Split '/heads/Spilt'; did you mean '/heads/Split'")
    # A contradiction between an option and the file is reported at the option, with both values.
    for said in ["x=2,12", "x=2,12,21", "x=f16[2,12,20]", "x=2,12,n=20?", "x=[2,13,20]"]:
        work.run(f"splitgen --list --shape '{said}' net.onnxtxt; true", err=regex(
                r"<command line>:1:\d+: warning: 'x' is given as [^\n]*, but the model says that it is f32\[batch, 12, 20\]; what is given counts"))
    for said in ["x=[2,12,20]", "x=(2,12,20)", "x=f32[2,12,20]", "x=[b=2?,12,20]"]:
        work.splitgen(f"--list --shape '{said}' net.onnxtxt", err="")
    work.splitgen("--list -D batch=2 --shape z=1 net.onnxtxt", 2, err="the model has no tensor 'z'")
    work.splitgen("--list --shape X=2,12,20 net.onnxtxt", 2,
                  err=[regex(r"^[^\n]*: error: --shape: the model has no tensor 'X'; did you mean 'x'"), without("needs every")])
    work.splitgen("--list --shape x=2,12,x net.onnxtxt", 2, err=":1:32: error: 'x' is not a whole number of at least 0")


def test_a_wrong_length_is_reported_at_its_place(work):
    work.run("sed 's/{4, 16}/{4, 17}/' net.onnxtxt > wrong.onnxtxt; splitgen -D batch=1 wrong.onnxtxt", 1, err=regex(
            r"wrong.onnxtxt:3:\d+: error: op 'heads_Split': lengths sum to 21, but axis 2 has 20"))


def test_the_names_of_the_model_and_its_path(work):
    work.splitgen("-D batch=1 --emit=c,h,json -o out/ --depfile net.d net.onnxtxt")
    digest = hashlib.sha256(NET.encode()).hexdigest()
    kernel = json.loads(work.read("out/net.json"))["kernels"][0]
    assert (kernel["node"], kernel["op_type"], kernel["domain"], kernel["input"]["tensor"]) == ("/heads/Split", "Split",
        "", "y")
    assert kernel["outputs"][1]["tensor"] == "rest" and kernel["model"] == {**kernel["model"], "file": "net.onnxtxt",
        "sha256": digest}
    expect_text("the comment", work.read("out/net.c").replace("\n * ", " "),
                f"From Split '/heads/Split' of 'net.onnxtxt' (SHA-256 {digest}), which splits 'y'")
    work.expect_file("net.d", "net.onnxtxt")


@pytest.mark.parametrize("dim", ["batch", "batch size", "past_sequence_length + 1", "p2o.DynamicDimension.0",
                                 "floor(s0/2)", "?", "*", "a=b", "a=b=c", "=x", "-x", "2", "it's", "$HOME", "`x`",
                                 "x&y|z", "Größe", "!x", "#x", "~", "(x)", "{x}"])
def test_a_dim_may_have_any_name(work, dim):
    """-D and --open accept it, and a shell can parse the suggested command."""
    model(work, "named.onnxtxt", f"""m (float["{dim}", 12] x) => (a, b)
{{ a, b = Split <axis = 1, num_outputs = 2> (x) }}
""")

    def define(value):
        return [f"-D{dim}={value}"] if dim == "-x" else ["-D", f"{dim}={value}"]  # or it looks like an option

    for value in "3", "free", "free:4":
        work.splitgen(["--list", *define(value), "named.onnxtxt"], err="")
    work.splitgen([f"--open={dim}=4", "--isa=portable", "--emit=c", "-o", "named.c", "named.onnxtxt"], err="")
    work.compile("-fsyntax-only named.c", runtime=False)
    more = ["-1", "1e3", "", "free:0", "free:x", "99999999999999999999"] if dim == "batch" else []
    for value in "abc", "1,seq=16", *more:
        work.splitgen(["--list", *define(value), "named.onnxtxt"], 2,
                      err=regex(rf"^<command line>:1:\d+: error: '{value}' is not a size for '"))
    advice = re.search(r"give (-D.*), or leave ", work.splitgen("named.onnxtxt", 1).err)[1]
    work.splitgen(f"--list {advice.replace('VALUE', '3')} named.onnxtxt")


def test_unknown_dims(work):
    work.splitgen("--list -D Batch= net.onnxtxt", 2,
                  err=regex(r"^<command line>:1:20: error: -D: the model has no dim 'Batch'; did you mean 'batch'[^\n]*\n.*\n.*\n$"))
    work.splitgen("--list -D batch=2 -D mode=fast net.onnxtxt", err="")


HIDDEN = "\u202e\u202a\u2066\u2069\u200e\u200f\u061c\u200b\u2060\ufeff\u00ad\u180e\u3164\U000e0041"


@pytest.mark.parametrize("look", ["--list", "--list --fuse", "--list --format=json", "--list --fuse --format=json",
                                  "--explain --fuse", "--explain", "--dump=op,split,layout,plan,program",
                                  "--report=text", "--report=json", "", "--fuse", "--emit=h", "--emit=json",
                                  "--emit=svg", "--emit=py", "--emit=registry", "--diagnostics-format=json -D y=1"])
def test_invisible_characters_and_those_that_change_the_writing_direction_are_escaped(work, look):
    """In every printed name."""
    c = HIDDEN
    model(work, "hidden.onnxtxt", f"""m (float["N{c}", 12] "x{c}") => (a, b)
{{ ["n{c}"] "a{c}", b = Split <axis = 1, num_outputs = 2> ("x{c}")
 ["m{c}"] c, d = Split <axis = 1, num_outputs = 2> ("a{c}") }}
""")
    for free in f"--free 'N{c}'", f"--except 'z{c}'":
        done = work.splitgen(f"{look} {free} hidden.onnxtxt", None)
        assert done.out + done.err and not set(HIDDEN) & set(done.out + done.err)


@pytest.mark.parametrize("dim", ["a<b&c>d", '""\\"; import nosuch; \\"""', "*/ int x; /*"])
def test_a_name_cannot_end_a_comment_a_string_or_an_element(work, dim):
    model(work, "named.onnxtxt", """m (float[dim, 12] x) => (a, b)
{ a, b = Split <axis = 1, num_outputs = 2> (x) }
""")
    work.splitgen(["--isa=portable", "--shape", f"x={dim}?,12", "--emit=c,svg,py", "-o", "named", "named.onnxtxt"])
    work.compile("-fsyntax-only named.c", flags="-std=c99 -Wall -Wextra -Werror", runtime=False)
    xml.dom.minidom.parse(str(work / "named.svg"))
    text = ast.get_docstring(ast.parse(work.read("named.py")))
    assert "nosuch" in text or "nosuch" not in dim


def test_values_given_for_inputs_and_shape_rules_of_the_user(work):
    work.write("given.onnxtxt", GIVEN)
    work.write("rules.lua", RULES)
    work.splitgen("--list --value sizes=2,4 --shape-rules rules.lua given.onnxtxt", out=regex(
            r"^a: f32\[6\] axis 0 -> a:2, b:4 "))
    # A value that does not fit is reported at the option, even if other nodes change it first.
    work.splitgen("--list --value sizes=2,5 --shape-rules rules.lua given.onnxtxt", 1,
                  err="<command line>:1:25: error: op 'a': lengths sum to 7, but axis 0 has 6")
    work.run(
        "sed 's/(y, sizes)/(y, same)/; s/^  a, b/  same = Identity (sizes)  a, b/' given.onnxtxt > through.onnxtxt")
    work.splitgen("--list --value sizes=2,5 --shape-rules rules.lua through.onnxtxt", 1,
                  err="<command line>:1:25: error: op 'a': lengths sum to 7, but axis 0 has 6")
    work.fills |= {"DIMS": "6,8", "=INTS": "=2,4"}
    work.splitgen("--list --value sizes=2,4 given.onnxtxt", 1, err=regex(r"made by my.domain.Widen|made by Widen"))
    work.splitgen("--list --shape-rules rules.lua given.onnxtxt", 1, err="--value sizes=")
    # Rules read attributes unchanged, or by a type.
    work.run("sed 's/Widen (x)/Widen <pads = [1, 2], by = 2.5> (x)/' given.onnxtxt > attributes.onnxtxt")
    work.write("reading.lua", """require 'rules'
return { ['my.domain.Widen'] = function(node, inputs)
  local a, pads = node.attributes, shape_rules.ints(node, 'pads', {})
  return { { dtype = 'f32', shape = { 6 + pads[1] + a.pads[2] + (math.type(a.by) == 'float' and 1 or 0) } } }
end }
""")
    work.splitgen("--list --value sizes=4,6 --shape-rules reading.lua attributes.onnxtxt", out=regex(
            r"^a: f32\[10\] axis 0 -> a:4, "))
    work.run("sed -i 's/pads = .1, 2./pads = 2/' attributes.onnxtxt")
    work.splitgen("--list --value sizes=4,6 --shape-rules reading.lua attributes.onnxtxt", 1,
        err="attributes.onnxtxt:4:24: error: 'pads' of Widen 'y' must be of type INTS, but is of type INT: 2\n")
    work.splitgen("--print=shape-rules", out=regex(r'rules.Concat|rules\["Concat"\]'))


def test_openvinos_ir_with_its_constants_and_a_binary_of_onnx(work):
    work.splitgen("--list ir.xml", out=regex(r"^cut: f32\[2,6\] axis 1 -> [^\n]*:2 "))
    # Version 10 by hand: types in capitals, any port numbers, lengths through a Convert, a dim without a number.
    work.write("v10.xml", V10)
    work.write("v10.bin", V10_BIN)
    work.splitgen("--list --shape x=3,6 v10.xml", out=regex(r"^cut: f16\[3,6\] axis 1 -> [^\n]*:4, [^\n]*:2 "))
    work.splitgen("--depfile ir.d ir.xml -o ir.c")
    depfile = work.read("ir.d")
    expect_text("the dependency file", depfile, ["ir.xml", "ir.bin"])
    work.splitgen(f"--list -D N=3 '{CORPUS}/split'", out=regex(r"^s: f32\[2,3,6\]"))
    work.splitgen(f"--list -D N=3 --shape x=2,3,7 '{CORPUS}/split'", 1, err=[regex(
            r"split: byte \d+: error: op 's': lengths sum to 6, but axis 2 has 7"),
            "split: byte 7: note: this is Split 's', which splits 'x' by the lengths in 'l'"])
    work.splitgen(f"--list '{CORPUS}/split'", 1,
                  err="split: byte 7: error: Split 's' needs every dim of 'x' as a number, but it is [2, N, 6]")
    work.run("printf '\\037\\213\\010' > m.onnx; splitgen m.onnx", 1, err="'m.onnx' is compressed with gzip")
    work.splitgen("absent.onnx", 3)


def test_in_a_spec(work):
    """Ops are selected and renamed, and every file is in the dependency file."""
    work.write("pick.lua", """local ops = onnx.load("net.onnxtxt", { dims = { batch = 2 } })
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
""")
    work.splitgen("--list pick.lua", out=lists("heads: f32[2,12,20] axis 2 -> q:4, ", "cut: f32[2,6] axis 1 "), err="")
    work.splitgen("--list --only heads pick.lua", out=lists("heads: "))
    work.splitgen("--list --only 'second' pick.lua", 2, err="no op is called 'second'")
    work.splitgen("--depfile pick.d --emit=c,json -o out/ pick.lua")
    work.expect_file("pick.d", ["pick.lua", "net.onnxtxt", "ir.xml", "ir.bin"])
    kernel = json.loads(work.read("out/pick.json"))["kernels"][0]
    assert kernel["node"] == "/heads/Split" and kernel["model"]["sha256"] == hashlib.sha256(NET.encode()).hexdigest()


def test_a_binary_in_a_spec(work):
    work.write("models/split.onnx", (CORPUS / "split").read_bytes())
    work.write("binary.lua", "return onnx.load('split.onnx')")
    work.splitgen("--list -D N=3 -I models binary.lua", out=regex(r"^s: f32\[2,3,6\]"), err="")


def test_options_of_the_command_line_apply_if_the_spec_does_not_set_them(work):
    work.write("given.onnxtxt", GIVEN)
    work.write("rules.lua", RULES)
    work.write("all.lua", "return onnx.load('net.onnxtxt')")
    work.splitgen("--list --shape x=2,12,20 all.lua", out=LISTED)
    work.splitgen("--list -D batch=2 --shape z=1 all.lua", 2, err="the model has no tensor 'z'")
    work.write("said.lua", "return onnx.load('net.onnxtxt', { shapes = { x = 'f32[2,12,20]' }, except = { 'sec*' } })")
    work.splitgen("--list said.lua", out=lists("heads_Split: f32[2,12,20] "))
    work.splitgen("--list --shape x=4,12,20 said.lua", out=regex(r"^heads_Split: f32\[2,12,20\] "),
                  err="warning: --shape of 'x' has no effect")
    work.write("valued.lua", "return onnx.load('given.onnxtxt', { values = { sizes = { 2, 4 } } })")
    work.splitgen("--list --shape-rules rules.lua valued.lua", out=regex(r"^a: f32\[6\] axis 0 -> a:2, "))


def test_an_open_dimension_through_matmul(work):
    """Reshape and Conv, and the output of --list, --dump and -D."""
    model(work, "vit.onnxtxt", """vit (float[batch, 197, 48] x, float[48, 144] w) => (float[batch, 197, 48] q, k, v)
<int64[2] flat = {-1, 48}, int64[4] heads = {0, 197, 4, 12}>
{
  qkv = MatMul (x, w)
  ["/attn/Split"] q, k, v = Split <axis = -1, num_outputs = 3> (qkv)
  tokens = Reshape (q, flat)
  ["/mlp/Split"] a, b = Split <axis = 1, num_outputs = 2> (tokens)
  h = Reshape (k, heads)
  ["/heads/Split"] c, d = Split <axis = 3, num_outputs = 2> (h)
}
""")
    free = regex(r"^attn_Split: +f32\[batch,197,144\] +axis 2 -> [^\n]*\nmlp_Split: +f32\[197\*batch,48\] +axis 1 -> [^\n]*\n"
                 r"heads_Split: +f32\[batch,197,4,12\] +axis 3 ")
    for said in ["--open", "--open=batch", "--open=batch=64", "--free batch=64", "--free batch", "-D batch=free:64",
                 "-D batch=free", "--shape x=batch=64?,197,48", "--shape 'x=batch?,197,48'",
                 "--shape 'x=f32[batch=2?,197,48]'"]:
        work.splitgen(f"--list {said} vit.onnxtxt", out=free, err="")
    work.splitgen("--list --format=json --free batch=64 vit.onnxtxt").holds({"ops 1 shape 0": "197*batch",
            "ops 1 shape 1": 48, "ops 1 free name": "batch", "ops 1 free dim": 0, "ops 1 free expected": 64})
    work.splitgen("--dump=op,split --free batch=64 --only '/mlp/*' vit.onnxtxt", out=["shape [197*batch=64?,48]",
            "split mlp_Split f32 [197*batch,48] axis 1 outer 197 ", "open 0 batch expected 64 powers 1,0"])
    model(work, "conv.onnxtxt", """conv (float[N, 3, 8, 8] x, float[4, 3, 3, 3] w) => (a, b)
{
  y = Conv <pads = [1, 1, 1, 1]> (x, w)
  ["/c2f/Split"] a, rest = Split <axis = 1, num_outputs = 2> (y)
  ["/c2f/Split_1"] b, c = Split <axis = 1, num_outputs = 2> (rest)
  ["/batch"] d, e = Split <axis = 0, num_outputs = 2> (y)
}
""")
    work.splitgen("--list --fuse --free N --except /batch conv.onnxtxt", out=lists(regex(
            r"c2f_Split: f32\[N,4,8,8\] axis 1 -> a:2, b:1, c:1 [^\n]*; fused with '/c2f/Split_1'")))
    # The split axis needs a number, and one suggested command gives everything that is missing.
    for said in ["--open", "--open=N", "--free N"]:
        work.splitgen(f"--explain {said} conv.onnxtxt", 1, err=[
                "conv.onnxtxt:7:3: error: Split '/batch' cuts dim 0 of 'y' and needs it as a number, but 'y' is [N, 4, 8, 8]",
                "give -D N=VALUE, or leave this Split out with --except /batch", regex(
                r"try: splitgen --explain( --open)? -D N=VALUE conv.onnxtxt\n$")])
    model(work, "two.onnxtxt", """m (float[N, T, 8] x) => (a, b)
{
  a, b = Split <axis = 2, num_outputs = 2> (x)
}
""")
    # Several dims may be open; the suggestion keeps what is given for one of them.
    for said in ["-D N=2", "--free N=3", "-D N=free:3", "--open=N=3"]:
        work.splitgen(f"--list {said} two.onnxtxt", 1, err=[
                "leave open what has no number with --open, or give -D T=VALUE, or", regex(
                r"try: splitgen --list (-D N=2|--open=N=3) --open two.onnxtxt\n$")])
    work.splitgen("--list --open -D N=2 two.onnxtxt", out=regex(r"^a: f32\[2,T,8\] axis 2 "))
    work.splitgen("--list --open=N --open=T=7 two.onnxtxt", out=regex(r"^a: f32\[N,T,8\] axis 2 "))
    work.splitgen("--open -D N=2 two.onnxtxt", out="Command: splitgen -D N=2 --open two.onnxtxt\n")
    work.splitgen("--open=T --isa=portable -D N=2 two.onnxtxt",
                  out="Command: splitgen -D N=2 --open=T --isa=portable two.onnxtxt\n")
    work.splitgen("--dump=op --open --open=T=7 two.onnxtxt", out="shape [N=1?,T=7?,8]")
    work.splitgen("--list --open=n conv.onnxtxt", 2,
                  err="<command line>:1:24: error: --open: the model has no dim 'n'; did you mean 'N'")
    work.splitgen("--list --free n conv.onnxtxt", 2,
                  err="<command line>:1:24: error: --open: the model has no dim 'n'; did you mean 'N'")
    work.splitgen("--list --shape x=N=4?,3,8,8 --free N=5 conv.onnxtxt", 1,
                  err=["4 of 'N' are expected here, but 5 elsewhere", without("try:")])
    work.splitgen("--list --shape x=N?,3,8,8 -D N=5 conv.onnxtxt", 1, err="'N' is open here, but elsewhere it is 5")
    work.splitgen("--list --open= conv.onnxtxt", 2, err="'--open' may not be empty")
    for open in ["true", "{ 'N', T = 7 }", "{ N = 1, T = 7 }"]:
        work.write("opened.lua", f"return onnx.load('two.onnxtxt', {{ open = {open} }})")
        work.splitgen("--list opened.lua", out=regex(r"^a: f32\[N,T,8\] axis 2 "))
    work.write("opened.lua", "return onnx.load('two.onnxtxt', { open = { 'N' } })")
    work.splitgen("--list opened.lua", 1,
                  err="leave open what has no number with open = true, or give dims = { T = VALUE }, or")
    work.write("freed.lua",
               "return onnx.load('vit.onnxtxt', { dims = { batch = free('items', 8) }, only = { '/mlp/*' } })")
    work.splitgen("--dump=op freed.lua", out="shape [197*items=8?,48]")
    work.splitgen("--dump=op -D items=9 freed.lua", out="shape [197*items=9?,48]")
    work.write("kept.lua", """local op = onnx.load("vit.onnxtxt", { shapes = { x = { free("n"), 197, 48 } } })[2]
return split { dtype = op.dtype, shape = op.shape, axis = 1, lengths = { 40, 8 } }
""")
    work.splitgen("--dump=op kept.lua", out="shape [197*n=1?,48]")
    work.write("both.lua", "return onnx.load('vit.onnxtxt', { dims = { batch = 8 }, only = { '/mlp/*' } })")
    work.splitgen("--dump=op --free batch both.lua", out="shape [1576,48]",
                  err="warning: --open of 'batch' has no effect: the spec says what it is")
    model(work, "if.onnxtxt", """m (float[N, 8] x) => (z)
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
""")
    # The branch depends on N: the Split in one of them has a kernel, and their result has no single type.
    work.splitgen("--list --open=N --except typed if.onnxtxt", out=regex(r"^large: f32\[N,8\] axis 1 "))
    work.splitgen("--explain --open=N if.onnxtxt", 1,
                  err="Split 'typed' cuts dim 1 of 'z' and needs it as a number, but 'z' is [N, ?]")


def test_open_dimensions_of_openvino(work):
    work.write("v10.xml", V10)
    work.write("v10.bin", V10_BIN)
    work.splitgen("--list --shape x=n=4?,6 v10.xml", out=regex(r"^cut: f16\[n,6\] axis 1 -> "))
    work.splitgen("--list --open v10.xml", out=regex(r"^cut: f16\[dim0,6\] axis 1 -> "))
    work.write("opened.lua", "return openvino.load('v10.xml', { open = true })")
    work.splitgen("--list opened.lua", out=regex(r"^cut: f16\[dim0,6\] axis 1 -> "))
    work.splitgen("--list --free n v10.xml", 2, err=["--open: the model has no dim 'n'",
            "no dim of its inputs has a name; give one in the shape of an input: --shape x=n?,..."])


def test_loading_ends_with_the_budgets_of_the_spec(work):
    """Inside the model or outside, and reports an error once."""
    work.write("again.lua", "for i = 1, 3 do pcall(onnx.load, 'net.onnxtxt') end return {}")
    assert work.splitgen("again.lua", 1).err.count("needs every dim of 'y'") == 1
    many = "b = Identity (x) " * 20000
    model(work, "many.onnxtxt", f"""net (float[4] x) => (b) {{
{many}}}
""")
    work.write("many.lua", "return onnx.load('many.onnxtxt')")
    for memory in ["1", "2", "4", "8"]:
        work.splitgen(f"--max-memory={memory} many.lua", 5, err=[regex(
                r"many.onnxtxt:\d+:\d+: error: up to here the model takes all memory that is left"),
                "many.lua:1:8: note: 'many.onnxtxt' is loaded here", "raise --max-memory"])
    work.write("cut.onnx", (CORPUS / "split").read_bytes()[:-1])
    work.write("cut.lua", "return onnx.load('cut.onnx')")
    work.splitgen("cut.lua", 1, err=[regex(r"cut.onnx: byte [^\n]*error"),
                                     "cut.lua:1:8: note: 'cut.onnx' is loaded here"])
