"""Files that are neither specs nor models, under several names and on standard input: each format of foreign.inc gets its
message, other bytes the general one, and text the error of Lua at its place; if the name does not say that it is a spec,
with a note on what splitgen reads."""
import gzip
import io
import pickle
import random
import re
import zipfile

import pytest
from testing import regex

NEITHER = "neither a spec nor a model that splitgen reads"


def archive(name):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        z.writestr(name, b"")
    return out.getvalue()


def noise(seed, n):
    return b"\xae" + random.Random(seed).randbytes(n)


# name, content, message
NAMED = [("net.pt", archive("a/data.pkl"), "program of PyTorch"), ("net.PTH", archive("a/data.pkl"), "program of PyTorch"),
         ("net.keras", archive("metadata.json"), "model of Keras"), ("net.pb", noise(1, 99), "is no ONNX model"),
         ("net.mlmodel", noise(2, 99), "Core ML"), ("net.onnx", b"Entry not found", NEITHER), ("empty.onnx", b"", NEITHER)]
# content, message under any name
TOLD = [(gzip.compress(b"x"), "compressed with gzip"), (b"version https://git-lfs.github.com/spec/v1\n", "Git LFS's pointer"),
        (b"<!DOCTYPE html>\n<html>", "a web page"), (b"<HTML>", "a web page"), (archive("a.npy"), "is a zip archive"),
        *((pickle.dumps({"a": 1}, n), "is a pickle") for n in (2, 3, 4, 5)), (b"\x89HDF\r\n\x1a\n" + bytes(9),
            "is an HDF5 file"),
        (b"\x93NUMPY\1\0v\0{}", "is an array of NumPy"), (b"GGUF\3\0\0\0", "GGUF"), (b"\x20\0\0\0\0\0\0\0{\"w\": {}}",
            "safetensors"),
        (b"\x1c\0\0\0TFL3" + bytes(40), "TensorFlow Lite"), (bytes(5000), NEITHER), (b"\xff" * 5000, NEITHER),
        (noise(3, 4096), NEITHER), ("return split {}\n".encode("utf-16"), NEITHER)]
TEXT = ["import torch\n", "{\"a\": 1}\n", "version: 2\na:\n - b\n", "# A title\n\nSome text.\n", "<svg/>\n",
        "a: f32[4] @0 -> /2\n"]


def run(work, name, content, err):
    if name != "-":
        work.write(name, content)
    work.splitgen([name], 1, out="", err=err, stdin=content)


@pytest.mark.parametrize("name,content,said", NAMED, ids=[name for name, _, _ in NAMED])
def test_formats_told_by_their_name(work, name, content, said):
    run(work, name, content, said)


@pytest.mark.parametrize("name", ["-", "x", "x.lua", "x.onnx", "x.xml"])
def test_formats_told_by_their_content(work, name):
    for content, said in TOLD:
        run(work, name, content, regex(f"error: '[^']*' [^\n]*{re.escape(said)}"))


@pytest.mark.parametrize("text", TEXT)
def test_text(work, text):
    run(work, "x.lua", text.encode(), regex(r"^x\.lua:\d+:\d+: error: (?!.*read as a spec)"))
    for name in "-", "x.txt":
        run(work, name, text.encode(), [regex(r"^(<stdin>|x\.txt):\d+:\d+: error: "),
                                        "note: it is read as a spec, which is text in Lua"])


def test_a_file_that_a_spec_loads(work):
    work.write("w.gguf", b"GGUF\3\0\0\0")
    work.write("load.lua", 'return onnx.load("w.gguf")')
    work.splitgen("load.lua", 1, out="", err=regex(r"^load.lua:1:\d+: error: 'w.gguf' .*GGUF"))
