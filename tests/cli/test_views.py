"""--views, marks of views, and the totals of bytes that need a copy and that do not."""
import re

from listing import model
from testing import exactly, expect_text, regex, without, without_match

NET = """<ir_version: 10, opset_import: ["" : 18]>
net (float[1, 3, 4096] x, float[8, 3] y) => (a, b, c, d, e, f)
{
  ["/views"] a, b, c = Split <axis = 1, num_outputs = 3> (x)
  ["/rows"] d, e, f = Split <axis = 1, num_outputs = 3> (y)
}
"""


def test_views(work):
    """Marks of views, and the totals of bytes that need a copy and that do not."""
    work.write("net.onnxtxt", NET)
    work.run("splitgen --list net.onnxtxt | tail -2", out=exactly("""total: 49152 bytes need no copy, 96 bytes do
1 of 2 is worth a kernel; 1 is a view
"""))
    # What memcpy copies as fast needs no kernel either, and a placement copies less than kernels do.
    work.run("splitgen --list -e 'wide: u8[4,9000] @1 -> /2; views: f32[4] -> /2; narrow: u8[9,3] @1 -> /3' | tail -1",
             out=exactly("1 of 3 is worth a kernel; 1 is a view, 1 copies long runs only, which memcpy does as fast\n"))
    model(work, "nested.onnxtxt", """net (float[1, 8, 4] x) => (y)
{
  t = Relu (x)
  a, b = Split <axis = 1, num_outputs = 2> (t)
  c = Relu (b)
  z = Concat <axis = 1> (a, b, c)
  y = Relu (z)
}
""")
    work.run("splitgen --list --ops=all nested.onnxtxt | sed -n '/^total/,/^with/p'", out=exactly("""total: 192 bytes need no copy, 128 bytes do
with --emit=placement: 0 bytes are copied
"""))
    work.splitgen("--list --ops=all --format=json nested.onnxtxt", out='"bytes_placed":0')
    work.splitgen("--list --views=constants net.onnxtxt", out=[regex(r"-> a:1, b:1, c:1 +view\n"), regex(r"-> d:1, e:1, f:1 +strided\n"),
            "total: 49152 bytes need no copy, 96 bytes do"])
    work.splitgen("--list -e 'f32[2,4] @1 -> q:view:1 3 ; u8[b=5?,4] @1 -> /2'", out=["q:1 view, ",
            "total: 8 bytes need no copy, 28 bytes do, of open dimensions one item each"])


def test_a_models_views_are_plain_memcpy(work):
    """Unless instruction sets are requested; a spec's have vector versions."""
    work.write("net.onnxtxt", NET)
    work.splitgen("net.onnxtxt --only=/views", out=[without_match(r"avx2|neon|splitgen_put"), regex(
            r"splitgen_copy.a_?,"), "void views"])
    work.splitgen("net.onnxtxt --only=/views --isa=all", out="avx2")
    work.splitgen("-e 'views: f32[1,3,4096] @1 -> /3'", out="avx2")
    work.splitgen("net.onnxtxt", out="rows_avx2")  # the other node keeps its own version


def test_offsets_only_no_function_but_constants_and_an_entry_in_the_descriptor(work):
    work.write("net.onnxtxt", NET)
    work.splitgen("net.onnxtxt --only=/views --views=constants", out=[without("void "), regex(
            r"CONTIGUOUS, 16384, views_dims.[0-9]., true")])
    work.splitgen("net.onnxtxt --only=/views --views=constants --emit=h", out=[without("void "), regex(
            r"VIEWS_B_BYTE_OFFSET +16384"), regex(r"VIEWS_C_VIEW +SPLITGEN_VIEW_CONTIGUOUS")])
    work.splitgen("net.onnxtxt --views=some", 2)


def test_one_output_by_its_mark_here_view_is_a_mark_everywhere_else_it_is_a_name(work):
    work.splitgen("-e 'view: f32[2,4] @1 -> q:view:1 view:*' --dump=split", out=["split view ",
            "part 0 q start 0 length 1 bytes 8 wanted view_only", "part 1 out1 start 1 length 3 bytes 24 wanted view_only"])
    work.splitgen("-e 'f32[view=3?,4] @1 -> view:view:2 2' --dump=split",
                  out="part 0 view start 0 length 2 bytes 8 wanted view_only")
    work.splitgen("-e 'f32[2,4] @1 -> view x /2' --dump=split", out="part 0 view start 0 length 2 bytes 16 wanted row_stride 2\n")
    work.write("named.lua", """return split { dtype = 'u8', shape = { 4 }, parts = 2, outputs = { 'view', { name = 'x', view = true } } }
""")
    work.splitgen("named.lua --dump=split", out=["part 0 view start 0 length 2 bytes 2 wanted row_stride 2\n",
                                                 "part 1 x start 2 length 2 bytes 2 wanted view_only"])


def test_a_row_for_each_function_of_a_kernel_with_the_requirements_that_its_operator_follows(work):
    work.write("net.onnxtxt", NET)
    work.run("splitgen net.onnxtxt --only /rows --isa=portable --emit=trace | cut -d, -f 1,3-", out=[regex(
            r'^"model","node","operator","domain","tensor","requirements","kernel","function","instruction set","test"\n'),
            regex(
            r'\n"net.onnxtxt","/rows","Split","","y","ONNX: Split 1, 2, 11, 13, 18","rows","rows","portable","net_selftest"\n$')])
    work.run(
        "splitgen -e 'a: u8[999,3] @1 -> /3; b: u8[8] -> 4 4' --isa=avx2 --views=omit --emit=trace | cut -d, -f 7-10",
        out=regex(r'\n"","a","a_avx2","AVX2"\n"","a","a","portable"\n"","b","",""\n$'))


def test_a_tensor_has_one_place(work):
    """A view is counted, and has no code, only if a node writes or reads it there."""
    model(work, "places.onnxtxt", """net (float[1,8] x, float[1,4] input) => (swapped, twice, again, outputs, out, known, nested, tail, behind)
<float[1,4] k = {1, 2, 3, 4}, int64[2] flat = {1, 4}>
{
  ["/split"] a, b = Split <axis = 1, num_outputs = 2> (x)
  ["/swap"] swapped = Concat <axis = 1> (b, a)
  made = Abs (a)
  ["/twice"] twice = Concat <axis = 1> (made, made)
  ["/again"] again = Concat <axis = 1> (made, input)
  out = Abs (b)
  ["/give"] outputs = Concat <axis = 1> (out, k)
  alias = Reshape (made, flat)
  other = Abs (made)
  ["/known"] known = Concat <axis = 1> (alias, other)
  first = Abs (a)
  second = Abs (b)
  ["/inner"] inner = Concat <axis = 1> (first, second)
  ["/nested"] nested = Concat <axis = 1> (inner, other)
  ["/cut"] head, tail = Split <axis = 1, num_outputs = 2> (inner)
  ["/behind"] behind = Concat <axis = 1> (head, other)
}
""")
    work.run("splitgen --ops=all --list places.onnxtxt | sed '/^with/,$d'", out=exactly("""split:  f32[1,8]  axis 1 -> a:4, b:4                    view
swap:   f32[1,8]  axis 1 <- b:4, a:4                    copy; b, a copied: '/split' already makes it a view of 'x'
twice:  f32[1,8]  axis 1 <- made:4 view, made_2:4 copy; made_2 copied: '/twice' already places it in 'twice'
again:  f32[1,8]  axis 1 <- made:4, input:4             copy; made copied: '/twice' already places it in 'twice'; input copied: it is an input of the model, which belongs to the caller
give:   f32[1,8]  axis 1 <- out:4, k:4                  copy; out copied: it is an output of the model, which belongs to the caller; k copied: it is a constant
known:  f32[1,8]  axis 1 <- alias:4 copy, other:4 view; alias copied: '/twice' already places it in 'twice'
inner:  f32[1,8]  axis 1 <- first:4, second:4           view
nested: f32[1,12] axis 1 <- inner:8 view, other:4 copy; other copied: '/known' already places it in 'known'
cut:    f32[1,8]  axis 1 -> head:4, tail:4              view
behind: f32[1,8]  axis 1 <- head:4, other:4             copy; head copied: '/cut' already makes it a view of 'inner'; other copied: '/known' already places it in 'known'
total: 160 bytes need no copy, 176 bytes do
"""))
    # The totals agree with the code: exactly the counted bytes are omitted.
    work.run("splitgen --ops=all --list --views=omit places.onnxtxt | grep ^total", out=exactly(
            "total: 160 bytes need no copy, 176 bytes do\n"))
    code = work.splitgen("--ops=all --views=omit places.onnxtxt", out=["void swap(const float *SPLITGEN_RESTRICT b,",
            "void twice(const float *SPLITGEN_RESTRICT made_2,", "void give(const float *SPLITGEN_RESTRICT out,",
            "static const uint32_t give_k"]).out
    expect_text("the C", code, without_match(r"void (split|inner|cut)\("))  # their parts stay where they are
    older = work.splitgen("--ops=all --views=constants places.onnxtxt").out
    assert re.sub("[^\n]*--views=[^\n]*\n", "", older) == re.sub("[^\n]*--views=[^\n]*\n", "", code)
    work.splitgen("--ops=all --views=omit-outputs --list places.onnxtxt",
                  out="give:   f32[1,8]  axis 1 <- out:4 view, k:4 copy; k copied: it is a constant")
    # --fuse: pieces of another tensor no longer have a producer.
    model(work, "swap.onnxtxt", """net (float[1,8] x) => (swapped)
{
  ["/split"] a, b = Split <axis = 1, num_outputs = 2> (x)
  ["/swap"] swapped = Concat <axis = 1> (b, a)
}
""")
    work.splitgen("--ops=all --views=omit --fuse --list swap.onnxtxt", out=exactly("""swap: f32[1,8] axis 1 <- b:4, a:4  copy; fused with '/split'; b, a copied: it is read directly from 'x'
total: 0 bytes need no copy, 32 bytes do
"""))


def test_rows_in_groups_a_view_has_the_same_offset_in_every_group(work):
    work.splitgen("-e 'a: u8[4/100,8,12] @2 -> x:4 y:8' --emit=h", out=regex(r"A_X_ALIGN +1\n"))
    work.write("aligned.lua", """return split { name = 'a', dtype = 'u8', shape = { 4, 8, 12 }, strides = { 100, 12, 1 }, axis = 2, lengths = { 4, 8 }, align = 64 }
""")
    work.splitgen("aligned.lua --emit=h", out=regex(r"A_OUT0_ALIGN +4\n"))
    work.write("odd.lua", """return split { name = 'a', dtype = 'u8', shape = { 4, 8, 12 }, strides = { 102, 12, 1 }, axis = 2, lengths = { 4, 8 }, align = 64 }
""")
    work.splitgen("odd.lua --emit=h", out=regex(r"A_OUT0_ALIGN +2\n"))


def test_a_placement_decides_itself_which_parts_are_copied(work):
    """In a block whose Split and Concat share a buffer none is, so no kernel has a function. For two images all parts are copied, unless the operators between can write rows with a stride."""
    block = """<ir_version: 10, opset_import: ["" : 18]>
net (float[IMAGES,8,4,4] i) => (o) <int64[2] s = {4,4}> {
  x = Abs (i)
  ["split"] a, b = Split <axis = 1> (x, s)
  c = Abs (b)
  ["join"] y = Concat <axis = 1> (a, b, c)
  o = Abs (y)
}
"""
    work.write("one.onnxtxt", block.replace("IMAGES", "1"))
    work.write("two.onnxtxt", block.replace("IMAGES", "2"))
    work.splitgen("--emit=c,placement -o one.c one.onnxtxt")
    work.expect_file("one.c", without("void "))
    work.expect_file("one_placement.json", ['"bytes_copied": 0,', '"does": "nothing", "kernel": null, "whole": "x"'])
    work.splitgen("--emit=placement -o - two.onnxtxt", out=[regex(r'"bytes_moved": 2560,\n +"bytes_copied": 2560,'),
                                                            '"kernel": "join"'])
    work.splitgen("--emit=placement --strided=Conv,Abs --strided-read=Abs -o - two.onnxtxt", out='"bytes_copied": 0,')
    work.splitgen("--emit=placement --strided=Conv --strided-read=Abs -o - two.onnxtxt", out='"bytes_copied": 2560,')
    work.splitgen("--emit=placement -e 'u8[4] @0 -> 1 3'", 2,
                  err="'--emit=placement' is about models, and no input is one")
    work.splitgen("--emit=placement --fuse one.onnxtxt", 2,
                  err="'--emit=placement' decides for each node of a model which parts are copied; leave out '--fuse'")
    work.splitgen("--strided=Conv one.onnxtxt", 2, err="'--strided' is about '--emit=placement', which is not given")
