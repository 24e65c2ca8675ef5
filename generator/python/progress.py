"""Tables and a progress bar for terminals."""
from __future__ import annotations

import shutil
import sys
from typing import Sequence


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
                                                         what[:room]))
            sys.stderr.flush()

    def end(self) -> None:
        """Wipes the bar."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def print_table(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> None:
    """Prints rows as columns, the header first; columns in `right` are right-aligned."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        cells = [cell.rjust(width) if i in right else cell.ljust(width) for i, (cell, width) in enumerate(zip(row, widths))]
        print("  ".join(cells).rstrip())
