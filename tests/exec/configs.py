"""The configurations of test_ops.py, and which tests they take part in and share. Those count whose compilers this machine has,
which need not be the project's own. CMake runs this file for the tests' names: `configs.py [all]`."""
import collections
import shutil
import sys

# Behaviour that depends on the machine is tested on any: the bits of the traits of GOLDENCOVE, ZEN5 and ZEN4 in
# machines.h, which standalone files do not name.
INTEL, ZEN5, ZEN4 = (f"-DSPLITGEN_CPU_ASSUME={traits:#x}U -DSPLITGEN_CPU_IGNORE=0xff0U"
                     for traits in (0x78, 0x8, 0x708))
SANITIZED = "-O0 -fsanitize=address,undefined -fno-sanitize-recover=all"
FULL = "--unroll=full --isa=portable"
MANY = 30000
Config = collections.namedtuple("Config", "name share standard copies options flags")

# The share of the random ops (0: only for classes), the standard, the copies per op, options of splitgen, flags.
# Compilers take nearly all of the time, 1 (tcc) to 70 ms (sanitizers) per op, which determines the shares. The
# processor selects one of all versions, so some configurations leave out the best ones; tcc supports only the portable
# one, and not all of C.
CONFIGS = [Config(*row) for row in (
    ("gcc_c99_O0", 6, "c99", MANY, "", f"-O0 {ZEN4}"),
    ("gcc_c99_full", 24, "c99", 80, FULL, "-O0"),
    ("gcc_cxx", 4, "c++17", MANY, "", f"-Og {INTEL}"),
    ("gcc_avx2_O1", 4, "c11", MANY, "--isa=avx2 --non-temporal=always", "-O1"),
    ("gcc_c99_O2", 3, "c99", MANY, "", f"-O2 {INTEL}"),
    ("gcc_none_O2", 6, "c11", MANY, "--unroll=none --isa=portable", "-O2"),
    ("gcc_size_Os", 6, "c99", MANY, "--optimize=size", "-Os"),
    ("gcc_words_O2", 6, "c11", MANY, "--no-memcpy", "-O2 -fsanitize=alignment -fno-sanitize-recover=all"),
    ("gcc_native_O2", 3, "c11", MANY, "--dispatch=static", "-O2 -march=native"),
    ("gcc_stream_O1", 3, "c99", MANY, "--non-temporal=always", f"-O1 {ZEN4}"),
    ("gcc_asan", 2, "c11", MANY, "", f"{SANITIZED} {ZEN5}"),
    ("clang_c99_none", 16, "c99", MANY, "--unroll=none", "-O0"),
    ("clang_c99_full", 80, "c99", 80, FULL, "-O0"),
    ("clang_cxx", 16, "c++17", MANY, "--isa=avx2", "-O0"),
    ("clang_plain_O1", 4, "c11", MANY, "--isa=portable", "-O1"),
    ("clang_c99_O2", 3, "c99", MANY, "", f"-O2 {ZEN5}"),
    ("clang_none_O2", 3, "c11", MANY, "--unroll=none --tune=zen5", "-O2"),
    ("clang_native_O2", 3, "c11", MANY, "--dispatch=static", "-O2 -march=native"),
    ("clang_stream_O1", 3, "c99", MANY, "--non-temporal=always", f"-O1 {INTEL}"),
    ("clang_asan", 2, "c11", MANY, "", f"{SANITIZED} {ZEN4}"),
    ("clang_native_O1", 0, "c11", MANY, "", "-O1 -march=native"),
    ("clang_cxx11_asan", 0, "c++11", MANY, "", f"{SANITIZED} {ZEN5}"),
    ("gcc_cxx11_O1", 0, "c++11", MANY, "", f"-O1 {INTEL}"),
    ("tcc_c99", 75, "c99", MANY, "", ""),
    ("tcc_words", 70, "c99", MANY, "--no-memcpy --optimize=size", ""),
    ("tcc_none", 70, "c99", MANY, "--unroll=none --isa=portable", ""),
    ("gcc_alone_O1", 3, "c99", MANY, "--standalone=descriptors", f"-O1 {ZEN5}"),
    ("gcc_cxx_alone", 3, "c++11", MANY, "--standalone=descriptors", f"-O0 {INTEL}"),
    ("clang_alone_O1", 3, "c11", MANY, "--standalone=descriptors", f"-O1 {ZEN4}"),
    ("tcc_alone", 30, "c99", MANY, "--standalone=descriptors", ""),
    ("tcc_full", 70, "c99", 80, FULL, ""))]


def compilers(config):
    """The configuration's compilers of C and, if it is one of C++, of that; None if one is missing."""
    cc = config.name.split("_")[0]
    cxx = {"gcc": "g++", "clang": "clang++"}[cc] if "+" in config.standard else None
    return (cc, cxx) if shutil.which(cc) and (not cxx or shutil.which(cxx)) else None


HERE = {config.name: config for config in CONFIGS if compilers(config)}


def plan(all):
    """For each test the configurations, in order, and what test_ops.py needs to know about them."""
    auto, no = "--unroll=auto", "--unroll=none"
    specs = "qkv many clash alike bytes free".split()
    every = "gcc_c99_O2 clang_c99_O2 gcc_cxx clang_cxx gcc_asan clang_asan tcc_c99".split()
    # Compilers take long for functions of classes with sanitizers, which therefore get a small share.
    tests = {"random": {config.name: config.share for config in CONFIGS if config.share},
             "classes": {"gcc_stream_O1": 4, "clang_native_O1": 4}}
    if all:
        tests["classes"].update(clang_cxx11_asan=1, clang_stream_O1=4, gcc_cxx11_O1=4)
        # The fixed ops, with most sets of options where compiling is cheap or the optimiser matters. A version for one
        # processor does not run on others by default. With sanitizers a compiler takes four times as long, so these
        # share the instruction sets.
        tests["special"] = dict(
            gcc_c99_O2=[auto, no, "--unroll=full", "--isa=avx2"],
            clang_c99_O2=[auto, no, "--unroll=full", "--isa=portable"],
            gcc_cxx=[auto, "--non-temporal=always", "--tune=zen5", "--tune=goldencove"],
            clang_cxx=["--non-temporal=always", auto], gcc_asan=["--isa=avx512"], clang_asan=["--isa=avx2"],
            tcc_c99=["--unroll=full", auto])
        tests["contract"] = dict.fromkeys(every, specs)
        tests["fused"] = dict.fromkeys(every)
    else:
        tests["special"] = dict(gcc_c99_O2=[auto], clang_cxx=["--non-temporal=always"], clang_asan=["--isa=avx2"],
                                tcc_c99=["--unroll=full"])
        # The self-tests of every spec in some configuration.
        tests["contract"] = dict(gcc_c99_O2=["qkv"], clang_cxx=["alike"], gcc_asan=["clash", "bytes"], tcc_c99=specs)
        tests["fused"] = {"tcc_c99" if "tcc_c99" in HERE else "gcc_c99_O2": None}
    return {test: {name: told for name, told in configs.items() if name in HERE} for test, configs in tests.items()}


def group(test, config):
    """The test of CTest that runs a configuration. The random ops take a second in each, so those of one compiler share
    a test; of tcc's, those without options come first, which the build with sanitizers has alone."""
    if test != "random":
        return config
    compiler = config.split("_")[0]
    return "tcc_options" if compiler == "tcc" and HERE[config].options not in ("", "--standalone=descriptors") else compiler


if __name__ == "__main__":
    for name, configs in plan("all" in sys.argv).items():
        for one in dict.fromkeys(group(name, config) for config in configs):
            print(f"{name}.{one}")
