#!/usr/bin/env python3
"""Models whose batch stays free, against ONNX Runtime at several batches, byte by byte.

usage: free.py SPLITGEN SOURCE_DIR

Blocks of networks, most from topologies.py. The kernels are generated and compiled once for all batches, by --free; a spec
that loads the model gives the same C. They are called by their C functions and by the module that --emit=py prints, on what
ONNX Runtime gives each Split of the same model with 1, 3 and 64 as the batch, branches and loops included. Needs the
packages onnx, onnxruntime and numpy. Exit status 1 where a shape or a byte differs, and where a Split that may be free has
no kernel or never ran.
"""
import collections, importlib.util, json, subprocess, sys, tempfile

import numpy as np
import onnx

import topologies
from compare import Exposed, equal, start
from kernels import call, fits, library

BATCHES = [1, 3, 64] # 8 are expected

topologies.model("vit_block", 18, 4, [{"batch": 8}], {"qkv": (24, 72), "mlp": (24, 40)}, """
g (float[batch,7,24] x) => (float[?,?] y)
<int64[4] heads = {0, 7, 4, 6}, int64[2] flat = {-1, 24}, float limit = {0.0}, int64[2] lengths = {7, 33}>
{
  packed = MatMul (x, qkv)
  q, k, v = Split <axis = -1, num_outputs = 3> (packed)
  by_head = Reshape (q, heads)
  turned = Transpose <perm = [0, 2, 1, 3]> (by_head)
  even, odd = Split <axis = 3, num_outputs = 2> (turned)
  tokens = Reshape (v, flat)
  wide = MatMul (tokens, mlp)
  total = ReduceSum <keepdims = 0> (wide)
  positive = Greater (total, limit)
  y = If <then_branch = more () => (float[?,?] a) {
    a, rest = Split <axis = 1> (wide, lengths)
  }, else_branch = less () => (float[?,?] b) {
    none, other = Split <axis = 1> (wide, lengths)
    b = Neg (none)
  }> (positive)
}""")

# Left out: with the batch behind another dim, and along what Transpose has brought to the front, which splitgen refuses;
# in a Scan, from which compare.py has no tensors.
EXCEPT = {"loop_with_a_split": ["Split_8"], "swin_attention": ["Split_29"], "mamba_block": ["Split_23"]}


def generate(splitgen, folder, name, sizes):
    """The kernels of a model, in files `name` of the folder. A spec that loads it gives the same C."""
    batch, *others = sizes
    left_out = EXCEPT.get(name, [])
    options = [w for n in others for w in ("-D", f"{n}={sizes[n]}")] + [w for n in left_out for w in ("--except", n)]
    subprocess.run([splitgen, f"--prefix={name}_", "--free", f"{batch}=8", *options, "--emit=c,json,py",
                    "-o", f"{folder}/{name}.c", f"{folder}/{name}.onnx"], check=True)
    dims = ", ".join([f'{batch} = free("{batch}", 8)', *(f"{n} = {sizes[n]}" for n in others)])
    names = ", ".join(f'"{n}"' for n in left_out)
    with open(f"{folder}/{name}.lua", "w") as file:
        file.write(f'return onnx.load("{name}.onnx", {{ dims = {{ {dims} }}, except = {{ {names} }} }})\n')
    same = subprocess.run([splitgen, f"--prefix={name}_", "--check", f"{folder}/{name}.c", f"{folder}/{name}.lua"])
    return json.load(open(f"{folder}/{name}.json"))["kernels"], same.returncode == 0


def unshaped(proto):
    """The parser gives what bodies take and return the shape of a scalar, which ONNX Runtime believes."""
    for node in topologies.every(proto):
        for a in node.attribute:
            for info in [*a.g.input, *a.g.output]:
                if info.type.tensor_type.elem_type == onnx.TensorProto.FLOAT:
                    info.type.tensor_type.ClearField("shape")
    return proto


def module(folder, stem):
    found = importlib.util.spec_from_file_location(stem, f"{folder}/{stem}.py")
    made = importlib.util.module_from_spec(found)
    found.loader.exec_module(made)
    made.load(f"{folder}/kernels.so")
    return made


def main():
    splitgen, source_dir = sys.argv[1:3]
    flaws, counts = [], collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        protos = {name: unshaped(topologies.build(name)) for name in topologies.MODELS}
        kernels = {}
        for name, proto in protos.items():
            onnx.save(proto, f"{folder}/{name}.onnx")
            kernels[name], same = generate(splitgen, folder, name, topologies.MODELS[name][2][0])
            if not same:
                flaws.append(f"{name}: the spec that loads it gives other C")
        lib = library(source_dir, folder, list(kernels), "-O0")
        for name, told in kernels.items():
            batch = next(iter(sizes := topologies.MODELS[name][2][0]))
            splits = topologies.MODELS[name][1] - len(EXCEPT.get(name, []))
            if len(told) != splits or not all(k.get("free") for k in told):
                flaws.append(f"{name}: {len(told)} kernels, not all of {splits} Splits with a free batch")
            printed, exposed = module(folder, name), Exposed(protos[name], told)
            session = start(protos[name], folder)
            ran = set()
            for n in BATCHES:
                random = np.random.default_rng(n)
                sign = -1 if n == 3 else 1 # for the other branch
                inputs = {i.name: sign * random.random([n if d == batch else sizes.get(d, d) for d in i.shape]).astype(np.float32)
                          for i in session.get_inputs()}
                for k, data, expected in exposed.calls(session, inputs):
                    ran.add(k["name"])
                    counts["calls"] += 1
                    if not fits(k, data):
                        flaws.append(f"{k['name']}: {k['input']['shape']}, the model has {data.shape} with {n}")
                    elif not equal(call(lib, k, data), expected) or not equal(printed.kernels[k["name"]](data), expected):
                        flaws.append(f"{k['name']}: differs from ONNX Runtime with a batch of {n}")
            counts["kernels"] += len(ran)
            flaws += [f"{k['name']}: never ran" for k in told if k["name"] not in ran]
    print("\n".join(flaws))
    print(f"{len(kernels)} networks, {counts['kernels']} kernels, {counts['calls']} calls compared, {len(flaws)} wrong")
    return 1 if flaws else 0


if __name__ == "__main__":
    sys.exit(main())
