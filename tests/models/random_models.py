#!/usr/bin/env python3
"""Random models against ONNX Runtime: shapes and bytes of every Split.

usage: random_models.py SPLITGEN SOURCE_DIR COUNT [SEED]

Each model is a short program over one float input whose batch has no number: elementwise, shape changing and reducing
operators, reshapes whose arguments come from Shape, Gather, Concat and arithmetic, branches, and Splits whose lengths are
attributes, initializers, constants or computed, at opsets 11 to 18 and without value_info.
splitgen is told the batch; the kernels are compared with what ONNX Runtime gives. Needs the packages onnx,
onnxruntime and numpy. Exit status 1 where a model is refused, a Split missed, or a byte differs.
"""
import os, random, subprocess, sys, tempfile

import numpy as np
import onnx
from onnx import helper as h, TensorProto as T


class Model:
    def __init__(self, rnd):
        self.rnd, self.opset = rnd, rnd.choice([11, 12, 13, 15, 17, 18])
        self.nodes, self.initializers, self.splits, self.n = [], [], 0, 0
        self.batch = rnd.choice([1, 2, 3])
        self.shape = [self.batch, rnd.choice([2, 4, 6, 12]), rnd.choice([3, 8, 10])]
        self.input = h.make_tensor_value_info("x", T.FLOAT, ["batch", *self.shape[1:]])
        self.at, self.leaves = "x", []
        for _ in range(rnd.randint(2, 9)):
            rnd.choice([self.unary, self.binary, self.transpose, self.reshape, self.slice, self.concat, self.reduce,
                        self.unsqueeze, self.tile, self.pad, self.matmul, self.split, self.split, self.branch])()
        self.split()

    def name(self):
        self.n += 1
        return f"t{self.n}"

    def ints(self, values):
        """An int64 list as the model may have it: an initializer, or a Constant."""
        name = self.name()
        tensor = h.make_tensor(name, T.INT64, [len(values)], values)
        if self.rnd.random() < 0.5:
            self.initializers.append(tensor)
        else:
            self.nodes.append(h.make_node("Constant", [], [name], value=tensor))
        return name

    def op(self, kind, inputs, shape=None, **attributes):
        out = self.name()
        self.nodes.append(h.make_node(kind, inputs, [out], name=f"n{self.n}", **attributes))
        if shape is not None:
            self.at, self.shape = out, shape
        return out

    def unary(self):
        self.op(self.rnd.choice(["Relu", "Sigmoid", "Neg", "Identity", "Abs"]), [self.at], self.shape)

    def binary(self):
        other = [1 if self.rnd.random() < 0.5 else d for d in self.shape][self.rnd.randint(0, len(self.shape) - 1):]
        other = other if self.rnd.random() < 0.7 else []
        if self.batch in other and len(other) == len(self.shape):
            other[0] = 1
        name = self.name()
        self.initializers.append(h.make_tensor(name, T.FLOAT, other, np.ones(other, np.float32).flatten()))
        self.op(self.rnd.choice(["Add", "Mul", "Sub"]), [self.at, name], self.shape)

    def transpose(self):
        order = list(range(len(self.shape)))
        self.rnd.shuffle(order)
        self.op("Transpose", [self.at], [self.shape[i] for i in order], perm=order)

    def dim(self, axis):
        """A dimension as a computed list of one."""
        shape = self.op("Shape", [self.at])
        return self.op("Gather", [shape, self.ints([axis])], axis=0)

    def reshape(self):
        if len(self.shape) < 2:
            return
        i = self.rnd.randint(0, len(self.shape) - 2)
        merged = self.shape[:i] + [self.shape[i] * self.shape[i + 1]] + self.shape[i + 2:]
        style = self.rnd.randint(0, 2)
        if style == 0: # one that is left to the operator
            target = self.ints([0] * i + [-1] + [self.shape[j] for j in range(i + 2, len(self.shape))])
        else:
            parts = []
            for j in range(len(self.shape)):
                if j == i:
                    parts.append(self.op("Mul", [self.dim(j), self.dim(j + 1)]) if style == 1 else self.ints([-1]))
                elif j != i + 1:
                    parts.append(self.dim(j))
            target = self.op("Concat", parts, axis=0)
        self.op("Reshape", [self.at, target], merged)

    def slice(self):
        axis = self.rnd.randint(0, len(self.shape) - 1)
        if self.shape[axis] < 3:
            return
        begin, step = self.rnd.randint(0, 1), self.rnd.choice([1, 1, 2])
        size = (self.shape[axis] - begin + step - 1) // step
        end = self.dim(axis) if self.rnd.random() < 0.5 else self.ints([2**31 - 1])
        shape = self.shape[:axis] + [size] + self.shape[axis + 1:]
        self.op("Slice", [self.at, self.ints([begin]), end, self.ints([axis]), self.ints([step])], shape)

    def concat(self):
        axis = self.rnd.randint(-len(self.shape), len(self.shape) - 1)
        shape = list(self.shape)
        shape[axis] *= 2
        self.op("Concat", [self.at, self.at], shape, axis=axis)

    def reduce(self):
        if len(self.shape) < 3:
            return
        axis, keep = self.rnd.randint(0, len(self.shape) - 1), self.rnd.randint(0, 1)
        shape = self.shape[:axis] + [1] * keep + self.shape[axis + 1:]
        self.op("ReduceMax" if self.opset < 18 else "ReduceMean",
                [self.at] + ([self.ints([axis])] if self.opset >= 18 else []), shape, keepdims=keep,
                **({"axes": [axis]} if self.opset < 18 else {}))

    def unsqueeze(self):
        if len(self.shape) > 4:
            return
        axis = self.rnd.randint(0, len(self.shape))
        shape = self.shape[:axis] + [1] + self.shape[axis:]
        if self.opset < 13:
            self.op("Unsqueeze", [self.at], shape, axes=[axis])
        else:
            self.op("Unsqueeze", [self.at, self.ints([axis])], shape)

    def tile(self):
        counts = [self.rnd.choice([1, 1, 2]) for _ in self.shape]
        self.op("Tile", [self.at, self.ints(counts)], [a * b for a, b in zip(self.shape, counts)])

    def pad(self):
        before, after = [[self.rnd.choice([0, 0, 1]) for _ in self.shape] for _ in range(2)]
        self.op("Pad", [self.at, self.ints(before + after)], [a + b + c for a, b, c in zip(self.shape, before, after)])

    def matmul(self):
        if len(self.shape) < 2:
            return
        name, width = self.name(), self.rnd.choice([2, 4, 9])
        self.initializers.append(h.make_tensor(name, T.FLOAT, [self.shape[-1], width],
                                               np.ones(self.shape[-1] * width, np.float32)))
        self.op("MatMul", [self.at, name], self.shape[:-1] + [width])

    def branch(self):
        """Both branches give the same shape."""
        condition, out = self.name(), self.name()
        self.initializers.append(h.make_tensor(condition, T.BOOL, [], [True]))
        bodies = [h.make_graph([h.make_node(kind, [self.at], [f"{out}_{kind}"])], kind, [],
                               [h.make_tensor_value_info(f"{out}_{kind}", T.FLOAT, None)]) for kind in ("Relu", "Neg")]
        self.nodes.append(h.make_node("If", [condition], [out], then_branch=bodies[0], else_branch=bodies[1]))
        self.at = out

    def split(self):
        axis = self.rnd.randint(0, len(self.shape) - 1)
        dim, count = self.shape[axis], self.rnd.choice([1, 2, 2, 3])
        if dim < count:
            return
        cuts = sorted(self.rnd.sample(range(1, dim), count - 1)) if count > 1 else []
        lengths = [b - a for a, b in zip([0] + cuts, cuts + [dim])]
        outs = [self.name() for _ in lengths]
        inputs, attributes = [self.at], {"axis": axis - (len(self.shape) if self.rnd.random() < 0.4 else 0)}
        if dim % count == 0 and self.rnd.random() < 0.4:
            lengths = [dim // count] * count
            if self.opset >= 18:
                attributes["num_outputs"] = count
        elif self.opset < 13:
            attributes["split"] = lengths
        elif self.rnd.random() < 0.4 and count > 1: # what is left, by arithmetic
            rest = self.op("Sub", [self.dim(axis), self.ints([sum(lengths[:-1])])])
            inputs.append(self.op("Concat", [self.ints(lengths[:-1]), rest], axis=0))
        else:
            inputs.append(self.ints(lengths))
        self.nodes.append(h.make_node("Split", inputs, outs, name=f"split_{self.n}", **attributes))
        self.splits += 1
        self.leaves += outs
        i = self.rnd.randint(0, len(outs) - 1)
        self.at, self.shape = outs[i], self.shape[:axis] + [lengths[i]] + self.shape[axis + 1:]

    def proto(self):
        outputs = [h.make_tensor_value_info(n, T.FLOAT, None) for n in self.leaves]
        graph = h.make_graph(self.nodes, "g", [self.input], outputs, self.initializers)
        return h.make_model(graph, opset_imports=[h.make_opsetid("", self.opset)], ir_version=8)


def main():
    splitgen, source_dir, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    rnd = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    compare = os.path.join(os.path.dirname(os.path.abspath(__file__)), "compare.py")
    models = splits = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        while models < count:
            model = Model(rnd)
            if model.splits == 0:
                continue
            path = folder + f"/m{models}.onnx"
            onnx.save(model.proto(), path)
            models, splits = models + 1, splits + model.splits
            r = subprocess.run([sys.executable, compare, splitgen, source_dir, path, "-D", f"batch={model.batch}"],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if r.returncode != 0 or f": {model.splits} kernels, 0 wrong" not in r.stdout:
                wrong += 1
                print(f"model {models} of seed {sys.argv[4:] or 1}: {model.splits} Splits\n" + r.stdout[:1500])
                os.rename(path, f"failed_{models}.onnx")
            else:
                os.unlink(path)
    print(f"{models} models with {splits} Splits, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
