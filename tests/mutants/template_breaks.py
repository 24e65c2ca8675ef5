"""Ways to break a template. The C that it then prints is checked: a mutant that changes no byte of any kernel of
specs.py, or that the tool refuses, does not count."""
import os
import re
import resource
import subprocess

import specs as kernels

TEMPLATES = ["kernel.c", "choices.c", "loops.c", "stores.c", "statements.c",
             "spell_avx512.c", "spell_avx2.c", "spell_avx2byte.c", "spell_neon.c", "spell_wasm.c",
             "frame.c", "bits.c"]
FIELDS = {"rows": "tail_rows", "tail_rows": "rows", "prologue_rows": "rows", "block_rows": "rows", "iteration_groups": "group_rows",
          "group_rows": "rows", "first_row": "end_row", "end_row": "first_row", "dst": "src", "src": "dst", "a": "b",
          "b": "a", "bytes": "row_bytes", "row_bytes": "bytes", "row_elements": "elements", "symbol": "isa",
          "value": "count", "count": "value", "moves_plain": "moves_combined", "aligned": "rows", "cpu": "isa", "index": "rows"}


def places(lines):
    """[(number of a line, its replacement)]"""
    for at, line in enumerate(lines):
        text = line.strip()
        lua = text.startswith("$")
        if not text or text.startswith(("/*", "*", "$ --", "$ end", "#")) or "title" in text:
            continue
        for match in re.finditer(r"(?<![\w.\"#])(\d+)(?![\w.\"])", line):
            for delta in (1, -1):
                if int(match.group()) + delta >= 0:
                    yield at, line[:match.start()] + str(int(match.group()) + delta) + line[match.end():]
        if not lua and text.endswith(";"):
            yield at, None
        for match in re.finditer(r"\((\w[\w.]*), (\w[\w.]*)(?=[,)])", line):
            yield at, line[:match.start()] + f"({match.group(2)}, {match.group(1)}" + line[match.end():]
        for match in re.finditer(r" (<|<=|>|>=|==|~=|!=) ", line):
            other = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "~=" if lua else "!=", "~=": "==", "!=": "=="}
            yield at, line[:match.start(1)] + other[match.group(1)] + line[match.end(1):]
        for match in re.finditer(r"\b(?!string|table)(\w+)\.(\w+)\b(?!\()", line):
            if match.group(2) in FIELDS and (lua or "${" in line):
                yield at, line[:match.start(2)] + FIELDS[match.group(2)] + line[match.end(2):]


def mutants(bench, specs, chance, make):
    """An endless iterator: one template after the other. Each folder is created when the next batch needs it."""
    rest, texts = [], {}
    right = {tuple(arguments): printed(bench, arguments) for arguments, _ in kernels.together(specs)}
    for name in TEMPLATES:
        texts[name] = (bench.source / "templates" / f"{name}.tmpl").read_text().split("\n")
        some = sorted(set(places(texts[name])), key=str)
        chance.shuffle(some)
        rest.append((name, some))
    number = 0
    while rest:
        for name, some in [entry for entry in rest if entry[1]]:
            at, text = some.pop()
            lines = texts[name]
            folder = bench.folder("templates") / str(number)
            folder.mkdir(exist_ok=True)
            (folder / f"{name}.tmpl").write_text("\n".join(lines[:at] + ([text] if text is not None else []) + lines[at + 1:]))
            changed = of_changed(bench, specs, folder, right)
            if changed:
                number += 1
                yield make("template", changed, f"{name}.tmpl: '{lines[at].strip()}' to '{text.strip() if text else ''}'")
            else:
                (folder / f"{name}.tmpl").unlink()
        rest = [entry for entry in rest if entry[1]]


def limit_memory():
    """A template that never ends must not use up the machine; the tool limits the time itself."""
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))


def printed(bench, arguments, folder=None):
    """The C without its banner, which names the options; None if the templates cannot be used."""
    templates = {"SPLITGEN_TEMPLATES": str(folder)} if folder else {}
    done = subprocess.run([bench.options.splitgen, *arguments], cwd=bench.work, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, env={**os.environ, **templates}, preexec_fn=limit_memory)
    return done.stdout.split("*/", 1)[1] if done.returncode == 0 else None


def of_changed(bench, specs, folder, right):
    """The kernels that the templates print differently, one at a time: (the spec, a function that returns its text)."""
    together = kernels.together(specs)
    now = bench.each(lambda entry: printed(bench, entry[0], folder), together)
    if None in now:
        return []
    def text_of(spec):
        return lambda: spec.text.split("*/", 1)[0] + "*/" + printed(bench, spec.arguments, folder)
    return [(spec, text_of(spec)) for (arguments, some), text in zip(together, now) if text != right[tuple(arguments)]
            for spec in some]
