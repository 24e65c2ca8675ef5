"""No object files of the library call each other in a circle, by nm. Headers shared by several files hide such circles
from layout.layering."""
import graphlib
import re

import pytest
import tree
from testing import given


def calls_of(text):
    """{(file, file): symbol} of the output of nm -A -P -g."""
    lines = re.findall(r"[\[(]([^\[\]()]+?)(?:\.o|\.obj)?[\])]: ([^ ]+) ([A-Za-z])", text)
    home = {symbol: file for file, symbol, kind in lines if kind in "TDRBSVW"}
    return {(file, home[symbol]): symbol for file, symbol, kind in reversed(lines)
            if kind == "U" and home.get(symbol, file) != file}


def circles(calls):
    """'a -> b (symbol) -> a (symbol)' for each circle; those that share a file are reported one at a time."""
    while True:
        callers = {}
        for caller, called in calls:
            callers.setdefault(called, []).append(caller)
        try:
            graphlib.TopologicalSorter(callers).prepare()
            return
        except graphlib.CycleError as error:
            way = error.args[1][1:]
        start = way.index(min(way))
        way = way[start:] + way[:start + 1]
        yield way[0] + "".join(f" -> {file} ({calls[before, file]})" for before, file in zip(way, way[1:]))
        calls = {pair: symbol for pair, symbol in calls.items() if not set(pair) & set(way)}


def test_it_finds_both_circles_without_files_that_call_them_and_are_called_by_them():
    uses = [f"l.a[{use[0]}.c.o]: sg_{use[1]} U         \n" for use in "da af ab bc ca eg gh hg hf".split()]
    homes = "".join(f"l.a[{name}.c.o]: sg_{name} T 0000000000000000 0000000000000001\n" for name in "abcdefgh")
    calls = calls_of("".join(uses) + homes)
    assert len(calls) == 9
    assert sorted(circles(calls)) == ["a.c -> b.c (sg_b) -> c.c (sg_c) -> a.c (sg_a)",
                                      "g.c -> h.c (sg_h) -> g.c (sg_g)"]
    calls = calls_of("".join(use for use in uses if not re.search(r"[ch]\.c.*sg_[ag]", use)) + homes)
    assert len(calls) == 7 and not list(circles(calls))


def test_the_library_has_no_circle(work):
    if not given["nm"]:
        pytest.skip("no nm")
    calls = calls_of(work.run([given["nm"], "-A", "-P", "-g", given["library"]], None).out)
    if not calls:
        pytest.skip(f"{given['nm']} reads no calls between the files of {given['library']}, as with LTO")
    tree.expect_none(circles(calls), "files that call each other in a circle; move what both need into the lower file, "
                                     "or hand a function down")
