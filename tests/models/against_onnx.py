#!/usr/bin/env python3
"""Random models against the `onnx` package: its shape inference, its reference evaluator, its printer and its parser.

usage: against_onnx.py SPLITGEN SOURCE_DIR COUNT [SEED [SEED OF ONE MODEL]]

Of every model:
- its file and, where onnx's parser reads what onnx's printer writes, its text give the same list of Splits and Concats;
- the shapes of each of them are those of infer_shapes (strict, with data propagation, functions inlined), where that knows
  them, and of what really came along in the evaluator;
- each kernel makes of what came along the bytes that the evaluator made, in functions, branches and loops too;
- Concats of weights and of sizes, which the models call Weights_ and Sizes_, have no kernel, and all others have one but for
  those that make the same of other data.

Models go in batches, one process and one library each, on all processors; the second run of a model takes the other
branches. Needs the packages onnx and numpy. Exit status 1 where anything differs.
"""
import collections, copy, json, random, subprocess, sys, tempfile, warnings
from concurrent import futures

import numpy as np
import onnx
from onnx import helper, inliner, parser, printer, reference, shape_inference
from onnx.reference import op_run

from calls import call, call_join, joins, library, parts, whole
from random_models import Model, NEWEST

BATCH = 50
SPLITS = [1, 2, 11, 13, 18] # the versions of the operator
OPS = "--ops=split,concat"


def is_op(node):
    """Whether the node has a kernel."""
    return not node.domain and (node.op_type == "Split" or node.op_type == "Concat" and node.name.startswith("Concat_"))


class Reshape_1(op_run.OpRun):
    """The evaluator does not have it."""
    def _run(self, data, consumed_inputs=None, shape=None):
        return (data.reshape([data.shape[i] if d == 0 else d for i, d in enumerate(shape)]),)


class Evaluator(reference.ReferenceEvaluator):
    """onnx's evaluator, which records the tensors of each Split and Concat."""
    seen = [] # of (node, whole, parts); one process evaluates one model at a time

    def _load_impl(self, node, *more):
        if node.domain or node.op_type not in ("Split", "Concat", "Loop", "Reshape"):
            return super()._load_impl(node, *more)
        version, self.opsets_[""] = self.opsets_[""], max(2, self.opsets_[""]) # it has no Split of version 1
        base = Reshape_1 if node.op_type == "Reshape" and version < 5 else super()._load_impl(node, *more)
        self.opsets_[""] = version

        class Watched(base):
            def run(self, *args, **more):
                made = super().run(*args, **more)
                sides = (made[0], args) if node.op_type == "Concat" else (args[0], made)
                if is_op(self.onnx_node):
                    Evaluator.seen.append((self.onnx_node, *sides))
                return made

        class Stacking(base):
            """The results of a Loop are stacked along a new axis; the evaluator concatenates them along the first."""
            def __init__(self, *args):
                super().__init__(*args)
                turn = self._run_body
                self._run_body = lambda *a, **k: [o if i < len(made) - self.K else o[None]
                                                  for made in [turn(*a, **k)] for i, o in enumerate(made)]

        if node.op_type == "Reshape":
            return base
        made = Stacking if node.op_type == "Loop" else Watched
        made.__name__ = base.__name__ # the name by which its schema is found
        return made


def every(proto):
    """All nodes: of the graph, of functions, and of graphs inside them."""
    def walk(nodes):
        for node in nodes:
            yield node
            for a in node.attribute:
                yield from walk(a.g.node)

    for nodes in [proto.graph.node, *[f.node for f in proto.functions]]:
        yield from walk(nodes)


def name_of(node):
    """Inlined bodies append a number to the names of their nodes."""
    return node.name.split("__")[0]


def same(seen, others):
    """The nodes whose full tensors do not depend on the input, such as constants that went through a Concat."""
    differ = {name_of(a[0]) for a, b in zip(seen, others) if a[1].tobytes() != b[1].tobytes()}
    return {name_of(s[0]) for s in seen} - differ if len(seen) == len(others) else set()


def watch(proto, feeds):
    """The tensors of each Split and Concat: (node, whole, parts), ..."""
    Evaluator.seen = []
    evaluator = Evaluator(proto)
    for feed in feeds:
        evaluator.run(None, feed)
    return Evaluator.seen


def explicit(proto):
    """The same model with every attribute in calls of functions: onnx's printer, inliner and evaluator forget
    attributes that a function has by default."""
    proto = copy.deepcopy(proto)
    defaults = {f.name: list(f.attribute_proto) for f in proto.functions}
    for node in every(proto):
        if node.domain == "local":
            given = {a.name for a in node.attribute}
            node.attribute.extend(a for a in defaults[node.op_type] if a.name not in given)
    for f in proto.functions:
        f.attribute.extend(a.name for a in f.attribute_proto)
        del f.attribute_proto[:]
    return proto


def inferred(proto, sizes):
    """The shapes that onnx infers for each Split and Concat, in order; function calls are replaced by their bodies."""
    proto = inliner.inline_local_functions(proto) if proto.functions else copy.deepcopy(proto)
    shape = proto.graph.input[0].type.tensor_type.shape
    shape.Clear()
    for d in sizes:
        shape.dim.add().dim_value = d
    found, strict = [], True
    try:
        proto = shape_inference.infer_shapes(proto, strict_mode=True, data_prop=True)
    except shape_inference.InferenceError:
        proto, strict = shape_inference.infer_shapes(proto, data_prop=True), False

    def walk(graph, around):
        known = dict(around)
        for info in [*graph.value_info, *graph.input, *graph.output]:
            if info.type.tensor_type.HasField("shape"):
                known[info.name] = [d.dim_value if d.HasField("dim_value") else None for d in info.type.tensor_type.shape.dim]
        known.update({i.name: list(i.dims) for i in graph.initializer})
        for node in graph.node:
            if is_op(node):
                names = [node.output[0], *node.input] if node.op_type == "Concat" else [node.input[0], *filter(None, node.output)]
                found.append((name_of(node), [known.get(n) for n in names]))
            for name in ("then_branch", "else_branch", "body"):
                for a in node.attribute:
                    if a.name == name:
                        walk(a.g, known)

    walk(proto.graph, {})
    return found, strict


def agree(known, shape):
    return known is None or len(known) == len(shape) and all(k in (None, s) for k, s in zip(known, shape))


def text_of(proto):
    """The model as text, or None if onnx cannot read its own output, or reads something else."""
    try:
        text = printer.to_text(proto)
        parsed = parser.parse_model(text)
    except Exception:
        return None
    return text if len(parsed.graph.node) == len(proto.graph.node) else None


class Batch:
    def __init__(self, splitgen, source_dir, folder):
        self.splitgen, self.source_dir, self.folder = splitgen, source_dir, folder
        self.counts, self.flaws, self.drawn = collections.Counter(), [], set()

    def flaw(self, seed, what):
        self.flaws.append(f"model {seed}: {what}")

    def compile(self, seed, proto, plain, options):
        """The kernels of the model's file, or None. Its text must give the same list."""
        stem = f"{self.folder}/m{seed}"
        onnx.save(proto, stem + ".onnx")
        isa = ["--isa=portable"] if isinstance(seed, int) and seed % 4 else []
        r = subprocess.run([self.splitgen, OPS, *options, *isa, f"--prefix=m{seed}_", "--emit=c,json", "-o", stem + ".c",
                            stem + ".onnx"], capture_output=True, text=True)
        if r.returncode:
            return self.flaw(seed, r.stderr[:600])
        kernels = json.load(open(stem + ".json"))["kernels"]
        text = text_of(plain)
        if text is None:
            self.counts["models onnx prints and does not read"] += 1
            return kernels
        with open(stem + ".onnxtxt", "w") as file:
            file.write(text)
        r = subprocess.run([self.splitgen, OPS, *options, "--list", "--format=json", stem + ".onnxtxt"], capture_output=True, text=True)
        if r.returncode:
            self.flaw(seed, "as text: " + r.stderr[:600])
        else:
            ops = [(o["path"], self.tensors_of(o), o["shape"], o["lengths"], o["axis"]) for o in json.loads(r.stdout)["ops"]]
            if ops != [(k["path"], [whole(k)["tensor"], *[p["tensor"] for p in parts(k) if not p.get("constant")]], whole(k)["shape"], k["lengths"],
                        k["axis"]) for k in kernels]:
                self.flaw(seed, "file and text list different Splits or Concats")
            self.counts["models as text too"] += 1
        return kernels

    @staticmethod
    def tensors_of(op):
        """The full tensor and the wanted parts of an op, by their names in the model."""
        tensors = op["tensors"]
        if op["op"] == "split":
            return [tensors["input"], *[o for o in tensors["outputs"] if o is not None]]
        assert [i["tensor"] for i in op["inputs"]] == tensors["inputs"] and op["output"]["tensor"] == tensors["output"]
        given = [n for n, part in zip(op["lengths"], op.get("parts", op["inputs"])) if "constant" not in part]
        assert [i["shape"][op["axis"]] for i in op["inputs"]] == given and op["output"]["shape"] == op["shape"]
        return [tensors["output"], *tensors["inputs"]]

    def shapes(self, seed, model, proto, kernels, constant):
        found, strict = inferred(proto, model.shape)
        made = {k["node"] for k in kernels}
        found = [shapes for name, shapes in found if name in made or name not in constant]
        self.counts["models onnx's inference refuses when strict"] += not strict
        if len(found) != len(kernels):
            return self.flaw(seed, f"{len(kernels)} Splits and Concats, onnx has {len(found)}")
        for known, k in zip(found, kernels):
            ours = [whole(k)["shape"], *[p["shape"] for p in parts(k)]]
            complete = all(n is not None and None not in n for n in known)
            self.counts[k["op_type"] + "s, shapes inferred"] += complete
            self.counts[k["op_type"] + "s, shapes inferred in part or not"] += not complete
            if any(d is not None and d < 0 for s in known if s for d in s):
                return self.counts.update({"models where onnx infers a negative size": 1})
            if not all(map(agree, known, ours)):
                self.flaw(seed, f"{k['name']}: {ours}, onnx infers {known}")

    def compare(self, todo):
        """Compares the kernels of (name, kernels, records of `watch`), ..."""
        lib = library(self.source_dir, self.folder, [f"m{t[0]}" for t in todo])
        for seed, kernels, seen, constant in todo:
            self.bytes(seed, lib, kernels, seen, constant)

    def bytes(self, seed, lib, kernels, seen, constant):
        """Every call of a Split or Concat must have a kernel, and every kernel must give the same result."""
        reached, matched = collections.defaultdict(list), set()
        for node, data, pieces in seen:
            names = node.input if node.op_type == "Concat" else node.output
            pieces = [np.ascontiguousarray(p) for n, p in zip(names, pieces) if n]
            reached[name_of(node), data.shape].append((np.ascontiguousarray(data), pieces))
        for k in kernels:
            key = k["node"], tuple(whole(k)["shape"])
            kind = k["op_type"] + "s"
            if key not in reached:
                self.counts[kind + " never reached"] += 1
                continue
            matched.add(key)
            self.counts[kind + ", bytes compared"] += 1
            self.counts[kind + ", bytes compared, in graphs or functions"] += bool(k["path"])
            for data, pieces in reached[key][:2]:
                if joins(k):
                    made, expected, tensors = [call_join(lib, k, pieces, data)], [data], [whole(k)]
                else:
                    made, expected, tensors = call(lib, k, data), pieces, k["outputs"]
                for o, m, e in zip(tensors, made, expected, strict=True):
                    if m.shape != e.shape or m.tobytes() != e.tobytes():
                        self.flaw(seed, f"{k['name']}: output {o['tensor']} is {m.shape}, onnx has {e.shape}, or its bytes differ")
        for key in reached.keys() - matched:
            if key[0] in constant and key[0].startswith("Concat_"):
                self.counts["Concats of what is the same whatever comes in, without a kernel"] += 1
                continue
            self.flaw(seed, f"no kernel for the Split or Concat {key}")

    def models(self, seeds):
        todo = []
        for seed in seeds:
            model = Model(random.Random(seed), range(1, NEWEST + 1), wild=True)
            proto = model.proto()
            self.counts.update({"models": 1, **{f"models with {k}": 1 for k in model.kinds},
                                f"models of Split-{max(v for v in SPLITS if v <= model.opset)}": 1})
            self.drawn |= {model.opset} | {n.op_type for n in every(proto)}
            try:
                onnx.checker.check_model(proto)
            except Exception as e:
                self.flaw(seed, f"is no model: {e}")
                continue
            kernels = self.compile(seed, proto, explicit(proto), model.options())
            proto = explicit(proto)
            if kernels is None:
                continue
            constant = set()
            data = (np.random.default_rng(seed).random(model.shape) * 100).astype(helper.tensor_dtype_to_np_dtype(model.type))
            feeds = [{"x": data, "condition": np.array(way)} for way in (True, False)]
            others = [{**feed, "x": np.flip(data) + np.ones_like(data)} for feed in feeds]
            for form in (lambda p: p, inliner.inline_local_functions): # some attributes of functions are unknown
                try:
                    seen = watch(form(proto), feeds)
                    constant = same(seen, watch(form(proto), others))
                    todo.append((seed, kernels, seen, constant))
                    break
                except Exception as e:
                    why = (str(e) or repr(e)).split("\n")[0][:200]
            else:
                self.counts["models onnx does not evaluate: " + why] += 1
            self.shapes(seed, model, proto, kernels, constant)
        self.compare(todo)


def work(job):
    splitgen, source_dir, seeds = job
    warnings.simplefilter("ignore") # for casts that overflow
    with tempfile.TemporaryDirectory() as folder:
        batch = Batch(splitgen, source_dir, folder)
        batch.models(seeds)
        return batch.counts, batch.flaws, batch.drawn


def main():
    splitgen, source_dir, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    first = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    jobs = [(splitgen, source_dir, range(i, min(i + BATCH, first + count))) for i in range(first, first + count, BATCH)]
    counts, flaws, drawn = collections.Counter(), [], set()
    with futures.ProcessPoolExecutor() as pool: # a process that onnx ends becomes an exception here
        for one, wrong, what in pool.map(work, jobs):
            counts += one
            flaws += wrong
            drawn |= what
    for name, number in sorted(counts.items()):
        print(f"{number:7} {name}")
    print("operators drawn:", *sorted(d for d in drawn if isinstance(d, str) and not d.startswith("F_t")))
    print("operator sets never drawn:", *sorted(set(range(1, NEWEST + 1)) - drawn))
    print("\n".join(flaws[:40]))
    print(f"{counts['models']} models, {len(flaws)} wrong")
    return 1 if flaws or counts["models"] != count else 0


if __name__ == "__main__":
    sys.exit(main())
