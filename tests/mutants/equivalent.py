"""Classifies harmless mutants by rules: returns the reason, or None. The rules know no particular line or kernel."""
import re

import breaks

IMPLIED = {"SPLITGEN_CPU_AVX512": {"SPLITGEN_CPU_AVX2"},
           "SPLITGEN_CPU_AVX512VBMI": {"SPLITGEN_CPU_AVX2", "SPLITGEN_CPU_AVX512"}}


def plain(text):
    """Removes text that cannot change a byte of a result: comments, spaces, and prefetches."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"\s*(SPLITGEN_PREFETCH|splitgen_prefetch)\w*\([^;]*\);", "", text)
    return re.sub(r"\s+", " ", text)


def once(text):
    """A repeated call with arguments that change nothing writes the same bytes again."""
    return re.sub(r"((?<!\w)(?:splitgen_\w+|memcpy)\((?:[^;=]|==)*\); )\1+", r"\1", text)


def calls(text):
    """Calls of function versions in dispatch tables: [(name, its arguments, the conditions before it)]."""
    found = []
    for head, body in breaks.functions(text.split("\n")):
        if not breaks.chooses((head, body)):
            continue
        stack, joined = [], ""
        for _, line in body:
            joined = (joined + " " + line.strip()).strip()
            if not joined.endswith((";", "{", "}")):
                continue
            condition = re.match(r"if \((.*)\) \{$", joined)
            call = re.match(r"(?!splitgen_)(\w+)\((in, out, .*)\);$", joined)
            if condition:
                stack.append(condition.group(1))
            elif joined == "}" and stack:
                stack.pop()
            elif call:
                found.append((call.group(1), call.group(2), " && ".join(stack)))
            joined = ""
    return found


def known(condition):
    """What a condition implies: minimum rows, a divisor of the addresses, sets of instructions."""
    rows = [int(n) for n in re.findall(r"\brows >= (\d+)", condition)]
    rows += [int(n) + 1 for n in re.findall(r"\brows > (\d+)", condition)]
    aligned = [int(n) for n in re.findall(r"\bbits % (\d+) == 0", condition)]
    isas = set(re.findall(r"\(cpu & (\w+)\) != 0", condition)) | set(re.findall(r"\(cpu & (\w+)\) == \1", condition))
    isas &= {"SPLITGEN_CPU_PEXT", *breaks.ISAS} # the others are traits and only affect speed
    for isa in list(isas):
        isas |= IMPLIED.get(isa, set())
    return max(rows, default=0), max(aligned, default=1), isas


def is_choice_of_speed(before, after, least):
    """Every function version is called only where it is allowed; if two are allowed, the choice only affects speed.
    `least`: the rows that the plan requires; the required instructions and addresses are those common to all its
    rows of the table."""
    was = calls(before)
    needs = {}
    for name, _, condition in was:
        _, aligned, isas = known(condition)
        _, least_aligned, least_isas = needs.get(name, (0, aligned, isas))
        needs[name] = least.get(name, 0), min(aligned, least_aligned), isas & least_isas
    arguments = {given for _, given, _ in was}
    for name, given, condition in calls(after):
        if name not in needs or given not in arguments:
            return False
        rows, aligned, isas = known(condition)
        need_rows, need_aligned, need_isas = needs[name]
        if name not in least and "rows" in given or rows < need_rows or aligned % need_aligned or need_isas - isas:
            return False
    def rest(text):
        lines = text.split("\n")
        dropped = {at for f in breaks.functions(lines) if breaks.chooses(f) for at, _ in f[1]}
        return [line for at, line in enumerate(lines) if at not in dropped]
    return rest(before) == rest(after)


TYPES = {"uint8_t": 1, "int8_t": 1, "char": 1, "bool": 1, "uint16_t": 2, "int16_t": 2, "float": 4, "int32_t": 4}


def written_again(before, after):
    """A copy of another length: the next statements of the same function write the bytes in between again."""
    old, new = before.split("\n"), after.split("\n")
    changed = [at for at, (one, two) in enumerate(zip(old, new)) if one != two]
    form = re.compile(r"\s*\w+\((\w+)(?: \+ +(\d+))?, .*, (\d+)\);$")
    if len(old) != len(new) or len(changed) != 1:
        return False
    one, two = form.match(old[changed[0]]), form.match(new[changed[0]])
    if not one or not two or one.string[:one.start(3)] != two.string[:two.start(3)]:
        return False
    declared = re.findall(rf"(\w+) \*(?:SPLITGEN_RESTRICT )?(?:const )?{one.group(1)}\b", "\n".join(old[:changed[0]]))
    unit = TYPES.get(declared[-1], 0) if declared else 0
    def place(match): return int(match.group(2) or 0) * unit
    at, end = sorted((place(one) + int(one.group(3)), place(two) + int(two.group(3))))
    if unit == 0:
        return False
    for line in new[changed[0] + 1:]:
        if line == "}" or at >= end:
            break
        later = form.match(line)
        if later and later.group(1) == one.group(1) and place(later) <= at:
            at = max(at, place(later) + int(later.group(3)))
    return at >= end


def reason(before, after, least):
    one, two = plain(before), plain(after)
    if one == two:
        return "only comments, or lines asked for ahead"
    if once(one) == once(two):
        return "a copy that is made twice"
    if is_choice_of_speed(before, after, least):
        return "another body that may be called there"
    if written_again(before, after):
        return "written again behind it"
    return None
