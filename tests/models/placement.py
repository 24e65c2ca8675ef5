#!/usr/bin/env python3
"""Random models run in the arena that --emit=placement plans, against NumPy.

usage: placement.py SPLITGEN SOURCE_DIR COUNT [SEED]

The models are those of combined.py, with Adds and Subs, Reshapes, Transposes and Identities, tensors that nothing reads, sums of
open dimensions (Concats along one), sizes that follow from open ones (MaxPools with strides and pads, Slices), Slices of one or
several axes that may overlap, Gathers of one row, Pads that crop, caches (an input and an output that a Concat adds to, which
are one buffer, with lengths from 0 to all that it has room for), dimensions and parts of length 0, and Ifs whose branches use
names that the
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
        self.seed, self.others, self.branches, self.caches, self.attributes = seed, others, [], [], {}
        super().__init__(seed)
        self.numbers = others or self.numbers
        wanted = [name for name in self.outputs if self.rnd.random() < 0.7]
        self.outputs = wanted or self.outputs[-1:] # nothing reads the others
        self.outputs += [present for _, present, _ in self.caches if present not in self.outputs]

    def random_values(self, dims):
        """The same, whatever numbers the open dimensions of other tensors have."""
        self.data = np.random.default_rng([self.seed, len(self.dims)])
        return super().random_values(dims)

    def step(self):
        moved = {"transpose": self.transpose, "flatten": self.flatten, "identity": self.identity, "join": self.join,
                 "pool": self.pool, "empty": self.empty, "window": self.window, "row": self.row, "crop": self.crop}
        pool = [name for name in self.dims if name not in self.constants]
        if self.rnd.random() < 0.08:
            self.cache(pool)
        elif self.rnd.random() < 0.06:
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

    def cache(self, pool):
        """A Concat of an input of length C and of what is new, for a buffer that has room for some more."""
        self.numbers.setdefault("C", self.rnd.randint(1, 4))
        name = self.rnd.choice(pool)
        dims = self.dims[name]
        axes = [a for a, d in enumerate(dims) if isinstance(d, int) and all(isinstance(n, int) for n in dims[a + 1:])]
        if axes and "?" not in self.declared(dims):
            axis = self.rnd.choice(axes)
            past = self.input(dims[:axis] + ["C"] + dims[axis + 1:])
            present, = self.node("Concat", [past, name], [(dims[:axis] + [f"C+{dims[axis]}"] + dims[axis + 1:],
                                                           np.concatenate([self.values[past], self.values[name]], axis))], axis)
            self.caches.append((past, present, dims[axis]))

    def pool(self, pool):
        """A MaxPool of the dimensions behind the channels, by 1 or 3 with strides of 2."""
        def halved(d):
            return (d + 1) // 2 if isinstance(d, int) else f"(({d})+1)//2"
        fits = [n for n in pool if len(self.dims[n]) in (3, 4) and not isinstance(self.dims[n][-1], int) and
                len(self.dims[n][-1]) < 20 and all(map(self.size, self.dims[n]))]
        if self.dtype in ("float", "double", "float16"):
            name = self.rnd.choice(fits) if fits else self.input(
                [self.rnd.choice([1, 2, "M"]), self.rnd.choice([2, 4, 6]), *self.rnd.choice([["N"], ["M", "N"], ["N", "N"]])])
            dims, values, n = self.dims[name], self.values[name], len(self.dims[name]) - 2
            wide = self.rnd.random() < 0.5
            if wide:
                padded = np.pad(values, [(0, 0)] * 2 + [(1, 1)] * n, constant_values=-np.inf)
                values = np.lib.stride_tricks.sliding_window_view(padded, [3] * n, tuple(range(2, 2 + n))).max(tuple(range(-n, 0)))
            detail = (f"kernel_shape = {[3] * n}, pads = {[1] * 2 * n}" if wide else f"kernel_shape = {[1] * n}") + f", strides = {[2] * n}"
            self.node("MaxPool", [name], [(dims[:2] + list(map(halved, dims[2:])), values[(slice(None),) * 2 + (slice(None, None, 2),) * n])])
            self.attributes[list(self.dims)[-1]] = detail
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

    def window(self, pool):
        """One or two Slices of a tensor, which may overlap, along any axes; a few with steps."""
        name = self.rnd.choice(pool)
        dims = self.dims[name]
        for _ in range(self.rnd.randint(1, 2)):
            axes = sorted(self.rnd.sample(range(len(dims)), self.rnd.randint(1, min(3, len(dims)))))
            cut, starts, ends, steps, shape = [slice(None)] * len(dims), [], [], [], list(dims)
            for a in axes:
                d, step = dims[a], 1
                if isinstance(d, int):
                    begin = self.rnd.randint(0, max(d - 1, 0))
                    end, step = self.rnd.randint(min(begin + 1, d), d), self.rnd.choice([1] * 9 + [2])
                    shape[a] = len(range(begin, end, step))
                    cut[a] = slice(begin, end, step)
                    starts.append(begin - d if d and self.rnd.random() < 0.3 else begin)
                    ends.append(end - d if end < d and self.rnd.random() < 0.3 else end if end < d else self.rnd.choice([d, 2**63 - 1]))
                else: # an open one, at least 1
                    begin, end, shape[a] = self.rnd.choice([(0, 1, f"min({d},1)"), (-1, 2**63 - 1, f"min({d},1)"), (0, 2**63 - 1, d),
                                                            (1, 2**63 - 1, f"max({d}-1,0)"), (0, 3, f"min({d},3)"), (0, -1, f"max({d}-1,0)")])
                    cut[a] = slice(begin, end)
                    starts.append(begin)
                    ends.append(end)
                steps.append(step)
            if all(isinstance(d, int) or len(d) < 30 for d in shape):
                lists = [starts, ends, self.rnd.choice([axes, [a - len(dims) for a in axes]])] + ([steps] if max(steps) > 1 else [])
                self.node("Slice", [name], [(shape, self.values[name][tuple(cut)])], axes[0], tuple(map(self.list, lists)))
                self.abs([list(self.dims)[-1]])

    def row(self, pool):
        """A Gather of one index, whose axis stays or goes."""
        name = self.rnd.choice(pool)
        dims = self.dims[name]
        axis = self.rnd.randrange(len(dims))
        if self.size(dims[axis]):
            index = self.rnd.choice([0, -1, self.rnd.randrange(-dims[axis], dims[axis]) if isinstance(dims[axis], int) else 0])
            stays = len(dims) == 1 or self.rnd.random() < 0.4
            values = np.take(self.values[name], [index] if stays else index, axis)
            self.node("Gather", [name], [(dims[:axis] + [1] * stays + dims[axis + 1:], values)], axis, self.list([index] if stays else index))

    def crop(self, pool):
        """A Pad with negative pads."""
        name = self.rnd.choice(pool)
        dims = self.dims[name]
        before = [self.rnd.randint(0, min(d - 1, 2)) if isinstance(d, int) and d > 0 else 0 for d in dims]
        behind = [self.rnd.randint(0, min(d - 1 - b, 2)) if isinstance(d, int) and d > 0 else 0 for d, b in zip(dims, before)]
        cut = tuple(slice(b, self.size(d) - e) for d, b, e in zip(dims, before, behind))
        shape = [d - b - e if isinstance(d, int) else d for d, b, e in zip(dims, before, behind)]
        self.node("Pad", [name], [(shape, self.values[name][cut])], detail=self.list([-n for n in before + behind]))

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
            return super().line(i, node).replace("= MaxPool", f"= MaxPool <{self.attributes[node.outputs[0]]}>")
        if node.type == "Gather":
            return super().line(i, node).replace("= Gather", f"= Gather <axis = {node.axis}>")
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
        self.numbers = dict(model.numbers)
        for opened in graph.get("open", []):
            if "tensor" in opened:
                self.numbers[opened["name"]] = model.values[opened["tensor"]].shape[opened["dim"]]
        if graph["alignment"] % alignment != 0 or any((b["offset"] or 0) % alignment != 0 for b in graph["buffers"]):
            raise Wrong(f"a buffer is not aligned to {alignment} bytes")
        self.places = {tensor["name"]: tensor for tensor in graph["tensors"]}
        arena = aligned(graph["arena"], graph["alignment"])
        self.buffers = [arena[b["offset"]:b["offset"] + self.number(b["bytes"])] if b["offset"] is not None and not model.others
                        else aligned(self.number(b["bytes"])) for b in graph["buffers"]]
        if any(len(buffer) != self.number(b["bytes"]) for buffer, b in zip(self.buffers, graph["buffers"])):
            raise Wrong("a buffer ends behind the arena")
        self.own, self.alias, self.behind = {}, {}, {}
        for name in model.inputs + model.constants:
            self.write(name)

    def number(self, value):
        """Of an expression of open dimensions."""
        return value if isinstance(value, int) else eval(value, {}, self.numbers)

    def open_number(self, kernel, opened):
        """Of a name, a sum, or the length of a dimension for which there is no expression."""
        try:
            return self.number(opened["name"])
        except NameError:
            whole = kernel["output" if kernel["joins"] else "input"]["tensor"]
            return self.model.values[whole].shape[opened["powers"].index(1)]

    def take(self, names):
        """From now on, dense copies of caches among these tensors stand for the caches."""
        self.alias = {self.places[name]["copy_of"]: name for name in names if "copy_of" in self.places.get(name, {})}

    def address(self, name):
        return self.bytes(name).ctypes.data + self.behind.get(name, 0)

    def bytes(self, name):
        """An array over the place of the tensor."""
        values, place = self.model.values[name], self.places.get(self.alias.get(name, name))
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

def copy_cache(memory, graph, tensor):
    """Makes the dense copy of a tensor, if the plan has one."""
    for node in graph["nodes"]:
        if node["whole"] == tensor and "copy_of" in memory.places[node["parts"][0]]:
            memory.take([])
            memory.read(tensor)
            memory.take(node["parts"])
            memory.write(tensor)
            memory.take([])


def run(lib, model, plan, placement, text, options, alignment):
    graph = next(g for g in placement["graphs"] if any((t["name"], t["kind"]) == (model.outputs[0], "output") for t in g["tensors"]))
    if not all(model.values[o["tensor"]].shape[o["dim"]] for o in graph.get("open", []) if "tensor" in o):
        return graph # its sizes are for numbers for which none is 0
    if not model.others and any(model.numbers.get(o["name"], o["expected"]) != o["expected"] for o in graph.get("open", [])):
        return graph # it expects more, for that reason
    memory = Memory(model, graph, alignment)
    moves = {tensor: node for node in graph["nodes"] for tensor in node["parts"] if node["op_type"] != "Concat" and
             node["op_type"] != "ConcatFromSequence"}
    moves |= {node["whole"]: node for node in graph["nodes"] if node["op_type"] in ("Concat", "ConcatFromSequence")}
    kernels = {kernel["name"]: kernel for kernel in plan["kernels"]}
    done = set()
    copies = {t["copy_of"]: t["name"] for t in graph["tensors"] if "copy_of" in t}
    reads_rows = ",".join(option.split("=")[1] for option in options if option.startswith("--strided-read=")).split(",")
    for name in model.inputs:
        copy_cache(memory, graph, name)
    for i, node in enumerate(model.nodes):
        for tensor in node.outputs:
            move = moves.get(tensor)
            for copy in {copies[name] for name in node.inputs if name in copies and not move and node.type not in reads_rows and i not in model.sequences}:
                if f"n{model.mark}{i}" not in memory.places[copy]["read_by"]:
                    raise Wrong(f"the plan does not say that n{model.mark}{i} reads {copy}")
            memory.take([move["whole"], *move["parts"]] if move else [] if node.type in reads_rows else copies.values())
            if move and move["index"] in done:
                continue
            if move and move["does"] != "copy":
                done.add(move["index"])
                if move["does"] == "kernel":
                    memory.behind = {move["whole"]: memory.number(move["whole_byte_offset"])} if "past" in move else {}
                    combined.call(lib, memory, kernels[move["kernel"]], text)
                    copied = [p["tensor"] for p in kernels[move["kernel"]]["parts"] if p["copied"] and p["bytes"] > 0]
                    if copied != [memory.places[t].get("copy_of", t) for t in move["copies"]]:
                        raise Wrong(f"{move['kernel']} copies {copied}, not {move['copies']}")
                copy_cache(memory, graph, tensor)
                continue
            for name in node.inputs:
                memory.read(name)
            if node.type in COMPUTES:
                memory.compute(node)
            else:
                memory.write(tensor)
            copy_cache(memory, graph, tensor)
    memory.take([])
    for name in model.outputs:
        memory.read(name)
    copies = [t for node in graph["nodes"] for t in node["copies"]]
    counted = [t for t in copies if memory.places[t]["bytes"] is not None]
    if not model.others and sum(model.values[memory.places[t].get("copy_of", t)].nbytes for t in counted) != graph["bytes_copied"]:
        raise Wrong("the bytes that are copied are not those of the copies")
    if len(copies) - len(counted) != graph.get("uncounted", 0):
        raise Wrong("the copies that are not counted are not those of unknown size")
    return graph


def options_of(rnd, model):
    options = ["--ops=all"] + [f"--open={name}={number}" for name, number in model.numbers.items() if re.search(rf"[\[ ]{name}[,\]]", model.text())]
    options += rnd.choice([[], ["--strided=Abs", "--strided-read=Abs"], ["--strided=Abs,Transpose", "--strided-read=Transpose,Identity,Abs"], ["--strided=Abs,Transpose,MaxPool"], ["--strided-read=Abs,Identity"]])
    options += rnd.choice([[], ["--views=omit"]])
    automatic, room = rnd.random() < 0.2, rnd.randint(1, 3) # room for some more than is expected
    model.room = room * (len(model.caches) > 0)
    if model.caches and automatic and len({new for _, _, new in model.caches}) == 1:
        options += [f"--cache=auto={model.numbers['C'] + model.caches[0][2] + room}"]
    elif model.caches:
        options += [f"--cache={past}:{present}={model.numbers['C'] + new + room}" for past, present, new in model.caches]
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
            most = model.numbers.get("C", 0) + getattr(model, "room", 0)
            others = [{"N": 1, "M": 1, "C": 0}, {"N": 7, "M": 2, "C": most}, {"N": 3, "M": 5, "C": max(most - 1, 0)}]
            others = others if any("open" in g for g in placement["graphs"]) else []
            counts["with caches"] += any(b["owner"] == "cache" for g in placement["graphs"] for b in g["buffers"])
            counts["with copies of caches"] += any("copy_of" in t for g in placement["graphs"] for t in g["tensors"])
            counts["with other numbers"] += len(others) > 0
            alignment = next((int(o.split("=")[1]) for o in options if o.startswith("--arena-alignment=")), 64)
            try:
                for numbers in [None, *others]:
                    whole = Model(seed, numbers)
                    if numbers and (whole.values.keys() != model.values.keys()
                                    or any((v.size == 0) != (model.values[n].size == 0) for n, v in whole.values.items())):
                        continue # it is another model, or has sizes of 0 that the expected numbers, and thus the plan, do not have
                    for part in [whole, *whole.branches]:
                        graph = run(lib, part, plan, placement, text, options, alignment)
                        if not numbers:
                            count(graph, counts)
            except Wrong as error:
                counts["wrong"] += 1
                print(f"seed {seed}: {' '.join(options)}: {error}\n{model.text()}")


def count(graph, counts):
    counts["branches"] += len(graph["path"]) > 0
    counts["lone parts"] += sum(n["does"] != "kernel" and n["op_type"] in ("Slice", "Gather", "Pad") for n in graph["nodes"])
    counts["that follow"] += any("tensor" in o for o in graph.get("open", []))
    counts["with sums"] += any("+" in str(t["bytes"]) for t in graph["tensors"])
    counts["in place"] += sum("over" in t for t in graph["tensors"])
    counts["with empty tensors"] += any(t["bytes"] == 0 for t in graph["tensors"])
    counts["bytes moved"] += graph["bytes_moved"]
    counts["bytes copied"] += graph["bytes_copied"]
    counts["planned greedily"] += not graph["optimal"]
    counts["with rows apart"] += any(t["strides"] != dense(t) for t in graph["tensors"]
                                  if t["strides"] and all(isinstance(n, int) for n in [*t["strides"], t["bytes"]]) and "dims" not in t)


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
    counts = dict.fromkeys(["models", "branches", "lone parts", "that follow", "with other numbers", "with sums", "with copies of unknown size", "with empty tensors", "with rows apart", "in place", "with caches", "with copies of caches", "planned greedily", "bytes moved", "bytes copied", "without an op", "wrong"], 0)
    for seed in range(first, first + count, BATCH):
        check(splitgen, source_dir, range(seed, min(seed + BATCH, first + count)), counts)
    print(", ".join(f"{n} {what}" for what, n in counts.items()))
    few = any(counts[what] < count // 100 for what in ("with rows apart", "in place", "with sums", "lone parts", "that follow", "with empty tensors", "with caches")) or counts["bytes copied"] >= counts["bytes moved"]
    return 1 if counts["wrong"] > 0 or few else 0


if __name__ == "__main__":
    sys.exit(main())
