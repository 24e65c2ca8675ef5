"""--emit=placement beside other options, of several models, and of what a graph of a model may be in: each works or says
what to do instead."""
import pytest
from listing import model
from testing import exactly, regex

PLACE = "--ops=all --emit=placement"


@pytest.fixture
def work(work):
    for name, dims in ("one", "1,8,4,4"), ("two", "2,8,4,4"), ("open", "N,8,M,4"):
        model(work, f"{name}.onnxtxt", f"""net (float[{dims}] i) => (o) <int64[2] s = {{4,4}}> {{
  x = Abs (i)
  ["{name}_split"] a, b = Split <axis = 1> (x, s)
  c = Abs (b)
  ["{name}_join"] y = Concat <axis = 1> (a, b, c)
  o = Abs (y)
}}
""")
    return work


def test_open_dimensions(work):
    """What depends on them is a sum of products, for every number; the arena is for the expected ones."""
    rows = "--open --strided=Abs --strided-read=Abs"
    work.splitgen(f"{PLACE} {rows} open.onnxtxt", out=['"bytes_copied": 0,', regex(
            r'{"name": "N", "expected": 1},\n +{"name": "M", "expected": 1}\n'),
                                                       '"id": 1, "owner": "arena", "bytes": "192*M*N", "offset": 0',
                                                       regex(
            r'"name": "b", [^\n]*"dims": \["N", 4, "M", 4\], "bytes": "192\*M\*N-128\*M", [^\n]*"byte_offset": "64\*M", "strides": \["192\*M", "16\*M", 16, 4\]}'),
                                                       regex(r'"name": "x", [^\n]*"byte_offset": 0,')])
    work.splitgen(f"{PLACE} --open=N=3 -D M=2 --strided=Abs --strided-read=Abs open.onnxtxt", out=['"arena": 1152,',
            '"bytes": "384*N", "offset": 0', '"byte_offset": 128, "strides": [384, 32, 16, 4]'])
    work.splitgen(f"{PLACE} --open=N=1 -D M=2 open.onnxtxt",
                  out='"bytes_copied": 640,')  # one image needs no copy, but others do


def test_what_stays_where_it_is_for_the_expected(work):
    """What stays where it is for the expected numbers alone is copied: a Reshape, and a part that has a name of its own."""
    model(work, "alike.onnxtxt", """net (float[N,4] i, float[M,4] j) => (o, p) <int64[1] s = {8}> { x = Abs (i)
 z = Abs (j)
 ["join"] y = Concat <axis = 1> (x, z)
 o = Abs (y)
 k = Reshape (x, s)
 p = Abs (k) }
""")
    work.splitgen(f"{PLACE} --open=N=2 --open=M=2 --strided=Abs --strided-read=Abs alike.onnxtxt", out=[regex(
            r'"node": "join", [^\n]*"copies": \["x"\]}'), regex(r'"node": "k", [^\n]*"copies": \["k"\]}')])


def test_several_models(work):
    """Shards, and options about code; --views=omit says what a placement says anyway."""
    work.splitgen(f"{PLACE} one.onnxtxt two.onnxtxt", out=regex(
            r'"model": "one.onnxtxt".*"bytes_copied": 0,.*"model": "two.onnxtxt".*"bytes_copied": 2560,'))
    work.run("splitgen --ops=all --emit=c,placement --shards=2 -o k.c one.onnxtxt two.onnxtxt; ls k*", out=exactly("""k_1.c
k_2.c
k_placement.json
"""))
    work.splitgen(f"{PLACE} one.onnxtxt > plain.json")
    for option in ["--views=omit", "--isa=avx2 --optimize=size --non-temporal=always", "--only=*one*"]:
        work.run(f"splitgen {PLACE} {option} one.onnxtxt | cmp - plain.json")
    work.run(f"splitgen {PLACE} -o p.json --depfile d one.onnxtxt; cat d; splitgen {PLACE} --check p.json one.onnxtxt",
             out=exactly("p.json: \\\n  one.onnxtxt\n"))
    work.run(f"echo >> p.json; splitgen {PLACE} --check p.json one.onnxtxt", 4)


def test_a_node_that_is_left_out(work):
    """Or waits for a size, is one of those that read and write dense tensors."""
    work.splitgen(f"{PLACE} --except=one_join one.onnxtxt", out=regex(r'"bytes_moved": 512,\n +"bytes_copied": 0,'))
    work.splitgen(f"{PLACE} --skip-unresolved one.onnxtxt open.onnxtxt", out='"bytes_moved": 0,',
                  err="warning: Split 'open_split' is left out")


def test_what_says_otherwise_and_models_within_a_spec(work):
    for views in ["copy", "omit-outputs"]:
        work.splitgen(f"{PLACE} --views={views} one.onnxtxt", 2,
                      err="which parts are copied; leave out '--views', or say '--views=omit'")
    work.splitgen(f"{PLACE} --fuse one.onnxtxt", 2, err="which parts are copied; leave out '--fuse'\n")
    work.write("net.lua", "return onnx.load('one.onnxtxt', { ops = { 'all' } })\n")
    work.splitgen("--emit=placement net.lua", 2, err="no input is one; give the model that the spec loads as an input")


def test_tensors_whose_size_is_no_sum_of_open(work):
    """Tensors whose size is no sum of open dimensions have no place: a warning names them, and their parts are copied."""
    model(work, "conv.onnxtxt", """g (float[1,4,H,W] x) => (y) <float[4] s = {1,1,0.3,0.3}> { c = Resize (x, , s)
 a, b = Split <axis = 1, num_outputs = 2> (c)
 d = Relu (b)
 k = Concat <axis = 1> (a, d)
 y = Sigmoid (k) }
""")
    work.splitgen("--open=H=32 --open=W=32 --emit=c,h,placement,placement-header,placement-svg -o n.c conv.onnxtxt",
                  err=[regex(
            r"conv.onnxtxt:2:\d+: warning: 'c', 'a', 'b', 'd', 'k', 'y' have no place in the plan, because their size is neither"),
                       "note: numbers for the dims that they are made from give them a place"])
    work.run(
        "cat n_placement.json; grep -c '^void [ak](' n.c; grep -c ' [ak](' n.h; grep 'unknown size' n_placement.h n_placement.svg",
        out=[regex(r'"bytes_copied": 0,\n +"uncounted": 4,'), regex(
            r'"node": "a", [^\n]*"does": "kernel", "kernel": "a", [^\n]*"copies": \["a", "b"\]}'), regex(
            r'"node": "k", [^\n]*"does": "kernel", [^\n]*"copies": \["a", "d"\]}'), "\n2\n2\n", regex(
            r"n_placement.h:[^\n]*unknown size"), regex(r"n_placement.svg:[^\n]*4 parts of unknown size")])
    work.splitgen("--open=H=32 --open=W=32 --ops=all --list conv.onnxtxt",
                  out="with --emit=placement: 0 bytes are copied, and 4 parts of unknown size\n")
    work.splitgen("--open=H=32 --open=W=32 --ops=all --list --format=json conv.onnxtxt",
                  out='"bytes_placed":0,"parts_uncounted":4')
    work.splitgen(f"{PLACE} -Werror --open=H=32 --open=W=32 conv.onnxtxt", 1)
    work.splitgen(f"{PLACE} -D H=32 -D W=32 conv.onnxtxt", out='"bytes_moved": 2592,')


def test_sizes_that_follow_from_open_ones(work):
    """A size that follows from open ones in a way that is no sum is a parameter: one for all that follow in the same way."""
    model(work, "conv.onnxtxt", """g (float[1,3,H,W] x, float[4,3,3,3] w) => (y) { c = Conv <pads = [1,1,1,1], strides = [2,2]> (x, w)
 a, b = Split <axis = 1, num_outputs = 2> (c)
 m = MaxPool <kernel_shape = [1,1], strides = [2,2]> (x)
 k = Concat <axis = 1> (b, m)
 y = Sigmoid (k) }
""")
    work.splitgen("--open=H=31 --open=W=9 --emit=c,h,placement -o n.c conv.onnxtxt")
    work.run("cat n_placement.json", out=[
        '{"name": "H__1", "expected": 16, "tensor": "c", "dim": 2}', '"name": "m", "dtype": "f32", "shape": [1, 3, 16, 5], '
        '"dims": [1, 3, "H__1", "W__1"]', regex(r'"name": "b", [^\n]*"byte_offset": "8\*H__1\*W__1"')])
    work.run("grep -c H__ n.c n.h", 1, out="n.c:0\nn.h:0\n")


def test_slices_and_their_like_that_no_kernel_copies(work):
    """They lie within their input, or whoever runs the graph copies them, which counts."""
    model(work, "lone.onnxtxt", """g (float[4,6,N] x) => (o, p) <int64[1] s = {1}, int64[1] e = {3}, int64[1] z = {0}> { r = Relu (x)
 a = Slice (r, s, e, z)
 o = Abs (a)
 b = Slice (r, s, e, s)
 p = Abs (b) }
""")
    work.splitgen(f"{PLACE} --open=N=8 lone.onnxtxt", out=[
        regex(r'"bytes_moved": 640,\n +"bytes_copied": 256,'), regex(
            r'"node": "a", [^\n]*"does": "nothing"'), regex(r'"name": "a", [^\n]*"byte_offset": "24\*N"'), regex(
            r'"node": "b", "op_type": "Slice", "does": "copy", "kernel": null, "whole": "r", "parts": \["b"\], "copies": \["b"\]')])
    work.splitgen(f"{PLACE} --open=N=8 --strided-read=Abs lone.onnxtxt", out='"bytes_copied": 0,')


def test_empty_tensors_beside_open_dimensions_as_in_the_first_step_of_decoding_with_a_cache(work):
    model(work, "cache.onnxtxt", """g (float[N,2,P,4] past, float[N,2,1,4] t) => (present) { k = Relu (t)
 present = Concat <axis = 2> (past, k) }
""")
    work.splitgen(f"{PLACE} -D P=0 --open=N=1 cache.onnxtxt", out=['"bytes_copied": 0,', regex(
            r'"name": "past", [^\n]*"bytes": 0,')])
    work.splitgen("-D P=0 --open=N=1 --list --ops=all cache.onnxtxt")


def test_what_nothing_gives_and_more_bytes_than_64_bits_can_count(work):
    model(work, "order.onnxtxt", "g (float[4] x) => (y) { y = Abs (b)\n b = Relu (x) }\n")
    work.splitgen(f"{PLACE} order.onnxtxt", 1, err=regex(
            r"order.onnxtxt:2:\d+: error: Abs 'y' cannot run: nothing gives 'b' before it is read"))
    model(work, "no_output.onnxtxt", "g (float[4] x) => (z) { y = Concat <axis = 0> (x, x) }\n")
    work.splitgen(f"{PLACE} no_output.onnxtxt", 1, err=regex(
            r"no_output.onnxtxt:2:\d+: error: the graph has no output 'z': nothing gives 'z' before it is read"))
    nodes = "".join(f" a{i}, b{i} = Split <axis = 1, num_outputs = 2> (x)\n c{i} = Abs (a{i})\n" for i in range(33))
    outputs = ", ".join(f"c{i}, b{i}" for i in range(33))
    model(work, "large.onnxtxt", f"g (float[72057594037927936,2] x) => ({outputs}) {{\n{nodes}}}\n")
    for options in PLACE, "--ops=all --list":
        work.splitgen(f"{options} large.onnxtxt", 1, err=regex(
                r"large.onnxtxt:2:\d+: error: the tensors of this graph have 2\^63 bytes or more together, [^\n]*; give smaller dims\n"))


def test_bodies_of_control_flow_and_of_functions(work):
    """Bodies of control flow and of functions are graphs of their own; OpenVINO's models too have a placement."""
    cut = """a, b = Split <axis = 0> (x, s)
 c = Abs (b)
 y = Concat <axis = 0> (a, c)"""
    model(work, "loop.onnxtxt", f"""net (int64 n, bool t, float[8] i) => (o) <int64[2] s = {{4,4}}> {{
  ["turn"] o = Loop (n, t, i) <body = g (int64 k, bool u, float[8] x) => (bool v, float[8] y) {{ v = Identity (u)
 {cut} }}>
}}
""")
    work.splitgen(f"{PLACE} loop.onnxtxt", out=['"path": ["turn"],\n', regex(
            r'"bytes_moved": 65,\n +"bytes_copied": 17,')])  # u, and the part of an input
    work.write("call.onnxtxt", f"""<ir_version: 10, opset_import: ["" : 18, "own" : 1]>
net (float[8] i) => (o) {{ x = Abs (i)
 ["call"] o = own.f (x) }}
<domain: "own", opset_import: ["" : 18]> f (x) => (y) {{ s = Constant <value_ints = [4, 4]> ()
 {cut} }}
""")
    work.splitgen(f"{PLACE} call.onnxtxt", out=['"path": ["call"],\n', regex(
            r'"bytes_moved": 64,\n +"bytes_copied": 16,')])
    work.splitgen(f"{PLACE} \"$SOURCE\"/tests/exec/cases/fused_packed.xml", out=['"model": "fused_packed.xml",', regex(
            r'"bytes_moved": 50,\n +"bytes_copied": 50,')])  # packed elements share no buffer


def test_operators_in_place(work):
    """They overwrite an input that nothing reads later, and JSON, header and picture say which."""
    model(work, "chain.onnxtxt", """net (float[8,8] i) => (o, p) { a = Exp (i)
 b = Relu (a)
 c = Add (b, i)
 d = Mul (c, c)
 e = Sigmoid (d)
 p = Exp (e)
 o = Sub (d, e) }
""")
    work.splitgen(f"{PLACE} chain.onnxtxt", out='"arena": 512,')
    work.splitgen("--in-place=Relu,Mul,Add --emit=placement,placement-header,placement-svg -o n.c chain.onnxtxt")
    work.run("cat n_placement.json n_placement.h n_placement.svg", out=['"arena": 512,', regex(
            r'"name": "d", [^\n]*"byte_offset": 0, "over": "c",'), "/* b: f32[8, 8], in the arena, over a */", "<title>b: f32[8, 8], 256 bytes, over a from"])


def test_alignment_of_the_arena(work):
    model(work, "small.onnxtxt", """net (float[3] i, double[1] k) => (o, l) { a = Abs (i)
 b = Neg (a)
 o = Add (a, b)
 c = Abs (k)
 l = Neg (c) }
""")
    for option, says in [("", '"arena": 76,\n      "alignment": 64,'), ("--arena-alignment=4", '"arena": 24,\n      "alignment": 8,'),
                         ("--arena-alignment=16", '"arena": 28,\n      "alignment": 16,'), ("--arena-alignment=4096", '"alignment": 4096,')]:
        work.splitgen(f"{PLACE} {option} small.onnxtxt", out=says)
    for wrong in "2", "12", "8192":
        work.splitgen(f"{PLACE} --arena-alignment={wrong} small.onnxtxt", 2, err=f"takes a power of two from 4 to 4096, not {wrong}\n")
    work.splitgen("--arena-alignment=16 --ops=all small.onnxtxt", 2, err="'--arena-alignment' is about '--emit=placement', which is not given")


def test_names_of_operators(work):
    """A list warns about operators that no node has; a name with a domain means the operator of that domain."""
    work.write("gelu.onnxtxt", """<ir_version: 10, opset_import: ["" : 20, "com.microsoft" : 1]>
net (float[8,8] i) => (o) { a = Abs (i)
 b = com.microsoft.Gelu (a)
 c = Gelu (b)
 o = Neg (c) }
""")
    for names, over in [("Gelu", "a b"), ("com.microsoft.Gelu", "a"), ("ai.onnx.Gelu", "b")]:
        work.run(f"splitgen {PLACE} -Werror --in-place={names} gelu.onnxtxt > p; sed -n 's/.*\"over\": \"//; s/\", \"strides.*//p' p | xargs",
                 out=exactly(over + "\n"))
    for option in "strided", "strided-read", "in-place":
        work.splitgen(f"{PLACE} --{option}=Abs,com.microsof.Gelu gelu.onnxtxt", err=[
            f"warning: '--{option}': no node has the operator 'com.microsof.Gelu'; did you mean 'com.microsoft.Gelu'?", "      ^~~~~~~~~~~~~~~~~\n"])
    work.splitgen(f"{PLACE} --in-place=ai.onnx.Neg,ai.onnx.ml.Abs gelu.onnxtxt", err="no node has the operator 'ai.onnx.ml.Abs'")


def test_paths_of_branches_and_reasons_without_a_place(work):
    model(work, "if.onnxtxt", """net (bool c, float[4] i) => (o) { o = If (c) <then_branch = t () => (float[4] u) { u = Abs (i) },
 else_branch = e () => (float[4] v) { v = Neg (i) }> }
""")
    work.splitgen(f"{PLACE} if.onnxtxt", out=['"path": ["If/then"],', '"path": ["If/else"],'])
    work.write("why.onnxtxt", """<ir_version: 10, opset_import: ["" : 20, "own" : 1]>
net (float[4] i, int64[n] s) => (o, p) { a = own.Odd (i)
 o = Abs (a)
 b = Reshape (i, s)
 p = Abs (b) }
""")
    work.splitgen(f"{PLACE} --open why.onnxtxt", err=["because their element type is not known; what", "because their number of dims is not known; what"])
