"""Control characters, invalid UTF-8 and characters that reorder text, in everything that the tool prints: a model of two
nodes has such characters, and what starts a formula in a spreadsheet, in every name; it is printed in every form, to pipes
and to a pseudo-terminal."""
import csv
import io
import os
import unicodedata

import pytest
from terminals import at_terminal
from testing import CODES

# What is not UTF-8 has a name of its own, because the text around it is UTF-8 in the other one.
EVIL = [b"a\x9b31m", b" ".join([b"\x1b[31mred", "b\x9b31m".encode(), "\u202eevil\u2066".encode(), b"del\x7f",
                                b"bell\x07\x08", b"cr\rover"])]
FORMULAS = [b"=cmd|' /C calc'!A0", b"+1", b"-1", b"@SUM(1)", b"\tcell", b"\r=1", b" =1+1", b"\n=1", b'quoted "name", and more',
            b"two\nlines"]


def varint(n):
    return bytes([n]) if n < 128 else bytes([n & 127 | 128]) + varint(n >> 7)


def field(number, value):
    value = value.encode() if isinstance(value, str) else value
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def info(name, *dims):
    shape = b"".join(field(1, field(1, d) if isinstance(d, int) else field(2, d)) for d in dims)
    return field(1, name) + field(2, field(1, field(1, 1) + field(2, shape)))


def attribute(name, value):
    return field(5, field(1, name) + field(3, value) + field(20, 2))


def model(evil, axis=1):
    """A Split and a Concat, all of whose names are evil, and a node that nothing is known of."""
    x, a, b, y, u = (evil + b" " + one for one in (b"x", b"a", b"b", b"y", b"u"))
    cut = field(1, x) + field(2, a) + field(2, b) + field(3, evil) + field(4, "Split") + attribute("axis", axis) + attribute(
        "num_outputs", 2)
    join = field(1, b) + field(1, a) + field(2, y) + field(3, evil + b" join") + field(4, "Concat") + attribute("axis",
        axis)
    odd = field(1, x) + field(2, u) + field(3, evil + b" odd") + field(4, evil) + field(7, evil)
    graph = (field(1, cut) + field(1, join) + field(1, odd) + field(2, evil) + field(11, info(x, 4, 6, evil)) +
             field(12, info(y, 4, 6, evil)) + field(12, info(u)))
    return field(1, 8) + field(2, evil) + field(7, graph) + field(8, field(1, "") + field(2, 18)) + field(8, field(1,
            evil) + field(2, 1))


def bad(printed):
    """The first character that may not reach a terminal, if there is one."""
    try:
        text = printed.decode()
    except UnicodeDecodeError as error:
        return str(error)
    wrong = [c for c in text if c not in "\n\t" and unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")]
    return "U+%04X in %r" % (ord(wrong[0]), text[max(text.index(wrong[0]) - 60, 0):][:120]) if wrong else ""


def look(where, printed):
    found = bad(printed)
    assert not found, f"{where}: {found}"


def run(work, arguments, terminal=False):
    """The text on standard output; with a terminal, nothing."""
    words = [*map(os.fsencode, arguments)]
    if terminal:
        printed = at_terminal([work.tool, *words], cwd=work.path, env={**work.env, "NO_COLOR": "1"})
        assert printed, f"nothing is printed: {words}"
        look(words, printed)
        return ""
    done = work.splitgen(words, CODES)
    if b"--depfile" not in words:  # make needs the name as it is
        look(words, done.out.encode("utf-8", "surrogateescape"))
    look(words, done.err.encode("utf-8", "surrogateescape"))
    return done.out


@pytest.mark.parametrize("evil", EVIL, ids=map(ascii, EVIL))
def test_evil_names(work, evil):
    choices = {option["long"]: option["choices"] for option in work.splitgen("--help=json").json["options"]}
    ways = [f"--emit={kind}" for kind in choices["emit"]] + [f"--dump={stage}" for stage in choices["dump"]]
    ways = [[way] for way in [*ways, "--list", "--explain", "--report=text", "--report=json", "--check=old.c",
                              "--diagnostics-format=json"]]
    ways += [["--list", "--format=json"], ["--check=old.json", "--emit=json"]]
    work.write("net.onnx", model(evil))
    work.write("wrong.onnx", model(evil, axis=9))
    work.write(os.fsdecode(evil + b".onnx"), model(evil))
    for old in "old.c", "old.json":
        work.write(old, b"// " + evil + b"\n" + model(evil))
    for way in ways:
        for more in [], ["--open"], ["--open", "--strided=Split"]:
            run(work, [*way, "--ops=all", *more, "wrong.onnx" if not more else evil + b".onnx"])
    for more in ([b"--only", evil], [b"-D", evil + b"=1"], [b"-e", evil], [b"--section=" + evil], [b"--shape", evil + b"=1"],
                 [b"--emit=" + evil], [b"--" + evil], [b"-o", evil + b"/x.c"], [b"--depfile", b"/dev/stdout", b"-o",
                     evil + b".c"],
                 [b"--template-dir", evil], [b"--print-template", evil], [b"--check=" + evil]):
        run(work, [*more, "--open", "net.onnx"])
        run(work, [*more, "--open", "net.onnx"], terminal=True)


@pytest.mark.parametrize("name", FORMULAS, ids=map(ascii, FORMULAS))
def test_the_table_of_requirements_as_a_spreadsheet_reads_it(work, name):
    work.write("net.onnx", model(name))
    rows = [*csv.reader(io.StringIO(run(work, ["--emit=trace", "--ops=all", "--open", "net.onnx"]), newline=""))]
    assert {len(row) for row in rows} == {11}
    assert not [cell for row in rows for cell in row if cell.lstrip(" ")[:1] in tuple("=+-@\t\r\n")]
    shown = name.decode().replace("\r", "\\x0d")
    assert ("'" if shown.lstrip()[0] in "=+-@" or shown[0] in "\t\n" else "") + shown in [row[2] for row in rows]
