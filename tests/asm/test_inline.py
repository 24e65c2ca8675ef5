"""Compiles the ops below with one compiler at several levels. With optimisation, no tile and no loop may remain a
function: a tile that is called would test at every row how to store."""
import re

import pytest
from testing import SOURCE, given

# Splits and concats of tiles, of long runs, of runs beside tiles, with an open number of rows, with padded rows, and
# with combined stores.
OPS = ["mixed: f32[10000,85] @1 -> 2,2,1,80", "pitched: u8[1080/600,190,3] @2 -> r:1 g:1 b:1",
       "join_runs: f32[3000,512] @1 <- 256,256", "any_rows: f32[N?,6] @1 -> 2,4",
       "planes: u8[1080,1920,3] @2 -> r:1 g:1 b:1", "lines: f32[3000,512] @1 -> 256,256",
       "runs_and_tiles: f64[64,165] @1 -> 4,3,6,6,2,3,16,64,32,2,1,16,4,3,2,1"]


# Compilers inline more at -O3 than at the other levels.
@pytest.mark.parametrize("level", ["-O1", "-O2", "-Os", *["-O3"] * bool(given.get("all"))])
def test_no_tile_and_no_loop_is_a_function(work, level):
    compiler, nm = given["compiler"], given["nm"]
    if not compiler or not nm:
        pytest.skip(f"sudo apt-get install {given['packages']}")
    work.splitgen(["--non-temporal=always", *[word for op in OPS for word in ("-e", op)], "-o", "ops.c"])
    work.compile("-c ops.c -o ops.o", compiler=compiler, flags=f"-std=c99 {level} -Wall -Wextra -Werror", runtime=False)
    loops = re.findall(r"SPLITGEN_COPY [a-z_ ]*(splitgen_[a-z0-9_#]+)\(",
                       (SOURCE / "include/splitgen/loops.h").read_text("utf-8"))
    loops = "|".join(re.sub("##(isa|unit)", "(avx2|avx512|bytes|words)", loop) for loop in loops)
    symbols = work.run([nm, "--defined-only", "ops.o"]).out
    assert loops and "mixed" in symbols
    assert not re.findall(rf" [tT] ((?:[^ \n]*_tile|{loops})(?:\.[a-z0-9.]+)?)\n", symbols), "called and not inlined"
