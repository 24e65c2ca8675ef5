"""Damaged and hostile models.

Models are truncated after every byte, have bits flipped and lengths beyond their end; others are cyclic, nest
deeply, have sizes that overflow, wrong wire types, paths that leave their folder, rules that never end, or are no
models. Each time the tool must end by itself, with 0, 1, 3 or 5, and take no more memory than its limits and itself.
Unless that is 0, it prints a place and writes nothing. A fixed sample is run, or all of them (given["all"])."""
import gzip
import io
import os
import random
import re
import shutil
import signal
import struct
import zipfile
import zlib

import pytest
from testing import HANG, SOURCE, given

CORPUS = SOURCE / "tests/fuzz/corpus"
MIB = 1024  # far more than any takes, and far less than a size in a model can ask for
PLACE = re.compile(r"^[^\n]+:(\d+:\d+| byte \d+): error: ", re.M)


# --- protobuf -----------------------------------------------------------------------------------------

def varint(n):
    n &= 2**64 - 1
    out = b""
    while n > 127:
        out, n = out + bytes([n & 127 | 128]), n >> 7
    return out + bytes([n])


def field(number, value):
    """A number as a varint; text, bytes and messages with their length."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def node(kind, inputs, outputs, *attributes, domain=""):
    return b"".join([field(1, i) for i in inputs] + [field(2, o) for o in outputs] + [field(4, kind)] +
                    [field(5, a) for a in attributes] + ([field(7, domain)] if domain else []))


def integer(name, value):
    return field(1, name) + field(3, value) + field(20, 2)


def body(name, graph):
    return field(1, name) + field(6, graph) + field(20, 5)


def value(name, dims, kind=1):
    shape = b"".join(field(1, field(2, d) if isinstance(d, str) else field(1, d)) for d in dims)
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, shape)))


def constant(name, dims, values=None, external=None):
    """An int64 tensor with its values inline, or where the keys of external point."""
    out = b"".join(field(1, d) for d in dims) + field(2, 7) + field(8, name)
    if external is None:
        return out + field(9, struct.pack(f"<{len(values)}q", *values))
    return out + b"".join(field(13, field(1, k) + field(2, v)) for k, v in external.items()) + field(14, 1)


def graph(nodes, inputs=(), outputs=(), constants=()):
    return b"".join([field(1, n) for n in nodes] + [field(2, "g")] + [field(5, c) for c in constants] +
                    [field(11, i) for i in inputs] + [field(12, o) for o in outputs])


def model(g, *functions):
    return (field(1, 8) + field(7, g) + field(8, field(1, "") + field(2, 18)) + field(8, field(1, "f") + field(2, 1)) +
            b"".join(field(25, f) for f in functions))


def function(name, nodes):
    return (field(1, name) + field(4, "x") + field(5, "y") + b"".join(field(7, n) for n in nodes) +
            field(9, field(1, "") + field(2, 18)) + field(9, field(1, "f") + field(2, 1)) + field(10, "f"))


def split(data="x", lengths="l", outputs=("a", "b")):
    return node("Split", [data, lengths], outputs, integer("axis", 1))


def everything():
    """A Split in the graph, one in a branch, one in a function, one whose lengths are in the file w."""
    branch = graph([split(outputs=("p", "q"))], outputs=[field(1, "p")])
    nodes = [split(), node("If", ["c"], ["r"], body("then_branch", branch), body("else_branch", branch)),
             node("half", ["x"], ["h"], domain="f"), split("x", "e", ("u", "v"))]
    return model(graph(nodes, [value("x", [2, "N"]), value("c", [], 9)], [value("a", [])],
                       [constant("l", [2], [2, 4]), constant("e", [2], external={"location": "w", "length": "16"})]),
                 function("half", [node("Split", ["x"], ["y", "z"], integer("num_outputs", 2))]))


def one_split(dims, lengths=(2, 4), **how):
    how = how or {"values": lengths}
    return model(graph([split()], [value("x", dims)], [value("a", [])], [constant("l", [len(lengths)], **how)]))


def constant_of(*dims):
    """A model whose lengths are two numbers, in a tensor that claims the shape dims."""
    return model(graph([split()], [value("x", [2, 6])], (), [constant("l", dims, [2, 4])]))


TEXT = '<ir_version: 10, opset_import: ["" : 18, "f" : 1]>\n'


def net(nodes, inputs="float[6] x", constants=""):
    return f"{TEXT}g ({inputs}) => (a) {constants} {{ {nodes} }}"


# --- running ------------------------------------------------------------------------------------------

class Runs:
    def __init__(self, work):
        self.tool, self.count, self.wrong = work.tool, 0, []
        self.environment = {"LC_ALL": "C", "PATH": os.environ["PATH"], "ASAN_OPTIONS": "detect_leaks=0"}

    def run(self, what, content, name="m.onnx", codes=(0, 1, 3, 5), options=(), says=""):
        """Runs the tool once on content, in a file called name."""
        if content is not None:
            with open(name, "wb") as file:
                file.write(content.encode() if isinstance(content, str) else content)
        self.count += 1
        arguments = [self.tool, "-D", "N=6", *options, *(["-o", "out/k.c"] if self.count % 2 else []), name]
        new = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        pid = os.posix_spawn(self.tool, arguments, self.environment, file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0), (os.POSIX_SPAWN_OPEN, 1, "stdout", new, 0o600),
            (os.POSIX_SPAWN_OPEN, 2, "stderr", new, 0o600)])
        signal.signal(signal.SIGALRM, lambda *_: os.kill(pid, signal.SIGKILL))
        signal.alarm(HANG)
        _, status, usage = os.wait4(pid, 0)
        signal.alarm(0)
        code = os.waitstatus_to_exitcode(status)
        with open("stderr", "rb") as file:
            said = file.read().decode(errors="replace")
        written = os.path.getsize("stdout") + len(os.listdir("out"))
        mib = usage.ru_maxrss / 1024
        flaws = [flaw for flaw, there in (
            (f"exit {code}, not {'/'.join(map(str, codes))}", code not in codes),
            ("something is written", code != 0 and written),
            ("nothing is written", code == 0 and not written),
            ("no place is named", code != 0 and not PLACE.search(said)),
            ("control bytes on the terminal", re.search(r"[\0-\x08\x0b-\x1f\x7f]", said)),
            (f"'{says}' is not said", says not in said),
            (f"{mib:.0f} MiB", mib > MIB and "sanitizers" not in given)) if there]
        if flaws:
            kept = f"failed_{len(self.wrong)}_{os.path.basename(name)}"
            if content is not None:
                shutil.copy(name, kept)
            self.wrong.append(f"{what}: {'; '.join(flaws)}: {os.path.abspath(kept)} {' '.join(options)}\n{said[:1000]}")
        for file in os.listdir("out"):
            os.unlink("out/" + file)


@pytest.fixture
def runs(work, monkeypatch):
    """Runs in a folder beside which are files that a model must not reach."""
    for path in "here/w", "here/sub/w", "outside":
        work.write(path, struct.pack("<2q", 2, 4))
    (work / "here/out").mkdir()
    monkeypatch.chdir(work / "here")
    made = Runs(work)
    yield made
    assert made.count
    assert not made.wrong, "\n".join(made.wrong[:10])


@pytest.fixture
def ir(runs):
    """An IR, and its constants in m.bin."""
    xml, _, values = (CORPUS / "ir/split.irbin").read_bytes().partition(b"\0")
    with open("m.bin", "wb") as file:
        file.write(values)
    return xml.decode().replace("-1", "2").replace("?", "2")


def test_intact(runs, ir):
    runs.run("an IR", ir, "m.xml", codes=(0,))
    runs.run("everything", everything(), codes=(0,))


def test_damaged(runs):
    seeds = {"everything": everything()}
    for path in ("onnx/branches", "onnx/function", "onnx/external", "onnx/sparse", "onnx/typed_data", "onnxtxt/split",
                 "onnxtxt/subgraphs", "onnxtxt/functions", "onnxtxt/constants", "ir/split.irbin", "ir/if.irxml"):
        seeds[path] = (CORPUS / path).read_bytes()
    rnd = random.Random(1)
    for name, seed in seeds.items():
        bits = range(8 * len(seed))
        places = range(len(seed))
        cuts = places if "all" in given else rnd.sample(places, 10)
        flips = rnd.sample(bits, min(len(bits), (1000 if name == "everything" else 100) if "all" in given else 12))
        ends = rnd.sample(places, min(len(places), 50) if "all" in given else 4) if not name.startswith("ir") else []
        changed = [(f"cut after {n}", seed[:n]) for n in cuts]
        changed += [(f"bit {n}", seed[:n // 8] + bytes([seed[n // 8] ^ 1 << n % 8]) + seed[n // 8 + 1:]) for n in flips]
        changed += [(f"length at {n}", seed[:n] + varint(rnd.choice([2**31, 2**62, 2**63 - 1, 2**64 - 1])) + seed[n + 1:])
                    for n in ends]
        for how, content in changed:
            content, _, values = content.partition(b"\0") if name.endswith("irbin") else (content, b"", b"")
            if name.startswith("ir"):
                open("m.bin", "wb").write(values)
            runs.run(f"{name}, {how}", content, "m.xml" if name.startswith("ir") else "m.onnx")


def test_of_other_kinds(runs):
    text = "net (float[2, 6] x) => (a)\n{ a, b = Split <axis = 1, num_outputs = 2> (x) }\n"
    archive = io.BytesIO()
    zipfile.ZipFile(archive, "w").writestr("model.onnx", everything())
    runs.run("intact", TEXT + text, codes=(0,))
    runs.run("gzip", gzip.compress(everything()), codes=(1,), says="gzip")
    for what, content in {
            "zip": archive.getvalue(), "zlib": zlib.compress(everything()), "an ELF file": open(runs.tool, "rb").read(
                100000),
            "nothing": b"", "zeros": bytes(100000), "ones": b"\xff" * 100000, "a PNG": b"\x89PNG\r\n\x1a\n" + bytes(50),
            "text": b"This is no model.\n" * 1000, "Lua's bytecode": b"\x1bLua\x54\0" + bytes(100), "JSON": b'{"model": []}',
            "HTML": b"<!DOCTYPE html>\n<html><body>404 not found</body></html>", "UTF-16": text.encode("utf-16"),
            "a pointer to a large file": b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
            "many braces": b"{" * 200000, "entities": b'<!DOCTYPE n [<!ENTITY a "aaaaaaaaaa">' + b"".join(
                b'<!ENTITY %c "%s">' % (c, b"&%c;" % (c - 1) * 10) for c in range(98, 110)) + b"]><net>&m;</net>"}.items():
        for name in ("m.onnx", "m.onnxtxt", "m.xml"):
            runs.run(f"{what} as {name}", content, name, codes=(1, 5))
    os.mkdir("folder.onnx")
    runs.run("a folder", None, "folder.onnx", codes=(3,))


def test_decorated(runs):
    """Encodings that protobuf accepts for the same model: fields in any order, unknown fields, split messages, long
    varints."""
    def overlong(n):
        return varint(n)[:-1] + bytes([varint(n)[-1] | 128]) + b"\x80" * (9 - len(varint(n))) + b"\0"

    unknown = {"bytes": field(500, "unknown"), "a varint": field(90, 2**63), "4 bytes": varint(77 << 3 | 5) + b"\1\2\3\4",
               "8 bytes": varint(4000 << 3 | 1) + bytes(8), "a group": b"\xfb\x06" + field(1, 3) + field(7,
                   "x") + b"\xfc\x06",
               "a group of a known number": b"\x3b" + field(1, 3) + b"\x3c", "what a pickle begins with": field(32, 5),
               "much text": field(300, "x" * 5000), "many bytes": field(300, bytes(5000)), "a text that is known": field(
                   6, "d" * 5000),
               "ir_version of another type": field(1, "8"), "a graph of another type": field(7, 8),
               "an overlong varint": varint(1 << 3) + overlong(8)}
    x, l = value("x", [2, 6]), constant("l", [2], [2, 4])
    parts = [field(1, 8), field(2, "maker"), field(7, graph([split()], [x], (), [l])), field(8, field(1, "") + field(2,
            18))]
    runs.run("a model, intact", b"".join(parts), codes=(0,))
    for what, extra in unknown.items():
        for place in range(len(parts) + 1):
            runs.run(f"{what} at place {place}", b"".join(parts[:place] + [extra] + parts[place:]), codes=(0,))
    for n in range(24):
        order = random.Random(n).sample(parts, len(parts))
        runs.run(f"order {n}", b"".join(order), codes=(0,))
    apart = field(7, field(11, x)) + field(7, field(5, l)) + field(8, field(1, "")) + field(7, field(1, split()))
    runs.run("a graph in three parts", apart + parts[0] + parts[3], codes=(0,))
    halves = [field(1, 2) + field(2, 7), field(9, struct.pack("<2q", 3, 3)) + field(8, "l") + field(9, struct.pack(
            "<2q", 2, 4))]
    made = field(2, "l") + field(4, "Constant") + field(5, b"".join(field(5, h) for h in halves) + field(1,
            "value") + field(20, 4))
    runs.run("a tensor in two parts", b"".join(parts[:2] + parts[3:]) + field(7, graph([made, split()], [x])), codes=(0,
            ))


def test_cyclic(runs):
    for what, nodes in {"its own output": "y = Add (x, y)", "each other's output": "y = Add (x, z) z = Relu (y)",
                        "a later output": "y = Relu (z) z = Relu (x)", "an output made twice": "y = Relu (x) y = Relu (x)"}.items():
        runs.run(what, net(nodes + " a, b = Split <num_outputs = 2> (y)"), codes=(0, 1))
    loop = node("Add", ["x", "y"], ["y"])
    runs.run("its own output, binary", model(graph([loop, split("y")], [value("x", [2, 6])], (),
                                                  [constant("l", [2], [2, 4])])), codes=(1,))
    calls = lambda f, n: node(f, ["x"], [f"y{n}"], domain="f")
    top = graph([node("a", ["x"], ["w"], domain="f")], [value("x", [2, 6])])
    runs.run("a function that calls itself", model(top, function("a", [calls("a", "")])), codes=(1,),
             says="calls itself")
    runs.run("functions that call each other", model(top, function("a", [calls("b", "")]), function("b", [calls("a", "")])),
             codes=(1,), says="calls itself")
    many = [function(chr(97 + i), [calls(chr(98 + i), n) for n in range(8)]) for i in range(20)]
    runs.run("functions called 8^20 times", model(top, *many), codes=(5,))
    edges = '<edge from-layer="0" from-port="1" to-layer="0" to-port="0"/>'
    runs.run("a layer that reads itself",
             '<net name="n" version="11"><layers><layer id="0" name="s" type="Relu" version="opset1">'
             '<input><port id="0"/></input><output><port id="1" precision="FP32"/></output></layer></layers>'
             f"<edges>{edges}</edges></net>", "m.xml", codes=(1,))


def test_deep(runs):
    for depth in (60, 300, 3000):
        inner = graph([split()], outputs=[field(1, "a")])
        text = "{ a, b = Split <num_outputs = 2> (x) }"
        for _ in range(depth):
            inner = graph([node("If", ["c"], ["a"], body("then_branch", inner), body("else_branch", graph([])))],
                          outputs=[field(1, "a")])
            text = f"{{ a = If (c) <then_branch = t () => (a) {text}, else_branch = e () => (x) {{}}> }}"
        runs.run(f"branches {depth} deep", model(inner), codes=(1,))
        runs.run(f"branches {depth} deep, text", f"{TEXT}g (bool c, float[6] x) => (a) {text}",
                 codes=(0, 1) if depth < 64 else (1,))
        bodies = "".join('<layers><layer id="0" name="i" type="If" version="opset8"><then_body>' for _ in range(depth))
        runs.run(f"bodies {depth} deep, cut", f'<net name="n" version="11">{bodies}', "m.xml", codes=(1,))
        runs.run(f"bodies {depth} deep", f'<net name="n" version="11">{bodies}' + "</then_body></layer></layers>" * depth + "</net>",
                 "m.xml", codes=(1,))
    runs.run("elements 100000 deep", '<net name="n" version="11">' + "<a>" * 100000, "m.xml", codes=(1,))
    runs.run("types 100000 deep", TEXT + "g (" + "seq(" * 100000, codes=(1,))
    runs.run("length within length", b"\x3a\xff\xff\xff\x0f" * 50000, codes=(1,))


def test_sizes(runs, ir):
    large = [2**31, 2**32, 2**62, 2**63 - 1]
    for d in large:
        runs.run(f"x is [2, {d}]", one_split([2, d]), codes=(1,))
        runs.run(f"x is [{d}, 6]", one_split([d, 6]), codes=(1,) if d > 2**60 else (0, 1))
        runs.run(f"x is [{d}, {d}, {d}]", one_split([d, d, d]), codes=(1,))
        runs.run(f"lengths {d}", one_split([2, 6], (d, d)), codes=(1,))
        runs.run(f"lengths {d}, -1", one_split([2, d], (1, d - 1)), codes=(0, 1))
        runs.run(f"a constant of [{d}]", constant_of(d), codes=(1,))
        runs.run(f"a constant of [{d}, {d}]", constant_of(d, d), codes=(1,))
        for op in ("y = Tile (x, n)", "y = Expand (x, n)", "s = Shape (y) y = ConstantOfShape (n)", "y = Reshape (x, n)",
                   "y = Pad (x, n)", "m = Mul (n, n) y = Tile (x, m)", "m = Add (n, n) y = Expand (x, m)"):
            runs.run(f"{op} by {d}", net(op + " a, b = Split <num_outputs = 2> (y)",
                                         constants=f"<int64[1] n = {{{d}}}>"), codes=(0, 1))
        runs.run(f"{d} outputs", net(f"a, b = Split <num_outputs = {d}> (x)"), codes=(5,))
        runs.run(f"a kernel of {d}", net(
            f"y = MaxPool <kernel_shape = [{d}, {d}], pads = [{d}, {d}, {d}, {d}]> (x) "
            "a, b = Split <num_outputs = 2, axis = 3> (y)", f"float[1, 1, {d}, {d}] x"), codes=(0, 1))
        runs.run(f"a port of {d}", ir.replace("<dim>6</dim>", f"<dim>{d}</dim>"), "m.xml", codes=(0, 1))
    for d in (-1, -2, -2**62, -2**63):
        runs.run(f"x is [2, {d}]", one_split([2, d]), codes=(1,))
        runs.run(f"lengths {d}", one_split([2, 6], (d, 4)), codes=(0, 1) if d == -1 else (1,))
        runs.run(f"lengths {d} twice", one_split([2, 6], (d, d)), codes=(1,))
        runs.run(f"axis {d}", net(f"a, b = Split <axis = {d}, num_outputs = 2> (x)"),
                 codes=(0, 1) if d == -1 else (1,))
        runs.run(f"a port of {d}", ir.replace("<dim>6</dim>", f"<dim>{d}</dim>"), "m.xml", codes=(0, 1))
        runs.run(f"a constant of [{d}]", constant_of(d), codes=(1,))
        runs.run(f"ranges to {-d - 1}", net(
            "y = Range (z, n, s) a, b = Split <num_outputs = 2> (y)",
            constants=f"<int64 z = {{0}}, int64 n = {{{-d - 1}}}, int64 s = {{1}}>"), codes=(0, 1))
    for number in range(1, 31):
        for wire in range(8): # every field of every message with every wire type
            key, content = varint(number << 3 | wire), bytes(8)
            for wrap in (lambda m: m, lambda m: model(m), lambda m: model(field(1, m)), lambda m: model(field(5, m)),
                         lambda m: model(field(11, m)), lambda m: model(b"", m), lambda m: model(field(1, field(5, m)))):
                if (number + wire) % 7 == 0 or number < 6:
                    runs.run(f"field {number}, wire type {wire}", wrap(key + content), codes=(1,))


def test_external(runs):
    os.symlink("../outside", "link")
    os.symlink("..", "sub/up")
    os.mkfifo("pipe")
    use = lambda keys: one_split([2, 6], external=keys)
    for location in ("w", "sub/w", "./w", "sub/../w"):
        runs.run(location, use({"location": location}), codes=(0,) if ".." not in location else (0, 1))
    outside = os.path.abspath("../outside")
    for location in ("../outside", "sub/../../outside", outside, "/etc/passwd", "sub/up/../outside", "/dev/zero", "..",
                     "../", "//" + outside):
        runs.run(location, use({"location": location}), codes=(1,),
                 says="" if location.startswith("sub/up") else "must be in the folder of the model")
    for location in ("link", "sub/up/outside", "pipe", "sub", ".", "", "none", "w\0", "w/", "w" * 5000, "sub/" * 2000 + "w",
                     "\x1b[31mw", "w\n"):
        runs.run(repr(location)[:40], use({"location": location}), codes=(1,))
    for keys in ({"offset": "8"}, {"offset": "-8"}, {"offset": "9223372036854775807"}, {"offset": "99999999999999999999"},
                 {"length": "0"}, {"length": "-1"}, {"length": "8"}, {"length": "9223372036854775807"}, {"offset": "x"},
                 {"offset": "9223372036854775800", "length": "16"}):
        runs.run(f"{keys}", use({"location": "w", **keys}), codes=(1,))


def test_beside_ir(runs, ir):
    """Other files in place of an IR's .bin, and invalid places of its constants."""
    def without(path):
        if os.path.lexists(path):
            os.unlink(path) if not os.path.isdir(path) or os.path.islink(path) else os.rmdir(path)

    values = open("m.bin", "rb").read()
    for what, make in {"nothing": lambda: None, "a pipe": lambda: os.mkfifo("m.bin"), "a folder": lambda: os.mkdir("m.bin"),
                       "a device": lambda: os.symlink("/dev/zero", "m.bin"),
                       "an endless link": lambda: os.symlink("m.bin", "m.bin"),
                       "an empty file": lambda: open("m.bin", "w").close()}.items():
        without("m.bin")
        make()
        runs.run(f"{what} beside an IR", ir, "m.xml", codes=(0, 1, 3))
    without("m.bin")
    with open("../values", "wb") as file:
        file.write(values)
    os.symlink("../values", "m.bin")
    runs.run("a link out of the folder beside an IR", ir, "m.xml", codes=(3,),
             says="a symbolic link leads out of the folder")
    without("m.xml")
    os.symlink("../model", "m.xml")
    runs.run("an IR and its constants that are links to one store", ir, "m.xml", codes=(0,))
    without("m.xml")
    without("m.bin")
    with open("m.bin", "wb") as file:
        file.write(values)
    for key in ("offset", "size"):
        for number in ("-1", "1", "4", "16", str(2**63 - 1), str(2**64), "x", "", "1e3"):
            runs.run(f"{key} {number}", re.sub(f'{key}="[0-9]*"', f'{key}="{number}"', ir), "m.xml", codes=(1,))
    for of, by in (('num_splits="2"', 'num_splits="-1"'), ('num_splits="2"', f'num_splits="{2**63 - 1}"'),
                   ('version="11"', 'version="-5"'),
                   ('id="2"', 'id="-2"'), ('to-port="0"', 'to-port="7"'), ('id="1"', 'id="0"'), ("FP32", "FP33"),
                   ('"2,6"', '"2,6,..,.."')):
        runs.run(f"{by} for {of}", ir.replace(of, by), "m.xml")


def test_rules(runs):
    mine = net("y = f.Mine (x) a, b = Split <num_outputs = 2> (y)")

    def rule(text, codes, whole=None):
        with open("rules.lua", "w") as file:
            file.write(whole or f"return {{ ['f.Mine'] = function(node, inputs)\n{text}\nend }}\n")
        runs.run(f"a rule: {whole or text}", mine, codes=codes, options=("--shape-rules", "rules.lua"))

    rule("return { inputs[1] }", (0,))
    # By turns in a rule and outside it; unit.budgets has many more.
    attacks = ("while true do end", "local function f() return f() end return f()", "repeat pcall(error) until false",
               "local s = 'x' while true do s = s .. s end", "local t = {} while true do t[#t + 1] = {} end",
               "return string.rep('x', 1 << 40)", "for i = 1, math.maxinteger do end", "goto l ::l:: ::m:: goto m",
               "local t = setmetatable({}, { __index = function(t, k) return t[k] end }) return t.x")
    for turn, text in enumerate(attacks):
        if "all" in given or turn % 2:
            rule(text, (1, 5))
        if "all" in given or not turn % 2:
            rule("", (1, 5), whole=f"local function f() {text} end f() return {{}}")
    for text in ("error('no')", "error({})", "error()", "return 1", "return { 1 }", "return { { shape = -1 } }",
                 "return nil .. 'x'",
                 "return { { shape = { 1e300 } } }", "return { { shape = { -1 } } }", "return { { shape = { 0/0 } } }", "os.exit(0)",
                 "return { { shape = { math.maxinteger } } }", "local t = {} t[1] = t t.shape = t return t", "io.read()", "return { inputs[9] }",
                 "return { { shape = { {} } } }", "inputs[1] = nil return inputs", "node.inputs = nil return {}", "return load('\\27Lua')",
                 "return { { shape = { 'N' } } }", "local s = {} for i = 1, 100000 do s[i] = 1 end return { { shape = s } }", "return debug.getinfo(1)",
                 "return { { shape = inputs[1].shape, values = inputs } }"):
        rule(text, (0, 1, 5))
    for whole in ("return 1", "return {", "", "\x1bLua\x54", "return { [1] = 2 }",
                  "return { Split = function() return {} end }", "return { ['f.Mine'] = 1 }",
                  "error('no')", "return setmetatable({}, { __index = error })", "return { ['f.Mine'] = print }", "x = 1"):
        rule("", (0, 1, 5), whole=whole)
