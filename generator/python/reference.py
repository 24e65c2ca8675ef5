"""Runs a model of one node in ONNX Runtime or OpenVINO, to compare a kernel's tensors. These operators move elements
without examining them, so a model runs on integers of the elements' size. A row of packed elements becomes a row of
bytes, one for each element."""
from __future__ import annotations

import math
from importlib import import_module
from typing import Any, Dict, List, Mapping, Protocol, Sequence, Tuple

import numpy as np

Plan = Mapping[str, Any]
Arrays = List[Any]

# Elements by their size in bytes: NumPy's type, and how many of that type make one element.
_ELEMENTS = {1: (np.uint8, 1), 2: (np.int16, 1), 4: (np.int32, 1), 8: (np.int64, 1), 16: (np.int64, 2)}
# The names of the types in onnx and OpenVINO. OpenVINO reads 16 bits as floats; a copy keeps their bits.
_ONNX = {np.uint8: "UINT8", np.int16: "INT16", np.int32: "INT32", np.int64: "INT64"}


def joins(plan: Plan) -> bool:
    """Whether the kernel is a concat."""
    return bool(plan.get("op") == "concat")


def sides(plan: Plan) -> Tuple[Mapping[str, Any], List[Mapping[str, Any]]]:
    """The full tensor and the parts."""
    return (plan["output"], plan["inputs"]) if joins(plan) else (plan["input"], plan["outputs"])


def _has_padding(plan: Plan) -> bool:
    """Whether rows of a tensor are padded, which they are not if a dimension after the axis is open."""
    whole, parts = sides(plan)
    behind = whole["shape"][plan["axis"] + 1:]
    if not all(isinstance(dim, int) for dim in behind):
        return False
    strides = [(whole["row_stride"], sum(plan["lengths"]))]
    strides += [(part["tensor_row_stride"], part["length"]) for part in parts if "source" not in part]
    return any(stride != length * math.prod(behind) for stride, length in strides)


def why_no_arrays(plan: Plan) -> str:
    """The reason why a kernel's tensors cannot be compared with other implementations; empty if they can."""
    parts = sides(plan)[1]
    if plan["dtype"] in ("string", "ptr"):
        return "strings have no arrays in NumPy"
    if plan.get("packing") == "planes":
        return "elements in planes of bits, which no other has"
    if plan.get("packing") and _has_padding(plan):
        return "rows of packed elements lie apart"
    if plan.get("packing") and any(not part["copied"] and part["view"] != "contiguous" for part in parts):
        return "a part of packed elements is only a view, which begins within a byte or has gaps"
    return ""


def why_no_node(plan: Plan) -> str:
    """The reason why no model of one node does the same; empty if there is one."""
    parts = sides(plan)[1]
    if any(part.get("constant") for part in parts):
        return "a part is a constant of the model"
    if any("source" in part for part in parts):
        return "parts are pieces of larger tensors"
    if joins(plan) and sum(part["length"] for part in parts) != sum(plan["lengths"]):
        return "gaps of the result are not written"
    return why_no_arrays(plan)


def element(plan: Plan) -> Tuple[Any, int]:
    """The type that represents the kernel's elements, and how many of it make one element."""
    return _ELEMENTS[plan["element_bytes"] or 1]


def _factors(plan: Plan, tensor: Mapping[str, Any]) -> List[Tuple[int, List[str]]]:
    """The dimensions of a tensor, each as a number and the names of open dimensions that multiply it. A name may be
    an expression, so a dimension is searched for the known names."""
    found, whole = [], sides(plan)[0]
    for d, dim in enumerate(tensor["shape"]):
        of_whole = d + (len(tensor["shape"]) < len(whole["shape"]) and d >= plan["axis"])  # a part may lose the axis
        names = [one["name"] for one in plan.get("open", []) for _ in range(one["powers"][of_whole])]
        number = str(dim)[:-len("*".join(names))].rstrip("*") if names else str(dim)
        found.append((int(number or 1), names))
    return found


def shape_of(plan: Plan, tensor: Mapping[str, Any], numbers: Mapping[str, int]) -> Tuple[int, ...]:
    """The number of elements of a tensor in each dimension, for these values of open dimensions."""
    dims = []
    for size, names in _factors(plan, tensor):
        for name in names:
            size *= numbers[name]
        dims.append(size)
    return tuple(dims)


def numbers_in(plan: Plan, shape: Sequence[int]) -> Dict[str, int]:
    """The values of open dimensions in a full tensor of this shape, from dimensions with only one of them."""
    numbers = {}
    for (factor, names), size in zip(_factors(plan, sides(plan)[0]), shape):
        if len(names) == 1 and factor > 0 and size % factor == 0:
            numbers[names[0]] = size // factor
    return numbers


class Node(Protocol):
    """One operator that can be run."""

    def run(self, arrays: Arrays) -> Arrays:
        """Its results."""


class OnnxNode:
    """By ONNX Runtime: Split if all parts are wanted and in order; otherwise, and for slice groups, a Slice or
    Gather for each part; Concat."""
    name = "ONNX Runtime"

    def __init__(self, plan: Plan, numbers: Mapping[str, int]) -> None:
        onnx, onnxruntime = import_module("onnx"), import_module("onnxruntime")
        self._plan, self._axis = plan, plan["axis"]
        dtype, per = element(plan)
        self._type = getattr(onnx.TensorProto, _ONNX[dtype])
        whole, parts = sides(plan)
        self._dims = [shape_of(plan, t, numbers) + ((per,) if per > 1 else ()) for t in (whole, *parts)]
        nodes, initializers = self._nodes(onnx, parts)
        given, made = range(1, len(parts) + 1), range(1)
        if not joins(plan):
            given, made = made, given
        graph = onnx.helper.make_graph(nodes, "kernel", [self._info(onnx, i) for i in given],
                                       [self._info(onnx, i) for i in made], initializers)
        model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 13)], ir_version=8)
        onnx.checker.check_model(model)
        how = onnxruntime.SessionOptions()
        how.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        how.intra_op_num_threads, how.log_severity_level = 1, 4
        self.session = onnxruntime.InferenceSession(model.SerializeToString(), how, providers=["CPUExecutionProvider"])
        self.given, self.made = ["t%d" % i for i in given], ["t%d" % i for i in made]

    def _info(self, onnx: Any, i: int) -> Any:
        return onnx.helper.make_tensor_value_info("t%d" % i, self._type, self._dims[i])

    def _nodes(self, onnx: Any, parts: List[Mapping[str, Any]]) -> Tuple[List[Any], List[Any]]:
        constants: Dict[str, Any] = {}

        def constant(*values: int, scalar: bool = False) -> str:
            name = "_".join(["c", *map(str, values), "s" if scalar else "v"])
            constants[name] = onnx.numpy_helper.from_array(np.array(values[0] if scalar else values, np.int64), name)
            return name

        make = onnx.helper.make_node
        names = ["t%d" % (i + 1) for i in range(len(parts))]
        lengths = [part["length"] for part in parts]
        if joins(self._plan):
            nodes = [make("Concat", names, ["t0"], axis=self._axis)]
        elif lengths == self._plan["lengths"] and all(len(d) == len(self._dims[0]) for d in self._dims):
            nodes = [make("Split", ["t0", constant(*lengths)], names, axis=self._axis)]
        else:
            nodes = [self._cut(make, constant, part, name) for part, name in zip(parts, names)]
        return nodes, [*constants.values()]

    def _cut(self, make: Any, constant: Any, part: Mapping[str, Any], name: str) -> Any:
        """One part alone; a part without the axis is an index of it."""
        start, end = part["start"], part["start"] + part["length"]
        if len(part["shape"]) < len(sides(self._plan)[0]["shape"]):
            return make("Gather", ["t0", constant(start, scalar=True)], [name], axis=self._axis)
        return make("Slice", ["t0", constant(start), constant(end), constant(self._axis)], [name])

    def run(self, arrays: Arrays) -> Arrays:
        return [*self.session.run(self.made, dict(zip(self.given, arrays)))]


class OpenvinoNode:
    """The same by OpenVINO's CPU plugin: VariadicSplit, Slice or Gather, Concat."""
    name = "OpenVINO"

    def __init__(self, plan: Plan, numbers: Mapping[str, int]) -> None:
        openvino, ops = import_module("openvino"), import_module("openvino.opset13")
        whole, parts = sides(plan)
        dtype, per = element(plan)
        tail = (per,) if per > 1 else ()
        read = parts if joins(plan) else [whole]
        given = [ops.parameter(shape_of(plan, t, numbers) + tail, dtype) for t in read]
        axis, lengths = plan["axis"], [part["length"] for part in parts]

        def constant(value: Any) -> Any:
            return ops.constant(np.array(value, np.int64))

        if joins(plan):
            results = [ops.concat(given, axis)]
        elif lengths == plan["lengths"] and all(len(part["shape"]) == len(whole["shape"]) for part in parts):
            results = ops.variadic_split(given[0], constant(axis), constant(lengths)).outputs()
        else:
            results = [ops.gather(given[0], constant(p["start"]), constant(axis))
                       if len(p["shape"]) < len(whole["shape"]) else
                       ops.slice(given[0], constant([p["start"]]), constant([p["start"] + p["length"]]), constant([1]),
                                 constant([axis])) for p in parts]
        self._run = openvino.compile_model(openvino.Model(results, given), "CPU")

    def run(self, arrays: Arrays) -> Arrays:
        made = self._run(arrays)
        return [made[i] for i in range(len(made))]


def unpacked(plan: Plan, array: Any, shape: Sequence[int]) -> Any:
    """Converts the bytes of a kernel's tensor to a node's input, with packed elements in one byte each."""
    dtype, per = element(plan)
    data = np.ascontiguousarray(array)
    if plan["element_bytes"]:
        return data.reshape(-1).view(np.uint8).view(dtype).reshape([*shape, per] if per > 1 else [*shape])
    bits, count = plan["element_bits"], int(np.prod(shape, dtype=np.int64))
    order = "big" if plan["packing"] == "msb" else "little"
    every = np.unpackbits(data.reshape(-1), bitorder=order)[:count * bits].reshape(count, bits)  # type: ignore[call-overload]
    return np.packbits(every, axis=1).reshape(-1)[:count].reshape([*shape])
