"""Options that print something about the tool: help, version, completions, manual, vocabulary."""
import json
import re

import pytest
from testing import SOURCE, exactly, needs, regex, without


def test_version(work):
    done = work.splitgen("--version", out=regex(
        r"^splitgen \d+\.\d+\.\d+\n(commit [0-9a-f]+\n)?with Lua 5\.4\.\d+, expat \d+\.\d+\.\d+, nettle \d+\.\d+\n$"), err="")
    version = done.out.splitlines()[0]
    work.splitgen("-e 'a: f32[2] -> 1 1' -o -", out=[regex(rf" {re.escape(version)}[;. ]"), without("commit")])


def test_help(work):
    done = work.splitgen("--help", err="", out=[
        regex("^usage: splitgen "), regex(r"\n  --emit=KINDS +what[^\n]*\n +c +the kernels\n +h +their header\n"),
        regex(r"\n  -h, --help\[=TOPIC\] +print this help, or help on a topic\n"), "Exit codes: 0 "])
    assert not [line for line in done.out.splitlines() if len(line) > 100], "too wide"
    work.splitgen("--help=options", out=exactly(done.out))
    work.splitgen("-h", out=exactly(done.out))
    work.splitgen("--help > /dev/full", 3, err="cannot write standard output: No space left on device")
    # The same list of options in JSON: the argument of each, and every group.
    listed = work.splitgen("--help=json", err="", out=[
        '\n{"long":"emit","short":"","argument":"KINDS","optional":false,"repeats":false,"list":true,"choices":["c","h",',
        regex(r'\n{"long":"open",[^\n]*"optional":true,"repeats":true,"list":false,"choices":\[\],"group":"Input"'),
        regex(r'\n{"long":"non-temporal",[^\n]*"older":\[{"name":"nt","value":""}\]')])
    assert len(listed.json["options"]) == len(re.findall(r"\n  --?[a-zA-Z]", done.out))


def test_every_name_of_every_element_type_is_in_the_help_the_manual_and_the_vocabulary(work):
    work.splitgen("--help=types", err="", out=[
        regex(r"\n  f32 +32 bits +float FP32 float32 single <f4 float32_t\n"),
        regex(r"\n  i64 +64 bits +int64 long longlong intp int_ np.int <i8 int64_t\n"), "\n  byte int uint cfloat\n",
        "\n  torch. np. "])
    work.splitgen("--print=man", out=[
        "\n.It Pa STEM_test.c Pq Cm test\na program that tests the kernels\n",
        "\n.It Cm f32\nfloat FP32 float32 single <f4 float32_t\n", "\nbyte int uint cfloat\n"])
    work.splitgen("--print=lua-api", out=['\n---| "f32" # float FP32 float32 single <f4 float32_t\n',
                                          "\n---@field opset integer\n"])


@pytest.mark.parametrize("words,offered", [
    ("--emit = c,js", "c,json\n"), ("--color =", "auto\nalways\nnever\n"), ("--color n", "never\n"),
    ("--depfile-", "--depfile-target=\n"),
    ("-o spl", "splitgen.bash\n"), ("a", "a.lua\na.onnx\na.onnxtxt\na.xml\n")])
def test_bash(work, words, offered):
    """The completions that bash offers for a command line that is split into words as in bash."""
    bash = needs("bash")
    work.splitgen("--print=bash -o splitgen.bash", out="", err="")
    for name in "a.lua", "a.txt", "a.onnx", "a.onnxtxt", "a.xml":
        work.write(name, "")
    work.write("complete.sh", """compopt() { :; }
. ./splitgen.bash
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_splitgen
printf '%s\\n' "${COMPREPLY[@]}"
""")
    work.run([bash, "-n", "splitgen.bash"])
    work.run([bash, "complete.sh", "splitgen", *words.split()], out=exactly(offered))


def test_no_such_shell(work):
    work.splitgen("--print=tcsh", 2, err="'tcsh' is not a value of '--print', which takes 'man', ")


def test_zsh_offers_models_and_texts(work):
    work.splitgen("--print zsh", out=[regex(r":WHAT:\(man [^)]* cmake-dir\)"), '_files -g "*.(lua|onnx|onnxtxt|xml)"'])


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_syntax_of_completions(work, shell):
    path = needs(shell)
    work.splitgen(f"--print {shell} -o splitgen.{shell}")
    work.run([path, "-n", f"splitgen.{shell}"])


@pytest.mark.parametrize("line,offered", [
    ("b.", ["b.lua\n", "b.onnx\n", "b.onnxtxt\n", "b.xml"]),  # all files, also models
    # Every value of every option with choices has a description of its own.
    ("--emit=", ["--emit=c\tthe kernels\n", "--emit=svg\ta picture of the memory\n"]),
    ("--emit=c,h,p", ["--emit=c,h,proof\ta harness", "--emit=c,h,py\ta Python module"]),
    ("--unroll=", [regex("auto\t[^\n]+\n"), "full\twrite every copy out\n", "none\tkeep a loop over the rows\n"]),
    ("--tune=ge", ["--tune=generic\tgeneric\n"]), ("--help=", ["--help=options\tall options\n", "--help=types\t"])])
def test_fish(work, line, offered):
    fish = needs("fish")
    work.splitgen("--print fish -o splitgen.fish")
    for name in "b.lua", "b.onnx", "b.onnxtxt", "b.xml":
        work.write(name, "")
    work.run([fish, "-c", f'source splitgen.fish; complete -C "splitgen {line}"'], out=offered,
             env={"HOME": str(work.path), "PATH": f"{work.env['PATH']}:."})


def test_manual(work):
    work.splitgen("--print=man", out=["\n.Sh OPTIONS\n", "\n.Sh EXIT STATUS\n"])
    work.splitgen("--print=nothing", 2, err="'nothing' is not a value of '--print', which takes 'man', ")
    work.splitgen("--print man -o splitgen.1")
    work.splitgen("--print=man-runtime -o splitgen-runtime.3")
    work.run([needs("mandoc"), "-Tlint", "-Wstyle", "splitgen.1", "splitgen-runtime.3"], out="", err="")


@pytest.mark.parametrize("text,older", [
    ("man", "--man"), ("man", "--man=tool"), ("man-runtime", "--man=runtime"), ("bash", "--completion=bash"),
    ("bash", "--completion bash"), ("lua-api", "--print-lua-api"), ("shape-rules", "--print-shape-rules"),
    ("cmake-dir", "--print-cmake-dir")])
def test_each_older_option_prints_the_same(work, text, older):
    todays = work.splitgen(f"--print={text}", out=regex(".")).out
    work.splitgen(older, out=exactly(todays), err="")


def test_vocabulary(work):
    work.splitgen("--print=lua-api -o api.lua")
    work.expect_file("api.lua", [
        regex("^---@meta"), "function split(", "function onnx.Split(", "function openvino.Split(",
        "function openvino.VariadicSplit(", "function param(", "function require("])
    work.run([needs("luac5.4", "luac54", "luac"), "-p", "api.lua"])


def test_globals_that_examples_disable_do_not_exist_in_specs_and_the_others_do(work):
    disabled = json.loads((SOURCE / "examples/.luarc.json").read_text("utf-8"))["runtime.builtin"]
    for library in "coroutine", "debug", "io", "math", "os", "package", "string", "table", "utf8":
        work.write("library.lua", f"assert({library} ~= nil)\nreturn split 'a: u8[2] -> 1 1'\n")
        work.splitgen("library.lua --list", 1 if library in disabled else 0)
