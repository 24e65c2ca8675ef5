"""Runs the commands and programs of the manual pages, and compares their lists with the sources.

    run_manual.py SPLITGEN SOURCE_DIR SCRATCH

A comment before each display of a page says what it is:

    .\\" file NAME     written to NAME before anything of the page runs; specs are read
    .\\" sh [PROGRAM]  a script for sh -e; left out where there is no PROGRAM
    .\\" text          right behind a script: its exact output
    .\\" c [HEADER]    compiles behind the runtime's header, and that one
    .\\" notation      every line is an op
    .\\" grammar       the grammar of the notation, in EBNF

Lines of .Dl are commands as well. All of a page's commands run in the order of the page, in one folder."""

import functools
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys

KINDS = {"file", "sh", "text", "c", "notation", "grammar"}


class Wrong(Exception):
    pass


def require(condition, message):
    if not condition:
        raise Wrong(message)


# --- Displays ------------------------------------------------------------------------------------


def literal(line):
    """A line of roff as it is printed, for the escapes that the pages use."""
    for escape, text in (("\\&", ""), ("\\-", "-"), ("\\e", "\\")):
        line = line.replace(escape, text)
    return line


def displays(page):
    """(kind, words, text) of every display, .Dl as kind sh."""
    mark = None
    lines = iter(page.splitlines())
    for line in lines:
        if line.startswith('.\\" '):
            mark = line[4:].split()
        elif line.startswith(".Bd -literal"):
            text = list(itertools.takewhile(lambda inner: inner != ".Ed", lines))
            require(mark is not None and mark[0] in KINDS,
                    f"a display says in front of it by a comment what it is: {text[:1]}")
            yield mark[0], mark[1:], "".join(literal(inner) + "\n" for inner in text)
            mark = None
        elif line.startswith(".Dl "):
            yield "sh", [], literal(line[4:]) + "\n"


class Runner:
    def __init__(self, splitgen, source, scratch):
        self.splitgen = splitgen
        self.folder = scratch
        self.counts = dict.fromkeys(KINDS, 0)
        self.environment = dict(
            os.environ, LC_ALL="C", PATH=f"{scratch / 'bin'}:{splitgen.parent}:{os.environ['PATH']}",
            C_INCLUDE_PATH=str(source / "include"),
            CPLUS_INCLUDE_PATH=str(source / "include"), LIBRARY_PATH=str(scratch / "lib"))
        shutil.rmtree(scratch, ignore_errors=True)
        for folder in ("bin", "lib"):
            (scratch / folder).mkdir(parents=True)
        # The runtime as users have it, without options of this build.
        sources = sorted((source / "runtime").glob("*.c"))
        self.run(["cc", "-O1", "-c", *sources])
        self.run(["ar", "rc", "lib/libsplitgen_runtime.a", *(path.stem + ".o" for path in sources)])

    def run(self, command, given=""):
        done = subprocess.run(command, cwd=self.folder, env=self.environment, input=given, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        require(done.returncode == 0, f"{given or command}\nexit {done.returncode}: {done.stdout}")
        return done.stdout

    def has(self, program):
        """Whether it is installed. Debian's gcc for bare boards finds picolibc's headers only by its specs."""
        path = shutil.which(program)
        if path and program.endswith("-gcc"):
            specs = self.run([path, "-print-file-name=picolibc.specs"]).strip()
            if os.path.isabs(specs):
                with_library = self.folder / "bin" / program
                with_library.write_text(f'#!/bin/sh\nexec {path} --specs=picolibc.specs "$@"\n')
                with_library.chmod(0o755)
        return path is not None

    def page(self, page):
        parts = list(displays(page))
        for kind, words, text in parts:
            if kind == "file":
                path = self.folder / words[0]
                path.parent.mkdir(exist_ok=True)
                path.write_text(text)
        output = None
        for kind, words, text in parts:
            self.counts[kind] += 1
            if kind == "text":
                require(output == text, f"shown:\n{text}printed:\n{output}")
            output = None
            if kind == "sh" and (not words or self.has(words[0])):
                output = self.run(["sh", "-e"], text)
            elif kind == "file" and words[0].endswith(".lua"):
                self.run([self.splitgen, "--list", words[0]])
            elif kind == "c":
                headers = ["splitgen/splitgen.h", *words]
                self.run(["cc", "-xc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-"],
                         "".join(f'#include "{header}"\n' for header in headers) + text)
            elif kind == "notation":
                for op in text.splitlines():
                    self.run([self.splitgen, "--list", "-e", op])


# --- The grammar ---------------------------------------------------------------------------------

# Sentences of this many tokens are enough to distinguish two grammars: with every optional element, and three
# repetitions. In place of an op there is the symbol 'op'.
TOKENS = 11


def productions_of_lemon(text):
    """{symbol: [alternative]} of a grammar for lemon; tokens are upper case."""
    rules = {}
    for name, body in re.findall(r"^([a-z]+)(?:\([A-Z]\))? ::= ([^.]*)\.", text, re.MULTILINE):
        rules.setdefault(name, []).append(re.sub(r"\([A-Z]\)", "", body).split())
    return rules


def productions_of_ebnf(text, tokens):
    """The same for EBNF. { } and [ ] become symbols of their own."""
    words = iter(re.findall(r'"[^"]*"|[a-z]+|[][{}()|=.]', text))
    rules = {}

    def alternatives(end):
        found = [[]]
        for word in words:
            if word == end:
                return found
            if word == "|":
                found.append([])
            elif word in "[{(":
                inner = f"<{len(rules)}>"
                rules[inner] = None  # reserves its number
                content = alternatives({"[": "]", "{": "}", "(": ")"}[word])
                if word == "{":
                    content = [[], *([inner, *one] for one in content)]
                rules[inner] = content + ([[]] if word == "[" else [])
                found[-1].append(inner)
            else:
                found[-1].append(tokens.get(word, word))
        raise Wrong(f"the grammar lacks a '{end}'")

    for name in words:
        require(next(words) == "=", f"the rule of '{name}' lacks its '='")
        rules[name] = alternatives(".")
    return rules


def sentences(rules, start):
    """All sentences of up to TOKENS tokens. A symbol must not recur without a token beside it."""
    rules = {name: rules[name] for name in rules if start == "op" or name != "op"}
    least = dict.fromkeys(rules, TOKENS + 1)
    for _ in rules:  # each round completes at least one symbol
        for name, alternatives in rules.items():
            least[name] = min(sum(least.get(symbol, 1) for symbol in one) for one in alternatives)

    @functools.cache
    def of_symbol(symbol, length):
        if symbol not in rules:
            return {(symbol,)} if length == 1 else set()
        return set().union(*(of_sequence(tuple(one), length) for one in rules[symbol]))

    @functools.cache
    def of_sequence(symbols, length):
        if not symbols:
            return {()} if length == 0 else set()
        first, rest = symbols[0], symbols[1:]
        behind = sum(least.get(symbol, 1) for symbol in rest)
        return {head + tail for taken in range(length - behind + 1)
                for head in of_symbol(first, taken) for tail in of_sequence(rest, length - taken)}

    return set().union(*(of_symbol(start, length) for length in range(TOKENS + 1)))


def check_grammar(page, source):
    notation = source / "generator/frontend/notation"
    listed = re.findall(r'^X\((\w+), +"(.*)"\)', (notation / "notation_tokens.inc").read_text(), re.MULTILINE)
    tokens = {text.replace("'", '"'): name for name, text in listed if text.startswith("'")}
    tokens |= {'"view"': "VIEW", "name": "NAME", "number": "INT", "spelling": "TYPE"}
    shown = [text for kind, _, text in displays(page) if kind == "grammar"]
    require(len(shown) == 1, "splitgen(1) shows the grammar of the notation once")
    page_rules = productions_of_ebnf(shown[0], tokens)
    tool_rules = productions_of_lemon((notation / "notation_grammar.y").read_text())
    count = 0
    for start in ("text", "op"):
        of_page, of_tool = sentences(page_rules, start), sentences(tool_rules, start)
        for what, extra in (("only the page has", of_page - of_tool), ("the page lacks", of_tool - of_page)):
            if extra:
                raise Wrong(f"the grammar: {what} {' '.join(min(extra, key=len))}")
        count += len(of_tool)
    require(count > 1000, "the grammar has too few sentences: does the file look otherwise now?")
    return count


# --- Lists ---------------------------------------------------------------------------------------


def same(what, page, source):
    page, source = set(page), set(source)
    require(source, f"{what}: none is found; does the source look otherwise now?")
    require(page == source, f"{what}: missing on the page {sorted(source - page)}, "
            f"only there {sorted(page - source)}")


def check_lists(tool_page, runtime_page, source, splitgen):
    header = (source / "include/splitgen/splitgen.h").read_text()
    statuses = re.search(r"typedef enum splitgen_status \{(.*?)\}", header, re.DOTALL)[1]
    returned = runtime_page[runtime_page.index(".Sh RETURN VALUES"):runtime_page.index(".Sh FILES")]
    same("statuses", re.findall(r"^\.It Dv (SPLITGEN_\w+)", returned, re.MULTILINE),
         re.findall(r"^ +(SPLITGEN_\w+)", statuses, re.MULTILINE))
    synopsis = runtime_page[runtime_page.index(".Sh SYNOPSIS"):runtime_page.index(".Sh DESCRIPTION")]
    declared = re.findall(r"^SPLITGEN_API [^;(]*?\b(\w+)\(([^;]*)\);", header, re.MULTILINE)
    same("functions", [(name, tuple(re.findall(r'"([^"]*)"', parameters)))
                       for name, parameters in re.findall(r"^\.Fn (\w+) (.*)", synopsis, re.MULTILINE)],
         [(name, tuple(" ".join(one.split()) for one in parameters.split(",")))
          for name, parameters in declared])
    made = subprocess.run([splitgen, "--emit=h", "-e", "qkv: f32[2,12] @1 -> q:4 k:4 v:*"], text=True,
                          stdout=subprocess.PIPE, check=True).stdout
    same("constants of the header", re.findall(r"\b(QKV_(?:DATA|Q)_\w+)", runtime_page[:runtime_page.index(".Sh RETURN")]),
         re.findall(r"^#define (QKV_(?:DATA|Q)_\w+)", made, re.MULTILINE))
    most = int(re.search(r"SG_PLAN_MAX_PARAMS (\d+)", (source / "generator/plan/plan.h").read_text())[1])
    require(f"From {most + 1} outputs on they are passed as one parameter" in runtime_page,
            f"the page says that {most + 1} outputs are an array")


def main():
    splitgen, source, scratch = (pathlib.Path(argument).absolute() for argument in sys.argv[1:])
    try:
        runner = Runner(splitgen, source, scratch)
        tool_page, runtime_page = (runner.run([splitgen, option]) for option in ("--print=man", "--print=man-runtime"))
        runner.page(tool_page)
        runner.page(runtime_page)
        count = check_grammar(tool_page, source)
        check_lists(tool_page, runtime_page, source, splitgen)
        for kind in ("sh", "text", "c", "file", "notation"):
            require(runner.counts[kind] > 1, f"the pages show no {kind}: do they look otherwise now?")
    except Wrong as wrong:
        sys.exit(f"the manual: {wrong}")
    shown = ", ".join(f"{number} {kind}" for kind, number in sorted(runner.counts.items()))
    print(f"the manual: {shown}; {count} sentences of the notation")


main()
