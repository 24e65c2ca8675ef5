"""Tensors whose rows lie apart, the sizes of buffers, and the choice between versions."""
import re
import shutil

from kernels import CASES, INCLUDE, INCLUDES, WARNINGS, gen_ops, library
from testing import SOURCE, given, needs

ALL = given.get("all")
HERE = SOURCE / "tests/exec"

# A row stride, of every tensor; groups of rows; planes with a pixel stride; parts that are not wanted, or only views;
# packed elements; open dimensions; arrays of parts; empty tensors; rows that are one row.
OPS = ("y: u8[480,640]/768 @1 -> plane:640", "f32[5,9]/12 @1 -> 2/3 7/16", "f32[5,9]/12 @1 <- 2/3 7/16",
       "u8[3/200,4/30,10] @2 -> p:4/25/5 q:6", "u8[3/200,4/30,10] @2 <- p:4/25/5 q:6",
       "u8[72/256,32/4,2] @2 -> u:1 v:1",
       "u8[72/256,32/2,1] @2 -> u:1", "u8[6,63]/64 @1 -> _:32 p:16 _:15", "u8[6,63]/70 @1 <- p:32/40 _:16 q:15",
       "u8[9,8]/11 @1 -> a:view:3 b:5", "u4[5,9]/12 @1 -> 3/5 6", "u4[5,10]/13 @1 <- 3 7/9",
       "u1[7,33]/40 @1 -> 1 32/64",
       "u3[4,16]/24 @1 -> 8/16 8", "f32[n?,9]/12 @1 -> 2/3 7", "f32[n?,m?,9]/12 @2 <- 2/3 7",
       "u8[n?/200,4/30,10] @2 -> 4 6", "f32[n?,4,9,m?] @2 -> 2 7", "u4[n?,16]/24 @1 -> 8/10 8",
       "u16[3,80]/100 @1 -> /40",
       "u16[3,80]/100 @1 <- /40", "f32[0,8]/10 @1 -> 3/4 5", "f32[3,0]/10 @1 -> 0 0/2", "f32[n?,0]/10 @1 -> 0 0/2",
       "u8[1,8]/10 @1 -> 3/9 5", "string[3,4]/6 @1 -> /2", "c128[2,3]/5 @1 -> 1 2/4")


def test_buffers(work):
    """Buffers of exactly the size that the header documents are enough for a kernel, and not too large: each lies
    between unmapped pages. All kinds of tensors, fixed and random. The kernels of a standalone file, compiled without
    headers by each compiler, write the same bytes."""
    cc, count = needs("gcc"), 1000 if ALL else 100
    gen_ops(work, "special", "special", 60)
    gen_ops(work, "random", "random", 1, count, 60, env={"SPLITGEN_STRIDES": "60"})
    for name, arguments in {"fixed": [word for op in OPS for word in ("-e", op)], "special": ["special.lua"],
                            "random": ["random.lua"], "groups": [CASES / "pitch.lua", "-D", f"count={count // 3}"]}.items():
        work.run([given["watched"], "--isa=portable,avx2", *arguments, "-o", f"{name}.c", "--emit=c,h,test"],
                 env={"SPLITGEN_TEMPLATES": str(HERE / "buffers")})
        work.splitgen(["--isa=portable,avx2", *arguments, "--standalone", "--prefix=alone_", "-o", f"{name}_alone.c",
                       "--header", f"{name}_alone.h"])
        flags = [*WARNINGS, *INCLUDES, f"-I{HERE / 'buffers'}", "-I."]
        for part in ("", "_test"):
            work.run([cc, "-std=c99", "-O0", *flags, "-c", f"{name}{part}.c", "-o", f"{name}{part}.o"])
        for compiler in filter(shutil.which, ("gcc", "clang", "g++", "tcc")):
            freestanding = ["-x", "c++", "-std=c++11", "-fno-exceptions", "-ffreestanding"]
            language = freestanding if compiler == "g++" else ["-std=c99"]
            work.run([compiler, *language, *WARNINGS, "-O0", "-c", f"{name}_alone.c", "-o", f"{name}_alone.o"])
            work.run([cc, "-std=c11", "-D_DEFAULT_SOURCE", "-O1", *flags, HERE / "buffers/main.c",
                      SOURCE / "tests/support/guard.c", f"{name}.o", f"{name}_alone.o", f"{name}_test.o", library(),
                      "-o", name])
            work.run([work / name], out=re.compile("[1-9][0-9]* calls\n$"))


def test_pitch(work):
    """Kernels whose rows lie in groups with padding between them: their self-tests check every byte that is written,
    the padding, and the bytes around the tensors."""
    cc, seeds, count = needs("gcc"), 8 if ALL else 4, 12 if ALL else 6
    ways = ("--non-temporal=auto", "--non-temporal=always", "--optimize=size", "--unroll=none --isa=portable")
    for seed in range(1, seeds + 1):
        # This takes compilers twice as long, so only every second seed uses it; over eight seeds each combination
        # occurs once.
        sanitized = ["-fsanitize=undefined", "-fno-sanitize-recover=all"] if (seed + seed // 5) % 2 == 0 else []
        work.splitgen([*ways[seed % 4].split(), CASES / "pitch.lua", "-D", f"seed={seed}", "-D", f"count={count}", "-o",
                       "k.c", "--emit=c,h,test"])
        flags = [cc, "-std=c99", *WARNINGS, INCLUDE]
        work.run([*flags, "-O1", *sanitized, "-c", "k.c", "-o", "k.o"])
        work.run([*flags, "-O3", "-c", "k_test.c", "-o", "k_test.o"])  # self-tests check bytes one by one
        work.run([cc, *sanitized, "k.o", "k_test.o", library(), "-o", "test"])
        work.run("./test", out="ok ")


def test_dispatch(work):
    """The dispatch in the C agrees with the plan's dispatch table, row by row, and versions use the right kind of
    stores (dispatch.lua)."""
    lua, turn, kernels = needs("lua5.4", "lua54"), 0, 0
    for kind in ("special", "random", "many", "wide", "l2", "llc", "far"):
        gen_ops(work, kind, kind, *{"special": [1000000000], "random": [11, 60, 3000]}.get(kind, [11, 8]))
        for options in ("", "--non-temporal=always", "--tune=goldencove --isa=avx512,avx2",
                        "--optimize=size --isa=all --non-temporal=auto"):
            turn += 1
            if ALL or (turn + turn // 4) % 2:  # otherwise two of the four sets of options, alternating by class
                work.write("plans.txt", work.splitgen([*options.split(), f"{kind}.lua", "--dump=plan"]).out)
                work.splitgen([*options.split(), f"{kind}.lua", "-o", "kernels.c"])
                told = work.run([lua, HERE / "dispatch.lua", "plans.txt", "kernels.c"]).out
                kernels += int(told.split("\t")[0])
    assert kernels >= 100
