"""The pages of pages.txt do what they say (run_page.py). With update=1 (the target readme-update) the outputs are
written into the pages instead."""
import re
import sys

import pytest
from packages import venv
from run_page import SETUP, Scratch, Wrong, check_page, compare, run_page
from testing import SOURCE, given

PAGES = {re.sub("/?README.md$|[.]md$", "", page).replace("/", "_"): page
         for glob in (SOURCE / "tests/readme/pages.txt").read_text().split()
         for page in sorted(str(path.relative_to(SOURCE)) for path in SOURCE.glob(glob))}


def scratch_of(work):
    return Scratch(work / "scratch", SOURCE, work.tool.parents[1], work.tool, sys.executable, bool(given.get("all") or given.get("update")))


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


def test_guide(work):
    """All pages of the guide in one shell, in the order of the menu, each in a folder of its own."""
    scratch = scratch_of(work)
    before, folders = scratch.files(), [scratch.folder]
    menu = (SOURCE / "generator/docs/mkdocs.yml").read_text("utf-8")
    pages = [SOURCE / page for page in re.findall(r"generator/docs/\w+[.]md$", menu, re.M)]
    assert len(pages) > 10
    for path in pages:
        text = path.read_text("utf-8")
        if "```sh\n" not in text:
            continue
        try:
            new = run_page(scratch, text)
            if given.get("update"):
                path.write_text(new, "utf-8")
            else:
                compare(new, text)
        except Wrong as wrong:
            pytest.fail(f"{path.name}: {wrong}")
        folders.append(scratch.folder)
    assert not scratch.files().items() ^ before.items(), "left in the checkout"
    assert len(set(folders)) == len(folders), f"one folder for two pages: {folders}"


def test_site(work):
    """The site in the theme mkdocs-material; readme.guide makes it as far as it can without packages from PyPI."""
    python = venv(str(work / "mkdocs"), "mkdocs-material>=9.5,<10")
    build = [sys.executable, SOURCE / "generator/docs/build_guide.py", work.tool, SOURCE, work / "guide"]
    made = work.run([*build, python.replace("bin/python", "bin/mkdocs")])
    if "SKIPPED" in made.out:
        pytest.skip(made.out)
    page = work.read("guide/site/generator/docs/options.html")
    for text in ('data-md-component="search"', 'data-md-color-scheme="slate"', "content.code.copy", 'href="#--emit"'):
        assert text in page, text


# Small pages, good and bad ones, because a test of the README that cannot fail would be useless: what is wrong with
# each, or nothing. @ is a fence.
SMALL = {
    "output": ("@lua deep/one.lua\nreturn 1\n@\n@sh\necho one\ncat deep/one.lua\n@\n@text\none\nreturn 1\n@\n", None),
    "exit_status": ("@sh exit=3\n$ sh -c 'echo no >&2; exit 3'\n@\n@text\nno\n@\n", None),
    "tool_and_tree": ("@sh\ncommand -v splitgen\ntest -f CMakePresets.json\ntest -d build/demo\n@\n", None),
    "folder_left_behind": ("@sh\nmkdir -p build/tour && cd build/tour\n@\n@lua one.lua\nreturn 1\n@\n"
                           "@sh exit=1\ncat one.lua; cd ..; false\n@\n@sh\ntest -f tour/one.lua\n@\n", None),
    "variables_left_behind": ("@sh\nexport WORD='a  \"b'\n@\n@sh\necho \"$WORD\"\n@\n@text\na  \"b\n@\n", None),
    "missing_program": ("@sh needs=sh,no-such-program\nfalse\n@\n@text\nno\n@\n@sh needs=sh\necho yes\n@\n"
                        "@text\nyes\n@\n", None),
    "program_that_is_there": ("@sh needs=sh\nfalse\n@\n", "exit 1, expected 0"),
    "all": ("@sh all\nfalse\n@\n@text\nno\n@\n@sh\ntrue\n@\n", "exit 1, expected 0" if given.get("all") else None),
    "later": ("@sh later\nfalse\n@\n@text\nno\n@\n@sh\ntrue\n@\n", None),
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
        scratch.restart()
        try:
            check_page(scratch, page.replace("@", "```"), setup_needed=True)
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


def test_static_pages(work):
    """The static pages; every link is checked."""
    done = work.run([sys.executable, SOURCE / "generator/docs/build_guide.py", work.tool, SOURCE, work / "guide"])
    if "SKIPPED: " in done.out:
        pytest.skip(done.out.partition("SKIPPED: ")[2].strip())
