#!/usr/bin/env python3
"""Random models whose Splits, slice groups and Concats meet, with every mix of options, against NumPy.

usage: combined.py SPLITGEN SOURCE_DIR COUNT [SEED]

A model has Splits, Slices, Concats (with constants, of a tensor twice, of the results of others), Reshapes and Abs nodes, which
stand for the rest of a network, over dimensions of which some are open. Each is generated with random options: --fuse, --open,
--views, --optimize=size, --non-temporal, --isa. The model is then run in memory laid out as the JSON plan says: a part without code lies
within its whole, every other tensor has memory of its own, which begins full of 0xA5. Kernels run in the order of the model;
what they do not compute NumPy writes. A tensor with two places, a place that belongs to the caller, a place for a constant, a
tensor that is read before somebody wrote it, and any other byte than NumPy's is an error. NumPy evaluates the model by itself.
Needs numpy and a C compiler. Exit status 1 where anything is wrong.
"""
import collections, ctypes, json, os, random, re, subprocess, sys, tempfile

import numpy as np

from calls import library

BATCH = 100
TYPES = {"float": np.float32, "uint8": np.uint8, "float16": np.float16, "int64": np.int64, "double": np.float64}
NUMBERS = {"float": 1, "uint8": 2, "float16": 10, "int64": 7, "double": 11} # ONNX's numbers of these types
OPEN = {"N": (1, 4), "M": (1, 3)}

Node = collections.namedtuple("Node", "type inputs outputs axis detail")


class Model:
    """Nodes in order; `dims` of each tensor as written (numbers and names), `values` as NumPy computes them."""

    mark = "" # in the names of all tensors and nodes

    def __init__(self, seed):
        self.rnd = random.Random(seed)
        self.data = np.random.default_rng(seed)
        self.dtype = self.rnd.choice(list(TYPES))
        self.numbers = {name: self.rnd.randint(*limits) for name, limits in OPEN.items()}
        self.nodes, self.dims, self.values, self.inputs, self.constants, self.ints = [], {}, {}, [], [], []
        for _ in range(self.rnd.randint(1, 3)):
            self.input(self.start())
        for _ in range(self.rnd.randint(2, 9)):
            self.step()
        read = {name for node in self.nodes for name in node.inputs}
        made = [name for node in self.nodes for name in node.outputs]
        self.outputs = [name for name in made if name not in read or self.rnd.random() < 0.1]
        self.sequences = {i: self.rnd.choice(["construct", "insert"]) for i, node in enumerate(self.nodes)
                          if node.type == "Concat" and self.rnd.random() < 0.15}

    # shapes
    def size(self, dim):
        return self.numbers.get(dim, dim)

    def shape(self, dims):
        return [self.size(d) for d in dims]

    def declared(self, dims):
        """The dims of a tensor as text."""
        return ", ".join(map(str, dims))

    def start(self):
        rank = self.rnd.randint(1, 4)
        dims = [self.rnd.choice([1, 1, 2, 3, 4, 6, "N", "M"]) for _ in range(rank)]
        dims[self.rnd.randrange(rank)] = self.rnd.choice([4, 6, 8, 12, 17])
        return dims

    # tensors
    def fresh(self, prefix):
        return f"{prefix}{self.mark}{len(self.dims)}"

    def add(self, prefix, dims, values):
        name = self.fresh(prefix)
        self.dims[name], self.values[name] = list(dims), np.ascontiguousarray(values)
        return name

    def random_values(self, dims):
        return self.data.integers(0, 100, self.shape(dims)).astype(TYPES[self.dtype])

    def input(self, dims):
        self.inputs.append(self.add("x", dims, self.random_values(dims)))
        return self.inputs[-1]

    def constant(self, dims):
        self.constants.append(self.add("k", dims, self.random_values(dims)))
        return self.constants[-1]

    def list(self, values):
        name = f"i{self.mark}{len(self.ints)}"
        self.ints.append((name, values))
        return name

    def node(self, type_, inputs, results, axis=0, detail=None):
        names = [self.add("t", dims, values) for dims, values in results]
        self.nodes.append(Node(type_, inputs, names, axis, detail))
        return names

    # nodes
    def step(self):
        pool = [name for name in self.dims if name not in self.constants]
        getattr(self, self.rnd.choice(["split", "split", "slices", "concat", "concat", "concat", "abs", "reshape"]))(pool)

    def cut(self, name):
        """An axis with a number, and lengths to split it into; None if there is none."""
        axes = [a for a, d in enumerate(self.dims[name]) if isinstance(d, int) and d > 1]
        if not axes:
            return None
        axis = self.rnd.choice(axes)
        left, lengths = self.dims[name][axis], []
        while left > 0:
            lengths.append(min(left, self.rnd.choice([1, 1, 2, 3, 4, left])))
            left -= lengths[-1]
        return axis, lengths

    def pieces(self, name, axis, lengths):
        ends = np.cumsum(lengths)
        for begin, end in zip(ends - lengths, ends):
            dims = self.dims[name][:axis] + [int(end - begin)] + self.dims[name][axis + 1:]
            yield dims, np.take(self.values[name], range(begin, end), axis)

    def split(self, pool):
        name = self.rnd.choice(pool)
        cut = self.cut(name)
        if cut:
            self.node("Split", [name], list(self.pieces(name, *cut)), cut[0], self.list(cut[1]))

    def slices(self, pool):
        name = self.rnd.choice(pool)
        cut = self.cut(name)
        if not cut:
            return
        axis, lengths = cut
        begin = 0
        for length, piece in zip(lengths, self.pieces(name, axis, lengths)):
            if self.rnd.random() < 0.85:
                self.node("Slice", [name], [piece], axis, (self.list([begin]), self.list([begin + length]), self.list([axis])))
            begin += length

    def concat(self, pool):
        first = self.rnd.choice(pool[-6:])
        dims = self.dims[first]
        axes = [a for a, d in enumerate(dims) if isinstance(d, int)]
        if not axes:
            return
        axis = self.rnd.choice(axes)
        fits = [n for n in pool if len(self.dims[n]) == len(dims) and isinstance(self.dims[n][axis], int) and
                all(a == axis or self.dims[n][a] == dims[a] for a in range(len(dims)))]
        names = [first] + self.rnd.choices(fits, k=self.rnd.randint(0, 4))
        if self.rnd.random() < 0.15: # neighbours again, in the original order
            maker = next((n for n in self.nodes if first in n.outputs and n.type == "Split" and n.axis == axis), None)
            names = list(maker.outputs) if maker else names
        others = dims[:axis] + [self.rnd.randint(1, 3)] + dims[axis + 1:]
        wide = self.rnd.random() < 0.1 # more than fit as parameters
        if wide:
            names += self.rnd.choices([n for n in fits if self.dims[n][axis] < 4] or [self.input(others)], k=self.rnd.randint(26, 36))
        if self.rnd.random() < (0.8 if wide else 0.3) and all(isinstance(d, int) for d in others):
            for _ in range(self.rnd.randint(1, 3) if wide else 1):
                names.insert(self.rnd.randint(0, len(names)), self.constant(others))
        if len(names) == 1 or self.rnd.random() < 0.2:
            names.insert(self.rnd.randint(0, len(names)), self.input(others))
        whole = dims[:axis] + [sum(self.dims[n][axis] for n in names)] + dims[axis + 1:]
        if whole[axis] <= (200 if wide else 64):
            self.node("Concat", names, [(whole, np.concatenate([self.values[n] for n in names], axis))], axis)

    def abs(self, pool):
        name = self.rnd.choice(pool)
        self.node("Abs", [name], [(self.dims[name], np.abs(self.values[name]))])

    def reshape(self, pool):
        name = self.rnd.choice(pool)
        dims = self.dims[name]
        at = self.rnd.randint(0, len(dims))
        if len(dims) < 5:
            values = np.expand_dims(self.values[name], at)
            self.node("Unsqueeze", [name], [(dims[:at] + [1] + dims[at:], values)], detail=self.list([at]))

    # text
    def sequence(self, i, inputs):
        """The lines that construct the sequence s{i} of tensors."""
        if self.sequences[i] == "construct":
            return [f"  s{i} = SequenceConstruct ({', '.join(inputs)})"]
        names = [f"s{i}_{n}" for n in range(len(inputs))] + [f"s{i}"]
        return [f"  {names[0]} = SequenceEmpty <dtype = {NUMBERS[self.dtype]}> ()",
                *[f"  {to} = SequenceInsert ({of}, {name})" for of, to, name in zip(names, names[1:], inputs)]]

    def typed(self, name):
        return f"{self.dtype}[{self.declared(self.dims[name])}] {name}"

    def line(self, i, node):
        inputs = node.inputs + (list(node.detail) if isinstance(node.detail, tuple) else [node.detail] if node.detail else [])
        axis = f" <axis = {node.axis}>" if node.type in ("Split", "Concat") else ""
        if i in self.sequences: # the same by a sequence of tensors
            return "\n".join(self.sequence(i, inputs) + [f"  [\"n{self.mark}{i}\"] {node.outputs[0]} = ConcatFromSequence{axis} (s{i})"])
        return f"  [\"n{self.mark}{i}\"] {', '.join(node.outputs)} = {node.type}{axis} ({', '.join(inputs)})"

    def body(self):
        """The constants and nodes of the graph, as text."""
        def listed(values): # a float16 is written as its bits
            return ", ".join(map(str, (values.view(np.uint16) if values.dtype == np.float16 else values).ravel().tolist()))
        data = [f"{self.typed(n)} = {{{listed(self.values[n])}}}" for n in self.constants]
        data += [f"int64 {n} = {{{v}}}" if isinstance(v, int) else f"int64[{len(v)}] {n} = {{{', '.join(map(str, v))}}}"
                 for n, v in self.ints]
        lines = [self.line(i, node) for i, node in enumerate(self.nodes)]
        return "<%s> {\n%s\n}" % (", ".join(data), "\n".join(lines))

    def text(self):
        head = f"net ({', '.join(map(self.typed, self.inputs))}) => ({', '.join(self.outputs)})"
        return "<ir_version: 10, opset_import: [\"\" : 18]>\n%s %s\n" % (head, self.body())


class Wrong(Exception):
    pass


class Memory:
    """The tensors of a run, each at the address that the plan gives it."""

    def __init__(self, model, plan):
        self.model, self.plan, self.places, self.blocks, self.written = model, plan, {}, {}, set(model.inputs + model.constants)
        self.omitted = 0
        for kernel in plan["kernels"]:
            whole = kernel["output" if kernel["joins"] else "input"]["tensor"]
            for part in kernel["parts"]:
                if not part["copied"] and part["bytes"] > 0:
                    self.place(part["tensor"], (whole, part["byte_offset"] * self.behind(kernel)), kernel["joins"])
        for name in list(model.inputs) + model.constants:
            self.bytes(name)[:] = np.frombuffer(model.values[name].tobytes(), np.uint8)

    def behind(self, kernel):
        """The factor of offsets: the open numbers after the axis."""
        numbers = [self.model.numbers[o["name"]] ** sum(o["powers"][kernel["axis"] + 1:]) for o in kernel.get("open", [])]
        return int(np.prod(numbers, dtype=np.int64))

    def open_number(self, kernel, opened):
        return self.model.numbers[opened["name"]]

    def address(self, tensor):
        return self.bytes(tensor).ctypes.data

    def place(self, tensor, place, joins):
        self.omitted += 1
        model = self.model
        if tensor in model.inputs or tensor in model.constants:
            raise Wrong(f"{tensor} is placed in {place}, but is no tensor that a node writes")
        if joins and tensor in model.outputs:
            raise Wrong(f"{tensor} is placed in {place}, but is an output of the model")
        if self.places.setdefault(tensor, place) != place:
            raise Wrong(f"{tensor} is placed in {place} and in {self.places[tensor]}")

    def bytes(self, tensor):
        size = self.model.values[tensor].nbytes
        if tensor in self.places:
            whole, at = self.places[tensor]
            return self.bytes(whole)[at:at + size]
        if tensor not in self.blocks:
            self.blocks[tensor] = np.full(max(size, 1) + 64, 0xA5, np.uint8)
        block = self.blocks[tensor]
        begin = -block.ctypes.data % 64
        return block[begin:begin + size]

    def read(self, tensor):
        if self.bytes(tensor).tobytes() != self.model.values[tensor].tobytes():
            raise Wrong(f"{tensor} does not hold what NumPy computes when it is read")

    def write(self, tensor):
        self.bytes(tensor)[:] = np.frombuffer(self.model.values[tensor].tobytes(), np.uint8)


def prototype(text, name):
    """The parameter names of a C function; None if it does not exist."""
    found = re.search(rf"^SPLITGEN_EXTERN void {name}\(([^;{{]*)\);", text, re.M | re.S)
    return found and [re.split(r"[ *]", p.strip())[-1] for p in found.group(1).split(",")]


def pointers(memory, kernel):
    """The array of parts that a kernel takes."""
    entries = sorted((p["place"], p["tensor"]) for p in kernel["parameters"] if p["place"] is not None)
    omitted = {p["tensor"] for p in kernel["parts"] if not p["copied"]}
    for _, tensor in entries:
        if kernel["joins"] and tensor not in omitted:
            memory.read(tensor)
    return (ctypes.c_void_p * len(entries))(*[memory.address(tensor) for _, tensor in entries])


def call(lib, memory, kernel, text):
    names = prototype(text, kernel["name"])
    if names is None:
        if any(part["copied"] and not part.get("constant") for part in kernel["parts"]):
            raise Wrong(f"{kernel['name']} has no function, but parts that are copied")
        return
    joins = kernel["joins"]
    symbols = {kernel["output" if joins else "input"]["name"]: kernel["output" if joins else "input"]["tensor"]}
    for part in kernel["parts"]:
        source = part.get("source")
        symbols[source["symbol"] if source else part["symbol"]] = source["name"] if source else part["tensor"]
    arguments = []
    for name in names:
        if name.endswith("[]"):
            arguments.append(pointers(memory, kernel))
            continue
        opened = [o for o in kernel.get("open", []) if o["parameter"] == name]
        if opened:
            arguments.append(ctypes.c_size_t(memory.open_number(kernel, opened[0])))
            continue
        tensor = symbols[name]
        read = joins == (tensor != kernel["output" if joins else "input"]["tensor"])
        if read:
            memory.read(tensor)
        arguments.append(ctypes.c_void_p(memory.address(tensor)))
    getattr(lib, kernel["name"])(*arguments)
    for tensor in kernel["writes"]:
        memory.read(tensor)


def normalise(plan):
    """Gives split and concat kernels the same members."""
    for kernel in plan["kernels"]:
        kernel["joins"] = "inputs" in kernel
        kernel["parts"] = kernel["inputs" if kernel["joins"] else "outputs"]
        whole = kernel["output" if kernel["joins"] else "input"]
        kernel["writes"] = [whole["tensor"]] if kernel["joins"] else [p["tensor"] for p in kernel["parts"]]
    return plan


def run(lib, model, plan, text):
    """Runs every node, by a kernel if one writes its output."""
    memory = Memory(model, plan)
    makers = {tensor: kernel for kernel in plan["kernels"] for tensor in kernel["writes"]}
    fused = [f for kernel in plan["kernels"] for f in kernel.get("fused", [])]
    done = set()
    for i, node in enumerate(model.nodes):
        # Fused nodes are not run. Slices are identified by their input tensor, because a group has no node.
        gone = any(f["node"] == f"n{i}" or (f["op_type"] == node.type == "Slice" and (f["tensor"], f["axis"]) == (node.inputs[0], node.axis))
                   for f in fused)
        for tensor in node.outputs:
            kernel = makers.get(tensor)
            if kernel and kernel["name"] not in done:
                done.add(kernel["name"])
                call(lib, memory, kernel, text)
            elif not kernel and not gone:
                for name in node.inputs:
                    memory.read(name)
                memory.write(tensor)
    for tensor in model.outputs:
        memory.read(tensor)
    return memory, len(fused) > 0


def options_of(rnd, _):
    options = ["--ops=all", "--open", "--views=" + rnd.choice(["copy", "omit", "omit"])]
    options += ["--fuse"] if rnd.random() < 0.8 else []
    options += rnd.choice([[], [], ["--optimize=size"], ["--isa=portable"], ["--isa=avx2", "--non-temporal=always"], ["--unroll=full"]])
    return options


def generate(splitgen, folder, seeds, model_of, options_of, kinds, counts):
    """Writes the model of each seed, and what is printed for it. Those that have a kernel: prefix -> (seed, model, options)."""
    models = {}
    for seed in seeds:
        model, prefix = model_of(seed), f"m{seed}_"
        with open(os.path.join(folder, prefix + ".onnxtxt"), "w") as file:
            file.write(model.text())
        options = options_of(random.Random(seed), model)
        made = subprocess.run([splitgen, *options, "--prefix", prefix, "--emit=" + kinds, "-o", prefix + ".c", prefix + ".onnxtxt"],
                              cwd=folder, capture_output=True, text=True)
        if made.returncode == 1 and any(why in made.stderr for why in ("the model has no ", "nothing is left to generate", "needs it as a number")):
            counts["without an op"] += 1
        elif made.returncode != 0:
            counts["wrong"] += 1
            print(f"seed {seed}: {' '.join(options)}: exit status {made.returncode}\n{made.stderr}\n{model.text()}")
        else:
            models[prefix] = (seed, model, options)
    return models


def check(splitgen, source_dir, seeds, counts):
    with tempfile.TemporaryDirectory() as folder:
        models = generate(splitgen, folder, seeds, Model, options_of, "c,json", counts)
        lib = library(source_dir, folder, list(models))
        for prefix, (seed, model, options) in models.items():
            with open(os.path.join(folder, prefix + ".json")) as file:
                plan = normalise(json.load(file))
            with open(os.path.join(folder, prefix + ".c")) as file:
                text = file.read()
            counts["models"] += 1
            counts["with an array and constants"] += any(p["role"] == "array" for k in plan["kernels"] for p in k["parameters"]
                                                         if any(part.get("constant") for part in k["parts"]))
            try:
                memory, fused = run(lib, model, plan, text)
                counts["with a fused kernel"] += fused
                counts["with an omitted part"] += memory.omitted > 0
                counts["with both"] += fused and memory.omitted > 0
            except Wrong as error:
                counts["wrong"] += 1
                print(f"seed {seed}: {' '.join(options)}: {error}\n{model.text()}")


def main():
    splitgen, source_dir, count = os.path.abspath(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    first = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    counts = dict.fromkeys(["models", "with a fused kernel", "with an omitted part", "with both", "with an array and constants", "without an op", "wrong"], 0)
    for seed in range(first, first + count, BATCH):
        check(splitgen, source_dir, range(seed, min(seed + BATCH, first + count)), counts)
    print(", ".join(f"{n} {what}" for what, n in counts.items()))
    few = counts["with a fused kernel"] < count // 10 or counts["with an omitted part"] < count // 10 or counts["with an array and constants"] < count // 50
    return 1 if counts["wrong"] > 0 or few else 0


if __name__ == "__main__":
    sys.exit(main())
