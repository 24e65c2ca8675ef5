"""Kernels never examine a byte that they copy, and a kernel that does is found: self-tests with undefined inputs, which
valgrind tracks through instructions and MemorySanitizer through C, models of instructions (tests/isa/models) included.
AVX-512 is tested by models only; README.md explains why."""
import collections
import shutil

import pytest
from kernels import SEED, Kernels, gen_ops, has_avx2
from testing import SOURCE, given, needs, share

Test = collections.namedtuple("Test", "compiler bodies isa flags", defaults=("", ""))
MSAN = "-fsanitize=memory"
AVX2 = ["avx2"] if has_avx2() else []
TESTS = {
    "gcc": Test("gcc", AVX2), "clang": Test("clang", ["portable", *AVX2]), "tcc": Test("tcc", ["portable"]),
    "intrinsics": Test("clang", ["portable", *AVX2], flags=(
        f"{MSAN} -DSPLITGEN_CPU_IGNORE=SPLITGEN_CPU_AVX512|SPLITGEN_CPU_AVX512VBMI")),
    "models_x86": Test("clang", ["avx512"], "x86", MSAN), "models_neon": Test("clang", ["neon"], "neon", MSAN),
    "models_wasm": Test("clang", ["wasm"], "wasm", MSAN)}

# Faults that are planted in a right kernel. `IN` and `AT` are the names of its input and of the position in its outputs.
FAULTS = {"branch": "if (IN[5] == 7) { *(volatile unsigned char *)out0 = 1; }", "address": "out0[AT] = IN[IN[5] % 2];",
          "byte": "out1[AT] = 9;", "bit": "out1[AT] = (unsigned char)(out1[AT] | 8);"}
if not given.get("all"):
    FAULTS = {name: FAULTS[name] for name in ("branch", "byte")}


def planted(code, fault, body):
    """The code with a fault behind the rows of a function, or at the end of a tile."""
    text = FAULTS[fault]
    if body == "portable":
        at = code.index("#undef SPLITGEN_ROW")
        text = text.replace("IN", "data").replace("AT", "0")
    else:
        at = code.index("\n}\n", code.index(f"void right_{body}_tile(")) + 1
        for name, other in {"IN": "at->in[0]", "AT": "row", "out0": "at->out[0]", "out1": "at->out[1]"}.items():
            text = text.replace(name, other)
    return f"{code[:at]}{text}\n{code[at:]}"


@pytest.mark.parametrize("name", TESTS)
def test_undefined(work, name):
    test = TESTS[name]
    random, copies = (70, 100) if given.get("all") else (2, 0)
    if share():
        random, copies = 20, 30
    kernels = Kernels(work, needs(test.compiler), flags=f"-O1 {test.flags} -DSPLITGEN_SELFTEST_UNDEFINED",
                      includes=[f"-I{SOURCE / 'tests/isa/models' / test.isa}"] * bool(test.isa) + ["-I."])
    work.write("try.c", "int main(void)\n{\n    return 0;\n}\n")
    if MSAN in test.flags:
        report, kernels.env = "use-of-uninitialized-value", {"SPLITGEN_TEST_MACHINE": "ZEN4"}
        if work.run([kernels.cc, *kernels.flags, "try.c", "-o", "try"], exit=None).code:
            pytest.skip("no MemorySanitizer (apt-get install libclang-rt-dev)")
    else:
        report, kernels.emulator = "uninitialised", [shutil.which("valgrind"), "-q", "--error-exitcode=2"]
        work.write("try.c", "#include <valgrind/memcheck.h>\n")
        if not kernels.emulator[0] or work.run(["cc", "-fsyntax-only", "try.c"], exit=None).code:
            pytest.skip("no valgrind (apt-get install valgrind)")
    runtime = kernels.runtime()

    def make(stem, *arguments):
        work.splitgen(["--emit=c,h,test", "-o", f"{stem}.c", *arguments])
        return kernels.kernels(f"{stem}_test.c")

    def program(stem, self_test):
        return kernels.link(stem, kernels.kernels(f"{stem}.c"), self_test, *runtime)

    for part, arguments in {"random": [SEED, random, 300], "special": [copies]}.items():
        if arguments != [0]:
            gen_ops(work, part, part, *arguments)
            kernels.run(program(part, make(part, f"{part}.lua")))
    self_test = make("right", "-e", "right: u8[64,3] @1 -> 1 1 1")
    kernels.run(program("right", self_test))
    for body in test.bodies:
        for fault in FAULTS:
            work.write(f"{fault}_{body}.c", planted(work.read("right.c"), fault, body))
            result = kernels.run(program(f"{fault}_{body}", self_test), exit=None)
            expected = (report if fault in ("branch", "address")
                        else "FAIL right: 'out1' is not undefined where it has to be")
            assert result.code != 0 and expected in result.out + result.err, f"{fault} in {body} is not found\n{result}"
