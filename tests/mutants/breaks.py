"""Ways to break printed C. Each kind is a function that returns the places to break in a file's lines: (the number
of a line, the lines that replace it and those after it). `equivalent.py` lists what is never broken on purpose."""
import re

NUMBER = r"(?<![\w.])(\d+)(?![\w.])"
TABLE = re.compile(r"\bSPLITGEN_(?:\w+_TABLE\((\w+), .*\{|(LANES)\(.*= \{)")
ADDED = re.compile(r"(?<=\w \+ )\s*(\d+)\b(?! \*)")
SIZED = re.compile(r"\b(?:memcpy|splitgen_(?:copy|vectors|lines|store|put|run|stream)\w*)\(.*, (\d+)\);$")
CALLED = re.compile(r"\s*(?!splitgen_)(\w+)\(in, out, ")
ISAS = ["SPLITGEN_CPU_AVX2", "SPLITGEN_CPU_AVX512", "SPLITGEN_CPU_AVX512VBMI"]


def functions(lines):
    """[(its head, [(number, line of its body without comments)])]"""
    found, body = [], None
    for at, line in enumerate(lines):
        if line == "{":
            head = lines[:at][::-1]
            head = head[:head.index("")] if "" in head else head
            body = []
            found.append((" ".join(head[::-1]), body))
        elif line == "}":
            body = None
        elif body is not None and not line.lstrip().startswith(("/*", "*", "#")):
            body.append((at, line))
    return found


def chooses(function):
    """Whether it contains a dispatch table."""
    return any(re.match(r"    (const unsigned cpu = |if \(rows >=? \d+)", line) for _, line in function[1])


def bodies(lines):
    return [line for function in functions(lines) for line in function[1]]


def statements(lines):
    """Lines of functions that copy bytes, without tables of lanes."""
    found, table = [], False
    for at, line in [line for function in functions(lines) if not chooses(function) for line in function[1]]:
        table = table or TABLE.search(line) is not None
        if not table and "PREFETCH" not in line and "splitgen_prefetch" not in line:
            found.append((at, line))
        if line.rstrip().endswith(("};", "});")):
            table = False
    return found


def put(line, span, text):
    return [line[:span[0]] + str(text) + line[span[1]:]]


def numbers(found, pattern, deltas, unless=None):
    for at, line in found:
        if unless and re.search(unless, line):
            continue
        for match in re.finditer(pattern, line):
            for delta in deltas:
                value = int(match.group(1)) + delta
                if value >= 0:
                    yield at, put(line, match.span(1), value)


def offsets(lines):
    found = statements(lines)
    yield from numbers(found, ADDED, (1, -1, 16, -16), r"^\s*(for|while|if) |\+= ")
    yield from numbers(found, re.compile(r"splitgen_put_\w+\(\w+, (\d+),"), (1, -1, 16, -16))
    for (at, first), (following, second) in zip(found, found[1:]):
        one, two = ADDED.search(first), ADDED.search(second)
        if following == at + 1 and one and two and one.group(1) != two.group(1) and "for (" not in first + second:
            yield at, put(first, one.span(1), two.group(1)) + put(second, two.span(1), one.group(1))


def loops(lines):
    """Loops of rows.h and loops.h, bounds and conditions: a row too many or too few, a tile of other rows."""
    found = statements(lines)
    yield from numbers(found, re.compile(r"\bSPLITGEN_ROW\((\d+)\)"), (1, -1))
    yield from numbers(found, re.compile(r"\bSPLITGEN_(?:ITERATIONS|REST|BLOCKS)\([^()]*, (\d+)\)"), (1, -1))
    yield from numbers(found, re.compile(r"\bsplitgen_(?:least\([^()]*, |tiles\w*\(\w+, )(\d+)"), (1, -1, 16))
    yield from numbers(found, re.compile(r"\bfor \(.*?[<>]=? (\d+);"), (1, -1))
    yield from numbers(found, re.compile(r"\b(?:if|while) \(.*?\b(?:last|rows|n) [<>]=? (\d+)"), (1, -1, 16, -16), r"\bcpu\b")
    for at, line in found:
        for match in re.finditer(r"\bfirst, last\b", line):
            yield from ((at, put(line, match.span(), other)) for other in ("first + 1, last", "first, last - 1"))
        test = re.search(r"\b(?:if|while|for) \(.*?\b(?:first|last|rows|n|i) (<=?|>=?) [\w-]+", line)
        if test and not re.search(r"\bcpu\b", line):
            other = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}[test.group(1)]
            yield at, put(line, test.span(1), other)


def lanes(lines, wanted):
    """Numbers of tables: (line, match)."""
    name = None
    for at, line in bodies(lines):
        start = TABLE.search(line)
        if start:
            name = start.group(1) or start.group(2)
        if name and re.match(wanted, name):
            text = line[start.end():] if start else line
            for match in re.finditer(NUMBER, text):
                shift = len(line) - len(text)
                yield at, line, (match.start() + shift, match.end() + shift), int(match.group())
        if line.rstrip().endswith(("};", "});")):
            name = None


def indices(lines):
    yield from numbers(statements(lines), re.compile(r"\bSPLITGEN_LANES_\w+\((\d+),"), (1, -1))
    yield from numbers(statements(lines), re.compile(r"\bSPLITGEN_LANES_\w+\(\d+, (\d+),"), (1, -1))
    entries = [e for e in lanes(lines, "index|LANES") if e[3] not in (0, 255)]
    for at, line, span, value in entries:
        yield at, put(line, span, value + 1)
        yield at, put(line, span, value - 1)
    for one, two in zip(entries, entries[1:]):
        if one[0] == two[0] and one[3] != two[3]:
            line = one[1]
            yield one[0], [line[:one[2][0]] + str(two[3]) + line[one[2][1]:two[2][0]] + str(one[3]) + line[two[2][1]:]]


def masks(lines):
    for at, line in statements(lines):
        for match in re.finditer(r"\b0x([0-9a-f]+)", line):
            value, digits = int(match.group(1), 16), len(match.group(1))
            for bit in range(4 * digits):
                if "splitgen_close(" in line and not value >> bit & 1:
                    continue # bits after a field are zero at this point
                yield at, put(line, match.span(1), f"{value ^ 1 << bit:0{digits}x}")
    for at, line, span, value in lanes(lines, "mask"):
        yield at, put(line, span, 255 - value if value in (0, 255) else value ^ 128)


def strides(lines):
    found = statements(lines)
    yield from numbers(found, re.compile(r"(?:\brow|\bfirst|\blast|\bi|\)) \* (\d+)(?:LL)?\b"), (1, -1, 16))
    yield from numbers(found, re.compile(r"(?<![\w.])(\d+) \* (?:row|first)\b"), (1, -1, 16))


def operands(lines):
    """A vector, mask, table, tensor or word instead of the one beside it."""
    for at, line in statements(lines):
        for match in re.finditer(r"(?<![.>\w])(v|mask|index|out|in|at->(?:in|out)\[)(\d+)\b", line):
            if not re.match(r" += |\s*;", line[match.end():]):  # what is declared there
                for delta in (1, -1):
                    if int(match.group(2)) + delta >= 0:
                        yield at, put(line, match.span(2), int(match.group(2)) + delta)


def choices(lines):
    """Rows of dispatch tables."""
    table = [line for function in functions(lines) if chooses(function) for line in function[1]]
    taken = sorted({match.group(1) for _, line in table for match in [CALLED.match(line)] if match})
    for at, line in table:
        text = line.strip()
        if text.startswith("if ("):
            parts = text[4:text.rindex(")")].split(" && ")
            if len(parts) > 1:
                for part in range(len(parts)):
                    yield at, [line.replace(" && ".join(parts), " && ".join(parts[:part] + parts[part + 1:]))]
            elif text.startswith(("if (rows", "if (bits")):
                yield at, [line.replace(parts[0], "true")]
        yield from numbers([(at, line)], re.compile(r"\brows >=? (\d+)"), (1, -1, 16, -16, -31, -63))
        yield from numbers([(at, line)], re.compile(r"\bbits % (\d+)"), (-16, -32, -48))
        for match in re.finditer(r"(==|!=) 0", line):
            yield at, put(line, match.span(1), "!=" if match.group(1) == "==" else "==")
        for match in re.finditer("|".join(rf"{isa}\b" for isa in ISAS), line):
            for isa in ISAS:
                if isa != match.group():
                    yield at, put(line, match.span(), isa)
        called = CALLED.match(line)
        if called:
            for name in taken:
                if name != called.group(1):
                    yield at, put(line, called.span(1), name)
            yield at, [line.replace("first, last", "first, last - 1")]


def sizes(lines):
    found = statements(lines)
    yield from numbers(found, SIZED, (1, -1, 16, -16))


KINDS = {"offset": offsets, "loop": loops, "index": indices, "mask": masks, "stride": strides, "operand": operands,
         "choice": choices, "size": sizes}


def broken(lines, place):
    at, texts = place
    return lines[:at] + texts + lines[at + len(texts):]
