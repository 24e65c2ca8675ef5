"""Compares the output for the specs of cases/ with the files beside them, or writes these."""
import difflib
import hashlib
import json
import re
import shlex

import pytest
from testing import SOURCE, fail, given

SPECS = sorted(path for ending in ("lua", "onnxtxt")
               for path in (SOURCE / "tests/golden/cases").glob(f"*.{ending}"))
SUFFIX = dict(re.findall(r'^KIND\([A-Z0-9_]+, *"([^"]+)", *"([^"]+)"',
                         (SOURCE / "generator/driver/kinds.inc").read_text("utf-8"), re.M))
AGAIN = """{} has another digest, and the text that had the expected one is not in this build folder. To see what
changed, build and run this test at the commit before the change (git stash, or git checkout), then here again.
"""


def field(text, key):
    """The words of "-- key: a b c" among the comments of a spec; of "# key: a b c" of a model."""
    return shlex.split(" ".join(re.findall(rf"^(?:--|#) {key}: (.*)", text, re.M)))


def line_of(name, text):
    """A line of NAME.sha256."""
    return f"{hashlib.sha256(text.encode('utf-8', 'surrogateescape')).hexdigest()}  {name}\n"


def difference(name, old, new):
    lines = [text.splitlines(keepends=True) for text in (old, new)]
    return "".join(difflib.unified_diff(*lines, f"expected/{name}", f"made/{name}"))


@pytest.mark.parametrize("spec", SPECS, ids=lambda path: path.stem)
def test_the_text(work, spec):
    whole, digests, stages, options = (field(spec.read_text("utf-8"), key)
                                       for key in ("golden", "digest", "dump", "options"))
    assert whole or digests, "no line '-- golden: KINDS' and no line '-- digest: KINDS'"
    work.splitgen([*options, f"--emit={','.join(whole + digests)}", "-o", "made/", spec])
    whole, digests = ([spec.stem + SUFFIX[kind] for kind in kinds] for kinds in (whole, digests))
    made = {name: work.read(f"made/{name}").replace(f"splitgen {given['version']}", "splitgen @VERSION@")
            for name in whole + digests}
    compared = {name: made[name] for name in whole}
    if stages:
        compared[f"{spec.stem}.dump"] = work.splitgen([*options, f"--dump={stages[0]}", spec]).out
    if digests:
        compared[f"{spec.stem}.sha256"] = "".join(line_of(name, made[name]) for name in digests)

    # The output when this test last passed: only that can show what changed in a text that has only a digest.
    passed = work.path.parent / f"{spec.stem}.passed"
    problems = ""
    for name, new in compared.items():
        path = spec.parent / name
        old = path.read_bytes().decode("utf-8", "surrogateescape") if path.exists() else None
        if given.get("update"):
            if new != old:
                path.write_bytes(new.encode("utf-8", "surrogateescape"))
        elif old is None:
            problems += f"MISSING: {path}\n"
        elif new != old:
            problems += difference(name, old, new)
            before = json.loads(passed.read_text("utf-8")) if passed.exists() else {}
            for text in digests if name.endswith(".sha256") else ():
                if line_of(text, before.get(text, "")) in old:
                    problems += difference(text, before[text], made[text])
                elif line_of(text, made[text]) not in old:
                    problems += AGAIN.format(text)
    if problems:
        fail(f"{problems}the text is not as expected; where that is meant, build golden-update")
    passed.write_text(json.dumps(made), "utf-8")
