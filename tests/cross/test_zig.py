"""The tool for other systems, built by generator/packaging/zig with zig. For Windows it then runs under wine and is
compared with the native tool: standard output, standard error, exit code and files must be identical."""
import os
import shutil
import subprocess
import sys

import pytest
from testing import SOURCE, exactly, needs, regex

SPEC = "return split {{ name = 'qkv', dtype = 'f32', shape = {{ 2, 12 }}, axis = -1, lengths = {} }}\n"
MODEL = """<ir_version: 10, opset_import: ["" : 18]>
net (float[batch, 6] x) => (a, b)
{
  ["s"] a, b = Split <axis = 1, num_outputs = 2> (x)
}
"""
GOOD = SPEC.format("{ 4, 4, 4 }")
FILES = {"good.lua": GOOD, "sub/good.lua": GOOD, "crlf.lua": GOOD.replace("\n", "\r\n"),
         "bad.lua": SPEC.format("{ 4, 4, 5 }"), "sub/needs.lua": SPEC.format("require('lib.n')"),
         "sub/lib/n.lua": "return { 4, 4, 4 }\n", "net.onnxtxt": MODEL, "crlf.onnxtxt": MODEL.replace("\n", "\r\n")}


def build(work, target):
    module = subprocess.run([sys.executable, "-m", "ziglang", "version"], capture_output=True, check=False)
    if module.returncode and not shutil.which("zig") and not os.environ.get("ZIG"):
        pytest.skip("no zig: pip install ziglang, or set ZIG")
    needs("apt-get"), needs("dpkg-source")  # they fetch the sources
    return work.run([sys.executable, SOURCE / "generator/packaging/zig/build.py", target, "--tool", "--work", work / "zig"]
                    ).out.strip()


def test_macos(work):
    build(work, "aarch64-macos")  # nothing here can run it


def test_windows(work):
    wine = needs("wine", "wine64")
    tool = build(work, "x86_64-windows-gnu")
    work.env.update(WINEDEBUG="-all", WINEPREFIX=str(work / "wine"))
    work.run([wine, tool, "--version"], exit=None)  # makes wine's folder, and says so
    for folder in ("ours", "theirs"):
        for name, text in FILES.items():
            work.write(f"{folder}/{name}", text)

    def same(exit, *arguments):
        """Runs both tools, each in its own folder."""
        here = work.splitgen(arguments, exit, cwd="ours")
        work.run([wine, tool, *arguments], exit, exactly(here.out), exactly(here.err), cwd="theirs")

    same(0, "-e", "rgb: u8[1080,1920,3] @2 -> r:1 g:1 b:1", "-o", "rgb.c", "--header", "rgb.h")
    output = "good.lua -o q.c --header q.h --depfile q.d"
    for exit, arguments in ((1, "bad.lua"), (1, "bad.lua --diagnostics-format=json"),
                            (0, "good.lua --emit=c,h,test,json,svg -o ."), (0, output), (0, output),
                            (0, "--check q.c good.lua"), (0, "crlf.lua --emit=c"), (0, "--list -D batch=1 net.onnxtxt"),
                            (0, "--open crlf.onnxtxt --emit=c"), (0, "--explain good.lua"), (2, "--nonsense"),
                            (3, "goood.lua"), (3, "sub"), (3, "good.lua -o nowhere/x.c"), (0, "good.lua -o é.c")):
        same(exit, *arguments.split())
    for folder in ("ours", "theirs"):
        work.write(f"{folder}/q.c", work.read(f"{folder}/q.c") + "x\n")
    same(4, "--check", "q.c", "good.lua")
    same(0, *"good.lua -o q.c --header q.h".split())
    ours, theirs = ({str(path.relative_to(work / folder)): path.read_bytes()
                     for path in (work / folder).rglob("*") if path.is_file()} for folder in ("ours", "theirs"))
    assert ours == theirs

    def windows(*arguments, exit=0, err=None):
        return work.run([wine, tool, *arguments], exit, err=err, cwd="theirs").out

    windows("sub\\good.lua", "-o", "sub\\q.c", "--header", "sub\\q.h", "--depfile", "sub\\q.d")
    work.expect_file("theirs/sub/q.c", exactly(work.read("ours/q.c")))
    work.expect_file("theirs/sub/q.d", exactly("sub/q.c sub/q.h: \\\n  sub/good.lua\n"))
    drive = f"Z:{work / 'theirs/sub'}"  # wine maps the complete file system here
    back = drive.replace("/", "\\")
    windows(f"{back}\\good.lua", "-o", f"{back}\\q.c", "--header", f"{drive}/q.h", "--depfile", f"{drive}/q.d")
    escaped = drive.replace(" ", "\\ ")
    work.expect_file("theirs/sub/q.d", exactly(f"{escaped}/q.c {escaped}/q.h: \\\n  {escaped}/good.lua\n"))
    native = work.splitgen(["sub/needs.lua", "--emit=c"], cwd="ours")
    assert windows("sub\\needs.lua", "--emit=c") == native.out
    # NUL and similar names are devices in every folder, also with an extension.
    work.write("theirs/sub/device.lua", "return require('NUL')\n")
    windows("sub\\device.lua", exit=1, err=regex("cannot read 'sub[^']*NUL.lua': it is not a regular file"))
