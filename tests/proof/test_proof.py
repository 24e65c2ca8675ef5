"""The commands in the files of --emit=proof and --emit=test prove and test right kernels, and fail on wrong ones."""
import re
import shutil

import pytest
from kernels import INCLUDE, WARNINGS, has_avx2, library, prefix, selftest_memory, spoil
from testing import SOURCE, expect_text, given, needs, regex, share, without_match

ALL = given.get("all")
DTYPES = re.findall(r'^SPLITGEN_DTYPE\([^"]*"([^"]+)"', (SOURCE / "include/splitgen/dtypes.inc").read_text(), re.M)
SAFE = [regex("\n  0 alarms generated"), regex("Preconditions +[1-9][0-9]* valid +0 unknown +0 invalid"),
        regex("\n  100% of the logical properties reached have been proven")]
RIGHT = "Assertions +[1-9][0-9]* valid +0 unknown +0 invalid"
SAFE_AND_RIGHT = f"\n  0 alarms generated.*{RIGHT}"


def typed_ops():
    """Every type by rows, by columns and with an unwanted part; or one of these, alternating."""
    forms = ("{0}_columns: {0}[6,8] @1 -> 2 5 1", "{0}_rows: {0}[8,8] @0 -> 4 4", "{0}_odd: {0}[3,2,7] @2 -> 3 _:1 3")
    alternating = (0, 2, 1)
    return [form.format(dtype) for i, dtype in enumerate(DTYPES)
            for form in (forms if ALL else [forms[alternating[i % 3]]])]


def make(work, stem, *arguments, ops=()):
    work.splitgen([*arguments, *(word for op in ops for word in ("-e", op)), "--emit=c,h,proof,test", "-o",
                   f"{stem}.c"])


def prove(work, stem, number):
    """Runs a command as printed, in a folder with splitgen's include/; returns the report."""
    needs("frama-c")
    if not (work / "include").exists():
        (work / "include").symlink_to(SOURCE / "include")
    commands = re.findall(r"^ \* +(frama-c .*)", work.read(f"{stem}_proof.c"), re.M)
    return work.run(commands[number], out="ANALYSIS SUMMARY").out


def prove_all(work, stem, number, *more):
    """No alarm, nothing unproved, and every statement of every called function was reached."""
    report = prove(work, stem, number)
    expect_text(f"the report about {stem}", report, [*SAFE, *map(regex, more)])
    reached = re.search(r"([0-9]+) statements reached \(out of ([0-9]+)\)", report)
    assert reached[1] == reached[2], report


@pytest.mark.parametrize("unroll", ["auto", "none", "full"])
def test_safety(work, unroll):
    make(work, "kernels", f"--unroll={unroll}", ops=[
        *typed_ops(), "free_rows: f32[n=5?,4,6] @2 -> 1 2 3", "free_bits: u4[n=2?,4,3] @2 -> 1 2",
        "free_lanes: i16[n=3?,20,34] @2 -> /34"])
    prove_all(work, "kernels", 0)


def test_safety_large(work):
    """Loops over rows, over groups of packed rows, functions, and outputs in an array."""
    make(work, "kernels", ops=[
        "rows: f32[640,24] @1 -> 8 4 12", "bytes: u8[3001,3] @1 -> 1 1 1", "wide: f64[16,1024] @1 -> 512 512",
        "one: u8[1,9000] @1 -> 4000 5000", "nibbles: u4[701,6] @1 -> 3 3", "threes: u3[301,5] @1 -> 1 2 2",
        "array: i16[30,66] @1 -> /33", "packed_array: u2[25,40] @1 -> /40", "wide_rows: u16[40,1,90] @2 -> /30",
        "empty: u8[4,0] @1 -> 0 0"])
    prove_all(work, "kernels", 0)


def test_results(work):
    large = ALL and not share()
    ops = typed_ops() if large else [op.format(dtype) for dtype in DTYPES for op in (
        "{0}_columns: {0}[3,4] @1 -> 1 3", "{0}_rows: {0}[4,2] @0 -> 2 2")]
    make(work, "kernels", ops=[*ops, "array: u8[3,33] @1 -> /33", "rows: u8[90,3] @1 -> 1 1 1"])
    prove_all(work, "kernels", 1, RIGHT)
    if large:
        make(work, "large", ops=["columns: c64[64,8] @1 -> 1 2 5", "bytes: u8[1365,3] @1 -> 1 1 1"])
        prove_all(work, "large", 1, RIGHT)


PIECES = """<ir_version: 10, opset_import: ["" : 18]>
net (float[2,4,3] x) => (swapped, begun)
<float[2,1,3] token = {1, 2, 3, 4, 5, 6}>
{
  [halves] a, b = Split <axis = 1, num_outputs = 2> (x)
  [swap] swapped = Concat <axis = 1> (b, a)
  z = Relu (x)
  [begin] begun = Concat <axis = 1> (token, z)
}
"""


def test_joins(work):
    """Concats, padded rows, pieces of a tensor (swapped halves) and a constant among the parts: safety and results. A
    wrong piece, a wrong constant and a write to padding must be detected."""
    make(work, "apart", "--isa=portable", ops=["planes: u8[90,3]/4 @1 <- 1 1/2 1", "gap: u16[5,9] @1 <- 2 _:3 4",
                                               "parted: f32[6,7]/9 @1 -> 3/4 4", "bits: u4[7,10]/12 @1 <- 3/5 7"])
    prove_all(work, "apart", 0)
    prove_all(work, "apart", 1, RIGHT)
    work.write("pieces.onnxtxt", PIECES)
    pieces = ("pieces", "--isa=portable", "--ops=all", "--fuse", "pieces.onnxtxt")
    make(work, *pieces)
    prove_all(work, "pieces", 0)
    expect_text("the report", prove(work, "pieces", 1), regex(SAFE_AND_RIGHT))
    for text, other in (("x + 6", "x + 5"), ("0x40000000U", "0x40000001U")):
        make(work, *pieces)
        spoil(work, "pieces.c", text, other)
        expect_text("the report", prove(work, "pieces", 1), without_match(SAFE_AND_RIGHT))
    make(work, "wide_gap", "--isa=portable", "--unroll=none", ops=["wide_gap: u8[8,6]/8 @1 <- 2 4"])
    spoil(work, "wide_gap.c", "row * 8 + 2", "row * 8 + 3")
    expect_text("the report", prove(work, "wide_gap", 1), without_match(SAFE_AND_RIGHT))


def test_broken(work):
    """One byte too early is no undefined behaviour, so only the results show it. One byte too late, the last byte is
    outside the input."""
    for stem, offset in (("early", 2), ("late", 4)):
        make(work, stem, "--isa=portable", ops=[f"{stem}: u8[1,8] @1 -> 3 5"])
        spoil(work, f"{stem}.c", "data + 3", f"data + {offset}")
    expect_text("the report", prove(work, "early", 1), without_match("Assertions +[0-9]+ valid +0 unknown +0 invalid"))
    report = prove(work, "late", 0)
    assert "\n  0 alarms generated" not in report or not re.search(" 0 unknown +0 invalid +[1-9]", report), report


def test_selftest(work):
    command = [needs("gcc", "clang"), "-std=c99", "-O1", *WARNINGS, INCLUDE]
    flags = prefix(work, "prefix", *command)

    def run(stem, exit=0, out=None, *more):
        work.run([*command, *flags, f"{stem}.c", f"{stem}_test.c", library(), *more, "-o", stem])
        work.run([work / stem], exit, out)

    def run_function(stem, more, exit):
        """Calls the self-test with `more` bytes than its file requires; it prints nothing."""
        run(stem, exit, "", "-DSPLITGEN_SELFTEST_FUNCTION", f"-DSELFTEST={stem}_selftest",
            f"-DMEMORY={selftest_memory(work, f'{stem}_test.c') + more}", SOURCE / "tests/support/selftest_main.c")

    def memory_of(stem):
        """The bytes for one row, and for all."""
        least = re.search("From ([0-9]+) bytes on", work.read(f"{stem}_test.c"))[1]
        return int(least), selftest_memory(work, f"{stem}_test.c")

    # With the memory for one row, or for a few, windows of rows are tested, and every wrong row is found.
    make(work, "rows", ops=[
        "pixels: u8[30/64,16,3] @2 -> r:1 _:1 b:1", "joined: f32[33,7]/9 @1 <- p:2/4 _:1 q:4",
        "part: u16[50,9] @1 -> p:view:2 q:7", "views: u8[300,40] @0 -> p:view:100 q:view:200"])
    least, needed = memory_of("rows")
    assert least < 2500 < needed
    for more, exit in ((least, 0), (least + 777, 0), (1000, 1)):
        run_function("rows", more - needed, exit)
    make(work, "late_row", "--isa=portable", "--optimize=size", ops=["late_row: u8[400,3] @1 -> r:1 g:1 b:1"])
    spoil(work, "late_row.c", "data + row * 3 + 2", "data + row * 3 + (row == 399 ? 1 : 2)")
    run_function("late_row", 2300 - selftest_memory(work, "late_row_test.c"), 1)

    make(work, "kernels", ops=[
        *typed_ops(), "bytes: u8[331,3] @1 -> 1 1 1", "array: i16[6,66] @1 -> /33",
        f"floats: f32[{700 if ALL else 7},200] @1 -> 100 100", "empty: u8[4,0] @1 -> 0 0",
        "joined_planes: u8[50,4]/6 @1 <- r:1 g:1 _:1 b:1", "apart_rows: u16[40,9]/12 @1 -> p:4/5 q:3 _:2",
        "joined_bits: u1[33,12]/13 @1 <- p:5 q:7/11", "beside_view: f32[20,6]/8 @1 <- p:view:2 q:4",
        "open_rows: f32[n?,6]/8 @1 <- p:2/3 q:4", "open_lanes: u8[n?,6,h?] @1 <- p:2 q:4"])
    for compiler, standards in {"gcc": ["c99", "c11"], "clang": ["c99", "c11"], "g++": ["c++11"],
                                "clang++": ["c++11"]}.items():
        for standard in standards if shutil.which(compiler) else ():
            work.run([compiler, "-x", "c++" if "+" in standard else "c", f"-std={standard}", *WARNINGS, INCLUDE,
                      "-fsyntax-only", "kernels_test.c"], err="")
    run("kernels")
    # The function works in the required memory, and in the memory for one row, but not in one byte less; it numbers
    # kernels from 1.
    make(work, "small", ops=["bits: u3[9,5] @1 -> 2 3", "empty: u8[4,0] @1 -> 0 0", "bytes: u8[9,40] @1 -> /40"])
    run_function("small", 0, 0)
    least, needed = memory_of("small")
    run_function("small", least - needed, 0)
    run_function("small", least - needed - 1, 3)
    make(work, "many", ops=["many: u8[1,650] @1 -> /10", "joined: u8[650] @0 <- /10"])
    run_function("many", 0, 0)
    for align in (128, 4096):  # more than a line, for some of the kernels
        work.write("aligned.lua", f"""return {{
            split {{name = 'parts', dtype = 'u8', shape = {{9, 65}}, parts = 5, axis = 1, align = {align}}},
            concat {{name = 'whole', dtype = 'f32', shape = {{70, 3}}, parts = 7, align = {align}}},
            split {{name = 'bytes', dtype = 'u8', shape = {{40, 3}}, parts = 3, axis = 1}}}}
""")
        make(work, "aligned", "aligned.lua")
        run_function("aligned", 0, 0)
        run_function("aligned", -1, 2)
    make(work, "early", "--isa=portable", ops=["right: u8[2] @0 -> 2", "early: u8[1,8] @1 -> 3 5"])
    spoil(work, "early.c", "data + 3", "data + 2")
    run("early", 1, "FAIL ")
    run_function("early", 0, 2)
    if has_avx2():  # one version only, which a machine with AVX-512 does not use by default
        make(work, "body", ops=["body: u8[64,3] @1 -> 1 1 1"])
        spoil(work, "body.c", "splitgen_load_halves(in + 16, in + 64)", "splitgen_load_halves(in + 16, in + 65)")
        run("body", 1, "FAIL ")
