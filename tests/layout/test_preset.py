"""Runs generator/cmake/preset.sh with a made-up cmake and ctest: it prints the progress and the failures; everything
else is only in its log."""
import json

import pytest
from testing import SOURCE, exactly, regex

CONFIGURE = "echo '-- Detecting'; echo '-- tests/exec: no tcc, configuration tcc left out'\n"
BUILD = """echo '[1/21] Building \\n.o'; echo 'a.c: warning: x'
for i in 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21; do echo "[$i/21] Building"; done
"""
SHOWN = "configuring: build/made\n"
BUILT = SHOWN + "".join(f"building: {n} of 21\n" for n in range(3, 22, 2)) + "built: build/made\n"
RESULTS = """    1/2 Test #1: unit.one ...   Passed    0.01 sec
2/2 Test #2: cross.two ...***Skipped   0.01 sec

100% tests passed, 0 tests failed out of 2
"""
LEFT_OUT = """left out: tests/exec: no tcc, configuration tcc left out
left out: cross.two: sudo apt-get install two
"""
TESTED = f"testing: a line for each test, its output where it fails\n{RESULTS}{LEFT_OUT}"
COUNTED = ("2 tests in 0 seconds: {} passed, 1 skipped, {} failed; everything that was printed: build/{}/run.log\n")
CTEST = f"""cat <<'END'
      Start  1: unit.one
{RESULTS}END
cat >build/made/Testing/Temporary/LastTest.log <<'END'
1/2 Testing: unit.one
fine
2/2 Testing: cross.two
-- SKIPPED: sudo apt-get install two
END
"""


def command(work, name, text):
    work.write(f"bin/{name}", f"#!/bin/sh\n{text}").chmod(0o755)


def run(work, exit, text, *arguments):
    __tracebackhide__ = True
    work.run(["sh", "-c", 'exec 2>&1; exec sh "$@"', "sh", SOURCE / "generator/cmake/preset.sh", "made", *arguments],
                    exit, exactly(text), env={"PATH": f"{work / 'bin'}:{work.env['PATH']}"})


@pytest.fixture
def work(work):
    command(work, "cmake", f"case $1 in --preset) {CONFIGURE};; *) {BUILD};; esac\n")
    command(work, "ctest", CTEST)
    command(work, "date", "echo 5")  # the clock
    return work


def test_a_build_prints_its_progress_and_the_log_has_everything(work):
    run(work, 0, BUILT)
    work.expect_file("build/made/run.log", regex("Detecting.*a[.]c: warning.*21/21"))


def test_tests_print_a_line_each_and_why_some_are_skipped(work):
    run(work, 0, BUILT + TESTED + COUNTED.format(1, 0, "made"), "made")


def test_the_end_says_which_tests_failed_and_how_to_run_one_again(work):
    failing = work.read("bin/ctest").replace("  Passed", "***Failed") + "exit 8\n"
    command(work, "ctest", failing)
    run(work, 1, BUILT + TESTED.replace("  Passed", "***Failed") + COUNTED.format(0, 1, "made") +
        "failed: unit.one; again, with its output: ctest --test-dir build/made -V -R '^unit.one$'\n", "made")


def test_the_same_in_another_folder(work):
    command(work, "ctest", CTEST.replace("build/made", "build/other"))
    run(work, 0, BUILT.replace("build/made", "build/other") + TESTED + COUNTED.format(1, 0, "other"), "made", "build/other")


def test_of_a_failed_build_the_compilers_messages_are_printed_and_of_a_failed_configuration_everything(work):
    where = "failed; everything that was printed: build/made/run.log\n"
    failed = "FAILED: a.o\ncc -c a.c\na.c:1:1: error: x\nninja: build stopped.\n"
    command(work, "cmake", f"case $1 in --preset) {CONFIGURE};; *) echo '[1/99] Building'; printf '{failed}'; exit 1;; "
                           "esac\n")
    run(work, 1, f"{SHOWN}{failed}building {where}")
    command(work, "cmake", "echo 'lemon is missing'; exit 1\n")
    run(work, 1, f"{SHOWN}lemon is missing\nconfiguring {where}")


def test_cmake_can_compile_the_filters_of_the_presets(work):
    """Its regular expressions have few groups, and if ctest cannot compile a filter it skips no test."""
    presets = json.loads((SOURCE / "CMakePresets.json").read_text())["testPresets"]
    filters = [preset["filter"]["exclude"]["name"] for preset in presets
               if "name" in preset.get("filter", {}).get("exclude", {})]
    assert filters
    for one in filters:
        work.write("match.cmake", f'string(REGEX MATCH [==[{one}]==] found "exec.special.tcc_c99")\n')
        work.run("cmake -P match.cmake")
