#!/usr/bin/env python3
"""Makes random models. As a program it compares with ONNX Runtime: shapes and bytes of the Splits that compare.py can
expose.

usage: random_models.py SPLITGEN SOURCE_DIR COUNT [SEED]

Each model is a short program over one input whose sizes are names or nothing: elementwise, shape changing and reducing
operators, reshapes whose arguments come from Shape, Gather, Concat and arithmetic, branches, loops, scans, functions of
the model's own, and Splits whose lengths are attributes, initializers, constants or computed; without value_info. The
random numbers alone decide what a model is: the same seed gives the same models.
The sizes are passed to splitgen, and the kernels are compared with ONNX Runtime. Needs the packages onnx,
onnxruntime and numpy. Exit status 1 if a model is refused, a Split missed, or a byte differs."""
import collections, os, random, re, subprocess, sys, tempfile

import numpy as np
import onnx
from onnx import helper as h, TensorProto as T

FLOATS = [T.FLOAT, T.FLOAT16, T.DOUBLE]
INTS = [T.INT8, T.INT16, T.INT32, T.INT64, T.UINT8, T.UINT16, T.UINT32, T.UINT64, T.BOOL]
NEWEST = onnx.defs.onnx_opset_version()


class Model:
    """Shared by all graphs of one model. Splits: the number of nodes in the model's own graph (`top`) and in all."""

    def __init__(self, rnd, opsets, wild=False):
        """wild: also models that ONNX Runtime does not accept: every type, outputs without a name, lengths that do
        not divide."""
        self.rnd, self.opset, self.wild = rnd, rnd.choice(opsets), wild
        self.n, self.functions, self.top, self.kinds = 0, [], 0, collections.Counter()
        self.type = rnd.choice(FLOATS + INTS + [T.COMPLEX64, T.BFLOAT16]) if wild and rnd.random() < 0.3 else T.FLOAT
        if self.type not in FLOATS and self.opset < 4 or self.type == T.BFLOAT16 and self.opset < 13:
            self.type = T.FLOAT
        self.batch = rnd.choice([1, 2, 3])
        self.shape = [self.batch, rnd.choice([2, 4, 6, 12]), rnd.choice([3, 8, 10])]
        self.root = Body(self, "x", self.shape, self.type, "condition")
        self.root.steps(2, 9)
        while not self.root.split():
            self.root.unsqueeze()
        self.known = self.root.declare(rnd)

    def name(self):
        self.n += 1
        return f"t{self.n}"

    def proto(self):
        inputs = [self.known[0], h.make_tensor_value_info("condition", T.BOOL, [])]
        ir = self.rnd.choice([8, 9, 10]) if self.functions or self.opset >= 9 else 3
        if ir == 3: # initializers also have to be inputs
            inputs += [h.make_tensor_value_info(i.name, i.data_type, i.dims) for i in self.root.initializers]
        outputs = [h.make_tensor_value_info(n, t, [None] * rank) for n, t, rank in self.root.leaves]
        graph = h.make_graph(self.root.nodes, "g", inputs, outputs, self.root.initializers)
        return h.make_model(graph, opset_imports=[h.make_opsetid("", self.opset), h.make_opsetid("local", 1)],
                            functions=self.functions, ir_version=ir)

    def options(self):
        return self.known[1]


class Body:
    """A graph under construction: its current tensor, with shape and type. The first `lead` dims are not changed, so
    that a function can be called with other sizes. If `attributes` is a dict, numbers may become the function's
    attributes."""

    def __init__(self, model, at, shape, type, condition, depth=0, lead=0, attributes=None):
        self.model, self.rnd, self.opset = model, model.rnd, model.opset
        self.at, self.shape, self.type, self.condition = at, list(shape), type, condition
        self.depth, self.lead, self.attributes = depth, lead, attributes
        self.nodes, self.initializers, self.leaves = [], [], []

    def inner(self, at, shape, **changes):
        same = {"type": self.type, "condition": self.condition, "depth": self.depth + 1, "lead": self.lead}
        return Body(self.model, at, shape, **{**same, **changes})

    def steps(self, least, most):
        moves = [self.unary, self.transpose, self.reshape, self.slice, self.concat, self.unsqueeze, self.squeeze,
                 self.gather, self.cast]
        numbers = [self.binary, self.reduce, self.matmul, self.pad]
        newer = [self.tile] * (self.opset >= 6) + [self.expand] * (self.opset >= 8)
        graphs = ([self.branch, self.loop] + [self.scan] * (self.opset >= 9)
                  + [self.call] * 2 * (self.opset >= 7)) * (self.depth < 3)
        for _ in range(self.rnd.randint(least, most)):
            kind = self.rnd.random()
            if kind < 0.25:
                self.split()
            elif kind < 0.4 and graphs:
                self.rnd.choice(graphs)()
            elif kind < 0.6 and self.type in FLOATS[:1]:
                self.rnd.choice(numbers)()
            else:
                self.rnd.choice(moves + newer)()

    def declare(self, rnd):
        """The declaration of the model's input, and the options that give its sizes."""
        at, sizes, style = "x", self.model.shape, rnd.randint(0, 3)
        given = f"{at}=" + ",".join(map(str, sizes))
        if style == 0:
            return h.make_tensor_value_info(at, self.model.type, ["N", "C", "W"]), \
                [w for n, d in zip("NCW", sizes) for w in ("-D", f"{n}={d}")]
        if style == 1 and self.model.wild:
            return h.make_tensor_value_info(at, self.model.type, [None, None, None]), ["--shape", given]
        return h.make_tensor_value_info(at, self.model.type, ["batch", *sizes[1:]]), ["-D", f"batch={self.model.batch}"]

    # Small things

    def axis(self):
        """An axis that may be changed, or None."""
        return self.rnd.randint(self.lead, len(self.shape) - 1) if len(self.shape) > self.lead else None

    def either_way(self, axis, rank=None):
        """The axis, or its negative form, if the operator set has that."""
        return axis - (rank or len(self.shape)) if self.opset >= 11 and self.rnd.random() < 0.4 else axis

    def constant(self, tensor):
        if self.attributes is None and (self.depth == 0 or self.opset >= 9) and self.rnd.random() < 0.5:
            self.initializers.append(tensor)
        else:
            self.nodes.append(h.make_node("Constant", [], [tensor.name], value=tensor))
        return tensor.name

    def ints(self, values, scalar=False):
        """An int64 list as an initializer or a Constant."""
        return self.constant(h.make_tensor(self.model.name(), T.INT64, [] if scalar else [len(values)], values))

    def floats(self, shape):
        return self.constant(h.make_tensor(self.model.name(), T.FLOAT, shape, np.ones(shape, np.float32).flatten()))

    def op(self, kind, inputs, gives=None, outputs=None, called=None, **attributes):
        """Adds one node, whose name begins with its operator or `called`. Returns its output; if `gives` is its
        shape, the graph continues from it."""
        outputs = outputs or [self.model.name()]
        node = h.make_node(kind, inputs, outputs, name=f"{called or kind}_{self.model.name()}",
                           **{k: v for k, v in attributes.items() if v is not None})
        for a in node.attribute:
            if self.attributes is not None and a.type in (a.INT, a.INTS) and self.rnd.random() < 0.3:
                name = f"a{len(self.attributes)}"
                self.attributes[name] = h.get_attribute_value(a)
                a.CopyFrom(onnx.AttributeProto(name=a.name, type=a.type, ref_attr_name=name))
                self.model.kinds["numbers that are a function's attribute"] += 1
        self.nodes.append(node)
        if gives is not None:
            self.at, self.shape = outputs[0], list(gives)
        return outputs[0]

    # Small computations on shapes

    def dim(self, axis):
        """A dimension as a computed list of one, as exporters write it."""
        style = self.rnd.randint(0, 3)
        if style == 3 and self.opset >= 15:
            return self.op("Shape", [self.at], start=axis, end=axis + 1)
        shape = self.op("Shape", [self.at])
        if style == 0:
            one = self.op("Gather", [shape, self.ints([axis], scalar=True)], axis=0)
            if self.rnd.random() < 0.3:
                one = self.op("Cast", [self.op("Floor", [self.op("Cast", [one], to=T.FLOAT)])], to=T.INT64)
            return self.unsqueezed(one, [0])
        if style == 1 and self.opset >= 10:
            return self.op("Slice", [shape, self.ints([axis]), self.ints([axis + 1])])
        if style == 2 and self.model.wild: # a Split of a shape
            outs = [self.model.name() for _ in self.shape]
            self.add_split(shape, outs, [1] * len(outs), 0, 1)
            return outs[axis]
        return self.op("Gather", [shape, self.ints([axis])], axis=0)

    def number(self, value):
        """A list of one with a known value, sometimes computed in a complicated way."""
        style = self.rnd.randint(0, 5)
        if style == 0:
            return self.op("Div", [self.ints([2 * value + 1]), self.ints([2])])
        if style == 1:
            return self.op("Sub", [self.ints([value + 7]), self.ints([7])])
        if style == 2:
            return self.op("Cast", [self.op("Cast", [self.ints([value])], to=T.INT32)], to=T.INT64)
        if style == 3 and self.opset >= 9:
            return self.op("ConstantOfShape", [self.ints([1])], value=h.make_tensor("v", T.INT64, [1], [value]))
        if style == 4:
            return self.op("ReduceProd" if self.opset < 18 else "ReduceMax", [self.ints([value])], keepdims=1)
        return self.ints([value])

    def unsqueezed(self, tensor, axes):
        if self.opset < 13:
            return self.op("Unsqueeze", [tensor], axes=axes)
        return self.op("Unsqueeze", [tensor, self.ints(axes)])

    # Operators

    def unary(self):
        kinds = ["Relu", "Sigmoid", "Neg", "Identity", "Abs"] if self.type in FLOATS else ["Identity"]
        self.op(self.rnd.choice(kinds), [self.at], self.shape)

    def cast(self):
        if self.opset < 6 or not self.model.wild or self.type == T.COMPLEX64:
            return
        self.type = self.rnd.choice(FLOATS * 3 + INTS + [T.BFLOAT16] * (self.opset >= 13))
        self.op("Cast", [self.at], self.shape, to=self.type)

    def binary(self):
        other = self.shape[self.rnd.randint(self.lead, len(self.shape)):]
        if self.opset < 7: # as in Caffe: the shape of the other is a suffix
            if other:
                self.op(self.rnd.choice(["Add", "Mul", "Sub"]), [self.at, self.floats(other)], self.shape, broadcast=1)
            return
        other = [1 if self.rnd.random() < 0.5 else d for d in other] if self.rnd.random() < 0.7 else []
        self.op(self.rnd.choice(["Add", "Mul", "Sub"]), [self.at, self.floats(other)], self.shape)

    def transpose(self):
        order = list(range(self.lead, len(self.shape)))
        self.rnd.shuffle(order)
        order = list(range(self.lead)) + order
        self.op("Transpose", [self.at], [self.shape[i] for i in order], perm=order)

    def reshape(self):
        """Merges two dims into one, or divides one into two."""
        if len(self.shape) < 2 + self.lead or self.opset < 5 and self.type != T.FLOAT:
            return
        i = self.rnd.randint(self.lead, len(self.shape) - 2)
        merged = self.shape[:i] + [self.shape[i] * self.shape[i + 1]] + self.shape[i + 2:]
        style = self.rnd.randint(0, 3) if self.opset >= 7 else 0
        if style == 0 or 0 in merged: # one that the operator computes
            target = [0] * i + [-1] + self.shape[i + 2:]
            if 0 in merged or self.lead and i + 2 < self.lead:
                return
            if self.opset < 5:
                self.op("Reshape", [self.at], merged, shape=target)
                return
            target = self.ints(target)
        elif style == 3: # into two, one of them a number
            d = self.shape[i]
            factor = self.rnd.choice([f for f in range(1, d + 1) if d % f == 0])
            merged = self.shape[:i] + [factor, d // factor] + self.shape[i + 1:]
            parts = [self.dim(j) for j in range(i)] + [self.number(factor),
                     self.op("Div", [self.dim(i), self.number(factor)])] + [self.dim(j) for j in range(i + 1, len(self.shape))]
            target = self.op("Concat", parts, called="Sizes", axis=0)
        else:
            parts = []
            for j in range(len(self.shape)):
                if j == i:
                    parts.append(self.op("Mul", [self.dim(j), self.dim(j + 1)]) if style == 1 else self.ints([-1]))
                elif j != i + 1:
                    parts.append(self.dim(j))
            target = self.op("Concat", parts, called="Sizes", axis=0)
        self.op("Reshape", [self.at, target], merged)

    def slice(self):
        axis = self.axis()
        if axis is None or self.shape[axis] < 3:
            return
        begin, step = self.rnd.randint(0, 1), self.rnd.choice([1, 1, 2]) if self.opset >= 10 else 1
        shape = self.shape[:axis] + [(self.shape[axis] - begin + step - 1) // step] + self.shape[axis + 1:]
        if self.opset < 10:
            self.op("Slice", [self.at], shape, starts=[begin], ends=[self.rnd.choice([2**31 - 1, self.shape[axis]])],
                    axes=[axis])
            return
        end = self.dim(axis) if self.rnd.random() < 0.5 else self.ints([2**31 - 1])
        self.op("Slice", [self.at, self.ints([begin]), end, self.ints([axis]), self.ints([step])], shape)

    def concat(self):
        axis = self.axis()
        if axis is not None and (self.opset >= 4 or self.type in FLOATS):
            if self.model.wild:
                return self.join(axis)
            shape = self.shape[:axis] + [2 * self.shape[axis]] + self.shape[axis + 1:]
            self.op("Concat", [self.at, self.at], shape, axis=self.either_way(axis))

    def join(self, axis):
        """Up to four tensors: the current one, once or more, slices of it, empty ones, constants and concatenated
        constants."""
        parts, length = [self.at], self.shape[axis]
        for _ in range(self.rnd.randint(0, 3)):
            kind = self.rnd.random()
            if kind < 0.3 and self.shape[axis] > 1 and self.opset >= 10:
                begin = self.rnd.randint(0, self.shape[axis] - 1)
                end = self.rnd.randint(begin, self.shape[axis]) # empty, if they are equal
                parts.append(self.op("Slice", [self.at, self.ints([begin]), self.ints([end]), self.ints([axis])]))
                length += end - begin
            elif kind < 0.6 and self.type == T.FLOAT and self.lead == 0:
                shape = self.shape[:axis] + [self.rnd.choice([1, 2, 3])] + self.shape[axis + 1:]
                parts.append(self.floats(shape))
                self.model.kinds["joined constants"] += 1
                if self.rnd.random() < 0.3:
                    parts[-1] = self.op("Concat", [parts[-1]] * 2, called="Weights", axis=axis)
                    shape[axis] *= 2
                length += shape[axis]
            else:
                parts.append(self.at)
                length += self.shape[axis]
        self.rnd.shuffle(parts)
        self.model.kinds["Concats"] += 1
        self.op("Concat", parts, self.shape[:axis] + [length] + self.shape[axis + 1:],
                axis=None if self.opset < 4 and axis == 1 and self.rnd.random() < 0.5 else self.either_way(axis))

    def gather(self):
        axis = self.axis()
        if axis is None or self.shape[axis] == 0:
            return
        index = [self.rnd.randint(0, self.shape[axis] - 1) for _ in range(self.rnd.randint(1, 4))]
        scalar = len(index) == 1 and len(self.shape) > 1 and self.rnd.random() < 0.5
        shape = self.shape[:axis] + [len(index)] * (not scalar) + self.shape[axis + 1:]
        self.op("Gather", [self.at, self.ints(index, scalar)], shape, axis=self.either_way(axis))

    def reduce(self):
        axis = self.axis()
        if len(self.shape) < 3 or axis is None or self.shape[axis] == 0:
            return
        keep, kind = self.rnd.randint(0, 1), self.rnd.choice(["ReduceMax", "ReduceMean", "ReduceSum"])
        shape = self.shape[:axis] + [1] * keep + self.shape[axis + 1:]
        if self.opset >= (13 if kind == "ReduceSum" else 18):
            self.op(kind, [self.at, self.ints([axis])], shape, keepdims=keep)
        else:
            self.op(kind, [self.at], shape, keepdims=keep, axes=[axis])

    def unsqueeze(self):
        if len(self.shape) > 4:
            return
        axis = self.rnd.randint(self.lead, len(self.shape))
        shape = self.shape[:axis] + [1] + self.shape[axis:]
        self.at, self.shape = self.unsqueezed(self.at, [axis]), shape

    def squeeze(self):
        ones = [i for i, d in enumerate(self.shape) if d == 1 and i >= self.lead]
        if not ones or len(self.shape) < 2:
            return
        axis = self.rnd.choice(ones)
        shape = self.shape[:axis] + self.shape[axis + 1:]
        if self.opset < 13:
            self.op("Squeeze", [self.at], shape, axes=[axis])
        else:
            self.op("Squeeze", [self.at, self.ints([axis])], shape)

    def tile(self):
        counts = [self.rnd.choice([1, 1, 2]) if i >= self.lead else 1 for i in range(len(self.shape))]
        self.op("Tile", [self.at, self.ints(counts)], [a * b for a, b in zip(self.shape, counts)])

    def expand(self):
        shape = [self.rnd.choice([1, 2]) if d == 1 and i >= self.lead else d for i, d in enumerate(self.shape)]
        parts = [self.number(b) if i >= self.lead and a == 1 else self.ints([1]) for i, (a, b) in enumerate(zip(self.shape, shape))]
        self.op("Expand", [self.at, self.op("Concat", parts, called="Sizes", axis=0)], shape)

    def pad(self):
        before, after = [[self.rnd.choice([0, 0, 1]) if i >= self.lead else 0 for i in range(len(self.shape))] for _ in range(2)]
        shape = [a + b + c for a, b, c in zip(self.shape, before, after)]
        if self.opset >= 11:
            self.op("Pad", [self.at, self.ints(before + after)], shape)
        elif self.opset >= 2:
            self.op("Pad", [self.at], shape, pads=before + after)
        else:
            self.op("Pad", [self.at], shape, paddings=before + after)

    def matmul(self):
        if len(self.shape) >= 2 + self.lead // 2 and len(self.shape) > self.lead:
            width = self.rnd.choice([2, 4, 9])
            self.op("MatMul", [self.at, self.floats([self.shape[-1], width])], self.shape[:-1] + [width])

    # Graphs in graphs

    def closed(self, body, inputs, outputs):
        return h.make_graph(body.nodes, self.model.name(), inputs,
                            [h.make_tensor_value_info(n, t, None) for n, t in outputs], body.initializers)

    def branch(self):
        """Both branches have the same shape: the second repeats the first, or does something else and then gives a
        constant."""
        self.model.kinds["If"] += 1
        bodies, state = [], self.rnd.getstate()
        for which in range(2):
            body = self.inner(self.at, self.shape)
            if which and self.opset >= 9 and not self.lead and bodies[0].type == T.FLOAT and self.rnd.random() < 0.5:
                body.steps(1, 3)
                target = body.constant(h.make_tensor(self.model.name(), T.INT64, [len(bodies[0].shape)], bodies[0].shape))
                body.type = T.FLOAT
                body.op("ConstantOfShape", [target], bodies[0].shape)
            else:
                self.rnd.setstate(state)
                body.steps(1, 4)
            if not body.nodes:
                body.op("Identity", [body.at], body.shape)
            bodies.append(body)
        out, (yes, no) = self.model.name(), bodies
        self.at, self.shape, self.type = self.op(
            "If", [self.condition], outputs=[out], then_branch=self.closed(yes, [], [(yes.at, yes.type)]),
            else_branch=self.closed(no, [], [(no.at, no.type)])), yes.shape, yes.type

    def loop(self):
        """The state is constant, and results computed from it are stacked."""
        self.model.kinds["Loop"] += 1
        iterations, state, i, go = self.rnd.randint(1, 3), self.model.name(), self.model.name(), self.model.name()
        body = self.inner(state if self.rnd.random() < 0.7 else self.at, self.shape)
        kept = body.op("Identity", [state])
        body.steps(1, 4)
        if body.at in (state, self.at):
            body.op("Identity", [body.at], body.shape)
        inputs = [h.make_tensor_value_info(i, T.INT64, []), h.make_tensor_value_info(go, T.BOOL, []),
                  h.make_tensor_value_info(state, self.type, None)]
        on = body.op("Identity", [go])
        graph = self.closed(body, inputs, [(on, T.BOOL), (kept, self.type), (body.at, body.type)])
        true = self.constant(h.make_tensor(self.model.name(), T.BOOL, [], [True]))
        final, stacked = self.model.name(), self.model.name()
        self.op("Loop", [self.ints([iterations], scalar=True), true, self.at], outputs=[final, stacked], body=graph)
        if self.lead or len(body.shape) > 4 or self.rnd.random() < 0.5:
            self.at = final
        else:
            self.at, self.shape, self.type = stacked, [iterations, *body.shape], body.type

    def scan(self):
        axis = self.axis() if not self.model.wild else None if self.lead else 0 # onnx evaluates only those of axis 0
        if axis is None or len(self.shape) < 2 or self.shape[axis] == 0:
            return
        self.model.kinds["Scan"] += 1
        item, length = self.model.name(), self.shape[axis]
        body = self.inner(item, self.shape[:axis] + self.shape[axis + 1:])
        body.op("Identity", [item], body.shape)
        body.steps(1, 4)
        graph = self.closed(body, [h.make_tensor_value_info(item, self.type, None)], [(body.at, body.type)])
        out = 0 if self.model.wild else self.rnd.randint(self.lead, len(body.shape))
        self.type = body.type
        self.op("Scan", [self.at], body.shape[:out] + [length] + body.shape[out:], body=graph, num_scan_inputs=1,
                scan_input_axes=[axis], scan_output_axes=[out])

    def call(self):
        """A function of the model, called with two shapes."""
        if not self.shape or self.shape[0] == 0 or self.lead > 1:
            return
        self.model.kinds["function"] += 1
        name, x, condition = f"F_{self.model.name()}", self.model.name(), self.model.name()
        body = self.inner(x, self.shape, lead=1, condition=condition, attributes={})
        body.steps(1, 4)
        body.split()
        if not body.nodes or body.at == x:
            body.op("Identity", [x], body.shape)
        imports = [h.make_opsetid("", self.opset), h.make_opsetid("local", 1)]
        defaults, given = [], {}
        for key, value in body.attributes.items():
            if self.rnd.random() < 0.3 and self.opset >= 9:
                defaults.append(h.make_attribute(key, value))
            else:
                given[key] = value
        self.model.functions.append(h.make_function("local", name, [x, condition], [body.at], body.nodes, imports,
                                                    list(given), defaults))
        second = self.op("Concat", [self.at, self.at], axis=0) if not self.lead and \
            (self.opset >= 4 or self.type in FLOATS) else None
        if second:
            self.model.kinds["function called with two shapes"] += 1
            twice = self.op(name, [second, self.condition], domain="local", **given)
        self.type = body.type
        self.op(name, [self.at, self.condition], body.shape, domain="local", **given)
        if second and self.rnd.random() < 0.5:
            self.at, self.shape = twice, [2 * body.shape[0], *body.shape[1:]]

    # The Split

    def split(self):
        axis = self.axis()
        if axis is None or self.opset < 2 and self.type not in FLOATS:
            return False
        dim, count = self.shape[axis], self.rnd.choice([1, 2, 2, 3, 4])
        wild = self.model.wild
        if self.opset >= 18 and wild and dim and self.rnd.random() < 0.2: # the last is smaller, or empty
            size = -(-dim // count)
            lengths = [min(max(dim - i * size, 0), size) for i in range(count)]
            equal = True
        else:
            equal = dim % count == 0 and self.rnd.random() < 0.4
            cuts = [self.rnd.randint(0, dim) for _ in range(count - 1)] if wild and self.rnd.random() < 0.1 else \
                self.rnd.sample(range(1, dim), count - 1) if count <= dim else None
            if not equal and cuts is None:
                return False
            cuts = sorted(cuts or [])
            lengths = [dim // count] * count if equal else [b - a for a, b in zip([0] + cuts, cuts + [dim])]
        outs = [self.model.name() for _ in lengths]
        went = self.add_split(self.at, outs, lengths, axis, len(self.shape), equal)
        i = self.rnd.choice(went)
        self.at, self.shape = outs[i], self.shape[:axis] + [lengths[i]] + self.shape[axis + 1:]
        self.leaves += [(outs[i], self.type, len(self.shape))]
        return True

    def add_split(self, tensor, outs, lengths, axis, rank, equal=False):
        """Adds the node. Returns which of its outputs have a name."""
        kinds, attributes, inputs = self.model.kinds, {}, [tensor]
        attributes["axis"] = self.either_way(axis, rank) if axis or self.rnd.random() < 0.5 or self.opset == 1 else None
        if equal:
            kinds["equal parts"] += 1
            attributes["num_outputs"] = len(outs) if self.opset >= 18 else None
        elif self.opset < 13:
            kinds["lengths as an attribute"] += 1
            attributes["split"] = lengths
        elif self.rnd.random() < 0.4 and len(outs) > 1 and tensor == self.at: # the rest, computed
            kinds["lengths computed"] += 1
            rest = self.op("Sub", [self.dim(axis), self.number(sum(lengths[:-1]))])
            inputs.append(self.op("Concat", [self.ints(lengths[:-1]), rest], called="Sizes", axis=0))
        else:
            kinds["lengths as a constant"] += 1
            inputs.append(self.ints(lengths))
        named = list(range(len(outs)))
        if self.model.wild and len(outs) > 2 and tensor == self.at and self.rnd.random() < 0.1:
            kinds["an output without a name"] += 1
            named.pop(self.rnd.randint(0, len(outs) - 2))
        self.op("Split", inputs, outputs=[o if i in named else "" for i, o in enumerate(outs)], **attributes)
        self.model.top += self.depth == 0
        return named


def main():
    splitgen, source_dir, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    rnd = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    compare = os.path.join(os.path.dirname(os.path.abspath(__file__)), "compare.py")
    splits = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(1, count + 1):
            model = Model(rnd, [11, 12, 13, 15, 17, 18])
            path = folder + f"/m{number}.onnx"
            onnx.save(model.proto(), path)
            splits += model.top
            r = subprocess.run([sys.executable, compare, splitgen, source_dir, path, *model.options(), "--", "condition=1,0"],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            kernels = re.search(r": (\d+) kernels, 0 wrong", r.stdout)
            if r.returncode != 0 or not kernels or int(kernels[1]) < model.top:
                wrong += 1
                print(f"model {number} of seed {sys.argv[4:] or 1}: {model.top} Splits\n" + r.stdout[:1500])
                os.rename(path, f"failed_{number}.onnx")
            else:
                os.unlink(path)
    print(f"{count} models with {splits} Splits, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
