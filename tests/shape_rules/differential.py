#!/usr/bin/env python3
"""Compares what splitgen infers with what runtimes compute, on random nodes of each operator.

    python3 -m venv V && V/bin/pip install onnx onnxruntime openvino numpy
    V/bin/python tests/shape_rules/differential.py SPLITGEN [--legal 100] [--illegal 20] [--only Conv,openvino.Split]

A node is drawn legal, and mostly changed afterwards; the runtime decides whether the result is legal. Drawing ends when
there are --legal nodes that the runtime runs and --illegal ones that it refuses. README.md says what counts as a
difference, choices.txt lists the differences that are meant.
"""
import argparse
import collections
import concurrent.futures
import fnmatch
import multiprocessing
import multiprocessing.connection
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import drawing  # noqa: E402
from drawing import R  # noqa: E402


def module_of(op):
    if op.startswith("openvino."):
        import openvino_runtime
        return openvino_runtime
    import onnx_runtime
    return onnx_runtime


# ---- splitgen ------------------------------------------------------------------------------------

LINE = re.compile(r"^ *(?:y|n:?)(\d*): (?:sequence of|([\w?]+)(\[[^\]]*\])?(?: = ([^#]*?))?( constant| [a-z ]*)?(?:  #.*)?$)")


def ask_splitgen(tool, path, outputs):
    """(exit status, its messages, [(type, shape, values)] of the outputs, why something is unknown); None: unknown."""
    done = subprocess.run([tool, "--dump=shapes", path], capture_output=True, text=True)
    found = [(None, None, None)] * outputs
    for line in done.stdout.splitlines():
        match = LINE.match(line)
        if not match:
            continue
        i = int(match[1] or 0)
        if i >= outputs:
            continue
        kind, shape, values = match[2], match[3], match[4]
        if kind is None:
            found[i] = ("sequence", None, None)
            continue
        extent = None
        if shape:
            extent = [int(d) if re.fullmatch(r"-?\d+", d) else None for d in shape[1:-1].split(", ") if d]
        entries = None
        if values is not None:
            entries = []
            for word in values.replace(" constant", "").split(", "):
                try:
                    entries.append(None if word in ("?", "...") else float(word) if re.search(r"[.naief]", word)
                                   else int(word))
                except ValueError:
                    entries.append(None)
        found[i] = (None if kind == "?" else kind, extent, entries)
    causes = "; ".join(sorted(set(re.findall(r"  # .*?: (.*)", done.stdout))))
    return done.returncode, done.stderr, found, causes


# Refusals because of elements that only the run knows.
OF_DATA = re.compile("out of (data )?bounds|out-of-bounds|input index out of range|is out of range|out of range (index|value in index)"
                     "|token_id -?[0-9]+ out of range|exceeds cos/sin cache range|invalid ind"
                     "|must be within the inclusive|unknown category", re.I)


# ---- one node ------------------------------------------------------------------------------------

def same_value(a, b):
    return a is None or a == b or a != a and b != b or abs(a - b) <= 2e-3 * max(1.0, abs(b))


def compare(mine, theirs, static):
    """(kind of difference, text), or None."""
    for i, ((dtype, shape, values), (their_type, their_shape, their_values)) in enumerate(zip(mine, theirs)):
        if their_type == "none":
            continue
        if dtype is not None and dtype != their_type and not (their_type == "?" or their_shape is None):
            return "type", "output %d: %s, not %s" % (i, dtype, their_type)
        if their_shape is None:
            if dtype is not None and dtype != their_type:
                return "type", "output %d: %s, not %s" % (i, dtype, their_type)
            continue
        if shape is not None and (len(shape) != len(their_shape)
                                  or any(a is not None and a != b for a, b in zip(shape, their_shape))):
            return "shape", "output %d: %s, not %s" % (i, shape, their_shape)
        if values and their_values is not None:
            if len(values) != len(their_values) or not all(map(same_value, values, their_values)):
                return "value", "output %d: %s, not %s" % (i, values, their_values)
        if static[i] and (shape is None or None in shape):
            return "unknown", "output %d: %s, not %s" % (i, shape, their_shape)
        if static[i] and dtype is None:
            return "unknown", "output %d: its type, not %s" % (i, their_type)
    return None


def judge(tool, module, node, raw, answer, folder):
    """(verdict, text): legal or illegal nodes that agree ("same") or differ in some way."""
    status, said, mine, causes = module.ask_tool(ask_splitgen, tool, node, raw, answer, folder)
    if status not in (0, 1):
        return "crash", "exit status %d: %s" % (status, said.strip()[:200])
    first = next((line for line in said.splitlines() if "error:" in line), "")
    reason = re.sub(r"^.*?error: ", "", first)[:160]
    if answer[0] == "refused":
        if OF_DATA.search(answer[1]):
            return "same", ""
        definite = all(shape is not None and None not in shape for _, shape, _ in mine)
        if status == 0 and not said and definite:
            return "accepts", "%s; the runtime: %s" % ([s for _, s, _ in mine], shorten(answer[1]))
        return "same", ""
    if status == 1:
        why = module.onnx_refuses(raw)
        return ("same", "") if why else ("refuses", reason)
    kind, text = compare(mine, answer[1], answer[2]) or ("same", "")
    if kind == "unknown" and module.onnx_refuses(raw):
        return "same", ""
    return kind, text + ("; " + causes if kind == "unknown" else "")


def shorten(text):
    """The reason at the end of a runtime's message, without the place in its source."""
    text = re.sub(r"\[ONNXRuntimeError\] : \d+ : \w+ : |Non-zero status.*?Status Message: ", "", " ".join(text.split()))
    text = re.sub(r"/onnxruntime_src/\S+ .*?\) (?:const )?(?:\[with [^]]*\] )?", "", text)
    return text if len(text) <= 240 else text[:80] + " ... " + text[-160:]


# ---- one operator --------------------------------------------------------------------------------

def run(op, arguments, pipe, skip, count):
    """Draws the nodes of `op`; those before number `skip` again without asking, after the runtime ended the process."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, 1)
    os.dup2(devnull, 2)
    module = module_of(op)
    with tempfile.TemporaryDirectory() as folder:
        for number in range((arguments.legal + arguments.illegal) * 4):
            R.seed("%s %s %d" % (arguments.seed, op, number))
            try:
                node = module.draw(op)
                if node["outputs"] > 9:
                    continue
                raw = module.file_of(node)
            except Exception as e:
                pipe.send((number, "undrawn", "%s: %s" % (type(e).__name__, e), ""))
                continue
            if number < skip:
                continue
            pipe.send((number, "asks", "", ""))
            answer = module.ask(node, raw)
            if answer[0] == "lacks":
                pipe.send((number, "lacks", shorten(answer[1]), ""))
                continue
            group = "legal" if answer[0] == "ran" else "illegal"
            if count[group] >= getattr(arguments, group):
                if all(count[g] >= getattr(arguments, g) for g in ("legal", "illegal")):
                    break
                continue
            count[group] += 1
            verdict, text = judge(arguments.splitgen, module, node, raw, answer, folder)
            pipe.send((number, group, verdict, (text, drawing.text_of(node)) if verdict != "same" else ""))
    pipe.send((0, "end", "", ""))


def compare_operator(op, arguments):
    """(op, counts, differences); the runtime can end its process, which then starts again behind the node."""
    counts, differences, skip = collections.Counter(), [], 0
    lacking = collections.Counter()
    while True:
        here, there = multiprocessing.Pipe(False)
        process = multiprocessing.Process(target=run, args=(op, arguments, there, skip, counts))
        process.start()
        there.close()
        last = skip
        try:
            while True:
                # The sentinel: another child may hold the other end of the pipe.
                if here not in multiprocessing.connection.wait([here, process.sentinel], 600):
                    process.kill()
                    raise EOFError
                number, group, verdict, text = here.recv()
                if group == "end":
                    process.join()
                    return op, counts, differences, lacking
                last = number
                if group in ("undrawn", "lacks"):
                    counts[group] += 1
                    lacking[verdict] += 1
                elif group in ("legal", "illegal"):
                    counts[group] += 1
                    if verdict != "same":
                        differences.append((verdict, text[0], text[1]))
        except EOFError:
            process.join()
            counts["ended"] += 1
            skip = last + 1
            if counts["ended"] > 40:
                return op, counts, differences, lacking


# ---- the table of choices ------------------------------------------------------------------------

def choices():
    """[(pattern of operators, kinds, pattern of the text, reason)] from choices.txt."""
    rows = []
    path = os.path.join(HERE, "choices.txt")
    with open(path) as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                rows.append([part.strip() for part in line.split(" | ")])
    return rows


def chosen(rows, op, difference):
    kind, text, node = difference
    for row in rows:
        if any(fnmatch.fnmatchcase(op, name) for name in row[0].split()) and kind in row[1].split() \
                and (row[2] == "*" or re.search(row[2], node + " : " + text)):
            row.append(True)
            return row[3]
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("splitgen")
    parser.add_argument("--legal", type=int, default=100)
    parser.add_argument("--illegal", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="operators, separated by commas; * and ? as in a shell")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--show", type=int, default=3, help="differences to print for each operator and kind")
    parser.add_argument("--lacking", action="store_true", help="print why nodes could not be compared")
    parser.add_argument("--least", type=int, default=0, help="fail if fewer operators are compared")
    arguments = parser.parse_args()
    import onnx_runtime
    import openvino_runtime
    names = onnx_runtime.operators() + openvino_runtime.operators()
    if arguments.only:
        names = [n for n in names if any(fnmatch.fnmatchcase(n, p) for p in arguments.only.split(","))]
    rows = choices()
    sums, compared = collections.Counter(), 0
    print("%-42s %6s %6s %8s %6s %8s" % ("operator", "drawn", "legal", "illegal", "differ", "choices"), flush=True)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for op, counts, differences, lacking in pool.map(lambda n: compare_operator(n, arguments), names):
            listed = [(chosen(rows, op, d), d) for d in differences]
            wrong = [d for reason, d in listed if reason is None]
            meant = len(listed) - len(wrong)
            drawn = counts["legal"] + counts["illegal"] + counts["undrawn"] + counts["lacks"] + counts["ended"]
            print("%-42s %6d %6d %8d %6d %8d%s" % (
                op, drawn, counts["legal"], counts["illegal"], len(wrong), meant,
                "  (the runtime ended the process %d times)" % counts["ended"] if counts["ended"] else ""), flush=True)
            shown = collections.Counter()
            for kind, text, node in sorted(wrong, key=lambda d: len(d[2])):
                shown[kind] += 1
                if shown[kind] <= arguments.show:
                    print("    %s: %s\n        %s" % (kind, node, text))
            if arguments.lacking:
                for why, times in lacking.most_common(4):
                    print("    not compared, %d: %s" % (times, why))
            compared += counts["legal"] > 0
            sums.update(counts)
            sums["differ"] += len(wrong)
            sums["choices"] += meant
    print("%d operators, %d legal and %d illegal nodes, %d differ, %d in the table of choices"
          % (compared, sums["legal"], sums["illegal"], sums["differ"], sums["choices"]))
    if not arguments.only and arguments.legal >= 100:
        for row in rows:
            if len(row) == 4:
                print("choices.txt: no node needs: " + " | ".join(row))
    if compared < arguments.least:
        print("fewer than %d operators were compared" % arguments.least)
    return sums["differ"] != 0 or compared < arguments.least


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    sys.exit(main())
