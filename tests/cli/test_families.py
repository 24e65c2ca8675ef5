"""--ops: nodes that together split one tensor become one kernel although they are not Splits; other nodes are unchanged."""
import json
import sys

import pytest
from listing import listed, lists, model
from testing import expect_text, regex, without


def net(work, name, head, *nodes, opset=18):
    """Writes a model with the numbers that its nodes need."""
    text = "\n".join(nodes)
    work.write(name, f"""<ir_version: 10, opset_import: ["" : {opset}, "my" : 1]>
net {head}
<int64[1] a0 = {{0}}, int64[1] a1 = {{1}}, int64[1] n0 = {{0}}, int64[1] n2 = {{2}}, int64[1] n4 = {{4}}, int64[1] n6 = {{6}},
 int64[1] n8 = {{8}}, int64[1] far = {{9223372036854775807}}, int64[1] last4 = {{-4}}, int64[1] two = {{2}}, int64[2] from = {{0, 0}},
 int64[2] to = {{9223372036854775807, 4}}, int64[2] rest = {{9223372036854775807, 8}}, int64 i0 = {{0}}, int64 i1 = {{1}},
 int64 i2 = {{2}}, int64 minus = {{-1}}, int64[1] i_one = {{1}}, float[2,8] w = {{1,2,3,4,5,6,7,8,1,2,3,4,5,6,7,8}}>
{{
{text}
}}
""")


def none(work, name):
    """It has no slice group, and the summary counts none."""
    work.splitgen(f"--ops=slice --list {name}", 1, err="error: the model has no nodes of '--ops=slice'")
    work.splitgen(f"--list {name}", 1, err=["error: the model has no Split nodes", without("--ops")])


@pytest.fixture
def work(work):
    net(work, "slices.onnxtxt", "(float[2,8] x) => (a, b, c, d, e)", "[second] b = Slice (x, n4, n6, a1)",
        "[split] d, e = Split <axis = 1, num_outputs = 2> (x)", "[third] c = Slice (x, n6, far, a1)",
        "[first] a = Slice (x, n0, last4, a1)")
    return work


def test_slices_in_any_order(work):
    """In any order, from either end, to the end; beside a Split. The output without --ops is unchanged."""
    work.splitgen("--list slices.onnxtxt", out=lists("split: ",
            "not listed: groups of Slices, Gathers and SequenceAts (1); --ops=split,slice lists them too"), err="")
    listed(work, "--ops=slice slices.onnxtxt", "x: f32[2,8] axis 1 -> a:4, b:2, c:2; Slice x 3",
           "not listed: Split and VariadicSplit nodes (1); --ops=split,slice lists them too")
    for ops in ["all", "split,slice", "slice,split"]:
        listed(work, f"--ops={ops} slices.onnxtxt", "x: f32[2,8] axis 1 -> a:4, b:2, c:2; Slice x 3",
               "split: f32[2,8] axis 1 -> d:4, e:4")
    texts = [work.run(f"splitgen {ops} slices.onnxtxt | grep -v 'Command: '").out for ops in ("", "--ops=split")]
    assert texts[0] == texts[1]
    work.splitgen("--ops=all slices.onnxtxt", out=["From Slice x 3 ('second', 'third' and 'first') of 'slices.onnxtxt'",
                                                   "which split 'x'."])
    work.splitgen("--ops=slice --list --format=json slices.onnxtxt").holds({
        "ops 0 op_type": "Slice", "ops 0 tensor": "x", "ops 0 node": "x", "ops 0 nodes": ["second", "third", "first"], "ops 0 tensors input": "x",
        "ops 0 tensors outputs 0": "a", "ops 0 lengths 2": 2, "summary not_listed count": 1, "summary not_listed option": "--ops=split,slice"})
    work.splitgen("--ops=slice --emit=json slices.onnxtxt").holds({"kernels 0 tensor": "x",
            "kernels 0 nodes 1": "third"})


def test_the_number_for_to_the_end_is_an_ordinary_bound_on_an_axis_that_is_longer(work):
    model(work, "long.onnxtxt", """net (uint8[3000000000] x, uint8[2, 3000000000] y) => (a, b, c, d)
<int64[1] zero = {0}, int64[1] most = {2147483647}, int64[1] end = {3000000000},
 int64[2] zeros = {0, 0}, int64[2] one_most = {1, 2147483647}, int64[2] one = {1, 0}, int64[2] two_most = {2, 2147483647}>
{
  a = Slice (x, zero, most)
  b = Slice (x, most, end)
  c = Slice (y, zeros, one_most)
  d = Slice (y, one, two_most)
}
""")
    listed(work, "--ops=slice long.onnxtxt", "x: u8[3000000000] axis 0 -> a:2147483647, b:852516353; Slice x 2")


def test_gaps_are_unwanted_parts(work):
    """Empty Slices overlap nothing; all axes may be named if only one is split."""
    net(work, "gaps.onnxtxt", "(float[2,8] x) => (a, b, c)", "[all] a = Slice (x, from, to)",
        "[late] b = Slice (x, n6, far, a1)", "[nothing] c = Slice (x, n2, n2, a1)")
    work.splitgen("--ops=slice --list --format=json gaps.onnxtxt").holds({"ops 0 lengths": [4, 0, 2, 2]})
    work.splitgen("--ops=slice --emit=c,test -o gaps.c gaps.onnxtxt")
    net(work, "narrow.onnxtxt", "(float[2,8] x) => (a, b)", "a = Slice (x, n0, a1, a1)", "b = Slice (x, n2, n4, a1)")
    work.splitgen("--ops=slice --list --format=json narrow.onnxtxt").holds({"ops 0 lengths": [1, 1, 2, 4]})


def test_attributes_as_before_opset_10(work):
    net(work, "old.onnxtxt", "(float[8] x) => (a, b)", "a = Slice <starts = [0], ends = [3]> (x)",
        "b = Slice <starts = [3], ends = [100], axes = [0]> (x)", opset=9)
    listed(work, "--ops=slice old.onnxtxt", "x: f32[8] axis 0 -> a:3, b:5; Slice x 2")


def test_a_tensor_that_is_split_along_two_axes_has_two_slice_groups(work):
    net(work, "two.onnxtxt", "(float[2,8] x) => (a, b, c, d)", "a = Slice (x, n0, n4, a1)", "b = Slice (x, n0, a1, a0)",
        "c = Slice (x, n4, n8, a1)", "d = Slice (x, a1, n2, a0)")
    listed(work, "--ops=slice two.onnxtxt", "x: f32[2,8] axis 1 -> a:4, c:4; Slice x 2",
           "x_2: f32[2,8] axis 0 -> b:1, d:1; Slice x 2")


def test_no_slice_groups(work):
    """An overlap, a range or index twice, a single node, steps, two axes, a Slice and a Gather, weights, shapes."""
    cut = "a = Slice (x, n0, n4, a1)"
    net(work, "overlap.onnxtxt", "(float[2,8] x) => (a, b, c)", cut, "b = Slice (x, n2, n6, a1)",
        "c = Slice (x, n6, n8, a1)")
    net(work, "shared.onnxtxt", "(float[2,8] x) => (a, b)", "a = Slice (x, n0, n2, a1)",
        "b = Slice (x, a1, n8, a1)")  # one index
    net(work, "twice.onnxtxt", "(float[2,8] x) => (a, b, c)", cut, "b = Slice (x, n0, n4, a1)",
        "c = Slice (x, n4, n8, a1)")
    net(work, "index.onnxtxt", "(float[2,8] x) => (a, b, c)", "a = Gather (x, i0)", "b = Gather (x, i1)",
        "c = Gather (x, minus)")
    net(work, "alone.onnxtxt", "(float[2,8] x) => (a)", cut)
    net(work, "steps.onnxtxt", "(float[2,8] x) => (a, b)", cut, "b = Slice (x, n4, n8, a1, two)")
    net(work, "axes.onnxtxt", "(float[2,8] x, float[2,8] y) => (a, b, c)", cut, "b = Slice (x, n0, i_one, a0)",
        "c = Slice (y, n4, n8, a1)")
    net(work, "mixed.onnxtxt", "(float[2,8] x) => (a, b)", cut, "b = Gather <axis = 1> (x, minus)")
    net(work, "weights.onnxtxt", "(float[2,8] x) => (a, b)", "v = Relu (w)", "a = Slice (v, n0, n4, a1)",
        "b = Slice (v, n4, n8, a1)")
    net(work, "shapes.onnxtxt", "(float[N,M] x) => (a, b)", "s = Shape (x)", "t = Add (s, s)", "a = Gather (t, i0)",
        "b = Gather (t, i1)")
    net(work, "unknown.onnxtxt", "(float[2,8] x, int64[1] n) => (a, b)", "a = Slice (x, n, n4, a1)",
        "b = Slice (x, n4, n8, a1)")
    net(work, "bounds.onnxtxt", "(float[2,N] x) => (a, b)", "a = Slice (x, n0, n4, a1)", "b = Slice (x, n4, n8, a1)")
    net(work, "scopes.onnxtxt", "(float[2,8] x, bool c) => (a, b)", cut,
        "b = If (c) < then_branch = y () => (p) { p = Slice (x, n4, n8, a1) }, else_branch = n () => (q) { q = Relu (x) }>")
    for name in ["overlap", "shared", "twice", "index", "alone", "steps", "axes", "mixed", "weights", "shapes",
                 "unknown", "bounds", "scopes"]:
        none(work, f"{name}.onnxtxt")


def test_each_branch_has_its_own_slice_groups(work):
    """In the place of their first nodes; so does a call of a function."""
    work.write("graphs.onnxtxt", """<ir_version: 10, opset_import: ["" : 9, "my" : 1]>
net (float[2,8] x, bool c, float[4] v) => (e, y, f, g, h)
{
  [e1] e = Slice <starts = [0], ends = [1]> (x)
  [choose] y = If (c) <
    then_branch = yes () => (a) {
      [t1] a = Slice <starts = [0], ends = [4], axes = [1]> (x)
      [t2] b = Slice <starts = [4], ends = [8], axes = [1]> (x)
      [t3] o, p = Split <axis = 0> (x) },
    else_branch = no () => (d) {
      [n1] d = Slice <starts = [0], ends = [2], axes = [1]> (x)
      [n2] r = Slice <starts = [5], ends = [8], axes = [1]> (x) }>
  [e2] f = Slice <starts = [1], ends = [2]> (x)
  [call] g, h = my.halves (v)
}
<domain: "my", opset_import: ["" : 9]>
halves (u) => (k, l)
{
  [h1] k = Slice <starts = [0], ends = [2]> (u)
  [h2] l = Slice <starts = [2], ends = [4]> (u)
}
""")
    listed(work, "--ops=all graphs.onnxtxt", "x: f32[2,8] axis 0 -> e:1, f:1; Slice x 2",
           "x_2: f32[2,8] axis 1 -> a:4, b:4; Slice x 2", "t3: f32[2,8] axis 0 -> o:1, p:1",
           "x_3: f32[2,8] axis 1 -> d:2, r:3; Slice x 2", "u: f32[4] axis 0 -> k:2, l:2; Slice x 2")
    # --only and --except select slice groups by their tensors; selection renames none.
    listed(work, "--ops=all --only u --only 't?' graphs.onnxtxt", "t3: f32[2,8] axis 0 -> o:1, p:1",
           "u: f32[4] axis 0 -> k:2, l:2; Slice x 2")
    listed(work, "--ops=all --except x graphs.onnxtxt", "t3: f32[2,8] axis 0 -> o:1, p:1",
           "u: f32[4] axis 0 -> k:2, l:2; Slice x 2")
    work.splitgen("--ops=slice --only w graphs.onnxtxt", 2, err="--only: the model has no Split or slice group 'w'")


def test_gathers_a_scalar_index_removes_the_axis(work):
    """A scalar index removes the axis, down to scalars; strings and packed elements."""
    net(work, "gathers.onnxtxt", "(float[3,4] x, string[3] s, uint4[4,3] p) => (a, b, c, t, u, q, r)",
        "[one] a = Gather <axis = 1> (x, minus)", "[two] b = Gather <axis = -1> (x, i0)",
        "[three] c = Gather <axis = 1> (x, i_one)", "t = Gather (s, i0)", "u = Gather (s, i2)", "q = Gather (p, i0)",
        "r = Gather (p, i2)")
    listed(work, "--ops=slice gathers.onnxtxt", "x: f32[3,4] axis 1 -> b:1, c:1, a:1; Gather x 3",
           "s: string[3] axis 0 -> t:1, u:1; Gather x 2", "p: u4[4,3] axis 0 -> q:1, r:1; Gather x 2")
    work.splitgen("--ops=slice --explain gathers.onnxtxt", out=[
            "\n  b [3], 12 bytes\n    view: strided, from byte 0 of the input, strides [4] elements",
            "\n  c [3,1], 12 bytes\n    view: strided, from byte 4 of the input, strides [4,1] elements",
            "\n  t [], 8 bytes"])
    work.splitgen("--ops=slice --emit=c,h,json,py,svg,test,registry -o gen/ gathers.onnxtxt")
    c = work.read("gen/gathers.c")
    expect_text("the C", c, ["out  b     [3]     12 bytes  data[:, 0]", "data[:, 1:2]", '"b", F32, 1, x_dims[1], 12, 1',
                             '"c", F32, 2, x_dims[3], 12, 1', '"t", STRING, 0, '])
    assert json.loads(work.read("gen/gathers.json"))["kernels"][0]["outputs"][0]["shape"] == [3], "without the axis"
    work.compile("-Igen gen/gathers*.c -o t")
    work.run("./t")
    pytest.importorskip("numpy")
    work.write("use.py", """import numpy as np, gathers
gathers.load('./kernels.so')
x = np.arange(12, dtype=np.float32).reshape(3, 4)
for b, c, a in (gathers.x(x), gathers.x.views(x)):
    assert (b == x[:, 0]).all() and (c == x[:, 1:2]).all() and (a == x[:, 3]).all() and b.shape == (3,) and c.shape == (3, 1)
""")
    work.compile("-shared -fPIC -Igen gen/gathers.c -o kernels.so", flags="")
    work.run([sys.executable, "use.py"], env={"PYTHONPATH": "gen"})


def test_sequences(work):
    net(work, "sequences.onnxtxt", "(float[7] v, float[2,3] m, float[6] k) => (a, b, c, d, e, o, y, z, f, g)",
        "[s] s = SplitToSequence <axis = -1> (v, i2)", "[s3] b = SequenceAt (s, minus)", "[s0] a = SequenceAt (s, i0)",
        "[again] c = SequenceAt (s, i0)", "[rows] u = SplitToSequence <axis = 0, keepdims = 0> (m)",
        "[r0] d = SequenceAt (u, i0)", "[r1] e = SequenceAt (u, i1)", "[list] l = SequenceConstruct (k, k)",
        "[item] p = SequenceAt (l, i1)", "o = ConcatFromSequence <axis = 0, new_axis = 1> (l)",
        "[split] y, z = Split <axis = 0, num_outputs = 2> (p)", "[whole] f, g = Split <axis = 0, num_outputs = 2> (o)")
    listed(work, "--ops=all sequences.onnxtxt", "v: f32[7] axis 0 -> a:2, b:1; SplitToSequence x 3",
           "m: f32[2,3] axis 0 -> d:1, e:1; SplitToSequence x 2", "split: f32[6] axis 0 -> y:3, z:3",
           "whole: f32[2,6] axis 0 -> f:1, g:1")
    work.splitgen("--ops=slice --list --format=json sequences.onnxtxt").holds({"ops 0 lengths": [2, 2, 2, 1],
            "ops 0 nodes 2": "again"})
    work.splitgen("--ops=slice --explain sequences.onnxtxt", out="\n  d [3], 12 bytes\n")


def test_with_other_options_the_producers_and_consumers_of(work):
    """The producers and consumers of a slice group are fused with it; Gathers that remove the axis feed nothing along it."""
    net(work, "fuse.onnxtxt", "(float[2,16] x, float[8] z) => (a, b, c, d, e, f, g, h)",
        "[root] left, right = Split <axis = 1, num_outputs = 2> (x)", "[l1] a = Slice (left, n0, n4, a1)",
        "[l2] inner = Slice (left, n4, n8, a1)", "[deep] b, c = Split <axis = 1, num_outputs = 2> (inner)",
        "[r1] d = Gather <axis = 1> (right, i0)", "[r2] e = Gather <axis = 1> (right, minus)",
        "[of] f, g = Split <axis = 0, num_outputs = 2> (e)", "h = Relu (e)")
    listed(work, "--fuse --ops=all fuse.onnxtxt",
           "root: f32[2,16] axis 1 -> a:4, b:2, c:2, d:1, e:1; fused with 'left', 'deep', 'right'",
           "of: f32[2] axis 0 -> f:1, g:1; not fused with 'right', which feeds it: 'e' is an output of the graph too")
    work.splitgen("--fuse --ops=all --emit=c,h,test -o fuse.c fuse.onnxtxt")
    work.compile("fuse.c fuse_test.c -o t")
    work.run("./t")
    listed(work, "--fuse fuse.onnxtxt", "root: f32[2,16] axis 1 -> left:8, right:8",
           "deep: f32[2,4] axis 1 -> b:2, c:2", "of: f32[2] axis 0 -> f:1, g:1",
           "not listed: groups of Slices, Gathers and SequenceAts (2); --ops=split,slice lists them too")


def test_a_missing_dim_is_one_error_for_slices_as_for_splits(work):
    net(work, "open.onnxtxt", "(float[N,8] x) => (a, b)", "a = Slice (x, n0, n4, a1)", "b = Slice (x, n4, n8, a1)")
    work.splitgen("--ops=slice open.onnxtxt", 1, err=["Slice 'x' needs every dim of 'x' as a number, but it is [N, 8]",
                                                      "-D N=VALUE", "--except x"])
    listed(work, "--ops=slice -D N=2 open.onnxtxt", "x: f32[2,8] axis 1 -> a:4, b:4; Slice x 2")
    work.splitgen("--ops=slice --free N --list open.onnxtxt", out=lists(regex(
            r"x: f32\[N,8\] axis 1 -> a:4, [^\n]*Slice x 2")))
    work.splitgen("open.onnxtxt", 1, err=["the model has no Split nodes",
            "note: --ops=split,slice would generate: groups of Slices, Gathers and SequenceAts (1)"])


def test_in_a_spec(work):
    work.write("spec.lua", """local ops = onnx.load('slices.onnxtxt', { ops = { 'slice' } })
assert(#ops == 1 and ops[1].nodes[2] == 'third')
return ops
""")
    listed(work, "spec.lua", "x: f32[2,8] axis 1 -> a:4, b:2, c:2; Slice x 3")
    work.write("line.lua", "return onnx.load 'slices.onnxtxt'\n")
    listed(work, "--ops=slice line.lua", "x: f32[2,8] axis 1 -> a:4, b:2, c:2; Slice x 3")
    work.write("wrong.lua", "return onnx.load('slices.onnxtxt', { ops = { 'slices' } })\n")
    work.splitgen("wrong.lua", 1, err=regex(
            r"wrong.lua:1:\d+: error: [^\n]*'slices', but it takes 'split', 'slice', 'concat', 'all'; did you mean 'slice'\?"))


def test_unknown_words_of_ops_no_model(work):
    work.splitgen("--ops=slices slices.onnxtxt", 2, err=["'slices'", "did you mean 'slice'"])
    work.splitgen("--ops=slice -e 'f32[4] -> /2'", 2, err="'--ops' is about models, and no input is one")


def test_the_reason_why_nodes_form_no_group_if_none_is_found(work):
    model(work, "apart.onnxtxt", """net (float[8,6] x, float[8,6] y, float[N,6] z, int64 i) => (a, b, c, d, e, f, g, h)
<int64[1] s0 = {0}, int64[1] s4 = {4}, int64[1] s5 = {5}, int64[1] s3 = {3}, int64[1] rows = {0}, int64[1] two = {2},
 int64[2] picks = {0, 2}, int64[2] from = {0, 0}, int64[2] to = {4, 3}>
{
  [one] a = Slice (x, s0, s4, rows)
  [other] b = Slice (x, s3, s5, rows)
  [step] c = Slice (y, s0, s4, rows, two)
  [open] d = Slice (z, s0, s4, rows)
  [run] e = Gather <axis = 1> (y, i)
  [both] f = Gather <axis = 1> (y, picks)
  [lone] g = Gather <axis = 0> (y, s0)
  [box] h = Slice (y, from, to)
}
""")
    work.splitgen("--ops=slice apart.onnxtxt", 1, err=[
            "apart.onnxtxt:8:3: note: Slice 'step' is in no slice group: its step is not 1",
            "Slice 'open' is in no slice group: its bounds, or the length of the axis, are not constant",
            "Gather 'run' is in no slice group: its index is not constant",
            "Gather 'both' is in no slice group: it takes 2 indices",
            "Slice 'box' is in no slice group: it cuts 2 axes",
            "Slice 'one' is in no slice group: it overlaps another one of 'x' along axis 0: 'one' takes 0 to 4 and 'other' 3 to 5",
            "Gather 'lone' is in no slice group: no other Gather cuts 'y' along axis 0, and two or more form a group"])


def test_openvino(work):
    """A number i8 v is byte v of the .bin."""
    layers, edges = "", ""

    def layer(id, type, attributes, dims, *inputs):
        nonlocal layers, edges
        ports = "".join(f'<port id="{port}"/>' for port in range(len(inputs)))
        edges += "".join(f'<edge from-layer="{of}" from-port="9" to-layer="{id}" to-port="{port}"/>' for port,
                         of in enumerate(inputs))
        output = "".join(f"<dim>{dim}</dim>" for dim in dims)
        output = "" if type == "Result" else f'<output><port id="9">{output}</port></output>'
        layers += (
            f'<layer id="{id}" name="n{id}" type="{type}" version="opset8"><data {attributes}/><input>{ports}</input>{output}</layer>\n')

    work.write("cuts.bin", bytes([*range(9), 255]))
    layer(0, "Parameter", 'element_type="u1" shape="2,8"', [2, 8])
    for i in range(9):
        layer(10 + i, "Const", f'element_type="i8" shape="1" offset="{i}" size="1"', [1])
        layer(20 + i, "Const", f'element_type="i8" shape="" offset="{i}" size="1"', [])
    layer(29, "Const", 'element_type="i8" shape="" offset="9" size="1"', [])
    layer(30, "Const", 'element_type="i8" shape="2" offset="3" size="2"', [2])  # 3, 4
    layer(31, "Const", 'element_type="i8" shape="2" offset="7" size="2"', [2])  # 7, 8
    masks = 'begin_mask="0,0" end_mask="0,0" ellipsis_mask="1,0"'
    layer(40, "Slice", "", [2, 4], 0, 10, 14, 11, 11)
    layer(41, "Slice", "", [2, 4], 0, 14, 18, 11, 29)
    layer(42, "StridedSlice", masks, [2, 4], 0, 30, 31)  # ..., 4:8
    layer(43, "StridedSlice", f'{masks} shrink_axis_mask="0,1"', [2], 0, 31, 30)  # ..., 8, which is outside
    layer(44, "StridedSlice", 'begin_mask="0,1" end_mask="0,0" new_axis_mask="1,0"', [1, 2, 8], 0, 30, 31)
    layer(45, "Gather", "", [2], 0, 23, 21)
    layer(46, "Gather", "", [2], 0, 29, 21)
    layer(47, "Gather", 'batch_dims="1"', [2], 0, 30, 21)
    layer(48, "Gather", "", [8], 0, 21, 20)
    masks = 'end_mask="0" shrink_axis_mask="1"'
    layer(49, "StridedSlice", f'begin_mask="1" {masks}', [8], 0, 11, 12)  # 0, whatever its begin is
    layer(50, "StridedSlice", f'begin_mask="0" {masks}', [8], 0, 11, 12)
    for i in range(40, 51):
        layer(20 + i, "Result", "", [], i)
    work.write("cuts.xml", f'<net name="cuts" version="11"><layers>{layers}</layers><edges>{edges}</edges></net>')
    listed(work, "--ops=slice cuts.xml", "n0: u1[2,8] axis 1 -> n40:4, n41:4; Slice x 2", "n0_2: u1[2,8] axis 1 -> n45:1, n46:1; Gather x 2",
           "n0_3: u1[2,8] axis 0 -> n49:1, n50:1; StridedSlice x 2", err=[
               "StridedSlice 'n43' is in no slice group: its index is outside the axis",
               "StridedSlice 'n44' is in no slice group: it adds an axis",
               "StridedSlice 'n42' is in no slice group: no other StridedSlice cuts 'n0' along axis 1",
               "Gather 'n47' is in no slice group: it takes other indices in each batch",
               "Gather 'n48' is in no slice group: no other Gather cuts 'n0' along axis 0"])
    work.splitgen("--ops=slice --dump=split cuts.xml", out="packing msb")  # OpenVINO's u1 has its most significant bit first
