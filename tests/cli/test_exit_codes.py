"""Every exit code, with the output; inputs of every kind."""
import pytest
from kinds import KINDS
from listing import lists
from testing import CUT, regex


def test_every_exit_code_with_the_output(work):
    work.write("good.lua", CUT)
    work.write("bad.lua", "return split { dtype = 'f32', shape = { 7 }, parts = 2 }\n")
    work.write("loop.lua", "while true do end\n")
    work.write("hog.lua", "local s = 'x' while true do s = s .. s end\n")
    work.write("empty.lua", "return {}\n")
    work.splitgen("good.lua", out=["void cut(", "cut_kernel"], err="")
    work.splitgen("bad.lua", 1, out="", err=regex(r"^bad.lua:1:\d+: error: "))
    work.splitgen("empty.lua", 1, out="", err="error: ")
    work.splitgen("good.lua bad.lua", 1, out="")
    work.splitgen("", 2, out="", err=regex(r"^usage: splitgen "))
    work.splitgen("--list", 2, err=regex(r"^<command line>:1:16: error: there is no input"))
    work.splitgen("good.lua --no-such", 2, out="", err=[regex(
            r"^<command line>:1:19: error: unknown option '--no-such'"),
            "\n    1 | splitgen good.lua --no-such\n      |                   ^~~~~~~~~\n"])
    work.splitgen("- - < good.lua", 2, err="standard input can be read only once")
    work.splitgen("'no such.lua'", 3, out="", err=[regex(
            r"^<command line>:1:10: error: cannot read 'no such.lua': No such file or directory"),
                                                   "splitgen 'no such.lua'"])
    # Unknown commands, if no file has that name.
    for word, more, wanted in [("list", "good.lua", "splitgen --list FILE"), ("generate", "good.lua", "splitgen FILE"),
                               ("verify", "good.lua", "python -m splitgen verify FILE"), ("bench", "", "python -m splitgen bench FILE")]:
        work.splitgen(f"{word} {more}", 3, out="", err=regex(
                rf"^<command line>:1:10: error: cannot read '{word}': [^\n]*; write '{wanted}'"))
    work.run("cp good.lua verify; splitgen verify --list")
    work.splitgen("--help", out=["python -m splitgen verify FILE", "python -m splitgen bench FILE"])
    work.splitgen("--man", out=["python -m splitgen verify", "python -m splitgen bench"])
    work.splitgen(".", 3, err="'.' is a folder; give the spec or the model in it")
    work.splitgen("good.lua -o no/such/k.c", 3, out="", err="cannot write 'no/such/k.c': there is no folder 'no'")
    work.splitgen("good.lua -o good.lua/k.c", 3, err="cannot write 'good.lua/k.c': Not a directory")
    work.splitgen("good.lua --check none.c", 4, out="", err="'none.c' does not exist")
    work.splitgen("loop.lua --max-seconds 1", 5, out="", err=regex(r"^loop.lua:1:"))
    work.splitgen("hog.lua --max-memory 1", 5, out="", err=regex(r"^hog.lua:1:"))
    work.splitgen("-e 'f32[4000000,4] @1 -> /2' --unroll=full", 5, out="", err="error: ")


def test_inputs_of_every_kind_in_order_in_one_c_file(work):
    work.write("good.lua", CUT)
    work.splitgen("-e 'one: f32[4] -> /2' - -e 'two: f32[4] -> /2' -- good.lua --list < good.lua", 3,
                  err="cannot read '--list'")
    work.splitgen("-e 'one: f32[4] -> /2' good.lua -e 'two: f32[4] -> /2' --list", out=lists("one: ", "cut: ", "two: "))
    work.splitgen("-e 'f32[4] -> /2' -e 'f32[4] -> /2' --list", out=lists("split: ", "split_2: "))
    work.splitgen("- --list < good.lua", out=regex(r"^cut: "))
    work.splitgen("good.lua ./good.lua", 2, out="", err=["'./good.lua' is the file of another input",
                                                         "note: it is given here first"])
    work.splitgen("good.lua -e 'x: f32[1] -> 2' -e 'y: f99[1] -> 1'", 1, err=regex(r"error: .*error: "))


@pytest.mark.parametrize("op", ["u8[3000000000000000000,2] @1 -> 1 1", "u8[2,4611686018427387903] @1 -> 1 *",
                                "u8[115292150460684697,66] @1 -> /33", "u8[2,4611686018427387840] @1 -> /40",
                                "f64[1152921504606846975] -> *", "u8[9223372036854775807] <- 9000000000000000000 *",
                                "f32[n?,1205198240331365783] @1 <- 405475314263781056 *",
                                "u4[2,576460752303423480] @1 -> /2"])
def test_sums_of_sizes_near_2_to_the_63(work, op):
    """A build with -DSPLITGEN_SANITIZE=undefined detects overflow."""
    work.splitgen(f"-e 'a: {op}' --emit={','.join(KINDS)} -o huge/", out="", err="")
    assert len(work.files("huge")) >= len(KINDS)
    work.splitgen(f"-e 'a: {op}' --explain", out=regex("^a: "))
    work.splitgen(f"-e 'a: {op}' --report=json --non-temporal=always").holds({"kernels 0 name": "a"})
