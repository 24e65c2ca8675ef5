"""Draws inputs and attributes of nodes at random. A node is {"op", "domain", "opset", "ins", "attrs", "outputs"}."""
import copy
import math
import random
import re

import ml_dtypes
import numpy as np

R = random.Random()

NUMPY = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "bf16": ml_dtypes.bfloat16,
         "i64": np.int64, "i32": np.int32, "i16": np.int16, "i8": np.int8,
         "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64,
         "bool": np.bool_, "string": object, "c64": np.complex64, "c128": np.complex128,
         "f8e4m3": ml_dtypes.float8_e4m3fn, "f8e5m2": ml_dtypes.float8_e5m2,
         "f8e4m3fnuz": ml_dtypes.float8_e4m3fnuz, "f8e5m2fnuz": ml_dtypes.float8_e5m2fnuz,
         "f8e8m0": ml_dtypes.float8_e8m0fnu, "f4e2m1": ml_dtypes.float4_e2m1fn,
         "u4": ml_dtypes.uint4, "i4": ml_dtypes.int4, "u2": ml_dtypes.uint2, "i2": ml_dtypes.int2}
OF_NUMPY = {np.dtype(v): k for k, v in NUMPY.items()}


class In:
    """An input: its value, and whether it is a constant of the model."""

    def __init__(self, value, const=False):
        self.value, self.const = value, const

    @property
    def kind(self):
        return OF_NUMPY[self.value.dtype]


def dims(rank, low=1, high=6):
    return [R.randint(low, high) for _ in range(rank)]


def data(shape, dtype="f32", const=False, low=-4, high=9):
    n = math.prod(shape)
    if dtype == "string":
        return In(np.array([R.choice(["a", "b c", "", "1.5", "ab"]) for _ in range(n)], object).reshape(shape), const)
    if dtype in ("bool", "u2", "f8e8m0", "f4e2m1"):
        low, high = 0, 1
    elif dtype.startswith("u"):
        low, high = max(low, 0), max(high, 0)
    elif dtype in ("i4", "i2"):
        low, high = max(low, -2), min(high, 1)
    values = np.array([R.randint(low, max(low, high)) for _ in range(n)], np.int64)
    return In(values.astype(NUMPY[dtype]).reshape(shape), const)


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
    axes = R.sample(range(rank), R.randint(min(least, rank), rank)) if rank else []
    return [a - rank if negative and perhaps(0.4) else a for a in axes]


# ---- rows ---------------------------------------------------------------------------------------
# A row says which inputs an operator has: "[B,S,D] =i64[]<D ?[D]". An input is
#   ? it may be missing   = it is a constant   i64 its type, where the schema allows several or the row has none
#   [..]: expressions of dims; a capital letter is a number from 1 to 5; `..`: any dims, the same in the row;
#   `~`: any dims that broadcast to `..`
#   <E its elements are below the expression E, and not negative; {E} its elements
# The attributes are the arguments of a call: num_heads=H, mode=one("a", "b").

INPUT = re.compile(r"(-)|(\?)?(=)?(\w+)?\[((?:[^\[\]]|\[[^\]]*\])*)\](?:<(\S+)|\{([^}]*)\})?")


def one(*words):
    return R.choice(words)


def num(low, high):
    return R.randint(low, high)


def adder(table, prefix=""):
    """A function that adds a row for several operators, whose names begin with the prefix, to a table. `outputs` is their
    number or an expression, `where` gives letters their values: "H=num(5,12);W=H"."""
    def row(names, inputs, attrs="", outputs=1, where="", opsets=""):
        for name in names.split():
            table.setdefault(prefix + name, []).append((inputs, attrs, outputs, where, opsets))
    return row


class Absent:
    """As an attribute's value: the attribute is not given."""


def maybe(value):
    return value if perhaps() else Absent


class Names(dict):
    """Letters of dims, drawn when first used."""

    def __missing__(self, name):
        if not re.fullmatch("[A-Z][0-9]?", name):
            raise KeyError(name)
        self[name] = R.randint(1, 4)
        return self[name]


def draw_row(inputs, attrs, outputs, names, kind_of):
    """Inputs, attributes and number of outputs of a row; kind_of(i) gives the element type of input i."""
    env = Names(one=one, num=num, maybe=maybe, perhaps=perhaps, dims=dims, R=R, min=min, max=max, list=list, float=float, sorted=sorted,
                range=range, len=len, sum=sum, prod=math.prod, some_axes=some_axes,
                tensor=lambda v: np.array(v, np.float32), tensor_u8=lambda v: np.array(v, np.uint8), any_dims=dims(R.randint(0, 2)))
    for part in names.split(";"):
        if part.strip():
            key, _, text = part.partition("=")
            env[key.strip()] = eval(text, {"__builtins__": {}}, env)
    ins, last = [], -1
    for i, match in enumerate(INPUT.finditer(inputs)):
        absent, optional, const, kind, shape, below, elements = match.groups()
        if absent or optional and perhaps(0.4):
            ins.append(None)
            continue
        last = i
        extent = []
        for word in re.split(r",(?![^(]*\))", shape) if shape else []:
            if word == "..":
                extent += env["any_dims"]
            elif word == "~":
                extent += broadcastable(env["any_dims"])
            elif word.startswith("*"):
                extent += eval(word[1:], {"__builtins__": {}}, env)
            else:
                extent.append(int(eval(word, {"__builtins__": {}}, env)))
        kind = kind or kind_of(i)
        is_const = bool(const) or perhaps(0.1)
        if elements is not None:
            value = np.array(eval(elements, {"__builtins__": {}}, env)).astype(NUMPY[kind])
            x = In(np.broadcast_to(value, extent).copy(), is_const)
        elif below:
            x = data(extent, kind, is_const, 0, eval(below, {"__builtins__": {}}, env) - 1)
        else:
            x = data(extent, kind, is_const)
        ins.append(x)
    given = eval("dict(%s)" % attrs, {"__builtins__": {}, "dict": dict}, env)
    count = eval(outputs, {"__builtins__": {}}, env) if isinstance(outputs, str) else outputs
    return dict(ins=ins[:last + 1], attrs={k: v for k, v in given.items() if v is not Absent}, outputs=count)


# ---- changes: legal or not, the runtime decides ---------------------------------------------------

BORDERS = [-2 ** 63, 2 ** 63 - 1, -2 ** 31, 2 ** 31 - 1, 0, 1, -1, -10, 10]


def other_number(v):
    return R.choice([v + 1, v - 1, -v, v, 0, 1, 2, -1, 3])


def change_shape(node):
    at = [i for i, x in enumerate(node["ins"]) if x is not None]
    if not at:
        return
    x = node["ins"][R.choice(at)]
    shape = list(x.value.shape)
    how = R.randint(0, 4)
    if how == 0 and shape:
        shape[R.randrange(len(shape))] = R.choice([0, 1, 1, 2, 7])
    elif how == 1 and shape:
        del shape[R.randrange(len(shape))]
    elif how == 2:
        shape.insert(R.randint(0, len(shape)), R.choice([1, 1, 2]))
    elif shape:
        i = R.randrange(len(shape))
        shape[i] = max(0, shape[i] + R.choice([-1, 1]))
    n = math.prod(shape)
    flat = x.value.reshape(-1)
    x.value = np.resize(flat, n).reshape(shape) if flat.size else data(shape, x.kind).value


def change_constant(node):
    at = [x for x in node["ins"] if x is not None and x.const and x.value.size and x.value.dtype != object]
    if not at:
        return
    x = R.choice(at)
    flat = x.value.reshape(-1).copy()
    i = R.randrange(flat.size)
    if np.issubdtype(x.value.dtype, np.integer):
        info = np.iinfo(x.value.dtype)
        # A large number elsewhere can be a size, which the runtime then fills.
        value = R.choice(BORDERS) if "Slice" in node["op"] and perhaps(0.3) else other_number(int(flat[i]))
        flat[i] = min(max(value, info.min), info.max)
    elif x.value.dtype == np.float32:
        flat[i] = R.choice([flat[i] * 1.3, 0.5, 0.7, 31 / 7, 13 / 11, 1.0, 2.0, 0.0, -1.0])
    x.value = flat.reshape(x.value.shape)


def change_const(node):
    at = [x for x in node["ins"] if x is not None]
    if at:
        x = R.choice(at)
        x.const = not x.const


def drop_input(node):
    if node["ins"]:
        i = R.randrange(len(node["ins"]))
        if i == len(node["ins"]) - 1:
            node["ins"].pop()
        else:
            node["ins"][i] = None


def add_input(node):
    shape = R.choice([[], [1], [R.randint(1, 4)], dims(2)])
    kind = R.choice(["i64", "f32"])
    node["ins"].append(data(shape, kind, perhaps(0.7), 0, 2))


def drop_attribute(node):
    if node["attrs"]:
        del node["attrs"][R.choice(sorted(node["attrs"]))]


def change_list(values):
    """Another list of integers: an entry differs, and sometimes the length."""
    values = list(values)
    i = R.randrange(len(values))
    values[i] = R.choice([values[i] + 1, values[i] - 1, 0, 1, 2, -1, 3])
    if perhaps(0.2):
        values = values[:-1] if perhaps() else values + [1]
    return [min(max(v, -2 ** 63), 2 ** 63 - 1) for v in values]


def changed(node, changes):
    """The node, or mostly one that a change or two make of it."""
    if perhaps(0.6):
        node = copy.deepcopy(node)
        for _ in range(R.choice([1, 1, 2])):
            R.choice(changes)(node)
    return node


def full(node):
    return node["domain"] + "." + node["op"] if node["domain"] else node["op"]


def text_of(node):
    words = []
    for x in node["ins"]:
        if x is None:
            words.append("-")
            continue
        word = x.kind + str(list(x.value.shape)).replace(" ", "")
        if x.const and x.value.size <= 9:
            word += "=" + str(x.value.tolist()).replace(" ", "")
        elif x.const:
            word += " const"
        words.append(word)
    attrs = ", ".join("%s=%s" % (k, v.tolist() if isinstance(v, np.ndarray) else v)
                      for k, v in sorted(node["attrs"].items()))
    return "%s-%d(%s) {%s} -> %d" % (full(node), node["opset"], ", ".join(words), attrs, node["outputs"])
