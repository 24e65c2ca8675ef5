#!/usr/bin/env python3
"""Runs a model in the arena that splitgen plans, and compares its outputs with those of its nodes run one by one without an
arena, to the bit, and with those of the model run whole, nearly: a runtime may compute otherwise with nodes around a node.

usage: run.py SPLITGEN INCLUDE RUNTIME MODEL [OPTION OF SPLITGEN ...]

SPLITGEN is the tool, INCLUDE and RUNTIME are the folders of its headers and of the runtime's sources. Needs numpy, onnx and a C
compiler; operators are run by ONNX Runtime where it is installed, else by onnx's reference evaluator. Exit status 1 where a byte
or the whole run differs.
"""
import glob, importlib.util, json, os, subprocess, sys, tempfile

import numpy as np
import onnx

try:
    import onnxruntime
except ImportError:
    onnxruntime = None
    import onnx.reference

TYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "bool": np.bool_} | {
    kind + str(bits): getattr(np, name + str(bits)) for kind, name in (("i", "int"), ("u", "uint")) for bits in (8, 16, 32, 64)}


def run_model(model, feeds):
    """The outputs of a model, without any optimisation, so that one node computes the same alone as among others."""
    names = [output.name for output in model.graph.output]
    if onnxruntime is None:
        return onnx.reference.ReferenceEvaluator(model).run(names, feeds)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"]).run(names, feeds)


def read_by(node):
    """The tensors that a node reads, those that its bodies take from around them among them."""
    names = [name for name in node.input if name]
    for attribute in node.attribute:
        for body in [attribute.g, *attribute.graphs]:
            made = {i.name for i in body.input} | {i.name for i in body.initializer} | {name for n in body.node for name in n.output}
            used = [name for n in body.node for name in read_by(n)] + [o.name for o in body.output]
            names += [name for name in used if name and name not in made]
    return list(dict.fromkeys(names))


def weights_of(model):
    """The tensors that the model itself holds. Runtimes may compute otherwise with what is no such."""
    return {tensor.name: tensor for tensor in model.graph.initializer} | {
        node.output[0]: attribute.t for node in model.graph.node if node.op_type == "Constant"
        for attribute in node.attribute if attribute.name == "value"}


def named(tensor, name):
    """The same tensor, called so."""
    copy = onnx.TensorProto()
    copy.CopyFrom(tensor)
    copy.name = name
    return copy


def number(measure, numbers):
    """The value of what a plan says, a number or a sum of open dimensions, for these numbers of them."""
    return eval(measure.replace("/", "//"), {}, numbers) if isinstance(measure, str) else measure


class Memory:
    """The tensors of a run: in the arena, in a buffer of the caller, or, where the plan has no place, on their own. numbers: of the
    open dimensions, at most the expected ones, which are the default."""

    def __init__(self, plan):
        self.places = {tensor["name"]: tensor for tensor in plan["tensors"]}
        self.numbers = {dim["name"]: dim["expected"] for dim in plan.get("open", [])}
        arena = self.aligned(plan["arena"])
        sizes = [number(b["bytes"], self.numbers) for b in plan["buffers"]]
        self.buffers = [self.aligned(size) if b["offset"] is None else arena[b["offset"]:b["offset"] + size]
                        for b, size in zip(plan["buffers"], sizes)]
        self.own = {}

    @staticmethod
    def aligned(size):
        block = np.full(size + 64, 0xA5, np.uint8)
        start = -block.ctypes.data % 64
        return block[start:start + size]

    def view(self, name):
        """The tensor where it lies; None where it has no place."""
        place = self.places.get(name)
        if place is None or place["strides"] is None or place["dtype"] not in TYPES:
            return None
        shape, strides = ([number(measure, self.numbers) for measure in place[key]]
                          for key in ("dims" if "dims" in place else "shape", "strides"))
        return np.ndarray(shape, TYPES[place["dtype"]], self.buffers[place["buffer"]], number(place["byte_offset"], self.numbers), strides)

    def behind(self, node):
        """What a node adds to a cache: all of the whole but what was there before."""
        whole, past = self.read(node["whole"]), self.read(node["past"])
        axis = next(d for d in range(whole.ndim) if whole.shape[d] != past.shape[d])
        rest = whole[(slice(None),) * axis + (slice(past.shape[axis], None),)]
        assert rest.ctypes.data - whole.ctypes.data == number(node["whole_byte_offset"], self.numbers)
        return rest

    def read(self, name):
        view = self.view(name)
        return self.own[name] if view is None else view

    def write(self, name, value):
        view = self.view(name)
        if view is None:
            self.own[name] = value
        else:
            assert view.shape == value.shape and view.dtype == value.dtype, name
            view[...] = value


def build(splitgen, include, runtime, options, path, folder):
    """The plans of all graphs, the kernels as functions of Python, and what each is made of."""
    subprocess.run([splitgen, *options, "--emit=c,py,json,placement", "-o", os.path.join(folder, "kernels.c"), path], check=True)
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-I" + include, os.path.join(folder, "kernels.c"),
                    *glob.glob(os.path.join(runtime, "*.c")), "-o", os.path.join(folder, "libkernels.so")], check=True)
    with open(os.path.join(folder, "kernels_placement.json")) as file:
        graphs = json.load(file)["graphs"]
    with open(os.path.join(folder, "kernels.json")) as file:
        made_of = {kernel["name"]: kernel for kernel in json.load(file)["kernels"]}
    sys.path.insert(0, folder)
    spec = importlib.util.spec_from_file_location("kernels", os.path.join(folder, "kernels.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return graphs, module, made_of


def move(memory, node, kernel, made_of):
    """Has a kernel copy the parts that the plan says; all others lie where they belong."""
    whole = memory.behind(node) if "past" in node else memory.read(node["whole"])
    dense = {memory.places[name]["copy_of"]: name for name in node["parts"] if "copy_of" in memory.places[name]}
    if "inputs" in made_of:
        names = dict.fromkeys(part["tensor"] for part in made_of["inputs"] if not part.get("constant"))
        kernel(*(memory.read(name) if name in node["copies"] else None for name in (dense.get(name, name) for name in names)), out=whole)
    else:
        kernel(whole, out=tuple(memory.read(part["tensor"]) if part["tensor"] in node["copies"] else None
                                for part in made_of["outputs"]))


def run_node(model, node, weights, memory):
    """Runs one node of the model: reads its inputs where they lie, and writes its outputs where they belong."""
    names = read_by(node)
    feeds = {name: np.ascontiguousarray(memory.read(name)).reshape(np.shape(memory.read(name)))
             for name in names if name not in weights}
    inputs = [onnx.helper.make_tensor_value_info(name, onnx.helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
              for name, value in feeds.items()]
    outputs = [name for name in node.output if name]
    graph = onnx.helper.make_graph([node], "node", inputs, [onnx.ValueInfoProto(name=name) for name in outputs],
                                   [named(weights[name], name) for name in names if name in weights])
    alone = onnx.helper.make_model(graph, opset_imports=model.opset_import, functions=model.functions, ir_version=model.ir_version)
    for name, value in zip(outputs, run_model(alone, feeds)):
        memory.write(name, value)


def run_placed(model, feeds, plan, module, made_of, memory=None):
    """The outputs of the model, run one node after the other: in the arena, or without a place for any tensor and any kernel if
    the plan has none."""
    memory = memory or Memory(plan)
    moves, copies = {}, {tensor["copy_of"]: tensor["name"] for tensor in plan["tensors"] if "copy_of" in tensor}

    def copy_caches(names):
        for name in copies.keys() & set(names):
            memory.write(copies[name], memory.read(name))

    for name, value in feeds.items():
        memory.write(name, value)
    copy_caches(value.name for value in model.graph.input)
    for node in plan["nodes"]:
        joins = node["op_type"] in ("Concat", "ConcatFromSequence")
        moves |= dict.fromkeys([node["whole"]] if joins else node["parts"], node)
    weights, done = weights_of(model), set()
    for node in model.graph.node:
        planned = moves.get(next(name for name in node.output if name))
        if planned is None or planned["does"] == "copy":
            run_node(model, node, weights, memory)
        elif planned["does"] == "kernel" and planned["index"] not in done: # one kernel may do the Slices of several nodes
            done.add(planned["index"])
            move(memory, planned, getattr(module, planned["kernel"]), made_of[planned["kernel"]])
        copy_caches(node.output)
    return [onnx.numpy_helper.to_array(weights[o.name]) if o.name in weights else memory.read(o.name) for o in model.graph.output]


def random_inputs(model, graphs):
    """Small whole numbers, sums of which do not depend on their order, for the inputs of the model; some may be read in bodies
    alone."""
    random = np.random.default_rng(1)
    names = {value.name for value in model.graph.input} - {tensor.name for tensor in model.graph.initializer}
    numbers = {"f": (-4, 5)}
    return {tensor["name"]: random.integers(*numbers.get(tensor["dtype"][0], (0, 2)), tensor["shape"]).astype(TYPES[tensor["dtype"]])
            for graph in graphs for tensor in graph["tensors"] if tensor["kind"] == "input" and tensor["name"] in names}


def is_near(value, other):
    """Whether two results are equal but for the rounding of sums."""
    if isinstance(value, list) or np.asarray(value).dtype.kind != "f":
        return np.array_equal(value, other)
    tolerance = {2: 1e-2, 4: 1e-3}.get(np.asarray(value).itemsize, 1e-6)
    return np.shape(value) == np.shape(other) and np.allclose(value, other, rtol=tolerance, atol=tolerance * max(
        1, np.max(np.abs(np.nan_to_num(value)), initial=0)), equal_nan=True)


def main():
    splitgen, include, runtime, path, *options = sys.argv[1:]
    model = onnx.parser.parse_model(open(path).read()) if path.endswith(".onnxtxt") else onnx.load(path)
    with tempfile.TemporaryDirectory() as folder:
        graphs, module, made_of = build(splitgen, include, runtime, options, path, folder)
        plan = next(graph for graph in graphs if not graph["path"])
        feeds = random_inputs(model, graphs)
        whole = run_model(model, feeds)
        nowhere = {"tensors": [], "arena": 0, "buffers": [], "nodes": []}
        expected = run_placed(model, feeds, nowhere, module, made_of)
        found = run_placed(model, feeds, plan, module, made_of)
    wrong = [o.name for o, value, other in zip(model.graph.output, expected, found)
             if np.asarray(value).tobytes() != np.asarray(other).tobytes() or np.shape(value) != np.shape(other)]
    wrong += [f"{o.name}, unlike the model run whole" for o, value, other in zip(model.graph.output, whole, found)
              if o.name not in wrong and not is_near(value, other)]
    idle = sum(node["does"] == "nothing" for node in plan["nodes"])
    print(f"{os.path.basename(path)}: {idle} of {len(plan['nodes'])} nodes that move data do nothing, "
          f"{plan['bytes_copied']} of {plan['bytes_moved']} bytes are copied; "
          f"an arena of {plan['arena']} bytes, at least {plan['live']}; "
          + ("wrong: " + ", ".join(wrong) if wrong else "outputs equal to the bit"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
