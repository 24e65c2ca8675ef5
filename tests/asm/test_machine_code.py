"""Compiles the ops of kernels.lua with one compiler, plain -O2, and compares the machine code with the plan. Then
changes the plan or the machine code a little, which the check must detect."""
import re

import pytest
from machine_code import Check
from testing import SOURCE, expect_text, given

CLANG = 14  # the expected counts fit this one; others select a few instructions differently
PLAIN = r"<u8_2_avx512(\.isra\.0)?>:"


@pytest.fixture(scope="module")
def texts(shared):
    """What the check reads."""
    compiler, objdump, family = given["compiler"], given["objdump"], given["family"]
    if not compiler or not objdump:
        pytest.skip(f"sudo apt-get install {given['packages']}")
    version = int(shared.run([compiler, "-dumpversion"]).out.split(".")[0])
    if "clang" in shared.run([compiler, "--version"]).out and version != CLANG:
        pytest.skip(f"instructions are counted for clang {CLANG}; this is {version}")
    flags = f"{given['machine']} -O2"
    shared.write("probe.c", "#include <splitgen/vector.h>\n#include <string.h>\n")
    if shared.compile("-c probe.c -o probe.o", None, None, compiler=compiler, flags=flags, runtime=False).code:
        pytest.skip(f"{compiler} finds no headers; sudo apt-get install {given['packages']}")
    # Non-temporal stores at any size, so that those functions exist.
    spec = ["--non-temporal=always", SOURCE / "tests/asm/kernels.lua"]
    shared.splitgen([*spec, "-o", "ops.c"])
    shared.compile("-c ops.c -o ops.o", compiler=compiler, flags=flags, runtime=False)
    return {"family": family, "dump": shared.splitgen(["--dump=program", *spec]).out, "c": shared.read("ops.c"),
            "symbols": shared.run([objdump, "-t", "ops.o"]).out,
            "disassembly": shared.run([objdump, "-d", "--no-show-raw-insn", "ops.o"]).out}


def test_the_compiler_keeps_the_plan(texts):
    check = Check(**texts)
    print("\n".join(check.saw))
    assert not check.errors, "\n".join(check.errors)


def test_ends_of_runs_past_the_cache(shared, texts):
    """A line that is not whole is prefetched, and copied by a call: gcc expands memcpy of up to 63 bytes into a string
    instruction, which takes longer than the run."""
    if texts["family"] != "x86":
        return
    shared.splitgen(["--non-temporal=always", "-e", "ends: u8[1000,307] @1 <- 1 5 301", "-o", "ends.c"])
    shared.compile("-c ends.c -o ends.o", compiler=given["compiler"], flags=f"{given['machine']} -O2", runtime=False)
    code = shared.run([given["objdump"], "-d", "--no-show-raw-insn", "ends.o"]).out
    functions = dict(re.findall(r"<([a-z0-9_.]+)>:\n(.*?)(?:\n\n|\Z)", code, re.S))
    ends = [text for name, text in functions.items() if "_ragged_non_temporal_" in name]
    loops = [text for name, text in functions.items() if re.match("ends_avx[0-9]+_non_temporal", name)]
    assert len(ends) == 1 and len(loops) == 1  # by AVX2: AVX-512 combines the lines
    assert not any("\trep " in text for text in ends)
    assert all("\tprefetch" in text for text in loops)


@pytest.mark.parametrize("errors, file, scope, old, new, count", [
    ("shuffles in the loop", "dump", "program u8_124.*?\n  body [0-9]+ ISA ", r"      insn [0-9]+ permute2? .*\n", "", 1),
    ("stores in the loop", "dump", "program u8_124.*?\n  body [0-9]+ ISA ", "(      insn [0-9]+ store .*\n)", r"\1\1", 1),
    ("is not known", "dump", "program u8_124.*?\n  body [0-9]+ ISA ", "(      insn [0-9]+ store .*\n)",
     r"\1      insn 99 somersault r1\n", 1),
    ("registers on the stack", "disassembly", "", "<short_f32_any>:\n(?= +([0-9a-f]+:))",
     r"<short_f32_any>:\n       \1\tpush   %rbx\n", 1),
    ("a part of a register", "disassembly", "<tiny_u8>:", r"movzbl (\(%rdi\)),%e([a-d])x", r"mov    \1,%\2l", 1),
    # In a function of one loop: in functions with non-temporal stores the first loop is for the remaining rows.
    ("two-source", "disassembly", PLAIN, "\tvpermb ", "\tvpermt2b ", 1),
    ("calls in the loop", "disassembly", PLAIN, "\tvpermb ", "\tcall ", 1),
    ("without vzeroupper", "disassembly", PLAIN, "\tvzeroupper", "\tnop", 1),
    ("vectors put on the stack", "disassembly", "<u8_3_avx512_non_temporal>:",
     r"(\tvmovntdq %zmm[0-9]+,[-0-9a-fx]*)\(%r[a-z0-9]+(,%r[a-z0-9]+,1)?\)\n", r"\1(%rsp)\n", 0),
    ("no sfence", "disassembly", "", "\tsfence", "\tlfence", 0),
    ("stores into the cache", "disassembly", "", "\tvmovntdq ", "\tvmovdqu64 ", 0)])
def test_the_check_notices(texts, errors, file, scope, old, new, count):
    isa = "NEON" if texts["family"] == "neon" else "AVX512VBMI"
    if isa == "NEON" and file == "disassembly":
        return
    start = re.search(scope.replace("ISA", isa), texts[file], re.S).end()
    changed, times = re.subn(old, new, texts[file][start:], count)
    assert times, "there is nothing to change"
    found = Check(**{**texts, file: texts[file][:start] + changed}).errors
    expect_text("errors", "\n".join(found), errors)
