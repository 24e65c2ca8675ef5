"""Compilers, in ways that need not give fast code, have no warning about generated code: every gcc and clang of this
machine, clang as Microsoft's compiler, and names that the machine's headers use."""
import os
import pathlib
import re
import shutil

import pytest
from kernels import INCLUDE, RUNTIME, SEED, WARNINGS, gen_ops
from testing import SOURCE, given, needs

# Tiles, long runs, runs beside tiles, padded rows, combined stores, open rows, packed elements, an array of parts.
FORMS = ("rgb: u8[100,192,3] @2 -> r:1 gb:2", "join_planes: u8[5000,2] @1 <- 1,1",
         "mixed: f32[300,85] @1 -> 2,2,1,80", "pitched: u8[108/600,190,2] @2 -> u:1 v:1",
         "any_rows: f32[N?,6] @1 -> 2,4", "packed: u4[66,160] @1 -> 64,32,64", "many: f32[40,40] @1 -> /40")


def test_compilers(work):
    """The oldest and the newest version of gcc and of clang, which are one on most machines, and with all=1 those between;
    and clang-tidy's check of widths."""
    for stem, forms in {"ops": FORMS, "quick": FORMS[1:]}.items():  # with sanitizers the first takes longer than all others
        work.splitgen([*(word for form in forms for word in ("-e", form)), "--non-temporal=always", "--emit=c,h,test", "-o",
                       f"{stem}.c"])
    seen = {}
    for kind in "gcc", "clang":
        here = [name for version in range(9, 31) if shutil.which(name := f"{kind}-{version}")]
        default = [kind] if shutil.which(kind) else []
        for name in default + here if given.get("all") else [*here[:1], *here[-1:]] or default:
            seen.setdefault(os.path.realpath(shutil.which(name)), name)
    if not seen:
        pytest.skip("sudo apt-get install gcc")
    for compiler in seen.values():
        work.run([compiler, INCLUDE, "-c", "ops_test.c", "-o", "test.o"], err="")
        for flags in ("-x c -std=c99 -Og -pg", "-x c++ -std=c++17 -Og", "-x c -std=c11 -O1 -fno-inline --coverage",
                      "-x c -std=c99 -O0 -march=native -fsanitize=address,undefined"):
            source = "quick.c" if "sanitize" in flags else "ops.c"
            work.run([compiler, INCLUDE, *flags.split(), *WARNINGS, "-c", source, "-o", "ops.o"], err="")
        if compiler.startswith("clang"):
            work.run([compiler, "-Wused-but-marked-unused", "-Werror", INCLUDE, "-fsyntax-only", "ops.c"], err="")
    if shutil.which("clang-tidy"):
        work.run(["clang-tidy", "--quiet", "--header-filter=splitgen/", "--warnings-as-errors=*", "ops.c",
                  "--checks=-*,bugprone-implicit-widening-of-multiplication-result", "--", "-w", INCLUDE], err="")


def test_msvc(work):
    """Generated code and the runtime under /W4 /WX: by clang as clang-cl, for x86-64 and AArch64, as C and as C++.
    <stddef.h> and <stdint.h> come with clang; the few other declarations of Windows' headers are written here."""
    clang = needs("clang")
    random, copies, ways = 12, 40, ["--isa=avx2,avx512,neon", "--no-memcpy --optimize=size"]
    if given.get("all"):
        random, copies = 100, 300
        ways += ["--unroll=none", "--isa=portable", "--non-temporal=always", "--dispatch=static"]
    for name, declarations in {
            "string": "void *memcpy(void *, const void *, size_t);\nvoid *memset(void *, int, size_t);\n"
                      "int memcmp(const void *, const void *, size_t);\nint strcmp(const char *, const char *);\n",
            "stdlib": "void *malloc(size_t);\nvoid free(void *);\n",
            "stdio": "int printf(const char *, ...);\n"}.items():
        work.write(f"headers/{name}.h", '#pragma once\n#include <stddef.h>\n#ifdef __cplusplus\nextern "C" {\n#endif\n'
                                        f"{declarations}#ifdef __cplusplus\n}}\n#endif\n")

    def compile(source, *flags, exit=0, out=None):
        for target in ("x86_64", "aarch64"):
            work.run([clang, "--driver-mode=cl", f"--target={target}-pc-windows-msvc", "/W4", "/WX", "/c", "-imsvc",
                      work / "headers", f"/I{SOURCE / 'include'}", *flags, "/Foout.obj", "--", source], exit, err=out)

    work.write("warned.c", "int narrow(unsigned long long wide);\nint narrow(unsigned long long wide)\n{\n"
                           "    int unused;\n    return wide < 3;\n}\n")
    compile("warned.c", exit=1, out="unused variable")
    for source in RUNTIME:
        compile(source)
        compile(source, "/O2")
    gen_ops(work, "random", "random", SEED, random, 2000)
    gen_ops(work, "special", "special", copies)
    for way in ways:
        for spec in ("random", "special"):
            work.splitgen([*way.split(), "--emit=c,h,test,registry", "-o", "out/", f"{spec}.lua"])
            for part in ("", "_test", "_registry"):
                compile(f"out/{spec}{part}.c")
            compile(f"out/{spec}.c", "/TP", "/EHsc")


HEADERS = """alloca assert complex ctype dirent dlfcn errno fcntl fenv float fnmatch ftw glob grp iconv inttypes iso646
    langinfo libgen limits locale math monetary netdb poll pthread pwd regex sched search semaphore setjmp signal spawn
    stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string strings sys/mman sys/resource
    sys/select sys/socket sys/stat sys/time sys/types sys/uio sys/wait syslog termios tgmath threads time uchar unistd
    utime wchar wctype wordexp""".split()


def identifiers(work):
    """Those of the machine's C and POSIX headers and the built-in functions of its gcc. Names that begin with '_' or
    contain "__" are refused by a rule, not by the list."""
    work.write("headers.h",
               "".join(f"#if __has_include(<{name}.h>)\n#include <{name}.h>\n#endif\n" for name in HEADERS))
    words = set()
    for flags in (["-D_GNU_SOURCE"], []):
        text = work.run(["gcc", "-x", "c", "-std=gnu99", *flags, "-E", "-dD", "headers.h"]).out
        text = re.sub('"[^"\n]*"', "", re.sub("^# .*", "", text, flags=re.M))
        words.update(re.findall(r"\b[A-Za-z][A-Za-z0-9_]*", text))
    cc1 = pathlib.Path(work.run(["gcc", "-print-prog-name=cc1"]).out.strip())
    builtins = re.findall(b"__builtin_([A-Za-z][A-Za-z0-9_]*)", cc1.read_bytes() if cc1.exists() else b"")
    words.update(name.decode() for name in builtins if not re.match(b"(ia32|arm|aarch64|neon|nvptx|cpu)_", name))
    return sorted(word for word in words if "__" not in word)


def test_names(work):
    """Every identifier as the name of a kernel and of an output: the names that splitgen accepts compile in every kind
    of output. The refused names are in generator/split/names.inc; an error here shows which ones are missing there.
    With all=1 each name is a kernel and an output, in C and in C++, by an older and a newer standard. Without it, a
    thousand are kernels in C, the next thousand outputs in C++, and so on; the first thousand each are in the other
    kinds too."""
    needs("gcc"), needs("g++")
    words = identifiers(work)
    if len(words) < 1000:
        pytest.skip(f"only {len(words)} identifiers found in the headers of gcc")
    # A run reports few errors, so listed names are left out from the start (cli.name_rules tests them); kernels may
    # have the names that are reserved only on Windows.
    listed = re.sub(r'WIN\("[^)]*\)', "", (SOURCE / "generator/split/names.inc").read_text())
    listed = set(re.findall(r'\("([A-Za-z0-9_]+)"', listed))

    def compile(words, outputs, complete):
        refused = () if outputs else listed
        while True:
            words = [word for word in words if word not in refused]
            ops = ["zz_wide: f32[4096,3] @1 -> 1 2", "zz_bits: u4[7,5] @1 -> 2 3"] + [
                f"zz_{i}: f32[2,2] @1 -> {word}:1 zz_rest:1" if outputs else f"{word}: f32[2,2] @1 -> 1 1"
                for i, word in enumerate(words)]
            work.write("k.lua", f"return {{ {', '.join(f'split {op!r}' for op in ops)} }}\n")
            made = work.splitgen(["k.lua", "--emit=c,h,test,bench" if complete else "--emit=c", "-o", "k.c"], exit=None)
            refused = set(re.findall("kernel name '([A-Za-z0-9_]+)'", made.err))
            if not refused:
                break
        made.expect()
        ways = {"c99": "gcc", "gnu++17": "g++", "gnu11": "gcc", "c++11": "g++"}
        if not given.get("all"):
            ways = {"gnu++17": "g++"} if outputs else {"c99": "gcc"}
        for standard, compiler in ways.items():
            for part in ("", "_test", "_bench") if complete else ("",):
                work.run([compiler, "-x", "c++" if "+" in standard else "c", f"-std={standard}", *WARNINGS, INCLUDE,
                          "-fsyntax-only", f"k{part}.c"])

    for number, first in enumerate(range(0, len(words), 1000)):
        for outputs in (False, True) if given.get("all") else (number % 2 == 1,):
            compile(words[first:first + 1000], outputs, given.get("all") or number < 2)


PLACED = """<ir_version: 10, opset_import: ["" : 18]>
net (float[2,8,4] image, bool more) => (result, arena) <int64[2] halves = {4,4}, float[2,1,4] k = {1,2,3,4,5,6,7,8}> {
  x = Abs (image)
  ["split"] A, a = Split <axis = 1> (x, halves)
  ["/conv/int"] int = Neg (a)
  ["net"] "/y/0" = Concat <axis = 1> (A, a, int, k)
  result = Neg ("/y/0")
  ["choose"] arena = If (more) <
    then_branch = yes () => (float[2,13,4] one) { y_0 = Neg ("/y/0") one = Concat <axis = 0> (y_0) },
    else_branch = no () => (float[2,13,4] two) { two = Abs ("/y/0") }>
}
"""


def test_placed(work):
    """A block runs in the arena by the constants of --emit=placement-header, beside the header of the kernels, as C and
    as C++. Its names would be one constant, that of the arena and a word of C among them; and a graph is in another."""
    cc, cxx = needs("gcc"), needs("g++")
    work.write("net.onnxtxt", PLACED)
    work.splitgen("--prefix=my_ --strided=Abs,Neg --strided-read=Neg --emit=c,h,placement-header -o net.c net.onnxtxt")
    main, flags = SOURCE / "tests/exec/placement_main.c", [*WARNINGS, INCLUDE, "-I."]
    for standard in ("c99", "c11"):
        work.run([cc, f"-std={standard}", *flags, main, "net.c", *RUNTIME, "-o", "run"])
        work.run("./run")
    for standard in ("c++11", "c++17"):
        work.run([cxx, f"-std={standard}", *flags, "-x", "c++", "-fsyntax-only", main])
