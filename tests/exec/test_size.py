"""The size of machine code, and the functions that code without memcpy needs."""
import pathlib
import shutil

from kernels import CASES, INCLUDE
from testing import given, needs

OPS = ("f32[1,4,12] @2 -> /3", "u8[20,9] @1 -> /3", "f32[4,7] @1 -> 1 2 4", "f16[1,3,224] @1 -> /3",
       "u8[1,37] @1 -> 5 11 21", "f32[10,40] @1 -> 10 30", "u8[5,300] @1 -> 100 200", "f32[16,24] @1 -> /8",
       "u8[20,40] @1 -> /40", "f32[2,50] @1 -> /50", "string[3,4] @1 -> /2", "u4[16,8] @1 -> 3 5", "u1[9,24] @1 -> 7 17",
       "i4[4,32] @1 -> /2", "c64[9,16] @1 -> /2", "u8[2,2] @1 -> 1 1", "f64[3,1] -> /3")
# Runs of every element size, packed ones, and loops that compilers turn into memcpy.
MORE = ("u8[4096] -> 4096", "u8[64,1] @1 -> 1", "f32[2,700] @1 -> 300 400", "c128[9,3] @1 -> 1 2",
        "i16[2,900] @1 -> 1 899", "bool[5,6] @1 -> /2", "u1[1,8000] @1 -> 3001 *")


def test_small(work):
    """Code optimised for size is never larger than code optimised for speed, and at most two thirds of it in all; code
    without memcpy needs no other functions. all=1 has an ARM compiler too."""
    gcc, clang = needs("gcc"), shutil.which("clang")
    arm = given.get("all") and shutil.which("arm-none-eabi-gcc")
    small = {gcc: []}
    wordwise = [[gcc, "-O2"]] + [[clang, "-O2"]] * bool(clang)
    if arm:
        small[arm] = ["-mcpu=cortex-m4", "-mthumb", "-ffreestanding"]
        # Debian's compiler finds newlib's headers by itself if newlib was installed with it, and picolibc's only so.
        specs = work.run([arm, "-print-file-name=picolibc.specs"]).out.strip()
        library = ["--specs=picolibc.specs"] * pathlib.Path(specs).is_absolute()
        wordwise += [[arm, *library, "-O2", "-mcpu=cortex-m4", "-mthumb"],
                     [arm, "-Os", "-mcpu=cortex-m0", "-mthumb", "-ffreestanding"]]
    for compiler, flags in small.items():
        totals = {"speed": 0, "size": 0}
        for op in OPS:
            flash = {}  # bytes of code and constants
            for goal in totals:
                work.splitgen(["--isa=portable", f"--optimize={goal}", "-e", f"op: {op}", "-o", "op.c"])
                work.run([compiler, *flags, "-std=c99", "-Os", "-fno-asynchronous-unwind-tables", INCLUDE, "-c", "op.c"])
                flash[goal] = int(work.run("size op.o").out.split("\n")[1].split()[0])
                totals[goal] += flash[goal]
            assert flash["size"] <= flash["speed"], f"{compiler}: {op}"
        assert totals["size"] <= totals["speed"] * 2 // 3, compiler
    for goal in ("speed", "size"):
        work.splitgen(["--no-memcpy", f"--optimize={goal}", *(word for op in OPS + MORE for word in ("-e", op)), "-o",
                       "words.c"])
        for command in [[gcc, "-O3"]] if goal == "speed" else wordwise:  # which takes so much longer that one is enough
            work.run([*command, "-std=c99", INCLUDE, "-c", "words.c"])
            work.run("nm -u words.o", out="")


def test_shared_code(work):
    """Code that 1,000 ops of 37 shapes share is in the file once."""
    work.splitgen([CASES / "layers.lua", "-o", "layers.c"])
    assert len(work.read("layers.c")) <= 2000000
