"""Errors as exceptions: the tool's diagnostics with their fields, and errors of a C compiler."""
from __future__ import annotations

import difflib
import json
import os
import sys
import warnings
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Tuple, Type

from .progress import visible


class Diagnostic(NamedTuple):
    """An error, a warning or a note. Lines and columns count from 1, columns in bytes; None without a place."""
    severity: str
    message: str
    file: Optional[str] = None
    line: Optional[int] = None
    column: Optional[int] = None
    end_line: Optional[int] = None
    end_column: Optional[int] = None
    excerpt: Optional[str] = None
    byte: Optional[int] = None
    rule: str = ""
    ops: Tuple[str, ...] = ()
    notes: Tuple["Diagnostic", ...] = ()

    def __str__(self) -> str:
        return "\n".join([self._headline(), *self._excerpt(), *map(str, self.notes)])

    def _headline(self) -> str:
        place = [str(part) for part in (self.file, self.line, self.column) if part is not None]
        if self.byte is not None:
            place.append(" byte %d" % self.byte)
        return visible("%s: %s: %s" % (":".join(place) or "splitgen", self.severity, self.message), "")

    def _excerpt(self) -> List[str]:
        """The line with a caret below the place. Columns are bytes, so the text before it is converted to
        characters."""
        if self.excerpt is None or self.column is None:
            return []
        line = self.excerpt.encode()
        end = self.end_column if self.end_line == self.line and self.end_column else len(line) + 1
        before = visible(line[:self.column - 1].decode(errors="replace"))
        marked = visible(line[self.column - 1:end - 1].decode(errors="replace"))
        blank = "".join("\t" if c == "\t" else " " for c in before)
        return ["%5d | %s" % (self.line or 0, visible(self.excerpt)), "      | %s^%s" % (blank, "~" * (len(marked) - 1))]


def _diagnostic(fields: Dict[str, Any]) -> Diagnostic:
    return Diagnostic(
        fields["severity"], fields["message"], fields["file"], fields["line"], fields["column"], fields["endLine"],
        fields["endColumn"], fields.get("excerpt"), fields.get("byte"), fields.get("rule", ""),
        tuple(fields.get("ops", ())), tuple(map(_diagnostic, fields.get("notes", ()))))


def diagnostics(text: str) -> List[Diagnostic]:
    """Reads the diagnostics from the output of --diagnostics-format=json; returns none if it is no such document."""
    try:
        return [*map(_diagnostic, json.loads(text)["diagnostics"])]
    except (ValueError, KeyError):
        return []


class SplitgenWarning(UserWarning):
    """A warning of the tool."""


def warn(text: str) -> None:
    """Warns at the line that called the package."""
    package, frame, level = os.path.dirname(__file__), sys._getframe(1), 2
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == package:
        frame, level = frame.f_back, level + 1
    warnings.warn(text, SplitgenWarning, stacklevel=level)


def near(name: str, names: Iterable[str]) -> str:
    """The end of a message about an unknown name: suggests the nearest name, or lists all."""
    all_names = [*names]
    found = difflib.get_close_matches(name, all_names, 1)
    return "; did you mean '%s'?" % found[0] if found else ": " + ", ".join(all_names)


class SplitgenError(Exception):
    """An error of the tool, with the fields of its first diagnostic; `diagnostics` has all of them.

    file, line, column, end_line, end_column: the place, from 1, columns in bytes; None without one. excerpt: the
    text of that line. byte: the place in a file without lines, such as a model. rule: a stable word for the kind of
    error. ops: the names of the affected ops. notes: its notes. exit_code: the tool's."""

    def __init__(self, exit_code: int, found: List[Diagnostic], text: str) -> None:
        first = next((d for d in found if d.severity == "error"), Diagnostic("error", text.strip()))
        super().__init__("\n".join(map(str, found)) or visible(text.strip()))
        self.exit_code, self.diagnostics = exit_code, found
        self.message, self.file, self.line, self.column = first.message, first.file, first.line, first.column
        self.end_line, self.end_column, self.excerpt = first.end_line, first.end_column, first.excerpt
        self.byte, self.rule, self.ops, self.notes = first.byte, first.rule, first.ops, first.notes


class InputError(SplitgenError, ValueError):
    """A spec, a model or a line of the notation is wrong (exit code 1)."""


class OptionError(SplitgenError, ValueError):
    """The tool refuses an option's value (exit code 2)."""


class FileError(SplitgenError, OSError):
    """A file could not be read or written (exit code 3)."""


class BudgetError(SplitgenError):
    """A kernel costs more than fail_if= allows, or the run reached a limit (exit code 5)."""


class InternalError(SplitgenError, RuntimeError):
    """A bug in splitgen (exit code 70, or none that is documented)."""


class CompilerError(RuntimeError):
    """There is no C compiler, it failed, or what it made cannot be loaded. The text has its output, `command` is the
    command."""

    def __init__(self, text: str, command: Tuple[str, ...] = ()) -> None:
        super().__init__(text)
        self.command = command


_BY_EXIT_CODE: Dict[int, Type[SplitgenError]] = {1: InputError, 2: OptionError, 3: FileError, 5: BudgetError}


def failure(exit_code: int, found: List[Diagnostic], text: str) -> SplitgenError:
    """The exception for an exit code, the diagnostics and the text on standard error."""
    return _BY_EXIT_CODE.get(exit_code, InternalError)(exit_code, found, text)
