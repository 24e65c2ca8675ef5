#!/usr/bin/env python3
"""Random models in which Splits meet Concats, fused: `--ops=all --fuse` against onnx's reference evaluator.

usage: fused_concats.py SPLITGEN SOURCE_DIR COUNT [SEED]

A model cuts a tensor and joins some of the parts in another order, now and then along another axis, beside other inputs and
constants; some parts are read elsewhere, too. Of every kernel of a Concat the parameters say what it reads: tensors of the
model that are made. What it writes is compared with the evaluator's tensor, by its own function and through its descriptor.
Needs the packages onnx and numpy. Exit status 1 where anything differs.
"""
import ctypes, os, random, re, subprocess, sys, tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper, reference

from kernels import library

BATCH = 40
TYPES = {TensorProto.FLOAT: np.float32, TensorProto.FLOAT16: np.float16, TensorProto.UINT8: np.uint8, TensorProto.DOUBLE: np.float64,
         TensorProto.INT64: np.int64}


class Model:
    """One model: its proto, what goes into it, and what it makes."""

    def __init__(self, seed):
        rnd, self.nodes, self.inputs, self.constants = random.Random(seed), [], [], []
        self.type = rnd.choice(list(TYPES))
        self.values = np.random.default_rng(seed)
        rank = rnd.randint(2, 4)
        cut = rnd.randrange(rank)
        joined = cut if rnd.random() < 0.7 else rnd.randrange(rank)
        dims = [rnd.choice([1, 1, 2, 3, 4]) if d < cut else rnd.randint(1, 5) for d in range(rank)]
        lengths = [rnd.randint(1, 4) for _ in range(rnd.randint(2, 6))]
        if joined != cut: # all other dims of what is joined are the same
            lengths = [lengths[0]] * len(lengths)
        dims[cut] = sum(lengths)
        parts = [f"p{i}" for i in range(len(lengths))]
        self.node("Identity", [self.input("x", dims)], ["whole"])
        self.node("Split", ["whole", self.constant("lengths", np.array(lengths, np.int64))], parts, axis=cut)
        chosen = [i for i in range(len(lengths)) if rnd.random() < 0.8] or [0]
        rnd.shuffle(chosen)
        names = [parts[i] for i in chosen]
        shape = dims[:cut] + [lengths[chosen[0]]] + dims[cut + 1:]
        for name in rnd.choices(["other0", "other1", "fixed0", "fixed1"], k=rnd.randint(0, 2)):
            if name not in names:
                names.insert(rnd.randint(0, len(names)), name)
                self.other(name, shape[:joined] + [rnd.randint(1, 4)] + shape[joined + 1:])
        if joined == cut and rnd.random() < 0.2: # as padding does
            names.append("whole")
        self.outputs = ["made"]
        if rnd.random() < 0.3:
            self.node("Identity", [rnd.choice(names)], ["read"])
            self.outputs.append("read")
        self.node("Concat", names, ["made"], axis=joined, name="join")
        self.names = names

    def random_values(self, shape):
        return self.values.integers(0, 200, shape).astype(TYPES[self.type])

    def input(self, name, shape):
        self.inputs.append((name, self.random_values(shape)))
        return name

    def constant(self, name, values):
        self.constants.append((name, values))
        return name

    def other(self, name, shape):
        if name.startswith("fixed"):
            self.constant(name, self.random_values(shape))
        else:
            self.input(name, shape)

    def node(self, *args, **more):
        self.nodes.append(helper.make_node(*args, **more))

    def proto(self):
        infos = [helper.make_tensor_value_info(name, self.type, v.shape) for name, v in self.inputs]
        outputs = [helper.make_empty_tensor_value_info(name) for name in self.outputs]
        constants = [numpy_helper.from_array(v, name) for name, v in self.constants]
        graph = helper.make_graph(self.nodes, "g", infos, outputs, constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)

    def tensors(self):
        """Every tensor of a run by its name."""
        proto = self.proto()
        made = [o for n in proto.graph.node for o in n.output]
        del proto.graph.output[:]
        proto.graph.output.extend(helper.make_empty_tensor_value_info(o) for o in made)
        run = reference.ReferenceEvaluator(proto).run(None, dict(self.inputs))
        return dict(self.inputs) | dict(self.constants) | dict(zip(made, run))


def parameters(text, name):
    """The names of what a C function takes."""
    found = re.search(rf"void {name}\(([^;{{]*)\);", text)
    return [re.split(r"[ *]", p.strip())[-1] for p in found.group(1).split(",")]


def call(lib, name, through, given, like):
    """What a kernel that joins makes of these arrays."""
    made = np.zeros_like(like)
    pointers = [ctypes.c_void_p(g.ctypes.data) for g in given]
    if through == "function":
        getattr(lib, name)(*pointers, ctypes.c_void_p(made.ctypes.data))
        return made
    status = lib.splitgen_join(ctypes.byref(ctypes.c_char.in_dll(lib, name + "_kernel")),
                               (ctypes.c_void_p * len(given))(*pointers), ctypes.c_void_p(made.ctypes.data))
    assert status == 0, f"splitgen_join: status {status}"
    return made


def check(splitgen, source_dir, seeds, counts):
    models = {f"m{seed}_": Model(seed) for seed in seeds}
    with tempfile.TemporaryDirectory() as folder:
        for prefix, model in models.items():
            onnx.save(model.proto(), os.path.join(folder, prefix + ".onnx"))
            subprocess.run([splitgen, "--ops=all", "--fuse", "--prefix", prefix, "-o", prefix + ".c", prefix + ".onnx"],
                           cwd=folder, check=True)
        lib = library(source_dir, folder, list(models), "-O1")
        for prefix, model in models.items():
            with open(os.path.join(folder, prefix + ".c")) as file:
                *names, _ = parameters(file.read(), prefix + "join")
            tensors = model.tensors()
            given = [np.ascontiguousarray(tensors[name]) for name in names]
            counts["models"] += 1
            counts["fused"] += "whole" in names and "whole" not in model.names
            counts["with constants"] += any(name.startswith("fixed") for name in model.names)
            for through in ("function", "descriptor"):
                made = call(lib, prefix + "join", through, given, tensors["made"])
                if made.tobytes() != tensors["made"].tobytes():
                    counts["wrong"] += 1
                    print(f"seed {prefix[1:-1]}: by its {through}, {model.names} -> {names}: other bytes than the evaluator's")


def main():
    splitgen, source_dir, count = os.path.abspath(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    first = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    counts = dict.fromkeys(["models", "fused", "with constants", "wrong"], 0)
    for seed in range(first, first + count, BATCH):
        check(splitgen, source_dir, range(seed, min(seed + BATCH, first + count)), counts)
    print(", ".join(f"{n} {what}" for what, n in counts.items()))
    return 1 if counts["wrong"] > 0 or counts["fused"] < count // 4 else 0


if __name__ == "__main__":
    sys.exit(main())
