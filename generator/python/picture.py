"""Bars as SVG."""
from __future__ import annotations

from html import escape
from typing import Dict, List, Sequence, Tuple

_COLOURS = ("#2c7fb8", "#f03b20", "#999999", "#31a354", "#756bb1")
_WIDTH, _LEFT, _BAR, _GAP = 760, 250, 13, 14


def bars(title: str, unit: str, series: Sequence[str], groups: Sequence[Tuple[str, Dict[str, float]]]) -> str:
    """For each row a group of horizontal bars, one for each series with a number; longer is higher."""
    top = max((value for _, values in groups for value in values.values()), default=1.0) or 1.0
    lines: List[str] = []
    y = 46
    for label, values in groups:
        lines.append('<text x="%d" y="%d" text-anchor="end">%s</text>' % (_LEFT - 8, y + _BAR - 2, escape(label)))
        for name, colour in zip(series, _COLOURS):
            if name in values:
                width = (_WIDTH - _LEFT - 70) * values[name] / top
                lines.append('<rect x="%d" y="%d" width="%.1f" height="%d" fill="%s"><title>%s</title></rect>' %
                             (_LEFT, y, width, _BAR - 2, colour, escape(name)))
                lines.append('<text x="%.1f" y="%d" font-size="10">%.3g</text>' %
                             (_LEFT + width + 4, y + _BAR - 3, values[name]))
                y += _BAR
        y += _GAP
    x = _LEFT
    legend = []
    for name, colour in zip(series, _COLOURS):
        legend.append('<rect x="%d" y="26" width="10" height="10" fill="%s"/><text x="%d" y="35">%s</text>' %
                      (x, colour, x + 14, escape(name)))
        x += 26 + 7 * len(name)
    head = ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12" role="img">'
            '\n<title>%s</title>\n<rect width="100%%" height="100%%" fill="white"/>\n<text x="8" y="16" font-weight="bold">%s</text>'
            '<text x="%d" y="16" text-anchor="end">%s</text>') % (_WIDTH, y, escape(title), escape(title), _WIDTH - 8, escape(unit))
    return "\n".join([head, *legend, *lines, "</svg>", ""])
