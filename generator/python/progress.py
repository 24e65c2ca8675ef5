"""Tables and a progress bar for terminals."""
from __future__ import annotations

import shutil
import sys
from typing import Sequence


class Progress:
    """A bar on standard error while something long runs; nothing where that is no terminal."""

    def __init__(self, total: int) -> None:
        self._total, self._shown = total, sys.stderr.isatty()

    def at(self, count: int, what: str) -> None:
        """count of the total are done, and this is next."""
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
    """Rows, the first of which is the head, as columns; those of `right` end at the same place."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        cells = [cell.rjust(width) if i in right else cell.ljust(width) for i, (cell, width) in enumerate(zip(row, widths))]
        print("  ".join(cells).rstrip())
