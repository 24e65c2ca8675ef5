#!/usr/bin/env python3
"""Looks for control characters, invalid UTF-8 and characters that reorder text in everything that the tool prints.

usage: terminal.py SPLITGEN WORK

A model of two nodes has such characters, and what starts a formula in a spreadsheet, in every name; it is printed in every
form, to pipes and to a pseudo-terminal."""
import csv, io, json, os, pathlib, shutil, subprocess, sys, unicodedata

EVIL = [b"\x1b[31mred", b"a\x9b31m", "b\x9b31m".encode(), "\u202eevil\u2066".encode(), b"del\x7f", b"bell\x07\x08", b"cr\rover"]
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
    join = field(1, b) + field(1, a) + field(2, y) + field(3, evil + b" join") + field(4, "Concat") + attribute("axis", axis)
    odd = field(1, x) + field(2, u) + field(3, evil + b" odd") + field(4, evil) + field(7, evil)
    graph = (field(1, cut) + field(1, join) + field(1, odd) + field(2, evil) + field(11, info(x, 4, 6, evil)) +
             field(12, info(y, 4, 6, evil)) + field(12, info(u)))
    return field(1, 8) + field(2, evil) + field(7, graph) + field(8, field(1, "") + field(2, 18)) + field(8, field(1, evil) + field(2, 1))


def bad(printed):
    """The first character that may not reach a terminal, if there is one."""
    try:
        text = printed.decode()
    except UnicodeDecodeError as error:
        return str(error)
    wrong = [c for c in text if c not in "\n\t" and unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")]
    return "U+%04X in %r" % (ord(wrong[0]), text[max(text.index(wrong[0]) - 60, 0):][:120]) if wrong else ""


def at_terminal(command, **more):
    """What a command prints to a terminal; the terminal adds a CR before each LF."""
    import pty
    main, other = pty.openpty()
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=other, stderr=other, **more) as process:
        os.close(other)
        printed = b""
        while True:
            try:
                got = os.read(main, 65536)
            except OSError:
                break
            if not got:
                break
            printed += got
        process.wait()
    os.close(main)
    return printed.replace(b"\r\n", b"\n")


def main():
    os.environ["NO_COLOR"] = "1"
    tool, work = sys.argv[1], pathlib.Path(sys.argv[2])
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    words = json.loads(subprocess.run([tool, "--help=json"], stdout=subprocess.PIPE, check=True).stdout)["options"]
    choices = {option["long"]: option["choices"] for option in words}
    ways = [["--emit=" + kind] for kind in choices["emit"]] + [["--dump=" + stage] for stage in choices["dump"]]
    ways += [["--list"], ["--list", "--format=json"], ["--explain"], ["--report=text"], ["--report=json"], ["--check=old.c"],
             ["--check=old.json", "--emit=json"], ["--diagnostics-format=json"]]
    faults, runs = [], 0

    def look(where, printed, *what):
        found = bad(printed)
        if found:
            faults.append("%s: %s: %s" % (where, found, what))

    def run(arguments, *, terminal=False):
        nonlocal runs
        runs += 1
        if terminal:
            look("terminal", at_terminal([tool, *arguments], cwd=work), arguments)
            return b""
        done = subprocess.run([tool, *arguments], cwd=work, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False)
        if done.returncode not in (0, 1, 2, 3, 4, 5):
            faults.append("exit %d: %s" % (done.returncode, arguments))
        if b"--depfile" not in arguments: # make needs the name as it is
            look("stdout", done.stdout, arguments)
        look("stderr", done.stderr, arguments)
        return done.stdout

    for evil in EVIL:
        (work / "net.onnx").write_bytes(model(evil))
        (work / "wrong.onnx").write_bytes(model(evil, axis=9))
        named = os.fsencode(work) + b"/" + evil + b".onnx"
        with open(named, "wb") as file:
            file.write(model(evil))
        for old in ("old.c", "old.json"):
            (work / old).write_bytes(b"// " + evil + b"\n" + model(evil))
        for way in ways:
            for more in ([], ["--open"], ["--open", "--strided=Split"]):
                run([*way, "--ops=all", *more, "wrong.onnx" if not more else evil + b".onnx"])
        for more in ([b"--only", evil], [b"-D", evil + b"=1"], [b"-e", evil], [b"--section=" + evil], [b"--shape", evil + b"=1"],
                     [b"--emit=" + evil], [b"--" + evil], [b"-o", evil + b"/x.c"], [b"--depfile", b"/dev/stdout", b"-o", evil + b".c"],
                     [b"--template-dir", evil], [b"--print-template", evil], [b"--check=" + evil]):
            run([*more, "--open", "net.onnx"])
            run([*more, "--open", "net.onnx"], terminal=True)
        os.remove(os.fsencode(work) + b"/" + evil + b".c") if os.path.exists(os.fsencode(work) + b"/" + evil + b".c") else None
    run([b"--section=.text\xc2\x9b", b"-e", b"f32[4] @0 -> 2,2"], terminal=True)

    # The table of --emit=trace, as a spreadsheet reads it.
    for name in FORMULAS:
        (work / "net.onnx").write_bytes(model(name))
        text = run(["--emit=trace", "--ops=all", "--open", "net.onnx"]).decode()
        rows = [*csv.reader(io.StringIO(text, newline=""))]
        widths = {len(row) for row in rows}
        starts = [cell for row in rows for cell in row if cell.lstrip(" ")[:1] in tuple("=+-@\t\r\n")]
        shown = name.decode().replace("\r", "\\x0d")
        wanted = ("'" if shown.lstrip()[0] in "=+-@" or shown[0] in "\t\n" else "") + shown
        if widths != {11} or starts or wanted not in [row[2] for row in rows]:
            faults.append("trace of %r: %s" % (name, rows))
    print("\n".join(faults[:20]))
    print("%d runs, %d wrong" % (runs, len(faults)))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
