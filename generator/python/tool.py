"""Runs the tool: its output, the files that it writes, and its diagnostics as warnings and exceptions."""
from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING, Dict, List, Sequence, Tuple, Union

from .errors import diagnostics, failure, warn
from .folders import new_folder
from .paths import EXECUTABLE
from .wording import in_python

if TYPE_CHECKING:
    Source = Union[str, "os.PathLike[str]", Sequence[Union[str, "os.PathLike[str]"]]]


def is_notation(source: object) -> bool:
    """Whether a source is a line of the notation, which has an arrow, and not the path of a file."""
    return isinstance(source, str) and ("->" in source or "<-" in source) and not os.path.exists(source)


def inputs(source: Source) -> Tuple[str, ...]:
    """Converts specs, models and lines of the notation to arguments."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        raise TypeError("a source is the notation as text or a path, but this is %s: decode() a text, and write a model to a "
                        "file" % type(source).__name__)
    made: List[str] = []
    for one in [source] if isinstance(source, (str, os.PathLike)) or not isinstance(source, Sequence) else source:
        if not isinstance(one, (str, os.PathLike)):
            raise TypeError("a source is the notation or a path, not a %s" % type(one).__name__)
        # A path that begins with a dash is not an option.
        path = os.fspath(one)
        made += ["-e", path] if is_notation(one) else ["./" + path if path.startswith("-") else path]
    return tuple(made)


def run(arguments: Sequence[str], function: str) -> str:
    """Returns the tool's standard output. function: the package's function, for messages. The package's own options
    are last, so that places in the user's arguments stay right."""
    done = subprocess.run([str(EXECUTABLE), *arguments, "--diagnostics-format=json"], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    said = done.stderr.decode(errors="replace")
    found = [in_python(function, one) for one in diagnostics(said)]
    if done.returncode != 0:
        raise failure(done.returncode, found, said)
    for one in found:
        warn(str(one))
    return done.stdout.decode()


def files(emit: str, arguments: Sequence[str], function: str) -> Dict[str, str]:
    """The files of these kinds, by their names."""
    folder = new_folder()
    try:
        run([*arguments, "--emit=" + emit, "-o", str(folder) + os.sep], function)
        return {path.name: path.read_bytes().decode() for path in sorted(folder.iterdir())}
    finally:
        shutil.rmtree(folder, ignore_errors=True)
