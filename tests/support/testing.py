"""What the tests in Python share: folders, running the tool and other programs, what is expected of them.

A test takes the fixture `work`, an empty folder of its own (conftest.py), and calls its methods. A failure prints the
command, what came and what should have come."""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile

import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2]  # the project
HANG = 7200  # seconds: only ends what hangs, and is no measure of anything
CODES = 0, 1, 2, 3, 4, 5  # the documented exit codes; 70 is a bug in splitgen
given = {}  # values that CMake passes on: VARIABLES of splitgen_pytest()
STRICT = "-std=c99 -Wall -Wextra -Wpedantic -Werror"
CUT = """return split {
  name = 'cut', dtype = 'f32', shape = { 2, 6 }, axis = 1,
  lengths = { 2, 4 }, outputs = { 'a', 'b' },
}
"""


def regex(pattern):
    """An expectation: the pattern matches somewhere; a dot matches a line end too."""
    return re.compile(pattern, re.S)


class exactly(str):
    """An expectation: the whole text, not a part of it."""


class without(str):
    """An expectation: this is not part of the text."""


class without_match(str):
    """An expectation: this regular expression matches nowhere."""


def any_of(*texts):
    """A regular expression that matches one of these texts."""
    return re.compile("|".join(re.escape(text) for text in texts))


def fault(text, expected):
    """What is wrong with a text, or nothing. Expected is None (anything), '' (no text), a text that it contains, a
    compiled regular expression, exactly(...), without(...), without_match(...), or a list of them."""
    if expected is None:
        return ""
    if isinstance(expected, (list, tuple)):
        return "".join(fault(text, one) for one in expected)
    if isinstance(expected, re.Pattern):
        return "" if expected.search(text) else f"should match: {expected.pattern}\n"
    if isinstance(expected, without):
        return f"should not contain: {expected}\n" if expected in text else ""
    if isinstance(expected, without_match):
        found = re.search(expected, text, re.S)
        return f"should not match: {expected}\nbut has: {found[0]}\n" if found else ""
    if isinstance(expected, exactly) or expected == "":
        return "" if text == expected else f"should be: {expected or '(nothing)'}\n"
    return "" if expected in text else f"should contain: {expected}\n"


def share():
    """The percentage of the counts of tests/run --all that runs; 0 if nobody asks for a share."""
    return int(os.environ.get("SPLITGEN_SHARE") or 0)


class Result:
    """What a command printed (bytes that are not UTF-8 as surrogates) and its exit code."""

    def __init__(self, command, code, out, err):
        self.command = command if isinstance(command, str) else shlex.join(map(os.fsdecode, command))
        self.code = code
        self.out = out.decode("utf-8", "surrogateescape")
        self.err = err.decode("utf-8", "surrogateescape")

    @property
    def json(self):
        return json.loads(self.out)

    @property
    def err_json(self):
        return json.loads(self.err)

    def expect(self, exit=0, out=None, err=None):
        """Fails if one of them is not as expected; exit is a number, a list of them, or None (any)."""
        __tracebackhide__ = True
        codes = exit if isinstance(exit, (list, tuple, range)) else [exit]
        wrong = "" if exit is None or self.code in codes else f"exit should be: {' or '.join(map(str, codes))}\n"
        for name, text, expected in ("standard output", self.out, out), ("standard error", self.err, err):
            found = fault(text, expected)
            wrong += found and f"{name} {found}"
        if wrong:
            fail(f"{wrong}{self}")
        return self

    def holds(self, values):
        """Fails unless the JSON on standard output has these values at these paths: {"ops 0 name": "cut"}."""
        __tracebackhide__ = True
        wrong = ""
        for path, value in values.items():
            found = self.json
            try:
                for key in path.split():
                    found = found[int(key) if isinstance(found, list) else key]
            except (KeyError, IndexError, TypeError):
                found = "missing"
            if found != value or isinstance(found, bool) != isinstance(value, bool):
                wrong += f"{path} should be: {value!r}\nbut is: {found!r}\n"
        if wrong:
            fail(f"{wrong}{self}")
        return self

    def __str__(self):
        def shown(text):
            text = text.encode("utf-8", "backslashreplace").decode()
            return text if len(text) < 20000 else f"{text[:10000]}\n[...]\n{text[-10000:]}"
        return (f"--- command\n{self.command}\n--- exit\n{self.code}\n--- standard output\n{shown(self.out)}\n"
                f"--- standard error\n{shown(self.err)}")


def fail(text):
    __tracebackhide__ = True
    pytest.fail(text.encode("utf-8", "backslashreplace").decode())


def expect_text(what, text, expected):
    """Fails if a text (of a file, say) is not as expected; see fault()."""
    __tracebackhide__ = True
    wrong = fault(text, expected)
    if wrong:
        fail(f"{what} {wrong}--- it is\n{text}")


def needs(*names):
    """The path of the first of these programs; skips the test if there is none."""
    for name in names:
        path = shutil.which(name)
        if path:
            return path
    pytest.skip(f"{' or '.join(names)} is missing")


class Work:
    """A folder that a test works in."""

    def __init__(self, path, tool):
        self.path, self.tool, self.last = pathlib.Path(path), pathlib.Path(tool), None
        # what a test writes for the words that the user has to replace in commands that notes suggest
        self.fills = {"VALUE": "4", "=INTS": "=2,2", "TYPE": "f32", "DIMS": "4,8"}
        self.env = {name: value for name, value in os.environ.items()
                    if name not in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE")}
        self.env.update(LC_ALL="C", PYTHONDONTWRITEBYTECODE="1", SOURCE=str(SOURCE),
                        PATH=f"{self.tool.parent}{os.pathsep}{os.environ['PATH']}")

    def __truediv__(self, name):
        return self.path / name

    def run(self, command, exit=0, out=None, err=None, *, stdin=b"", env=None, cwd="."):
        """Runs a command with the tool in the PATH: a text in sh, a list directly. The variable SOURCE is the project's
        folder. `env` changes variables; None removes one."""
        __tracebackhide__ = True
        environment = {**self.env, **(env or {})}
        environment = {name: value for name, value in environment.items() if value is not None}
        stdin = stdin.encode() if isinstance(stdin, str) else stdin
        argv = ["sh", "-c", command] if isinstance(command, str) else [os.fspath(word) for word in command]
        try:
            done = subprocess.run(argv, input=stdin, capture_output=True, cwd=self.path / cwd, env=environment,
                                  timeout=HANG, check=False)
        except subprocess.TimeoutExpired as hung:
            fail(f"hangs\n{Result(command, 'none', hung.stdout or b'', hung.stderr or b'')}")
        self.last = Result(command, done.returncode, done.stdout, done.stderr)
        self.last.expect(exit, out, err)
        for tried in re.findall(r"note: try: (splitgen .*)", self.last.err):
            self._try(tried, cwd, environment)
        return self.last

    def _try(self, command, cwd, environment):
        """Runs a command that a note suggests, in a copy of the folder: it has to do what it is suggested for."""
        __tracebackhide__ = True
        for word, value in self.fills.items():
            command = command.replace(word, value)
        with tempfile.TemporaryDirectory(dir=self.path.parent) as folder:
            shutil.copytree(self.path, f"{folder}/copy", symlinks=True)
            done = subprocess.run(["sh", "-c", command], capture_output=True, cwd=f"{folder}/copy/{cwd}", env=environment,
                                  timeout=HANG, check=False)
        tried = Result(command, done.returncode, done.stdout, done.stderr)
        tried.expect(0, err=without("error: "))

    def splitgen(self, arguments, exit=0, out=None, err=None, **more):
        """Runs the tool: arguments as a text for sh, or as a list."""
        __tracebackhide__ = True
        return self.run(f"splitgen {arguments}" if isinstance(arguments, str) else [self.tool, *arguments],
                        exit, out, err, **more)

    def compile(self, arguments, exit=0, err="", *, compiler=None, flags=STRICT, runtime=True, **more):
        """Compiles: arguments (sources, -o, ...) as a text for sh. The folder itself, the project's headers and, by
        default, the runtime are included."""
        __tracebackhide__ = True
        runtime = '"$SOURCE"/runtime/*.c' if runtime else ""
        compiler = f"'{compiler or given.get('cc', 'cc')}'"
        return self.run(f'{compiler} {flags} -I. -I"$SOURCE/include" {arguments} {runtime}', exit, err=err, **more)

    def write(self, name, content):
        """Writes a file, text (with its line ends) or bytes, and its folder; returns its path."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content)
        return path

    def read(self, name):
        return (self.path / name).read_bytes().decode("utf-8", "surrogateescape")

    def files(self, folder="."):
        """The sorted names in a folder, hidden ones included."""
        return sorted(os.listdir(self.path / folder))

    def expect_files(self, *names, folder="."):
        __tracebackhide__ = True
        found = self.files(folder)
        if found != sorted(names):
            fail(f"the folder has: {found}\nit should have: {sorted(names)}")

    def expect_file(self, name, expected):
        """Fails if the text of a file is not as expected; see fault()."""
        __tracebackhide__ = True
        expect_text(name, self.read(name), expected)
