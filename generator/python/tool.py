"""Runs the tool: what it prints, what it writes, and its diagnostics as warnings and exceptions."""
from __future__ import annotations

import os
import pathlib
import subprocess
import tempfile
import warnings
from typing import TYPE_CHECKING, Dict, List, Sequence, Tuple, Union

from .errors import SplitgenWarning, diagnostics, failure
from .paths import EXECUTABLE

if TYPE_CHECKING:
    Source = Union[str, "os.PathLike[str]", Sequence[Union[str, "os.PathLike[str]"]]]


def is_notation(source: object) -> bool:
    """Whether it is a line of the notation, which has an arrow, and not the path of a file."""
    return isinstance(source, str) and ("->" in source or "<-" in source) and not os.path.exists(source)


def inputs(source: Source) -> Tuple[str, ...]:
    """Specs, models and lines of the notation as arguments."""
    made: List[str] = []
    for one in [source] if isinstance(source, (str, os.PathLike)) or not isinstance(source, Sequence) else source:
        if not isinstance(one, (str, os.PathLike)):
            raise TypeError("a source is the notation or a path, not a %s" % type(one).__name__)
        # A path that begins with a dash is no option.
        path = os.fspath(one)
        made += ["-e", path] if is_notation(one) else ["./" + path if path.startswith("-") else path]
    return tuple(made)


def run(arguments: Sequence[str]) -> str:
    """What the tool prints on standard output. Its own options stand last, as excerpts of the command line show them."""
    done = subprocess.run([str(EXECUTABLE), *arguments, "--diagnostics-format=json"], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    said = done.stderr.decode(errors="replace")
    if done.returncode != 0:
        raise failure(done.returncode, said)
    for one in diagnostics(said):
        warnings.warn(str(one), SplitgenWarning, stacklevel=4)
    return done.stdout.decode()


def files(emit: str, arguments: Sequence[str]) -> Dict[str, str]:
    """The files of these kinds, by their names."""
    with tempfile.TemporaryDirectory(prefix="splitgen-") as folder:
        run([*arguments, "--emit=" + emit, "-o", folder + os.sep])
        return {path.name: path.read_bytes().decode() for path in sorted(pathlib.Path(folder).iterdir())}
