#!/usr/bin/env python3
"""The kernels of a model against ONNX Runtime, byte by byte.

usage: compare.py SPLITGEN SOURCE_DIR MODEL [OPTION OF SPLITGEN ...]

Every Split that is a node of the model's own graph (those inside branches, loops and functions have no tensors to look
at from outside) gets its input and outputs exposed; the model runs once on random inputs without optimisation; each
kernel, compiled by cc, is called on the tensor the model gave its Split. Needs the packages onnx, onnxruntime and numpy.
Exit status 1 where a shape or a byte differs.
"""
import ctypes, json, os, subprocess, sys, tempfile

import numpy as np
import onnx

TYPES = {"tensor(float)": np.float32, "tensor(float16)": np.float16, "tensor(double)": np.float64,
         "tensor(int64)": np.int64, "tensor(int32)": np.int32, "tensor(bool)": np.bool_, "tensor(uint8)": np.uint8}


def library(source_dir, folder, stems, level="-O2"):
    """The C files of these names in one library."""
    path = os.path.join(folder, "kernels.so")
    runtime = [os.path.join(source_dir, "runtime", f) for f in os.listdir(os.path.join(source_dir, "runtime")) if f.endswith(".c")]
    subprocess.run(["cc", level, "-w", "-Werror=implicit-function-declaration", "-shared", "-fPIC", "-I" + os.path.join(source_dir, "include"),
                    *[os.path.join(folder, stem + ".c") for stem in stems], *runtime, "-o", path], check=True)
    return ctypes.CDLL(path)


def call(lib, kernel, data):
    """The outputs a kernel of the JSON plan makes of data, a contiguous array of its input's shape."""
    made = [np.zeros(o["shape"], data.dtype) for o in kernel["outputs"]]
    pointers = [ctypes.c_void_p(m.ctypes.data) for m in made]
    if len(made) > 32: # in an array instead of as arguments
        pointers = [(ctypes.c_void_p * len(made))(*pointers)]
    getattr(lib, kernel["name"])(ctypes.c_void_p(data.ctypes.data), *pointers)
    return made


def feed(session, options):
    """Random inputs, of the shapes the options give or the model says."""
    shapes, dims, random = {}, {}, np.random.default_rng(1)
    for name, value in zip(options, options[1:] + [""]):
        if name == "--shape":
            tensor, _, text = value.rpartition("=")
            shapes[tensor] = [int(d) for d in text.split(",") if d]
        elif name == "-D":
            key, _, number = value.partition("=")
            dims[key] = int(number)
    inputs = {}
    for i in session.get_inputs():
        shape = shapes.get(i.name, [dims.get(d, d) if isinstance(d, str) else d for d in i.shape])
        kind = TYPES[i.type]
        if np.issubdtype(kind, np.floating):
            inputs[i.name] = random.random(shape).astype(kind)
        else: # rates, lengths and conditions: what no model refuses
            inputs[i.name] = np.full(shape, 16000 if kind == np.int64 else 1, kind)
    return inputs


def main():
    import onnxruntime # what compiles the kernels serves others too

    splitgen, source_dir, path, options = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([splitgen, *options, "--emit=c,json", "-o", folder + "/model.c", path], check=True)
        kernels = json.load(open(folder + "/model.json"))["kernels"]
        kernels = [k for k in kernels if not k["path"]]
        lib = library(source_dir, folder, ["model"])
        model = onnx.load(path)
        known = {o.name for o in model.graph.output} | {i.name for i in model.graph.input}
        wanted = [k["input"]["tensor"] for k in kernels] + [o["tensor"] for k in kernels for o in k["outputs"]]
        for name in dict.fromkeys(wanted):
            if name not in known:
                model.graph.output.append(onnx.ValueInfoProto(name=name))
        onnx.save(model, folder + "/exposed.onnx")
        how = onnxruntime.SessionOptions()
        how.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        how.log_severity_level = 4
        session = onnxruntime.InferenceSession(folder + "/exposed.onnx", how, providers=["CPUExecutionProvider"])
        inputs = feed(session, options)
        tensors = dict(inputs)
        names = [n for n in dict.fromkeys(wanted) if n not in inputs]
        tensors.update(zip(names, session.run(names, inputs)))
        wrong = 0
        for k in kernels:
            data = np.ascontiguousarray(tensors[k["input"]["tensor"]])
            expected = [tensors[o["tensor"]] for o in k["outputs"]]
            if list(data.shape) != k["input"]["shape"] or not all(
                    m.shape == e.shape and m.tobytes() == e.tobytes() for m, e in zip(call(lib, k, data), expected)):
                wrong += 1
                print(f"{k['name']}: {k['input']['shape']}, the model has {list(data.shape)}: differs")
        print(f"{os.path.basename(path)}: {len(kernels)} kernels, {wrong} wrong")
        return 1 if wrong or not kernels else 0


if __name__ == "__main__":
    sys.exit(main())
