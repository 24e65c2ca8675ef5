"""Some case prints and compiles every line of every template, and reads every field. The tool that records what its
templates run prints the cases; compilers with every warning take all output, and it runs. The first option line of each
case runs, unless the case says "run: exhaustively", and then a compiler only checks it. With all=1 all option lines
run, otherwise the others are only printed."""
import re
import shlex
import shutil

import pytest
from kernels import C_WARNINGS, INCLUDE, built, library, prefix
from kinds import KINDS
from testing import SOURCE, fail, given, needs

ALL = given.get("all")
HERE = SOURCE / "tests/coverage"
STRICT = [*C_WARNINGS, "-Wstrict-prototypes", INCLUDE]
C11 = ["-std=c11", "-D_POSIX_C_SOURCE=199309L", "-O1"]  # self-tests take ten times as long without optimisation


class Cases:
    def __init__(self, work, compilers):
        self.work, self.printed = work, 0
        self.work.env["SPLITGEN_COVERAGE"] = str(work / "ran.txt")
        self.compilers = [[name, *prefix(work, name, name, *C11, *STRICT)] for name in compilers]
        # A clock that lets benchmarks end at once.
        work.run([compilers[0], *C11, *STRICT, "-c", HERE / "clock.c", "-o", "clock.o"])

    def tool(self, *arguments):
        return self.work.run([built("watched", "tests/coverage/splitgen_watched"), *arguments], cwd=HERE / "cases").out

    def check(self, case, kinds, options, depth):
        """Prints one case with one set of options; for `reads` a compiler checks it, for `runs` it also runs."""
        work, stem, out = self.work, case.stem, self.work / f"out_{self.printed}"
        compiler, *flags = self.compilers[self.printed % len(self.compilers)]
        out.mkdir()
        self.printed += 1
        self.tool(*options, f"--emit={kinds}", "-o", f"{out}/", case)
        self.tool(*options, "--list", "--explain", case)
        if depth != "prints":
            self.tool(*options, "--list", "--format=json", case)
        if depth != "prints" and "test" in kinds:
            strict = [*STRICT, f"-I{out}"]
            if any(option.startswith("--export-macro") for option in options):
                strict.append('-DAPI=__attribute__((visibility("default")))')
            read = [compiler, *C11, *strict, *flags]
            if depth == "runs":
                work.run([*read, "-c", out / f"{stem}.c", "-o", "kernels.o"])
                linked = ["kernels.o", library()]
                if "--standalone=descriptors" in options:  # the test has kernels and runtime in itself
                    linked = []
                for part, more in (("test", []), ("bench", ["clock.o"])):
                    work.run([*read, out / f"{stem}_{part}.c", *more, *linked, "-o", part])
                    work.run(f"./{part}")
            else:
                for part in ("", "_test", "_bench"):
                    work.run([*read, "-fsyntax-only", out / f"{stem}{part}.c"])
            work.run([compiler, "-std=c99", "-fsyntax-only", *strict, out / f"{stem}_registry.c"])
            work.run([compiler, "-std=c11", "-fsyntax-only", *strict, out / f"{stem}_proof.c"])
        shutil.rmtree(out)


def missed(cases, luac, ran):
    """The lines of the templates that no case ran, and the number of lines that can run: those with an instruction of
    their own. The returns at a function's end and the jumps after an `else` come from the compiler, not from the
    template."""
    count, missing = 0, []
    for name in cases.tool("--names").split():
        cases.work.write("template.lua", cases.tool("--translate", name))
        listing = cases.work.run([luac, "-l", "-p", "template.lua"]).out
        can_run = {int(number) for number, instruction in re.findall(r"^\s*\d+\s+\[(\d+)\]\s+(\S+)", listing, re.M)
                   if instruction != "VARARGPREP"}
        lines = (SOURCE / "templates" / name).read_text().split("\n")
        for number, line in enumerate(lines, 1):
            code = re.fullmatch(r"\s*\$\s*(.*?)\s*",
                                line) or (name.endswith(".lua") and re.fullmatch(r"\s*(.*?)\s*", line))
            if number in can_run and not (code and re.fullmatch(r"end[\s,;)}]*|else", code[1])):
                count += 1
                if f"{name} {number}" not in ran:
                    missing.append(f"templates/{name}:{number}: never ran: {line}")
    return count, missing


def test_templates(work):
    luac = needs("luac5.4", "luac")
    compilers = [name for name in ("gcc", "clang") if shutil.which(name)] or pytest.skip("no gcc and no clang")
    cases = Cases(work, compilers)
    for case in sorted([*HERE.glob("cases/*.lua"), *HERE.glob("cases/*.onnxtxt")]):
        kinds, depth = ",".join(KINDS), "runs"
        for key, value in re.findall("^(?:--|#) (emit|options|run): *(.*)$", case.read_text(), re.M):
            if key == "emit":
                kinds = value
            elif key == "run":
                depth = depth if ALL else "reads"
            else:
                cases.check(case, kinds, shlex.split(value), depth)
                depth = depth if ALL else "prints"
    ran = set(work.read("ran.txt").split("\n"))
    count, missing = missed(cases, luac, ran)
    missing += [f"generator/emit/model.inc: no template reads {field}"
                for field in cases.tool("--fields").split("\n") if field and field not in ran]
    assert count
    if missing:
        fail("lines of templates that no test prints, or fields that no line reads: a case for each, or out with them\n"
             + "\n".join(missing))
