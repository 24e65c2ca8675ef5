#!/usr/bin/env python3
"""Breaks printed kernels and templates, and counts which checks find it.

usage: mutants.py SPLITGEN SOURCE WORK [--each N] [--templates N] [--seed N] [--share PERCENT] [--jobs N] [--cc CC]
                  [--python PYTHON] [--frama-c PROGRAM] [--prove N] [--only KIND]

For each kind of fault in breaks.py, N places of the kernels of specs.py are broken, and N of the templates; --share
reduces this to that share, in that share of the kernels. A mutant that does not compile does not count. The rules of
equivalent.py classify mutants that change no byte of a result as harmless. Every other one has to be found by the
self-test, compiled with the models of tests/isa, or else by the proof of --emit=proof-cpp, with the package ziglang of
PYTHON. Exits with 1, and prints the text of each mutant that neither finds.

For each kind, --prove N mutants that the self-test finds are also checked by that proof, and by Frama-C's Eva if
they are portable, to see what these find by themselves."""
import argparse
import collections
import concurrent.futures
import difflib
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import time

import breaks
import equivalent
import specs as kernels
import template_breaks

STANDARD = "-std=c99"
# The models for each set of instructions: with x86's models the portable code runs if there is no set.
FAMILIES = {"avx512": ["x86"], "avx2": ["x86"], "x86": ["x86"], "neon": ["neon", "x86"], "wasm": ["wasm", "x86"], "portable": ["neon"]}
MACHINE = {"SPLITGEN_TEST_MACHINE": "ZEN4", "SPLITGEN_TEST_ISAS": "7", "SPLITGEN_TEST_CACHE": "33554432"}


HANG = 3600 # processor seconds: only ends what hangs


def run(command, seconds=HANG, **more):
    """Returns the exit code and the output; limits processor seconds, because other programs may use the processor."""
    limited = ["sh", "-c", f'ulimit -t {seconds} && exec "$@"', "sh", *command]
    done = subprocess.run(limited, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", **more)
    return done.returncode, done.stdout


class Bench:
    """Prints, compiles and checks kernels, each mutant in a folder of its own."""

    def __init__(self, options):
        self.options = options
        self.work = pathlib.Path(options.work)
        self.source = pathlib.Path(options.source)
        self.models = self.source / "tests/isa/models"
        self.objects = {}

    def folder(self, name):
        """A separate copy for each mutant that is checked at the same time."""
        (self.work / name).mkdir(exist_ok=True)
        return self.work / name

    def demand(self, command, **more):
        code, output = run(command, **more)
        if code != 0:
            sys.exit(f"{shlex.join(map(str, command))}\nends with {code}: {output}")

    def compiler(self, family):
        return [self.options.cc, STANDARD, "-O1", "-w", f"-I{self.models / family}", f"-I{self.source / 'include'}"]

    def prepare(self, specs):
        """Prints every kernel with its tests, and compiles the shared code."""
        self.work.mkdir(parents=True, exist_ok=True)
        (self.work / "msb.lua").write_text(kernels.MSB)
        if not (self.work / "include").exists():
            (self.work / "include").symlink_to(self.source / "include")
        for family in ("x86", "neon", "wasm"):
            self.objects[family] = []
            for file in sorted((self.source / "runtime").glob("*.c")):
                made = self.work / f"{family}_{file.stem}.o"
                self.demand([*self.compiler(family), "-c", file, "-o", made])
                self.objects[family].append(made)
        self.each(self.print_spec, specs)

    def print_spec(self, spec):
        folder = self.work / spec.name
        folder.mkdir(exist_ok=True)
        self.demand([self.options.splitgen, *spec.arguments, "--emit=c,h,test,proof-cpp,proof", "-o", folder / f"{spec.name}.c"],
                    cwd=self.work)
        spec.text = (folder / f"{spec.name}.c").read_text()
        spec.lines = spec.text.split("\n")
        spec.vectors = (folder / f"{spec.name}_vectors.cpp").read_text()
        spec.proof = (folder / f"{spec.name}_proof.c").read_text()
        # Portable functions take any number of rows.
        functions = re.findall(r"^constexpr void (\w+)\((.*?)^\}", spec.vectors, re.M | re.S)
        told = {name: re.search(r'>= \w+ \+ (\d+), "fewer rows than', body) for name, body in functions}
        spec.least = {name: int(least[1]) if least else 0 for name, least in told.items()}
        if [name for name, least in told.items() if not least and not name.endswith("_portable")]:
            sys.exit(f"{spec.name}_vectors.cpp does not say how many rows its functions take")

    def compile_self_test(self, spec):
        """Prepares the folder before the first mutant of a kernel; the original kernel has to pass."""
        with spec.lock:
            if spec.is_compiled:
                return
            spec.is_compiled, spec.limit = True, HANG
            folder = self.work / spec.name
            for family in FAMILIES[spec.isa]:
                self.demand([*self.compiler(family), "-O2", f"-I{folder}", "-c", folder / f"{spec.name}_test.c", "-o",
                             folder / f"{family}_test.o"])
            found = self.run_self_test(spec, spec.text, folder)
            if found:
                sys.exit(f"{spec.name}: the kernel that is right fails: {found}")
            # A mutant that needs a hundred times as long as the right kernel on this machine runs forever.
            _, told = run(["sh", "-c", '"$1" >&2; times', "sh", folder / "run"], env=dict(os.environ, **MACHINE))
            times = re.findall(r"(\d+)m([\d.]+)s", told)[-2:]
            spec.limit = 10 + round(100 * sum(int(m) * 60 + float(s) for m, s in times))

    def by_self_test(self, spec, text, folder):
        """The result of the self-test for a text; "" if it passes, None if it does not compile."""
        self.compile_self_test(spec)
        return self.run_self_test(spec, text, folder)

    def run_self_test(self, spec, text, folder):
        file = folder / "kernel.c"
        file.write_text(text)
        for family in FAMILIES[spec.isa]:
            code, _ = run([*self.compiler(family), f"-I{self.work / spec.name}", file,
                           self.work / spec.name / f"{family}_test.o", *self.objects[family], "-o", folder / "run"])
            if code != 0:
                return None
            code, output = run([folder / "run"], spec.limit, env=dict(os.environ, **MACHINE))
            if code != 0:
                return output.strip() or f"ended with {code}"
        return ""

    def lay_out(self, spec, text, folder, harness, proof):
        """Writes a kernel with its proof; returns the commands in its head."""
        (folder / f"{spec.name}.c").write_text(text)
        (folder / f"{spec.name}.h").write_text((self.work / spec.name / f"{spec.name}.h").read_text())
        (folder / f"{spec.name}{harness}").write_text(proof)
        if not (folder / "include").exists():
            (folder / "include").symlink_to(self.source / "include")

    def by_proof(self, spec, text, folder):
        """The same for the proof by a compiler: its message, "" if everything is proved, None without that compiler."""
        if not self.options.python:
            return None
        self.lay_out(spec, text, folder, "_vectors.cpp", spec.vectors)
        for command in re.findall(r"^ \*   (python3 .*)$", spec.vectors, re.M):
            command = command.replace("python3", shlex.quote(self.options.python))
            code, output = run(["sh", "-c", command], cwd=folder)
            if code != 0:
                return (re.findall(r"error: .*", output) or [f"ended with {code}: {output[:200]}"])[0]
        return ""

    def by_eva(self, spec, text, folder):
        """The same for Frama-C's Eva, which supports portable text only: None for other text."""
        if not self.options.frama_c or spec.isa != "portable":
            return None
        self.lay_out(spec, text, folder, "_proof.c", spec.proof)
        for command in re.findall(r"^ \*   (frama-c .*)$", spec.proof, re.M):
            code, output = run(["sh", "-c", command.replace("frama-c", shlex.quote(self.options.frama_c), 1)],
                               cwd=folder)
            if code != 0 or not re.search(r"^ +0 alarms generated", output, re.M) or "100% of the logical" not in output:
                return "an alarm, or a property that is not proved"
        return ""

    def each(self, function, items):
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            return list(pool.map(function, items))


class Mutant:
    """A mutant of a kind; `kernels` are those that it may change: [(spec, a function that returns its broken text)]."""

    def __init__(self, kind, kernels, title=""):
        self.kind, self.kernels, self.title = kind, kernels, title
        self.verdict = self.said = ""
        self.shown = None

    def difference(self):
        spec, text = self.shown
        lines = difflib.unified_diff(spec.lines, text.split("\n"), n=1, lineterm="")
        return f"{self.kind} {self.title} in {spec.name}\n" + "\n".join(list(lines)[2:12])

    def check(self, bench, folder):
        """Checks the first of its kernels that shows the fault; if several change in the same way, up to three."""
        missed, alike = [], collections.Counter()
        for spec, broken in self.kernels:
            text = broken()
            self.shown = self.shown or (spec, text)
            if text == spec.text:
                continue
            why = equivalent.reason(spec.text, text, spec.least)
            if why:
                self.verdict, self.said = self.verdict or "equivalent", why
                continue
            changes = frozenset(re.sub(rf"{spec.name}|\d+", "", line) for line in {*spec.lines} ^ {*text.split("\n")})
            alike[changes] += 1
            if alike[changes] > 3:
                continue
            said = bench.by_self_test(spec, text, folder)
            if said is None:
                self.verdict = "not C"
                return
            if said:
                self.verdict, self.said, self.shown = "self-test", said, (spec, text)
                return
            missed.append((spec, text))
        for spec, text in missed[:2]:
            said = bench.by_proof(spec, text, folder)
            self.verdict = "survived" if said is None else "proof" if said else "proved right"
            self.said, self.shown = said, (spec, text)
            if said != "":
                return


def text_mutants(kind, specs, chance):
    """An endless iterator: places of one file after the other, each once."""
    places = []
    for spec in specs:
        found = list(breaks.KINDS[kind](spec.lines))
        chance.shuffle(found)
        if found:
            places.append((spec, found))
    seen = set()
    while places:
        for spec, found in list(places):
            text = "\n".join(breaks.broken(spec.lines, found.pop()))
            if not found:
                places.remove((spec, found))
            if text not in seen and text != spec.text:
                seen.add(text)
                yield Mutant(kind, [(spec, lambda text=text: text)])


def plant(bench, source, wanted):
    """Checks mutants until `count` of them are faults, beside harmless ones. Those that do not compile are replaced."""
    kept, faults = [], 0
    while faults < wanted:
        batch = [m for m, _ in zip(source, range(wanted - faults))]
        if not batch:
            break
        def check(numbered):
            at, mutant = numbered
            mutant.check(bench, bench.folder(f"mutant_{at}"))
            return mutant
        kept += [m for m in bench.each(check, list(enumerate(batch))) if m.verdict not in ("", "not C")]
        faults = len([m for m in kept if m.verdict not in ("equivalent", "proved right")])
    return kept


VERDICTS = ("equivalent", "proved right", "self-test", "proof", "survived")


def share_of(count, found):
    """How many of a sample are found."""
    return f"{len([said for said in found if said])} of {count}"


def row(bench, kind, mutants):
    """The row of the table: mutants, faults among them, how many each rule or check finds, and what each proof finds
    in a sample."""
    count = collections.Counter(m.verdict for m in mutants)
    faults = len(mutants) - count["equivalent"] - count["proved right"]
    sample = [m for m in mutants if m.verdict == "self-test"][:bench.options.prove]
    def told(finder, of):
        return bench.each(lambda m: finder(*m.shown, bench.folder(f"proof_{of.index(m)}")), of)
    portable = [m for m in sample if m.shown[0].isa == "portable"]
    return (f"{kind:<10}{len(mutants):>9}{faults:>8}" + "".join(f"{count[v]:>{len(v) + 3}}" for v in VERDICTS) +
            f"   {share_of(len(sample), told(bench.by_proof, sample)):>18}"
            f"   {share_of(len(portable), told(bench.by_eva, portable))}")


def parsed():
    parser = argparse.ArgumentParser(usage=__doc__)
    for name in ("splitgen", "source", "work"):
        parser.add_argument(name, type=os.path.abspath)
    for name, value in (("each", 100), ("templates", 100), ("seed", 1), ("jobs", 2), ("prove", 0),
                        ("share", int(os.environ.get("SPLITGEN_SHARE") or 100))):
        parser.add_argument(f"--{name}", type=int, default=value)
    for name, value in (("cc", "cc"), ("python", ""), ("frama-c", ""), ("only", "")):
        parser.add_argument(f"--{name}", default=value)
    return parser.parse_args()


def some_of(specs, options):
    """Selects the share in a fixed order of its own, because mutants are taken one after the other. A share only has
    kernels for one instruction set: a proof of kernels with several takes ten times as long."""
    if options.share < 100:
        specs = [spec for spec in specs if spec.isa != "x86"]
    return random.Random(options.seed).sample(specs, max(-(-len(specs) * options.share // 100), 1))


def main():
    options = parsed()
    bench = Bench(options)
    specs = some_of(kernels.specs(), options)
    begun = time.monotonic()
    bench.prepare(specs)
    reasons, missed = collections.Counter(), 0
    print("kind        mutants  faults" + "".join(f"   {v}" for v in VERDICTS) + "   proof, of a sample   Eva", flush=True)
    for kind in [kind for kind in [*breaks.KINDS, "template"] if options.only in ("", kind)]:
        chance = random.Random(f"{options.seed} {kind}")
        if kind == "template":
            wanted, source = options.templates, template_breaks.mutants(bench, specs, chance, Mutant)
        else:
            wanted, source = options.each, text_mutants(kind, specs, chance)
        mutants = plant(bench, source, max(wanted * options.share // 100, 1))
        print(row(bench, kind, mutants))
        for m in mutants:
            if m.verdict in ("survived", "proof", "proved right"):
                print(f"\n{m.verdict.upper()}: {m.difference()}\n{m.said or ''}")
        reasons.update(m.said for m in mutants if m.verdict == "equivalent")
        missed += len([m for m in mutants if m.verdict == "survived"])
        sys.stdout.flush()
    for why, count in sorted(reasons.items()):
        print(f"equivalent: {count}: {why}")
    print(f"{len(specs)} kernels, {time.monotonic() - begun:.0f} s")
    return missed > 0


if __name__ == "__main__":
    sys.exit(main())
