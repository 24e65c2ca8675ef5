"""Kernels in their model: ONNX Runtime runs it as it is, and what its operators read and write there is what kernels get
and have to make."""
from __future__ import annotations

import re
from importlib import import_module
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from . import reference

Plan = Mapping[str, Any]
Numbers = Mapping[str, int]


def read_tensors(plan: Plan) -> List[str]:
    """The model's names of what a kernel is given, in its order: of parts that are pieces of a tensor that tensor, of
    constants none."""
    if not reference.joins(plan):
        return [plan["input"]["tensor"]]
    names = []
    for part in plan["inputs"]:
        name = part["source"]["name"] if "source" in part else part["tensor"]
        if not part.get("constant") and not ("source" in part and name in names):
            names.append(name)
    return names


def written_tensors(plan: Plan) -> List[str]:
    """The model's names of what a kernel makes, in its order."""
    return [plan["output"]["tensor"]] if reference.joins(plan) else [part["tensor"] for part in plan["outputs"]]


def model_of(arguments: Sequence[str]) -> Optional[str]:
    """The path of the only model of ONNX among arguments of the tool; None where there is another input, too."""
    paths = [a for a in arguments if not a.startswith("-") and re.search(r"\.(onnx|onnxtxt)$", a)]
    others = [a for a in arguments if a == "-e" or re.search(r"\.(lua|xml)$", a)]
    return paths[0] if len(paths) == 1 and not others else None


def _dims(text: str) -> List[str]:
    return [dim.strip() for dim in text.strip("[] ").split(",") if dim.strip()]


class Unusable(Exception):
    """A model cannot be run, and why, in a line."""


class Model:
    """A model of which the tensors of kernels can be looked at.

    arguments: those of the tool, for the sizes that -D and --shape give. Raises Unusable where it cannot be run so."""

    def __init__(self, path: str, plans: Sequence[Plan], arguments: Sequence[str]) -> None:
        onnx, onnxruntime = import_module("onnx"), import_module("onnxruntime")
        try:
            if path.endswith(".onnxtxt"):
                with open(path, encoding="utf-8") as file:
                    proto = onnx.parser.parse_model(file.read())
            else:
                proto = onnx.load(path)
        except Exception as error:  # of protobuf, of onnx, of files
            raise Unusable(_line(error)) from error
        self._sizes, self._shapes = _given(arguments)
        weights = {one.name: one for one in proto.graph.initializer}
        self._inputs = [one for one in proto.graph.input if one.name not in weights]
        made = {name for node in proto.graph.node for name in node.output if name}
        # Bodies of loops, branches and functions are not the graph's, and have names of their own.
        wanted = {name for plan in plans if not plan["path"] for name in read_tensors(plan) + written_tensors(plan)}
        self._weights = {name: onnx.numpy_helper.to_array(weights[name]) for name in wanted & set(weights)}
        self._outputs = sorted(wanted & made)
        del proto.graph.output[:]
        proto.graph.output.extend(onnx.ValueInfoProto(name=name) for name in self._outputs)
        how = onnxruntime.SessionOptions()
        how.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        how.log_severity_level = 4
        self._type_of = {one.name: onnx.helper.tensor_dtype_to_np_dtype(one.type.tensor_type.elem_type)
                         for one in self._inputs if one.type.tensor_type.elem_type}
        try:
            self._session = onnxruntime.InferenceSession(proto.SerializeToString(), how, providers=["CPUExecutionProvider"])
        except Exception as error:  # of protobuf and of ONNX Runtime
            raise Unusable(_line(error)) from error

    def run(self, numbers: Numbers, random: Any) -> Dict[str, Any]:
        """The tensors of a run on random inputs by their names; numbers: those of open dimensions. Integers are 0 and 1, as
        they may be indices; all 0 where the model does not take that."""
        sizes, failed = {**self._sizes, **numbers}, None
        for end in (2, 1):
            feeds = {one.name: self._random(one, sizes, end, random) for one in self._inputs}
            try:
                made = self._session.run(self._outputs, feeds)
            except Exception as error:  # of ONNX Runtime, whose exceptions have no class in common
                failed = failed or error
            else:
                return {**self._weights, **feeds, **dict(zip(self._outputs, made))}
        raise Unusable(_line(failed))

    def _random(self, one: Any, sizes: Numbers, end: int, random: Any) -> Any:
        """An input: normal numbers of floats, below `end` of all others."""
        dtype, shape = self._type_of.get(one.name), self._shape(one, sizes)
        if dtype is None:
            raise Unusable("the input %s is no tensor" % one.name)
        if np.issubdtype(dtype, np.floating):
            return random.standard_normal(shape).astype(dtype)
        return random.integers(0, end, shape).astype(dtype)

    def _shape(self, one: Any, sizes: Numbers) -> Tuple[int, ...]:
        """As --shape says, else as the model does. What nothing gives a size is of size 1."""
        dims = one.type.tensor_type.shape.dim
        texts = self._shapes.get(one.name) or [dim.dim_param or str(dim.dim_value) if dim.WhichOneof("value") else "" for dim in dims]
        return tuple(int(text) if text.isdigit() else sizes.get(text, 1) for text in texts)


def _line(error: Optional[Exception]) -> str:
    """The first line of an exception's text."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def _given(arguments: Sequence[str]) -> Tuple[Dict[str, int], Dict[str, List[str]]]:
    """Sizes by names (-D) and shapes of tensors (--shape) in arguments of the tool."""
    sizes: Dict[str, int] = {}
    shapes: Dict[str, List[str]] = {}
    for before, argument in zip(["", *arguments], arguments):
        for option, joined in ("-D", argument[2:]), ("--shape", argument[len("--shape="):]):
            text = argument if before == option else joined if argument.startswith(option) and joined else ""
            name, _, value = text.rpartition("=")
            if option == "-D" and value.isdigit():
                sizes[name] = int(value)
            elif option == "--shape" and name:
                shapes[name] = _dims(value)
    return sizes, shapes
