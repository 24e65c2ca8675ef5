#!/usr/bin/env python3
"""Runs the tool on generated files that are neither specs nor models, under several names and on standard input.

usage: foreign.py SPLITGEN WORK

Each file gets one message that says what it is, under any name, and never an error of Lua; if only the name shows
the format, the message depends on the name. Wrong specs keep the error of Lua at its place, unless their name says
otherwise. The commands in the messages are run if their tools are installed."""
import gzip, bz2, io, json, lzma, os, pickle, random, re, shutil, struct, subprocess, sys, tarfile, zipfile, zlib

NEITHER = "neither a spec nor a model that splitgen reads"


def varint(n):
    out = b""
    while n > 127:
        out, n = out + bytes([n & 127 | 128]), n >> 7
    return out + bytes([n])


def field(number, value):
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3) + varint(value) if isinstance(value, int) else varint(number << 3 | 2) + varint(len(value)) + value


def archive(*names, big=0):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        for name in names:
            z.writestr(name, bytes(big))
    return out.getvalue()


def tar():
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as t:
        t.addfile(tarfile.TarInfo("model.onnx"))
    return out.getvalue()


def flatbuffer(magic):
    return b"\x1c\0\0\0" + magic + bytes(40)


def noise(seed, n):
    return random.Random(seed).randbytes(n)


SPLIT = field(1, "x") + field(2, "a") + field(2, "b") + field(4, "Split") + field(5, field(1, "num_outputs") + field(3, 2) + field(20, 2))
VALUE = field(1, "x") + field(2, field(1, field(1, 1) + field(2, field(1, field(1, 6)))))
ONNX = field(1, 8) + field(2, "maker") + field(7, field(1, SPLIT) + field(2, "g") + field(11, VALUE)) + field(8, field(1, "") + field(2, 18))
NODE = field(1, "input/x") + field(2, "Placeholder") + field(5, field(1, "dtype") + field(2, field(6, 1)))
SAFE = json.dumps({"w": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}).encode()
LEGACY = pickle.dumps(0x1950A86A20F9469CFC6C, 2)
ONNX_JSON = '{\n "irVersion": "8",\n "graph": {},\n "opsetImport": [{"domain": "", "version": "18"}]\n}\n'
ONNX_TEXT = 'ir_version: 8\nproducer_name: "maker"\ngraph {\n  node {\n    input: "x"\n  }\n}\n'
MLIR = "module {\n  func.func @main(%arg0: tensor<2x12xf32>) -> tensor<2x4xf32> {\n  }\n}\n"
HTML = "<!DOCTYPE html>\n<html><body>404 not found</body></html>\n"
BROKEN = {"zeros": bytes(5000), "one zero": b"\0", "ones": b"\xff" * 5000, "the byte 174": b"\xae", "8 bytes of noise": noise(2, 8),
          "64 bytes of noise": noise(3, 64), "4096 bytes of noise": noise(4, 4096), "noise": noise(5, 50000),
          "noise that begins like text": b"return " + noise(6, 3000),
          "floats": struct.pack("<1000f", *(i / 7 for i in range(1000))),
          "an unknown field alone": field(90, "x\1" * 40), "a group alone": b"\xfb\x06" + field(1, 3) + b"\xfc\x06", "half of a varint": b"\x88", "a tag alone": b"\x08"}

# matching name, content, and the message under any name
TOLD = [
    ("net.onnx.gz", gzip.compress(ONNX), "compressed with gzip"), ("net.bz2", bz2.compress(ONNX), "compressed with bzip2"),
    ("net.xz", lzma.compress(ONNX), "compressed with xz"), ("net.zst", b"\x28\xb5\x2f\xfd" + bytes(9), "compressed with zstd"),
    ("net.lz4", b"\x04\x22\x4d\x18" + bytes(9), "compressed with lz4"), ("net.tar", tar(), "is a tar archive"),
    ("net.7z", b"7z\xbc\xaf\x27\x1c\0\4", "is a 7z archive"), ("net.rar", b"Rar!\x1a\x07\1\0", "is a rar archive"),
    ("lfs.onnx", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "Git LFS's pointer"),
    ("empty.lua", b"", "is empty"), ("utf16.lua", "return split {}\n".encode("utf-16"), "UTF-16"),
    ("utf16be.lua", b"\xfe\xff" + "return split {}\n".encode("utf-16-be"), "UTF-16"),
    ("utf16none.lua", "return split {}\n".encode("utf-16-le"), "UTF-16"),
    ("utf32.lua", "return split {}\n".encode("utf-32"), "UTF-16"),
    ("net.zip", archive("readme.txt", "net/model.onnx"), "zip archive; unpack it first, and give the .onnx file in it"),
    ("far.zip", archive("a.txt", "net.onnx", big=200000), "give the .onnx file in it"),
    ("net.pt", archive("archive/data.pkl", "archive/version"), "is a checkpoint or a program of PyTorch"),
    ("net.pth", archive("archive/.format_version", "archive/data.pkl", "archive/data/0", big=9000), "is a checkpoint or a program of PyTorch"),
    ("script.pt", archive("net/code/x.py", "net/data.pkl", "net/constants.pkl"), "is a checkpoint or a program of PyTorch"),
    ("net.pt2", archive("net/archive_format", "net/models/model.json"), "is a program that PyTorch exported"),
    ("net.keras", archive("metadata.json", "config.json", "model.weights.h5"), "is a model of Keras"),
    ("net.npz", archive("arr_0.npy", "arr_1.npy"), "NumPy's arrays"),
    ("saved.zip", archive("net/saved_model.pb"), "SavedModel"), ("doc.zip", archive("word/document.xml"), "is a zip archive; unpack it first, and give the model in it, as"),
    ("old.pt", LEGACY, "is a checkpoint of PyTorch"), *((f"p{n}.pkl", pickle.dumps({"a": 1}, n), "is a pickle") for n in (2, 3, 4, 5)),
    ("net.h5", b"\x89HDF\r\n\x1a\n" + bytes(40), "is an HDF5 file"), ("w.safetensors", struct.pack("<Q", len(SAFE)) + SAFE + bytes(4), "safetensors"),
    ("w.gguf", b"GGUF\3\0\0\0" + bytes(40), "GGUF"), ("w.ggml", b"lmgg" + bytes(40), "GGML"),
    ("a.npy", b"\x93NUMPY\1\0v\0{'descr': '<f4', 'shape': (2,)}", "is an array of NumPy"),
    ("net.ort", flatbuffer(b"ORTM"), "ONNX Runtime's own format"), ("net.tflite", flatbuffer(b"TFL3"), "TensorFlow Lite"),
    ("net.pte", flatbuffer(b"ET12"), "ExecuTorch"), ("net.engine", b"ftrt" + bytes(40), "TensorRT"), ("net.rknn", b"RKNN" + bytes(40), "RKNN"),
    ("net.param", b"7767517\n3 3\nInput data 0 1 data\n", "ncnn"),
    ("saved_model.pb", field(1, 1) + field(2, field(1, field(2, field(1, "Const")))), "is a SavedModel of TensorFlow"),
    ("frozen.pb", field(1, NODE) + field(1, NODE), "is a graph of TensorFlow"),
    ("net.mlirbc", b"ML\xefR\1" + bytes(20), "bytecode of MLIR"),
    ("spec.luac", b"\x1bLua\x54\0" + bytes(40), "bytecode of Lua"), ("tool", b"\x7fELF\2\1\1" + bytes(90), "ELF"),
    ("tool.exe", b"MZ\x90\0" + bytes(90), "Windows"), ("tool.o", b"\xcf\xfa\xed\xfe" + bytes(90), "Mach-O"), ("tool.class", b"\xca\xfe\xba\xbe" + bytes(9), "Java"),
    ("lib.a", b"!<arch>\nx" + bytes(90), "static library"), ("m.wasm", b"\0asm\1\0\0\0", "WebAssembly"), ("p.png", b"\x89PNG\r\n\x1a\n" + bytes(20), "PNG"),
    ("p.jpg", b"\xff\xd8\xff\xe0" + bytes(20), "JPEG"), ("p.gif", b"GIF89a" + bytes(20), "GIF"), ("p.pdf", b"%PDF-1.7\n%\xe2\xe3\n", "PDF"),
    ("d.sqlite", b"SQLite format 3\0" + bytes(80), "SQLite"),
    ("page.html", HTML, "is a web page"), ("page2.htm", "\n<html lang=en>\n<p>no</html>", "is a web page"),
    ("p.svg", '<?xml version="1.0"?>\n<svg xmlns="x"><g/></svg>', "is XML"), ("pom.xml", "<project><a>1</a></project>", "is XML"),
    ("net.json", ONNX_JSON, "is an ONNX model as JSON"), ("config.json", '{"model": []}', "is JSON"), ("bom.json", b"\xef\xbb\xbf" + b'{ "a" : 1 }', "is JSON"),
    ("net.textproto", ONNX_TEXT, "is an ONNX model as text protobuf"), ("net.pbtxt", 'producer_name: "x"\n' + ONNX_TEXT, "is an ONNX model as text protobuf"),
    ("caffe.prototxt", 'name: "LeNet"\nlayer {\n  name: "data"\n}\n', "is text protobuf"), ("graph.pbtxt", 'node {\n  name: "x"\n  op: "Const"\n}\n', "is text protobuf"),
    ("net.hlo", "HloModule main\n\nENTRY main {\n}\n", "HLO"),
]

# The same for contents that are a wrong spec if the file's name ends in .lua.
TOLD_UNLESS_SPEC = [
    ("list.json", "[1, 2, 3]\n", "is JSON"), ("none.json", "{}\n", "is JSON"), ("net.mlir", MLIR, "MLIR"), ("c.mlir", "// a comment\n" + MLIR, "MLIR"),
    ("map.mlir", "#map = affine_map<(d0) -> (d0)>\n" + MLIR, "MLIR"),
    ("a.py", "import torch\nx = torch.zeros(2)\n", "Python"), ("b.py", "#!/usr/bin/env python3\n# a\nfrom onnx import helper\n", "Python"),
    ("c.py", '"""Doc."""\n', "Python"), ("d.py", "def f(x):\n    return x\n", "Python"), ("a.yaml", "version: 2\nsplits:\n  - a\n", "YAML"),
    ("b.yaml", "# comment\nname: x\n", "YAML"), ("c.yml", "- a\n- b\n", "YAML"), ("d.yaml", "%YAML 1.2\n---\na: b\n", "YAML"),
    ("q.txt", "qkv: f32[1,12] @1 -> /3\n", "notation"), ("r.txt", "f32[12] -> 4 8\n", "notation"), ("s.txt", "x: f32[n=4?, 12] @-1 -> a:4 b:*\n", "notation"),
]

# Messages that depend on the name.
NAMED = [
    ("w.bin", noise(9, 4000), "holds weights"), ("w.data", noise(9, 4000), "holds weights"), ("w.ckpt", noise(9, 400), "holds weights"), ("net.mlmodel", field(1, 4) + field(2, field(1, field(1, "image"))) + field(500, "x"), "Core ML"),
    ("p0.pkl", pickle.dumps({"a": 1}, 0), "is a pickle"), ("dash.yaml", "---\ntitle\n", "YAML"), ("x.py", "x = 1\nprint(x)\n", "Python"),
    ("net.onnx", "This is no model.\n", NEITHER), ("cut.onnx", ONNX[1:9] + b"\0" * 9, NEITHER), ("other.pb", noise(8, 400), NEITHER),
    ("README.md", "# A title\n\nSome text.\n", NEITHER), ("k.c", "/* a kernel */\nint x;\n", "is C"), ("k.h", "#ifndef X\n", "is C"),
]

# Errors of Lua, or of a spec, with their places.
SPECS = ["return split { dtype = \"f32\" shape = { 2 } }", "-- a spec\nretrun split {}\n", "local x = \n", "\xef\xbb\xbfreturn {", "#!/usr/bin/lua\nreturn {",
         "return split { dtype: \"f32\" }", "split(dtype=\"f32\")", "return [2,12]", "return (2,12)", "// x\nreturn 1", "function f( return end", "x = = 1", "return 1",
         "for i = 1 do end", "{ dtype = \"f32\", shape = { 2 } }", "{ \"q\", \"k\" }", "return split { name = 'x', axis = 1 ", "--[[ open", "return 'open", "f(", "",
         "-- only a comment", "return torch.split {}", "graph { node }", "local s = 'caf\xe9' retrun", "-- a spec with a control byte \x01\nretrun x y\n",
         "return { [1] = split }", "name = \"x\" y"]


class Runs:
    def __init__(self, tool):
        self.tool, self.count, self.wrong = tool, 0, 0

    def run(self, name, content, words, reject=()):
        content = content.encode("latin-1") if isinstance(content, str) else content
        if name is not None:
            with open(name, "wb") as file:
                file.write(content)
        done = subprocess.run([self.tool, name or "-"], input=content if name is None else b"", capture_output=True, timeout=60)
        said = done.stderr.decode(errors="replace")
        self.count += 1
        if done.returncode != 1 or done.stdout or not re.search(words, said) or any(r in said for r in reject):
            self.wrong += 1
            print(f"{name or 'standard input'} ({content[:30]}): exit {done.returncode}, '{words}' was expected: {said}")


def formats(runs):
    lua = ("unexpected symbol", "syntax error", "near '", "expected")
    for name, content, words in TOLD:
        for called in (name, None, "x", "x.lua", "x.onnx", "x.xml", "x.onnxtxt", "x.txt"):
            said = "is a" if called is None and content[:2] == b"PK" else words # a zip file lists its files at the end
            runs.run(called, content, f"error: '[^']*' .*{re.escape(said)}", lua)
    for name, content, words in TOLD_UNLESS_SPEC:
        for called in (name, None, "x", "x.txt", "x.onnx"):
            runs.run(called, content, f"error: '[^']*' .*{re.escape(words)}", lua)
        runs.run("x.lua", content, r"^x.lua:\d+:\d+: error: ")
    for name, content, words in NAMED:
        runs.run(name, content, f"error: '{name}' .*{re.escape(words)}", lua)
    for what, content in BROKEN.items():
        for called in (None, "x", "x.lua", "x.onnx", "x.txt", "x.pb"):
            runs.run(called, content, NEITHER, lua)


def models(runs):
    """A truncated model is still a model, and its reader gives the place; the same for a reader chosen by the name."""
    for n in range(6, len(ONNX)):
        runs.run("cut.onnx", ONNX[:n], r"^cut.onnx: byte \d+: error: ")
    runs.run("net.onnxtxt", "This is no model.\n", r"^net.onnxtxt:1:\d+: error: ")
    runs.run("net.xml", "This is no model.\n", r"^net.xml:1:\d+: error: ")


def specs(runs):
    for spec in SPECS:
        for name in ("x.lua", "x", "x.txt", None):
            if spec == "" or (name != "x.lua" and spec.startswith(("[", "//"))):
                continue
            runs.run(name, spec, r"^" + (name or "<stdin>") + r":\d+:\d+: error: ", ("neither a spec", "is a program", "is JSON", "is YAML", "is text", "is XML"))


def folder(runs):
    os.makedirs("folder", exist_ok=True)
    done = subprocess.run([runs.tool, "folder"], capture_output=True, text=True)
    runs.count += 1
    if done.returncode != 3 or "'folder' is a folder; give the spec or the model in it" not in done.stderr:
        runs.wrong += 1
        print(f"a folder: exit {done.returncode}: {done.stderr}")


def loaded(runs):
    """onnx.load gives the same message."""
    for name, content, words in (("w.gguf", b"GGUF\3\0\0\0" + bytes(40), "GGUF"), ("n.onnx", noise(1, 99), NEITHER), ("c.json", '{"a": 1}', "is JSON")):
        with open(name, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        runs.run("load.lua", f'return onnx.load("{name}")', rf"^load.lua:1:\d+: error: '{name}' .*{words}")


def advice(runs):
    """The suggested lines of Python and shell work; counts those that ran."""
    ran = 0
    try:
        import onnx
        from google.protobuf import json_format, text_format
        model = onnx.load_from_string(ONNX)
        files = {"a.textproto": text_format.MessageToString(model), "a.json": json_format.MessageToJson(model)}
    except ImportError:
        files = {}
    files["a.txt"] = 'cut: f32[4] -> 1 3\n'
    files["a.onnx.gz"] = gzip.compress(ONNX)
    for name, content in files.items():
        with open(name, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        said = subprocess.run([runs.tool, name], capture_output=True, text=True).stderr
        line = re.search(r"python3 -c '.*'$|splitgen -e .*$|gunzip -c \S+ \| splitgen -", said, re.M)
        line = line.group().replace("python3", sys.executable).replace("splitgen -", runs.tool + " -") if line else "false"
        if name.endswith((".textproto", ".json")):
            line += f" && {runs.tool} {name}.onnx"
        done = subprocess.run(line, shell=True, capture_output=True, text=True)
        ran += 1
        runs.count += 1
        if done.returncode != 0 or "splitgen_kernel" not in done.stdout:
            runs.wrong += 1
            print(f"{name}: the advice does not work: {line}: {done.stderr}\n{said}")
    return ran


def main():
    tool, work = os.path.abspath(sys.argv[1]), sys.argv[2]
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    os.chdir(work)
    runs = Runs(tool)
    formats(runs)
    models(runs)
    specs(runs)
    folder(runs)
    loaded(runs)
    ran = advice(runs)
    print(f"{len(TOLD) + len(TOLD_UNLESS_SPEC) + len(NAMED) + len(BROKEN)} files, {len(SPECS)} wrong specs, {ran} lines of advice; "
          f"{runs.count} runs, {runs.wrong} wrong")
    return 1 if runs.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
