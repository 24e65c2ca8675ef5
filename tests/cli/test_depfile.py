"""Dependency files: which files they name, how they are escaped, and that make and ninja agree."""
import pytest
from testing import CUT, exactly, needs


@pytest.fixture
def work(work):
    work.write("cut.lua", CUT)
    work.write("parts/sizes.lua", "return { 2, 4 }\n")
    work.write("my specs/two words.lua", """local s = require 'common'
return split {
  name = 'cut', dtype = 'f32', shape = { 6 }, lengths = require 'sizes', outputs = s }
""")
    work.write("my specs/common.lua", "return { 'a', 'b' }\n")
    return work


@pytest.mark.parametrize("arguments,text", [
    ("cut.lua -o k.c", "k.c: \\\n  cut.lua\n"),
    ("cut.lua -o ./k.c --depfile-target 'a b$c#d'", "a\\ b$$c\\#d: \\\n  cut.lua\n"),
    ("cut.lua --depfile-target k.c > k2.c", "k.c: \\\n  cut.lua\n"),
    ("cut.lua --emit=c,h -o g/ --header i.h", "g/cut.c i.h: \\\n  cut.lua\n"),
    ("-e 'f32[4] -> /2' -o k.c", "k.c:\n"),
    ("- -o k.c < cut.lua", "k.c:\n"),
    # Every file read through require is named once, with blanks escaped.
    ("'my specs/two words.lua' -I parts -o k.c -MP", """k.c: \\
  my\\ specs/two\\ words.lua \\
  my\\ specs/common.lua \\
  parts/sizes.lua

my\\ specs/two\\ words.lua:

my\\ specs/common.lua:

parts/sizes.lua:
"""),
])
def test_contents(work, arguments, text):
    work.splitgen(f"--depfile k.d {arguments}", out="", err="")
    work.expect_file("k.d", exactly(text))


def test_without_a_target(work):
    work.splitgen("cut.lua --depfile k.d", 2, out="", err="'--depfile' needs '-o' or '--depfile-target'")
    work.splitgen("'my specs/two words.lua' 'my specs/two words.lua' --list -I parts", 2)


def test_list_and_check_write_no_dependency_file(work):
    work.splitgen("cut.lua -o k.c --depfile k.d --list", 2)
    work.run("splitgen cut.lua -o k.c; splitgen cut.lua --check k.c --depfile k.d")
    assert "k.d" not in work.files()


@pytest.mark.parametrize("name", ["a;b", "a|b", "a:", "a\\", "a\\:b", "a\\#b", "a'b", 'a"b', "a&b", "a*b", "a<b", "a>b", "a?b",
                                  "a^b", "a`b", "a\tb"])
def test_a_name_that_cannot_be_escaped_for_both_make_and_ninja_is_refused(work, name):
    work.write(f"odd/{name}", CUT)
    work.splitgen([f"odd/{name}", "-o", "k.c", "--depfile", "k.d"], 3, err="a dependency file cannot name 'odd/")
    work.splitgen(["cut.lua", "-o", "k.c", "--depfile", "k.d", "--depfile-target", name], 3,
                  err="make and ninja agree on no spelling of a ")
    assert "k.d" not in work.files()


def project(work, generate, target, source):
    """Projects of make and of ninja that run the tool, which say when they do."""
    work.write("generate", f"{generate} --depfile k.d -MP\n")
    in_make = target.replace("#", "\\#").replace(":", "\\:")
    work.write("Makefile", f"{in_make}:\n\t@echo made; sh ./generate; touch -d 2012-01-01 *.c\n-include k.d\n")
    in_ninja = target.replace(":", "$:")
    work.write("build.ninja",
               f"rule gen\n  command = sh ./generate; touch *.c\n  depfile = k.d\nbuild {in_ninja}: gen\n")
    work.run(["touch", "-d", "2001-01-01", f"./{source}"])


# Every other name, of a source and of a target.
NAMES = [("k.c", name) for name in ("a:b.lua", "a#b.lua", "a:b:c.lua", "a b.lua", "a$b.lua", "a[b.lua", "a(b.lua", "~b.lua",
                                    "a\\b.lua", "a\\ b.lua", "##::.lua")] + [("a:b.c", "cut.lua"), ("a#b.c", "cut.lua")]


@pytest.mark.parametrize("target,source", NAMES)
def test_make_does_nothing_without_a_change_and_rebuilds_after_one(work, target, source):
    make = needs("make")
    work.write(source, CUT)
    project(work, f"splitgen './{source}' -o '{target}'", target, source)
    work.run([make, "-s"], out=exactly("made\n"))
    work.run([make, "-s"], out="")
    work.run(["touch", "-d", "2015-01-01", f"./{source}"])
    work.run([make, "-s"], out=exactly("made\n"))


@pytest.mark.parametrize("target,source", NAMES)
def test_ninja_does_nothing_without_a_change_and_rebuilds_after_one(work, target, source):
    ninja = needs("ninja", "ninja-build")
    work.write(source, CUT)
    project(work, f"splitgen './{source}' -o '{target}'", target, source)
    work.run([ninja])
    work.run([ninja], out="no work to do")
    work.run(["touch", "-d", "2099-01-01", f"./{source}"])
    work.run([ninja], out="sh ./generate")


def test_make_with_required_files(work):
    make = needs("make")
    work.write("Makefile", """k.c: cut.lua
\t@echo made; splitgen 'my specs/two words.lua' -I parts -o k.c --depfile k.d -MP
-include k.d
""")
    work.run(f"{make} -s", out=exactly("made\n"))
    work.run(f"touch -d 2001-01-01 *.lua */*.lua; touch k.c; {make} -s", out="")
    work.run(f"touch -d 2099-01-01 'my specs/common.lua'; {make} -s", out=exactly("made\n"))
    # The tool reports a missing file, not make.
    work.run(f"touch -d 2001-01-01 'my specs/common.lua'; {make} -s; rm parts/sizes.lua; {make} -s", 2, err="sizes")


def test_ninja_with_required_files(work):
    ninja = needs("ninja", "ninja-build")
    work.write("build.ninja", """rule gen
  command = splitgen 'my specs/two words.lua' -I parts -o $out --depfile $out.d
  depfile = $out.d
  restat = 1
build n.c: gen
""")
    work.run(f"{ninja} && {ninja}", out="no work to do")
    work.run(f"touch -d 2099-01-01 parts/sizes.lua; {ninja}", out="splitgen")
