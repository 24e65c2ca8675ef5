"""Nodes of ONNX: the inputs and attributes of each operator, as functions and rows. `changed` varies them."""
import math

import numpy as np

from drawing import (In, R, adder, broadcastable, data, dims, floats, ints, perhaps, some_axes, some_floats)

ENUM = {"f32": 1, "u8": 2, "i8": 3, "u16": 4, "i16": 5, "i32": 6, "i64": 7, "string": 8, "bool": 9,
        "f16": 10, "f64": 11, "u32": 12, "u64": 13, "c64": 14, "c128": 15, "bf16": 16, "f8e4m3": 17,
        "f8e4m3fnuz": 18, "f8e5m2": 19, "f8e5m2fnuz": 20, "u4": 21, "i4": 22, "f4e2m1": 23, "f8e8m0": 24, "u2": 25,
        "i2": 26}
KIND = {number: name for name, number in ENUM.items()}


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


# ---- rows, in the form that drawing.py explains ---------------------------------------------------------------------

ROWS = {}
row, ms, ml = adder(ROWS), adder(ROWS, "com.microsoft."), adder(ROWS, "ai.onnx.ml.")


row("Bernoulli", "[..]", "dtype=maybe(one(1, 7, 11))")
row("BlackmanWindow", "=i64[]{num(1, 9)}", "output_datatype=maybe(one(1, 11))")
row("GlobalLpPool", "[B,C,..]", "p=maybe(2)")
row("DeformConv", "[B,C,H+2,W+2] [M,C,K,L] [B,2*K*L,H+3-K,W+3-L] ?[M] ?[B,K*L,H+3-K,W+3-L]", where="K=num(1,2);L=num(1,2)")
row("CausalConvWithState", "[B,C,L] [C,1,K] ?[C] ?[B,C,K-1]", "activation=maybe(one('none','silu'))", 2)
row("LinearAttention", "[B,T,N*D] [B,T,N*D] [B,T,N*E] ?[B,N,D,E]", "q_num_heads=N, kv_num_heads=N, update_rule='linear'", 2)
row("SwiGLU", "[..,D] [..,D]")
row("TensorScatter", "[B,N,S+3,D] [B,N,S,D] ?i64[B]<3", "mode=maybe(one('linear', 'circular'))", 1, "S=num(1,2)")
row("RegexFullMatch", "string[..]", "pattern='a.*'")
row("StringConcat", "string[..] string[~]")
row("StringNormalizer", "string[C]", "case_change_action=one('UPPER','LOWER','NONE'), stopwords=maybe(['a'])")
row("StringNormalizer", "string[1,C]", "case_change_action=one('UPPER','LOWER')")
row("TfIdfVectorizer", "i64[*one([], [B])*1,C]<6", "max_gram_length=2, max_skip_count=num(0,2), min_gram_length=1, mode=one('TF','IDF','TFIDF'), "
    "ngram_counts=[0,4], ngram_indexes=[0,1,2,3,4,5,6], pool_int64s=[2,3,5,4,5,6,7,8,6,7], weights=maybe([1.0]*7)")
row("SequenceConstruct", "[..] [..] [..]")
row("SequenceEmpty", "", "dtype=maybe(one(1, 7))")
row("SplitToSequence", "[N+1,C] ?=i64[]{num(1,2)}", "axis=maybe(num(-2,1)), keepdims=maybe(num(0,1))")
row("Optional", "[..]")
row("OptionalHasElement", "[..]")
row("OptionalGetElement", "[..]")
row("Gather", "[..,D] i64[B]<D", "axis=-1")
row("Swish", "[..]", "alpha=maybe(0.5)")
row("Softmax LogSoftmax Hardmax", "[..,D]", "axis=maybe(num(-1, len(any_dims)))")
row("LRN", "[B,C,H,W]", "size=3, bias=maybe(2.0)")
row("LpNormalization", "[B,C]", "axis=num(-2,1), p=one(1,2)")
row("GlobalAveragePool GlobalMaxPool", "[B,C,..]")
row("MaxPool", "[B,C,H,W]", "kernel_shape=[num(1,5),num(1,5)], strides=maybe(dims(2,1,3)), ceil_mode=1, "
    "pads=maybe(dims(4,0,2)), auto_pad=maybe(one('NOTSET','VALID','SAME_UPPER','SAME_LOWER')), dilations=maybe(dims(2,1,2))", "num(1,2)")
row("AveragePool LpPool", "[B,C,H,W]", "kernel_shape=[num(1,5),num(1,5)], strides=maybe(dims(2,1,3)), ceil_mode=1, "
    "pads=maybe(dims(4,0,2)), auto_pad=maybe(one('NOTSET','VALID','SAME_UPPER','SAME_LOWER'))")
row("Slice", "[H,W] =i64[1]{one(-10,-2**63,-3,-1,0,1,3,10,2**63-1)} =i64[1]{one(-10,-2**63,-3,-1,0,1,3,10,2**63-1)} "
    "=i64[1]{num(-2,1)} =i64[1]{one(-1,-2,-3,1,2,3,-2**63+1,2**63-1)}", where="H=num(0,5);W=num(1,5)")
row("ConvTranspose", "[B,C,H,W] [C,M,K,L]", "strides=dims(2,1,4), output_padding=maybe(dims(2,0,2)), dilations=maybe(dims(2,1,2)), "
    "pads=maybe(dims(4,0,1)), auto_pad=maybe(one('NOTSET','VALID','SAME_UPPER','SAME_LOWER')), output_shape=maybe(dims(2,3,9))")
row("Resize", "[1,2,H,W] ?[] =f32[4]{[1.0,1.0,R.uniform(.3,3.9),one(0.7,31/7,13/11,2.0)]}", "mode=one('nearest','linear','cubic')",
    where="H=num(5,12);W=num(7,12)")
row("Pad", "[H,W] =i64[2]{[1,2]} - =i64[1]{num(-2,1)}", "mode=one('constant','edge')", where="H=num(2,5);W=num(2,5)")

Q = " f32[]{0.5} u8[]{1}"
ms("Gelu QuickGelu MurmurHash3 Inverse", "[..]")
ms("Inverse", "[..,N,N]")
ms("SampleOp", "[..]")
ms("ScaledSiLU", "[..,D] ?[D]")
ms("BiasGelu", "[..,D] [D]")
ms("FastGelu", "[..,D] ?[D]")
ms("Trilu", "[..,N,D] ?=i64[]{num(-3,3)}", "upper=maybe(num(0,1))")
ms("Unique", "f32[N]", "", 3)
ms("CDist", "[N,D] [C,D]", "metric=one('euclidean','sqeuclidean')")
ms("ExpandDims", "[..] =i32[]{num(-1-len(any_dims), len(any_dims))}")
ms("Range", "=[]{num(-4,4)} =[]{num(-4,9)} ?=[]{one(1,2,-1)}")
ms("Pad", "[H,W] =i64[4]{dims(4,0,2)} ?=[1]", "mode=maybe(one('constant','edge'))")
ms("GatherND", "[H,W] i64[..,2]<min(H,W)")
ms("GridSample", "f32[B,C,H,W] f32[B,N,D,2]", "mode=maybe(one('bilinear','nearest'))")
ms("CropAndResize", "f32[B,C,H,W] f32[N,4] i32[N]<B =i32[2]{dims(2)}", "mode=maybe(one('bilinear','nearest'))")
ms("UnfoldTensor", "[B,H+3]", "dim=maybe(num(-2,1)), size=num(1,3), step=maybe(num(1,2))")
ms("MaxpoolWithMask", "f32[1,1,H+3,W+3] i32[1,1,H+3,W+3]", "kernel_shape=[2,2], strides=maybe([1,2]), pads=maybe([0,1,1,0])")
ms("FusedConv", "f32[B,2*G,H+3,W+3] f32[G*M,2,K,L] ?f32[G*M]", "group=G, activation=one('Relu','Tanh'), strides=maybe(dims(2,1,2)), "
   "pads=maybe(dims(4,0,2)), auto_pad=maybe(one('SAME_UPPER','VALID'))", where="K=num(1,3);L=num(1,3)")
ms("ConvTransposeWithDynamicPads", "f32[B,C,H+2,W+2] f32[C,M,3,3] ?=i64[4]{dims(4,0,1)}", "strides=maybe(dims(2,1,3)), output_padding=maybe([0,0])")
ms("NhwcMaxPool", "[B,H+3,W+3,C]", "kernel_shape=dims(2,1,4), strides=maybe(dims(2,1,3)), pads=maybe(dims(4,0,1)), ceil_mode=maybe(1), dilations=maybe(dims(2,1,2)), "
   "auto_pad=maybe(one('SAME_UPPER','SAME_LOWER','VALID'))")
ms("QLinearConv", "u8[B,C,H+3,W+3]" + Q + " u8[M,C,K,L]" + Q + Q, "strides=maybe(dims(2,1,2)), pads=maybe(dims(4,0,2))", where="K=num(1,3);L=num(1,3)")
ms("QLinearConv", "u8[B,H+3,W+3,C]" + Q + " u8[M,C,K,L]" + Q + Q, "channels_last=1, strides=maybe(dims(2,1,2)), pads=maybe(dims(4,0,2)), auto_pad=maybe(one('SAME_UPPER','VALID'))",
   where="K=num(1,3);L=num(1,3)")
ms("QLinearAveragePool", "u8[B,C,H+3,W+3]" + Q + Q, "channels_last=maybe(1), kernel_shape=dims(2,1,3), strides=maybe(dims(2,1,3)), pads=maybe(dims(4,0,1)), ceil_mode=maybe(1)")
ms("QLinearGlobalAveragePool", "u8[B,C,H,W]" + Q + Q, "channels_last=maybe(1)")
ms("QLinearLeakyRelu QLinearSigmoid", "u8[..]" + Q + Q)
ms("QLinearSoftmax", "u8[..,C]" + Q + Q, "opset=one(12,13), axis=maybe(-1)")
ms("QLinearAdd QLinearMul", "u8[..]" + Q + " u8[~]" + Q + Q)
ms("QLinearWhere", "bool[~] u8[..]" + Q + " u8[~]" + Q + Q)
ms("QLinearConcat", Q + " u8[B,C]" + Q + " u8[B,C]" + Q + " u8[B,C]" + Q, "axis=num(-2,1)")
ms("QGemm", "u8[N,K]" + Q + " u8[K,M]" + Q + " ?i32[M]" + Q)
ms("QGemm", "u8[N,K]" + Q + " u8[M,K]" + Q + " - - -", "transB=1")
ms("DynamicQuantizeMatMul", "f32[..,N,K] u8[K,M] f32[]{0.5} ?u8[]{1} ?f32[M]")
ms("MatMulIntegerToFloat", "u8[..,N,K] u8[K,M] f32[] f32[] ?u8[] ?u8[] ?f32[M]")
ms("MatMulInteger16", "i16[..,N,K] i16[K,M]")
ms("QuantizeLinear", "f32[B,C]" + Q)
ms("QuantizeLinear", "f32[B,C] f32[C]{0.5} u8[C]{1}", "axis=one(1,-1)")
ms("DequantizeLinear", "u8[B,C]" + Q)
ms("DequantizeLinear", "u8[B,C] f32[C]{0.5} u8[C]{1}", "axis=one(1,-1)")
ms("FusedGemm", "f32[N,K] f32[K,M] ?f32[M]", "activation='Relu'")
ms("FusedGemm", "f32[K,N] f32[M,K] ?f32[N,M]", "activation='Relu', transA=1, transB=1")
ms("FusedMatMul TransposeMatMul", "f32[..,N,K] f32[..,K,M]")
ms("FusedMatMul TransposeMatMul", "f32[..,K,N] f32[..,M,K]", "transA=1, transB=1")
ms("FusedMatMul", "f32[N,B,K] f32[B,K,M]", "transBatchA=1")
ms("MatMulBnb4", "f32[N,16] u8[4*8] f32[2]", "K=16, N=4, block_size=32, quant_type=1")
ms("MatMulNBits", "f32[..,N,32] u8[M,2,8] f32[M*2] ?u8[M]", "K=32, N=M, bits=4, block_size=16")
ms("GatherBlockQuantized", "u8[C,16] i64[..]<C f32[C,2]", "block_size=16, bits=4, quantize_axis=1, gather_axis=0")
ms("SkipLayerNormalization", "f32[B,T,D] f32[B,T,D] f32[D] ?f32[D] ?f32[D]", "", "one(1,4)")
ms("SkipSimplifiedLayerNormalization", "f32[B,T,D] f32[B,T,D] f32[D] ?f32[D]", "", "one(1,4)")
ms("EmbedLayerNormalization", "i32[B,T]<3 i32[B,T]<2 f32[3,D] f32[6,D] f32[2,D] f32[D] f32[D] ?i32[B,T]", "mask_index_type=maybe(num(0,1))", "num(2,3)")
ms("Attention", "f32[B,T,C] f32[C,3*N*D] f32[3*N*D]", "num_heads=N, unidirectional=maybe(1)")
ms("Attention", "f32[B,T,C] f32[C,3*N*D] f32[3*N*D] - f32[2,B,N,P,D]", "num_heads=N", 2)
ms("Attention", "f32[B,T,C] f32[C,3*N*D] f32[3*N*D] ?i32[B]{T}", "num_heads=N, qkv_hidden_sizes=[N*D,N*D,N*D]", "num(1,2)")
ms("QAttention", "u8[B,T,C] u8[C,3*N*D] f32[3*N*D] f32[]{0.5} f32[]{0.5} - u8[]{1} u8[]{1}", "num_heads=N", "num(1,2)")
ms("MultiHeadAttention", "f32[B,T,N*D] f32[B,S,N*D] f32[B,S,N*E] ?f32[N*(2*D+E)]", "num_heads=N", "one(1,3)")
ms("MultiHeadAttention", "f32[B,T,N*D] f32[B,S,N*D] f32[B,S,N*D] - - - f32[B,N,P,D] f32[B,N,P,D]", "num_heads=N", 3)
ms("MultiHeadAttention", "f32[B,T,N,3,D]", "num_heads=N", "one(1,3)")
ms("MultiHeadAttention", "f32[B,T,N*D] f32[B,N,S,D] f32[B,N,S,D]", "num_heads=N")
ms("GroupQueryAttention", "f32[B,T,K*G*8] f32[B,T,K*8] f32[B,T,K*8] - - i32[B]{T-1} =i32[]{T}", "num_heads=K*G, kv_num_heads=K", 3)
ms("GroupQueryAttention", "f32[B,1,K*G*8] f32[B,1,K*8] f32[B,1,K*8] f32[B,K,P,8] f32[B,K,P,8] i32[B]{P} =i32[]{P+1}", "num_heads=K*G, kv_num_heads=K", 3)
ms("DecoderMaskedMultiHeadAttention", "f32[B,1,N*D] f32[B,1,N*D] f32[B,1,N*D] - - f32[B,N,P,D] f32[B,N,P,D] =i32[1]{P}", "num_heads=N", "one(1,3)")
ms("LinearAttention", "f32[B,T,N*D] f32[B,T,N*D] f32[B,T,N*E] ?f32[B,N,D,E]", "q_num_heads=N, kv_num_heads=N, update_rule='linear'", 2)
ms("LinearAttentionGate", "f32[B,T,N] f32[N] f32[N] ?f32[B,T,N]", "", 2)
ms("CausalConvWithState", "f32[B,C,L] f32[C,1,K] ?f32[C] ?f32[B,C,K-1]", "activation=maybe(one('none','silu'))", 2)
ms("RotaryEmbedding", "f32[B,T,N*8] i64[B,T]<5 f32[5,4] f32[5,4]", "interleaved=maybe(num(0,1)), num_heads=maybe(0)")
ms("RotaryEmbedding", "f32[B,N,T,8] i64[1]<2 f32[9,4] f32[9,4]")
ms("BifurcationDetector", "i64[N+3]<4 i64[N]<4 i64[]<1 ?i64[N+4]<4", "", 2)
ms("NGramRepeatBlock", "i64[B,T]<4 f32[B,4]", "ngram_size=num(1,2)")
ms("DynamicTimeWarping", "f32[H,W]")
ms("Tokenizer", "string[*one([C],[B,C])]", "mark=num(0,1), mincharnum=1, pad_value='#', separators=[' ']")
ms("WordConvEmbedding", "i32[N,6]<3 f32[D,1,2,M] f32[D] f32[3,M]")
ms("MoE", "f32[T,8] f32[T,4] f32[4,8*C,8] ?f32[4,8*C] f32[4,8,8*C] ?f32[4,8]", "k=1, activation_type='relu'")
ms("SparseAttention", "f32[1,T,8] f32[1,T,8] f32[1,T,8] f32[1,1,8,8] f32[1,1,8,8] i32[1,2] i32[1,1] i32[]{T} i32[1]{T}", "num_heads=1, kv_num_heads=1, sparse_block_size=8", 3)
ms("DynamicQuantizeLSTM", "f32[T,B,C] u8[1,C,4*M] u8[1,M,4*M] - - - - - f32[1]{.5} u8[1]{1} f32[1]{.5} u8[1]{1}", "hidden_size=M", "num(1,3)")
ms("AttnLSTM", "f32[T,B,C] f32[1,4*M,C+M] f32[1,4*M,M] - - - - - f32[1,M,D] f32[1,E,D] f32[1,D] f32[B,S,E] - f32[1,E,M]", "hidden_size=M", "num(1,3)")
ms("BranchwiseRMSNorm", "[B,T,N*D] ?[N*D]", "num_branches=N")
ms("GatedRMSNorm", "[..,D] [D] [..,D]")
ms("GatedAdd", "[..,D] [..,D] [..,1]")
ms("HyperConnectionPreMix", "[B,T,N,D] [B,T,N]", "num_branches=N")
ms("HyperConnectionPostMix", "[B,T,N,D] [B,T,D] [B,T,N] ?[B,T,N,N]", "num_branches=N")
ms("EngramGate", "[B,T,N,D] [B,T,D] [B,T,D] [N,D] [N,D]", "", 2)
ms("MoEGroupRouter", "f32[T,8] f32[8]", "top_k=2, n_group=2, topk_group=1", 3)
ms("MRotaryEmbedding", "f32[B,T,N*8] i64[3,B,T]<5 f32[5,4] f32[5,4]", "mrope_section=[1,1,2], num_heads=maybe(N)")

ml("ArrayFeatureExtractor", "[..,C] i64[1,K]<C")
ml("Binarizer", "[..]", "threshold=maybe(1.0)")
ml("Normalizer", "[*one([C],[B,C])]", "norm=one('MAX','L1','L2')")
ml("Scaler", "[B,C]", "offset=[0.5]*C, scale=[2.0]*C")
ml("Imputer", "f32[B,C]", "imputed_value_floats=one([1.0], [1.0]*C), replaced_value_float=0.0")
ml("FeatureVectorizer", "[B,C] [B,D]", "inputdimensions=[C,D]")
ml("CategoryMapper", "string[..]", "cats_int64s=[1,2], cats_strings=['a','b']")
ml("CategoryMapper", "i64[..]", "cats_int64s=[1,2], cats_strings=['a','b']")
ml("OneHotEncoder", "i64[..]<3", "cats_int64s=list(range(num(3,5))), zeros=maybe(num(0,1))")
ml("OneHotEncoder", "string[..]", "cats_strings=['a','b c','','1.5','ab']")
ml("LabelEncoder", "i64[..]", "keys_int64s=[1,2], values_int64s=[3,4]")
ml("LabelEncoder", "i64[..]", "keys_int64s=[1,2], values_strings=['a','b']")
ml("LabelEncoder", "string[..]", "keys_strings=['a','b'], values_floats=[1.0,2.0]")
ml("LabelEncoder", "f32[..]", "keys_floats=[1.0,2.0], values_int64s=[1,2]")
ml("LinearRegressor", "[B,C]", "targets=K, coefficients=[0.5]*(C*K), intercepts=maybe([1.0]*K)")
ml("LinearRegressor", "[B,C]", "coefficients=[0.5]*C")
ml("LinearClassifier", "[B,C]", "classlabels_ints=list(range(K)), coefficients=[0.5]*(C*K), intercepts=[1.0]*K", "num(1,2)", "K=num(2,4)")
ml("LinearClassifier", "[C]", "classlabels_strings=['a','b'], coefficients=[0.5]*(C*2), intercepts=[1.0]*2", 2)
ml("LinearClassifier", "[B,C]", "classlabels_ints=[0,1], coefficients=[0.5]*C, intercepts=[1.0]", 2)
ml("SVMRegressor", "f32[B,C]", "kernel_type='LINEAR', n_supports=0, coefficients=[0.5]*C, rho=[0.5], kernel_params=[0.0,0.0,0.0]")
ml("SVMClassifier", "f32[B,C]", "kernel_type='LINEAR', coefficients=[0.5]*(2*C), rho=[0.5,0.5], classlabels_ints=[0,1]", 2)
ml("SVMClassifier", "f32[B,C]", "kernel_type='RBF', kernel_params=[0.5,0.0,3.0], coefficients=[1.0]*2, vectors_per_class=[1,1], support_vectors=[0.5]*(2*C), rho=[0.5], classlabels_ints=[0,1]", 2)
TREE = ("nodes_treeids=[0,0,0], nodes_nodeids=[0,1,2], nodes_featureids=[0,0,0], nodes_values=[0.5,0.0,0.0], "
        "nodes_modes=['BRANCH_LEQ','LEAF','LEAF'], nodes_truenodeids=[1,0,0], nodes_falsenodeids=[2,0,0], ")
ml("TreeEnsembleRegressor", "[B,C]", TREE + "n_targets=K, target_treeids=[0,0], target_nodeids=[1,2], target_ids=[0,K-1], target_weights=[1.0,2.0], "
   "aggregate_function=maybe(one('SUM','AVERAGE','MIN'))")
ml("TreeEnsembleClassifier", "[B,C]", TREE + "class_treeids=[0,0], class_nodeids=[1,2], class_ids=[0,K-1], class_weights=[1.0,2.0], classlabels_int64s=list(range(K))", 2, "K=num(2,4)")
ml("TreeEnsembleClassifier", "[B,C]", TREE + "class_treeids=[0,0], class_nodeids=[1,2], class_ids=[0,1], class_weights=[1.0,2.0], classlabels_strings=['a','b']", 2)
ml("ZipMap", "f32[B,3]", "classlabels_int64s=[1,2,3]")
ml("CastMap", "f32[B]", "cast_to='TO_FLOAT'")
ml("TreeEnsemble", "f32[B,C]", "n_targets=K, tree_roots=[0], nodes_featureids=[0], nodes_splits=tensor([0.5]), nodes_modes=tensor_u8([0]), nodes_truenodeids=[0], "
   "nodes_falsenodeids=[1], nodes_trueleafs=[1], nodes_falseleafs=[1], leaf_targetids=[0,K-1], leaf_weights=tensor([1.0,2.0])")
