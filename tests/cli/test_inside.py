"""Paths inside files: they cannot reach outside the allowed folders, or open a file without end. No command hangs: the
test would run until it is ended."""
import os
import socket

import pytest
from testing import regex

OUT = "a symbolic link leads out of the folder"
MODEL = """<ir_version: 8, opset_import: ["" : 18]>
g (float[4] x) => (a, b) { a, b = Split <axis = 0, num_outputs = 2> (x) }
"""


@pytest.fixture
def work(work):
    for name in "secret/secret.lua", "in/lib/own.lua", "other/far.lua":
        work.write(name, "return { key = 4 }\n")
    for name in "secret/m.onnxtxt", "in/lib/m.onnxtxt":
        work.write(name, MODEL)
    for name in "pipe.lua", "pipe.onnxtxt":
        os.mkfifo(work / "in" / name)
    links = {
        "zero.lua": "/dev/zero", "zero.onnxtxt": "/dev/zero", "link.lua": "../secret/secret.lua",
        "absolute.lua": work / "secret/secret.lua", "twice.lua": "link.lua", "dir": "../secret", "root": "/",
        "lib/up.lua": "../../secret/secret.lua", "round": "dir/../secret", "link.onnxtxt": "../secret/m.onnxtxt",
        "absolute.onnxtxt": work / "secret/m.onnxtxt", "twice.onnxtxt": "link.onnxtxt", "far.lua": "../other/far.lua",
        "self": work / "in", "inner.lua": "lib/own.lua", "innerdir": "lib", "back.lua": "../in/lib/own.lua",
        "lib/side.lua": "../inner.lua", "over.lua": "self/innerdir/../lib/own.lua",
        "inner.onnxtxt": work / "in/lib/m.onnxtxt", "loop.lua": "loop.lua", "dangling.lua": "nothing"}
    for name, target in links.items():
        (work / "in" / name).symlink_to(target)
    return work


def spec(work, text, code, error="", options=""):
    work.write("in/spec.lua", f"{text}\nreturn split {{ dtype = 'f32', shape = {{ 4 }}, parts = 2 }}\n")
    if code == 0:
        work.splitgen(f"in/spec.lua {options}")
    else:
        work.splitgen(f"in/spec.lua {options}", code, out="",
                      err=[regex(r"^in/[a-z/]+.lua:1:\d+: error: "), "^", error or ()])


def require(work, name, *more):
    spec(work, f"local a = require '{name}'", *more)


def load(work, name, *more):
    spec(work, f"local a = onnx.load '{name}'", *more)


@pytest.mark.parametrize("name", ["link", "absolute", "twice", "dir.secret", "lib.up", "round.secret", "far"])
def test_links_to_specs_outside(work, name):
    require(work, name, 1, regex(rf"cannot read 'in/[a-z./]+': {OUT}[^\n]*; -I gives a spec other folders"))


@pytest.mark.parametrize("name", ["link", "absolute", "twice", "dir/m", "round/m", "root/WORK/secret/m"])
def test_links_to_models_outside(work, name):
    load(work, f"{name.replace('WORK', str(work.path)[1:])}.onnxtxt", 1, OUT)


def test_paths_to_models_outside(work):
    load(work, "../secret/m.onnxtxt", 1, "without '..'")
    load(work, f"{work.path}/in/lib/m.onnxtxt", 1, "without '..'")


def test_links_inside(work):
    for name in "lib.own", "self.lib.own", "inner", "innerdir.own", "back", "lib.side", "over", "self.self.inner":
        require(work, name, 0)
    for name in "inner", "innerdir/m", "self/innerdir/m", f"root/{str(work.path)[1:]}/in/lib/m":
        load(work, f"{name}.onnxtxt", 0)
    require(work, "far", 0, "", "-I other")
    require(work, "dangling", 1, "there is no file to require here")
    require(work, "loop", 3, "Too many levels of symbolic links")


def test_a_required_file_has_the_same_restrictions_as_the_spec(work):
    work.write("in/lib/asks.lua", "return require 'up'\n")
    spec(work, "require 'lib.asks'", 1, OUT)


def test_files_that_are_not_regular(work):
    require(work, "pipe", 1, "not a regular file")
    load(work, "pipe.onnxtxt", 1, "not a regular file")
    require(work, "zero", 1, OUT)
    load(work, "zero.onnxtxt", 1, OUT)
    load(work, "zero", 1, "not a regular file", "-I /dev")
    work.write("in/sparse.lua", "")
    os.truncate(work / "in/sparse.lua", 2**30)
    require(work, "sparse", 5, "raise --max-memory")


def test_files_on_the_command_line(work, monkeypatch):
    work.splitgen("/dev/zero", 3, err=regex(
        "^<command line>:1:10: error: cannot read '/dev/zero': it is a device or a socket"))
    (work / "zero.onnx").symlink_to("/dev/zero")
    work.splitgen("zero.onnx", 3, err="it is a device or a socket")
    work.splitgen("in", 3, err="'in' is a folder")
    work.splitgen("in/lib/m.onnxtxt --shape-rules /dev/zero", 3, err=regex(
        r"<command line>:1:\d+: error: cannot read '/dev/zero': it is a device or a socket"))
    work.splitgen("-e 'f32[4] -> /2' --check /dev/zero", 3, err="it is a device or a socket")
    work.splitgen("- </dev/zero", 1, err="'<stdin>' is neither a spec nor a model")
    with socket.socket(socket.AF_UNIX) as one:
        monkeypatch.chdir(work.path)  # the path of a socket has to be short
        one.bind("s.lua")
        work.splitgen("s.lua", 3, err="cannot read 's.lua': it is a device or a socket")


@pytest.mark.parametrize("arguments", ["-", "/dev/stdin", "in/lib/m.onnxtxt --shape-rules -",
                                       "-e 'f32[4] -> /2' --check /dev/stdin"])
def test_a_pipe_without_end(work, arguments):
    work.run(f"yes | splitgen {arguments}", 5, out="",
             err=regex(r"^<command line>:1:\d+: error: cannot read '[^']*': "
                       "it has more than 64 MiB, which is the most that is read of a pipe"))


def test_a_protobuf_model_that_claims_an_endless_string(work):
    work.run("(printf '\\010\\010\\022\\377\\377\\377\\377\\377\\377\\377\\037'; yes) | splitgen -", 5,
             err="a model from a pipe may have 2048 MiB")


def test_a_fifo_is_a_pipe_with_a_name(work):
    os.mkfifo(work / "p")
    work.run("cat in/lib/m.onnxtxt >p & splitgen p; code=$?; kill $! 2>/dev/null; exit $code", out="_kernel")
    work.splitgen("-e 'f32[4] -> /2' -o /dev/full", 3, err="cannot write '/dev/full': No space left on device")
