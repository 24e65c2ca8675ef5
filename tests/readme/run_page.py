r"""Runs every command of a page, in order, in a scratch copy of the tree, and compares the output with the page:

    run_page.py PAGE SOURCE BUILD SPLITGEN SCRATCH

```sh            the lines are one script, run by sh -e in the folder and with the exported variables that the block
                 before it left, as in a reader's shell; the first in the copy's top folder
```sh exit=N     the script's last command must exit with N
```sh needs=A,B  not run, and its output not compared, where one of these programs is not installed
```sh all        run, and its output compared, only with tests/run --rest and --all: what takes long
```sh later      not run: what it shows is not in this tree yet
```text          right behind a ```sh block: its exact output, standard error included
```lua F         a block of any other language with a file name: written to F, in that folder, before going on

The set-up commands of setup.txt would run this test again, so only their programs are searched; the README shows
all."""
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys

SETUP = pathlib.Path(__file__).with_name("setup.txt").read_text().split("\n")[:-1]


class Wrong(Exception):
    """What is wrong with a page."""


def blocks(text):
    """(what follows the fence, the body, where it is) of each block."""
    fences = list(re.finditer("^```(.*)\n", text, re.M))
    if len(fences) % 2:
        raise Wrong("a code block never ends")
    return [(one[1], text[one.end():other.start()], (one.end(), other.start()))
            for one, other in zip(fences[::2], fences[1::2])]


class Scratch:
    """A copy of the tree, in which this build takes the place of any preset that the README says was built."""

    def __init__(self, path, source, build, tool, python=None, all=False):
        self.path, self.tree, self.all = path, path / "tree", all
        shutil.rmtree(path, ignore_errors=True)
        shutil.copytree(source, self.tree, symlinks=True, ignore=lambda folder, names: (
            {"build", ".git"} if pathlib.Path(folder) == source else {"__pycache__"}).intersection(names))
        for preset in ("release", "demo", "test"):
            (self.tree / "build").mkdir(exist_ok=True)
            (self.tree / "build" / preset).symlink_to(build)
        for folder in ("bin", "home"):
            (path / folder).mkdir()
        if python:
            (path / "bin/python3").symlink_to(python)
        self.env = {**os.environ, "LC_ALL": "C",
                    "PATH": os.pathsep.join([f"{path}/bin", str(tool.parent), os.environ["PATH"]]), "HOME":
                    f"{path}/home", "C_INCLUDE_PATH": f"{source}/include", "LIBRARY_PATH": f"{build}/runtime"}
        self.restart()

    def restart(self):
        """Begins a new shell."""
        self.folder, self.exports = self.tree, ""

    def files(self):
        """Everything in the tree outside of build, and when it was changed."""
        return {path: path.stat().st_mtime_ns for path in self.tree.rglob("*")
                if path.relative_to(self.tree).parts[0] != "build" and path.is_file()}

    def check_setup(self, command):
        """The program of a set-up command must exist, and the workflow preset it names."""
        program = command.split()[0]
        if program != "git":  # readers on the web have it, or a browser
            found = os.access(self.tree / program, os.X_OK) if "/" in program else shutil.which(program)
            if not found:
                raise Wrong(f"'{command}': no program {program}")
        preset = re.search("--preset[ =]*([A-Za-z0-9_-]*)", command)
        if preset:
            known = subprocess.run(["cmake", "--workflow", "--list-presets"], capture_output=True, text=True,
                                   cwd=self.tree,
                                   check=True).stdout
            if f'"{preset[1]}"' not in known:
                raise Wrong(f"'{command}': no workflow preset")

    def run(self, script, exit):
        """Runs a script, and keeps the folder and the exported variables that it leaves; returns its output."""
        (self.path / "script").write_text(script, "utf-8")
        done = subprocess.run(["sh", "-ec", 'trap "{ pwd; export -p; } >\\"\\$0\\"" EXIT; eval "$2"; . "$1"',
                               self.path / "state", self.path / "script", self.exports],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=self.env,
                              cwd=self.folder, check=False)
        folder, _, self.exports = (self.path / "state").read_text().partition("\n")
        self.folder = pathlib.Path(folder)
        output = done.stdout.decode("utf-8", "surrogateescape")
        if done.returncode != exit:
            raise Wrong(f"exit {done.returncode}, expected {exit}\n{script}\n{output}")
        return output


def run_page(scratch, text, setup_needed=False):
    """Runs a page; returns it with the outputs that its commands have."""
    seen, done, output = set(), 0, None
    new = text
    for info, body, (begin, end) in blocks(text):
        language, _, words = info.partition(" ")
        previous, output = output, None
        if language == "sh":
            how = dict(word.partition("=")[::2] for word in words.split())
            if "later" in how or "all" in how and not scratch.all or not all(map(shutil.which, filter(None, how.get("needs", "").split(",")))):
                continue
            lines = [line.removeprefix("$ ") for line in body.split("\n")[:-1]]
            for line in lines:
                if line.removeprefix("./") in SETUP:
                    scratch.check_setup(line.removeprefix("./"))
                    seen.add(line.removeprefix("./"))
            script = "".join(f"{line}\n" for line in lines if line.removeprefix("./") not in SETUP)
            if script.strip():
                output = scratch.run(script, int(how.get("exit", 0)))
                done += 1
        elif language == "text" and previous is not None:
            shift = len(new) - len(text)
            new = new[:begin + shift] + previous + new[end + shift:]
        elif language != "text" and words:
            path = scratch.folder / words
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(body, "utf-8")
    if setup_needed and not seen.issuperset(SETUP):
        raise Wrong(f"these set-up commands are not shown: {set(SETUP) - seen}")
    if not done:
        raise Wrong("there is no command to run")
    return new


def check_page(scratch, text, setup_needed=False):
    compare(run_page(scratch, text, setup_needed), text)


def compare(new, text):
    if new != text:
        difference = difflib.unified_diff(text.splitlines(True), new.splitlines(True), "shown", "output", n=1)
        raise Wrong("the output shown is not the output:\n" + "".join(difference))


def main():
    page, source, build, tool, path = (pathlib.Path(argument).absolute() for argument in sys.argv[1:])
    try:
        check_page(Scratch(path, source, build, tool), page.read_text("utf-8"))
    except Wrong as wrong:
        sys.exit(f"{page}: {wrong}")


if __name__ == "__main__":
    main()
