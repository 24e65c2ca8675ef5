"""Runs the Python of a page, block after block in one namespace, and compares what each prints with the text after it."""
import contextlib, io, re

import pytest
from staged import stage
from testing import SOURCE, given

PAGE = SOURCE / "examples/python/README.md"


def test_page(work, monkeypatch):
    pytest.importorskip("numpy")
    monkeypatch.setenv("XDG_CACHE_HOME", str(work / "cache"))
    monkeypatch.setenv("CC", given["cc"])
    monkeypatch.syspath_prepend(stage(given["tool"], str(SOURCE), str(work.path)))
    monkeypatch.chdir(work.path)
    blocks = re.findall(r"^```(python|text)\n(.*?)^```$", PAGE.read_text(), re.M | re.S)
    namespace, prints = {"__name__": "page"}, {}
    for i, (kind, code) in enumerate(blocks):
        if kind == "python":
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(code, f"{PAGE}, block {i + 1}", "exec"), namespace)
            after = blocks[i + 1] if i + 1 < len(blocks) else ("", "")
            prints[i + 1] = printed.getvalue(), after[1] if after[0] == "text" else ""
    assert prints
    assert {i: is_now for i, (is_now, _) in prints.items()} == {i: should for i, (_, should) in prints.items()}
