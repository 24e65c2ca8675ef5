"""?"""
import re

from testing import CUT, exactly, regex


def test_check_verifies_generated_files_that_are_kept_in_a_repository(work):
    work.write("cut.lua", CUT)
    work.splitgen("cut.lua -o k.c --header k.h")
    work.splitgen("cut.lua --check k.c --header k.h", out="", err="")
    before = work.read("k.c").replace("void cut", "void CUT")
    work.write("k.c", before)
    done = work.splitgen("cut.lua --check k.c", 4, out=[
        regex(r"^--- k.c\n\+\+\+ k.c \(as generated\)\n@@ -(\d+) \+(\d+) @@\n"),
        regex(r"\n-[^\n]*void CUT[^\n]*\n\+[^\n]*void cut[^\n]*\n$")],
        err=regex(r"^<command line>:1:26: error: 'k.c' is stale from line \d+ on\n"))
    line = int(re.search(r"@@ -(\d+)", done.out)[1])
    assert "void CUT" in before.splitlines()[line - 1] and "void CUT" not in "\n".join(before.splitlines()[:line - 1])
    work.expect_file("k.c", exactly(before))
    work.splitgen("cut.lua --check k.c --header k.h", 4, err="'k.c' is stale")


def test_missing_empty_longer_and_shorter_files(work):
    work.write("cut.lua", CUT)
    work.splitgen("cut.lua --check none.c", 4, out="", err="'none.c' does not exist")
    work.run(": > k.c; splitgen cut.lua --check k.c", 4, out="@@ -1 +1 @@\n+/*")
    work.run("splitgen cut.lua -o k.c; echo more >> k.c; splitgen cut.lua --check k.c", 4, out=regex(r"@@\n-more\n$"))
    work.run("splitgen cut.lua -o k.c; truncate -s -1 k.c; splitgen cut.lua --check k.c", 4,
             out="\\ No newline at end of file\n+")


def test_a_checkout_with_crlf_line_ends_is_not_stale_a_file_that_mixes_both_kinds_is(work):
    work.write("cut.lua", CUT)
    work.run("splitgen cut.lua -o k.c; sed -i 's/$/\\r/' k.c; splitgen cut.lua --check k.c", out="", err="")
    work.run("sed -i '3s/\\r//' k.c; splitgen cut.lua --check k.c", 4)
    work.run("sed -i 's/$/\\r/' cut.lua; splitgen cut.lua --check k.c", 4)
    work.run("sed 's/\\r$//' cut.lua > x; splitgen cut.lua -o k.c; mv x cut.lua; splitgen cut.lua --check k.c")


def test_several_kinds_with_a_common_stem_json_on_standard_error_options_before_and_after(work):
    work.write("cut.lua", CUT)
    work.run("splitgen cut.lua --emit=c,json,h -o s; splitgen cut.lua --emit=c,json,h --check s")
    work.run("rm s.json; echo >> s.h; splitgen cut.lua --emit=c,json,h --check s --diagnostics-format=json", 4,
             out=regex(r"^--- s.h\n"), err=["'s.json' does not exist", "'s.h' is stale"])
    work.splitgen("cut.lua --check k.c -o k.c", 2)
    work.splitgen("cut.lua --check -", 2)
    work.run("mkdir d; splitgen cut.lua --check d", 4, err="'d/cut.c' does not exist")
    work.splitgen("cut.lua --emit=h,c --check x.h/", 4)
    assert not (work / "x.h").exists(), "--check made a folder"
