"""--explain is for users: first what each output is and costs, then how it is copied, in the words of the manual."""
import re

import pytest
from testing import SOURCE, exactly, regex, without_match


def test_explain_is_for_users(work):
    """First what each output is and costs, then how it is copied, in the words of the manual. The complete texts for a copy, a view, packed elements and an empty op."""
    work.splitgen("--explain --isa=portable -e 'qkv: f32[2,6] @1 -> q:1 k:2 v:*'", out=exactly("""qkv: f32[2,6] axis 1
  q [2,1], 8 bytes
    view: strided, from byte 0 of the input, strides [6,1] elements: 2 runs of 4 bytes, 24 bytes apart
    copy: 2 runs of 4 bytes
    no cost: a reader that takes strides, or a layout with axis 1 as the outermost dimension
  k [2,2], 16 bytes
    view: strided, from byte 4 of the input, strides [6,1] elements: 2 runs of 8 bytes, 24 bytes apart
    copy: 2 runs of 8 bytes
    no cost: a reader that takes strides, or a layout with axis 1 as the outermost dimension
  v [2,3], 24 bytes
    view: strided, from byte 12 of the input, strides [6,1] elements: 2 runs of 12 bytes, 24 bytes apart
    copy: 2 runs of 12 bytes
    no cost: a reader that takes strides, or a layout with axis 1 as the outermost dimension
  the kernel writes 48 bytes; the input has 48
  how it is copied
    portable C: straight-line (6 moves of up to 16 bytes fit the unroll budget of 256)
"""), err="")
    work.splitgen("--explain --isa=portable -e 'a: u8[4] -> _:3 b:1; p: u4[1,6] @1 -> x:3 y:3; n: f32[2,0] -> /2'", out=exactly("""a: u8[4] axis 0
  b [1], 1 byte
    view: contiguous, from byte 3 of the input, because the axis is the outermost dimension
    copy: one run of 1 byte
    no cost: read it there, without a kernel
  the kernel writes 1 byte; the input has 4
  how it is copied
    portable C: straight-line (one contiguous run per output)
p: u4[1,6] axis 1
  x [1,3], 2 bytes
    view: contiguous, from byte 0 of the input, because every dimension before the axis is 1
    copy: one run of 12 bits
    no cost: read it there, without a kernel
  y [1,3], 2 bytes
    view: none, because it begins at bit 4 of byte 1
    copy: one run of 12 bits
    no cost: a layout where the part, and every row, begins at a whole byte
  the kernel writes 4 bytes; the input has 3
  how it is copied
    portable C: straight-line bits (one contiguous run of bits per output)
n: f32[2,0] axis 0
  out0 [1,0], 0 bytes
    view: it has no elements
    copy: nothing to copy
  out1 [1,0], 0 bytes
    view: it has no elements
    copy: nothing to copy
  the kernel writes 0 bytes; the input has 0
"""), err="")


def test_the_rows_of_the_dispatch_table_are_sentences(work):
    work.splitgen("--explain --tune=zen4 --isa=avx512 -e 'rgb: u8[1920,1080,3] @2 -> r:1 g:1 b:1'", out=[regex(
            r"\n    AVX-512 VBMI variant, tiles of 64 rows\n      Zen 4, all data in L1: [0-9.]+ bytes per cycle predicted, bound by [a-z ]+ \([0-9.]+ cycles per tile\)\n"),
            "\n    dispatch table, the first row that fits decides:\n",
            "\n      AVX-512 VBMI, from 64 rows on, input and outputs too large for the caches, outputs aligned to 64 bytes: non-temporal stores\n",
            regex(
            r"\n      AVX-512 VBMI, from 128 rows on, [^\n]*an output not aligned to 64 bytes: write-combining non-temporal stores\n"),
            regex(r"\n      otherwise: portable C\n$")])
    work.splitgen("--explain -e 'f32[512,2304] @1 -> /3'",
        out="\n      AVX-512, processors that are slow at stores across cache lines, from 2 rows on, an output not aligned to 64 bytes: write-combining stores\n")
    work.splitgen("--explain -e 'f32[n=64?,2,3] @2 -> /3'", out=[
            "\n  the kernel writes 24 bytes per item; the input has 24\n  expected: 64 items of 2 rows each\n", regex(
            r"\n      fewer than \d+ rows: portable C, inlined\n"), regex(r" rows on \(\d+ items?\)[,:]")])
    work.splitgen("--explain -e 'a: f32[n=4?,0,3] @1 -> x:0'", out=regex(
            r"  the kernel writes 0 bytes per item; the input has 0\n  expected: 4 items of 1 row each\n$"))
    work.splitgen("--explain --isa=all -e 'p: u4[3000001,7] @1 -> x:3 y:4'", out=regex(
            r"\n    BMI2 variant: portable C with instructions that pick bits\n    dispatch table, the first row that fits decides:\n      BMI2, processors with a fast `pext`: ordinary stores\n      otherwise: portable C\n$"))


@pytest.mark.parametrize("look", ["", "--tune=zen4", "--tune=goldencove --non-temporal=always", "--optimize=size"])
def test_no_internal_terms_and_correct_numbers(work, look):
    """For many ops: no internal terms of the source code, and correct singular and plural."""
    traits = re.findall(r"\n    T\(([A-Z_]+)", (SOURCE / "include/splitgen/machines.h").read_text("utf-8"))
    assert len(traits) >= 7, "too few traits in machines.h: does a row look otherwise now?"
    forms = ["[1,8] @1 -> 1,7", "[1,8] -> 1", "[3,8] @1 -> /2", "[64,24] @1 -> 8,8,8", "[2,8,8] @1 -> 1,7",
             "[4096,40] @1 -> 8,16,*", "[100000,16] @1 -> 1,1,1,1,*", "[n=1?,2,4,8] @2 -> 1,3", "[n=999?,24] @1 -> /3",
             "[300000,2] @1 -> /2", "[n?,2,32] @2 -> 8,*", "[9,40] @1 -> /40"]
    ops = "; ".join(type + form for type in ("i3", "u8", "f16", "f64") for form in forms)
    work.splitgen(f"--explain {look} -e '{ops}'", out=["u8[1,8]", *map(without_match, [
        "|".join(traits), " 1 (rows|items|bytes|runs|bits|fields|cycles)[^a-z]",
        "[^a-z](avx2|avx512|neon|wasm|vbmi|pext) body", r"past the cache|by whole lines|feed|free |cheaper|\(null\)",
        "\n +(avx|neon|wasm|vbmi|pext)"])])
