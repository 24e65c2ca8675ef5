"""Compares machine code with its plan: check() of the output of splitgen --dump=program, the generated file, objdump -t
and objdump -d --no-show-raw-insn of its object. It returns a line for every function version and the errors.

Requirements for the loop of vector code: as many stores as planned; no more shuffles, two-source shuffles or vector
instructions in all; no loads beyond those that x86 folds into instructions; no vector on the stack; no call that is not
in the C text; no string instruction; and on x86 no return with the upper halves of registers in use. The numbers come
only from the dump.

An unknown instruction of the plan is an error: add below what it may be translated to."""
import functools
import re
from collections import Counter

PREFIXES = "rep repz repnz bnd notrack cs ds data16 lock".split()


class Body:
    """A loop body of the plan: a function version."""

    def __init__(self, symbol, op, isa, feeds=""):
        self.symbol, self.op, self.isa, self.feeds = symbol, op, isa, feeds
        self.planned = Counter()  # instructions; runs of bytes and what is combined
        self.fed_outputs = set()


def read_plan(text, family, complain):
    """The bodies and the ops of a dump."""
    bodies, ops, body = [], [], None

    def begin(symbol, feeds=""):
        body = Body(symbol, ops[-1], isa, feeds)
        if isa == "NEON" if family == "neon" else isa.startswith("AVX"):
            bodies.append(body)
        return body

    def field(word, name):
        """The word after a member's name."""
        return word[word.index(name) + 1] if name in word[:-1] else ""

    for line in text.splitlines():
        word = line.split()
        if word[0] == "program":
            ops.append(word[1])
            body = None
        elif word[0] == "body":
            isa, slices = word[2], 0
            unit = 32 if isa == "AVX2LANE" else 64 if isa.startswith("AVX512") else 16  # bytes of a tile's vector
            symbol = f"{ops[-1]}_{re.sub('(VBMI|LANE|BYTE)$', '', isa).lower()}"
            feeds = field(word, "write_combining")
            body = begin(symbol, feeds)
        elif word[0] == "function":  # the functions around loop bodies follow after all of them
            body = None
        elif not body:
            continue
        elif word[0] == "slice":
            slices += 1
        elif word[0] == "code" and slices > 1:  # a function for each one, instead of one for all
            if word[1] == "0" and bodies and body is bodies[-1]:
                bodies.pop()
            body = begin(f"{symbol}_group{word[1]}", feeds)
        elif word[0] == "constant" and word[2] in ("mask", "index"):
            body.planned[word[2]] += 1
        elif word[0] == "insn":
            what, combines = word[2], word[-1] == "combines"
            if combines:
                body.fed_outputs.add(field(word, "to").split("+")[0])
            if what in ("vectors", "copy", "call", "move"):
                body.planned.update(run=1, fed_run=combines)
            elif what == "load" and "step" in word:  # put together from pieces
                pieces = unit // int(field(word, "bytes"))
                body.planned.update(load=pieces, merge=pieces - 1)
            elif what == "interleaved":
                body.planned["load"] += 1
            elif what in ("load", "store", "permute", "permute2", "blend", "prefetch"):
                body.planned.update({what: 1, "fed_store": combines})
            else:
                complain(body.symbol, f"the plan's instruction '{what}' is not known to tests/asm/machine_code.py")
    return bodies, ops


def calls_in_text(text):
    """The calls of each function version in the generated file, in an iteration."""
    calls, pieces, combined = Counter(), Counter(), Counter()
    tile = name = ""
    for line in text.splitlines():
        if line.startswith("SPLITGEN_TILE void "):  # with the functions that pass it to a loop: all streams together
            tile = line.split()[2].split("_tile(")[0]
        elif line.startswith("}"):
            tile = name = ""
        elif tile:
            pieces[tile] += bool(re.match(" *splitgen_pieces_", line))
            combined[tile] += bool(re.match(" *splitgen_combined_", line))
            calls[tile] += bool(re.match(r" *splitgen_copy\(", line))
        elif re.match(r"static (SPLITGEN_LOOP )?void [a-z0-9_]+\(", line):
            name = line.split("(")[0].split()[-1]
        elif name and re.match(r"    splitgen_runs_(combined_)?streamed\(", line):
            of = re.sub("(_combined)?_non_temporal$", "", name)
            calls[name] = combined[of] + ("combined" not in line and pieces[of])
        elif name:
            calls[name] += bool(re.match(r" +splitgen_copy\(", line))
    return calls


class Instruction:
    def __init__(self, family, line):
        address, name, *more = line.split("\t")
        self.address = int(address.strip(" :"), 16)
        self.name, self.arguments, self.string = name.strip(), more[0] if more else "", False
        words = self.name.split()
        if len(words) > 1:  # x86: all in one column
            while len(words) > 1 and words[0] in PREFIXES:
                self.string |= words[0].startswith("rep")
                words = words[1:]
            self.name, self.arguments = words[0], " ".join(words[1:])
        self.arguments = re.sub(" *//.*", "", re.sub(" +[#<].*", "", self.arguments))
        self.branch = bool(re.match("j" if family == "x86" else r"(b|b\.[a-z]+|cbn?z|tbn?z)$", self.name))
        self.call = self.name in ("call", "callq", "bl", "blr")
        last = re.split("[, ]", self.arguments)[-1]
        self.to = int(last, 16) if re.fullmatch("[0-9a-f]+", last) else None

    def x86_kinds(self, has_frame):
        name, arguments = self.name, self.arguments
        if not re.search("%[xyz]mm", arguments):
            return
        stack = "(%rsp" in arguments or (has_frame and "(%rbp" in arguments)
        if re.search(r"\)(\{%k[1-7]\})?$", arguments):
            yield "overrun" if stack else "stream" if name.startswith("vmovnt") else "store"
            return
        if "(" in arguments:
            yield "constant" if stack or "(%rip" in arguments else "load"
        if re.match("vperm[ti]2|vshuf[pif]|vunpck|vpunpck|vpalignr|valign|vperm2[if]128|vpack", name) or (
                re.match("v(insert|extract)", name) and "(" not in arguments):
            yield "two"
        elif re.match("vperm|vpshuf|vmov(sl|sh|d)dup|vp?broadcast|vpmov|vpcompress|vpexpand", name):
            yield "one"
        elif re.match("vp?blend", name) or re.search(r"\{%k[1-7]\}", arguments):
            yield "blend"
        elif not re.match("v(l?d?mov|insert|extract)", name) and name != "vzeroupper":
            yield "other"

    def neon_kinds(self):
        name, arguments = self.name, self.arguments
        if self.branch or self.call or not re.search("(^|[^a-z0-9])[dqv][0-9]", arguments):
            return
        count = len(re.findall("v[0-9]", arguments)) if name in ("ld1", "st1") else 2 if name.endswith("p") else 1
        stack = "[sp" in arguments
        if re.match("ld[234]$", name):  # fills several registers
            yield "load"
        elif name in ("ldr", "ldp", "ldur", "ldnp", "ld1"):
            yield from ["constant" if stack else "load"] * count
        elif name in ("str", "stp", "stur", "stnp", "st1"):
            yield from ["overrun" if stack else "store"] * count
        elif name in ("tbl", "tbx"):
            yield "two" if re.search(r"\{.*[,-].*\}", arguments) else "one"
        elif re.match("(zip|uzp|trn)[12]$", name) or name == "ext":
            yield "two"
        elif name in ("rev16", "rev32", "rev64", "dup", "ins") or re.search(r"\.[bhsd]\[", arguments):
            yield "one"
        elif name in ("bsl", "bit", "bif"):
            yield "blend"
        elif name != "mov":
            yield "other"


instruction = functools.lru_cache(None)(Instruction)  # most are the same in every check of a test


class Function:
    """The instructions of a function."""

    def __init__(self, family, code):
        self.family, self.code = family, code
        self.place = {one.address: i for i, one in enumerate(code)}
        self.has_frame = any(one.name == "mov" and one.arguments == "%rsp,%rbp" for one in code)

    def target(self, i):
        """The instruction that instruction i branches to; -1 if it is no branch or leaves the function."""
        return self.place.get(self.code[i].to, -1) if self.code[i].branch else -1

    def leaves(self, start, to):
        """Whether a branch goes back to the function's return, which compilers may place before the loop."""
        reach = -1
        for i in range(to, start):
            if self.code[i].name.startswith("ret"):
                return reach <= i
            reach = max(reach, self.target(i))
        return False

    def loops(self, innermost):
        """The ranges of the outermost loops, or of the innermost ones, in order."""
        found = []
        for i in range(len(self.code)):
            to = self.target(i)
            if to < 0 or to > i or (innermost and found and to < found[-1][0]) or self.leaves(i, to):
                continue
            while found and to <= found[-1][1]:  # merge it with the loops it overlaps
                to = min(to, found.pop()[0])
            found.append((to, i))
        return found

    def count(self, first, last, body_at):
        """The kinds of instructions. Rows that do not fill an iteration are left to the loop body at this address. Such
        calls copy nothing repeatedly, and may be inside something that only looks like a loop."""
        seen = Counter()
        for one in self.code[first:last + 1]:
            seen.update(one.x86_kinds(self.has_frame) if self.family == "x86" else one.neon_kinds())
            seen.update(call=one.call and one.to != body_at, prefetch=bool(re.match("prefetch|prfm", one.name)),
                        string=one.string)
        return seen

    def leaves_registers_dirty(self):
        """Whether it returns with the upper halves of vector registers in use: this slows down SSE code that follows on
        many processors."""
        dirty, then = False, set()
        for i, one in enumerate(self.code):
            dirty = dirty or i in then  # from an earlier branch
            if one.name == "vzeroupper":
                dirty = False
            elif re.search("%[yz]mm", one.arguments):
                dirty = True
            elif one.name.startswith("ret") and dirty:
                return True
            elif dirty and self.target(i) > i:
                then.add(self.target(i))
            if re.match("ret|jmp", one.name):
                dirty = False
        return False

    def has(self, name):
        return any(one.name == name for one in self.code)


def read_object(family, symbols, disassembly):
    """{symbol: its function} of the section .text."""
    code, elsewhere = [], False
    for line in disassembly.splitlines():
        if line.startswith("Disassembly of section "):  # addresses restart in each
            elsewhere = not line.endswith(" .text:")
        elif not elsewhere and re.match(" +[0-9a-f]+:\t", line):
            code.append(instruction(family, line))
    functions = {}
    for line in symbols.splitlines():
        word = line.split()
        if "F .text\t" in line:
            start, size = int(word[0], 16), int(word[-2], 16)
            name = re.sub(r"\.(isra|constprop|part)\.[0-9]+$", "", word[-1])  # gcc's copy of a function
            functions[name] = Function(family, [one for one in code if start <= one.address < start + size])
    return functions


class Check:
    def __init__(self, family, dump, c, symbols, disassembly):
        self.x86, self.errors, self.saw, self.streams = family == "x86", [], [], set()
        self.functions = read_object(family, symbols, disassembly)
        self.calls = calls_in_text(c)
        bodies, ops = read_plan(dump, family, self.complain)
        for body in bodies:
            if body.feeds != "always":
                self.body(body, False, False)
            if self.x86:
                self.body(body, True, False)
        for body in bodies:
            if body.feeds:
                self.body(body, False, True)
                self.body(body, True, True)
        straight = [op for op in ops if op.startswith("tiny_")]
        short = [op for op in ops if op.startswith("short_") and self.x86]
        for op in straight:
            self.straight(op)
        for op in short:
            for symbol in op, op + "_run", op + "_any":
                self.entry(symbol)
        if not bodies or not straight or (self.x86 and not short):
            self.complain("", "nothing was looked at")
        if self.x86 and not {"AVX512VBMI", "AVX512", "AVX2LANE", "AVX2BYTE"} <= self.streams:
            self.complain("", "no body with stores past the cache was looked at")
        if self.x86 and not any(body.feeds for body in bodies):
            self.complain("", "no body with write combining was looked at")

    def complain(self, where, text):
        self.errors.append(f"{where}: {text}")

    def function(self, symbol):
        if symbol not in self.functions:
            self.complain(symbol, "there is no such function")
        return self.functions.get(symbol)

    def entry(self, symbol):
        """The entry of a call takes longer than a short function: it must not save registers on the stack. Only the
        arrays of tensors are there (clang makes room for one by pushing a register that need not be saved)."""
        function = self.function(symbol)
        if function and any(one.name.startswith("push") and re.search("%r(bx|bp|1[2-5])", one.arguments)
                            for one in function.code):
            self.complain(symbol, "puts registers on the stack")

    def straight(self, op):
        function = self.function(op)
        for one in function.code if function else ():
            if one.call or one.branch or one.string:
                return self.complain(op, f"not straight-line: {one.name} {one.arguments}")
            # splitgen_put_byte() explains why
            if self.x86 and one.name == "mov" and re.search(r"\),%([abcd]l|[sd]il|r[0-9]+b)$", one.arguments):
                return self.complain(op, "loads a byte into a part of a register")
        self.saw.append(f"{op}: {len(function.code) if function else 0} instructions")

    def fenced(self, body):
        """In the function or, for the code of a column group, in another one of the kernel's functions."""
        return any(function.has("sfence") for symbol, function in self.functions.items()
                   if symbol.startswith(f"{body.op}_"))

    def body(self, body, stream, feed):
        if body.op.startswith("short_"):  # a single row, so there is no loop
            return
        symbol = body.symbol + "_combined" * feed + "_non_temporal" * stream
        where = symbol
        if symbol in self.functions:
            function = self.functions[symbol]
        elif stream or feed:  # no write combining if all stores are non-temporal
            return
        else:  # inlined: the loop is in the function that receives the rows
            host = f"{body.op}_vector" if f"{body.op}_vector" in self.functions else f"{body.op}_any"
            where = f"{symbol} in {host}"
            function = self.function(host)
            if not function:
                return
        calls = self.calls[symbol]
        ordinary = self.functions.get(body.symbol) if symbol != body.symbol else None
        at = ordinary.code[0].address if ordinary else -1
        best, most, seen = None, 0, None
        # Streams are interleaved around the loop over a piece, or by a function for each run. Other loops copy rows.
        for first, last in function.loops(stream and not calls):
            found = function.count(first, last, at)
            if stream and calls:
                work = found["call"]
            elif stream and not found["stream"] and found["call"]:
                continue  # the first rows of every part
            else:
                work = (100 * (found["one"] + found["two"] + found["blend"] + found["stream"])
                        + found["store"] + found["call"])
            if not best or work > most:
                best, most, seen = (first, last), work, found
        if not best:
            return self.complain(where, "has no loop")
        if stream and not calls and not function.count(0, len(function.code), at)["stream"]:
            self.complain(where, "stores nothing past the cache")
        self.seen, self.where = seen, where
        self.at_most("string", 0, "string instructions")
        # a compiler that unrolls a loop over rows makes several
        if seen["call"] if not calls else not seen["call"] or seen["call"] % calls:
            self.complain(where, f"{seen['call']} calls in the loop, {calls} in the text")
        if not calls:
            if not seen["load"] or not seen["store"] + seen["stream"]:
                self.complain(where, "copies no vectors")
            self.woven(body, stream, feed)
        else:
            self.saw.append(f"{where}: {seen['call']} calls")
        if self.x86 and function.leaves_registers_dirty():
            self.complain(where, "returns without vzeroupper")
        if stream:
            if not (self.fenced(body) if re.search("_group[0-9]+$", body.symbol) else function.has("sfence")):
                self.complain(where, "no sfence")
            self.streams.add(body.isa)

    def at_most(self, kind, most, what):
        if self.seen[kind] > most:
            self.complain(self.where, f"{self.seen[kind]} {what} in the loop, planned {most}")

    def woven(self, body, stream, feed):
        """Checks the loop around lanes that move between registers. If it contains runs of bytes with their own
        instructions, stores, loads and prefetches are not counted."""
        seen, planned = self.seen, Counter(body.planned)
        ways = 2 if body.isa == "AVX2BYTE" else 1
        stores = seen["stream" if stream else "store"]
        pairs = planned["permute2"]
        iterations, saved = 1, 0
        if stream:  # beside interleaved runs, the remaining stores are ordinary ones
            kept = planned["fed_run"] if feed else 0  # combiners, from piece to piece
            self.at_most("store", kept + (planned["store"] if planned["run"] else 0), "stores into the cache")
        else:
            kept = 0
        if not planned["run"]:
            iterations = stores // planned["store"] if ways == 1 else 1  # clang unrolls short loops
            if not iterations or not 1 <= stores / (iterations * planned["store"]) <= ways:
                self.complain(self.where, f"{stores} stores in the loop, planned {ways * planned['store']}")
                self.at_most("overrun", 0, "vectors put on the stack")
                return
            # Stores of neighbouring tiles may be merged, if necessary by a shuffle.
            saved = iterations * ways * planned["store"] - stores
        # If clang unrolls all iterations of a piece, this is the loop over pieces, which loads combiners from memory,
        # rotates an index for each and stores them.
        turned = len(body.fed_outputs) if feed and stream and iterations > 1 else 0
        # On NEON gcc always moves the sources of a two-source shuffle into adjacent registers, for some of them through
        # the stack: it stores both and loads them together.
        # The combiners of runs are in an array on the stack, one for each stream.
        self.at_most("overrun", turned + kept if self.x86 else 2 * pairs, "vectors put on the stack")
        # Functions with non-temporal stores prefetch several lines at once, which is not part of the plan.
        if self.x86 and not stream and not planned["run"] and seen["prefetch"] != iterations * planned["prefetch"]:
            self.complain(self.where, f"{seen['prefetch']} prefetches in the loop, planned {planned['prefetch']}")
        if feed:  # combiners load parts of lines, or rotate vectors and merge them
            planned.update(blend=2 * planned["fed_run"] + planned["fed_store"], permute=planned["fed_store"],
                           index=len(body.fed_outputs))
        # Pieces are merged into vectors and, with two ways, merged once more. For non-temporal stores the upper half of
        # a register has to be extracted first.
        merges = iterations * (2 * ways - 1) * planned["merge"] + saved
        if stream and ways == 2:
            merges += stores - planned["store"]
        pairs *= iterations
        seen["shuffle"] = seen["one"] + seen["two"]
        seen["vector"] = seen["shuffle"] + seen["blend"] + seen["other"]
        self.at_most("shuffle", iterations * planned["permute"] + pairs + merges + turned, "shuffles")
        if not body.isa.startswith("AVX2"):  # the cost is the same there
            self.at_most("two", pairs + merges, "two-source shuffles")
        self.at_most("vector", iterations * (planned["permute"] + planned["blend"]) + pairs + merges + 2 * turned,
                     "vector instructions")
        # Constants occupy at most a quarter of the registers: AVX-512 and NEON have 32, AVX2 has 16. Masks of AVX-512
        # have their own registers, and those of AVX2 in 4-byte lanes are immediate. On NEON, loads of constants look
        # like other loads.
        constants = planned["index"] + (planned["mask"] if re.search("BYTE|NEON", body.isa) else 0)
        constants = iterations * max(constants - (4 if body.isa.startswith("AVX2") else 8), 0)
        if self.x86:
            self.at_most("constant", kept + turned + constants + (planned["index"] if planned["run"] else 0),
                         "constants from memory")
            # gcc loads a vector that is blended twice from memory twice, which is free with two loads per cycle.
            loads = 2 * iterations * ways * planned["load"]
        else:
            seen["load"] += seen["constant"]
            loads = iterations * planned["load"] + 2 * pairs + constants
        if not planned["run"]:
            self.at_most("load", loads, "loads")
        self.saw.append(f"{self.where}: {seen['load']} loads, {seen['shuffle']} shuffles ({seen['two']} two-source), "
                        f"{seen['blend']} blends, {seen['store'] + seen['stream']} stores")
