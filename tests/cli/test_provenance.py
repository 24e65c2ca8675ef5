"""The provenance in generated files: from it alone they can be generated again, byte for byte. It is the same in every
folder, and --check reports what differs."""
import hashlib
import re
import shutil

import pytest
from kinds import KINDS
from testing import SOURCE, needs, regex, without


@pytest.fixture
def work(work):
    work.write("specs/cut.lua", """local d = require 'lib.dims'
return { split { name = 'cut', dtype = 'f32', shape = { d.n, 12 }, axis = 1, lengths = { 4, 8 } },
         split { name = 'off', dtype = 'u8', shape = { 8, 6 }, parts = 3, axis = 1 } }
""")
    work.write("include/lib/dims.lua", "return { n = require('number') }\n")
    work.write("include/number.lua", "return param('n', 4)\n")
    work.write("specs/-odd.lua", "return split { name = 'odd', dtype = 'u8', shape = { 6 }, parts = 3 }\n")
    work.write("models/net.onnxtxt", """<ir_version: 10, opset_import: ["" : 18, "own" : 1]>
net (float[batch,12] x, int64[2] sizes) => (a, b, c)
{
  z = own.Same (x)
  ["one/Split"] a, rest = Split <axis = 1> (z, sizes)
  ["é??'/*x*/"] b, c, d = Split <axis = 1, num_outputs = 3> (rest)
}
""")
    work.write("models/rules.lua", "return { ['own.Same'] = function(node, inputs) return { inputs[1] } end }\n")
    return work


FOLDERS = "specs", "include", "models"
SPEC = "specs/cut.lua -I include"
NET = "models/net.onnxtxt --value sizes=4,8 --shape-rules=models/rules.lua"
CASES = [
    (SPEC, KINDS),
    (f"-D n=8 {SPEC} --prefix=p_ --export-macro=API --section=.fast", KINDS),
    (f"{SPEC} --optimize=size --non-temporal=auto --isa=all --unroll=full", ["c", "json"]),
    (f"{SPEC} --no-memcpy --unroll=none --only 'c?t' --only='o*'", ["c", "json"]),
    (f"{SPEC} --tune=zen5 --dispatch=static --non-temporal=never --isa=avx2", ["c", "json"]),
    ("- < specs/-odd.lua", ["c", "json"]),
    (f"specs/-odd.lua -e 'x: u8[4,6] @1 -> a:2,  b:*' {SPEC} -e 'y: f32[6,2] -> /3'", ["c", "json"]),
    (f"{NET} -D batch=2 --skip-unread --fuse --skip=unresolved", ["c", "json"]),
    (f"{NET} --free batch=4 --except 'one*/?p*'", ["c", "json"]),
    (f"{NET} -D batch=2 --only 'é??'\\''/*x*/' --only '*/*' --only='???*'", ["c", "json"]),
    (f"{NET} --shape x=3,12", ["c", "json"]),
    (f"{NET} --open=batch=4 --ops=all --views=omit", ["c", "json"]),
    (f"{NET} -D batch=2 --strided=Split --strided-read=Split --in-place=Split --arena-alignment=16 --cache=auto=9", ["c", "placement"]),
    (f"{SPEC} --standalone=descriptors", ["c", "h", "test"]),
    (f"{SPEC} --standalone", ["c", "h"]),
]


def again(work, file, kinds, out):
    """Generates a file and its neighbours again from the comment at its top alone. The inputs are those files with the
    digests that the comment names."""
    text = work.read(file)
    there = {hashlib.sha256(path.read_bytes()).hexdigest(): path
             for folder in FOLDERS for path in (work / folder).rglob("*") if path.is_file()}
    stdin = b""
    for digest, name in re.findall(r"^ \* SHA-256: ([0-9a-f]+)  (.*)$", text, re.M):
        if name == "-":
            stdin = there[digest].read_bytes()
        else:
            work.write(f"{out}/from/{name}", there[digest].read_bytes())
    command = re.search(r"^ \* Command: ((?:.*\\\n)*.*)$", text, re.M)[1]
    command = re.sub(r"\\\n \* *", "", command)
    (work / out / "from").mkdir(parents=True, exist_ok=True)
    (work / out / "to").mkdir()
    work.run([needs("bash"), "-c", f"{command} --emit={','.join(kinds)} -o ../to/k"], stdin=stdin, cwd=f"{out}/from")


@pytest.mark.parametrize("arguments,kinds", CASES)
def test_the_output_is_the_same_again(work, arguments, kinds):
    """From each kind of comment, and from another folder."""
    for name in "made", "moved":
        (work / name).mkdir()
    work.splitgen(f"{arguments} --emit={','.join(kinds)} -o made/k")
    elsewhere = re.sub(f"(^|[ =])({'|'.join(FOLDERS)})", lambda found: f"{found[1]}'{work.path}'/./{found[2]}",
                       arguments)
    work.splitgen(f"{elsewhere} --emit={','.join(kinds)} -o '{work.path}/moved/k'", cwd="/")
    work.run("diff -r made moved")
    again(work, "made/k.c", kinds, "again")
    work.run("diff -r made again/to")


def test_every_option_that_affects_the_text_is_used_above():
    rows = re.findall(r'OPTION\(.*?"([a-z-]*)", "([A-Za-z]*)".*, (?:TEXT|FILE|FOLDER|INPUT), [A-Z]+,$',
                      (SOURCE / "generator/driver/options.inc").read_text("utf-8"), re.M)
    assert len(rows) >= 20
    used = "\n".join([*(arguments for arguments, _ in CASES), "--shards=2"])
    for long, short in rows:
        assert re.search(f"--{long}[= ]" if long else f"-{short} ", used), f"no case gives --{long} (-{short})"


@pytest.mark.parametrize("arguments,command", [
    (f"--isa=avx2,avx512,avx2 {SPEC} -D n=4", "-D n=4 -I . --isa=avx512,avx2 cut.lua"),
    (f"{SPEC} --prefix= --optimize=speed --unroll=auto --isa=all --tune=generic --dispatch=runtime --non-temporal=auto",
     "-I . cut.lua"),
    (f"{SPEC} -D zz=1 --max-seconds=10 --max-memory=64 -Werror --color=never --depfile x.d --depfile-target=y -MP "
     "--diagnostics-format=text", "-I . cut.lua")])
def test_one_order_and_one_spelling_without_options_that_change_no_byte(work, arguments, command):
    work.splitgen(arguments, out=f"\n * Command: splitgen {command}\n")


def test_shards(work):
    (work / "shards").mkdir()
    work.splitgen(f"{SPEC} --shards=2 --emit=c,h -o shards/k")
    work.expect_files("k.h", "k_1.c", "k_2.c", folder="shards")
    for name in work.files("shards"):
        work.expect_file(f"shards/{name}", "\n * Command: splitgen -I . --shards=2 cut.lua\n")


def test_the_digests_are_those_of_sha256(work):
    """Including weights and everything that specs load."""
    shutil.copytree(SOURCE / "tests/fuzz/corpus/onnx", work / "models/deep")
    work.write("specs/loads.lua", "return onnx.load('deep/split')\n")
    said = re.findall(r"^ \* SHA-256: (.*)$", work.splitgen("-D N=3 -I models specs/loads.lua").out, re.M)
    assert said == [f"{hashlib.sha256((work / path).read_bytes()).hexdigest()}  {name}"
                    for path, name in (("specs/loads.lua", "loads.lua"), ("models/deep/split", "deep/split"))]


@pytest.mark.parametrize("ending", ["c", "json"])
def test_check_says_what_differs_and_nothing_else(work, ending):
    work.splitgen(f"{SPEC} --emit=c,json -o k")
    work.splitgen(f"{SPEC} --emit=c,json --check k", out="", err="")
    work.splitgen(f"{SPEC} --check k.{ending} --isa=portable", 4, err=[
        regex(r"is stale from line [24] on\n"),
        regex("note: it was generated with other options or inputs; now: splitgen -I . --isa=portable cut.lua\n$")])
    work.write(f"old.{ending}", re.sub("splitgen [0-9.]*[0-9]", "splitgen 0.0.1", work.read(f"k.{ending}")))
    work.splitgen(f"{SPEC} --check old.{ending}", 4,
                  err=regex("note: it was generated by another version; this is splitgen [0-9.]+\n$"))
    for name, text in (f"k.{ending}", work.read(f"k.{ending}") + "\n"), ("empty.c", ""):
        work.write(f"other_{name}", text)
        work.splitgen(f"{SPEC} --check other_{name}", 4, err=without("note"))
    work.run("echo >> include/number.lua")
    work.splitgen(f"{SPEC} --check k.{ending}", 4, err=regex(
        r"\^~*\nsplitgen: note: it was generated from another 'number.lua'; its SHA-256 is now [0-9a-f]+\n$"))
