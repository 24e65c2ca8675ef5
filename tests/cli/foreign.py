#!/usr/bin/env python3
"""Runs the tool on generated files that are neither specs nor models, under several names and on standard input.

usage: foreign.py SPLITGEN WORK

Each format of foreign.inc gets its message, other bytes the general one, and text the error of Lua at its place; if
the name does not say that it is a spec, with a note on what splitgen reads."""
import gzip, io, os, pickle, random, re, shutil, subprocess, sys, zipfile

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
        *((pickle.dumps({"a": 1}, n), "is a pickle") for n in (2, 3, 4, 5)), (b"\x89HDF\r\n\x1a\n" + bytes(9), "is an HDF5 file"),
        (b"\x93NUMPY\1\0v\0{}", "is an array of NumPy"), (b"GGUF\3\0\0\0", "GGUF"), (b"\x20\0\0\0\0\0\0\0{\"w\": {}}", "safetensors"),
        (b"\x1c\0\0\0TFL3" + bytes(40), "TensorFlow Lite"), (bytes(5000), NEITHER), (b"\xff" * 5000, NEITHER),
        (noise(3, 4096), NEITHER), ("return split {}\n".encode("utf-16"), NEITHER)]
TEXT = ["import torch\n", "{\"a\": 1}\n", "version: 2\na:\n - b\n", "# A title\n\nSome text.\n", "<svg/>\n", "a: f32[4] @0 -> /2\n"]


def main():
    tool, work = os.path.abspath(sys.argv[1]), sys.argv[2]
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    os.chdir(work)
    wrong = 0

    def run(name, content, *said):
        nonlocal wrong
        if name != "-":
            with open(name, "wb") as file:
                file.write(content)
        done = subprocess.run([tool, name], input=content, capture_output=True, timeout=60)
        text = done.stderr.decode(errors="replace")
        if done.returncode != 1 or done.stdout or not all(re.search(s, text) for s in said):
            wrong += 1
            print(f"{name} ({content[:30]}): exit {done.returncode}, {said} was expected: {text}")

    for name, content, said in NAMED:
        run(name, content, re.escape(said))
    for content, said in TOLD:
        for name in ("-", "x", "x.lua", "x.onnx", "x.xml"):
            run(name, content, f"error: '[^']*' .*{re.escape(said)}")
    for text in TEXT:
        run("x.lua", text.encode(), r"^x\.lua:\d+:\d+: error: (?!(.|\n)*read as a spec)")
        for name in ("-", "x.txt"):
            run(name, text.encode(), r"^(<stdin>|x\.txt):\d+:\d+: error: ", "note: it is read as a spec, which is text in Lua")
    with open("w.gguf", "wb") as file:
        file.write(b"GGUF\3\0\0\0")
    run("load.lua", b'return onnx.load("w.gguf")', r"^load.lua:1:\d+: error: 'w.gguf' .*GGUF")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
