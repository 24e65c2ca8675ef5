#!/usr/bin/env python3
"""Puts kernels of splitgen into C that emx-onnx-cgen has printed, and tensors into one arena.

usage: put_kernels.py PLAN HEADER C [PLACEMENT] > NEW_C

PLAN and HEADER are what splitgen --emit=c,h,json wrote of the model that C was printed of. Calls of the functions of
Splits, Slices and Concats become calls of the kernels of the same tensors. PLACEMENT is the JSON of --emit=placement,
with the header of --emit=placement-header beside it. Then the tensors are pointers into an arena or into an array of
the caller, and nodes that do nothing are not called. C has to be printed with --large-temp-threshold 1, which
allocates all tensors in the same way. What was done goes to standard error.
"""
import json, os, re, sys

# A comment with the operator and the tensors of a node, then its function, which ends at a brace in the first column.
NODE = re.compile(r"/\*\n \* Node (\d+):\n \* OpType: (\w+)\n"
                  r"(?:(?!\*/).)*? \* Inputs: ([^\n]*)\n \* Outputs: ([^\n]*)\n"
                  r"(?:(?!\*/).)*\*/\n[^\n(]* (\w+)\([^\n]*\) \{\n.*?\n\}\n\n", re.S)
# The function of the model, which is the last one.
NET = re.compile(r"^void \w+\(([^;{]*)\) \{\n(?=[^}]*malloc)", re.M)
# An array for a tensor.
ARRAY = re.compile(r"    ([^\n=]*\*)(tmp\w+)([^\n=]*) = malloc\([^\n]*\);\n    if \(\2 == NULL\) \{\n *return;\n *\}\n")


class Kernel:
    """A kernel of the plan."""

    def __init__(self, plan):
        whole, parts = (plan["output"], plan["inputs"]) if plan["op"] == "concat" else (plan["input"], plan["outputs"])
        parts = [p for p in parts if p["name"] is not None]
        self.node, self.function = plan["node"] or plan["name"], plan["name"]
        self.whole, self.parts = whole["tensor"], tuple(p["tensor"] for p in parts)
        self.views = [p["tensor"] for p in parts if not p["copied"]]
        self.parameters = [p for p in plan["parameters"] if p["passed"]]

    def call(self, arrays):
        """A call of it with these arrays; None: one is lacking."""
        if not all(p.get("tensor") in arrays for p in self.parameters):
            return None
        given = ", ".join(f"({p['type']}){arrays[p['tensor']]}" for p in self.parameters)
        return f"    {self.function}({given});\n"


def graph_of(path):
    """The model's own graph in the JSON of --emit=placement."""
    with open(path, encoding="utf-8") as file:
        return next(graph for graph in json.load(file)["graphs"] if not graph["path"])


class Plan:
    """What splitgen has planned for the model's own graph."""

    def __init__(self, path):
        graph = graph_of(path)
        self.header = path.removesuffix(".json") + ".h"
        self.buffers = {t["name"]: t["buffer"] for t in graph["tensors"]}
        self.callers = {t["buffer"]: t["name"] for t in graph["tensors"] if t["buffer"] is not None
                        and t["kind"] == graph["buffers"][t["buffer"]]["owner"]}
        self.moves = {name: n for n in graph["nodes"]
                      for name in ([n["whole"]] if n["op_type"] == "Concat" else n["parts"])}
        with open(self.header, encoding="utf-8") as file:
            text = file.read()
        self.constants = dict(re.findall(r"^/\* (.*): \w+\[.*\], .* \*/\n#define (\w+)_BYTE_OFFSET", text, re.M))
        self.arena = re.search(r"#define (\w+)_ARENA_BYTES", text).group(1)

    def place(self, tensor, arrays):
        """A pointer to the tensor; None: it has no place."""
        buffer = self.buffers.get(tensor)
        if buffer is None:
            return None
        base = f"(uint8_t *){arrays[self.callers[buffer]]}" if buffer in self.callers else "arena"
        return f"(void *)({base} + {self.constants[tensor]}_BYTE_OFFSET)"


def say(line):
    print(line, file=sys.stderr)


def by_tensors(kernels, node, inputs, outputs, operator, arrays):
    """The call of a kernel for a node; None: it stays as it is."""
    concat = operator == "Concat"
    whole, parts = (outputs[0], tuple(inputs)) if concat else (inputs[0], tuple(outputs))
    kernel = next((k for k in kernels if (k.whole, k.parts) == (whole, parts)), None)
    call = kernel and kernel.call(arrays)
    if kernel is None:
        say(f"node {node}: no kernel")
    elif kernel.views:
        say(f"{kernel.node}: {', '.join(kernel.views)}: left, this C has an array for each output")
    else:
        say(f"{kernel.node}: {kernel.function}" + ("" if call else " takes other arguments: left"))
        return call
    return None


def by_plan(kernels, move, arrays, called):
    """The same for a node that moves data; "": nothing. One kernel may do what several Slices do."""
    if move["does"] == "copy":
        say(f"{move['node']}: left, a copy")
        return None
    if move["does"] == "nothing" or move["index"] in called:
        say(f"{move['node']}: nothing")
        return ""
    called.add(move["index"])
    call = next(k for k in kernels if k.function == move["kernel"]).call(arrays)
    if call is None: # the function of the C would write all parts
        sys.exit(f"{move['node']}: no array for a tensor of {move['kernel']}")
    say(f"{move['node']}: {move['kernel']}")
    return call


def put_kernels(text, kernels, plan):
    """The new C."""
    head = NET.search(text)
    if head is None:
        sys.exit("the C has no function of a model that allocates its tensors: print it with --large-temp-threshold 1")
    functions, net = text[:head.start()], text[head.start():]
    tensors = list(plan.buffers) if plan else [name for k in kernels for name in (k.whole, *k.parts)]
    # An array of the caller has the name of its tensor, with _ for what no name in C has.
    callers = re.findall(r"(\w+)(?=\[)", re.sub(r"\[[^],]*\]", "[", head.group(1)))
    arrays = {name: re.sub(r"\W", "_", name) for name in tensors if re.sub(r"\W", "_", name) in callers}
    order, called = [], set()
    for found in NODE.finditer(text):
        node, operator, inputs, outputs, function = found.groups()
        inputs, outputs = inputs.split(", "), outputs.split(", ")
        old, given = re.search(rf"^    {function}\((.*)\);\n", net, re.M).group(0, 1)
        arrays |= zip(outputs, given.split(", ")[-len(outputs):])
        order += [tensors.index(outputs[0])] if outputs[0] in tensors else []
        call = None
        if plan and outputs[0] in plan.moves:
            call = by_plan(kernels, plan.moves[outputs[0]], arrays, called)
        elif not plan and operator in ("Split", "Slice", "Concat"):
            call = by_tensors(kernels, node, inputs, outputs, operator, arrays)
        if call is not None:
            net, functions = net.replace(old, call, 1), functions.replace(found.group(0), "", 1)
    if plan and order != sorted(order):
        sys.exit("the C runs nodes in another order than the model, which the plan is for")
    return functions + (put_in_arena(net, len(head.group(0)), plan, arrays) if plan else net)


def put_in_arena(net, begin, plan, arrays):
    """The function of the model with pointers for its arrays."""
    used = set(re.findall(r"\btmp\w+", "".join(re.findall(r"^    (?!free)\w+(\(.*\));\n", net, re.M))))
    tensor = {array: name for name, array in arrays.items()}

    def pointer(found):
        kind, array, dims = found.groups()
        place = plan.place(tensor[array], arrays)
        if place is None:
            return found.group(0)
        freed.append(f"    free({array});\n")
        return f"    {kind}{array}{dims} = {place};\n" if array in used else ""

    freed = []
    body = ARRAY.sub(pointer, net[begin:])
    for line in freed:
        body = body.replace(line, "", 1)
    return (f"{net[:begin]}    uint8_t *memory = malloc({plan.arena}_ARENA_BYTES + {plan.arena}_ARENA_ALIGN - 1);\n"
            "    uint8_t *arena;\n    if (memory == NULL) {\n            return;\n        }\n"
            f"    arena = memory + (-(uintptr_t)memory & ({plan.arena}_ARENA_ALIGN - 1));\n"
            f"{body.rstrip().removesuffix('}')}    free(memory);\n}}\n")


def main():
    plan_path, header, c_path, *placement = sys.argv[1:]
    with open(plan_path, encoding="utf-8") as file:
        kernels = [Kernel(plan) for plan in json.load(file)["kernels"]]
    plan = Plan(placement[0]) if placement else None
    with open(c_path, encoding="utf-8") as file:
        text = put_kernels(file.read(), kernels, plan)
    headers = [header] + ([os.path.basename(plan.header)] if plan else [])
    included = "".join(f'#include "{name}"\n' for name in headers)
    sys.stdout.write(text.replace("#include <string.h>\n", "#include <string.h>\n" + included, 1))


if __name__ == "__main__":
    main()
