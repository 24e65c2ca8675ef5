"""Compares the models of an instruction set with the real instructions, as far as this machine can run them: both print a
digest per intrinsic (compare.h), which must be the same. Every intrinsic of the models is compared. Values of
testing.given: isa; compiler; cross, the compiler of the real processor and its flags; run, which runs its programs;
packages."""
import pathlib
import re
import shlex
import shutil

import pytest
from testing import SOURCE, fail, given

HERE = SOURCE / "tests/isa"
FLAGS = "-std=c11 -O1 -Wall -Wextra -Werror".split()
AVX512 = "-mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512vbmi".split()


def references():
    """What the models are compared with: a title, flags of the models, the compiler and flags of the other."""
    isa, compiler, cross = given["isa"], given["compiler"], shlex.split(given["cross"])
    if cross:
        yield isa, [], [*cross, "-std=c11"]
    elif isa == "x86":
        cpu = pathlib.Path("/proc/cpuinfo").read_text("utf-8")
        if " avx512vbmi " in cpu:
            yield "this processor", ["-DCOMPARE_AVX512"], [
                compiler, *FLAGS, "-DCOMPARE_AVX512", "-mavx2", "-mbmi2", *AVX512]
        elif " avx2 " in cpu:
            yield "this processor", [], [compiler, *FLAGS, "-mavx2", "-mbmi2"]
        yield "SIMDe", ["-DCOMPARE_AS_SIMDE"], [compiler, "-std=c11", "-O1", "-DCOMPARE_SIMDE"]


def test_every_model_is_like_the_instruction(work):
    isa, compiler, source = given["isa"], given["compiler"], HERE / f"compare_{given['isa']}.c"
    models = [compiler, *FLAGS, f"-I{HERE / 'models' / isa}"]
    compared = False
    for title, flags, other in references():
        work.run([*models, *flags, source, "-o", "models"])
        digests = work.run(["./models"], out=re.compile("[^ \n]+ [0-9a-f]+\n")).out
        runner = shlex.split(given["run"])
        if not all(shutil.which(program) for program in (other[0], *runner[:1])):
            print(f"not compared: {other[0]} or {given['run']} is missing")
            continue
        if work.run([*other, source, "-o", "other"], None).code:
            print(f"not compared: {work.last}")
            continue
        real = work.run([*runner, "./other"], None)
        if real.code:
            print(f"not compared: {real}")
            continue
        if real.out != digests:
            fail(f"the models differ from {title}\n--- models\n{digests}\n{real}")
        print(f"{len(digests.splitlines())} intrinsics like {title}")
        compared = True
    if not compared:
        pytest.skip(f"nothing to compare with; sudo apt-get install {given['packages']}")
    text = work.run([*models, "-E", "-P", "-DCOMPARE_AVX512", source]).out
    names = set(re.findall(r"((?:_mm[0-9]*_|_pext_|wasm_|v[a-z0-9]+q?_u)[a-z0-9_]+)\(", text))
    missing = sorted(name for name in names if not re.search(rf"apply_{name}\b", text))
    assert names and not missing, f"compare_{isa}.c does not compare these"
