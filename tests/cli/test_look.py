"""--list, --only, --explain and --dump print one text, also to a file, and write no file of code."""
import re

import pytest
from listing import lists
from testing import CUT, exactly, regex, without, without_match

TWO = "return { split 'alpha: f32[4,2] @0 -> /2', split 'beta: f32[4,2] @1 -> /2' }\n"


def test_list(work):
    """--only, --explain and --dump print one text, also to a file, and write no file of code."""
    work.write("cut.lua", CUT)
    work.write("two.lua", TWO)
    work.splitgen("two.lua --list", out=lists("alpha: ", "beta: "), err="")


@pytest.mark.parametrize("look", ["--list", "--list=json", "--explain", "--report=text", "--report=json", "--dump=op",
                                  "--dump=program"])
def test_a_text_is_written_to_a_file_and_options_about_code_are_refused(work, look):
    work.write("cut.lua", CUT)
    work.write("two.lua", TWO)
    text = work.splitgen(f"two.lua {look}").out
    work.splitgen(f"two.lua {look} -o -", out=exactly(text))
    work.splitgen(f"two.lua {look} -o seen", out="", err="")
    work.expect_file("seen", exactly(text))
    (work / "seen").unlink()
    word = re.match("--[a-z]+", look)[0]
    for other in ["--header k.h", "--depfile k.d", "--check k.c", "--emit=c,h", "--shards 2",
                  "--depfile k.d --depfile-target t", "--depfile k.d -MP"]:
        work.splitgen(f"two.lua {look} -o seen {other}", 2, out="", err=regex(
                rf"'--(header|depfile|check|emit|shards)' is about files of generated code, and '{word}[^\n']*' makes none"))
    # If --list is added to a command, its file of code is unchanged; an input is not overwritten either.
    for file in ["k.c", "k.h", "k.svg", "k_test.c", "k.py"]:
        work.splitgen(f"two.lua {look} -o {file}", 2, err=regex(
                rf"'{file}' ends as a file of '--emit=[a-z]+' does, but '{word}[^\n']*' would be written to it"))
    work.splitgen(f"two.lua {look} -o two.lua", 2, err="the output 'two.lua' would overwrite the input 'two.lua'")
    work.splitgen(f"two.lua {look} -o ./", 2, err=f"'./' is a folder, but '{word}")
    work.expect_files("cut.lua", "two.lua")


def test_information_makes_no_files(work):
    work.write("two.lua", TWO)
    work.write("cut.lua", CUT)
    work.splitgen("two.lua --list -o k.json", 2)
    work.run("splitgen two.lua --report=json -o k.json && rm k.json")
    for information in ["--man", "--version", "--help", "--print=bash", "--print=lua-api", "--print=shape-rules",
                        "--print=cmake-dir"]:
        for other in ["--header k.h", "--depfile k.d", "--check k.c", "--emit=c", "-o k.c", "-o ./"]:
            work.splitgen(f"{information} {other}", 2, out="")
    work.expect_files("cut.lua", "two.lua")
    work.splitgen("two.lua --explain", out=["alpha", "beta", "contiguous", "strided"], err="")


def test_list_as_json(work):
    """One document; the text is unchanged."""
    work.write("two.lua", TWO)
    work.write("cut.lua", CUT)
    work.splitgen("two.lua --list=text", out=exactly(work.splitgen("two.lua --list").out))
    text = work.splitgen("two.lua --list=json").out
    for older in ["--list --format=json", "--format json --list"]:
        work.splitgen(f"two.lua {older}", out=exactly(text), err="")
    document = work.splitgen(
        "two.lua -e 'c: u8[2,6] @1 -> a:1 _:2 b:*; d: u8[1,4] @1 -> none:0 all:4' --prefix p_ --list=json", err="").json
    alpha, beta, c, d = document["ops"]
    assert document["schema"] == 1
    assert alpha["name"] == "p_alpha" and alpha["type"] == "f32" and alpha["shape"] == [4, 2] and alpha["axis"] == 0
    assert alpha["lengths"][1] == 2 and alpha["bytes"] == 32 and alpha["views"][:2] == ["out0", "out1"]
    assert "node" not in alpha, "a spec has no node"
    assert beta["axis"] == 1 and not beta["views"], "strided views are not free"
    assert c["lengths"][1] == 2 and c["outputs"][1:] == [None, "b"]
    assert d["views"] == ["all"], "an empty output is no view"
    assert (document["summary"]["splits"], document["summary"]["bytes_copied"], document["summary"][
            "bytes_saved_by_views"]) == (4, 40, 36)
    done = work.splitgen("-e 'a: u8[9223372036854775807] -> 1 *; b: u8[9223372036854775807] -> 1 *' --list=json")
    assert done.json["summary"]["bytes_saved_by_views"] is None, "a sum beyond int64"
    work.splitgen("two.lua --list=yaml", 2, out="", err="'yaml' is not a value of '--list'")
    work.splitgen("two.lua --list=json --dump=op", 2, out="")
    work.splitgen("two.lua --list=json -D x=1 --diagnostics-format=json", err='"hiddenErrors":0').holds({"schema": 1})
    work.expect_files("cut.lua", "two.lua")


def test_dump(work):
    work.write("cut.lua", CUT)
    text = "".join(work.splitgen(f"cut.lua --dump={stage}", out="cut", err="").out
                   for stage in ("op", "split", "layout", "plan", "program"))
    work.splitgen("cut.lua --dump=program,op,plan,layout,split", out=exactly(text))
    work.splitgen("cut.lua --dump=token", 2, err="'token' is not a value of '--dump'")
    work.expect_files("cut.lua")


def test_an_early_stage_can_be_printed_although_a_later_one_fails(work):
    work.write("wrong.lua", "return split { dtype = 'f32', shape = { 7 }, parts = 2 }\n")
    work.splitgen("wrong.lua --dump=op", out="7")
    work.splitgen("wrong.lua --dump=split", 1, out="")


def test_only_selects_by_the_ops_own_name(work):
    """Keeps the order, and hides the errors of other ops."""
    work.write("two.lua", TWO)
    work.write("wrong.lua", "return split { dtype = 'f32', shape = { 7 }, parts = 2 }\n")
    work.splitgen("two.lua --only beta --list", out=lists("beta: "))
    work.splitgen("two.lua --only=beta --only alpha --list", out=lists("alpha: ", "beta: "))
    work.splitgen("two.lua --only=beta --prefix my_", out=["void my_beta(", without("alpha")])
    work.splitgen("two.lua --only betta", 2, out="", err=regex(
            r"^<command line>:1:25: error: no op is called 'betta'; did you mean 'beta'"))
    work.splitgen("two.lua --only zzz", 2, err="'--list' prints the names")
    work.splitgen("wrong.lua two.lua --only alpha --list")


def test_names_and_places_in_the_c(work):
    work.write("cut.lua", CUT)
    work.splitgen("cut.lua --prefix p_ --export-macro MY_API --emit=h", out=["MY_API", "p_cut(", "p_cut_kernel"])
    work.splitgen("cut.lua --section .fast", out=".fast")
    work.splitgen("cut.lua -D batch=2", err="")
    work.write("param.lua", "return split { dtype = 'u8', shape = { param('batch', 1), 4 }, axis = 1, parts = 2 }\n")
    # Older names of options and of their values mean the same, and the printed command has today's.
    todays = work.splitgen("-e 'u8[9,3] @1 -> /3' --non-temporal=never --views=omit --emit=proof-cpp").out
    work.splitgen("-e 'u8[9,3] @1 -> /3' --nt=never --views=constants --emit=vectors", out=exactly(todays))
    # So do processors that have no row of costs; a file of costs is not read.
    for older, today in ("alderlake", "goldencove"), ("gracemont", "zen3"), ("neoverse_n1", "neoverse_v2"), ("skylake",
        "zen3"), ("v8_arm", "v8"), ("zen2", "zen3"):
        todays = work.splitgen(f"-e 'u8[64,5] @1 -> /5' --tune={today}").out
        work.splitgen(f"-e 'u8[64,5] @1 -> /5' --tune={older}", out=exactly(todays))
    todays = work.splitgen("-e 'u8[64,5] @1 -> /5'").out
    for machine in ["--machine=absent", "--machine absent"]:
        work.splitgen(f"-e 'u8[64,5] @1 -> /5' {machine}", out=exactly(todays),
                      err="note: '--machine' has no effect: '--tune' names a processor")
    work.splitgen("param.lua -D batc=2 --list", err="no input has a parameter or dim 'batc'; did you mean 'batch'")
    work.splitgen("param.lua --list", out="u8[1,4]")
    work.splitgen("param.lua -Dbatch=8 --list", out="u8[8,4]", err="")
    none = work.splitgen("-e 'n: f32[64,3] @1 -> /3' --unroll=none --dump=plan").out
    full = work.splitgen("-e 'n: f32[64,3] @1 -> /3' --unroll=full --dump=plan").out
    assert full != none
    # Options that are gone change nothing, and say so.
    for gone in ["--unroll-budget=2", "--unroll-budget 2", "--allow-unused-defines", "--shared-defines",
                 "--depfile-input x", "--print-arrays", "--max-kernels=1"]:
        work.splitgen(f"-e 'n: f32[64,3] @1 -> /3' {gone} --unroll=full --dump=plan", out=exactly(full), err=regex(
                r"note: '--[a-z-]+' has no effect: "))
    work.splitgen("-e 'n: f32[64,3] @1 -> /3' --no-memcpy --isa=avx2", 2, err="'--no-memcpy' is for portable code")
    work.splitgen("-e 'n: f32[64,3] @1 -> /3' --no-memcpy --isa=portable", out="splitgen_words_32")
    # Small code is a loop, unless another option asks for more.
    work.splitgen("-e 'n: f32[64,3] @1 -> /3' --optimize=size --dump=plan",
                  out="a loop over the rows is the smallest code")
    work.splitgen("-e 'n: f32[64,3] @1 -> /3' --optimize=size --unroll=full --dump=plan",
                  out="unrolled in full as asked")
    work.splitgen("-e 'n: f32[64,3] @1 -> /3' --optimize=size", out=without_match(r"avx2|neon"))
    work.splitgen("-e 'n: f32[2000000,3] @1 -> /3' --optimize=size --isa=avx2", out=["n_avx2(", without(
            "_non_temporal")])
    work.splitgen("-e 'n: f32[2000000,3] @1 -> /3' --optimize=size --isa=avx2 --non-temporal=auto",
                  out="n_avx2_non_temporal(")
