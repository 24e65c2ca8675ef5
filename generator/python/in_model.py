"""Kernels in their model: ONNX Runtime or OpenVINO runs the model unchanged, and kernels are compared with the
tensors that its operators read and write."""
from __future__ import annotations

import re
from importlib import import_module
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from . import reference

Plan = Mapping[str, Any]
Numbers = Mapping[str, int]
Arrays = Dict[str, Any]


def _tensors(plan: Plan, const: bool) -> List[str]:
    """The model's names of the tensors that a kernel reads (const) or writes, in its order."""
    return [p.get("tensor", "") for p in plan["parameters"] if p["const"] == const and (p["role"] == "whole" or p["parts"])]


def read_tensors(plan: Plan) -> List[str]:
    """The model's names of a kernel's inputs, in its order. For pieces of a tensor this is the tensor; constants
    have none."""
    return _tensors(plan, True)


def written_tensors(plan: Plan) -> List[str]:
    """The model's names of a kernel's outputs, in its order."""
    return _tensors(plan, False)


class Unusable(Exception):
    """A model cannot be run; the text is the reason, in one line."""


class Model:
    """A model of which the tensors of kernels can be looked at.

    arguments: those of the tool, for the sizes that -D and --shape give. Raises Unusable where it cannot be run so."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self._sizes, self._shapes = _given(arguments)
        # The type of each input, and its dimensions: numbers, names, or nothing where the model has none.
        self._inputs: Dict[str, Tuple[Any, List[str]]] = {}

    def run(self, numbers: Numbers, other: int, random: Any) -> Arrays:
        """The tensors of a run on random inputs, by their names. numbers: values of open dimensions, by their names;
        other: the size of input dimensions without a size. Integers are 0 and 1, as they may be indices, or all 0 if
        the model does not accept that."""
        sizes, failed = {**self._sizes, **numbers}, None
        for end in (2, 1):
            feeds = {name: self._random(name, sizes, other, end, random) for name in self._inputs}
            try:
                return {**feeds, **self._execute(feeds)}
            except Exception as error:  # runtimes have no common class of exceptions
                failed = failed or error
        raise Unusable(_line(failed))

    def _execute(self, feeds: Arrays) -> Arrays:
        """The tensors that kernels read and write, for these inputs."""
        raise NotImplementedError

    def _random(self, name: str, sizes: Numbers, other: int, end: int, random: Any) -> Any:
        """A random input with the shape of --shape, or else of the model: normally distributed floats, other types
        below `end`."""
        dtype, dims = self._inputs[name]
        dims = self._shapes.get(name, dims)
        shape = [int(dim) if dim.isdigit() else sizes.get(dim, other) for dim in dims]
        if np.issubdtype(dtype, np.floating):
            return random.standard_normal(shape).astype(dtype)
        return random.integers(0, end, shape).astype(dtype)


class OnnxModel(Model):
    """By ONNX Runtime."""

    def __init__(self, path: str, plans: Sequence[Plan], arguments: Sequence[str]) -> None:
        super().__init__(arguments)
        onnx, onnxruntime = import_module("onnx"), import_module("onnxruntime")
        if path.endswith(".onnxtxt"):
            with open(path, encoding="utf-8") as file:
                proto = onnx.parser.parse_model(file.read())
        else:
            proto = onnx.load(path)
        weights = {one.name: one for one in proto.graph.initializer}
        for one in proto.graph.input:
            tensor = one.type.tensor_type
            if one.name not in weights and not tensor.elem_type:
                raise Unusable("the input %s is no tensor" % one.name)
            if one.name not in weights:
                self._inputs[one.name] = (onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type), [
                    dim.dim_param or str(dim.dim_value) if dim.WhichOneof("value") else "" for dim in tensor.shape.dim])
        made = {name for node in proto.graph.node for name in node.output if name}
        wanted = _wanted(plans)
        self._weights = {name: onnx.numpy_helper.to_array(weights[name]) for name in wanted & set(weights)}
        self._outputs = sorted(wanted & made)
        del proto.graph.output[:]
        proto.graph.output.extend(onnx.ValueInfoProto(name=name) for name in self._outputs)
        how = onnxruntime.SessionOptions()
        how.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        how.log_severity_level = 4
        self._session = onnxruntime.InferenceSession(proto.SerializeToString(), how, providers=["CPUExecutionProvider"])

    def _execute(self, feeds: Arrays) -> Arrays:
        return {**self._weights, **dict(zip(self._outputs, self._session.run(self._outputs, feeds)))}


class OpenvinoModel(Model):
    """By OpenVINO's CPU plugin. A tensor is named after the layer that makes it, followed by :N if it makes several."""

    def __init__(self, path: str, plans: Sequence[Plan], arguments: Sequence[str]) -> None:
        super().__init__(arguments)
        self._openvino = import_module("openvino")
        self._model = self._openvino.Core().read_model(path)
        for one in self._model.inputs:
            self._inputs[one.get_node().friendly_name] = (one.element_type.to_dtype(), [
                str(dim.get_length()) if dim.is_static else "" for dim in one.partial_shape])
        layers = {op.friendly_name: op for op in self._model.get_ops()}
        wanted = {}
        for name in sorted(_wanted(plans) - set(self._inputs)):
            layer, _, number = (name, "", "0") if name in layers else name.rpartition(":")
            if layer in layers and number.isdigit() and int(number) < layers[layer].get_output_size():
                wanted[name] = layers[layer].output(int(number))
        self._model.add_outputs([*wanted.values()])
        # An existing result of the model is not added again.
        results = {one.get_node().input_value(0): number for number, one in enumerate(self._model.outputs)}
        self._results = {name: results[output] for name, output in wanted.items()}

    def _execute(self, feeds: Arrays) -> Arrays:
        self._model.reshape({one: list(feeds[one.get_node().friendly_name].shape) for one in self._model.inputs})
        compiled = self._openvino.compile_model(self._model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
        made = compiled([feeds[one.get_node().friendly_name] for one in self._model.inputs])
        return {name: made[number] for name, number in self._results.items()}


def model_of(arguments: Sequence[str]) -> Optional[str]:
    """The path of the only model among arguments of the tool; None if there is none, or if there is another input,
    too."""
    paths = [a for a in arguments if not a.startswith("-") and re.search(r"\.(onnx|onnxtxt|xml|lua)$", a)]
    return paths[0] if len(paths) == 1 and not paths[0].endswith(".lua") and "-e" not in arguments else None


def opened(path: str, plans: Sequence[Plan], arguments: Sequence[str]) -> Model:
    """The model, prepared to return the tensors of these kernels."""
    kind = OpenvinoModel if path.endswith(".xml") else OnnxModel
    try:
        return kind(path, plans, arguments)
    except Unusable:
        raise
    except Exception as error:  # from protobuf, runtimes or files
        raise Unusable(_line(error)) from error


def _wanted(plans: Sequence[Plan]) -> "set[str]":
    """The tensors that kernels read and write. Bodies of loops, branches and functions have their own names and are
    left out."""
    return {name for plan in plans if not plan["path"] for name in read_tensors(plan) + written_tensors(plan)}


def _dims(text: str) -> List[str]:
    return [dim.strip() for dim in text.strip("[] ").split(",") if dim.strip()]


def _line(error: Optional[Exception]) -> str:
    """The beginning of an exception's text, in one line."""
    return " ".join(str(error).split())[:300] or type(error).__name__


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
