"""The pages of pages.txt do what they say (run_page.py). With update=1 (the target readme-update) the outputs are
written into the pages instead."""
import re
import sys

import pytest
from run_page import SETUP, Scratch, Wrong, check_page, run_page
from testing import SOURCE, given

PAGES = {re.sub("/?README.md$|[.]md$", "", page).replace("/", "_"): page
         for glob in (SOURCE / "tests/readme/pages.txt").read_text().split()
         for page in sorted(str(path.relative_to(SOURCE)) for path in SOURCE.glob(glob))
         if "faq" not in page}  # which has no commands


def scratch_of(work):
    return Scratch(work / "scratch", SOURCE, work.tool.parents[1], work.tool, sys.executable)


@pytest.mark.parametrize("name", PAGES)
def test_page(work, name):
    if name == "generator_python":
        pytest.importorskip("numpy")
    path = SOURCE / PAGES[name]
    text = path.read_text("utf-8")
    if given.get("update"):
        path.write_text(run_page(scratch_of(work), text), "utf-8")
    else:
        check_page(scratch_of(work), text, setup_needed=not name)


# Small pages, good and bad ones, because a test of the README that cannot fail would be useless: what is wrong with
# each, or nothing. @ is a fence.
SMALL = {
    "output": ("@lua deep/one.lua\nreturn 1\n@\n@sh\necho one\ncat deep/one.lua\n@\n@text\none\nreturn 1\n@\n", None),
    "exit_status": ("@sh exit=3\n$ sh -c 'echo no >&2; exit 3'\n@\n@text\nno\n@\n", None),
    "tool_and_tree": ("@sh\ncommand -v splitgen\ntest -f CMakePresets.json\ntest -d build/demo\n@\n", None),
    "folder_left_behind": ("@sh\nmkdir -p build/tour && cd build/tour\n@\n@lua one.lua\nreturn 1\n@\n"
                           "@sh exit=1\ncat one.lua; cd ..; false\n@\n@sh\ntest -f tour/one.lua\n@\n", None),
    "wrong_output": ("@sh\necho one\n@\n@text\ntwo\n@\n", "not the output"),
    "missing_newline": ("@sh\nprintf one\n@\n@text\none\n@\n", "not the output"),
    "failing_command": ("@sh\nfalse\ntrue\n@\n", "exit 1, expected 0"),
    "wrong_status": ("@sh exit=3\ntrue\n@\n", "exit 0, expected 3"),
    "nothing_to_run": ("@text\necho one\n@\n", "no command to run"),
    "endless_block": ("@sh\necho one\n", "never ends")}
SHOWN = "@sh\n" + "".join(f"{line}\n" for line in SETUP) + "@\n"


def test_self(work):
    scratch = scratch_of(work)

    def said(page):
        """What is wrong with a page, or nothing."""
        text, scratch.folder = page.replace("@", "```"), scratch.tree
        try:
            check_page(scratch, text, setup_needed=True)
        except Wrong as wrong:
            return str(wrong)
        return None

    for name, (page, expected) in SMALL.items():
        found = said(SHOWN + page)
        assert found is None if expected is None else expected in (found or ""), f"{name}: {found}"
    assert "are not shown" in said("@sh\necho one\n@\n")
    # An update turns a refused page into an accepted one and changes nothing else.
    page = "@sh\necho one\necho two\n@\n@text\n{}\n@\nprose\n@text\nkept\n@\n".replace("@", "```")
    assert run_page(scratch, page.format("old")) == page.format("one\ntwo")


def test_manual(work):
    work.run([sys.executable, SOURCE / "tests/readme/run_manual.py", work.tool, SOURCE, work / "manual"])


def test_guide(work):
    """The static pages; every link is checked."""
    done = work.run([sys.executable, SOURCE / "generator/docs/build_guide.py", work.tool, SOURCE, work / "guide"])
    if "SKIPPED: " in done.out:
        pytest.skip(done.out.partition("SKIPPED: ")[2].strip())
