#!/usr/bin/env python3
"""Compares kernels of the ONNX backend's own test models with their reference tensors.

usage: backend.py SPLITGEN SOURCE_DIR [FOLDER]

FOLDER contains folders with model.onnx and test_data_set_0/*.pb; the default is those of the installed `onnx`
package (1.16 has them). Every model with a Split or a Concat that has the kernel's tensors among its inputs and
outputs is compiled and called on them; integer inputs are passed to splitgen as values. Needs the packages onnx and
numpy. Exit status 1 if a byte differs or a model cannot be read."""
import glob, json, os, subprocess, sys, tempfile

import numpy as np
import onnx
from onnx import numpy_helper

from calls import call, call_join, joins, library, parts, whole


def tensor(path):
    proto = onnx.TensorProto()
    proto.ParseFromString(open(path, "rb").read())
    return numpy_helper.to_array(proto)


def has_op(graph):
    return any(n.op_type in ("Split", "Concat") or any(has_op(a.g) for a in n.attribute if a.type == onnx.AttributeProto.GRAPH)
               for n in graph.node)


def made_by(lib, kernel, tensors):
    """The results of a kernel for these tensors, and their names; None if the tensors are not the kernel's."""
    given, made = ([whole(kernel)], parts(kernel)) if not joins(kernel) else (parts(kernel), [whole(kernel)])
    if any(t["tensor"] not in tensors for t in given + made):
        return None
    arrays = [np.ascontiguousarray(tensors[t["tensor"]]) for t in given]
    result = call(lib, kernel, arrays[0]) if not joins(kernel) else [call_join(lib, kernel, arrays, tensors[made[0]["tensor"]])]
    return zip([t["tensor"] for t in made], result)


def check(splitgen, source_dir, folder, scratch):
    """None if the model has nothing to compare; otherwise the error, or ""."""
    model = onnx.load(folder + "/model.onnx")
    if not has_op(model.graph):
        return None
    data = folder + "/test_data_set_0"
    inputs = {i.name: tensor(f"{data}/input_{n}.pb") for n, i in enumerate(model.graph.input)
              if os.path.exists(f"{data}/input_{n}.pb")}
    outputs = {o.name: tensor(f"{data}/output_{n}.pb") for n, o in enumerate(model.graph.output)}
    options = []
    for name, value in inputs.items():
        options += ["--shape", f"{name}={','.join(map(str, value.shape))}"]
        if value.dtype == np.int64 and value.size <= 4096:
            options += ["--value", f"{name}={','.join(map(str, value.flatten()))}"]
    r = subprocess.run([splitgen, *options, "--ops=split,concat", "--emit=c,json", "-o", scratch + "/model.c", folder + "/model.onnx"],
                       stderr=subprocess.PIPE, text=True)
    if "the model has no nodes of" in r.stderr:  # only Concats of shapes, which are computed at build time
        return None
    if r.returncode != 0:
        return r.stderr.splitlines()[0]
    lib, compared = library(source_dir, scratch, ["model"]), 0
    for k in json.load(open(scratch + "/model.json"))["kernels"]:
        made = made_by(lib, k, inputs | outputs)
        if made is None:
            continue
        for name, m in made:
            expected = outputs[name]
            if m.shape != expected.shape or m.tobytes() != expected.tobytes():
                return f"{k['name']}: output {name} differs"
        compared += 1
    return "" if compared else None


def main():
    splitgen, source_dir = sys.argv[1:3]
    root = sys.argv[3] if len(sys.argv) > 3 else os.path.join(os.path.dirname(onnx.__file__), "backend/test/data")
    right = wrong = without = 0
    for path in sorted(glob.glob(root + "/**/model.onnx", recursive=True)):
        with tempfile.TemporaryDirectory() as scratch:
            flaw = check(splitgen, source_dir, os.path.dirname(path), scratch)
        right += flaw == ""
        without += flaw is None
        if flaw:
            wrong += 1
            print(f"{os.path.basename(os.path.dirname(path))}: {flaw}")
    print(f"{right} models equal, {wrong} not; {without} without a Split or Concat between their own inputs and outputs")
    return 1 if wrong or not right else 0


if __name__ == "__main__":
    sys.exit(main())
