#!/usr/bin/env python3
"""Random models run in the arena that --emit=placement plans, against NumPy.

usage: placement.py SPLITGEN SOURCE_DIR COUNT [SEED]

The models are those of combined.py, with Reshapes, Transposes and Identities. Every tensor lies where the JSON says: in the
arena, which begins full of 0xA5, or in a buffer of the caller. Nodes run in order: those that do nothing are left out, kernels
copy what they are said to copy, NumPy does the rest and writes rows that lie apart only for operators that are listed. Before a
node runs every tensor that it reads has to hold what NumPy computes by itself, and the outputs in the end. Needs numpy and a C
compiler. Exit status 1 where anything is wrong.
"""
import json, os, random, subprocess, sys, tempfile

import numpy as np

import combined
from combined import Wrong
from kernels import library

BATCH = 100


class Model(combined.Model):
    def step(self):
        moved = {"transpose": self.transpose, "flatten": self.flatten, "identity": self.identity}
        pool = [name for name in self.dims if name not in self.constants]
        if self.rnd.random() < 0.3:
            self.rnd.choice(list(moved.values()))(pool)
        elif self.rnd.random() < 0.3:
            self.abs(pool)
        else:
            super().step()

    def transpose(self, pool):
        name = self.rnd.choice(pool)
        self.node("Transpose", [name], [(self.dims[name][::-1], self.values[name].T)])

    def flatten(self, pool):
        name = self.rnd.choice(pool)
        dims = self.dims[name]
        if all(isinstance(d, int) for d in dims):
            count = int(np.prod(dims))
            shape = self.rnd.choice([s for s in ([count], [1, count], [dims[0], count // dims[0]], [2, count // 2], [count // 3, 3])
                                     if int(np.prod(s)) == count])
            self.node("Reshape", [name], [(shape, self.values[name].reshape(shape))], detail=self.list(shape))

    def identity(self, pool):
        name = self.rnd.choice(pool)
        self.node("Identity", [name], [(self.dims[name], self.values[name])])


def aligned(size):
    block = np.full(size + 128, 0xA5, np.uint8)
    begin = -block.ctypes.data % 64
    return block[begin:begin + size]


class Memory:
    """The tensors of a run, each where the plan has it."""

    def __init__(self, model, graph):
        self.model = model
        self.places = {tensor["name"]: tensor for tensor in graph["tensors"]}
        arena = aligned(graph["arena"])
        self.buffers = [aligned(b["bytes"]) if b["offset"] is None else arena[b["offset"]:b["offset"] + b["bytes"]] for b in graph["buffers"]]
        if any(len(buffer) != b["bytes"] for buffer, b in zip(self.buffers, graph["buffers"])):
            raise Wrong("a buffer ends behind the arena")
        self.own = {}
        for name in model.inputs + model.constants:
            self.write(name)

    def bytes(self, name):
        """An array over the place of the tensor."""
        values, place = self.model.values[name], self.places.get(name)
        if place is None or place["buffer"] is None: # nothing reads it, or it is a constant
            return self.own.setdefault(name, aligned(values.nbytes).view(values.dtype).reshape(values.shape))
        if place["shape"] != list(values.shape) or place["bytes"] != values.nbytes:
            raise Wrong(f"{name} has another shape")
        return np.ndarray(values.shape, values.dtype, self.buffers[place["buffer"]], place["byte_offset"], place["strides"])

    def read(self, name):
        if self.bytes(name).tobytes() != self.model.values[name].tobytes():
            raise Wrong(f"{name} does not hold what NumPy computes when it is read")

    def write(self, name):
        self.bytes(name)[...] = self.model.values[name]


def run(lib, model, plan, placement, text):
    (graph,) = placement["graphs"]
    memory = Memory(model, graph)
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
            memory.write(tensor)
    for name in model.outputs:
        memory.read(name)
    if sum(model.values[t].nbytes for node in graph["nodes"] for t in node["copies"]) != graph["bytes_copied"]:
        raise Wrong("the bytes that are copied are not those of the copies")
    return graph


def options_of(rnd, model):
    options = ["--ops=all"] + [f"--open={name}={number}" for name, number in model.numbers.items() if f" {name}" in model.text() or f"[{name}" in model.text()]
    options += rnd.choice([[], ["--strided=Abs", "--strided-read=Abs"], ["--strided=Abs,Transpose", "--strided-read=Transpose,Identity,Abs"], ["--strided=Abs,Transpose"], ["--strided-read=Abs,Identity"]])
    return options + rnd.choice([[], [], ["--isa=portable"], ["--optimize=size"]])


def check(splitgen, source_dir, seeds, counts):
    models = {}
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            model, prefix = Model(seed), f"m{seed}_"
            with open(os.path.join(folder, prefix + ".onnxtxt"), "w") as file:
                file.write(model.text())
            options = options_of(random.Random(seed), model)
            made = subprocess.run([splitgen, *options, "--prefix", prefix, "--emit=c,json,placement", "-o", prefix + ".c", prefix + ".onnxtxt"],
                                  cwd=folder, capture_output=True, text=True)
            if made.returncode == 1 and "to generate" in made.stderr:
                counts["without an op"] += 1
            elif made.returncode != 0:
                counts["wrong"] += 1
                print(f"seed {seed}: {' '.join(options)}: exit status {made.returncode}\n{made.stderr}\n{model.text()}")
            else:
                models[prefix] = (seed, model, options)
        lib = library(source_dir, folder, list(models))
        for prefix, (seed, model, options) in models.items():
            def load(name):
                with open(os.path.join(folder, prefix + name)) as file:
                    return file.read()
            counts["models"] += 1
            try:
                graph = run(lib, model, combined.normalise(json.loads(load(".json"))), json.loads(load("_placement.json")), load(".c"))
                counts["bytes moved"] += graph["bytes_moved"]
                counts["bytes copied"] += graph["bytes_copied"]
                counts["planned greedily"] += not graph["optimal"]
                counts["with rows apart"] += any(t["strides"] != dense(t) for t in graph["tensors"] if t["strides"])
            except Wrong as error:
                counts["wrong"] += 1
                print(f"seed {seed}: {' '.join(options)}: {error}\n{model.text()}")


def dense(tensor):
    """The strides of a tensor without gaps, but for dimensions of length 1, which have those of the plan."""
    strides, stride = list(tensor["strides"]), tensor["bytes"] // max(int(np.prod(tensor["shape"])), 1)
    for d in reversed(range(len(strides))):
        if tensor["shape"][d] > 1:
            strides[d] = stride
        stride *= tensor["shape"][d]
    return strides


def main():
    splitgen, source_dir, count = os.path.abspath(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    first = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    counts = dict.fromkeys(["models", "with rows apart", "planned greedily", "bytes moved", "bytes copied", "without an op", "wrong"], 0)
    for seed in range(first, first + count, BATCH):
        check(splitgen, source_dir, range(seed, min(seed + BATCH, first + count)), counts)
    print(", ".join(f"{n} {what}" for what, n in counts.items()))
    few = counts["with rows apart"] < count // 100 or counts["bytes copied"] >= counts["bytes moved"]
    return 1 if counts["wrong"] > 0 or few else 0


if __name__ == "__main__":
    sys.exit(main())
