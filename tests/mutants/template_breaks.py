"""Ways to break a template. What is judged is the C that the broken ones print: a mutant that changes no byte of any kernel
of specs.py, or that the tool refuses, is none."""
import re
import subprocess

TEMPLATES = ["kernel.c", "vector.c", "choices.c", "windows.c", "window.c", "stream.c", "feeds.c", "in_order.c", "strips.c",
             "statements.c", "spell_avx512.c", "spell_avx2.c", "spell_avx2byte.c", "spell_neon.c", "spell_wasm.c",
             "frame.c", "bits.c"]
FIELDS = {"rows": "tail_rows", "tail_rows": "rows", "head_rows": "rows", "block_rows": "rows", "trip_groups": "group_rows",
          "group_rows": "rows", "first_row": "end_row", "end_row": "first_row", "dst": "src", "src": "dst", "a": "b",
          "b": "a", "bytes": "row_bytes", "row_bytes": "bytes", "row_elements": "elements", "symbol": "isa",
          "stream_symbol": "symbol", "feed_symbol": "symbol", "aligned": "rows", "cpu": "isa", "index": "rows"}


def places(lines):
    """[(number of a line, what takes its place)]"""
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
    """Without end: one template after the other."""
    found, texts = [], {}
    for name in TEMPLATES:
        texts[name] = (bench.source / "templates" / f"{name}.tmpl").read_text().split("\n")
        some = sorted(set(places(texts[name])), key=str)
        chance.shuffle(some)
        found.append((name, some))
    number = 0
    while found:
        for name, some in list(found):
            if not some:
                found.remove((name, some))
                continue
            at, text = some.pop()
            lines = texts[name]
            number += 1
            folder = bench.work / "templates" / str(number % (8 * bench.options.jobs))
            folder.mkdir(parents=True, exist_ok=True)
            for old in folder.iterdir():
                old.unlink()
            (folder / f"{name}.tmpl").write_text("\n".join(lines[:at] + ([text] if text is not None else []) + lines[at + 1:]))
            printed = changed(bench, specs, folder)
            if printed:
                yield make("template", printed, f"{name}.tmpl: '{lines[at].strip()}' to "
                           f"'{text.strip() if text else ''}'")


def changed(bench, specs, folder):
    """What the broken templates print otherwise: [(kernel, text)]; nothing where they cannot be used."""
    def one(spec):
        done = subprocess.run([bench.options.splitgen, *spec.arguments, f"--template-dir={folder}"], cwd=bench.work,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        return done.stdout if done.returncode == 0 else None
    texts = bench.each(one, specs)
    if None in texts:
        return []
    # The banner names the options.
    def rest(text): return text.split("*/", 1)[1]
    return [(spec, text) for spec, text in zip(specs, texts) if rest(text) != rest(spec.text)]
