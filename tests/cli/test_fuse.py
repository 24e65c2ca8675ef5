"""--fuse: Splits that feed each other become one kernel if nothing else needs the tensor between them. The output says
which did, and why others did not."""
import pytest
from listing import listed, lists, model
from testing import expect_text, regex


@pytest.fixture
def work(work):
    model(work, "chain.onnxtxt", """net (float[2,12,3] x) => (float[2,4,3] a, float[2,3,3] b, c, d)
<int64[2] lengths = {4, 8}, int64[3] more = {3, 3, 2}>
{
  [first] a, mid = Split <axis = 1> (x, lengths)
  [second] b, c, last = Split <axis = -2> (mid, more)
  [third] d, "" = Split <axis = 1, num_outputs = 2> (last)
}
""")
    return work


def test_a_chain_of_three_with_one_negative_axis_and_an_unwanted_output(work):
    listed(work, "--fuse chain.onnxtxt",
           "first: f32[2,12,3] axis 1 -> a:4, b:3, c:3, d:1; fused with 'second', 'third'", err="")
    work.splitgen("--list chain.onnxtxt", out=lists("first: ", "second: ", "third: "))
    work.splitgen("--fuse --explain chain.onnxtxt", out=[
            "\n  fused: Split 'second' along axis 1 of 'mid', which is never made: 192 bytes less to write, and to read again\n  fused: Split 'third' along axis 1 of 'last', which is never made: 48 bytes ",
            regex(r"\n--fuse: 3 Splits are 1 kernel, which saves 480 bytes written and read\n$")])
    work.splitgen("--fuse --dump=op,split chain.onnxtxt", out=["first", "second", "third"])


def test_concats_read_directly_from_a_splits_input(work):
    """Concats read directly from a Split's input instead of from parts that only they read: swapped halves, a block with one half processed, the full tensor beside its ends, and a constant. Splits that are no longer needed are removed."""
    model(work, "concats.onnxtxt", """net (float[1,8,5] x) => (swapped, block, padded, begun)
<float[1,1,5] token = {1, 2, 3, 4, 5}>
{
  [halves] a, b = Split <axis = 1, num_outputs = 2> (x)
  [swap] swapped = Concat <axis = 1> (b, a)
  y = Relu (x)
  [fork] kept, worked = Split <axis = 1, num_outputs = 2> (y)
  more = Relu (worked)
  [block] block = Concat <axis = 1> (kept, worked, more)
  z = Relu (y)
  [ends] first, "", last = Split <axis = 2, num_outputs = 3> (z)
  [pad] padded = Concat <axis = 2> (last, z, first)
  [begin] begun = Concat <axis = 1> (token, z)
}
""")
    listed(work, "--ops=all --fuse concats.onnxtxt", "swap: f32[1,8,5] axis 1 <- b:4, a:4; fused with 'halves'",
           "fork_: f32[1,8,5] axis 1 -> worked:4",
        "block: f32[1,12,5] axis 1 <- kept:4, worked:4, more:4; fused with 'fork'; not fused with 'fork_', which feeds it: 'worked' is read 2 times",
        "pad: f32[1,8,8] axis 2 <- last:1, z_2:5, first:2; fused with 'ends'",
        "begin: f32[1,9,5] axis 1 <- token:1, z:8", err="")
    work.splitgen("--ops=all --fuse concats.onnxtxt", out=[
            "void swap(const float *SPLITGEN_RESTRICT x, float *SPLITGEN_RESTRICT data);", regex(
            r"void block\(const float \*SPLITGEN_RESTRICT y, const float \*SPLITGEN_RESTRICT worked,\n +const float \*SPLITGEN_RESTRICT more, float \*SPLITGEN_RESTRICT data\);"),
            "static const uint32_t begin_token[] = {\n    0x3f800000U, 0x40000000U, ",
            "void begin(const float *SPLITGEN_RESTRICT z, float *SPLITGEN_RESTRICT data);"])


def test_loaded_by_a_spec_and_renamed_a_split_that_the_spec_excludes_is_not_fused(work):
    work.write("chain.lua", """local ops = onnx.load("chain.onnxtxt")
ops[1].name = "whole"
return ops
""")
    listed(work, "--fuse chain.lua", "whole: f32[2,12,3] axis 1 -> a:4, b:3, c:3, d:1; fused with 'second', 'third'",
           err="")
    work.write("part.lua", 'local ops = onnx.load "chain.onnxtxt" return { ops[1], ops[3] }')
    work.splitgen("--fuse --list part.lua", out=lists("first: ", "third: "))


def test_json(work):
    work.splitgen("--fuse --list --format=json chain.onnxtxt").holds({
        "ops 0 fused 0 node": "second", "ops 0 fused 1 op_type": "Split", "ops 0 fused 1 tensor": "last", "ops 0 fused 0 bytes": 192,
        "ops 0 tensors outputs 2": "c", "summary splits": 3, "summary kernels": 1, "summary bytes_saved_by_fusing": 480})
    done = work.splitgen("--fuse --emit=json chain.onnxtxt").holds({
        "kernels 0 node": "first", "kernels 0 fused 1 node": "third", "kernels 0 fused 1 domain": "", "kernels 0 fused 0 tensor": "mid",
        "kernels 0 fused 0 axis": 1, "kernels 0 fused 1 bytes": 48, "kernels 0 outputs 3 tensor": "d"})
    assert len(done.json["kernels"]) == 1


def test_comments(work):
    c = work.splitgen("--fuse chain.onnxtxt").out.replace("\n * ", " ")
    expect_text("the banner", c, [
            "Fused with Split 'second' of 'mid' (192 bytes, never made), Split 'third' of 'last' (48 bytes, never made).",
            regex(
            r"void first\(const float \*SPLITGEN_RESTRICT data, float \*SPLITGEN_RESTRICT a,\n +float \*SPLITGEN_RESTRICT b,")])


def test_only_selected_nodes_are_fused_without_the_second_nothing_feeds_the_third(work):
    work.splitgen("--fuse --list --except second chain.onnxtxt", out=lists(regex(r"first: [^\n]*mid:8"),
            "third: f32[2,2,3]"))
    work.splitgen("--fuse --list --only 'seco*' --only third chain.onnxtxt", out=lists(regex(
            r"second: [^\n]*fused with 'third'")))


def test_a_tree(work):
    """In the order of the parts, regardless of the order of nodes; an unrelated Split between them."""
    model(work, "tree.onnxtxt", """net (float[12] x, float[4] z) => (a, b, c, d, e, f, y)
{
  [root] left, y, right = Split <axis = 0, num_outputs = 3> (x)
  [other] e, f = Split <axis = 0, num_outputs = 2> (z)
  [r] c, d = Split <axis = 0, num_outputs = 2> (right)
  [l] a, b = Split <axis = -1, num_outputs = 2> (left)
}
""")
    listed(work, "--fuse tree.onnxtxt", "root: f32[12] axis 0 -> a:2, b:2, y:4, c:2, d:2; fused with 'r', 'l'",
           "other: f32[4] axis 0 -> e:2, f:2", err="")
    work.splitgen("--fuse --explain tree.onnxtxt", out=regex(
            r"\n--fuse: 4 Splits are 2 kernels, which saves 64 bytes written and read\n$"))


def test_reasons_against_fusing(work):
    """Another axis, an output of the graph, other readers (in a branch too), the same tensor as data and as lengths, a shape from the user."""
    model(work, "apart.onnxtxt", """net (float[4,12] x, int64[4] n, bool choice) => (a, b, c, d, e, f, g, h, out, r, p, q, s)
{
  [root] across, out, read, inside = Split <axis = 1, num_outputs = 4> (x)
  [by_row] a, b = Split <axis = 0, num_outputs = 2> (across)
  [of_output] c, d = Split <axis = 1, num_outputs = 2> (out)
  r = Relu (read)
  [of_read] e, f = Split <axis = 1, num_outputs = 2> (read)
  [of_inside] g, h = Split <axis = 1, num_outputs = 2> (inside)
  s = If (choice) < then_branch = yes () => (t) { t = Relu (inside) },
                    else_branch = no () => (u) { u = Relu (x) }>
  [sizes] l, m = Split <axis = 0, num_outputs = 2> (n)
  [of_sizes] p, q = Split <axis = 0> (l, l)
}
""")
    fed = "not fused with 'root', which feeds it: "
    work.splitgen("--fuse --list --value l=1,1 apart.onnxtxt", out=[
        regex(rf"\nby_row: [^\n]*; {fed}it cuts axis 1, and this one axis 0\n"),
        regex(rf"\nof_output: [^\n]*; {fed}'out' is an output of the graph too\n"),
        regex(rf"\nof_read: [^\n]*; {fed}'read' is read 2 times\n"), regex(
            rf"\nof_inside: [^\n]*; {fed}'inside' is read 2 times\n"),
        regex(r"\nof_sizes: [^\n]*; not fused with 'sizes', which feeds it: 'l' is read 2 times\n")])
    work.splitgen("--fuse --explain --value l=1,1 apart.onnxtxt", out=[regex(
            rf"\nby_row: [^\n]*\n  {fed}it cuts axis 1, and this one axis 0\n"), regex(
            r"\n--fuse: no Split is there only to feed another along its axis. nothing is fused\n$")])
    work.splitgen("--fuse --list --format=json --value l=1,1 apart.onnxtxt").holds({
            "ops 1 not_fused": f"{fed}it cuts axis 1, and this one axis 0"})
    work.splitgen("--fuse --list --shape mid=2,6,3 --value more=2,2,2 chain.onnxtxt", out=regex(
            r"\nsecond: [^\n]*'first', which feeds it: 'mid' is given another shape or type than it comes out with\n"))


def test_a_name_that_two_nodes_define_identifies_neither_tensor_and_makes_the_model_invalid(work):
    model(work, "twice.onnxtxt", """net (float[8] x) => (b, c, d, e)
{
  [first] mid, a = Split <axis = 0, num_outputs = 2> (x)
  [again] mid, d = Split <axis = 0, num_outputs = 2> (x)
  [last] b, c = Split <axis = 0, num_outputs = 2> (mid)
}
""")
    work.splitgen("--fuse --list twice.onnxtxt", 1,
                  err="5:11: error: Split 'again' makes 'mid', which there is already: call its output something else")


def test_in_a_branch(work):
    """Tensors that a body makes and yields, and tensors from outside, are not fused across its border."""
    model(work, "branch.onnxtxt", """net (bool choice, float[2,8] x) => (y, z)
{
  [outer] o, z = Split <axis = 1, num_outputs = 2> (x)
  [choose] y = If (choice) <
    then_branch = yes () => (d) {
      [one] m, n = Split <axis = 1, num_outputs = 2> (x)
      [two] d, "" = Split <axis = 1, num_outputs = 2> (m)
    },
    else_branch = no () => (d) {
      [three] d, e = Split <axis = 1, num_outputs = 2> (o)
      [four] f = Split <axis = 1, num_outputs = 1> (d)
    }>
}
""")
    listed(work, "--fuse branch.onnxtxt", "outer: f32[2,8] axis 1 -> o:4, z:4",
           "one: f32[2,8] axis 1 -> d:2, n:4; fused with 'two'", "three: f32[2,4] axis 1 -> d:2, e:2",
           "four: f32[2,2] axis 1 -> f:2; not fused with 'three', which feeds it: 'd' is an output of the graph too",
           err="")


def test_a_function_called_twice_gives_two_kernels_its_results_have_to_be_made(work):
    work.write("function.onnxtxt", """<ir_version: 10, opset_import: ["" : 18, "my" : 1]>
net (float[6] x, float[12] z) => (a, b, c, d)
{
  [call] a, b = my.cut (x)
  [again] c, d = my.cut (z)
}
<domain: "my", opset_import: ["" : 18]>
cut (v) => (p, yielded)
{
  [f] mid, yielded = Split <axis = 0, num_outputs = 2> (v)
  [g] p, q, r = Split <axis = 0, num_outputs = 3> (mid)
  [h] s = Split <axis = 0, num_outputs = 1> (yielded)
}
""")
    listed(work, "--fuse function.onnxtxt", "f: f32[6] axis 0 -> p:1, q:1, r:1, yielded:3; fused with 'g'",
           "h: f32[3] axis 0 -> s:3; not fused with 'f', which feeds it: 'yielded' is an output of the function too",
           "f_2: f32[12] axis 0 -> p:2, q:2, r:2, yielded:6; fused with 'g'",
        "h_2: f32[6] axis 0 -> s:6; not fused with 'f_2', which feeds it: 'yielded' is an output of the function too",
        err="")


def test_more_outputs_than_parameters_an_array_of_pointers_as_always(work):
    left, right = (", ".join(f"{side}{i}" for i in range(20)) for side in "lr")
    model(work, "many.onnxtxt", f"""net (float[2,40] x) => ({left}, {right})
{{
  [root] a, b = Split <axis = 1, num_outputs = 2> (x)
  {left} = Split <axis = 1, num_outputs = 20> (a)
  {right} = Split <axis = 1, num_outputs = 20> (b)
}}
""")
    work.splitgen("--fuse --emit=h many.onnxtxt",
                  out="void root(const float *SPLITGEN_RESTRICT data, float *const outputs[])")
    work.splitgen("--fuse --list many.onnxtxt", out=lists(regex(
            r"root: [^\n]*l0:1, [^\n]*r19:1 [^\n]*. fused with 'l0', 'r0'")))


def test_openvino(work):
    """Edges between ports connect the nodes."""
    def layer(id, name, type, data, inputs, *dims):
        ports = "".join(f'<port id="{port}"/>' for port in range(inputs))
        outputs = "".join(f'<port id="{inputs + i}" precision="FP32"><dim>{rows}</dim><dim>{columns}</dim></port>'
                          for i, (rows, columns) in enumerate(dims))
        return (f'<layer id="{id}" name="{name}" type="{type}" version="opset1"><data {data}/>'
                f"{f'<input>{ports}</input>' if inputs else ''}<output>{outputs}</output></layer>\n")

    layers = (layer(0, "x", "Parameter", 'shape="2,8" element_type="f32"', 0, (2, 8)) +
              '<layer id="1" name="axis" type="Const" version="opset1"><data element_type="i64" shape="" offset="0" size="8"/>'
              '<output><port id="0" precision="I64"/></output></layer>\n' +
              layer(2, "whole", "Split", 'num_splits="2"', 2, *[(2, 4)] * 2) + layer(3, "half", "Split",
                  'num_splits="4"', 2, *[(2, 1)] * 4) +
              layer(4, "kept", "Split", 'num_splits="2"', 2, *[(2, 2)] * 2) +
              '<layer id="5" name="r" type="Result" version="opset1"><input><port id="0"/></input></layer>')
    edges = "".join(f'<edge from-layer="{a}" from-port="{b}" to-layer="{c}" to-port="{d}"/>' for a, b, c, d in (
        "0020", "1021", "2230", "1031", "2340", "1041", "2350"))
    work.write("ir.xml",
        f'<?xml version="1.0"?>\n<net name="n" version="11"><layers>\n{layers}</layers><edges>{edges}</edges></net>\n')
    work.write("ir.bin", bytes([1, 0, 0, 0, 0, 0, 0, 0]))
    work.splitgen("--fuse --list ir.xml", out=lists(
        regex(r"whole: f32\[2,8\] axis 1 -> [^\n]*:1, [^\n]*:1, [^\n]*:1, [^\n]*:1, [^\n]*:4 [^\n]*; fused with 'half'"),
        regex(r"kept: [^\n]*; not fused with 'whole', which feeds it: [^\n]* is an output of the graph too")))


def test_nothing_to_fuse_is_no_error_but_a_model_is_required(work):
    work.splitgen("--fuse -e 'a: f32[2] -> 1 1' --list", 2, out="", err=regex(
            r"^<command line>:1:10: error: '--fuse' is about models, and no input is one\n"))
    model(work, "one.onnxtxt", "net (float[4] x) => (a, b) { a, b = Split <axis = 0, num_outputs = 2> (x) }\n")
    work.splitgen("--fuse --explain one.onnxtxt", out=regex(
            r"\n--fuse: no Split is there only to feed another along its axis. nothing is fused\n$"))
    assert work.splitgen("--fuse one.onnxtxt").out.replace("splitgen --fuse", "splitgen") == work.splitgen(
        "one.onnxtxt").out


def test_open_dimensions(work):
    """Several rows are not one row, and the start of a part may depend on the number."""
    model(work, "rows.onnxtxt", """net (float[N,12] x, float[N,1] y) => (s3, j) <int64[3] c = {3, 1, 8}>
{
  s1, s2, s3 = Split <axis = 1> (x, c)
  j = Concat <axis = 1> (s1, s2, y)
}
""")
    work.splitgen("--ops=all --fuse --open --emit=json rows.onnxtxt").holds({
            "kernels 1 inputs 0 tensor_row_stride": 12})
    model(work, "places.onnxtxt", """net (float[2,N,1] x, float[1,N,1] y) => (a, j, k)
{
  a, b = Split <axis = 0, num_outputs = 2> (x)
  j = Concat <axis = 2> (b, y)
  p, q = Split <axis = 0, num_outputs = 2> (x)
  k = Concat <axis = 2> (p, y)
}
""")
    listed(work, "--fuse --ops=all --open places.onnxtxt", "a: f32[2,N,1] axis 0 -> a:1, b:1",
        "j: f32[1,N,2] axis 2 <- b:1, y:1; not fused with 'a', which feeds it: where it begins, or how long its rows are, is known only when it runs",
        "p: f32[2,N,1] axis 0 -> q:1", "k: f32[1,N,2] axis 2 <- p:1, y:1; fused with 'p'", err="")


def test_concats_of_concats(work):
    model(work, "nested.onnxtxt", """net (float[4,2] x, float[4,3] y) => (z, kept, w)
{
  a = Concat <axis = 1> (x, y)
  b = Concat <axis = 1> (a, x)
  z = Concat <axis = 1> (y, b, b)
  kept = Concat <axis = 1> (x, x)
  w = Concat <axis = 1> (kept, y)
}
""")
    listed(work, "--fuse --ops=all nested.onnxtxt",
           "z: f32[4,17] axis 1 <- y:3, x:2, y_2:3, x_2:2, x_3:2, y_3:3, x_4:2; fused with 'a', 'b'",
           "kept: f32[4,4] axis 1 <- x:2, x_2:2",
        "w: f32[4,7] axis 1 <- kept:4, y:3; not fused with 'kept', which feeds it: 'kept' is an output of the graph too",
        err="")
