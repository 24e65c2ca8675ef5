"""The output of --emit=proof-cpp, compiled with the commands in its head: every function version of right kernels is
proved, by a compiler that evaluates the printed text, and wrong ones are refused."""
import os
import re
import shutil

import pytest
from kernels import SEED, gen_ops, spoil
from testing import SOURCE, expect_text, fail, share
from packages import ziglang

REFUSED = "static assertion expression is not an integral constant expression"
# Random ops of a class of gen_ops, `open` (with an open dimension if possible) and `apart` (with row strides).
CLASSES = {"random": 120, "open": 32, "bits": 24, "many": 12, "wide": 12, "apart": 32}
WAYS = ("", "--non-temporal=always", "--optimize=size", "--tune=zen4", "--dispatch=static", "--non-temporal=never")


def prove(work, stem):
    """Runs the commands until one fails; returns what they say, nothing if the proof is complete."""
    commands = re.findall(r"^ \* +(python3 .*)", work.read(f"{stem}_vectors.cpp"), re.M)
    assert commands
    for command in commands:
        result = work.run(command, exit=None, env=work.zig)
        if result.code or result.out or result.err:
            return str(result)
    return ""


@pytest.fixture
def vectors(work):
    work.zig = {"PATH": f"{os.path.dirname(ziglang(work))}{os.pathsep}{work.env['PATH']}"}
    (work / "include").symlink_to(SOURCE / "include")
    return work


def right(work, stem, *arguments):
    """Kernels whose proof must be complete."""
    work.splitgen([*arguments, "--emit=c,proof-cpp,json", "-o", f"{stem}.c"])
    report = prove(work, stem)
    if report:
        fail(report)


def wrong(work, stem, faults):
    """The kernels with a text replaced, each of which must be refused."""
    good = work.read(f"{stem}.c")
    for what, (text, other) in faults.items():
        spoil(work, f"{stem}.c", text, other)
        expect_text(what, prove(work, stem), REFUSED)
        work.write(f"{stem}.c", good)


def test_planes(vectors):
    work = vectors
    right(work, "planes", "-e", "planes: u8[50,3] @1 -> r:1 g:1 b:1")
    wrong(work, "planes", {
        "the index of another column": ("LANES_2X16(3, 0, 16)", "LANES_2X16(3, 1, 16)"),
        "a tile that reads a row late": ("at->in[0] + 3 * row", "at->in[0] + 3 * row + 3"),
        "a loop over too few rows": ("_tile, 32, 1, ", "_tile, 33, 1, "),
        "a processor without its instructions": ("(cpu & SPLITGEN_CPU_AVX2) != 0", "cpu != 0"),
        "fewer rows than a function takes": ("if (rows >= 32 &&", "if (rows >= 31 &&")})
    (work / "include").unlink()
    shutil.copytree(SOURCE / "include", work / "include")
    loops = work.read("include/splitgen/loops.h")
    for what, text, other in (
            ("an iteration that begins a row late", "            row += iteration;",
             "            row += iteration + 1;"),
            ("an iteration too few", "} else if (row + most < end) {", "} else if (row + most + 1 < end) {")):
        spoil(work, "include/splitgen/loops.h", text, other)
        expect_text(what, prove(work, "planes"), REFUSED)
        work.write("include/splitgen/loops.h", loops)


def test_joins(vectors):
    work = vectors
    right(work, "joined", "-e", "joined: u8[50,3] @1 <- r:1 g:1 b:1")
    wrong(work, "joined", {
        "the index of another column": ("LANES_2X16(11, 0, 16)", "LANES_2X16(11, 1, 16)"),
        "a tile that writes a row late": ("at->out[0] + 3 * row", "at->out[0] + 3 * row + 3"),
        "fewer rows than a function takes": ("if (rows >= 32 &&", "if (rows >= 31 &&")})
    right(work, "apart", "-e", "apart: f32[40,17]/19 @1 <- 3/4 5 9/11", "-e", "planes: u8[20,3]/4 @1 -> 1 1/2 1")
    wrong(work, "apart", {
        "a store into the gap behind a row": ("(out + 32, at->in[2] + 44 * row, 36",
                                              "(out + 32, at->in[2] + 44 * row, 40"),
        "adjacent rows": ("at->out[0] + 76 * row", "at->out[0] + 68 * row")})
    right(work, "bits", "--optimize=size", "-e", "bits: u4[40,10]/12 @1 <- 3/5 7")
    right(work, "combined", "--non-temporal=always", "-e", "combined: u8[12,110] @1 <- 20 30 60")
    wrong(work, "combined", {"a run of another row": ("at->in[1] + 30 * row, 30, 30,", "at->in[1] + 30 * row + 30, 30, 30,"),
                             "a run that is too short": ("at->in[1] + 30 * row, 30, 30,", "at->in[1] + 30 * row, 30, 29,")})


def test_faults(vectors):
    """A larger kernel. Its loop ended after the groups of the expected items, regardless of the call."""
    vectors.write("free_bits.lua", "return split{name='free_bits', dtype='i4', shape={free('n',3),64,27}, axis=2, "
                                   "lengths={9,9,9}}\n")
    right(vectors, "free_bits", "free_bits.lua")
    wrong(vectors, "free_bits", {"a bound of the expected items": ("const size_t end = last;",
                                                                   "const size_t end = last < 12 ? last : 12;")})


def test_suite(vectors):
    """The examples' kernels."""
    for spec in sorted(SOURCE.glob("examples/*/*.lua")):
        if vectors.splitgen(["--list", spec], exit=None).code == 0:
            right(vectors, f"example_{spec.stem}", spec)


@pytest.mark.parametrize("kind", CLASSES)
def test_class(vectors, kind):
    count, batch = -(-CLASSES[kind] * (share() or 100) // 100), 0
    env = {"open": {"SPLITGEN_FREE": "100"}, "apart": {"SPLITGEN_STRIDES": "100"}}.get(kind)
    small = kind in ("random", "open", "apart")
    while count > 0:
        gen_ops(vectors, f"b{batch}", "random" if small else kind, SEED * 1000 + batch, min(4, count), *[300] * small,
                env=env)
        right(vectors, f"b{batch}", *WAYS[batch % 6].split(), f"b{batch}.lua")
        batch, count = batch + 1, count - 4
