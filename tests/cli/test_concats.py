"""--ops=concat: every Concat of a model becomes a kernel, except those of weights only and of shapes."""
import re

import pytest
from listing import listed, model
from testing import regex, without

SLICES = "groups of Slices, Gathers and SequenceAts (1)"
FIRST = "a: f32[2,17] axis 1 <- x:8, k:1, x_2:8"
OTHERS = ["single: f32[2,8] axis 0 <- x:2", "empty: f32[2,8] axis 0 <- e:0, x:2, e_2:0",
          "texts: string[6] axis 0 <- s:3, s_2:3"]
SPLIT = "split: f32[2,8] axis 1 -> b:4, c:4"


def net(work, name, head, *nodes):
    """Writes a model with a few constants."""
    text = "\n".join(nodes)
    model(work, name, f"""net {head}
<int64[1] one = {{1}}, int64[2] two = {{1, 2}}, int64 i0 = {{0}}, float[2,1] k = {{1.5, -2.0}}, float[2,3] w = {{1,2,3,4,5,6}}>
{{
{text}
}}
""")


def none(work, name):
    """It has no kernel, and the summary counts none."""
    work.splitgen(f"--ops=concat --list {name}", 1, err="error: the model has no nodes of '--ops=concat'")
    work.splitgen(f"--list {name}", 1, err=["error: the model has no Split nodes", without("--ops")])


@pytest.fixture
def work(work):
    net(work, "all.onnxtxt", "(float[2,8] x, float[0,8] e, string[3] s) => (a, b, c, d, f, g, p, q)",
        "[a] a = Concat <axis = -1> (x, k, x)", "[split] b, c = Split <axis = 1, num_outputs = 2> (x)",
        "[single] d = Concat <axis = 0> (x)", "[empty] f = Concat <axis = 0> (e, x, e)",
        "[texts] g = Concat <axis = 0> (s, s)", "p = Gather (x, i0)", "q = Gather <axis = 0> (x, one)")
    return work


def test_concats_that_become_kernels_in_graph_order(work):
    """In graph order, between Splits and slice groups; one input, empty ones, one tensor twice, an axis from the end."""
    gathers = "x: f32[2,8] axis 0 -> p:1, q:1; Gather x 2"
    listed(work, "all.onnxtxt", SPLIT,
           f"not listed: {SLICES}, Concat nodes (4); --ops=split,slice,concat lists them too")
    listed(work, "--ops=concat all.onnxtxt", FIRST, *OTHERS,
           f"not listed: Split and VariadicSplit nodes (1), {SLICES}; --ops=split,slice,concat lists them too")
    listed(work, "--ops=split,slice all.onnxtxt", SPLIT, gathers,
           "not listed: Concat nodes (4); --ops=split,slice,concat lists them too")
    for ops in ["all", "split,slice,concat", "concat,slice,split"]:
        listed(work, f"--ops={ops} all.onnxtxt", FIRST, SPLIT, *OTHERS, gathers)
    listed(work, "--ops=concat,split all.onnxtxt", FIRST, SPLIT, *OTHERS,
           f"not listed: {SLICES}; --ops=split,slice,concat lists them too")
    listed(work, "--ops=all --fuse all.onnxtxt", FIRST, SPLIT, *OTHERS, gathers)
    texts = [work.run(f"splitgen {ops} all.onnxtxt | grep -v 'Command: '").out for ops in ("", "--ops=split")]
    assert texts[0] == texts[1]


def test_only_and_except_select_nodes_and_rename_none(work):
    listed(work, "--ops=all --only a --only 'sp*' all.onnxtxt", FIRST, SPLIT)
    listed(work, "--ops=concat --except a all.onnxtxt", *OTHERS,
           f"not listed: Split and VariadicSplit nodes (1), {SLICES}; --ops=split,slice,concat lists them too")
    work.splitgen("--ops=concat --only singel all.onnxtxt", 2,
                  err="--only: the model has no Split or Concat 'singel'; did you mean 'single'?")
    work.splitgen("--ops=all --only nothing all.onnxtxt", 2,
                  err="--only: the model has no Split, slice group or Concat 'nothing'")


def test_json(work):
    work.splitgen("--ops=all --list --format=json all.onnxtxt").holds({
        "ops 0 op": "concat", "ops 1 op": "split", "ops 0 op_type": "Concat", "ops 0 node": "a", "ops 0 shape": [2, 17], "ops 0 axis": 1,
        "ops 0 lengths": [8, 1, 8], "ops 0 inputs 0 name": "x", "ops 0 inputs 1 name": "x_2", "ops 0 inputs 1 tensor": "x",
        "ops 0 inputs 1 shape": [2, 8], "ops 0 inputs 1 bytes": 64, "ops 0 parts 1 constant": "k", "ops 0 output tensor": "a",
        "ops 0 output shape": [2, 17], "ops 0 output bytes": 136, "ops 0 tensors inputs 1": "x", "ops 0 tensors output": "a",
        "summary concats": 4, "summary splits": 2})
    work.splitgen("--list --format=json all.onnxtxt").holds({"summary not_listed count": 5,
            "summary not_listed option": "--ops=split,slice,concat"})


def test_a_concat_never_takes_the_name_of_a_split_or_slice_group(work):
    net(work, "names.onnxtxt", "(float[2,8] x) => (b, c, p, q)", "[split] y = Concat <axis = 0> (x, x)",
        "z = Concat <axis = 0> (x)", "[split] b, c = Split <axis = 1, num_outputs = 2> (x)", "p = Gather (z, i0)",
        "q = Gather <axis = 0> (z, one)")
    listed(work, "--ops=all names.onnxtxt", "split_2: f32[4,8] axis 0 <- x:2, x_2:2", "z_2: f32[2,8] axis 0 <- x:2",
           "split: f32[2,8] axis 1 -> b:4, c:4", "z: f32[2,8] axis 0 -> p:1, q:1; Gather x 2")


def test_branches_and_functions_the_axis_was_1_before_opset_4(work):
    work.write("graphs.onnxtxt", """<ir_version: 8, opset_import: ["" : 3, "my" : 1]>
net (float[2,8] x, bool c) => (y, z)
{
  [choose] y = If (c) <then_branch = yes () => (a) { [t] a = Concat (x, x) },
                       else_branch = no () => (b) { [e] b = Concat <axis = 0> (x, x) }>
  [call] z = my.twice (x)
}
<domain: "my", opset_import: ["" : 13]>
twice (u) => (v) { [within] v = Concat <axis = 0> (u, u) }
""")
    listed(work, "--ops=concat graphs.onnxtxt", "t: f32[2,16] axis 1 <- x:8, x_2:8", "e: f32[4,8] axis 0 <- x:2, x_2:2",
           "within: f32[4,8] axis 0 <- u:2, u_2:2")


def test_packed_elements_which_openvino_concatenates_and_onnx_does_not(work):
    net(work, "packed.onnxtxt", "(uint4[2,4] x, uint4[3,4] y) => (z)", "z = Concat <axis = 0> (x, y)")
    work.splitgen("--ops=concat packed.onnxtxt", 1, err="no version of ONNX Concat takes dtype 'u4'")
    work.write("packed.xml", """<net name="g" version="11"><layers>
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
""")
    listed(work, "--ops=concat packed.xml", "join: u4[2,8] axis 1 <- x:4, x_2:4")
    work.splitgen("packed.xml", 1, err="note: --ops=split,concat would generate: Concat nodes (1)")


def test_concats_that_become_no_kernel_of_weights_only(work):
    """Of weights only, computed in any way; of shapes, known or not; beside one of data."""
    net(work, "weights.onnxtxt", "(float[2,8] x) => (z)", "v = Identity (w)", "u = Add (w, w)",
        "y = Concat <axis = 0> (v, u)", "z = Concat <axis = 1> (y, y)")
    net(work, "constants.onnxtxt", "() => (z)", "c = Constant <value = float[1] {1}> ()",
        "z = Concat <axis = 0> (c, c)")
    net(work, "shapes.onnxtxt", "(float[N,M] x) => (z)", "s = Shape (x)", "n = Gather (s, one)", "t = Mul (n, one)",
        "z = Concat <axis = 0> (t, one, s)")
    net(work, "sizes.onnxtxt", "(float[N,M] x) => (z)", "s = Shape (x)", "i = Cast <to = 6> (s)",
        "z = Concat <axis = 0> (i, i)")
    for name in ["weights", "constants", "shapes", "sizes"]:
        none(work, f"{name}.onnxtxt")
    net(work, "numbers.onnxtxt", "(int64[2] n, float[N] x) => (z, y)", "s = Shape (x)",
        "z = Concat <axis = 0> (n, one)", "y = Concat <axis = 0> (s, one)")
    listed(work, "--ops=concat numbers.onnxtxt", "z: i64[3] axis 0 <- n:2, one:1")
    for value in ["n=3,4", "z=3,4,1"]:
        work.splitgen(f"--ops=concat --value {value} numbers.onnxtxt", 1,
                      err="the model has no nodes of '--ops=concat'")


def holds(work, type, dims, numbers, *given):
    """z concatenates x and k, a constant made by these nodes, after initialisers; its numbers are in the C."""
    constants, nodes = (given[0], given[1:]) if given[0].startswith("<") else ("", given)
    text = "\n".join(nodes)
    model(work, "data.onnxtxt", f"""net ({type}[{dims}] x) => (z) {constants}
{{
{text}
z = Concat <axis = 0> (x, k)
}}
""")
    code = work.splitgen("--ops=concat data.onnxtxt", err="").out
    table = re.search(r"static const uint\d+_t z_k\[\] = {([^}]*)}", code)[1]
    assert re.sub(r"[ \n]|(?<=[0-9a-f])U(LL)?(?=,|$)", "", table) == numbers


@pytest.mark.parametrize("type,literal,bits", [
    ("float", "1.5", "0x3fc00000"),
    ("double", "-2", "0xc000000000000000"),
    ("float16", "15361", "0x3c01"),
    ("bfloat16", "16256", "0x3f80"),
    ("bool", "1", "0x1"),
    ("int8", "-1", "0xff"),
    ("uint16", "65535", "0xffff"),
    ("int64", "-2", "0xfffffffffffffffe"),
    ("uint64", "18446744073709551615", "0xffffffffffffffff"),
    ("complex64", "1.5, 2", "0x3fc00000,0x40000000"),
    ("complex128", "1, -2", "0x3ff0000000000000,0xc000000000000000")])
def test_constants_are_data_of_the_kernel_in_any_encoding_and_from_any_node(work, type, literal, bits):
    holds(work, type, "2", bits, f"<{type}[1] k = {{{literal}}}>")
    holds(work, type, "2", bits, f"k = Constant <value = {type}[1] {{{literal}}}> ()")
    holds(work, type, "2,2", f"{bits},{bits}", "n = Constant <value = int64[2] {1, 2}> ()",
          f"k = ConstantOfShape <value = {type}[1] {{{literal}}}> (n)")
    holds(work, type, "2,1", bits, f"<{type}[1] c = {{{literal}}}, int64[1] a = {{0}}>", "k = Unsqueeze (c, a)")


def test_constants_of_attributes_and_shapes(work):
    holds(work, "float", "2,3", "0x0,0x0,0x0", "n = Constant <value_ints = [1, 3]> ()", "k = ConstantOfShape (n)")
    holds(work, "float", "2", "0x3f800000,0x80000000", "k = Constant <value_floats = [1.0, -0.0]> ()")
    holds(work, "float", "2", "0x3e99999a", "f = Constant <value_float = 0.3> ()", "a = Constant <value_ints = [0]> ()",
          "k = Unsqueeze (f, a)")
    holds(work, "int64", "2", "0x7,0xffffffffffffffff", "k = Constant <value_ints = [7, -1]> ()")
    holds(work, "int64", "2", "0x7", "i = Constant <value_int = 7> ()", "a = Constant <value_ints = [0]> ()",
          "k = Unsqueeze (i, a)")
    holds(work, "int64", "6,4", "0x4,0x6,0x4,0x6", "<int64[1] i = {1}, int64 j = {0}, int64[1] a = {0}>",
          "s = Shape (x)", "u = Gather (s, i)", "v = Gather (s, j)", "w = Unsqueeze (v, a)",
          "c = Concat <axis = 0> (u, w)", "k2 = Unsqueeze (c, a)", "o = Constant <value_ints = [1, 2]> ()",
          "p = Reshape (k2, o)", "e = Constant <value_ints = [1, 2]> ()", "q = Expand (p, e)",
          "k = Concat <axis = 1> (q, q)", "y = Identity (k)")


def test_the_identity_of_another_domain_is_an_unknown_operator(work):
    work.write("foreign.onnxtxt", """<ir_version: 10, opset_import: ["" : 18, "com.acme" : 1]>
net (float[2] x) => (z) <float[2] c = {1, 2}>
{
k = com.acme.Identity (c)
z = Concat <axis = 0> (x, k)
}
""")
    work.splitgen("--ops=concat --shape k=f32[2] foreign.onnxtxt", out=[regex(
            r"in +k +\[2\] +8 bytes +data\[2:4\] at byte 8\n"), regex(
            r"void z\([^)]*const float \*SPLITGEN_RESTRICT k")])


def test_the_result_of_a_random_or_stateful_node_is_no_constant_even_if_all_its_inputs_are_constant(work):
    for node in ["Bernoulli (c)", "RandomNormalLike (c)", "RandomUniformLike <dtype = 1> (c)", "Dropout (c, r, t)"]:
        model(work, "chance.onnxtxt", f"""net (float[2,2] x) => (z) <float[2,2] c = {{0, 1, 0, 1}}, float r = {{0.5}}, bool t = {{1}}>
{{
k = {node}
z = Concat <axis = 0> (x, k)
}}
""")
        work.splitgen("--ops=concat chance.onnxtxt", out=regex(r"void z\([^)]*const float \*SPLITGEN_RESTRICT k"))
        work.splitgen("--ops=concat --emit=placement chance.onnxtxt", out=regex(r'"name": "k"[^\n]*"kind": "inner"'))
    work.write("state.bin", "12345678")
    for type in ["i32", "dynamic"]:
        work.write("state.xml", f"""<?xml version="1.0"?>
<net name="g" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="2" element_type="i32"/>
 <output><port id="0" precision="I32"><dim>2</dim></port></output></layer>
<layer id="1" name="c" type="Const" version="opset1"><data element_type="i32" shape="2" offset="0" size="8"/>
 <output><port id="0" precision="I32"><dim>2</dim></port></output></layer>
<layer id="2" name="k" type="ReadValue" version="opset6"><data variable_id="v" variable_type="{type}" variable_shape="2"/>
 <input><port id="0"><dim>2</dim></port></input><output><port id="1" precision="I32"><dim>2</dim></port></output></layer>
<layer id="3" name="z" type="Concat" version="opset1"><data axis="0"/>
 <input><port id="0"><dim>2</dim></port><port id="1"><dim>2</dim></port></input>
 <output><port id="2" precision="I32"><dim>4</dim></port></output></layer>
<layer id="4" name="r" type="Result" version="opset1"><input><port id="0"><dim>4</dim></port></input></layer>
</layers><edges>
<edge from-layer="1" from-port="0" to-layer="2" to-port="0"/>
<edge from-layer="0" from-port="0" to-layer="3" to-port="0"/><edge from-layer="2" from-port="1" to-layer="3" to-port="1"/>
<edge from-layer="3" from-port="2" to-layer="4" to-port="0"/>
</edges></net>
""")
        work.splitgen("--ops=concat state.xml", out=regex(r"void z\([^)]*const int32_t \*SPLITGEN_RESTRICT k"))


def test_open_and_unknown_dimensions(work):
    net(work, "open.onnxtxt", "(float[N,8,2] x, float[N,8,2] y, float[2,M] u) => (a, b, c)",
        "[front] a = Concat <axis = 1> (x, y)", "[behind] b = Concat <axis = 0> (u, u)")
    listed(work, "--ops=concat --open open.onnxtxt", "front: f32[N,16,2] axis 1 <- x:8, y:8",
           "behind: f32[4,M] axis 0 <- u:2, u_2:2")
    listed(work, "--ops=concat --open=N -D M=5 open.onnxtxt", "front: f32[N,16,2] axis 1 <- x:8, y:8",
           "behind: f32[4,5] axis 0 <- u:2, u_2:2")
    work.splitgen("--ops=concat --list --format=json --open open.onnxtxt").holds({"ops 0 inputs 1 shape": ["N", 8, 2],
            "ops 0 output shape": ["N", 16, 2]})
    work.splitgen("--ops=concat open.onnxtxt", 1, err=[
            "Concat 'front' needs every dim of 'a' as a number, but it is [N, 16, 2]", "-D N=VALUE",
            "leave this Concat out with --except front", "try: splitgen --ops=concat --open open.onnxtxt"])


def test_an_open_axis_is_refused_and_all_concats_with_the_same_missing_dimension_share_one_error(work):
    net(work, "axis.onnxtxt", "(float[2,N] x, float[2,4] y, float[2,M] z) => (a, b, c)",
        "[one] a = Concat <axis = 1> (x, y)", "[two] b = Concat <axis = 1> (y, x)",
        "[both] c = Concat <axis = 1> (x, z)")
    work.splitgen("--ops=concat --open axis.onnxtxt", 1, err=[
            "2 Concats need -D N=VALUE: the first, Concat 'one', joins along dim 1 of 'x' and needs it as a number, but 'x' is [2, N]",
            "Concat 'both' joins along dim 1 of 'x'",
            "give -D N=VALUE -D M=VALUE, or leave this Concat out with --except both",
            "try: splitgen --ops=concat --open -D N=VALUE -D M=VALUE axis.onnxtxt"])
    listed(work, "--ops=concat -D N=3 -D M=1 axis.onnxtxt", "one: f32[2,7] axis 1 <- x:3, y:4",
           "two: f32[2,7] axis 1 <- y:4, x:3", "both: f32[2,4] axis 1 <- x:3, z:1")


def test_a_length_that_follows_from_the_other_lengths(work):
    net(work, "rest.onnxtxt", "(float[2,N] x, float[2,4] y) => (float[2,7] a)", "a = Concat <axis = 1> (x, y)")
    listed(work, "--ops=concat rest.onnxtxt", "a: f32[2,7] axis 1 <- x:3, y:4")


@pytest.mark.parametrize("head,node,message", [
    ("(float[2,8] x, float[3,8] y) => (z)", "z = Concat <axis = 1> (x, y)",
     "op 'c': input 2 ('y') has 3 in dimension 0, but input 1 ('x') has 2: only along axis 1 may they differ"),
    ("(float[2,8] x, float[8] y) => (z)", "z = Concat <axis = 1> (x, y)",
     "input 2 ('y') has 1 dimension, but input 1 ('x') has 2"),
    ("(float[2,8] x, double[2,8] y) => (z)", "z = Concat <axis = 1> (x, y)",
     "input 2 ('y') has dtype 'f64', but input 1 ('x') has 'f32'"),
    ("(float[2,8] x) => (z)", "z = Concat <axis = 2> (x, x)",
     "axis 2 is out of range: a shape of 2 dimensions has axes -2 to 1"),
    ("(float[2,8] x) => (z)", "z = Concat (x, x)", regex(r"op 'c': 'axis' is missing: Concat-\d+ \(opset \d+\) has no default axis"))])
def test_errors(work, head, node, message):
    net(work, "wrong.onnxtxt", head, f"[c] {node}")
    work.splitgen("--ops=concat wrong.onnxtxt", 1, err=message)


def test_in_a_spec(work):
    work.write("spec.lua", """local ops = onnx.load('all.onnxtxt', { ops = { 'concat' }, only = { 'a' } })
assert(#ops == 1 and ops[1].op_type == 'Concat' and ops[1].lengths[2] == 1)
return ops
""")
    listed(work, "spec.lua", FIRST)
    work.splitgen("--ops=join all.onnxtxt", 2, err=["'join'", "'concat'"])


def test_a_concatenated_sequence_of_tensors_is_a_concat(work):
    """A concatenated sequence of tensors is a Concat of these tensors, unless a node takes tensors out of it."""
    net(work, "sequences.onnxtxt", "(float[2,6] x, float[2,3] y) => (j, q, m, n, e)",
        "a, b = Split <axis = 1, num_outputs = 2> (x)", "s = SequenceConstruct (b, y)",
        "[join] j = ConcatFromSequence <axis = -1> (s)", "t = SequenceConstruct (y, y)",
        "[stack] q = ConcatFromSequence <axis = 0, new_axis = 1> (t)", "u = SequenceConstruct (y, y)",
        "[twice] m = ConcatFromSequence <axis = 0> (u)", "v = SequenceConstruct (y, y)",
        "[read] n = ConcatFromSequence <axis = 0> (v)", "e = SequenceAt (v, i0)")
    work.splitgen("--ops=concat --list sequences.onnxtxt",
        err="note: ConcatFromSequence 'read' is no kernel: the sequence 'v' is also an output or read by other operators")
    listed(work, "--ops=concat sequences.onnxtxt", "join: f32[2,6] axis 1 <- b:3, y:3",
           "stack: f32[2,2,3] axis 0 <- y:1, y_2:1", "twice: f32[4,3] axis 0 <- y:2, y_2:2",
           "not listed: Split and VariadicSplit nodes (1); --ops=split,concat lists them too")


def test_the_same_holds_after_sequenceinserts_and_sequenceerases(work):
    """The same holds after SequenceInserts and SequenceErases at known positions. A sequence that two Concats read has to be written for both."""
    net(work, "chains.onnxtxt", "(float[2,6] x, float[2,3] y, int64 n) => (j, k1, k2, u)",
        "a, b = Split <axis = 1, num_outputs = 2> (x)", "s0 = SequenceEmpty ()", "s1 = SequenceInsert (s0, y)",
        "s2 = SequenceInsert (s1, a, i0)", "s3 = SequenceErase (s2)", "s4 = SequenceInsert (s3, y)",
        "[chain] j = ConcatFromSequence <axis = 1> (s4)", "t = SequenceConstruct (b, y)",
        "[one] k1 = ConcatFromSequence <axis = 1> (t)", "[two] k2 = ConcatFromSequence <axis = -1, new_axis = 1> (t)",
        "v = SequenceConstruct (y)", "v1 = SequenceInsert (v, a, n)", "[where] u = ConcatFromSequence <axis = 0> (v1)")
    listed(work, "--ops=concat chains.onnxtxt", "chain: f32[2,6] axis 1 <- a:3, y:3",
           "one: f32[2,6] axis 1 <- b:3, y:3", "two: f32[2,3,2] axis 2 <- b:1, y:1",
           "not listed: Split and VariadicSplit nodes (1); --ops=split,concat lists them too")
    work.splitgen("--ops=concat,split --fuse --list chains.onnxtxt", out=regex(
            r"one: .*not fused with 'a', which feeds it: the sequence 't', which has it, is read 2 times"),
        err="note: ConcatFromSequence 'where' is no kernel: the position of SequenceInsert 'v1' is not constant")


def many(count):
    """Inputs x1, x2, ..., with their types and without."""
    return ", ".join(f"float[2,1] x{i}" for i in range(1, count + 1)), ", ".join(f"x{i}" for i in range(1, count + 1))


def test_a_constant_is_not_a_parameter_so_32_tensors_and_a_constant_still_need_no_array(work):
    inputs, joined = many(32)
    net(work, "wide.onnxtxt", f"({inputs}) => (z)", f"z = Concat <axis = 1> ({joined}, k)")
    work.splitgen("--ops=concat wide.onnxtxt", out=["static const uint32_t z_k", regex(
            r"x32,\n *float \*SPLITGEN_RESTRICT data\);")])


def test_it_is_not_an_entry_of_the_array(work):
    """It is not an entry of the array either: x2 is the first entry, and the descriptor and JSON count as the function does."""
    inputs, joined = many(37)
    net(work, "array.onnxtxt", f"({inputs}) => (z)", "e = Constant <value = float[2,0] {}> ()",
        f"z = Concat <axis = 1> (k, x1, e, {joined}, k)")
    work.splitgen("--ops=concat array.onnxtxt", out=["static const uint32_t z_k[]", "static const uint32_t z_k_2[]",
                                                     "void z(const float *const inputs[]", regex(
            r"all_inputs\[\] = {z_k, splitgen_input\(inputs, 0\), NULL,\n *splitgen_input\(inputs, 1\)"),
                                                     "splitgen_input(inputs, 37), z_k_2}"])
    work.splitgen("--ops=concat --emit=json array.onnxtxt").holds({"kernels 0 parameters 38 place": 37})
    work.splitgen("--ops=concat --emit=h array.onnxtxt", out=regex(
            r"k +.*, a constant\n.*inputs\[0\].* k_2 .*, a constant"))


def test_the_array_is_on_the_stack_so_its_size_is_limited(work):
    inputs, joined = many(37)
    joined = ", ".join([joined] * 128)
    net(work, "limit.onnxtxt", f"({inputs}) => (z)", f"z = Concat <axis = 1> ({joined}, k)")
    work.splitgen("--ops=concat limit.onnxtxt", 5, err=[
            "parts are more than splitgen joins where some are constants: 4096", "--except"])
