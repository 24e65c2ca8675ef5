"""The plain C loops that a case is compared with, as text."""

_TYPES = {1: "uint8_t", 2: "uint16_t", 4: "uint32_t", 8: "uint64_t", 16: "double _Complex"}

# For more parts than this, people also write a loop over them.
_WRITTEN_OUT = 64


class _Writer:
    """Shared by both loops of an op. A part is p0, p1, ... or, if there are many, `part`."""

    def __init__(self, op):
        self.op = op
        self.element = _TYPES[op.element_bytes]
        self.widths = [w // op.element_bytes for w in op.widths]
        self.offsets = [o // op.element_bytes for o in op.offsets]
        self.row = op.row_bytes // op.element_bytes
        self.few = len(self.widths) <= _WRITTEN_OUT

    def _pointer(self, name, value, reads, restrict):
        const = "const " if reads else ""
        return f"{const}{self.element} *{'restrict ' if restrict else ''}{name} = {value};"

    def part(self, name, index, restrict):
        return self._pointer(name, f"parts[{index}]", self.op.joins, restrict)

    def begin(self, name, restrict):
        """The head of a function, with pointers to the full tensor and to a few parts."""
        parameters = "const void *const parts[], void *out" if self.op.joins else \
            "const void *in, void *const parts[]"
        whole = "out" if self.op.joins else "in"
        lines = [f"void {name}({parameters})", "{",
                 "    " + self._pointer("whole", whole, not self.op.joins, restrict)]
        return lines + [f"    {self.part(f'p{i}', i, restrict)}"
                        for i in range(len(self.widths) if self.few else 0)]

    def copy(self, whole, part):
        """Copies one element from its source to its destination."""
        source, to = self.op.read_and_written(whole, part)
        return f"{to} = {source};"


def _plain(w):
    """The usual hand-written loop."""
    text = [*w.begin("plain", restrict=True),
            f"    for (size_t r = 0; r < {w.op.rows}; ++r) {{"]
    if not w.few:
        element = w.copy(f"whole[r * {w.row} + offsets[i] + j]", "part[r * widths[i] + j]")
        text += [f"        for (size_t i = 0; i < {len(w.widths)}; ++i) {{",
                 f"            {w.part('part', 'i', restrict=True)}",
                 "            for (size_t j = 0; j < widths[i]; ++j)",
                 f"                {element}", "        }"]
    for i, (width, offset) in enumerate(zip(w.widths, w.offsets) if w.few else ()):
        if width == 1:
            text += ["        " + w.copy(f"whole[r * {w.row} + {offset}]", f"p{i}[r]")]
        elif width:
            text += [f"        for (size_t j = 0; j < {width}; ++j)",
                     "            " + w.copy(f"whole[r * {w.row} + {offset} + j]",
                                             f"p{i}[r * {width} + j]")]
    return text + ["    }", "}", ""]


def _onnx2c_split(w):
    """A division and a remainder for every dimension, a search through the parts, a switch."""
    op = w.op
    text = [*w.begin("elements", restrict=False),
            f"    for (size_t i = 0; i < {op.rows * w.row}; ++i) {{", "        size_t rest = i;"]
    for axis in reversed(range(len(op.shape))):
        text += [f"        size_t d{axis} = rest % {op.shape[axis]};",
                 f"        rest = rest / {op.shape[axis]};"]
    text += ["        size_t part = 0;",
             f"        while (d{op.axis} >= lengths[part])",
             f"            d{op.axis} -= lengths[part++];", "        size_t at = 0;"]
    for axis, size in enumerate(op.shape):
        size = "lengths[part]" if axis == op.axis else size
        text += [f"        at = at * {size} + d{axis};"]
    if w.few:
        text += ["        switch (part) {"]
        text += [f"        case {i}: {w.copy('whole[i]', f'p{i}[at]')} break;"
                 for i in range(len(w.widths))]
        text += ["        }"]
    else:
        text += [f"        (({w.element} *)parts[part])[at] = whole[i];"]
    return text + ["    }", "}", ""]


def _onnx2c_join(w):
    """For every part a loop over its elements with a counter, to skip the columns of the others at the end of a row."""
    text = [*w.begin("elements", restrict=False), "    size_t at;"]

    def one(part, offset, width):
        return [f"    at = {offset};",
                f"    for (size_t i = 0, j = 0; i < {w.op.rows} * {width}; ++i) {{",
                "        " + w.copy("whole[at + i]", f"{part}[i]"),
                f"        if (++j == {width}) {{",
                f"            at += {w.row} - {width};", "            j = 0;", "        }", "    }"]

    if w.few:
        for i, (width, offset) in enumerate(zip(w.widths, w.offsets)):
            text += one(f"p{i}", offset, width)
    else:
        text += [f"    for (size_t k = 0; k < {len(w.widths)}; ++k) {{",
                 f"    {w.part('part', 'k', restrict=False)}",
                 *one("part", "offsets[k]", "widths[k]"), "    }"]
    return text + ["}", ""]


def plain_loops(op):
    """C with the usual hand-written loop, `plain`, and with the loop over elements that onnx2c prints for the
    operator, `elements`."""
    w = _Writer(op)
    arrays = [f"static const size_t {name}[] = {{{', '.join(map(str, values))}}};"
              for name, values in (("widths", w.widths), ("offsets", w.offsets),
                                   ("lengths", op.lengths))]
    text = ["#include <stddef.h>", "#include <stdint.h>", "", *arrays, "", *_plain(w),
            *(_onnx2c_join(w) if op.joins else _onnx2c_split(w))]
    return "\n".join(text)
