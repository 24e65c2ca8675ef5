"""Tests the suite's arithmetic on made-up numbers; measures nothing and needs no peer."""

import os
import re
import tempfile
import unittest

import builds
import cases
import figures
import goals
import kernels
import machine
import plots
import ports
import random_cases
import report

HERE = os.path.dirname(os.path.abspath(__file__))
MACHINE = {"cpu": "a processor", "family_model": "1 2", "vector": ["avx2"], "hypervisor": False,
           "processors": 2, "l1": 32768, "l2": 1 << 20, "l3": 32 << 20, "memory": 1 << 30,
           "system": "a system", "libc": "libc", "thp": "never", "gcc": "gcc", "clang": "clang",
           "splitgen": "splitgen"}


def kernel(**changes):
    """One kernels[] entry of splitgen's JSON: 4 rows of 6 bytes in 2 columns."""
    entry = {"name": "k", "op": "split", "dtype": "u8", "element_bits": 8, "packing": None,
             "axis": 1, "align": 1, "rows": 4, "row_bytes": 6,
             "input": {"shape": [4, 6], "bytes": 24}, "vector_bodies": [],
             "outputs": [{"length": 2, "view": "strided"}, {"length": 4, "view": "strided"}]}
    return {**entry, **changes}


def mirrored(entry):
    """The entry of the concat that reverses a split."""
    entry = {**entry, "op": "concat", "output": entry["input"], "inputs": entry["outputs"]}
    del entry["input"], entry["outputs"]
    return entry


def packed(bits, shape, lengths, packing="lsb"):
    size = -(-shape[0] * shape[1] * bits // 8)
    return kernel(dtype=f"u{bits}", element_bits=bits, packing=packing,
                  input={"shape": shape, "bytes": size},
                  outputs=[{"length": n, "view": "copy"} for n in lengths])


def result(seconds, kind="peer", threads=1, coarse=False, **more):
    return {"kind": kind, "threads": threads, "note": "", "seconds": seconds, "gb_per_s": 1.0,
            "noisy": False, "coarse": coarse, "hertz": 4e9, "cycles": 4e9 * seconds, **more}


def versus(ratio, spread=0.01):
    return {"versus": {"splitgen_gcc": {"median": ratio, "low": ratio - spread,
                                        "high": ratio + spread, "rounds": 9}}}


def entry(case="a", regime="l1", size=1 << 14, seconds=1e-6, of_limit=0.5, peers=None, **more):
    ours = result(seconds, "splitgen", of_limit={"limit": of_limit, "limit_k": of_limit})
    return {"number": "1", "case": case, "regime": regime, "dtype": "u8", "bytes": size,
            "widths": [1, 1], "rows": 8, "prediction": None, "absent": {},
            "build": {"generate_seconds": 0.01, "c_bytes": 10, "gcc_compile_seconds": 1.0,
                      "clang_compile_seconds": 1.0, "gcc_text_bytes": 99, "clang_text_bytes": 98},
            "results": {"splitgen_gcc": ours, "null": result(1e-9, "null"), **(peers or {})},
            **more}


def data(*entries):
    return {"version": 3, "joins": False, "machine": MACHINE, "quick": False, "huge_pages": False,
            "regimes": cases.REGIMES, "peer_versions": {"numpy": "1"}, "libyuv": True,
            "opencv": True, "refused": {}, "left_out": [],
            "took": {"l1": {"build": 1.0, "check": 2.0, "measure": 3.0}},
            "measurements": list(entries)}


class Cases(unittest.TestCase):
    def test_names_are_those_of_the_spec(self):
        with open(os.path.join(HERE, "suite.lua"), encoding="utf-8") as file:
            names = re.findall(r'^case\("(\w+)"', file.read(), re.MULTILINE)
        self.assertEqual(names, [case.name for case in cases.CASES])

    def test_bytes(self):
        split = cases.Op(kernel())
        self.assertEqual((split.row_bytes, split.widths, split.offsets, split.part_bytes),
                         (6, [2, 4], [0, 2], [8, 16]))

    def test_concats_have_the_columns_of_splits(self):
        for entry in (kernel(), packed(4, [5, 3], [1, 2]), packed(2, [5, 12], [4, 8])):
            split, join = cases.Op(entry), cases.Op(mirrored(entry))
            self.assertEqual((split.joins, join.joins), (False, True))
            ignored = ("joins", "kernel", "direction")
            self.assertEqual(*({name: value for name, value in vars(op).items()
                                if name not in ignored} for op in (split, join)))
            self.assertEqual(split.read_and_written("whole", "parts"), ("whole", "parts"))
            self.assertEqual(join.read_and_written("whole", "parts"), ("parts", "whole"))

    def test_cases_are_mirrored(self):
        case, = random_cases.random_cases(1, 7)
        self.assertFalse(case.joins)
        self.assertTrue(case.mirrored().joins)
        self.assertEqual(case.mirrored().notation, case.notation.replace("->", "<-"))
        self.assertIn("<-", case.mirrored().notation)
        self.assertIsNone(cases.CASES[0].mirrored().notation)

    def test_packed_rows_that_are_no_whole_bytes(self):
        split = cases.Op(packed(4, [5, 3], [1, 2]))
        self.assertFalse(split.in_bytes)
        self.assertEqual((split.bytes, split.part_bytes, split.columns, split.row_bits),
                         (8, [3, 5], [1, 2], 12))
        self.assertTrue(split.known_packing())
        self.assertEqual(cases.rows_for("l1", split, {"l1": 300, "l2": 0, "l3": 0}), 66)

    def test_packed_rows_of_whole_bytes_pass_for_bytes(self):
        split = cases.Op(packed(2, [5, 12], [4, 8]))
        self.assertTrue(split.in_bytes)
        self.assertEqual((split.shape, split.lengths, split.widths), ([5, 3], [1, 2], [1, 2]))

    def test_planes_of_bits_cannot_be_checked(self):
        split = cases.Op(packed(4, [5, 3], [1, 2], packing="planes"))
        self.assertFalse(split.known_packing())
        self.assertFalse(cases.Op(packed(3, [8, 3], [1, 2])).known_packing())

    def test_buffers_have_several_places_while_they_are_small(self):
        def sets(regime, size):
            return cases.sets_for(regime, cases.Op(kernel(
                input={"shape": [size // 6, 6], "bytes": size})), MACHINE)
        self.assertEqual([sets("l2", 1 << 18), sets("natural", 4 << 20), sets("llc", 8 << 20),
                          sets("natural", 1 << 30)], [5, 2, 1, 1])
        self.assertEqual(sets("dram", 32 << 20), 4)

    def test_random_cases(self):
        drawn = random_cases.random_cases(50, 7)
        self.assertEqual(drawn, random_cases.random_cases(50, 7))
        self.assertNotEqual([c.notation for c in drawn],
                            [c.notation for c in random_cases.random_cases(50, 8)])
        self.assertEqual(len({c.name for c in drawn}), 50)
        for case in drawn:
            row, lengths = re.fullmatch(r"\w+\[\{rows\},(\d+)\] @1 -> ([\d ]+)",
                                        case.notation).groups()
            self.assertEqual(int(row), sum(map(int, lengths.split())))
            self.assertGreater(case.rows, 1)

    def test_prediction_is_of_the_best_body_that_runs(self):
        bodies = [{"isa": "AVX512", "rows": 2, "kernel_cycles": 1.0, "bound": "stores"},
                  {"isa": "AVX2", "rows": 8, "kernel_cycles": 1.0, "bound": "loads"},
                  {"isa": "AVX2", "rows": 4, "kernel_cycles": 1.5, "bound": "loads"}]
        split = cases.Op(kernel(vector_bodies=bodies))
        self.assertEqual(split.prediction({"AVX512", "AVX2"})["bytes_per_cycle"], 24)
        self.assertEqual(split.prediction({"AVX2"})["bytes_per_cycle"], 16)
        self.assertIsNone(split.prediction(set()))

    def test_bodies_for_other_processors_do_not_run(self):
        bodies = [{"isa": "AVX512", "only": "goldencove", "rows": 4, "kernel_cycles": 1.0,
                   "bound": "loads"},
                  {"isa": "AVX512", "only": None, "rows": 4, "kernel_cycles": 2.0,
                   "bound": "loads"}]
        split = cases.Op(kernel(vector_bodies=bodies))
        self.assertEqual(split.prediction({"AVX512"}, "goldencove")["bytes_per_cycle"], 24)
        self.assertEqual(split.prediction({"AVX512"}, "zen5")["bytes_per_cycle"], 12)
        bodies = [{"isa": "AVX512", "only": None, "except": "zen4", "rows": 4,
                   "kernel_cycles": 1.0, "bound": "loads"},
                  {"isa": "AVX2", "only": None, "except": None, "rows": 4, "kernel_cycles": 2.0,
                   "bound": "loads"}]
        split = cases.Op(kernel(vector_bodies=bodies))
        self.assertEqual(split.prediction({"AVX512", "AVX2"}, "zen4")["bytes_per_cycle"], 12)
        self.assertEqual(split.prediction({"AVX512", "AVX2"}, "zen5")["bytes_per_cycle"], 24)

    def test_prediction_is_for_the_processor(self):
        bodies = [{"isa": "AVX512", "rows": 4, "kernel_cycles": 3.0, "bound": "loads",
                   "predictions": [
            {"uarch": "zen5", "kernel_cycles": 2.0, "bound": "stores"},
            {"uarch": "goldencove", "kernel_cycles": 3.0, "bound": "loads"}]}]
        split = cases.Op(kernel(vector_bodies=bodies))
        found = split.prediction({"AVX512"}, "zen5")
        self.assertEqual((found["uarch"], found["bound"], found["bytes_per_cycle"]),
                         ("zen5", "stores", 12))
        found = split.prediction({"AVX512"}, "neoverse_v2")
        self.assertEqual((found["uarch"], found["bound"], found["bytes_per_cycle"]),
                         ("generic", "loads", 8))


class Machine(unittest.TestCase):
    def test_processors_are_known_by_their_numbers(self):
        intel = "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: {}\nmodel name\t: x\n"
        self.assertEqual(machine.uarch(intel.format(207)), "goldencove")
        self.assertEqual(machine.uarch(intel.format(151)), "goldencove")
        self.assertEqual(machine.uarch(intel.format(85)), "generic")
        amd = "vendor_id\t: AuthenticAMD\ncpu family\t: {}\nmodel\t\t: 143\n"
        self.assertEqual(machine.uarch(amd.format(26)), "zen5")
        self.assertEqual(machine.uarch(amd.format(25)), "zen3")
        self.assertEqual(machine.uarch(amd.format(25) + "flags\t\t: avx2 avx512f\n"), "zen4")
        arm = "CPU implementer\t: 0x41\nCPU part\t: {}\n"
        self.assertEqual(machine.uarch(arm.format("0xd4f")), "neoverse_v2")
        self.assertEqual(machine.uarch(arm.format("0xd40")), "generic")
        self.assertEqual(machine.uarch(""), "generic")


class Cycles(unittest.TestCase):
    def test_disturbed_batches_do_not_count(self):
        quiet = [(1.0, True, 100.0 + i) for i in range(3)]
        loud = [(1.0, True, 200.0 + i) for i in range(9)]
        self.assertEqual(figures.fewest_cycles(loud + quiet), 101)

    def test_interrupted_batches_have_undisturbed_pieces(self):
        self.assertEqual(figures.fewest_cycles([(9.0, False, 90.0)] * 3 + [(1.0, True, 120.0)]), 90)

    def test_other_clocks_tell_no_cycles(self):
        self.assertIsNone(figures.fewest_cycles([(1.0, True)]))
        self.assertIsNone(figures.fewest_cycles([]))


class Builds(unittest.TestCase):
    def test_only_machine_code_counts(self):
        self.assertEqual(kernels.text_bytes("k.o  :\nsection size addr\n.text 100 0\n"
                                            ".text.unlikely 7 0\n.rodata 50 0\nTotal 157\n"), 107)

    def test_slow_ones_are_named_once(self):
        slow = entry("slow", "l2")
        slow["build"]["gcc_compile_seconds"] = 2.5
        made = data(entry("fast"), entry("slow"), slow, entry("slow", "llc"))
        text = "\n".join(builds.section(made))
        self.assertIn("1 of 2 cases compile with gcc in under 2.00 s; not slow (2.50 s).", text)
        self.assertIn("All of 2 cases generate in under 50.0 ms", text)
        self.assertEqual(len(builds.kernels(made)), 2)

    def test_natural_size_is_shown(self):
        self.assertEqual(builds.kernels(data(entry(), entry(regime="natural")))[0]["regime"],
                         "natural")


class Ports(unittest.TestCase):
    PLAN = {"isa": "AVX2", "uarch": "zen5", "bound": "stores", "bytes_per_cycle": 32.0}

    def test_speed_over_prediction(self):
        made = data(entry(seconds=1e-6, size=64000, prediction=self.PLAN),  # 16 bytes a cycle
                    entry(regime="l2", prediction=self.PLAN), entry("b"))
        (_, fraction), = ports.fractions(made, "splitgen_gcc")
        self.assertAlmostEqual(fraction, 0.5)
        text = "\n".join(ports.section(made))
        self.assertIn("within 25 %: 0 of 1; at least 0.66 of the port bound: 0 of 1", text)
        self.assertIn("nothing is predicted for: b.", text)
        self.assertIn("The costs are those of zen5", text)
        made = data(entry(prediction={**self.PLAN, "uarch": "generic"}))
        self.assertIn("none that the costs are known for", "\n".join(ports.section(made)))

    def test_faster_than_predicted_is_wrong_as_well(self):
        self.assertTrue(ports.is_predicted(0.75) and ports.is_predicted(1.25))
        self.assertFalse(ports.is_predicted(0.74) or ports.is_predicted(1.3))


class Goals(unittest.TestCase):
    @staticmethod
    def rows(asked, *entries):
        return [row[1:] for row in goals.rows(data(*entries)) if row[0].startswith(asked)]

    def test_behind_beyond_the_spread(self):
        found = self.rows("never behind",
                          entry("a", peers={"numpy": result(1, **versus(0.9))}),
                          entry("b", peers={"numpy": result(1, **versus(0.995))}))
        self.assertEqual(found[0], ["l1", "**1 of 2** cases, 1 of 2 comparisons", "",
                                    "a 0.90 (NumPy)"])
        self.assertEqual(len(found), 1)  # all regimes together equal the only one

    def test_half_a_microsecond_may_leave_it_undecided(self):
        def check(seconds, ratio):
            peer = result(seconds, coarse=True, **versus(ratio))
            one = entry(peers={"onnxruntime_1": peer})
            return goals.check(one, "onnxruntime_1", peer["versus"]["splitgen_gcc"])
        self.assertIsNone(check(1e-6, 1.9))
        self.assertIs(check(1e-6, 2.1), True)
        self.assertIsNone(check(1e-6, 0.5))

    def test_means(self):
        found = self.rows("geometric mean against ONNX Runtime 3x",
                          entry("a", peers={"onnxruntime_1": result(1, **versus(2))}),
                          entry("b", peers={"onnxruntime_1": result(1, **versus(8))}),
                          entry("c", "l2", peers={"onnxruntime_1": result(1, **versus(2))}))
        self.assertEqual([row[:2] for row in found],
                         [["l1", "yes"], ["l2", "**no**"], ["all", "yes"]])
        self.assertTrue(found[0][2].startswith("4.00 over 2"))

    def test_short_times_count_at_their_least(self):
        row, = self.rows("geometric mean against OpenVINO 3x", entry(
            peers={"openvino_1": result(1e-6, coarse=True, **versus(8))}))
        self.assertEqual(row[1], "yes")
        self.assertIn("at least 4.00", row[2])

    def test_copies_beyond_l1(self):
        found = self.rows("at least 0.95 of limit_k", entry(of_limit=0.1),
                          entry("a", "l2", 1 << 17, of_limit=0.96),
                          entry("b", "l2", 1 << 17, of_limit=0.90),
                          entry("tiny", "natural", 64, of_limit=0.1))
        self.assertEqual(found, [["l2, gcc -O2", "**1 of 2**", "median 0.93", "b 0.90, a 0.96"]])

    def test_planes_and_wide_chunks(self):
        peers = {"libyuv": result(1, **versus(1.2)), "memcpy_parts": result(1, **versus(1.6))}
        entries = [entry("a", peers=peers), entry("b", "dram", 1 << 25, peers=peers),
                   entry("c", "dram", 1 << 25, peers=peers, widths=[128, 256]),
                   entry("d", "dram", 1 << 25, peers=peers, widths=[64, 256])]
        planes = self.rows("2, 3 or 4 planes", *entries)
        self.assertEqual([row[:2] for row in planes],
                         [["l1", "**0 of 1**"], ["dram", "1 of 1"]])
        self.assertEqual([row[:2] for row in self.rows("chunks of 128", *entries)],
                         [["dram", "1 of 1"]])

    def test_the_worst_comes_first_and_once(self):
        self.assertEqual(goals.name_worst([(0.9, "a", ""), (0.5, "b", ""), (0.4, "a", " (x)")]),
                         "a 0.40 (x), b 0.50")


class Page(unittest.TestCase):
    def test_all_sections_are_there(self):
        peers = {"numpy": result(1, **versus(0.9)), "onnxruntime_1": result(1, **versus(4))}
        text = report.markdown(data(entry(peers=peers, prediction=Ports.PLAN)))
        for heading in ("Goals and how far they are reached", "Where splitgen is behind",
                        "l1", "Predicted and measured in L1", "Generating, compiling, size",
                        "Not measured"):
            self.assertIn(f"\n## {heading}\n", text)
        self.assertIn("- l1 took 6.00 s: kernels 1.00 s, checks 2.00 s, measuring 3.00 s.", text)

    def test_random_splits_are_listed(self):
        drawn = {"seed": 3, "cases": [("random_3_1", "u8[{rows},3] @1 -> 1 2", 17)]}
        text = report.markdown({**data(entry()), "random": drawn})
        self.assertIn("`--random=1 --seed=3`", text)
        self.assertIn("| random_3_1 | `u8[rows,3] @1 -> 1 2` (17) |", text)
        self.assertNotIn("random", report.markdown(data(entry())))

    def test_speeds_off_the_line_stand_beside_those_on_it(self):
        there = {"splitgen_gcc": result(2, "splitgen"), "gcc_o3": result(4)}
        one = {**entry(peers={"gcc_o3": result(3)}), "off_line": there}
        text = report.markdown(data(one, {**entry("b"), "off_line": {}}))
        self.assertIn("\n## Off the line\n", text)
        ours = one["results"]["splitgen_gcc"]["seconds"] / 2
        self.assertIn(f"({ours:.2f}) |", text.split("## Off the line")[1])
        self.assertIn("(0.75) |", text)
        self.assertNotIn("Off the line", report.markdown(data(entry())))

    def test_free_batches_stand_beside_fixed_ones(self):
        def over(ours, ratio):
            return {"versus": {ours: versus(ratio)["versus"]["splitgen_gcc"]}}

        peers = {"onnxruntime_1": result(1, **versus(3)),
                 "onnxruntime_free": result(1, **over("splitgen_free", 2)),
                 "splitgen_free": result(1, "splitgen", **versus(1.25))}
        short = {**peers, "onnxruntime_free": result(1, coarse=True, **over("splitgen_free", 9))}
        text = report.markdown(data(entry(peers=peers), entry("b", peers=short)))
        self.assertIn("| a | l1 | 16.0 KiB | 3.00 (2.99..3.01) | 2.00 (1.99..2.01) | "
                      "1.25 (1.24..1.26) |", text)
        self.assertIn("| geometric mean |  |  | 3.00 | 2.00 | 1.25 |", text)
        self.assertNotIn("left free", report.markdown(data(entry())))

    def test_pages_and_plots_say_what_was_measured(self):
        one = entry(peers={"numpy": result(1, **versus(0.9))})
        one["absent"] = {"openvino_1": "view"}
        for joins, kind, stem, view in ((False, "splits", "bench", "aliases the whole"),
                                        (True, "concats", "bench-joins", "takes parts into")):
            made = {**data(one), "joins": joins}
            text = report.markdown(made)
            self.assertTrue(text.startswith(f"# splitgen beside its peers: {kind}\n"))
            self.assertIn(f"![l1]({stem}-l1.svg)", text)
            self.assertIn(f"![summary]({stem}-summary.svg)", text)
            self.assertIn(f"| OpenVINO | {view}", text)
            self.assertIn(f"set title 'Speed of {kind} beside", plots._strips(made, ["l1"]))

    def test_results_of_either_direction_have_files_of_their_own(self):
        for joins, stem in ((False, "bench"), (True, "bench-joins")):
            with tempfile.TemporaryDirectory() as out:
                paths = report.write({**data(entry()), "joins": joins}, out, None)
                self.assertEqual(os.listdir(out), [f"{stem}.md"])
                self.assertEqual([os.path.basename(path) for path in paths],
                                 [f"{stem}.json", f"{stem}.md"])

    def test_losses_are_counted_in_the_plot(self):
        made = data(*(entry(case, peers={"numpy": result(1, **versus(ratio))})
                      for case, ratio in (("a", 0.5), ("b", 2.0), ("c", 1.0))))
        self.assertEqual(plots.best_ratios(made, "l1"), ([2.0], [1.0], [0.5]))
        self.assertIn("1 of 3 slower\\nworst 0.50x", plots._strips(made, ["l1"]))
