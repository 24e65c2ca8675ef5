"""The runtime outside the project's own build: by every supported compiler, standard and mode, with all warnings; its
size; its tasks under ThreadSanitizer."""
import itertools
import re
import shutil

import pytest
from kernels import INCLUDE, RUNTIME, WARNINGS
from testing import SOURCE, given, needs, share

ALL = given.get("all") and not share()
HERE = SOURCE / "tests/runtime"
FLAGS = {"c": [*WARNINGS, "-Wredundant-decls", "-Wmissing-prototypes", "-Wstrict-prototypes"],
         "c++": [*WARNINGS, "-Wredundant-decls", "-Wmissing-declarations"]}
# All further warnings of clang, without notes on layout and on C++98, which has no <stdint.h>.
EVERYTHING = ("-Weverything -Werror -Wno-unknown-warning-option -Wno-padded -Wno-c++98-compat "
              "-Wno-c++98-compat-pedantic -Wno-unsafe-buffer-usage").split()
# The oldest standard of each language with one compiler, the newest with the other; or all with both.
STANDARDS = {("gcc", "c"): ["c99"], ("gcc", "c++"): ["c++20"], ("clang", "c"): ["gnu17"], ("clang", "c++"): ["c++11"]}
if ALL:
    STANDARDS = {(name, language): standards for name in ("gcc", "clang") for language, standards in (
        ("c", ["c99", "c11", "c17", "gnu17"]), ("c++", ["c++11", "c++14", "c++17", "c++20"]))}
OLDEST = ("c99", "c++11")

# Functions that generated code calls from the headers.
CALLS = """
#if SPLITGEN_X86
void wide(void *a, const void *b);
void narrow(void *a, const void *b);
SPLITGEN_TARGET_AVX512VBMI void wide(void *a, const void *b)
{
    splitgen_combiner feed;
    splitgen_vectors_avx512(a, b, 300);
    splitgen_run_avx512(a, b, 3000);
    SPLITGEN_PREFETCH(b, 640);
    splitgen_run_non_temporal_avx512(a, b, 640, splitgen_streams(splitgen_cpu(), 0));
    splitgen_combiner_begin(&feed, a, splitgen_prefetch_distance(1));
    splitgen_combine_avx512(&feed, b, 40, true);
    splitgen_combine_avx512(&feed, b, 640, false);
    splitgen_combine_rotated(&feed, splitgen_rotate_bytes(&feed, splitgen_rotate_words(&feed, feed.known)), true);
    splitgen_combiner_end(&feed);
}
SPLITGEN_TARGET_AVX2 void narrow(void *a, const void *b)
{
    __m256i value = splitgen_load_avx2(b);
    SPLITGEN_KEEP(value);
    splitgen_store_avx2(a, value);
    splitgen_vectors_avx2(a, b, 300);
    splitgen_run_avx2(a, b, 3000);
    splitgen_run_non_temporal_avx2(a, b, 640, splitgen_streams(splitgen_cpu(), 0));
}
#endif
"""
MOVES = """#include <splitgen/splitgen.h>
void small(char *a, const char *b);
void large(char *a, const char *b);
void small(char *a, const char *b)
{
    memcpy(a, b, 16);
}
void large(char *a, const char *b)
{
    splitgen_copy(a, b, 4096);
}
void *output(void *const outputs[]);
void *output(void *const outputs[])
{
    return splitgen_output(outputs, 3);
}
"""


def runs(work, *command):
    """Whether a program can be built this way, and runs. The runtime needs no C++ library, so the C driver builds C++
    without linking one."""
    work.write("trivial.c", "#include <string.h>\nint main(void)\n{\n    return 0;\n}\n")
    return (work.run([*command, "trivial.c", "-o", "trivial"], exit=None).code == 0
            and work.run("./trivial", exit=None).code == 0)


def compilers():
    found = [name for name in ("gcc", "clang") if shutil.which(name)]
    return found or pytest.skip("neither gcc nor clang was found")


def try_standard(work, compiler, language, standard, mode):
    """The runtime, its headers and a caller in one mode, and the caller runs."""
    base = [compiler, *mode, "-x", language, f"-std={standard}", INCLUDE, *FLAGS[language]]
    kinds = [["-O0"], ["-O2"], ["-Os", "-ffreestanding"]]
    if not ALL:  # the newest standard covers what the oldest leaves out
        kinds = kinds[2:] if standard in OLDEST else kinds[1:2]
    for kind in kinds:
        objects = []
        for source in RUNTIME:
            objects.append(f"{source.stem}.o")
            work.run([*base, *kind, "-c", source, "-o", objects[-1]], err="")
            if "-ffreestanding" in kind and shutil.which("nm"):
                # each other, and memcpy, which every freestanding program must have
                names = set(re.findall(r"[\w.]+", work.run(["nm", "-u", objects[-1]]).out))
                needed = {name for name in names if not re.fullmatch(r"U|w|_GLOBAL_OFFSET_TABLE_|splitgen_[a-z_]+|memcpy",
                                                                     name)}
                assert not needed, f"{source.name}, freestanding, {compiler} {standard} {mode}"
        for file in ("unity.c", "reversed.c", "header.c"):
            work.run([*base, *kind, "-c", file, "-o", "one.o"], err="")
    work.run([*base, "-O1", HERE / "caller.c", "-x", "none", *objects, "-o", "caller"], err="")
    work.run("./caller", err="")


def test_matrix(work):
    # Every header, included twice. One header is for files of --emit=proof-cpp, and C++26, alone; two are for those of
    # --emit=test and --emit=bench, which need the C library.
    headers = [path.name for path in sorted(SOURCE.glob("include/splitgen/*.h"))
               if path.stem not in ("constexpr", "selftest", "bench")]
    work.write("header.c", "".join(f"#include <splitgen/{name}>\n" for name in headers * 2) + CALLS)
    work.write("moves.c", MOVES)
    for name, sources in (("unity", RUNTIME), ("reversed", reversed(RUNTIME))):  # the runtime in one file
        work.write(f"{name}.c", "".join(f'#include "{source}"\n' for source in sources))
    for compiler, language in itertools.product(compilers(), ("c", "c++")):
        modes = [mode for mode in ([], ["-m32"]) if runs(work, compiler, *mode, "-x", language)]
        for standard in STANDARDS[compiler, language]:
            for mode in modes if ALL or standard in OLDEST else modes[:1]:
                try_standard(work, compiler, language, standard, mode)
            for source in ("header.c", "moves.c") if compiler == "clang" else ():
                work.run([compiler, "-x", language, f"-std={standard}", INCLUDE, *EVERYTHING, "-c", source], err="")
    for compiler in compilers():
        c99 = [compiler, "-std=c99", *FLAGS["c"], "-O2", INCLUDE]
        for kind in ([], ["-ffreestanding"]):  # a few bytes are copied inline, many by the library
            work.run([*c99, *kind, "-c", "moves.c", "-DNDEBUG"], err="")
            work.run([*c99, *kind, "-S", "moves.c"], err="")
            text = work.read("moves.s")
            assert len(re.findall("(?:call|jmp|bl|b|tail)[a-z]*[ \t]+memcpy", text)) == 1, text
            assert not re.search("rep[ \t;]+movs", text), text
        # Without any header other than the compiler's own.
        where = "-print-file-name=include" if compiler == "gcc" else "-print-resource-dir"
        own = work.run([compiler, where]).out.strip() + ("/include" if compiler == "clang" else "")
        for source in ("header.c", *RUNTIME):
            work.run([*c99, "-ffreestanding", "-nostdinc", "-isystem", own, "-c", source, "-o", "bare.o"], err="")


def test_size(work):
    """The machine code is less than 7 KiB at -Os; with its strings and unwind tables, less than 9.5 KiB."""
    needs("size")
    for compiler in compilers():
        code = text = 0
        for source in RUNTIME:
            work.run([compiler, "-std=c99", "-Os", INCLUDE, "-c", source, "-o", "r.o"], err="")
            text += int(work.run("size -B r.o").out.split("\n")[1].split()[0])
            code += sum(map(int, re.findall(r"\n[.]text[^ \n]* +([0-9]+)", work.run("size -A r.o").out)))
        assert 0 < code < 7168 and text < 9728, compiler


def test_tsan(work):
    """No task may touch bytes that another one writes: test_parallel.c with its threads. all=1 has few rows and many."""
    flags = "-std=c11 -D_DEFAULT_SOURCE -O1 -g -fsanitize=thread -pthread".split()
    # clang first: gcc's own library for it does not start on every kernel version.
    compiler = next((name for name in ("clang", "gcc") if shutil.which(name) and runs(work, name, *flags)), None)
    if not compiler:
        pytest.skip("no compiler here makes programs with ThreadSanitizer that run")
    work.run([compiler, *flags, INCLUDE, f"-I{SOURCE / 'tests/support'}", HERE / "test_parallel.c",
              SOURCE / "tests/support/guard.c", *RUNTIME, "-lcmocka", "-o", "parallel"], err="")
    for name in ("one_row", "few_rows", "many_rows") if given.get("all") else ("few_rows",):
        result = work.run(["./parallel", f"test_{name}"])
        assert "ThreadSanitizer" not in result.out + result.err and "1 test" in result.out + result.err, result
