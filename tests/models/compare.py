#!/usr/bin/env python3
"""Compares the kernels of a model with ONNX Runtime, byte by byte.

usage: compare.py SPLITGEN SOURCE_DIR MODEL [OPTION OF SPLITGEN ...] [-- INPUT=NUMBER,... dim:DIM=NUMBER,... ...]

The input and outputs of every Split become outputs of the model: in a Loop for each iteration, in an If for the
branch that is taken; those in functions and Scans are left out. The model runs on random inputs without
optimisation, or on inputs filled with the numbers after --, once for each; for dims these numbers are their lengths,
and open dims are otherwise 3. Each kernel, compiled by cc, is called on its Split's tensors from the model. Needs
the packages onnx, onnxruntime and numpy. Exit status 1 if a shape or a byte differs, or if a Split has no kernel or
never ran."""
import json, os, subprocess, sys, tempfile

import numpy as np
import onnx
import onnxruntime
from onnx import helper

from calls import call, fits, library

ELEMENTS = {"f32": 1, "u8": 2, "i8": 3, "u16": 4, "i16": 5, "i32": 6, "i64": 7, "bool": 9, "f16": 10, "f64": 11}
TYPES = {"tensor(float)": np.float32, "tensor(float16)": np.float16, "tensor(double)": np.float64,
         "tensor(int64)": np.int64, "tensor(int32)": np.int32, "tensor(bool)": np.bool_, "tensor(uint8)": np.uint8}


class Exposed:
    """A model whose Splits have their tensors among its outputs, and the kernels of these Splits."""

    def __init__(self, model, kernels):
        self.kernels, self.found, self.missed, self.count = kernels, [], [], 0
        self.show(model.graph, [], 0)
        for k, names, _ in self.found:
            self.give(model.graph, k, names)

    def show(self, graph, path, loops):
        """Adds copies of the tensors of each Split in a graph and in the bodies of its nodes; those in bodies become
        outputs of their nodes."""
        for node in list(graph.node):
            if node.op_type == "Split":
                k = next((k for k in self.kernels if k["path"] == path and k["input"]["tensor"] == node.input[0] and all(
                    o["tensor"] in node.output for o in k["outputs"])), None)
                if k is None:
                    self.missed.append(node.name or node.output[0])
                    continue
                names = []
                for tensor in [node.input[0]] + [o["tensor"] for o in k["outputs"]]:
                    self.count += 1
                    names.append(f"exposed_{self.count}")
                    graph.node.append(helper.make_node("Identity", [tensor], [names[-1]]))
                self.found.append((k, names, loops))
            if node.op_type not in ("If", "Loop"):
                continue
            bodies = [a.g for a in node.attribute if a.type == onnx.AttributeProto.GRAPH]
            before = len(self.found)
            ends = [before]
            for body in bodies:
                self.show(body, path + [node.name or node.op_type], loops + (node.op_type == "Loop"))
                ends.append(len(self.found))
            while node.op_type == "Loop" and len(node.output) < len(bodies[0].output) - 1:
                node.output.append("")
            for at in range(before, len(self.found)):
                k, names, depth = self.found[at]
                for n, body in enumerate(bodies):
                    if not ends[n] <= at < ends[n + 1]: # the other branch has none
                        nothing = helper.make_tensor("", ELEMENTS[k["dtype"]], [0], [])
                        body.node.extend(helper.make_node("Constant", [], [name], value=nothing) for name in names)
                    self.give(body, k, names)
                outer = [name + "_" for name in names]
                node.output.extend(outer)
                self.found[at] = k, outer, depth

    def give(self, graph, kernel, names):
        graph.output.extend(helper.make_tensor_value_info(n, ELEMENTS[kernel["dtype"]], None) for n in names)

    def calls(self, session, inputs):
        """The tensors of each Split in one run of the model: (kernel, input, outputs), ..., for each iteration of a
        loop."""
        wanted = [n for _, names, _ in self.found for n in names]
        tensors = dict(zip(wanted, session.run(wanted, inputs)))
        for k, names, loops in self.found:
            turns = [tensors[n] for n in names]
            if turns[0].shape == (0,): # a branch that was not taken
                continue
            for data, *expected in zip(*(t.reshape(-1, *t.shape[loops:]) if loops else t[None] for t in turns)):
                yield k, np.ascontiguousarray(data), expected


def start(model, folder):
    """A session of ONNX Runtime without optimisations of the model."""
    onnx.save(model, folder + "/exposed.onnx")
    how = onnxruntime.SessionOptions()
    how.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    how.log_severity_level = 4
    return onnxruntime.InferenceSession(folder + "/exposed.onnx", how, providers=["CPUExecutionProvider"])


def equal(made, expected):
    """Compares the outputs of a kernel and of the model: shapes and bytes."""
    return len(made) == len(expected) and all(m.shape == e.shape and m.tobytes() == e.tobytes() for m, e in zip(made, expected))


def feed(session, options, given):
    """Random inputs, with shapes from the options or the model; inputs given on the command line are filled with one
    number."""
    shapes, dims, random = {}, {}, np.random.default_rng(1)
    for name, value in zip(options, options[1:] + [""]):
        if name == "--shape":
            tensor, _, text = value.rpartition("=")
            shapes[tensor] = [int(d) for d in text.split(",") if d]
        elif name == "-D":
            key, _, number = value.partition("=")
            dims[key] = int(number)
    inputs = {}
    dims |= {name[len("dim:"):]: int(number) for name, number in given.items() if name.startswith("dim:")}
    for i in session.get_inputs():
        shape = shapes.get(i.name, [d if isinstance(d, int) else dims.get(d, 3) for d in i.shape])
        kind = TYPES[i.type]
        if i.name in given:
            inputs[i.name] = np.full(shape, given[i.name], kind)
        elif np.issubdtype(kind, np.floating):
            inputs[i.name] = random.random(shape).astype(kind)
        else: # rates, lengths and conditions: values that every model accepts
            inputs[i.name] = np.full(shape, 16000 if kind == np.int64 else 1, kind)
    return inputs


def main():
    splitgen, source_dir, path, options = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
    given = {}
    if "--" in options:
        at = options.index("--")
        given = {name: numbers.split(",") for name, _, numbers in (o.partition("=") for o in options[at + 1:])}
        options = options[:at]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([splitgen, *options, "--emit=c,json", "-o", folder + "/model.c", path], check=True)
        kernels = json.load(open(folder + "/model.json"))["kernels"]
        lib = library(source_dir, folder, ["model"])
        model = onnx.load(path)
        exposed = Exposed(model, kernels)
        session = start(model, folder)
        compared, wrong = set(), set()
        for run in range(max(map(len, given.values()), default=1)):
            inputs = feed(session, options, {name: float(n[min(run, len(n) - 1)]) for name, n in given.items()})
            for k, data, expected in exposed.calls(session, inputs):
                compared.add(k["name"])
                if not fits(k, data) or not equal(call(lib, k, data), expected):
                    wrong.add(k["name"])
                    print(f"{k['name']}: {k['input']['shape']}, the model has {list(data.shape)}: differs")
        for name in sorted({k["name"] for k, _, _ in exposed.found} - compared):
            print(f"{name}: never ran")
        for name in exposed.missed:
            print(f"{name}: has no kernel")
        print(f"{os.path.basename(path)}: {len(compared)} kernels, {len(wrong)} wrong")
        return 1 if wrong or exposed.missed or not compared or len(compared) < len(exposed.found) else 0


if __name__ == "__main__":
    sys.exit(main())
