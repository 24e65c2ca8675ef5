"""Tests that every competitor makes the right bytes in either direction, and that one that does not
is found out. Takes the Python of the build folder, which has the peers.

usage: test_competitors.py BUILD_FOLDER"""

import json
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True

import measure
from cases import CASES, Case, Op
from competitors import kernel_in
from kernels import Tool
from loops import plain_loops
from machine import describe
from native import Library
from test_suite import kernel, mirrored

CONFIG = LIBRARY = TOOL = None

ALL = ["gcc_native", "gcc_o3", "memcpy_parts", "memcpy_rows", "numpy", "onnx2c", "onnxruntime_1",
       "onnxruntime_free",
       "openvino_1", "splitgen_clang", "splitgen_free", "splitgen_gcc"]
TWO = ["onnxruntime_2", "openvino_2", "splitgen_2"]


def of(notation, rows):
    return Case("R1", "random_1", "", notation=notation, rows=rows)


def of_suite(name):
    return next(case for case in CASES if case.name == name)


class Competitors(unittest.TestCase):
    def chosen(self, case, op, built, regime="natural", sets=1, peers=()):
        """Returns (names of those with right results, {name: why not})."""
        machine = describe(CONFIG)
        with tempfile.TemporaryDirectory() as scratch:
            work = measure.Work(LIBRARY, machine, op, regime, sets, "aligned", False, scratch)
            chosen = []
            try:
                chosen, absent = measure.choose(work, built, case, peers, machine["processors"],
                                                1e-4)
                measure.measure(work, chosen, 0.01, 1, lambda fraction: None)
                # A pipeline's producer may have changed their inputs.
                for competitor in chosen:
                    if competitor.kind in ("splitgen", "peer"):
                        self.still_right(work, competitor)
                return {competitor.name for competitor in chosen}, absent
            finally:
                for competitor in chosen:
                    competitor.close()
                work.buffers.close()

    def still_right(self, work, competitor):
        work.buffers.poison(0)
        competitor.once()
        self.assertEqual(LIBRARY.check(work.buffers.shape, work.buffers.sets[0]), -1,
                         competitor.name)

    def expected(self, *more):
        return {*ALL, *more, "null", "limit", "limit_k",
                *(TWO if describe(CONFIG)["processors"] > 1 else ())}

    def both(self, case):
        for one in (case, case.mirrored()):
            op, built, _ = TOOL.build(one, 0, free=True)
            self.assertEqual(op.joins, one.joins)
            yield one, op, built

    def test_all_make_the_right_bytes(self):
        for case in (of("f32[{rows},10] @1 -> 3 1 6", 50), of("i16[{rows},6] @1 -> 2 0 4", 33),
                     of("u8[{rows},7,3] @1 -> 5 1 1", 70),
                     of("f32[{rows},90000] @1 -> 30000 60000", 9)):  # enough for two threads
            for one, op, built in self.both(case):
                names, absent = self.chosen(one, op, built)
                self.assertEqual((names, absent), (self.expected(), {}))

    def test_pipelines_and_sets_in_turn(self):
        for one, op, built in self.both(of("f32[{rows},10] @1 -> 3 1 6", 50)):
            for regime, sets in (("pipeline", 1), ("dram", 3)):
                names, absent = self.chosen(one, op, built, regime, sets)
                self.assertEqual((names, absent), (self.expected(), {}))

    def test_image_libraries(self):
        libraries = [name for name in ("libyuv", "opencv") if getattr(LIBRARY, name)]
        for dtype, count in (("u8", 2), ("u8", 3), ("u8", 4), ("i16", 2)):
            case = of(f"{dtype}[{{rows}},{count}] @1 -> {' '.join(['1'] * count)}", 1001)
            for one, op, built in self.both(case):
                names, absent = self.chosen(one, op, built)
                self.assertEqual((names, absent), (self.expected(*libraries), {}))

    def test_many_parts(self):
        for one, op, built in self.both(of_suite("adv_257_columns")):
            names, _ = self.chosen(one, op, built)
            self.assertLessEqual({*ALL, "limit", "limit_k"}, names)

    def test_packed_elements(self):
        for one, op, built in self.both(of_suite("adv_u4_drift")):
            names, absent = self.chosen(one, op, built)
            self.assertLessEqual({"splitgen_gcc", "splitgen_clang", "packed_elements"}, names)
            self.assertEqual({why for why in absent.values()}, {"no packed elements"})

    def test_cases_of_the_suite_are_mirrored(self):
        for name in ("rgb_224", "mla_q"):
            split, join = (TOOL.resolve(case)
                           for case in (of_suite(name), of_suite(name).mirrored()))
            self.assertEqual((split.joins, join.joins), (False, True))
            for field in ("shape", "axis", "lengths", "dtype", "widths", "part_bytes", "bytes"):
                self.assertEqual(getattr(split, field), getattr(join, field))

    def test_a_wrong_loop_is_found(self):
        for entry in (kernel(), mirrored(kernel())):
            op = Op(entry)
            case = of("u8[{rows},6] @1 -> 2 4", 4)
            case = case.mirrored() if op.joins else case
            _, built, _ = TOOL.build(case, 0)
            for right, wrong in ((f"r < {op.rows}", f"r < {op.rows - 1}"),
                                 ("whole[r * 6 + 2 + j]", "whole[r * 6 + 1 + j]")):
                text = plain_loops(op)
                self.assertIn(right, text)
                library, _ = TOOL._compile("gcc", ["-O2"], text.replace(right, wrong), "wrong")
                _, absent = self.chosen(case, op, {**built, "gcc_o3": (library, "plain")},
                                        peers=["gcc_o3"])
                self.assertRegex(absent["gcc_o3"], r"^gives other bytes in part [01]$")

    def test_a_wrong_kernel_stops_the_run(self):
        case = of("u8[{rows},6] @1 -> 2 4", 4)
        for one in (case, case.mirrored()):
            other = of(one.notation.replace("2 4", "4 2"), 4)
            op, built, _ = TOOL.build(one, 0)
            for name in ("splitgen_gcc", "splitgen_clang"):
                wrong = {**built, name: TOOL.build(other, 0)[1][name]}
                with self.assertRaisesRegex(AssertionError, f"{name} is wrong in part"):
                    self.chosen(one, op, wrong, peers=["gcc_o3"])

    def test_kernels_have_one_direction(self):
        case = of("u8[{rows},6] @1 -> 2 4", 4)
        for one in (case, case.mirrored()):
            _, built, _ = TOOL.build(one, 0)
            address = kernel_in(*built["splitgen_gcc"])
            there = [bool(get(address)) for get in (LIBRARY.kernel_split, LIBRARY.kernel_join)]
            self.assertEqual(there, [not one.joins, one.joins])


if __name__ == "__main__":
    with open(os.path.join(sys.argv[1], "suite.json"), encoding="utf-8") as file:
        CONFIG = json.load(file)
    LIBRARY = Library(sys.argv.pop(1))
    TOOL = Tool({**CONFIG, "build": os.path.join(CONFIG["build"], "competitors")},
                os.path.dirname(os.path.abspath(__file__)))
    unittest.main()
