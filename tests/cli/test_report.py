"""--report prints the metrics of kernels."""
import re

import pytest
from testing import regex


@pytest.fixture
def work(work):
    work.write("two.lua", "return { split 'alpha: u8[64,64,3] @2 -> r:1 g:1 _:1', "
                          "split 'beta: u8[64,64,3] @2 -> x:1 y:1 _:1' }\n")
    return work


def test_text(work):
    work.splitgen("two.lua --report=text", err="", out=[
        regex("^alpha: reads 8192 bytes, writes 8192 bytes, copies 8192 times\n"), regex(r"\n  portable +\d+ +- +0\n"),
        regex(r"\n  avx2 +\d+ +2 +5\n"), regex(r"\nbeta: [^\n]*, by the code of alpha\n"),
        "\ntotal of 2 kernels: reads 16384 bytes"])
    work.expect_files("two.lua")
    work.splitgen("two.lua --report=text --report=json", 2)
    work.splitgen("two.lua --list --report=text", out=[regex("^alpha: u8"), "\nalpha: reads"])
    work.splitgen("two.lua --report=json --explain", 2, out="",
                  err="'--report=json' prints one JSON document, which '--explain' would add to")


def test_json(work):
    report = work.splitgen("two.lua --report=json", err="").json
    alpha, beta = report["kernels"]
    assert report["schema"] == 2
    assert (alpha["name"], alpha["read"], alpha["written"], alpha["copies"]) == ("alpha", 8192, 8192, 8192)
    assert alpha["bodies"][0]["name"] == "portable"
    assert beta["code_of"] == "alpha"
    assert report["total"]["copies"] == 16384
    # Totals over kinds, versions and kernels; the shared code of alpha is counted once.
    instructions = sum(body["instructions"][kind] for body in alpha["bodies"]
                       for kind in ("copies", "calls", "loads", "stores", "registers", "hints"))
    assert (alpha["instructions"], beta["instructions"], report["total"]["instructions"]) == (instructions, 0,
        instructions)
    assert "text" not in alpha and "stack" not in alpha, "only a compiler knows that"
    less = work.splitgen("two.lua --report=json --isa=portable").json["kernels"][0]
    assert len(less["bodies"]) == 1 and less["instructions"] < instructions


def test_the_number_of_functions_equals_that_of_the_c_text(work):
    """And constants are counted where registers are mixed."""
    work.write("many.lua", """return { split 'planes: u8[2073600,3] @1 -> x:1 y:1 z:1', split 'narrow: u8[100000,257] @1 -> /257',
    split 'runs: u8[100000,1261] @1 -> a:1000 b:5 c:256', split 'wide: u8[4096,31104] @1 -> /96', split 'few: u8[64,64,3] @2 -> r:1 g:1 _:1' }
""")
    code = work.splitgen("many.lua").out
    for kernel in work.splitgen("many.lua --report=json").json["kernels"]:
        functions = {}
        for body in kernel["bodies"][1:]:
            assert body["instructions"]["registers"] or not body["constants"], "no instruction has these constants"
            functions[body["name"]] = functions.get(body["name"], 0) + body["functions"]
        assert functions
        for isa, count in functions.items():
            assert count == len(re.findall(rf"[ \n]{kernel['name']}_{isa}[a-z0-9_]*\([^(){{}};]*\)\n{{", code)), isa


def test_a_build_that_fails_by_them(work):
    """As the guide shows."""
    fails = "import json, sys; sys.exit(any(k['copies'] > int(sys.argv[1]) for k in json.load(sys.stdin)['kernels']))"
    for limit, code in (8192, 0), (8191, 1):
        work.run(f'splitgen two.lua --report=json | python3 -c "{fails}" {limit}', code)
