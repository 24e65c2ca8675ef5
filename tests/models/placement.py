#!/usr/bin/env python3
"""Random models run in the arena that --emit=placement plans, against NumPy.

usage: placement.py SPLITGEN SOURCE_DIR COUNT [SEED]

The models are those of combined.py, with Adds and Subs, Reshapes, Transposes and Identities, tensors that nothing reads, sums of open dimensions (Concats along one), sizes
that are no sums (MaxPools with strides and pads), dimensions and parts of length 0, and Ifs whose branches use names that the
graph around them uses later. Every tensor lies where the JSON says: in the
arena, which begins full of 0xA5, or in a buffer of the caller. Nodes run in order: those that do nothing are left out, kernels
copy what the plan lists for them, NumPy does the rest and writes rows that lie apart only for operators that are listed. What is
computed over an input is computed there, one element after the other. Every buffer is aligned as much as the plan says, and no more.
Before a
node runs every tensor that it reads has to hold what NumPy computes by itself, and the outputs in the end. A model with open
dimensions is run for the expected numbers, and for others in buffers as long as the plan says for these. Branches of an If are
run like models. Needs numpy and a C compiler. Exit status 1 where anything is wrong.
"""
import json, os, random, re, sys, tempfile

import numpy as np

import combined
from combined import Wrong
from calls import library

BATCH = 100
COMPUTES = {"Abs": np.abs, "Add": np.add, "Sub": np.subtract}


class Model(combined.Model):
    def __init__(self, seed, others=None):
        """others: numbers of the open dimensions; None: the expected ones."""
        self.seed, self.others, self.branches = seed, others, []
        super().__init__(seed)
        self.numbers = others or self.numbers
        wanted = [name for name in self.outputs if self.rnd.random() < 0.7]
        self.outputs = wanted or self.outputs[-1:] # nothing reads the others

    def random_values(self, dims):
        """The same, whatever numbers the open dimensions of other tensors have."""
        self.data = np.random.default_rng([self.seed, len(self.dims)])
        return super().random_values(dims)

    def step(self):
        moved = {"transpose": self.transpose, "flatten": self.flatten, "identity": self.identity, "join": self.join,
                 "pool": self.pool, "empty": self.empty}
        pool = [name for name in self.dims if name not in self.constants]
        if self.rnd.random() < 0.06:
            self.branch(pool)
        elif self.rnd.random() < 0.3:
            self.rnd.choice(list(moved.values()))(pool)
        elif self.rnd.random() < 0.3:
            self.rnd.choice([self.abs, self.combine, self.combine])(pool)
        else:
            super().step()

    def combine(self, pool):
        """A sum or difference of a tensor and another one of its shape, itself, or one that is repeated along some dimensions."""
        name = self.rnd.choice(pool)
        dims = self.dims[name]
        if self.rnd.random() < 0.3 and "?" not in self.declared(dims):
            other = self.input([self.rnd.choice([d, 1]) for d in dims])
        else:
            other = self.rnd.choice([n for n in self.dims if self.dims[n] == dims])
        type_, names = self.rnd.choice(["Add", "Sub"]), self.rnd.sample([name, other], 2)
        self.node(type_, names, [(dims, COMPUTES[type_](*(self.values[n] for n in names)))])

    # An open dimension is a name, or an expression of names: a sum "N+4", or the length "(N+1)//2" of a result of a MaxPool,
    # which is no sum.
    def size(self, dim):
        return dim if isinstance(dim, int) else eval(dim, {}, self.others or self.numbers)

    def declared(self, dims):
        return ", ".join(str(d) if isinstance(d, int) or d.isidentifier() else "?" for d in dims)

    def start(self):
        dims = super().start()
        if self.rnd.random() < 0.15:
            dims[self.rnd.randrange(len(dims))] = 0
        return dims

    def join(self, pool):
        """A Concat along an open dimension."""
        name = self.rnd.choice(pool)
        dims = self.dims[name]
        axes = [a for a, d in enumerate(dims) if not isinstance(d, int) and len(d) < 20 and "/" not in d]
        if not axes and self.rnd.random() < 0.5:
            name, axes = self.input([2, "N", self.rnd.choice([1, 4, "M"])]), [1]
            dims = self.dims[name]
        axis = self.rnd.choice(axes or [0])
        if axes and self.declared(dims[:axis] + dims[axis + 1:]).find("?") < 0:
            other = self.input(dims[:axis] + [self.rnd.choice([0, 1, 3, "N", "M"])] + dims[axis + 1:])
            names = [name, other] if self.rnd.random() < 0.5 else [other, name]
            whole = "+".join(str(self.dims[n][axis]) for n in names)
            self.node("Concat", names, [(dims[:axis] + [whole] + dims[axis + 1:],
                                         np.concatenate([self.values[n] for n in names], axis))], axis)

    def pool(self, pool):
        """A MaxPool of the last dimension, by 1 with strides of 2: every other element, the first one too."""
        fits = [n for n in pool if len(self.dims[n]) == 3 and not isinstance(self.dims[n][-1], int) and len(self.dims[n][-1]) < 20]
        if self.dtype in ("float", "double", "float16"):
            name = self.rnd.choice(fits) if fits else self.input([self.rnd.choice([1, 2, "M"]), self.rnd.choice([2, 4, 6]), "N"])
            dims = self.dims[name]
            self.node("MaxPool", [name], [(dims[:2] + [f"(({dims[2]})+1)//2"], self.values[name][:, :, ::2])])
            whole = list(self.dims)[-1]
            if isinstance(dims[1], int) and dims[1] > 1 and self.rnd.random() < 0.7:
                self.again(whole, 1)

    def again(self, whole, axis):
        """A Split, the rest of a network for one part, and a Concat."""
        length = self.dims[whole][axis]
        first = self.rnd.randint(1, length - 1)
        lengths = self.rnd.choice([[first, length - first], [first, 0, length - first]])
        parts = list(self.node("Split", [whole], list(self.pieces(whole, axis, lengths)), axis, self.list(lengths)))
        self.abs(parts[-1:])
        parts[-1] = list(self.dims)[-1]
        self.rnd.shuffle(parts)
        self.node("Concat", parts, [(self.dims[whole], np.concatenate([self.values[p] for p in parts], axis))], axis)

    def empty(self, pool):
        """A Split with a part of length 0, before, between or behind the others."""
        name = self.rnd.choice(pool)
        cut = self.cut(name)
        if cut:
            axis, lengths = cut
            lengths.insert(self.rnd.randint(0, len(lengths)), 0)
            self.node("Split", [name], list(self.pieces(name, axis, lengths)), axis, self.list(lengths))

    def transpose(self, pool):
        name = self.rnd.choice(pool)
        self.node("Transpose", [name], [(self.dims[name][::-1], self.values[name].T)])

    def flatten(self, pool):
        name = self.rnd.choice(pool)
        dims = self.dims[name]
        if all(isinstance(d, int) for d in dims) and 0 not in dims:
            count = int(np.prod(dims))
            shape = self.rnd.choice([s for s in ([count], [1, count], [dims[0], count // dims[0]], [2, count // 2], [count // 3, 3])
                                     if int(np.prod(s)) == count])
            self.node("Reshape", [name], [(shape, self.values[name].reshape(shape))], detail=self.list(shape))

    def identity(self, pool):
        name = self.rnd.choice(pool)
        self.node("Identity", [name], [(self.dims[name], self.values[name])])


    def branch(self, pool):
        name = self.rnd.choice(pool)
        if self.cut(name):
            body = Branch(self, name)
            result = body.outputs[0]
            self.node("If", [name], [(body.dims[result], body.values[result])], detail=body)
            self.branches += [body, *body.branches]

    def line(self, i, node):
        if node.type == "MaxPool":
            return super().line(i, node).replace("= MaxPool", "= MaxPool <kernel_shape = [1], strides = [2]>")
        if node.type != "If":
            return super().line(i, node)
        name, body, result = node.inputs[0], node.detail, node.outputs[0]
        # A name that the graph around it gives to a tensor later, if there is one.
        mine = next((later.outputs[0] for later in self.nodes[i + 1:] if later.type != "If"), f"e{result}")
        other = f"e{result} () => ({self.typed(name).removesuffix(name)}{mine}) {{ {mine} = Abs ({name}) }}"
        return (f"  [\"n{self.mark}{i}\"] {result} = If (flag) <then_branch = b{result} () => ({body.typed(body.outputs[0])}) "
                f"{body.body()}, else_branch = {other}>")

    def text(self):
        return super().text().replace("net (", "net (bool flag, ", 1) if self.branches else super().text()


class Branch(Model):
    """The graph of a branch: it cuts a tensor of the model around it, computes with some parts, and joins them."""

    def __init__(self, outer, name):
        self.rnd, self.dtype, self.numbers, self.others = outer.rnd, outer.dtype, outer.others or outer.numbers, outer.others
        self.mark = f"{outer.mark}{len(outer.nodes)}_"
        self.nodes, self.inputs, self.constants, self.ints, self.sequences, self.branches = [], [name], [], [], {}, []
        self.dims, self.values = {name: outer.dims[name]}, {name: outer.values[name]}
        if self.rnd.random() < 0.5:
            self.abs([name])
        (axis, lengths), cut = self.cut(name), list(self.dims)[-1]
        parts = list(self.node("Split", [cut], list(self.pieces(cut, axis, lengths)), axis, self.list(lengths)))
        for i, part in enumerate(parts):
            if self.rnd.random() < 0.5:
                (self.branch if self.rnd.random() < 0.3 and self.cut(part) else self.abs)([part])
                parts[i] = list(self.dims)[-1]
        self.rnd.shuffle(parts)
        self.outputs = self.node("Concat", parts, [(self.dims[name], np.concatenate([self.values[p] for p in parts], axis))], axis)


def aligned(size, alignment=64):
    """Memory at a multiple of the alignment, but not of twice as much."""
    block = np.full(size + 2 * alignment, 0xA5, np.uint8)
    begin = (alignment - block.ctypes.data) % (2 * alignment)
    return block[begin:begin + size]


class Memory:
    """The tensors of a run, each where the plan has it."""

    def __init__(self, model, graph, alignment):
        self.model = model
        if graph["alignment"] % alignment != 0 or any((b["offset"] or 0) % alignment != 0 for b in graph["buffers"]):
            raise Wrong(f"a buffer is not aligned to {alignment} bytes")
        self.places = {tensor["name"]: tensor for tensor in graph["tensors"]}
        arena = aligned(graph["arena"], graph["alignment"])
        self.buffers = [arena[b["offset"]:b["offset"] + self.number(b["bytes"])] if b["offset"] is not None and not model.others
                        else aligned(self.number(b["bytes"])) for b in graph["buffers"]]
        if any(len(buffer) != self.number(b["bytes"]) for buffer, b in zip(self.buffers, graph["buffers"])):
            raise Wrong("a buffer ends behind the arena")
        self.own = {}
        for name in model.inputs + model.constants:
            self.write(name)

    def number(self, value):
        """Of an expression of open dimensions."""
        return value if isinstance(value, int) else eval(value, {}, self.model.numbers)

    def open_number(self, kernel, opened):
        """Of a name, a sum, or the length of a dimension for which there is no expression."""
        try:
            return self.number(opened["name"])
        except NameError:
            whole = kernel["output" if kernel["joins"] else "input"]["tensor"]
            return self.model.values[whole].shape[opened["powers"].index(1)]

    def bytes(self, name):
        """An array over the place of the tensor."""
        values, place = self.model.values[name], self.places.get(name)
        if place is None or place["buffer"] is None: # nothing reads it, or it is a constant
            return self.own.setdefault(name, aligned(values.nbytes).view(values.dtype).reshape(values.shape))
        shape = [self.number(d) for d in place.get("dims", place["shape"])]
        strides = [self.number(s) for s in place["strides"]]
        if shape != list(values.shape) or values.size > 0 and self.number(place["bytes"]) != values.itemsize + apart(shape, strides):
            raise Wrong(f"{name} has another shape or size")
        array = np.ndarray(values.shape, values.dtype, self.buffers[place["buffer"]], self.number(place["byte_offset"]), strides)
        if array.ctypes.data % values.itemsize != 0:
            raise Wrong(f"{name} is not aligned to its elements")
        return array

    def read(self, name):
        if self.bytes(name).tobytes() != self.model.values[name].tobytes():
            raise Wrong(f"{name} does not hold what NumPy computes when it is read")

    def write(self, name):
        self.bytes(name)[...] = self.model.values[name]

    def compute(self, node):
        """From what is in memory; element by element if the output has bytes of an input."""
        to = self.bytes(node.outputs[0])
        inputs = [np.broadcast_to(self.bytes(name), to.shape) for name in node.inputs]
        if not any(np.may_share_memory(to, one) for one in inputs):
            to[...] = COMPUTES[node.type](*inputs)
            return
        for at in np.ndindex(to.shape):
            to[at] = COMPUTES[node.type](*(one[at] for one in inputs))


def run(lib, model, plan, placement, text, alignment):
    graph = next(g for g in placement["graphs"] if any((t["name"], t["kind"]) == (model.outputs[0], "output") for t in g["tensors"]))
    memory = Memory(model, graph, alignment)
    moves = {tensor: node for node in graph["nodes"] for tensor in node["parts"] if node["op_type"] != "Concat" and
             node["op_type"] != "ConcatFromSequence"}
    moves |= {node["whole"]: node for node in graph["nodes"] if node["op_type"] in ("Concat", "ConcatFromSequence")}
    kernels = {kernel["name"]: kernel for kernel in plan["kernels"]}
    done = set()
    for node in model.nodes:
        for tensor in node.outputs:
            move = moves.get(tensor)
            if move and move["index"] in done:
                continue
            if move and move["does"] != "copy":
                done.add(move["index"])
                if move["does"] == "kernel":
                    combined.call(lib, memory, kernels[move["kernel"]], text)
                    copied = [p["tensor"] for p in kernels[move["kernel"]]["parts"] if p["copied"] and p["bytes"] > 0]
                    if copied != move["copies"]:
                        raise Wrong(f"{move['kernel']} copies {copied}, not {move['copies']}")
                continue
            for name in node.inputs:
                memory.read(name)
            if node.type in COMPUTES:
                memory.compute(node)
            else:
                memory.write(tensor)
    for name in model.outputs:
        memory.read(name)
    copies = [t for node in graph["nodes"] for t in node["copies"]]
    counted = [t for t in copies if memory.places[t]["bytes"] is not None]
    if not model.others and sum(model.values[t].nbytes for t in counted) != graph["bytes_copied"]:
        raise Wrong("the bytes that are copied are not those of the copies")
    if len(copies) - len(counted) != graph.get("uncounted", 0):
        raise Wrong("the copies that are not counted are not those of unknown size")
    return graph


def options_of(rnd, model):
    options = ["--ops=all"] + [f"--open={name}={number}" for name, number in model.numbers.items() if re.search(rf"[\[ ]{name}[,\]]", model.text())]
    options += rnd.choice([[], ["--strided=Abs", "--strided-read=Abs"], ["--strided=Abs,Transpose", "--strided-read=Transpose,Identity,Abs"], ["--strided=Abs,Transpose,MaxPool"], ["--strided-read=Abs,Identity"]])
    options += rnd.choice([[], ["--views=omit"]])
    options += rnd.choice([[], ["--in-place=Abs,Add,Sub"], ["--in-place=Abs,Add,Sub"], ["--in-place=ai.onnx.Sub"]])
    options += rnd.choice([[], [], *([f"--arena-alignment={n}"] for n in (4, 8, 16, 4096))])
    options += ["--skip-unresolved"] # no kernel concatenates along an open dimension
    return options + rnd.choice([[], [], ["--isa=portable"], ["--optimize=size"]])


def check(splitgen, source_dir, seeds, counts):
    with tempfile.TemporaryDirectory() as folder:
        models = combined.generate(splitgen, folder, seeds, Model, options_of, "c,json,placement", counts)
        lib = library(source_dir, folder, list(models))
        for prefix, (seed, model, options) in models.items():
            if not model.outputs: # it has no node, so there is nothing to run
                counts["without an op"] += 1
                continue

            def load(name):
                with open(os.path.join(folder, prefix + name)) as file:
                    return file.read()
            counts["models"] += 1
            counts["with copies of unknown size"] += "\"uncounted\"" in load("_placement.json")
            plan, placement, text = combined.normalise(json.loads(load(".json"))), json.loads(load("_placement.json")), load(".c")
            others = [{"N": 1, "M": 1}, {"N": 7, "M": 2}, {"N": 3, "M": 5}] if any("open" in g for g in placement["graphs"]) else []
            counts["with other numbers"] += len(others) > 0
            alignment = next((int(o.split("=")[1]) for o in options if o.startswith("--arena-alignment=")), 64)
            try:
                for numbers in [None, *others]:
                    whole = Model(seed, numbers)
                    for part in [whole, *whole.branches]:
                        graph = run(lib, part, plan, placement, text, alignment)
                        if not numbers:
                            count(graph, counts)
            except Wrong as error:
                counts["wrong"] += 1
                print(f"seed {seed}: {' '.join(options)}: {error}\n{model.text()}")


def count(graph, counts):
    counts["branches"] += len(graph["path"]) > 0
    counts["with sums"] += any("+" in str(t["bytes"]) for t in graph["tensors"])
    counts["in place"] += sum("over" in t for t in graph["tensors"])
    counts["with empty tensors"] += any(t["bytes"] == 0 for t in graph["tensors"])
    counts["bytes moved"] += graph["bytes_moved"]
    counts["bytes copied"] += graph["bytes_copied"]
    counts["planned greedily"] += not graph["optimal"]
    counts["with rows apart"] += any(t["strides"] != dense(t) for t in graph["tensors"] if t["strides"] and "dims" not in t)


def apart(shape, strides):
    """Bytes from the first to the last element."""
    return sum((n - 1) * stride for n, stride in zip(shape, strides))


def dense(tensor):
    """The strides of a tensor without gaps, but for dimensions of length 1, which have those of the plan."""
    strides = list(tensor["strides"])
    stride = tensor["bytes"] - apart(tensor["shape"], strides) if all(tensor["shape"]) else 0 # of an element
    for d in reversed(range(len(strides))):
        if tensor["shape"][d] > 1:
            strides[d] = stride
        stride *= tensor["shape"][d]
    return strides


def main():
    splitgen, source_dir, count = os.path.abspath(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    first = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    np.seterr(all="ignore")
    counts = dict.fromkeys(["models", "branches", "with other numbers", "with sums", "with copies of unknown size", "with empty tensors", "with rows apart", "in place", "planned greedily", "bytes moved", "bytes copied", "without an op", "wrong"], 0)
    for seed in range(first, first + count, BATCH):
        check(splitgen, source_dir, range(seed, min(seed + BATCH, first + count)), counts)
    print(", ".join(f"{n} {what}" for what, n in counts.items()))
    few = any(counts[what] < count // 100 for what in ("with rows apart", "in place", "with sums", "with copies of unknown size", "with empty tensors")) or counts["bytes copied"] >= counts["bytes moved"]
    return 1 if counts["wrong"] > 0 or few else 0


if __name__ == "__main__":
    sys.exit(main())
