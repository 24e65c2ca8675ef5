"""What the package prints: escaped text, tables and a progress bar for terminals."""
from __future__ import annotations

import shutil
import sys
import unicodedata
from typing import Optional, Sequence, TextIO


def visible(text: str, keep: str = "\n\t") -> str:
    """Escapes what a terminal would execute, hide or reorder, as the tool does: controls, bytes that are not UTF-8,
    bidirectional overrides. keep: controls that stay."""
    def escape(c: str) -> str:
        if c in keep or unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Zl", "Zp"):
            return c
        byte = ord(c) - 0xdc00 if "\udc80" <= c <= "\udcff" else ord(c)
        return "\\x%02x" % byte if byte < 0x80 or byte != ord(c) else "\\u{%04x}" % byte
    return text if text.isprintable() else "".join(map(escape, text))


def say(text: object, end: str = "\n", file: Optional[TextIO] = None) -> None:
    """Prints text of any origin; the package prints nothing by other means."""
    print(visible(str(text)), end=end, file=file)


class Progress:
    """A bar on standard error during long work; invisible if that is not a terminal."""

    def __init__(self, total: int) -> None:
        self._total, self._shown = total, sys.stderr.isatty()

    def at(self, count: int, what: str) -> None:
        """Shows that count of the total are done, and what is next."""
        if self._shown:
            filled = 24 * count // max(self._total, 1)
            room = max(shutil.get_terminal_size().columns - 40, 8)
            sys.stderr.write("\r\x1b[K[%s%s] %d/%d %s" % ("#" * filled, "." * (24 - filled), count, self._total,
                                                         visible(what, "")[:room]))
            sys.stderr.flush()

    def end(self) -> None:
        """Wipes the bar."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def print_table(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> None:
    """Prints rows as columns, the header first; columns in `right` are right-aligned."""
    rows = [[visible(cell, "") for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        cells = [cell.rjust(width) if i in right else cell.ljust(width) for i, (cell, width) in enumerate(zip(row, widths))]
        say("  ".join(cells).rstrip())
