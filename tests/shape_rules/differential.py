#!/usr/bin/env python3
"""Compares the shape rules with the onnx package, on random nodes.

    python3 -m venv V && V/bin/pip install onnx numpy
    V/bin/python tests/shape_rules/differential.py [--cases 200] [--seed 1] [--only Conv,Split]

For every operator, random inputs and attributes. Three questions:
  - where onnx.shape_inference knows a dim or a type, does the rule say the same;
  - where everything is known, do the shape and the values of the rule agree with what onnx's
    reference evaluator calculates;
  - with dims and elements hidden from the rule, is what it still claims right?
onnx works in a child process: its inference can end the process.
"""
import argparse
import json
import math
import multiprocessing
import os
import random
import re
import subprocess
import sys
import tempfile
import warnings

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HERE = os.path.dirname(os.path.abspath(__file__))
RULES = os.path.join(HERE, "..", "..", "generator", "frontend", "graph")
NUMPY = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "i64": np.int64, "i32": np.int32,
         "i16": np.int16, "i8": np.int8, "u8": np.uint8, "u16": np.uint16, "u32": np.uint32,
         "u64": np.uint64, "bool": np.bool_, "string": object, "c64": np.complex64}
ENUM = {"f32": 1, "u8": 2, "i8": 3, "u16": 4, "i16": 5, "i32": 6, "i64": 7, "string": 8, "bool": 9,
        "f16": 10, "f64": 11, "u32": 12, "u64": 13, "c64": 14, "c128": 15, "bf16": 16}
NAMES = {number: name for name, number in ENUM.items()}

R = random.Random()


# ---- cases ------------------------------------------------------------------------------------

class In:
    """An input: its value, whether it is a constant of the model (const), whether the rule sees its elements."""

    def __init__(self, value, const=False):
        self.value, self.const = value, const


def dims(rank, low=1, high=6):
    return [R.randint(low, high) for _ in range(rank)]


def data(shape, dtype="f32", const=False, low=-4, high=9):
    n = math.prod(shape)
    if dtype == "bool":
        low, high = 0, 1
    elif dtype.startswith("u"):
        low = max(low, 0)
    return In(np.array([R.randint(low, high) for _ in range(n)], NUMPY[dtype]).reshape(shape), const)


def ints(values, dtype="i64", const=True):
    return In(np.array(values, NUMPY[dtype]), const)


def floats(values):
    return In(np.array(values, np.float32), True)


def some_floats(shape):
    x = data(shape, "f32", perhaps(0.7))
    odd = [np.nan, np.inf, -np.inf, 0.5, 0.0]
    x.value = np.array([R.choice(odd) for _ in x.value.flat], np.float32).reshape(shape)
    return x


def broadcastable(shape):
    out = [1 if R.random() < 0.3 else d for d in shape]
    return out[R.randint(0, len(out)):] if R.random() < 0.5 else out


def perhaps(p=0.5):
    return R.random() < p


def some_axes(rank, negative=True, least=1):
    axes = R.sample(range(rank), R.randint(least, rank)) if rank else []
    return [a - rank if negative and perhaps(0.4) else a for a in axes]


CASES = {}


def case(*names):
    def keep(f):
        for name in names:
            CASES[name] = f
        return f
    return keep


def opset(*choices):
    return R.choice(choices)


UNARY = ("Acos Acosh Asin Asinh Atan Atanh Cos Cosh Sin Sinh Tan Tanh Exp Log Erf Sigmoid "
         "HardSigmoid HardSwish Elu Selu Celu LeakyRelu ThresholdedRelu Mish Softplus Softsign Shrink "
         "Softmax LogSoftmax Hardmax LpNormalization Gelu Swish Relu Floor Ceil Round").split()


@case(*UNARY)
def unary(op):
    rank = R.randint(1, 4)
    return [data(dims(rank))], {}, 1, opset(24, 26)


@case("Sqrt", "Reciprocal")
def root(op):
    return [data(dims(R.randint(0, 2), 1, 3), R.choice(["f32", "f64"]), perhaps(0.7), 1, 9)], {}, 1, opset(6, 13)


@case("BitwiseNot")
def bitwise_not(op):
    return [data(dims(R.randint(0, 2)), R.choice(["i32", "i64", "u8", "u16", "u32"]), perhaps(0.8))], {}, 1, 18


@case("BitShift")
def bit_shift(op):
    shape, kind, const = dims(R.randint(0, 3), 1, 4), R.choice(["u8", "u16", "u32", "u64"]), perhaps(0.8)
    return ([data(broadcastable(shape), kind, const, 0, 200), data(broadcastable(shape), kind, const, 0, 7)],
            {"direction": R.choice(["LEFT", "RIGHT"])}, 1, 11)


@case("IsInf")
def isinf(op):
    attrs = {name: R.randint(0, 1) for name in ("detect_positive", "detect_negative") if perhaps()}
    return [some_floats(dims(R.randint(0, 2)))], attrs, 1, opset(10, 20)


@case("Neg", "Abs", "Sign", "Identity")
def unary_int(op):
    kind = R.choice(["i64", "i32", "f32"])
    return [data(dims(R.randint(0, 3), 1, 3), kind, perhaps())], {}, 1, opset(13, 18)


@case("Not")
def not_(op):
    return [data(dims(R.randint(0, 3)), "bool", perhaps())], {}, 1, 13


@case("IsNaN")
def isnan(op):
    return [some_floats(dims(R.randint(0, 3)))], {}, 1, 20


@case("Clip")
def clip(op):
    kind = R.choice(["i64", "f32"])
    if perhaps(0.2):
        return [data(dims(R.randint(0, 2)), "f32", perhaps())], {"min": -1.0, "max": 4.5}, 1, 6
    ins = [data(dims(R.randint(0, 2)), kind, perhaps())]
    ins += [data([], kind, True, -3, 0) if perhaps() else None]
    ins += [data([], kind, True, 1, 5) if perhaps() else None]
    return ins, {}, 1, opset(12, 13)


@case("Cast")
def cast(op):
    to = R.choice(["i64", "i32", "f32", "bool", "u8", "f64"])
    x = data(dims(R.randint(0, 2)), R.choice(["i64", "f32", "bool", "i32"]), perhaps(), 0, 9)
    if x.value.dtype == np.float32:
        x.value = (x.value + np.float32(R.choice([0, 0.25, 0.75]))).astype(np.float32)
    return [x], {"to": ENUM[to]}, 1, opset(9, 13, 19)


@case("CastLike")
def cast_like(op):
    return ([data(dims(2), "i64", perhaps(), 0, 9), data(dims(1), R.choice(["f32", "i32"]))], {}, 1,
            opset(15, 19))


BINARY = "Add Sub Mul Div Pow Mod Equal Less Greater LessOrEqual GreaterOrEqual".split()


@case(*BINARY)
def binary(op):
    shape = dims(R.randint(0, 3), 0 if perhaps(0.1) else 1, 4)
    kind = R.choice(["i64", "i32", "f32"])
    const, low = perhaps(0.6), (0 if op == "Pow" else -4)
    a, b = data(broadcastable(shape), kind, const, low), data(broadcastable(shape), kind, const, low)
    if op in ("Div", "Mod"):
        b.value = np.where(b.value == 0, 3, b.value).astype(b.value.dtype)
    attrs = {"fmod": 1} if op == "Mod" and (kind == "f32" or perhaps()) else {}
    return [a, b], attrs, 1, opset(16, 18) if op.endswith("OrEqual") else opset(13, 15)


@case("And", "Or", "Xor")
def logical(op):
    shape = dims(R.randint(0, 3))
    const = perhaps(0.6)
    return [data(broadcastable(shape), "bool", const), data(broadcastable(shape), "bool", const)], {}, 1, 7


@case("BitwiseAnd", "BitwiseOr", "BitwiseXor")
def bitwise(op):
    shape, kind, const = dims(2, 1, 4), R.choice(["i32", "i64", "u8"]), perhaps(0.8)
    return [data(broadcastable(shape), kind, const), data(broadcastable(shape), kind, const)], {}, 1, 18


@case("PRelu")
def prelu(op):
    shape = dims(3)
    return [data(shape), data([1 if perhaps() else d for d in shape][R.randint(0, 2):])], {}, 1, 16


@case("Max", "Min", "Sum", "Mean")
def variadic(op):
    shape, const = dims(R.randint(0, 3)), perhaps()
    kind = R.choice(["i64", "f32"]) if op in ("Max", "Min") else "f32"
    return [data(broadcastable(shape), kind, const) for _ in range(R.randint(1, 4))], {}, 1, 13


@case("Where")
def where(op):
    shape, const = dims(R.randint(0, 3)), perhaps(0.6)
    return [data(broadcastable(shape), "bool", const), data(broadcastable(shape), "i64", const),
            data(broadcastable(shape), "i64", const)], {}, 1, opset(9, 16)


@case("Constant")
def constant(op):
    which = R.randint(0, 4)
    attrs = [{"value_int": R.randint(-5, 9)}, {"value_ints": dims(R.randint(1, 5))},
             {"value_float": 1.5}, {"value_floats": [0.5, 2.0]},
             {"value": data(dims(R.randint(0, 3)), "i64").value}][which]
    return [], attrs, 1, opset(13, 19)


@case("Shape")
def shape_(op):
    rank = R.randint(0, 5)
    attrs = {}
    version = opset(13, 15, 19)
    if version >= 15:
        if perhaps():
            attrs["start"] = R.randint(-rank, rank + 2)
        if perhaps():
            attrs["end"] = R.randint(-rank, rank + 2)
    return [data(dims(rank))], attrs, 1, version


@case("Size")
def size(op):
    return [data(dims(R.randint(0, 5)))], {}, 1, 13


@case("ConstantOfShape")
def constant_of_shape(op):
    attrs = {"value": np.array([R.randint(0, 5)], np.int64)} if perhaps() else {}
    return [ints(dims(R.randint(1, 4), 0))], attrs, 1, opset(9, 20)


@case("Range")
def range_(op):
    start, limit, delta = R.randint(-5, 5), R.randint(-5, 20), R.choice([-3, -2, -1, 1, 2, 3])
    if perhaps(0.3):
        return [floats(start), floats(limit + 0.5), floats(delta * 0.5)], {}, 1, 11
    return [ints(start), ints(limit), ints(delta)], {}, 1, 11


@case("HannWindow", "HammingWindow")
def hann(op):
    return [ints(R.randint(1, 9))], {}, 1, 17


@case("Reshape")
def reshape(op):
    shape = dims(R.randint(1, 4), 0 if perhaps(0.1) else 1)
    n = math.prod(shape)
    out, rest = [], n
    for i in range(R.randint(0, 3)):
        choices = [d for d in range(1, 13) if rest and rest % d == 0] or [1]
        d = R.choice(choices)
        out.append(d)
        rest = rest // d if rest else 0
    out.append(rest)
    R.shuffle(out)
    version = opset(5, 13, 14, 21)
    attrs = {"allowzero": 1} if version >= 14 and (n == 0 or perhaps(0.3)) else {}
    if not attrs:
        if n == 0:
            return reshape(op)
        for i, d in enumerate(out):
            if i < len(shape) and shape[i] == d and perhaps():
                out[i] = 0
        if n and perhaps():
            out[R.randrange(len(out))] = -1
    return [data(shape, "i64", perhaps()), ints(out)], attrs, 1, version


@case("Flatten")
def flatten(op):
    rank = R.randint(1, 4)
    version = opset(9, 11, 13)
    return [data(dims(rank))], {"axis": R.randint(-rank if version >= 11 else 0, rank)}, 1, version


@case("Squeeze")
def squeeze(op):
    rank = R.randint(1, 4)
    axes = some_axes(rank, False)
    shape = [1 if i in axes else R.randint(2, 5) for i in range(rank)]
    version = opset(1, 11, 13, 21)
    if version >= 11:
        axes = [a - rank if perhaps() else a for a in axes]
    else:
        axes.sort()
    x = data(shape, "i64" if version > 1 else "f32", perhaps())
    if perhaps(0.2):
        return [x], {}, 1, version
    return ([x], {"axes": axes}, 1, version) if version < 13 else ([x, ints(axes)], {}, 1, version)


@case("Unsqueeze")
def unsqueeze(op):
    rank, more = R.randint(0, 3), R.randint(1, 3)
    version = opset(1, 11, 13, 21)
    total = rank + more
    axes = R.sample(range(total), more)
    if version >= 11:
        axes = [a - total if perhaps() else a for a in axes]
    else:
        axes.sort()
    x = data(dims(rank), "i64" if version > 1 else "f32", perhaps())
    return ([x], {"axes": axes}, 1, version) if version < 13 else ([x, ints(axes)], {}, 1, version)


@case("Transpose")
def transpose(op):
    rank = R.randint(1, 5)
    attrs = {"perm": R.sample(range(rank), rank)} if perhaps(0.8) else {}
    return [data(dims(rank, 1, 4), "i64", perhaps())], attrs, 1, opset(1, 13)


@case("Concat")
def concat(op):
    rank = R.randint(1, 4)
    axis, shape, const = R.randrange(rank), dims(rank), perhaps()
    ins = []
    for _ in range(R.randint(1, 4)):
        mine = list(shape)
        mine[axis] = R.randint(0, 4)
        ins.append(data(mine, "i64", const))
    version = opset(4, 11, 13)
    return ins, {"axis": axis - rank if version >= 11 and perhaps() else axis}, 1, version


@case("Split")
def split(op):
    rank, version = R.randint(1, 4), opset(2, 11, 13, 18)
    axis, shape, n = R.randrange(rank), dims(rank), R.randint(1, 4)
    lengths = [R.randint(0, 4) for _ in range(n)]
    attrs = {"axis": axis - rank if version >= 11 and perhaps() else axis}
    ins = [data(shape, "i64", perhaps())]
    if perhaps(0.6):
        shape[axis] = sum(lengths)
        ins = [data(shape, "i64", perhaps())]
        if version < 13:
            attrs["split"] = lengths
        else:
            ins.append(ints(lengths))
    elif version == 18:
        shape[axis] = max(shape[axis], n)
        if (n - 1) * -(-shape[axis] // n) > shape[axis]:
            shape[axis] = n
        ins = [data(shape, "i64", perhaps())]
        attrs["num_outputs"] = n
    else:
        shape[axis] = n * R.randint(0, 3)
        ins = [data(shape, "i64", perhaps())]
    return ins, attrs, n, version


@case("Slice")
def slice_(op):
    rank, version = R.randint(1, 4), opset(1, 10, 11, 13)
    count = R.randint(1, rank)
    axes = R.sample(range(rank), count)
    far = [2 ** 31 - 1, 2 ** 63 - 1]
    starts = [R.choice([0, R.randint(-7, 7), R.randint(-3, 3)]) for _ in range(count)]
    ends = [R.choice(far + [R.randint(-7, 7), R.randint(0, 6)]) for _ in range(count)]
    steps = [1] * count
    x = data(dims(rank), "i64", perhaps())
    if version == 1:
        if perhaps(0.3):
            return [x], {"starts": starts, "ends": ends}, 1, 1
        return [x], {"starts": starts, "ends": ends, "axes": axes}, 1, 1
    for i in range(count):
        steps[i] = R.choice([1, 1, 2, 3, -1, -2])
        if steps[i] < 0 and perhaps():
            starts[i], ends[i] = R.choice([-1] + far), R.choice([-2 ** 31, -2 ** 63, R.randint(-6, 6)])
    kind = R.choice(["i64", "i32"])
    if kind == "i32":
        starts = [max(min(v, 2 ** 31 - 1), -2 ** 31) for v in starts]
        ends = [max(min(v, 2 ** 31 - 1), -2 ** 31) for v in ends]
    ins = [x, ints(starts, kind), ints(ends, kind)]
    if perhaps(0.8):
        ins.append(ints([a - rank if version >= 11 and perhaps() else a for a in axes], kind))
        if perhaps(0.8):
            ins.append(ints(steps, kind))
    return ins, {}, 1, version


@case("Gather")
def gather(op):
    rank = R.randint(1, 4)
    shape, axis, version = dims(rank), R.randrange(rank), opset(1, 11, 13)
    low = -shape[axis] if version >= 11 else 0
    const = perhaps(0.6)
    return ([data(shape, "i64", const),
             data(dims(R.randint(0, 2)), R.choice(["i64", "i32"]), const, low, shape[axis] - 1)],
            {"axis": axis - rank if version >= 11 and perhaps() else axis}, 1, version)


@case("GatherElements")
def gather_elements(op):
    rank, const = R.randint(1, 3), perhaps(0.7)
    shape, axis, version = dims(rank), R.randrange(rank), opset(11, 13)
    mine = [R.randint(1, d) for d in shape]
    return ([data(shape, "i64", const), data(mine, "i64", const, -shape[axis], shape[axis] - 1)],
            {"axis": axis - rank if perhaps() else axis}, 1, version)


@case("GatherND")
def gather_nd(op):
    rank, const = R.randint(1, 4), perhaps(0.7)
    shape, version = dims(rank, 1, 4), opset(11, 12, 13)
    batch = R.randint(0, min(rank - 1, 2)) if version >= 12 and perhaps(0.4) else 0
    last = R.randint(1, rank - batch)
    low = min(shape[batch:batch + last])
    return ([data(shape, "i64", const),
             data(shape[:batch] + dims(R.randint(0, 2)) + [last], "i64", const, 0 if batch else -low, low - 1)],
            {"batch_dims": batch} if batch else {}, 1, version)


def reduction_attribute(version):
    ways = {11: ["none"], 16: ["none", "add", "mul"], 18: ["none", "add", "mul", "max", "min"]}[version]
    word = R.choice(ways)
    return {"reduction": word} if word != "none" or version >= 16 and perhaps() else {}


@case("ScatterND")
def scatter_nd(op):
    shape, const, version = dims(R.randint(1, 3), 1, 5), perhaps(0.7), opset(11, 16, 18)
    attrs = reduction_attribute(version)
    last, count = R.randint(1, len(shape)), dims(R.randint(0, 2), 1, 2)
    # Without a reduction no index may occur twice.
    room = list(np.ndindex(*shape[:last]))
    n = math.prod(count)
    if n > len(room):
        return scatter_nd(op)
    indices = R.sample(room, n) if not attrs else [R.choice(room) for _ in range(n)]
    kind = R.choice(["i64", "i32", "f32"])
    return ([data(shape, kind, const), In(np.array(indices, np.int64).reshape(count + [last]), const),
             data(count + shape[last:], kind, const)], attrs, 1, version)


@case("ScatterElements", "Scatter")
def scatter_elements(op):
    shape, const = dims(R.randint(1, 3), 1, 4), perhaps(0.7)
    axis, version = R.randrange(len(shape)), 9 if op == "Scatter" else opset(11, 16, 18)
    attrs = {} if op == "Scatter" else reduction_attribute(version)
    mine = [R.randint(1, d) for d in shape]
    indices = np.zeros(mine, np.int64)
    for at in np.ndindex(*mine[:axis], *mine[axis + 1:]):
        line = R.sample(range(shape[axis]), mine[axis])
        if attrs:
            line = [R.choice(line) for _ in line]
        indices[(*at[:axis], slice(None), *at[axis:])] = line
    if version >= 11 and perhaps():
        indices -= np.where(indices > 0, shape[axis], 0)
    kind = R.choice(["i64", "f32"])
    return ([data(shape, kind, const), In(indices, const), data(mine, kind, const)],
            dict(attrs, axis=axis), 1, version)


@case("Expand")
def expand(op):
    shape = dims(R.randint(0, 4))
    return [data(broadcastable(shape), "i64", perhaps()), ints(broadcastable(shape))], {}, 1, opset(8, 13)


@case("Tile")
def tile(op):
    rank = R.randint(1, 4)
    return [data(dims(rank, 1, 3), "i64", perhaps()), ints(dims(rank, 0, 3))], {}, 1, opset(6, 13)


@case("Pad")
def pad(op):
    rank, version = R.randint(1, 3), opset(2, 11, 13, 18, 19)
    shape = dims(rank, 2, 5)
    attrs = {"mode": R.choice(["constant", "reflect", "edge"] + ["wrap"] * (version == 19))} if perhaps() else {}
    axes = some_axes(rank) if version >= 18 and perhaps() else list(range(rank))
    most = 1 if attrs.get("mode") in ("reflect", "wrap") else 2
    pads = [R.randint(-1 if attrs.get("mode", "constant") == "constant" and perhaps(0.2) else 0, most)
            for _ in range(2 * len(axes))]
    if version < 11:
        if perhaps():
            attrs["value"] = 2.5
        return [data(shape, "f32", perhaps(0.8))], dict(attrs, pads=pads), 1, version
    kind = R.choice(["i64", "f32"])
    ins = [data(shape, kind, perhaps(0.8)), ints(pads)]
    if perhaps():
        ins.append(data([], kind, perhaps(0.8)))
    if len(axes) < rank or axes != sorted(axes) or version >= 18 and perhaps():
        ins += [None] * (3 - len(ins)) + [ints(axes)]
    return ins, attrs, 1, version


@case("CenterCropPad")
def center_crop_pad(op):
    rank = R.randint(1, 4)
    if perhaps():
        axes = some_axes(rank)
        return [data(dims(rank)), ints(dims(len(axes)))], {"axes": axes}, 1, 18
    return [data(dims(rank)), ints(dims(rank))], {}, 1, 18


@case("Resize")
def resize(op):
    version = opset(10, 11, 13, 18, 19)
    rank = R.choice([2, 4])
    shape = dims(rank, 2, 20)
    scales = [R.choice([1.0, 2.0, 0.5, R.uniform(0.3, 3)]) for _ in range(rank)]
    if version == 10:
        return [data(shape), floats(scales)], {}, 1, version
    attrs, count = {}, rank
    if version >= 18 and perhaps(0.4):
        attrs["axes"] = some_axes(rank)
        count = len(attrs["axes"])
    if perhaps():
        return [data(shape), None, floats(scales[:count])], attrs, 1, version
    if version >= 18 and perhaps():
        attrs["keep_aspect_ratio_policy"] = R.choice(["not_larger", "not_smaller", "stretch"])
    empty = floats([]) if version < 13 else None
    if version == 11:
        return [data(shape), floats([]), empty, ints(dims(count, 1, 20))], attrs, 1, version
    return [data(shape), None, empty, ints(dims(count, 1, 20))], attrs, 1, version


@case("Upsample")
def upsample(op):
    version = opset(7, 9)
    shape = dims(4, 1, 9)
    scales = [1.0, 1.0, R.choice([2.0, 1.5, R.uniform(1, 3)]), R.choice([2.0, 3.0, 1.25])]
    if version == 7:
        return [data(shape)], {"scales": scales}, 1, version
    return [data(shape), floats(scales)], {}, 1, version


@case("DepthToSpace")
def depth_to_space(op):
    b = R.randint(1, 3)
    return ([data([R.randint(1, 3), b * b * R.randint(1, 3), R.randint(1, 5), R.randint(1, 5)])],
            {"blocksize": b}, 1, opset(11, 13))


@case("SpaceToDepth")
def space_to_depth(op):
    b = R.randint(1, 3)
    return ([data([R.randint(1, 3), R.randint(1, 4), b * R.randint(1, 4), b * R.randint(1, 4)])],
            {"blocksize": b}, 1, opset(1, 13))


def window_attributes(n, shape, kernel, ceil_mode=False, dilate=True):
    attrs = {}
    if perhaps():
        attrs["strides"] = dims(n, 1, 3)
    if dilate and perhaps(0.4):
        attrs["dilations"] = dims(n, 1, 2)
    how = R.random()
    if how < 0.3:
        attrs["auto_pad"] = R.choice(["SAME_UPPER", "SAME_LOWER", "VALID"])
    elif how < 0.7:
        attrs["pads"] = [R.randint(0, max(k - 1, 0)) for k in kernel] * 2
    if ceil_mode and perhaps(0.4):
        attrs["ceil_mode"] = 1
    return attrs


@case("Conv", "ConvInteger")
def conv(op):
    n = R.randint(1, 3)
    group = R.choice([1, 1, 2])
    c, kernel = group * R.randint(1, 3), dims(n, 1, 4)
    shape = [R.randint(1, 2), c] + dims(n, 8, 14)
    attrs = window_attributes(n, shape, kernel)
    if group > 1:
        attrs["group"] = group
    if perhaps():
        attrs["kernel_shape"] = kernel
    kind = "f32" if op == "Conv" else "u8"
    return ([data(shape, kind), data([group * R.randint(1, 3), c // group] + kernel, kind)], attrs, 1,
            opset(1, 11, 22) if op == "Conv" else 10)


@case("QLinearConv")
def qlinear_conv(op):
    ins, attrs, n, _ = conv("ConvInteger")
    zero, scale = In(np.array(0, np.uint8), True), floats(1.0)
    return [ins[0], scale, zero, ins[1], scale, zero, scale, zero], attrs, n, 10


@case("MaxPool", "AveragePool", "LpPool")
def pool(op):
    n = R.randint(1, 3)
    kernel = dims(n, 1, 4)
    shape = [R.randint(1, 2), R.randint(1, 3)] + dims(n, 8, 14)
    version = {"MaxPool": opset(1, 8, 10, 12, 22), "AveragePool": opset(1, 10, 11, 19, 22),
               "LpPool": opset(2, 11, 18)}[op]
    attrs = window_attributes(n, shape, kernel,
                              version >= {"MaxPool": 10, "AveragePool": 10, "LpPool": 18}[op],
                              version >= {"MaxPool": 10, "AveragePool": 19, "LpPool": 18}[op])
    attrs["kernel_shape"] = kernel
    outputs = 2 if op == "MaxPool" and version >= 8 and perhaps(0.3) else 1
    return [data(shape)], attrs, outputs, version


@case("GlobalAveragePool", "GlobalMaxPool")
def global_pool(op):
    return [data(dims(R.randint(3, 5)))], {}, 1, 1


@case("ConvTranspose")
def conv_transpose(op):
    n = R.randint(1, 2)
    group = R.choice([1, 1, 2])
    c, kernel, stride = group * R.randint(1, 3), dims(n, 1, 4), dims(n, 1, 3)
    shape = [R.randint(1, 2), c] + dims(n, 3, 8)
    attrs = {"strides": stride}
    if group > 1:
        attrs["group"] = group
    how = R.random()
    if how < 0.2:
        attrs["auto_pad"] = R.choice(["SAME_UPPER", "SAME_LOWER", "VALID"])
    elif how < 0.4:
        attrs["output_shape"] = [d * s for d, s in zip(shape[2:], stride)]
    else:
        if perhaps():
            attrs["pads"] = [R.randint(0, (k - 1) // 2) for k in kernel] * 2
        if perhaps():
            attrs["output_padding"] = [R.randint(0, s - 1) for s in stride]
        if perhaps():
            attrs["dilations"] = dims(n, 1, 2)
    return ([data(shape), data([c, R.randint(1, 3)] + kernel)], attrs, 1, opset(1, 11, 22))


@case("RoiAlign")
def roi_align(op):
    n = R.randint(1, 4)
    return ([data(dims(4, 4, 8)), data([n, 4], "f32", False, 0, 3), data([n], "i64", False, 0, 0)],
            {"output_height": R.randint(1, 4), "output_width": R.randint(1, 4)}, 1, opset(10, 16))


@case("GridSample")
def grid_sample(op):
    n, r = R.randint(1, 2), R.choice([2, 3])
    version = 16 if r == 2 else 20
    return [data([n, 2] + dims(r, 2, 4)), data([n] + dims(r, 2, 4) + [r], "f32", False, -1, 1)], {}, 1, version


@case("AffineGrid")
def affine_grid(op):
    r = R.choice([2, 3])
    return [data([2, r, r + 1]), ints([2, 3] + dims(r, 2, 4))], {}, 1, 20


@case("Col2Im")
def col2im(op):
    block, image = dims(2, 1, 3), dims(2, 3, 6)
    length = (image[0] - block[0] + 1) * (image[1] - block[1] + 1)
    return ([data([1, R.randint(1, 3) * block[0] * block[1], length]), ints(image), ints(block)], {}, 1, 18)


@case("MatMul", "MatMulInteger")
def matmul(op):
    batch = dims(R.randint(0, 2))
    n, k, m = dims(3)
    a, b = broadcastable(batch) + [n, k], broadcastable(batch) + [k, m]
    if perhaps(0.2):
        a = [k]
    if perhaps(0.2):
        b = [k]
    kind = R.choice(["f32", "i64", "i32"]) if op == "MatMul" else "u8"
    const = perhaps(0.7)
    return [data(a, kind, const), data(b, kind, const)], {}, 1, opset(9, 13) if op == "MatMul" else 10


@case("QLinearMatMul")
def qlinear_matmul(op):
    ins, _, _, _ = matmul("MatMulInteger")
    zero, scale = In(np.array(0, np.uint8), True), floats(1.0)
    return [ins[0], scale, zero, ins[1], scale, zero, scale, zero], {}, 1, opset(10, 21)


@case("Gemm")
def gemm(op):
    n, k, m = dims(3)
    ta, tb = R.randint(0, 1), R.randint(0, 1)
    const, kind = perhaps(0.7), R.choice(["f32", "i64"])
    ins = [data([k, n] if ta else [n, k], kind, const), data([m, k] if tb else [k, m], kind, const)]
    version = opset(9, 11, 13)
    if version < 11 or perhaps():
        ins.append(data(broadcastable([n, m]), kind, const))
    attrs = {"alpha": R.choice([1.0, 0.5])} if kind == "f32" and perhaps() else {}
    return ins, dict(attrs, transA=ta, transB=tb), 1, version


@case("Einsum")
def einsum(op):
    size = {c: R.randint(1, 5) for c in "abcdijk"}
    equation = R.choice(["ij,jk->ik", "bij,bjk->bik", "ij->ji", "ij,jk", "ii->i", "i,i->", "...ij,...jk->...ik",
                         "abij,abkj->abik", "ij->", "b...->...b", "ba, ab -> a", "aij,bj->abi", "ij,j"])
    ins, dots, const, kind = [], dims(R.randint(0, 2)), perhaps(0.7), R.choice(["i64", "f32"])
    for term in equation.split("->")[0].replace(" ", "").split(","):
        shape = []
        head, _, tail = term.partition("...")
        shape = [size[c] for c in head] + (dots if "..." in term else []) + [size[c] for c in tail]
        ins.append(data(shape, kind, const))
    return ins, {"equation": equation}, 1, 12


@case("Det")
def det(op):
    n = R.randint(1, 3)
    return [data(dims(R.randint(0, 2)) + [n, n])], {}, 1, 11


REDUCE = "ReduceSum ReduceProd ReduceMax ReduceMin ReduceMean ReduceL1 ReduceL2 ReduceLogSum " \
         "ReduceLogSumExp ReduceSumSquare"


@case(*REDUCE.split())
def reduce_(op):
    rank = R.randint(1, 4)
    version = opset(11, 13, 18)
    as_input = version >= (13 if op == "ReduceSum" else 18)
    x = data(dims(rank, 1, 4), R.choice(["i64", "f32"]) if op[6:] in ("Sum", "Prod", "Max", "Min", "L1", "SumSquare") else "f32",
             perhaps(), 1, 4)
    attrs = {"keepdims": R.randint(0, 1)} if perhaps(0.7) else {}
    axes = some_axes(rank)
    if perhaps(0.2):
        if as_input and perhaps():
            attrs["noop_with_empty_axes"] = 1
        if as_input and perhaps():
            return [x, ints([])], attrs, 1, version
        return [x], attrs, 1, version
    if as_input:
        return [x, ints(axes)], attrs, 1, version
    attrs["axes"] = axes
    return [x], attrs, 1, version


@case("ArgMax", "ArgMin")
def arg(op):
    rank, version = R.randint(1, 4), opset(11, 12, 13)
    attrs = {"axis": R.randint(-rank, rank - 1), "keepdims": R.randint(0, 1)}
    if version > 11 and perhaps():
        attrs["select_last_index"] = R.randint(0, 1)
    return [data(dims(rank, 1, 4), R.choice(["f32", "i64"]), perhaps(0.7), -2, 3)], attrs, 1, version


@case("TopK")
def top_k(op):
    rank, version = R.randint(1, 4), opset(1, 10, 11)
    shape, const = dims(rank), perhaps(0.7)
    axis = R.randrange(rank)
    k = R.randint(1, shape[axis])
    if version == 1:
        return [data(shape)], {"axis": axis, "k": k}, 2, 1
    attrs = {"axis": axis - rank if version == 11 and perhaps() else axis}
    if version == 11 and perhaps():
        attrs.update(largest=R.randint(0, 1), sorted=1)
    return [data(shape, R.choice(["f32", "i64"]) if version == 11 else "f32", const), ints([k])], attrs, 2, version


@case("BatchNormalization")
def batch_norm(op):
    shape = dims(R.randint(2, 5))
    c = shape[1]
    return ([data(shape)] + [data([c], "f32", False, 1, 4) for _ in range(4)], {}, 1, opset(9, 14, 15))


@case("InstanceNormalization")
def instance_norm(op):
    shape = dims(4)
    return [data(shape), data([shape[1]]), data([shape[1]])], {}, 1, 6


@case("GroupNormalization")
def group_norm(op):
    shape = [2, 4, 3, 3]
    return [data(shape), data([4]), data([4])], {"num_groups": 2}, 1, 21


@case("LayerNormalization")
def layer_norm(op):
    rank = R.randint(1, 4)
    shape, axis = dims(rank), R.randint(-rank, rank - 1)
    tail = shape[axis:] if axis < 0 else shape[axis:]
    return [data(shape), data(tail)], {"axis": axis}, R.choice([1, 3]), 17


@case("RMSNormalization")
def rms_norm(op):
    shape = dims(3)
    return [data(shape), data(shape[-1:])], {"axis": -1}, 1, 23


@case("LRN")
def lrn(op):
    return [data(dims(4))], {"size": 3}, 1, 13


@case("MeanVarianceNormalization")
def mvn(op):
    return [data(dims(4))], {}, 1, 13


@case("Dropout")
def dropout(op):
    version = opset(7, 10, 12, 13)
    return [data(dims(3))], {}, R.choice([1, 2]), version


@case("LSTM", "GRU", "RNN")
def recurrent(op):
    gates = {"LSTM": 4, "GRU": 3, "RNN": 1}[op]
    seq, batch, size, hidden = dims(4)
    direction = R.choice(["forward", "reverse", "bidirectional"])
    count = 2 if direction == "bidirectional" else 1
    version = opset(7, 14, 22)
    layout = R.randint(0, 1) if version >= 14 else 0
    attrs = {"direction": direction, "hidden_size": hidden}
    if layout:
        attrs["layout"] = 1
    return ([data([batch, seq, size] if layout else [seq, batch, size]), data([count, gates * hidden, size]),
             data([count, gates * hidden, hidden])], attrs, R.randint(1, 3 if op == "LSTM" else 2), version)


@case("DynamicQuantizeLinear")
def dynamic_quantize(op):
    return [data(dims(R.randint(1, 3)))], {}, 3, 11


@case("QuantizeLinear")
def quantize(op):
    ins = [data(dims(3)), floats(0.5)]
    if perhaps():
        ins.append(In(np.array(0, R.choice([np.uint8, np.int8])), True))
    return ins, {}, 1, opset(10, 13, 19, 21)


@case("DequantizeLinear")
def dequantize(op):
    return [data(dims(3), R.choice(["u8", "i8"])), floats(0.5)], {}, 1, opset(10, 13, 19, 21)


@case("NonZero")
def non_zero(op):
    return [data(dims(R.randint(1, 3)), R.choice(["i64", "f32", "bool"]), perhaps(0.7), -1, 1)], {}, 1, opset(9, 13)


@case("Compress")
def compress(op):
    shape, const = dims(3, 1, 4), perhaps(0.7)
    attrs = {"axis": R.randint(-3, 2)} if perhaps() else {}
    n = shape[attrs["axis"]] if attrs else math.prod(shape)
    return [data(shape, "i64", const), data([R.randint(1, n)], "bool", const)], attrs, 1, 11


@case("Unique")
def unique(op):
    attrs = {"sorted": R.randint(0, 1)} if perhaps() else {}
    x = data(dims(2), R.choice(["f32", "i64"]), perhaps(0.7), 0, 3)
    # The evaluator sorts if there is an axis or one output, regardless of the attribute.
    plain = attrs.get("sorted") == 0
    if perhaps() and not plain:
        attrs["axis"] = R.randint(-2, 1)
    return [x], attrs, R.randint(2 if plain else 1, 4), 11


@case("NonMaxSuppression")
def nms(op):
    n = R.randint(1, 5)
    return [data([1, n, 4]), data([1, 1, n]), ints([3])], {}, 1, opset(10, 11)


@case("OneHot")
def one_hot(op):
    rank = R.randint(0, 3)
    depth = ints(R.randint(1, 6)) if perhaps() else ints([R.randint(1, 6)])
    version, const, kind = opset(9, 11), perhaps(0.7), R.choice(["f32", "i64"])
    if const and version == 11 and perhaps():
        return ([data(dims(rank, 1, 4), "i64", True, -3, 3), depth, data([2], kind, True)],
                {"axis": R.randint(-rank - 1, rank)} if perhaps() else {}, 1, 11)
    return ([data(dims(rank, 1, 4), "i64", const, 0, 3), depth, data([2], kind, const)],
            {"axis": R.randint(-rank - 1, rank)} if perhaps() else {}, 1, version)


@case("EyeLike")
def eye(op):
    attrs = {"dtype": 7} if perhaps() else {}
    if perhaps():
        attrs["k"] = R.randint(-3, 3)
    return [data(dims(2))], attrs, 1, opset(9, 22)


@case("RandomNormalLike", "RandomUniformLike")
def random_like(op):
    return [data(dims(3))], ({"dtype": 11} if perhaps() else {}), 1, 1


@case("RandomNormal", "RandomUniform")
def random_(op):
    return [], {"shape": dims(3)}, 1, 1


@case("Multinomial")
def multinomial(op):
    return [data([2, 4], "f32", False, 1, 4)], {"sample_size": R.randint(1, 5)}, 1, 7


@case("CumSum", "CumProd")
def cum_sum(op):
    attrs = {name: R.randint(0, 1) for name in ("exclusive", "reverse") if perhaps()}
    kind = R.choice(["i64", "i32", "f32"])
    return ([data(dims(3, 1, 4), kind, perhaps(0.8)), ints(R.randint(-3, 2))], attrs, 1,
            opset(11, 14) if op == "CumSum" else 26)


@case("Trilu")
def trilu(op):
    ins = [data(dims(R.randint(2, 3)), R.choice(["i64", "f32"]), perhaps(0.8))]
    return ins + ([ints(R.randint(-3, 3))] if perhaps() else []), {"upper": R.randint(0, 1)} if perhaps() else {}, 1, 14


@case("ReverseSequence")
def reverse_sequence(op):
    shape, const = dims(R.randint(2, 3)), perhaps(0.8)
    batch = R.randint(0, 1)
    return ([data(shape, "i64", const), data([shape[batch]], "i64", const, 1, shape[1 - batch])],
            {"batch_axis": batch, "time_axis": 1 - batch} if batch == 0 or perhaps() else {}, 1, 10)


@case("BitCast")
def bit_cast(op):
    to = R.choice(["i32", "u32", "f32"])
    return [data(dims(2), R.choice(["i32", "u32", "f32"]), perhaps(0.8), 0)], {"to": ENUM[to]}, 1, 26


@case("DFT")
def dft(op):
    version = opset(17, 20)
    rank = R.randint(2, 3)
    shape = [R.randint(1, 3)] + dims(rank - 1, 2, 8) + [1]
    axis = R.randint(1, rank - 1)
    attrs = {"onesided": R.randint(0, 1)}
    if version == 17:
        return [data(shape)], dict(attrs, axis=axis), 1, 17
    return [data(shape), None, ints(axis)], attrs, 1, 20


@case("STFT")
def stft(op):
    n = R.randint(4, 8)
    return ([data([1, R.randint(16, 40), 1]), ints(R.randint(1, 5)), None, ints(n)],
            {"onesided": R.randint(0, 1)}, 1, 17)


@case("MelWeightMatrix")
def mel(op):
    return [ints(R.randint(2, 6)), ints(R.randint(8, 20)), ints(8192), floats(0.0), floats(4000.0)], {}, 1, 17


@case("NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss")
def loss(op):
    n, c, d = dims(3)
    attrs = {"reduction": R.choice(["none", "mean", "sum"])}
    outputs = 2 if op.startswith("Soft") and perhaps() else 1
    return [data([n, c, d]), data([n, d], "i64", False, 0, c - 1)], attrs, outputs, 13


@case("Attention")
def attention(op):
    b, s, t, d, e = dims(5, 1, 5)
    kv = R.randint(1, 2)
    h = kv * R.randint(1, 2)
    past = R.random() < 0.4
    if perhaps():
        ins, attrs = [data([b, h, s, d]), data([b, kv, t, d]), data([b, kv, t, e])], {}
    else:
        ins = [data([b, s, h * d]), data([b, t, kv * d]), data([b, t, kv * e])]
        attrs = {"q_num_heads": h, "kv_num_heads": kv}
    if past:
        p = R.randint(1, 4)
        ins += [None, data([b, kv, p, d]), data([b, kv, p, e])]
    return ins, attrs, 3 if past else 1, opset(23, 24)


@case("RotaryEmbedding")
def rotary(op):
    b, h, s = dims(3)
    return [data([b, h, s, 4]), data([b, s, 2]), data([b, s, 2])], {}, 1, 23


@case("MaxUnpool")
def max_unpool(op):
    shape = [1, 1, R.randint(1, 3), R.randint(1, 3)]
    if perhaps():
        return [data(shape), data(shape, "i64", False, 0, 3)], {"kernel_shape": [2, 2], "strides": [2, 2]}, 1, 11
    return ([data(shape), data(shape, "i64", False, 0, 3), ints([1, 1, 8, 8])],
            {"kernel_shape": [2, 2], "strides": [2, 2]}, 1, 11)


@case("MaxRoiPool")
def max_roi_pool(op):
    return [data([1, 2, 6, 6]), data([R.randint(1, 4), 5])], {"pooled_shape": dims(2, 1, 3)}, 1, 1


@case("StringSplit")
def string_split(op):
    shape = dims(R.randint(1, 2))
    return [In(np.array(["a b"] * math.prod(shape), object).reshape(shape))], {}, 2, 20


# ---- onnx -------------------------------------------------------------------------------------

def kind_of(value):
    if value.dtype == object:
        return "string"
    return {v: k for k, v in NUMPY.items() if v is not object}[value.dtype.type]


def model_of(op, ins, attrs, outputs, version, hidden):
    """hidden: per input, its shape with names or None instead of dims; None: no shape at all."""
    inputs, initializers, names = [], [], []
    for i, x in enumerate(ins):
        if x is None:
            names.append("")
            continue
        names.append(f"x{i}")
        if x.const:
            initializers.append(numpy_helper.from_array(x.value, f"x{i}"))
        else:
            inputs.append(helper.make_tensor_value_info(f"x{i}", ENUM[kind_of(x.value)], hidden[i]))
    given = {k: numpy_helper.from_array(v) if isinstance(v, np.ndarray) else v for k, v in attrs.items()}
    outs = [f"y{i}" for i in range(outputs)]
    node = helper.make_node(op, names, outs, **given)
    if op == "Split" and attrs.get("split") == []:
        pass
    graph = helper.make_graph([node], "g", inputs, [helper.make_empty_tensor_value_info(o) for o in outs],
                              initializers)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", version)], ir_version=10)


def infer(model):
    """[dtype, dims] of each output; None if unknown; a dim may be None or a name."""
    try:
        done = onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True)
    except Exception as e:  # onnx raises several kinds
        return str(e).splitlines()[-1]
    found = []
    for out in done.graph.output:
        t = out.type.tensor_type
        shape = None
        if t.HasField("shape"):
            shape = [d.dim_value if d.HasField("dim_value") else d.dim_param or None for d in t.shape.dim]
        found.append([NAMES.get(t.elem_type), shape])
    return found


def evaluate(model, ins):
    from onnx.reference import ReferenceEvaluator
    feeds = {f"x{i}": x.value for i, x in enumerate(ins) if x is not None and not x.const}
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return [np.asarray(v) for v in ReferenceEvaluator(model).run(None, feeds)]
    except Exception as e:  # the evaluator does not have all operators and versions
        return f"{type(e).__name__}: {e}"


def child(pipe, jobs):
    for model, hidden_model, ins in jobs:
        pipe.send((infer(model), infer(hidden_model), evaluate(model, ins)))
    pipe.close()


def in_child(jobs):
    """Results of onnx; None if it ended the process, which is then started again."""
    answers = []
    while len(answers) < len(jobs):
        here, there = multiprocessing.Pipe(False)
        process = multiprocessing.Process(target=child, args=(there, jobs[len(answers):]))
        process.start()
        there.close()
        try:
            while len(answers) < len(jobs):
                answers.append(here.recv())
        except EOFError:
            answers.append(None)
        process.join()
    return answers


# ---- Lua --------------------------------------------------------------------------------------

def lua(v):
    if v is None:
        return "false"
    if isinstance(v, (bool, np.bool_)):
        return "1" if v else "0"
    if isinstance(v, (int, np.integer)):
        return str(int(v)) if v != -2 ** 63 else "math.mininteger"
    if isinstance(v, (float, np.floating)):
        odd = {"inf": "math.huge", "-inf": "-math.huge", "nan": "(0/0)"}
        return odd.get(repr(float(v)), repr(float(v)))
    if isinstance(v, str):
        return json.dumps(v)
    if isinstance(v, np.ndarray):
        return "{dtype=%s,shape=%s,value=%s}" % (lua(kind_of(v)), lua(list(v.shape)), lua(list(v.flat)))
    return "{" + ",".join(lua(x) for x in v) + "}"


def lua_case(op, ins, attrs, outputs, version, hidden, values):
    words = []
    for x, shape, value in zip(ins, hidden, values):
        if x is None:
            words.append("false")
            continue
        fields = ["dtype=" + lua(kind_of(x.value))]
        if shape is not None:
            fields.append("shape=" + lua(shape))
        if value is not None:
            fields.append("value=" + lua(value))
        words.append("{" + ",".join(fields) + "}")
    return '{rule=%s,node={op_type=%s,domain="",opset=%d,noutputs=%d,attributes={%s}},inputs={%s}}' % (
        lua(op), lua(op), version, outputs, ",".join(f"[{lua(k)}]={lua(v)}" for k, v in attrs.items()),
        ",".join(words))


def text_of(tensor):
    """A tensor in the form of cases.lua; None if it is too long, or cannot be written in it."""
    dtype, shape, value = tensor

    def word(v):
        if isinstance(v, np.bool_):
            return str(int(v))
        return "?" if v is None or v is False else str(v)
    text = dtype or "?"
    if shape is not None:
        text += "[" + ",".join(map(word, shape)) + "]"
        if value is not None:
            text += "{" + ",".join(map(word, value)) + "}"
    return None if len(text) >= 60 or re.search(r"\b(nan|inf)\b", text) else text


def written(op, ins, attrs, outputs, version, hidden, values, result):
    """A line for cases_checked.lua, or None."""
    given = ["-" if x is None else text_of([kind_of(x.value), shape, value])
             for x, shape, value in zip(ins, hidden, values)]
    wanted = [text_of(out) for out in result[1]]
    if None in given or None in wanted or any(isinstance(v, np.ndarray) and v.size > 9 for v in attrs.values()):
        return None
    return '  { "%s", %d, {%s},\n    "%s",\n    "%s" },\n' % (
        op, version, ", ".join(f"{k if k != 'end' else '[' + lua(k) + ']'} = {lua(v)}" for k, v in attrs.items()),
        " ".join(given), " ".join(wanted))


def run_lua(cases):
    with tempfile.NamedTemporaryFile("w", suffix=".lua", delete=False) as f:
        f.write("local c = {}\n" + "".join(f"c[{i + 1}] = {c}\n" for i, c in enumerate(cases)) + "return c\n")
    done = subprocess.run(["lua5.4", os.path.join(HERE, "apply_rules.lua"), RULES, f.name], capture_output=True,
                          text=True)
    os.unlink(f.name)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


# ---- comparison -------------------------------------------------------------------------------

def against_inference(op, mine, theirs):
    """Compares `mine` with onnx's inference: returns facts that are known there, and different or unknown here."""
    for i, ((dtype, shape, _), (their_dtype, their_shape)) in enumerate(zip(mine, theirs)):
        if their_dtype and dtype != their_dtype:
            return f"output {i} is of {dtype}, onnx says {their_dtype}"
        if their_shape is None:
            continue
        if shape is None or len(shape) != len(their_shape):
            return f"output {i} is {shape}, onnx says {their_shape}"
        for a, b in zip(shape, their_shape):
            # Names that onnx invents are not compared; a number is as good as its name. In the evaluator, Einsum
            # letters that meet 1 broadcast, so a name remains where onnx uses the 1.
            if isinstance(b, str) and b.startswith("d_"):
                # For a slice onnx keeps the name for any step.
                b = (b, int(b[2:]), False) if op in ("Slice", "Einsum") else (b, int(b[2:]))
            elif isinstance(b, int):
                b = (b, f"d_{b}", False) if op == "Einsum" else (b,)
            if isinstance(b, tuple) and a not in b:
                return f"output {i} is {shape}, onnx says {their_shape}"
    return None


def contradicts(inferred, actual):
    """Whether onnx's inference and its evaluator give different dims."""
    if isinstance(actual, str):
        return False
    for (_, shape), real in zip(inferred, actual):
        shape = [int(d[2:]) if isinstance(d, str) and d.startswith("d_") else d for d in shape or real.shape]
        if len(shape) != real.ndim or any(isinstance(d, int) and d != r for d, r in zip(shape, real.shape)):
            return True
    return False


def against_values(mine, actual, meaning):
    for i, ((dtype, shape, value), real) in enumerate(zip(mine, actual)):
        if shape is not None:
            if len(shape) != real.ndim or any(
                    meaning.get(a, a) not in (False, b) for a, b in zip(shape, real.shape)):
                return f"output {i} is {shape}, the evaluator gives {list(real.shape)}"
        if value is not None and not np.iscomplexobj(real):
            if len(value) != real.size:
                return f"output {i} has {len(value)} elements, the evaluator {real.size}"
            for a, b in zip(value, real.flat):
                a = meaning.get(a, a) if isinstance(a, str) else a
                if a is False or a is None or b != b:
                    continue
                if a != b and not (isinstance(a, float) and abs(a - b) <= 1e-6 * abs(b)):
                    return f"output {i} is {value}, the evaluator gives {real.tolist()}"
    return None


def hide(ins):
    """Shapes with dims hidden; a name means the same number everywhere."""
    hidden = []
    for x in ins:
        shape = None if x is None else list(x.value.shape)
        if x is not None and not x.const:
            shape = [d if perhaps(0.6) else f"d_{d}" if perhaps(0.7) else None for d in shape]
        hidden.append(shape)
    return hidden


def hide_values(ins):
    values = []
    for x in ins:
        value = None
        if x is not None and x.const and x.value.dtype != object and perhaps(0.8):
            named = x.value.dtype == np.int64
            value = [None if perhaps(0.2) else f"d_{v}" if named and v > 0 and perhaps(0.2) else v
                     for v in x.value.flat]
        values.append(value)
    return values


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--show", type=int, default=3, help="differences to print for an operator")
    parser.add_argument("--write", type=int, default=0,
                        help="write this number of correct cases of each operator to cases_checked.lua")
    options = parser.parse_args()
    chosen = [n for n in options.only.split(",") if n] or list(CASES)
    meaning = {f"d_{n}": n for n in range(0, 4096)}
    meaning[False] = False
    failures, lines = 0, []
    for op in chosen:
        R.seed(f"{options.seed} {op}")
        drawn = []
        for _ in range(options.cases):
            ins, attrs, outputs, version = CASES[op](op)
            drawn.append((op, ins, attrs, outputs, version, hide(ins), hide_values(ins)))
        jobs, scripts = [], []
        for name, ins, attrs, outputs, version, hidden, values in drawn:
            shapes = [None if x is None else list(x.value.shape) for x in ins]
            full = [None if x is None or not x.const or x.value.dtype == object else list(x.value.flat)
                    for x in ins]
            jobs.append((model_of(name, ins, attrs, outputs, version, shapes),
                         model_of(name, ins, attrs, outputs, version, hidden), ins))
            scripts.append(lua_case(name, ins, attrs, outputs, version, shapes, full))
            scripts.append(lua_case(name, ins, attrs, outputs, version, hidden, full))
            scripts.append(lua_case(name, ins, attrs, outputs, version, hidden, values))
        results, answers = run_lua(scripts), in_child(jobs)
        counts = {"inferred": 0, "partial": 0, "evaluated": 0, "valued": 0, "aborted": 0, "refused": 0}
        wrong = []
        for i, answer in enumerate(answers):
            if answer is None:
                counts["aborted"] += 1
                continue
            known, partial, actual = answer
            # The operator's documentation says stride * dim; onnx's inference differs if the kernel is smaller than the
            # stride.
            if op == "ConvTranspose" and str(drawn[i][2].get("auto_pad")).startswith("SAME"):
                known = partial = "not compared"
            # Before version 19 onnx's inference keeps a window that begins after the data; its evaluator and later
            # versions do not. With VALID the documented formula never has one.
            if op == "AveragePool" and drawn[i][4] <= 19 and drawn[i][2].get("ceil_mode"):
                known = partial = "not compared"
            if isinstance(known, list) and contradicts(known, actual):
                # onnx contradicts itself: the rule must agree with one of the two.
                counts["onnx disagrees with itself"] = counts.get("onnx disagrees with itself", 0) + 1
                result = results[3 * i]
                problem = result[0] != "ok" or against_inference(op, result[1], known) and \
                    against_values(result[1], actual, meaning)
                if problem:
                    wrong.append(f"  {problem}\n    {scripts[3 * i]}\n    onnx: {known}")
                continue
            for which, result in enumerate(results[3 * i:3 * i + 3]):
                problem = None
                if result[0] == "no rule":
                    problem = "no rule"
                elif result[0] == "error":
                    if not isinstance(known, str):
                        problem = f"the rule says: {result[1]}"
                else:
                    if which == 0 and isinstance(known, list):
                        counts["inferred"] += 1
                        problem = against_inference(op, result[1], known)
                    elif which == 1 and isinstance(partial, list) and not contradicts(partial, actual):
                        counts["partial"] += 1
                        problem = against_inference(op, result[1], partial)
                    if not isinstance(actual, str) and not problem:
                        counts["evaluated"] += which == 0
                        counts["valued"] += which == 0 and any(o[2] for o in result[1])
                        problem = against_values(result[1], actual, meaning)
                    if isinstance(known, str):
                        counts["refused"] += which == 0
                if problem:
                    evaluated = actual if isinstance(actual, str) else [list(a.shape) for a in actual]
                    wrong.append(f"  {problem}\n    {scripts[3 * i + which]}\n    onnx: {known}, "
                                 f"hidden: {partial}, evaluator: {evaluated}")
                    break
        kept = []
        for i, (name, ins, attrs, outputs, version, hidden, values) in enumerate(drawn):
            which = len(kept) % 2
            result = results[3 * i + which]
            if len(kept) < options.write and not wrong and result[0] == "ok" and answers[i]:
                full = [None if x is None or not x.const or x.value.dtype == object else list(x.value.flat)
                        for x in ins]
                shapes = [None if x is None else list(x.value.shape) for x in ins] if which == 0 else hidden
                line = written(name, ins, attrs, outputs, version, shapes, full, result)
                kept += [line] if line and line not in kept else []
        lines += kept
        print(f"{op}: {len(answers)} cases, " + ", ".join(f"{v} {k}" for k, v in counts.items() if v) +
              (f", {len(wrong)} DIFFER" if wrong else ""), flush=True)
        for text in wrong[:options.show]:
            print(text)
        failures += len(wrong)
    print(f"{failures} differences")
    if options.write:
        with open(os.path.join(HERE, "cases_checked.lua"), "w") as f:
            f.write("-- Written by differential.py --write: cases that onnx answered the same. The form is that of\n"
                    "-- cases.lua.\nreturn {\n" + "".join(lines) + "}\n")
    sys.exit(failures != 0)


if __name__ == "__main__":
    main()
