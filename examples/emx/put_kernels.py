#!/usr/bin/env python3
"""Puts kernels of splitgen into C that emx-onnx-cgen has printed.

usage: put_kernels.py MAP HEADER C > NEW_C

MAP and HEADER are what splitgen --emit=c,h,map wrote of the model that C was printed of. The body of each function of a
Split becomes a call of the kernel that has the same input and outputs. What was done goes to standard error.
"""
import re, sys

# A comment with OpType, Inputs and Outputs, then a function whose body ends at a brace in the first column.
FUNCTION = re.compile(r"(/\*\n \* Node (\d+):\n \* OpType: Split\n.*? \* Inputs: ([^\n]*)\n \* Outputs: ([^\n]*)\n.*?\*/\n"
                      r"[^\n(]*\(([^\n]*)\) \{\n)(.*?\n)\}\n", re.S)


def read_map(path):
    """{(tensor, outputs): (node, function, types, what each output is)}; a graph gives a tensor's name only once."""
    kernels = {}
    for line in open(path, encoding="utf-8"):
        if not line.startswith("#"):
            node, function, types, tensor, *outputs = line.rstrip("\n").split("\t")
            ways, names = zip(*[(o.split(" ")[0], o.split(" ", 1 if o.startswith("copy") else 2)[-1]) for o in outputs])
            kernels[tensor, ", ".join(names)] = node, function, types.split(", "), ways
    return kernels


def call(kernels, found, log):
    head, number, inputs, outputs, parameters, body = found.groups()
    node, function, types, ways = kernels.get((inputs.split(", ")[0], outputs), (None, "-", [], []))
    names = re.findall(r"(\w+)(?=\[)", re.sub(r"\[[^],]*\]", "[", parameters))
    if node is None:
        log(f"node {number}: no kernel")
    elif set(ways) != {"copy"}:
        log(f"{node}: {', '.join(ways)}: left, this C has an array for each output")
    elif len(types) != len(ways) + 1 or len(names) < len(types):
        log(f"{node}: {function} takes other arguments: left")
    else:
        log(f"{node}: {function}")
        pointers = [names[0], *names[len(names) - len(ways):]]
        body = f"    {function}({', '.join(f'({t}){p}' for t, p in zip(types, pointers))});\n"
    return f"{head}{body}}}\n"


def main():
    map_path, header, c_path = sys.argv[1:]
    kernels = read_map(map_path)
    text = open(c_path, encoding="utf-8").read()
    text = FUNCTION.sub(lambda found: call(kernels, found, lambda line: print(line, file=sys.stderr)), text)
    sys.stdout.write(text.replace("#include <string.h>\n", f'#include <string.h>\n#include "{header}"\n', 1))


if __name__ == "__main__":
    main()
