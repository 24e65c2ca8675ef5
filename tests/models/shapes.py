#!/usr/bin/env python3
"""Compares what splitgen, ONNX's own inference and ONNX Runtime's symbolic inference know about the tensors of models.

usage: shapes.py SPLITGEN MODEL...

For each of the three it prints how many outputs of nodes in the models' own graphs have a rank, and how many of
their dims have a number or a name; a name counts if it is made of those of the inputs' dims. ONNX's inference uses
data propagation. ONNX Runtime's accepts no model below opset 7, so older ones are left out. value_info is removed
first, so that shapes are not read from the file. It is an error if two have different numbers for one dim. Needs the
packages onnx, onnxruntime, sympy. Exit status 1 if splitgen differs from both others."""
import collections, logging, os, re, subprocess, sys, tempfile, time

import onnx
from onnxruntime.tools.symbolic_shape_infer import SymbolicShapeInference

logging.disable(logging.CRITICAL)


def of_proto(model):
    shapes = {}
    for info in list(model.graph.value_info) + list(model.graph.output):
        if info.type.tensor_type.HasField("shape"):
            shapes[info.name] = [d.dim_value if d.HasField("dim_value") else d.dim_param or None
                                 for d in info.type.tensor_type.shape.dim]
    return shapes


def by_onnx(model, path):
    return of_proto(onnx.shape_inference.infer_shapes(model, data_prop=True))


def by_runtime(model, path):
    return of_proto(SymbolicShapeInference.infer_shapes(model, int_max=2**31 - 1, auto_merge=True, guess_output_rank=False,
                                                        verbose=0))


def by_splitgen(model, path):
    text = subprocess.run([sys.argv[1], "--dump=shapes", path], capture_output=True, text=True).stdout
    shapes = {}
    for line in text.splitlines():
        m = re.match(r"(\S.*?): (?:\?|[a-z0-9]+)\[([^]]*)\]", line)
        if m:
            dims = [d for d in m.group(2).split(", ") if d]
            shapes[m.group(1)] = [int(d) if d.isdigit() else None if d == "?" else d for d in dims]
    return shapes


def is_made_of(dim, names):
    """Whether a dim is a sum or product of numbers and some of the names."""
    rest = dim
    for name in sorted(names, key=len, reverse=True):
        rest = rest.replace(name, "")
    return re.fullmatch(r"[-+*/ ()0-9]*", rest.replace("floor", "").replace("Max", "")) is not None


WAYS = {"splitgen": by_splitgen, "ONNX": by_onnx, "ONNX Runtime": by_runtime}
counts = {way: collections.Counter() for way in WAYS}
wrong = 0
left_out = 0
files = [os.path.abspath(name) for name in sys.argv[1:]]
sys.argv[1] = files[0]
os.chdir(tempfile.mkdtemp()) # ONNX Runtime writes files into the current folder
for path in files[1:]:
    model = onnx.load(path, load_external_data=False)
    if min((o.version for o in model.opset_import if o.domain in ("", "ai.onnx")), default=7) < 7:
        left_out += 1
        continue
    own = {d.dim_param for i in model.graph.input for d in i.type.tensor_type.shape.dim} - {""}
    del model.graph.value_info[:]
    for output in model.graph.output:
        if output.type.WhichOneof("value") == "tensor_type":
            output.type.tensor_type.ClearField("shape")
    names = [o for node in model.graph.node for o in node.output if o and node.op_type != "Constant"]
    found = {}
    with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
        file.write(model.SerializeToString())
        file.flush()
        for way, infer in WAYS.items():
            copy = onnx.ModelProto()
            copy.CopyFrom(model)
            begin = time.time()
            try:
                found[way] = infer(copy, file.name)
            except Exception as e:
                found[way] = {}
                counts[way]["failed"] += 1
            counts[way]["seconds"] += time.time() - begin
    for name in names:
        ranks = {len(found[way][name]) for way in WAYS if name in found[way]}
        most = max(ranks, default=0)
        for way in WAYS:
            dims = found[way].get(name)
            counts[way]["tensors"] += 1
            counts[way]["ranks"] += dims is not None
            counts[way]["dims"] += most
            counts[way]["numbers"] += sum(isinstance(d, int) for d in dims or [])
            counts[way]["names"] += sum(isinstance(d, str) and is_made_of(d, own) for d in dims or [])
        ours, others = found["splitgen"].get(name), [found[w][name] for w in ("ONNX", "ONNX Runtime") if name in found[w]]
        differs = [o for o in others if ours is not None and (len(o) != len(ours) or any(
            isinstance(a, int) and isinstance(b, int) and a != b for a, b in zip(o, ours)))]
        if differs:
            wrong += len(differs) == len(others)
            print(f"{path}: '{name}' is {ours}, but others say {others}")
print(f"{len(sys.argv) - 2 - left_out} models")
for way, c in counts.items():
    print(f"{way}: rank of {c['ranks']} of {c['tensors']} tensors, {c['numbers']} numbers and {c['names']} names of {c['dims']} dims, "
          f"{c['failed']} models failed, {c['seconds']:.1f} s")
sys.exit(1 if wrong else 0)
