#!/usr/bin/env python3
"""Breaks printed kernels and templates, and counts what finds it.

usage: mutants.py SPLITGEN SOURCE WORK [--each N] [--templates N] [--seed N] [--share PERCENT] [--jobs N] [--cc CC]
                  [--python PYTHON] [--prove N] [--only KIND]

Of each kind of fault in breaks.py N places of the kernels of specs.py are broken, and N of the templates. A mutant that
does not compile is none. One that no byte of a result depends on is told by the rules of equivalent.py. Every other one
has to be found: by the self-test, compiled with the models of tests/isa; where PYTHON has the package ziglang, what is
left is given to the proof of --emit=vectors, and so is every mutant of a sample of --prove N a kind. Exits with 1, with
the text of each, where a mutant is found by nothing, and where the self-test misses one.
"""
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

import breaks
import equivalent
import specs as kernels
import template_breaks

STANDARD = "-std=c99"
# The models that show all that is printed for a set of instructions: x86's have portable code run where there is none.
FAMILIES = {"avx512": ["x86"], "avx2": ["x86"], "x86": ["x86"], "neon": ["neon", "x86"], "wasm": ["wasm", "x86"], "portable": ["neon"]}
MACHINE = {"SPLITGEN_TEST_MACHINE": "ZEN4", "SPLITGEN_TEST_ISAS": "7", "SPLITGEN_TEST_CACHE": "33554432"}


def run(command, seconds, **more):
    """The code it ends with and its output; seconds of a processor, of which others may take their share."""
    limited = ["sh", "-c", f'ulimit -t {seconds} && exec "$@"', "sh", *command]
    done = subprocess.run(limited, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", **more)
    return done.returncode, done.stdout


class Bench:
    """Prints, compiles and judges kernels, each mutant in a folder of its own."""

    def __init__(self, options):
        self.options = options
        self.work = pathlib.Path(options.work)
        self.source = pathlib.Path(options.source)
        self.models = self.source / "tests/isa/models"
        self.objects = {}

    def folder(self, name):
        """Of its own for each mutant that is judged at the same time."""
        (self.work / name).mkdir(exist_ok=True)
        return self.work / name

    def demand(self, command, **more):
        code, output = run(command, 300, **more)
        if code != 0:
            sys.exit(f"{shlex.join(map(str, command))}\nends with {code}: {output}")

    def compiler(self, family):
        return [self.options.cc, STANDARD, "-O1", "-w", f"-I{self.models / family}", f"-I{self.source / 'include'}"]

    def prepare(self, specs):
        """Prints every kernel with its tests, and compiles what all mutants share."""
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
        self.each(self.prepare_spec, specs)

    def prepare_spec(self, spec):
        folder = self.work / spec.name
        folder.mkdir(exist_ok=True)
        self.demand([self.options.splitgen, *spec.arguments, "--emit=c,h,test,vectors", "-o", folder / f"{spec.name}.c"],
                    cwd=self.work)
        spec.text = (folder / f"{spec.name}.c").read_text()
        spec.lines = spec.text.split("\n")
        spec.vectors = (folder / f"{spec.name}_vectors.cpp").read_text()
        spec.least = {name: int(least) for name, least in re.findall(
            r"^constexpr void (\w+)\([^{]*\{\n    splitgen_constexpr::expects\(\w+(?: - \w+)? >= (\d+)", spec.vectors, re.M)}
        for family in FAMILIES[spec.isa]:
            self.demand([*self.compiler(family), "-O2", f"-I{folder}", "-c", folder / f"{spec.name}_test.c", "-o",
                         folder / f"{family}_test.o"])
        found = self.by_self_test(spec, spec.text, folder)
        if found:
            sys.exit(f"{spec.name}: the kernel that is right fails: {found}")

    def by_self_test(self, spec, text, folder):
        """What the self-test says of a text; "" where it passes, None where it does not compile."""
        file = folder / "kernel.c"
        file.write_text(text)
        for family in FAMILIES[spec.isa]:
            code, _ = run([*self.compiler(family), f"-I{self.work / spec.name}", file,
                           self.work / spec.name / f"{family}_test.o", *self.objects[family], "-o", folder / "run"], 60)
            if code != 0:
                return None
            code, output = run([folder / "run"], 8, env=dict(os.environ, **MACHINE))
            if code != 0:
                return output.strip() or f"ended with {code}"
        return ""

    def by_proof(self, spec, text, folder):
        """The same of the proof by a compiler: what it says, "" where all is proved, None without that compiler."""
        if not self.options.python:
            return None
        (folder / f"{spec.name}.c").write_text(text)
        (folder / f"{spec.name}.h").write_text((self.work / spec.name / f"{spec.name}.h").read_text())
        (folder / f"{spec.name}_vectors.cpp").write_text(spec.vectors)
        if not (folder / "include").exists():
            (folder / "include").symlink_to(self.source / "include")
        for command in re.findall(r"^ \*   (python3 .*)$", spec.vectors, re.M):
            command = command.replace("python3", shlex.quote(self.options.python))
            code, output = run(["sh", "-c", command], 300, cwd=folder)
            if code != 0:
                return (re.findall(r"error: .*", output) or [f"ended with {code}: {output[:200]}"])[0]
        return ""

    def each(self, function, items):
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            return list(pool.map(function, items))


class Mutant:
    """Of a kind; `kernels` are those that it may change: [(spec, a function that gives its broken text)]."""

    def __init__(self, kind, kernels, title=""):
        self.kind, self.kernels, self.title = kind, kernels, title
        self.verdict = self.said = ""
        self.shown = None

    def difference(self):
        spec, text = self.shown
        lines = difflib.unified_diff(spec.lines, text.split("\n"), n=1, lineterm="")
        return f"{self.kind} {self.title} in {spec.name}\n" + "\n".join(list(lines)[2:12])

    def judge(self, bench, folder):
        """By the first of its kernels that shows it."""
        missed = []
        for spec, broken in self.kernels:
            text = broken()
            self.shown = self.shown or (spec, text)
            if text == spec.text:
                continue
            why = equivalent.reason(spec.text, text, spec.least)
            if why:
                self.verdict, self.said = self.verdict or "equivalent", why
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
    """Without end: places of one file after the other, each once."""
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
    """So many mutants that are faults, judged, beside those that are none. What does not compile is replaced."""
    kept, faults = [], 0
    while faults < wanted:
        batch = [m for m, _ in zip(source, range(wanted - faults))]
        if not batch:
            break
        def judge(numbered):
            at, mutant = numbered
            mutant.judge(bench, bench.folder(f"mutant_{at}"))
            return mutant
        kept += [m for m in bench.each(judge, list(enumerate(batch))) if m.verdict not in ("", "not C")]
        faults = len([m for m in kept if m.verdict not in ("equivalent", "proved right")])
    return kept


VERDICTS = ("equivalent", "proved right", "self-test", "proof", "survived")


def row(kind, mutants, proofs):
    """Of the table: mutants, faults among them, what tells or finds how many, of a sample what the proof finds."""
    count = collections.Counter(m.verdict for m in mutants)
    faults = len(mutants) - count["equivalent"] - count["proved right"]
    return (f"{kind:<10}{len(mutants):>9}{faults:>8}" + "".join(f"{count[v]:>{len(v) + 3}}" for v in VERDICTS) +
            f"   {sum(map(bool, proofs))} of {len(proofs)}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    for name in ("splitgen", "source", "work"):
        parser.add_argument(name, type=os.path.abspath)
    for name, value in (("each", 100), ("templates", 100), ("seed", 1), ("jobs", 2), ("prove", 0),
                        ("share", int(os.environ.get("SPLITGEN_SHARE") or 100))):
        parser.add_argument(f"--{name}", type=int, default=value)
    for name, value in (("cc", "cc"), ("python", ""), ("only", "")):
        parser.add_argument(f"--{name}", default=value)
    options = parser.parse_args()
    bench = Bench(options)
    specs = kernels.specs()
    if options.each < 10: # a sample: of few kernels too
        specs = specs[::15]
    bench.prepare(specs)
    reasons, missed = collections.Counter(), 0
    print("kind        mutants  faults" + "".join(f"   {v}" for v in VERDICTS) + "   proof, of a sample", flush=True)
    for kind in [kind for kind in [*breaks.KINDS, "template"] if options.only in ("", kind)]:
        chance = random.Random(f"{options.seed} {kind}")
        if kind == "template":
            wanted, source = options.templates, template_breaks.mutants(bench, specs, chance, Mutant)
        else:
            wanted, source = options.each, text_mutants(kind, specs, chance)
        mutants = plant(bench, source, max(wanted * options.share // 100, 1))
        sample = [m for m in mutants if m.verdict == "self-test"][:options.prove]
        print(row(kind, mutants, bench.each(lambda m: bench.by_proof(*m.shown, bench.folder(f"proof_{sample.index(m)}")), sample)))
        for m in mutants:
            if m.verdict in ("survived", "proof", "proved right"):
                print(f"\n{m.verdict.upper()}: {m.difference()}\n{m.said or ''}")
        reasons.update(m.said for m in mutants if m.verdict == "equivalent")
        missed += len([m for m in mutants if m.verdict in ("survived", "proof")])
        sys.stdout.flush()
    for why, count in sorted(reasons.items()):
        print(f"equivalent: {count}: {why}")
    return missed > 0


if __name__ == "__main__":
    sys.exit(main())
