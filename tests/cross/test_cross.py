"""Generated kernels on one processor, which need not be this machine's, by cross compilers and emulators: the
benchmark's cases, the fixed ops and random ones."""
import collections
import re
import shutil

import pytest
from kernels import Kernels, gen_ops
from testing import SOURCE, given, needs, share

HERE = SOURCE / "tests/cross"
MANY = bool(given.get("all") and not share())
# The fixed ops that compile quickly, or all but the largest, which take an emulator longer than all others; random ops;
# the approximate bytes of an op of the suite.
LARGEST, RANDOM, SUITE_BYTES = (8000, 100, 200000) if MANY else (300, 30, 40000)
Target = collections.namedtuple("Target", "compiler packages runs machine flags options bodies parts",
                                defaults=("", (), ("suite",)))
EVERYTHING = ("suite", "special", "random")
AARCH64 = "gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user"
# The same program once per set of instructions of an x86-64 processor (1 is AVX2, 2 AVX-512, 4 its VBMI), on this
# processor; then on one or two older ones, which it must detect.
X86 = [f"env SPLITGEN_TEST_CPU={cpu}" for cpu in ("0", "1", "3",
                                                  "7 SPLITGEN_TEST_STREAM=1")] + ["qemu-x86_64 -cpu Haswell"]
if given.get("all"):
    X86 += [f"env SPLITGEN_TEST_CPU={cpu}" for cpu in ("7", "19", "23", "1 SPLITGEN_TEST_STREAM=1")]
    X86 += ["qemu-x86_64 -cpu Nehalem"]

# Programs are linked statically, so that they need no files of another system. Each body is an instruction set that
# some of the benchmark's cases must have a version for.
TARGETS = {
    "aarch64_neon": Target("aarch64-linux-gnu-gcc", AARCH64, ["qemu-aarch64"], "-static", "-O2", "--isa=neon", ["NEON"],
                           EVERYTHING),
    "aarch64_default": Target("aarch64-linux-gnu-gcc", AARCH64, ["qemu-aarch64"], "-static", "-O3", "--unroll=none",
                              ["NEON"]),
    "aarch64_portable": Target("aarch64-linux-gnu-gcc", AARCH64, ["qemu-aarch64"], "-static", "-O2", "--isa=portable"),
    "aarch64_clang": Target("clang", f"clang {AARCH64}", ["qemu-aarch64"], "--target=aarch64-linux-gnu -static", "-O2",
                            "", ["NEON"]),
    # Big-endian.
    "s390x": Target("s390x-linux-gnu-gcc", "gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-user", ["qemu-s390x"],
                    "-static", "-O2", parts=EVERYTHING),
    # 32 bits.
    "arm": Target("arm-linux-gnueabihf-gcc", "gcc-arm-linux-gnueabihf libc6-dev-armhf-cross qemu-user", ["qemu-arm"],
                  "-static", "-O2"),
    # A processor on which unaligned wide loads are slow, so that compilers avoid them.
    "riscv64": Target("riscv64-linux-gnu-gcc", "gcc-riscv64-linux-gnu libc6-dev-riscv64-cross qemu-user",
                      ["qemu-riscv64"], "-static", "-Os"),
    # WebAssembly, without a C library; it has its own version by default.
    "wasm": Target("clang", "clang lld nodejs", ["node"], "--target=wasm32 -msimd128 -ffreestanding -nostdlib", "-O2",
                   "",
                   ["WASM"], EVERYTHING),
    "x86": Target("gcc", "gcc libc6-dev qemu-user", X86, "-static", "-O1", "",
                  ["AVX2BYTE", "AVX2LANE", "AVX512", "AVX512VBMI"])}

# The program for every check whether a tool works here.
PROBE = r"""#include <splitgen/vector.h>
#if __STDC_HOSTED__
#include <stdio.h>

int main(void)
{
    printf("runs, %u\n", splitgen_cpu());
    return 0;
}
#else
void _start(void);
void _start(void)
{
    (void)splitgen_cpu();
}
#endif
"""


def works(work, kernels, run):
    kernels.emulator = run
    return shutil.which(run[0]) and kernels.run("./probe", exit=None).out.startswith("runs, ")


def demand_bodies(work, options, bodies):
    """The cases must have every version of this target, and each version must have a case with rows for more than two
    tiles: a first one, one in the loop, and remaining rows. No version may have none."""
    looped = set()
    facts = r"layout (\S+) rows ([0-9]+)|body [0-9]+ ([A-Z0-9]+) rows_per_iteration ([0-9]+)"
    for name, rows, body, step in re.findall(facts,
                                             work.splitgen([*options, "--dump=layout,program", "suite.lua"]).out):
        if name:
            case, available = name, int(rows)
        else:
            assert available >= int(step), f"{case} has only {available} rows for windows of {step}"
            if int(step) > 1 and available > 2 * int(step):
                looped.add(body)
    assert looped.issuperset(bodies), "no case of the benchmark has several windows for some of these"


@pytest.mark.parametrize("name", TARGETS)
def test_cross(work, name):
    target, lua = TARGETS[name], needs("lua5.4", "lua54")
    missing = f"sudo apt-get install {target.packages}"
    if not shutil.which(target.compiler):
        pytest.skip(missing)
    checker = {"checker": "tests/cross/wasm_check.c"} if name == "wasm" else {}
    kernels = Kernels(work, target.compiler, options=target.options, flags=target.flags, machine=target.machine,
                      **checker)
    cpu = SOURCE / "runtime/splitgen_cpu.c"
    c99 = ["-std=c99", *kernels.flags]
    work.write("probe.c", PROBE)
    probe = [kernels.cc, *c99, *kernels.includes, "probe.c"]
    if work.run([*probe, cpu, "-o", "probe"], exit=None).code:
        pytest.skip(f"{kernels.cc} makes no program; {missing}")
    kernels.build_harness()
    if name == "x86":  # cpu_mask.c answers the runtime's queries of the processor
        kernels.object(cpu, *c99, "-Dsplitgen_cpu=splitgen_real_cpu",
                       "-Dsplitgen_stream_bytes=splitgen_real_stream_bytes")
        kernels.linked.append(kernels.object(HERE / "cpu_mask.c", *c99, "-Wall", "-Wextra", "-Werror"))
        work.run([*probe, "splitgen_cpu.o", "cpu_mask.o", "-o", "probe"])
    runs = [[needs("node", "nodejs"), HERE / "wasm_run.js"]] if name == "wasm" else [run.split() for run in target.runs]
    runs = [run for run in runs if works(work, kernels, run)] or pytest.skip(missing)
    for part in target.parts:
        if part == "suite":
            command = [lua, HERE / "suite_ops.lua", SOURCE / "tests/bench/suite/suite.lua", "suite.lua",
                       "suite_table.c"]
            told = work.run([*command, str(SUITE_BYTES), *["both"] * MANY]).out
            count = int(re.search("[0-9]+", told)[0])
            demand_bodies(work, kernels.options, target.bodies)
        else:
            count = gen_ops(work, part, part, *([LARGEST] if part == "special" else [20240, RANDOM, 30000]))
        kernels.make_batch(part)
        for kernels.emulator in runs:
            kernels.check_batch(part, count)
