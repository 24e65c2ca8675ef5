"""The plain C loops a split is compared with, as text. Compiles nothing; measures nothing."""

_TYPES = {1: "uint8_t", 2: "uint16_t", 4: "uint32_t", 8: "uint64_t", 16: "double _Complex"}

# Beyond this many outputs a person would write a loop over them, too.
_WRITTEN_OUT = 64


def plain_loops(split):
    """C with the loop one writes by hand, and with the loop over elements that onnx2c prints: a
    division and a remainder for every dimension, a search through the parts, a switch."""
    element = _TYPES[split.element_bytes]
    widths = [w // split.element_bytes for w in split.widths]
    offsets = [o // split.element_bytes for o in split.offsets]
    row = split.row_bytes // split.element_bytes
    count = len(widths)
    few = count <= _WRITTEN_OUT
    text = ["#include <stddef.h>", "#include <stdint.h>", ""]
    pointers = [f"    {element} *restrict o{i} = outputs[{i}];"
                for i in range(count if few else 0)]
    arrays = [f"static const size_t {name}[] = {{{', '.join(map(str, values))}}};"
              for name, values in (("widths", widths), ("offsets", offsets),
                                   ("lengths", split.lengths))]
    text += arrays + ["", "void plain(const void *input, void *const outputs[])", "{",
                      f"    const {element} *restrict in = input;"] + pointers
    text += [f"    for (size_t r = 0; r < {split.rows}; ++r) {{"]
    if not few:
        text += [f"        for (size_t i = 0; i < {count}; ++i) {{",
                 f"            {element} *restrict out = outputs[i];",
                 "            for (size_t j = 0; j < widths[i]; ++j)",
                 f"                out[r * widths[i] + j] = in[r * {row} + offsets[i] + j];",
                 "        }"]
    for i in range(count if few else 0):
        if widths[i] == 1:
            text += [f"        o{i}[r] = in[r * {row} + {offsets[i]}];"]
        elif widths[i]:
            text += [f"        for (size_t j = 0; j < {widths[i]}; ++j)",
                     f"            o{i}[r * {widths[i]} + j] = in[r * {row} + {offsets[i]} + j];"]
    text += ["    }", "}", "", "void elements(const void *input, void *const outputs[])", "{",
             f"    const {element} *in = input;"] + [p.replace("restrict ", "") for p in pointers]
    text += [f"    for (size_t i = 0; i < {split.rows * row}; ++i) {{", "        size_t rest = i;"]
    for axis in reversed(range(len(split.shape))):
        text += [f"        size_t d{axis} = rest % {split.shape[axis]};",
                 f"        rest = rest / {split.shape[axis]};"]
    text += ["        size_t part = 0;",
             f"        while (d{split.axis} >= lengths[part])",
             f"            d{split.axis} -= lengths[part++];", "        size_t to = 0;"]
    for axis, size in enumerate(split.shape):
        size = "lengths[part]" if axis == split.axis else size
        text += [f"        to = to * {size} + d{axis};"]
    if few:
        text += ["        switch (part) {"]
        text += [f"        case {i}: o{i}[to] = in[i]; break;" for i in range(count)]
        text += ["        }"]
    else:
        text += [f"        (({element} *)outputs[part])[to] = in[i];"]
    return "\n".join(text + ["    }", "}", ""])
