"""Where outputs are written, and that no other file is touched."""
import os
import pathlib
import shutil

import pytest
from testing import CUT, exactly, regex


@pytest.fixture
def work(work):
    work.write("cut.lua", CUT)
    return work


@pytest.fixture
def c(work):
    """The C of cut.lua."""
    return exactly(work.splitgen("cut.lua", out=regex(".")).out)


def test_one_file(work, c):
    work.splitgen("cut.lua -o k.c", out="", err="")
    work.expect_file("k.c", c)
    work.splitgen("cut.lua -o -", out=c)
    work.splitgen("cut.lua -o /dev/stdout", out=c)
    work.splitgen("cut.lua -o /dev/stdout >> k.c")
    work.expect_file("k.c", exactly(c + c))
    (work / "k.c").unlink()
    work.splitgen("cut.lua --header h.h", out=c)
    work.expect_files("cut.lua", "h.h")


def test_several_kinds(work, c):
    """An existing folder, a new one, a stem, and a header elsewhere."""
    (work / "d").mkdir()
    work.splitgen("cut.lua --emit=c,h,json,svg,test,bench,proof -o d", out="", err="")
    work.expect_files("cut.c", "cut.h", "cut.json", "cut.svg", "cut_bench.c", "cut_proof.c", "cut_test.c", folder="d")
    work.expect_file("d/cut.c", c)
    for name in "cut_bench.c", "cut_test.c":
        work.expect_file(f"d/{name}", '#include "cut.h"')
    work.splitgen("cut.lua --emit c,h -o new/")
    work.expect_files("cut.c", "cut.h", folder="new")
    work.splitgen("cut.lua --emit c,h -o no/such/", 3)
    work.splitgen("cut.lua --emit=c,h,test -o q.c --header inc.h")
    work.expect_files("cut.lua", "d", "inc.h", "new", "q.c", "q_test.c")
    work.expect_file("q_test.c", '#include "inc.h"')
    work.splitgen("cut.lua --emit=c,h", 2, err="several kinds of output need '-o'")


def test_the_c_divided_into_several_files(work):
    """Each kernel is in one of them, together with those that share its code."""
    work.write("many.lua", """local ops = {}
for i = 1, 9 do
  ops[i] = split { name = "k" .. i, dtype = "u8", shape = { 4, 3 + i // 3 }, axis = 1, lengths = { 1, -1 } }
end
return ops
""")
    shards = "many.lua --emit=c,h,registry --shards=3"
    work.splitgen(f"{shards} -o s/ --depfile s/d")
    work.expect_files("d", "many.h", "many_1.c", "many_2.c", "many_3.c", "many_registry.c", folder="s")
    text = "".join(work.read(f"s/many_{i}.c") for i in (1, 2, 3))
    assert text.count("\nconst splitgen_kernel k") == 9, "every kernel once"
    assert text.count("Runs the code of") == 5, "shared as in one file"
    work.expect_file("s/d", regex(r"^s/many_1.c s/many_2.c s/many_3.c s/many.h s/many_registry.c: \\\n"))
    work.splitgen(f"{shards} --check s/")
    work.run(f"echo >> s/many_2.c; splitgen {shards} --check s/", 4)


def test_fewer_kernels_than_files(work):
    work.splitgen("cut.lua --shards=2 -o out.c")
    work.expect_files("cut.lua", "out_1.c", "out_2.c")
    work.expect_file("out_2.c", regex("^(?!.*\nvoid)"))


@pytest.mark.parametrize("arguments,message", [
    ("", "'--shards' needs '-o' with a folder or a stem"),
    ("--emit=h -o x.h", "'--shards' is about the C file, and none is written"),
    ("--shards=1001 -o x.c", "'--shards' takes a number from 1 to 1000, not 1001")])
def test_wrong_shards(work, arguments, message):
    work.splitgen(f"cut.lua {arguments if '--shards' in arguments else '--shards=2 ' + arguments}", 2, err=message)
    work.expect_files("cut.lua")


def test_generated_files_contain_no_path(work, c):
    """Wherever the tool is called."""
    (work / "x/y").mkdir(parents=True)
    work.splitgen("../../cut.lua", out=c, cwd="x/y")
    work.splitgen("cut.lua --emit=json", out='"kernels"')
    work.expect_files("cut.lua", "x")


def test_unchanged_files_are_not_touched_and_changed_ones_keep_their_permissions(work, c):
    work.splitgen("cut.lua -o k.c")
    os.utime(work / "k.c", (10**9, 10**9))
    work.splitgen("cut.lua -o k.c")
    work.splitgen("cut.lua --emit=c,h -o k.c")
    assert (work / "k.c").stat().st_mtime == 10**9
    work.run("echo x >> k.c; chmod 640 k.c; touch -d 2001-01-01 k.c; splitgen cut.lua -o k.c")
    status = (work / "k.c").stat()
    assert status.st_mode & 0o777 == 0o640 and status.st_mtime > 10**9
    work.expect_file("k.c", c)
    work.run("umask 027; rm k.c; splitgen cut.lua -o k.c; stat -c %a k.c", out=exactly("640\n"))


def test_links_remain_links(work, c):
    work.write("real/k.c", "old\n")
    for target in "real/k.c", "real/later.c":
        (work / "k.c").unlink(missing_ok=True)
        (work / "k.c").symlink_to(target)
        work.splitgen("cut.lua -o k.c")
        assert (work / "k.c").readlink() == pathlib.Path(target)
        work.expect_file(target, c)
    work.run("ln -sf k.c k.c; splitgen cut.lua -o k.c", 3, err="cannot write 'k.c'")


def test_a_read_only_file_is_not_overwritten(work):
    """Root can write it, unless the capability is dropped."""
    drop = ""
    if os.geteuid() == 0:
        if not shutil.which("setpriv"):
            pytest.skip("root can write everything, and setpriv is missing")
        drop = "setpriv --bounding-set=-dac_override,-dac_read_search "
    work.write("ro.c", "old\n").chmod(0o444)
    if work.run(f"{drop}sh -c 'test -w ro.c'", None).code == 0:
        pytest.skip("this system lets the user write read-only files")
    work.run(f"{drop}splitgen cut.lua -o ro.c", 3, err="cannot write 'ro.c': Permission denied")
    work.expect_file("ro.c", exactly("old\n"))
    (work / "shut").mkdir(0o555)
    work.run(f"{drop}splitgen cut.lua -o shut/k.c --header k.h", 3, err="cannot write 'shut/k.c': Permission denied")
    (work / "cut.lua").chmod(0)
    work.run(f"{drop}splitgen cut.lua", 3, err="cannot read 'cut.lua': Permission denied")
    work.expect_files("cut.lua", "ro.c", "shut")


def test_without_emit_the_extension_of_the_file_selects_the_kind(work):
    for name, start in ("e.h", "/* Generated by splitgen "), ("e.json", "{"), ("e.svg", "<svg "), ("e.py",
        '"""Generated by splitgen'):
        work.splitgen(f"cut.lua -o {name}")
        assert work.read(name).startswith(start)
    work.expect_files("cut.lua", "e.h", "e.json", "e.py", "e.svg", "splitgen_arrays.py")  # imported by Python modules
    work.splitgen("cut.lua --emit=h --check e.h")
    work.splitgen("cut.lua --check e.h")


def test_all_instruction_sets_are_the_default(work, c):
    work.splitgen("cut.lua --isa=all", out=c, err="")


def test_an_output_may_not_be_an_input_or_another_output(work):
    work.splitgen("cut.lua -o ./cut.lua", 2, err="the output './cut.lua' would overwrite the input 'cut.lua'")
    for output in "-o cut.lua", "-o k.c --header ./cut.lua", "-o k.c --depfile cut.lua":
        work.splitgen(f"- {output} < cut.lua", 2,
                      err="cut.lua' would overwrite the input that standard input is read from")
    work.expect_file("cut.lua", exactly(CUT))
    work.splitgen("cut.lua -o k.c --header ./k.c", 2,
                  err=["two outputs would be written to './k.c'", "note: the other one is named here"])
    work.splitgen("cut.lua -o k.c --depfile k.c", 2)
    work.splitgen("cut.lua --header /dev/stdout", 2)
    work.splitgen("cut.lua -o /dev/null --header /dev/null", out="", err="")
    work.expect_files("cut.lua")
