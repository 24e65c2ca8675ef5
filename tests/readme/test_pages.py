r"""Runs every command of a page, in order, in a scratch copy of the tree, and compares the output with the page. With
update=1 (the target readme-update) the outputs are written into the page instead.

```sh            the lines are one script, run by sh -e in the folder that the block before it left, as in a reader's
                 shell; the first in the copy's top folder
```sh exit=N     the script's last command must exit with N
```text          right behind a ```sh block: its exact output, standard error included
```lua F         a block of any other language with a file name: written to F, in that folder, before going on

The set-up commands of setup.txt would run this test again, so only their programs are searched; the README shows all."""
import os
import pathlib
import re
import shutil

import pytest
from testing import SOURCE, exactly, expect_text, fail, given

SETUP = (SOURCE / "tests/readme/setup.txt").read_text().split("\n")[:-1]
PAGES = {re.sub("/?README.md$|[.]md$", "", page).replace("/", "_"): page
         for glob in (SOURCE / "tests/readme/pages.txt").read_text().split()
         for page in sorted(str(path.relative_to(SOURCE)) for path in SOURCE.glob(glob))
         if "faq" not in page}  # which has no commands


def blocks(text):
    """(what follows the fence, the body, where it is) of each block."""
    fences = list(re.finditer("^```(.*)\n", text, re.M))
    if len(fences) % 2:
        fail("a code block never ends")
    return [(one[1], text[one.end():other.start()], (one.end(), other.start()))
            for one, other in zip(fences[::2], fences[1::2])]


class Scratch:
    """A copy of the tree, in which this build takes the place of any preset that the README says was built."""

    def __init__(self, work):
        self.work, self.tree, build = work, work / "tree", work.tool.parents[1]
        shutil.copytree(SOURCE, self.tree, symlinks=True, ignore=lambda folder, names: (
            {"build", ".git"} if pathlib.Path(folder) == SOURCE else {"__pycache__"}).intersection(names))
        for preset in ("release", "demo", "test"):
            (self.tree / "build").mkdir(exist_ok=True)
            (self.tree / "build" / preset).symlink_to(build)
        for folder in ("bin", "home"):
            (work / folder).mkdir()
        if given.get("python3"):
            (work / "bin/python3").symlink_to(given["python3"])
        work.env.update(PATH=f"{work / 'bin'}{os.pathsep}{work.env['PATH']}", C_INCLUDE_PATH=str(SOURCE / "include"),
                        LIBRARY_PATH=str(build / "runtime"), HOME=str(work / "home"))
        self.folder = self.tree

    def check_setup(self, command):
        """The program of a set-up command must exist, and the workflow preset it names."""
        program = command.split()[0]
        if program != "git":  # readers on the web have it, or a browser
            found = os.access(self.tree / program, os.X_OK) if "/" in program else shutil.which(program)
            if not found:
                fail(f"'{command}': no program {program}")
        preset = re.search("--preset[ =]*([A-Za-z0-9_-]*)", command)
        if preset:
            self.work.run(["cmake", "--workflow", "--list-presets"], out=f'"{preset[1]}"', cwd=self.tree)

    def run(self, script, exit):
        """Runs a script, and keeps the folder that it leaves; returns its output."""
        self.work.write("script", script)
        self.work.run(["sh", "-ec", 'exec >"$2" 2>&1; trap "pwd >\\"\\$0\\"" EXIT; . "$1"', self.work / "folder",
                       self.work / "script", self.work / "output"], exit=None, cwd=self.folder)
        self.folder = pathlib.Path(self.work.read("folder").removesuffix("\n"))
        if self.work.last.code != exit:
            fail(f"exit {self.work.last.code}, expected {exit}\n{script}\n{self.work.read('output')}")
        return self.work.read("output")


def run_page(scratch, text, setup_needed=False):
    """Runs a page; returns it with the outputs that its commands have."""
    seen, done, output = set(), 0, None
    new = text
    for info, body, (begin, end) in blocks(text):
        language, _, words = info.partition(" ")
        previous, output = output, None
        if language == "sh":
            lines = [line.removeprefix("$ ") for line in body.split("\n")[:-1]]
            for line in lines:
                if line.removeprefix("./") in SETUP:
                    scratch.check_setup(line.removeprefix("./"))
                    seen.add(line.removeprefix("./"))
            script = "".join(f"{line}\n" for line in lines if line.removeprefix("./") not in SETUP)
            if script.strip():
                output = scratch.run(script, int(words.removeprefix("exit=") or 0))
                done += 1
        elif language == "text" and previous is not None:
            shift = len(new) - len(text)
            new = new[:begin + shift] + previous + new[end + shift:]
        elif language != "text" and words:
            path = scratch.folder / words
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(body)
    if setup_needed and not seen.issuperset(SETUP):
        fail(f"these set-up commands are not shown: {set(SETUP) - seen}")
    if not done:
        fail("there is no command to run")
    return new


@pytest.mark.parametrize("name", PAGES)
def test_page(work, name):
    if name == "generator_python" and not given.get("python3"):
        pytest.skip("sudo apt-get install python3-numpy")
    path = SOURCE / PAGES[name]
    text = path.read_text("utf-8")
    new = run_page(Scratch(work), text, setup_needed=not name)
    if given.get("update"):
        path.write_text(new, "utf-8")
    else:
        expect_text(f"{path}, in which the outputs are not these,", text, exactly(new))


# Small pages, good and bad ones, because a test of the README that cannot fail would be useless: what is wrong with
# each, or nothing. @ is a fence.
SMALL = {
    "output": ("@lua deep/one.lua\nreturn 1\n@\n@sh\necho one\ncat deep/one.lua\n@\n@text\none\nreturn 1\n@\n", None),
    "exit_status": ("@sh exit=3\n$ sh -c 'echo no >&2; exit 3'\n@\n@text\nno\n@\n", None),
    "tool_and_tree": ("@sh\ncommand -v splitgen\ntest -f CMakePresets.json\ntest -d build/demo\n@\n", None),
    "folder_left_behind": ("@sh\nmkdir -p build/tour && cd build/tour\n@\n@lua one.lua\nreturn 1\n@\n"
                           "@sh exit=1\ncat one.lua; cd ..; false\n@\n@sh\ntest -f tour/one.lua\n@\n", None),
    "wrong_output": ("@sh\necho one\n@\n@text\ntwo\n@\n", "should be: "),
    "missing_newline": ("@sh\nprintf one\n@\n@text\none\n@\n", "should be: "),
    "failing_command": ("@sh\nfalse\ntrue\n@\n", "exit 1, expected 0"),
    "wrong_status": ("@sh exit=3\ntrue\n@\n", "exit 0, expected 3"),
    "nothing_to_run": ("@text\necho one\n@\n", "no command to run"),
    "endless_block": ("@sh\necho one\n", "never ends")}
SHOWN = "@sh\n" + "".join(f"{line}\n" for line in SETUP) + "@\n"


def test_self(work):
    scratch = Scratch(work)

    def said(page):
        """What is wrong with a page, or nothing."""
        text, scratch.folder = page.replace("@", "```"), scratch.tree
        try:
            expect_text("the page", text, exactly(run_page(scratch, text, setup_needed=True)))
        except pytest.fail.Exception as wrong:
            return str(wrong)
        return None

    for name, (page, expected) in SMALL.items():
        found = said(SHOWN + page)
        assert found is None if expected is None else expected in (found or ""), f"{name}: {found}"
    assert "are not shown" in said("@sh\necho one\n@\n")
    # An update turns a refused page into an accepted one and changes nothing else.
    page = "@sh\necho one\necho two\n@\n@text\n{}\n@\nprose\n@text\nkept\n@\n".replace("@", "```")
    assert run_page(scratch, page.format("old")) == page.format("one\ntwo")
