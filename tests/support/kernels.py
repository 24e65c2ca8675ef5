"""Kernels: made, compiled with all warnings, linked with the harness of tests/exec or their self-test, run."""
import pathlib
import re

from testing import SOURCE, fail, given

WARNINGS = ("-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wcast-qual -Wcast-align -Wshadow -Wundef "
            "-Werror").split()
C_WARNINGS = [*WARNINGS, "-Wmissing-prototypes"]
INCLUDE = f"-I{SOURCE / 'include'}"
INCLUDES = [INCLUDE, f"-I{SOURCE / 'tests/exec'}", f"-I{SOURCE / 'tests/support'}"]
RUNTIME = sorted(SOURCE.glob("runtime/*.c"))
CASES = SOURCE / "tests/exec/cases"
SEED = int(given.get("seed", 1))


def built(name, path):
    """A file of the build, if CMake does not pass it on: `path` below the folder of the preset `test`."""
    return given.get(name) or str(SOURCE / "build/test" / path)


def library():
    return built("runtime", "runtime/libsplitgen_runtime.a")


def gen_ops(work, stem, kind, *numbers, **more):
    """Writes <stem>.lua and <stem>_table.c; returns the number of ops."""
    command = [built("gen_ops", "tests/exec/gen_ops"), kind, *map(str, numbers), f"{stem}.lua", f"{stem}_table.c"]
    return int(work.run(command, **more).out)


def prefix(work, folder, *command):
    """Precompiles prefix.h with this compiler command; returns the flags that use the result. The command must have the
    same -std, -O, -D and -m flags as the later ones. Worthwhile from three files on."""
    header = work.write(f"{folder}/prefix.h", (SOURCE / "tests/support/prefix.h").read_text())
    work.run([*command, "-x", "c-header", header, "-o", f"{header}.gch"])
    return ["-Winvalid-pch", "-include", header]


def spoil(work, name, text, other):
    """Replaces a text of a file once, which must have it."""
    code = work.read(name)
    if text not in code:
        fail(f"'{text}' is not in {name}")
    work.write(name, code.replace(text, other, 1))


def selftest_memory(work, name):
    """The bytes that the function of a self-test says it needs."""
    return int(re.search("at least ([0-9]+) bytes:", work.read(name))[1])


def has_avx2():
    """Whether this processor has AVX2; False if nobody says so."""
    path = pathlib.Path("/proc/cpuinfo")
    return path.exists() and " avx2 " in path.read_text()


class Kernels:
    """How one configuration makes programs. `cc` compiles C, and kernels if there is no `cxx`. `options` are
    splitgen's, `machine` the compiler's for another processor, whose programs `emulator` runs. `harness` (objects,
    with | between them) and `library` are what the build has made; without them, they are compiled here, and
    `checker` are the sources of the harness that run kernels."""

    def __init__(self, work, cc, *, cxx=None, standard="c99", options="", flags="", machine="", includes=(), harness="",
                 library="", checker="tests/exec/check.c tests/support/guard.c"):
        self.work, self.cc, self.cxx, self.standard, self.library = work, cc, cxx, standard, library
        self.options, self.machine = options.split(), machine.split()
        self.flags = [*flags.split(), *self.machine]
        self.includes = [*includes, *INCLUDES]
        self.harness, self.checker = harness, checker
        self.prefix, self.emulator, self.env = [], [], {}

    def object(self, source, *flags, compiler=None, name=None, includes=None):
        """Compiles a source of the project or, beside it, of the folder; returns the object's name."""
        path = pathlib.PurePath(source)
        out = str(path.with_suffix(".o")) if not path.is_absolute() else f"{name or path.stem}.o"
        includes = self.includes if includes is None else includes
        self.work.run([compiler or self.cc, *flags, *includes, "-c", source, "-o", out])
        return out

    def support(self, *sources):
        return [self.object(SOURCE / source, "-std=c11", "-D_DEFAULT_SOURCE", *self.flags, "-O1", "-Wall", "-Wextra",
                            "-Werror") for source in sources]

    def runtime(self):
        """What is linked with kernels. Of a library, the part that detects the processor is compiled again if there are
        flags for it."""
        sources = RUNTIME
        if self.library:
            detects = any(flag.startswith("-DSPLITGEN_CPU_") for flag in self.flags)
            sources = [SOURCE / "runtime/splitgen_cpu.c"] if detects else []
        flags = ["-std=c99", *C_WARNINGS, *self.flags]
        return [self.object(source, *flags) for source in sources] + [self.library] * bool(self.library)

    def build_harness(self):
        objects = self.harness.split("|") if self.harness else self.support(
            *self.checker.split(), "tests/exec/check_tensors.c", "tests/exec/packed_reference.c",
            "tests/support/prng.c", "tests/support/reference.c")
        self.linked = [*objects, *self.runtime()]

    def use_prefix(self):
        """For tests that compile many files; only if the compiler's own headers are used."""
        if self.library and not self.cxx:
            self.prefix = prefix(self.work, "prefix", self.cc, f"-std={self.standard}", *self.flags)

    def kernels(self, source, *flags):
        """Compiles kernels; those of a standalone file without the project's headers."""
        alone = any(option.startswith("--standalone") for option in self.options)
        includes, prefix = ((), ()) if alone else (self.includes, self.prefix)
        if self.cxx:
            return self.object(source, "-x", "c++", f"-std={self.standard}", *WARNINGS, "-Wmissing-declarations",
                               *self.flags, *flags, compiler=self.cxx, includes=includes)
        return self.object(source, f"-std={self.standard}", *C_WARNINGS, *self.flags, *prefix, *flags,
                           includes=includes)

    def link(self, program, *objects):
        """Links; clang's sanitizers of C++ need its library."""
        self.work.run([self.cxx or self.cc, *self.flags, *objects, "-o", program])
        return f"./{program}"

    def run(self, program, *arguments, **more):
        return self.work.run([*self.emulator, program, *arguments], env=self.env, **more)

    def self_test(self, stem, runtime, more=()):
        """Compiles the printed kernels and self-test <stem> and runs them."""
        folder = f"-I{pathlib.PurePath(stem).parent}"
        objects = [self.kernels(f"{stem}{part}.c", folder) for part in ("", "_test", *more)][:2]
        return self.run(self.link(f"{stem}_self_test", *objects, *runtime))

    def make_batch(self, stem):
        """Makes the program <stem>_check of the ops that gen_ops() wrote."""
        self.work.splitgen([*self.options, "-o", f"{stem}.c", f"{stem}.lua"])
        kernels = self.kernels(f"{stem}.c")
        table = self.object(f"{stem}_table.c", "-std=c11", "-Wall", "-Wextra", "-Werror", *self.machine)
        self.link(f"{stem}_check", table, kernels, *self.linked)

    def check_batch(self, stem, count):
        """Runs it: exactly `count` ops must pass. Returns the numbers of concats and of ops with row strides, if
        told."""
        result = self.run(f"./{stem}_check", stem, out=f"executed {count} ops")
        told = re.search("([0-9]+) joins, ([0-9]+) with strides", result.out)
        return [int(number) for number in told.groups()] if told else []

    def batch(self, stem, *ops):
        """Makes, compiles and runs ops; its files are large and removed."""
        count = gen_ops(self.work, stem, *ops)
        self.make_batch(stem)
        told = self.check_batch(stem, count)
        for path in self.work.path.glob(f"{stem}*"):
            path.unlink()
        return [count, *told]

    def contract(self, self_tests):
        """Calls the kernels of the documented specs through their typed functions and descriptors, two files with
        clashing names in one program, and compiles a kernel with offsets beyond 2^31. The generated self-tests of some
        specs run, the benchmarks and the headers alone are compiled."""
        runtime = self.runtime()
        self.use_prefix()
        objects = []
        for name, arguments in {
                "qkv": [CASES / "qkv.lua", "-D", "batch=2"], "rgb": ["-e", "rgb: u8[4,5,3] @2 -> /3"],
                "rest": ["-e", "rest: f16[3,576] @-1 -> kv:512 _:16 tail:*"], "many": [CASES / "many.lua"],
                "free": [CASES / "free.lua"], "first": ["--prefix", "first_", CASES / "clash.lua"],
                "second": ["--prefix", "second_", CASES / "clash.lua", "-D", "swap=1"],
                "far": [CASES / "far.lua"]}.items():
            self.work.splitgen([*arguments, "-o", f"{name}.c"])
            objects.append(self.kernels(f"{name}.c"))
        main = self.object(SOURCE / "tests/exec/contract_main.c", "-std=c11", "-O1", *self.flags, "-Wall", "-Wextra",
                           "-Werror")
        self.work.run([self.cc, *self.flags, main, *objects[:-1], *runtime, "-o", "contract"])
        self.run("./contract")
        for stem in self_tests:
            self.work.splitgen(["--emit=c,h,test,bench", "-o", f"{stem}_self/", CASES / f"{stem}.lua"])
            self.work.write(f"{stem}_self/{stem}_header.c", f'#include "{stem}.h"\n' * 2)
            self.self_test(f"{stem}_self/{stem}", runtime, more=("_bench", "_header"))
