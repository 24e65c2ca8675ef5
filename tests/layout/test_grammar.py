"""Every lemon grammar of the generator: no conflict, no empty production (after one, the parser reduces before it sees
an error, and errors come late), no list that recurses on the right (the parser's stack would grow with the input)."""
import re

import pytest
import tree
from testing import SOURCE, given


def faults(work, grammar):
    (work / "out").mkdir(exist_ok=True)
    done = work.run([given["lemon"], "-s", "-l", f"-T{given['template']}", "-dout", grammar], None)
    if not re.search(r"conflicts\.+ +0\n", done.out + done.err):
        yield f"lemon does not report 0 conflicts: {done}"
    if done.code:
        yield f"lemon failed: {done}"
    rules = re.findall(r"^([a-z_]+) ::=(.*)\.$", work.run([given["lemon"], "-g", grammar], None).out, re.M)
    if not rules:
        yield "no rule was read"
    for name, production in rules:
        if not production.strip():
            yield f"empty production: {name}"
        elif production.split()[-1] == name:
            yield f"recurses on the right: {name} ::={production}"


@pytest.mark.parametrize("grammar", sorted((SOURCE / "generator").rglob("*.y")), ids=lambda path: path.name)
def test_a_grammar(work, grammar):
    tree.expect_none(faults(work, grammar), grammar)


@pytest.mark.parametrize("fault, text", [
    ("empty production", "text ::= list END.\nlist ::= .\nlist ::= list A.\n"),
    ("0 conflicts", "text ::= e END.\ne ::= e PLUS e.\ne ::= A.\n"),
    ("recurses on the right", "text ::= list END.\nlist ::= A.\nlist ::= A list.\n"),
    ("lemon failed", "text ::= missing END.\n"),
    ("", "text ::= list END.\nlist ::= A.\nlist ::= list A.\n")])
def test_it_notices(work, fault, text):
    found = " ".join(faults(work, work.write("made.y", text)))
    assert fault in found if fault else not found
