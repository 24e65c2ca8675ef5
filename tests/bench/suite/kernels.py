"""Generates the kernels of a case and the plain C loops it is compared with, and compiles them.

What is compiled once is kept in the build folder under a name made of everything it depends on."""

import hashlib
import json
import os
import subprocess
import time

from cases import Split
from machine import version


class Refused(Exception):
    """splitgen does not support the split; the text says why."""


class Tool:
    def __init__(self, config, source):
        self.config = config
        self.spec = os.path.join(source, "suite.lua")
        self.folder = os.path.join(config["build"], "kernels")
        os.makedirs(self.folder, exist_ok=True)
        self.versions = {name: version(config[name]) for name in ("gcc", "clang")}

    def _splitgen(self, name, outer, *options):
        command = [self.config["splitgen"], "--color=never", f"--only={name}", *options]
        if outer:
            command += ["-D", f"outer={outer}"]
        result = subprocess.run([*command, self.spec], capture_output=True, text=True)
        if result.returncode:
            lines = [line for line in result.stderr.splitlines() if "error:" in line]
            raise Refused(lines[0].split("error:", 1)[1].strip() if lines else result.stderr)
        return result.stdout

    def resolve(self, name, outer=0):
        return Split(json.loads(self._splitgen(name, outer, "--emit=json"))["kernels"][0])

    def _compile(self, compiler, flags, text, stem):
        everything = [self.versions[compiler], *flags, text, self._headers()]
        key = hashlib.sha256("\0".join(everything).encode())
        stem = os.path.join(self.folder, f"{stem}-{key.hexdigest()[:12]}")
        library, record = stem + ".so", stem + ".json"
        if os.path.exists(library) and os.path.exists(record):
            with open(record, encoding="utf-8") as file:
                return library, json.load(file)
        with open(stem + ".c", "w", encoding="utf-8") as file:
            file.write(text)
        start = time.perf_counter()
        result = subprocess.run(
            [self.config[compiler], *flags, "-std=c99", "-fPIC", "-shared",
             "-I", self.config["include"], stem + ".c", "-o", library + ".new"],
            capture_output=True, text=True)
        if result.returncode:
            raise RuntimeError(f"{compiler} on {stem}.c: {result.stderr}")
        facts = {"compile_seconds": time.perf_counter() - start,
                 "text_bytes": self._text_bytes(library + ".new")}
        os.replace(library + ".new", library)
        with open(record, "w", encoding="utf-8") as file:
            json.dump(facts, file)
        return library, facts

    def _headers(self):
        folder = os.path.join(self.config["include"], "splitgen")
        texts = []
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                texts.append(file.read())
        return "".join(texts)

    @staticmethod
    def _text_bytes(path):
        out = subprocess.run(["size", path], capture_output=True, text=True).stdout.splitlines()
        return int(out[1].split()[0]) if len(out) > 1 else 0

    def build(self, name, outer):
        """-> (Split, {competitor: (library, function)}, facts). Raises Refused."""
        split = self.resolve(name, outer)
        start = time.perf_counter()
        text = self._splitgen(name, outer)
        facts = {"generate_seconds": time.perf_counter() - start, "c_bytes": len(text)}
        built = {}
        for compiler in ("gcc", "clang"):
            library, more = self._compile(compiler, ["-O2"], text,
                                          f"{name}-{outer}-{compiler}")
            built[f"splitgen_{compiler}"] = (library, f"{name}_kernel")
            facts.update({f"{compiler}_{key}": value for key, value in more.items()})
        loops = plain_loops(split)
        for label, flags in (("o3", ["-O3"]), ("native", ["-O3", "-march=native"])):
            library, _ = self._compile("gcc", flags, loops, f"{name}-{outer}-{label}")
            built[f"gcc_{label}"] = (library, "plain")
            if label == "o3":
                built["onnx2c"] = (library, "elements")
        return split, built, facts


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
