"""The benchmark's command line: builds kernels, measures regime after regime, writes the results.

`cmake --workflow --preset bench` calls this; README.md says what the numbers mean."""

import argparse
import concurrent.futures
import json
import os
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # the source tree stays as it is

import figures
import measure
import report
from cases import CASES, REGIMES, rows_for, sets_for
from kernels import Refused, Tool
from machine import describe
from native import Library, TooLarge
from random_cases import random_cases


# Measured once more with buffers past lines (report.py has a table of it).
OFF_LINE = ["gcc_o3", "limit"]

VERSION = 3  # version of the format of the results


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True, help="folder with suite.json, from CMake")
    parser.add_argument("--out", help="folder for the results (default: the build folder)")
    parser.add_argument("--regime", help=f"of {', '.join(REGIMES)}; several with commas")
    parser.add_argument("--case", help="only cases whose name contains one of these words")
    parser.add_argument("--random", type=int, metavar="COUNT",
                        help="this number of random cases instead of the suite's")
    parser.add_argument("--joins", action="store_true",
                        help="concats instead of splits: every case mirrored, parts to whole")
    parser.add_argument("--seed", type=int, default=1, help="of the random cases (1)")
    parser.add_argument("--peers", help="only peers that begin with one of these words")
    parser.add_argument("--seconds", type=float, default=100,
                        help="to measure a regime (100); building and checking come on top")
    parser.add_argument("--quick", action="store_true",
                        help="few batches of everything: shows that it works, measures little")
    parser.add_argument("--placement", choices=("aligned", "congruent", "odd", "malloc"),
                        help="of all buffers, instead of each case's own")
    parser.add_argument("--huge-pages", action="store_true", help="ask for huge pages")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilers at a time")
    parser.add_argument("--free", action="store_true",
                        help="kernels and ONNX Runtime with the first dimension left free, too")
    parser.add_argument("--report", action="store_true",
                        help="make the table and plots again from the results; measure nothing")
    return parser.parse_args()


class Progress:
    """One line that is rewritten on a terminal, otherwise one line per case."""

    def __init__(self):
        self.live = sys.stderr.isatty()
        self.width = 0

    def show(self, text, done=False):
        if self.live:
            text = text[:os.get_terminal_size(sys.stderr.fileno()).columns - 1]
            sys.stderr.write("\r" + text.ljust(self.width) + ("\n" if done else ""))
            self.width = 0 if done else len(text)
            sys.stderr.flush()
        elif done:
            print(text, file=sys.stderr, flush=True)


def clock(seconds):
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


class Suite:
    def __init__(self, arguments, config):
        self.arguments, self.config = arguments, config
        self.machine = describe(config)
        self.library = Library(config["build"])
        self.tool = Tool(config, os.path.dirname(os.path.abspath(__file__)))
        self.progress = Progress()
        words = (arguments.case or "").split(",")
        cases = random_cases(arguments.random, arguments.seed) if arguments.random else CASES
        cases = [case for case in cases if any(word in case.name for word in words)]
        self.cases = [case.mirrored() for case in cases] if arguments.joins else cases
        self.results = []
        self.absent = []
        self.refused = {}
        self.took = {}   # by regime: seconds for building, checking and measuring
        self.isas = self.library.isas()

    def plan(self, regime):
        """Returns [(case, rows)] of the cases that can be measured in a regime."""
        planned = []
        for case in self.cases:
            if case.slow and (regime != "natural" or self.arguments.quick):
                self.leave_out(case, regime, "gigabytes: natural size only, and not with --quick")
                continue
            try:
                op = self.tool.resolve(case)
            except Refused as error:
                self.refused[case.name] = str(error)
                continue
            if op.bits and not op.known_packing():
                self.leave_out(case, regime, "nothing to check this order of bits with")
                continue
            rows = rows_for(regime, op, self.machine)
            if rows is None:
                self.leave_out(case, regime, "one row, or rows too large for this cache")
            else:
                planned.append((case, rows))
        return planned

    def leave_out(self, case, regime, why):
        self.absent.append({"case": case.name, "regime": regime, "why": why})

    def build(self, regime, planned):
        """Compiles what is missing. Returns {case name: Tool.build()}, without refused cases."""
        done, count = {}, 0
        with concurrent.futures.ThreadPoolExecutor(self.arguments.jobs) as pool:
            futures = {pool.submit(self.tool.build, case, rows, self.arguments.free): case
                       for case, rows in planned}
            for future in concurrent.futures.as_completed(futures):
                case, count = futures[future], count + 1
                try:
                    done[case.name] = future.result()
                except Refused as error:  # in this size; its own size was accepted
                    self.leave_out(case, regime, str(error))
                self.progress.show(f"[{count}/{len(futures)}] {regime}: kernels compiled",
                                   done=count == len(futures))
        return done

    def run(self, regime):
        start = time.perf_counter()
        planned = self.plan(regime)
        built = self.build(regime, planned)
        planned = [(case, rows) for case, rows in planned if case.name in built]
        took = self.took[regime] = {"build": time.perf_counter() - start, "check": 0.0,
                                    "measure": 0.0}
        start = time.perf_counter()
        for at, (case, _) in enumerate(planned):
            label = f"[{at + 1}/{len(planned)}] {regime:8} {case.name:20}"
            left = (time.perf_counter() - start) / at * (len(planned) - at) if at else 0
            label += f" left {clock(left)} " if at else " "
            self.progress.show(label)
            with tempfile.TemporaryDirectory() as scratch:
                try:
                    text = self.one(case, regime, built[case.name], len(planned), scratch,
                                    lambda part: self.progress.show(
                                        f"{label} {min(100, int(100 * part)):3}%"))
                except TooLarge as error:
                    self.leave_out(case, regime, str(error))
                    text = str(error)
            self.progress.show(f"{label} {text}", done=True)
        self.progress.show(report.duration(regime, took), done=True)

    def one(self, case, regime, built, count, scratch, tick):
        op, _, facts = built
        arguments = self.arguments
        seconds = 0.4 if arguments.quick else arguments.seconds / count
        placement = arguments.placement or case.placement
        peers = arguments.peers.split(",") if arguments.peers else []
        results, absent, sets = self.at_place(case, regime, built, placement, peers, seconds,
                                              scratch, tick)
        off_line = {}
        if placement == "aligned" and not arguments.placement:
            off_line, _, _ = self.at_place(case, regime, built, "malloc", OFF_LINE, seconds / 4,
                                           scratch, tick)
        entry = {"number": case.number, "case": case.name, "source": case.source, "regime": regime,
                 "dtype": op.dtype, "shape": op.shape, "axis": op.axis,
                 "lengths": op.lengths, "bytes": op.bytes, "sets": sets,
                 "placement": placement, "views": op.views,
                 "widths": op.widths, "rows": op.rows,
                 "prediction": op.prediction(self.isas, self.machine["uarch"]),
                 "build": facts, "absent": absent, "results": results, "off_line": off_line}
        self.results.append(entry)
        return report.one_line(entry)

    def at_place(self, case, regime, built, placement, peers, seconds, scratch, tick):
        """Returns (results, who is absent and why, buffer sets) of one case with its buffers at these places."""
        op, competitors, _ = built
        arguments = self.arguments
        chosen, took, start = [], self.took[regime], time.perf_counter()
        work = measure.Work(self.library, self.machine, op, regime,
                            sets_for(regime, op, self.machine), placement,
                            arguments.huge_pages, scratch)
        try:
            chosen, absent = measure.choose(work, competitors, case, peers,
                                            self.machine["processors"],
                                            1e-3 if arguments.quick else 1e-2)
            took["check"] += time.perf_counter() - start
            start = time.perf_counter()
            results = measure.measure(work, chosen, seconds, 6 if arguments.quick else 30, tick)
            took["measure"] += time.perf_counter() - start
        finally:
            for competitor in chosen:
                competitor.close()
            work.buffers.close()
        return results, absent, work.buffers.count

    def write(self, out):
        data = {"version": VERSION, "joins": self.arguments.joins, "machine": self.machine,
                "quick": self.arguments.quick,
                "huge_pages": self.arguments.huge_pages, "regimes": REGIMES,
                "peer_versions": peer_versions(), "libyuv": bool(self.library.libyuv),
                "opencv": bool(self.library.opencv), "refused": self.refused,
                "left_out": self.absent, "took": self.took, "measurements": self.results}
        if self.arguments.random:
            data["random"] = {"seed": self.arguments.seed,
                              "cases": [(c.name, c.notation, c.rows) for c in self.cases]}
        path = os.path.join(out, figures.stem(self.arguments.joins) + ".json")
        with open(path + ".new", "w", encoding="utf-8") as file:
            json.dump(data, file, indent=1)
        os.replace(path + ".new", path)
        return data


def peer_versions():
    from importlib import metadata
    versions = {}
    for name in ("numpy", "onnx", "onnxruntime", "openvino"):
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            versions[name] = "absent"
    return versions


def main():
    arguments = options()
    with open(os.path.join(arguments.build, "suite.json"), encoding="utf-8") as file:
        config = json.load(file)
    out = arguments.out or config["build"]
    os.makedirs(out, exist_ok=True)
    if arguments.report:
        path = os.path.join(out, figures.stem(arguments.joins) + ".json")
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        if data["version"] != VERSION:
            sys.exit("suite.py: these results are of another version of the suite")
    else:
        regimes = arguments.regime.split(",") if arguments.regime else list(REGIMES)
        unknown = [regime for regime in regimes if regime not in REGIMES]
        if unknown:
            sys.exit(f"suite.py: no regime '{unknown[0]}'; there are {', '.join(REGIMES)}")
        suite = Suite(arguments, config)
        if not suite.cases:
            sys.exit(f"suite.py: no case has '{arguments.case}' in its name")
        for regime in regimes:
            suite.run(regime)
            data = suite.write(out)  # after each, so that an interrupted run keeps its results
    for path in report.write(data, out, config["gnuplot"]):
        print(path)


if __name__ == "__main__":
    main()
