#!/usr/bin/env python3
"""Compares random slice groups with the `onnx` package: which nodes become one kernel, and its result on real data.

usage: families.py SPLITGEN SOURCE_DIR COUNT [SEED]

Each model slices a few tensors, in the graph and in both branches of an If, by Slices, Gathers and SequenceAts:
bounds from either end, beyond the axis, INT64_MAX, without axes or steps, as attributes (opset 9), computed from
shapes, over all axes; with gaps, empty ranges, overlaps, repeated ranges, steps, two axes at once, weights, shapes,
single nodes. In every third model some dims that are not sliced are open, and bounds are computed from them where
they cancel. Slice groups are determined here by sets of indices. Every model is compiled with --ops=slice; the bytes
of each kernel are compared with onnx's reference evaluator; without --ops, --list has to count the same slice groups
and make none. Needs the packages onnx and numpy. Exit status 1 if anything differs."""
import collections, itertools, json, random, re, subprocess, sys, tempfile
from concurrent import futures

import numpy as np
import onnx
from onnx import helper as h, reference, TensorProto as T

from calls import call, library

BATCH = 100
FAR = [2**31 - 1, 2**63 - 1]
TYPES = [T.FLOAT] * 4 + [T.INT8, T.UINT16, T.INT64, T.BOOL, T.DOUBLE, T.FLOAT16, T.COMPLEX64]

Cut = collections.namedtuple("Cut", "scope kind tensor axis start length bare output node part")


class Graph:
    """A graph under construction. scope: its scope in the model; outer: the tensors around it."""

    def __init__(self, model, scope):
        self.model, self.rnd, self.opset, self.scope = model, model.rnd, model.opset, scope
        self.nodes, self.outputs = [], []

    def op(self, kind, inputs, **attributes):
        name = self.model.name()
        self.nodes.append(h.make_node(kind, inputs, [name], name=f"{kind}_{name}", **attributes))
        return name

    def ints(self, values, scalar=False):
        tensor = h.make_tensor(self.model.name(), T.INT64, [] if scalar else [len(values)], values)
        if self.rnd.random() < 0.5:
            self.model.initializers.append(tensor)
        else:
            self.nodes.append(h.make_node("Constant", [], [tensor.name], value=tensor))
        return tensor.name

    def number(self, value, of, shape, scalar=False):
        """One bound, sometimes computed from the tensor's shape. An open dim cancels."""
        near = abs(value) < 2**20
        style = self.rnd.randint(0, 5) if near and self.model.shaped else 5
        if style > 1:
            return self.ints([value], scalar)
        i = self.rnd.randrange(len(shape))
        size = self.op("Gather", [self.op("Shape", [of]), self.ints([i], scalar)], axis=0)
        if i in self.model.open_of(of):
            other = self.op("Gather", [self.op("Shape", [of]), self.ints([i - len(shape)], scalar)], axis=0)
            if style == 0:
                return self.op("Add", [self.op("Sub", [size, other]), self.ints([value], scalar)])
            return self.op("Mul", [self.op("Div", [size, other]), self.ints([value], scalar)])
        if style == 0:
            return self.op("Sub", [size, self.ints([shape[i] - value], scalar)])
        return self.op("Add", [self.op("Div", [size, self.ints([2], scalar)]), self.ints([value - shape[i] // 2], scalar)])

    def cut(self, kind, tensor, along, start, length, bare, inputs, part=None, **attributes):
        output = self.op("SequenceAt" if kind == "SplitToSequence" else kind, inputs, **attributes)
        self.outputs.append(output)
        self.model.cuts.append(Cut(self.scope, kind, tensor, along, start, length, bare, output, self.nodes[-1].name, part))

    def none(self, kind, inputs, type=None, **attributes):
        """A node that is in no slice group."""
        self.outputs.append(self.op(kind, inputs, **attributes))
        self.model.types[self.outputs[-1]] = type or self.model.type

    # Slices

    def bounds(self, d, start, stop):
        """The same range in another form."""
        start = self.rnd.choice([start, start - d if start < d else start] + ([-d - 3] if start == 0 else []))
        stop = self.rnd.choice([stop, stop - d if stop < d else stop] + ([d + 5, *FAR] if stop == d else []))
        return start, stop

    def slice(self, tensor, shape, axis, start, stop, step=1, other=None):
        """other: a second axis that is split."""
        d = shape[axis]
        axes = [axis]
        words = [self.bounds(d, start, stop)]
        for a in range(len(shape)):
            if a != axis and (a == other or self.rnd.random() < 0.2):
                axes.append(a)
                all_of = [(0, FAR[1]), (0, shape[a]), (-shape[a] - 1, FAR[0])]
                if a in self.model.open_of(tensor):
                    all_of = [(0, FAR[0]), (0, FAR[1])]
                words.append((0, shape[a] - 1) if a == other else self.rnd.choice(all_of))
        order = list(range(len(axes)))
        self.rnd.shuffle(order)
        axes, words = [axes[i] for i in order], [words[i] for i in order]
        bare = axes == list(range(len(axes))) and self.rnd.random() < 0.5
        named = [a - len(shape) if self.rnd.random() < 0.3 and self.opset >= 10 else a for a in axes]
        starts, stops = [w[0] for w in words], [w[1] for w in words]
        steps = [step if a == axis else 1 for a in axes]
        if self.opset < 10:
            inputs, attributes = [tensor], {"starts": starts, "ends": stops, **({} if bare else {"axes": named})}
        else:
            one = len(axes) == 1
            inputs = [tensor, *[self.number(v[0], tensor, shape) if one else self.ints(v) for v in (starts, stops)]]
            attributes = {}
            with_steps = step != 1 or self.rnd.random() < 0.3
            if not bare or with_steps:
                inputs.append("" if bare else self.ints(named))
            if with_steps:
                inputs.append(self.ints(steps))
        begin, end, _ = slice(words[axes.index(axis)][0], words[axes.index(axis)][1]).indices(d)
        length = max(end - begin, 0)
        cuts = length != d or len(axes) == 1
        if step != 1 or other is not None or not cuts:
            self.none("Slice", inputs, **attributes)
        else:
            self.cut("Slice", tensor, axis, begin, length, False, inputs, **attributes)

    def slices(self, tensor, shape, axis):
        d = shape[axis]
        cuts = sorted(self.rnd.randint(0, d) for _ in range(self.rnd.randint(1, 4)))
        ranges = list(itertools.pairwise([0, *cuts, d]))
        ranges = [r for r in ranges if self.rnd.random() < 0.85 and (r[0] < r[1] or self.rnd.random() < 0.3)]
        if self.rnd.random() < 0.15 and ranges:
            ranges.append(self.rnd.choice(ranges))
        if self.rnd.random() < 0.15 and d > 1:
            ranges.append(tuple(sorted(self.rnd.sample(range(d + 1), 2))))
        self.rnd.shuffle(ranges)
        for start, stop in ranges:
            self.slice(tensor, shape, axis, start, stop)
        if self.rnd.random() < 0.1 and self.opset >= 10 and d > 2:
            self.slice(tensor, shape, axis, 0, d, step=2)
        others = [a for a in range(len(shape)) if a != axis and shape[a] > 1]
        if self.rnd.random() < 0.1 and others and d > 1:
            self.slice(tensor, shape, axis, 0, 1, other=self.rnd.choice(others))

    # Gathers

    def gathers(self, tensor, shape, axis):
        d = shape[axis]
        indices = self.rnd.sample(range(d), min(d, self.rnd.randint(1, 5)))
        if self.rnd.random() < 0.15 and indices:
            indices.append(self.rnd.choice(indices))
        named = axis - len(shape) if self.opset >= 11 and self.rnd.random() < 0.3 else axis
        for i in indices:
            bare = self.rnd.random() < 0.8
            word = i - d if self.opset >= 11 and self.rnd.random() < 0.3 else i
            self.cut("Gather", tensor, axis, i, 1, bare, [tensor, self.number(word, tensor, shape, bare)], axis=named)
        if self.rnd.random() < 0.2 and d > 1:
            self.none("Gather", [tensor, self.ints([0, d - 1])], axis=named)

    # Sequences

    def sequence(self, tensor, shape, axis):
        d, style = shape[axis], self.rnd.randint(0, 3)
        if self.opset < 11 or d == 0:
            return
        inputs, attributes, bare = [tensor], {"axis": self.rnd.choice([axis, axis - len(shape)])}, False
        if style == 0:
            lengths, keep = [1] * d, self.rnd.randint(0, 1)
            bare = not keep
            attributes["keepdims"] = keep
        elif style == 1:
            chunk = self.rnd.randint(1, d)
            lengths = [min(chunk, d - i) for i in range(0, d, chunk)]
            inputs.append(self.number(chunk, tensor, shape, scalar=True))
        else:
            cuts = sorted(self.rnd.randint(0, d) for _ in range(self.rnd.randint(0, 3)))
            lengths = [b - a for a, b in itertools.pairwise([0, *cuts, d])]
            inputs.append(self.ints(lengths))
        made = self.op("SplitToSequence", inputs, **attributes)
        starts = [sum(lengths[:i]) for i in range(len(lengths))]
        taken = [self.rnd.randrange(len(lengths)) for _ in range(self.rnd.randint(1, 4))]
        for i in taken:
            word = i - len(lengths) if self.rnd.random() < 0.3 else i
            self.cut("SplitToSequence", tensor, axis, starts[i], lengths[i], bare,
                     [made, self.number(word, tensor, shape, scalar=True)], part=(made, i))
        if self.rnd.random() < 0.3 and not bare:
            self.none("ConcatFromSequence", [made], axis=axis)

    def steps(self, tensors):
        for _ in range(self.rnd.randint(1, 3)):
            tensor, shape = self.rnd.choice(tensors)
            axis = self.rnd.randrange(len(shape))
            if axis in self.model.open_of(tensor):
                continue
            self.rnd.choice([self.slices, self.slices, self.gathers, self.sequence])(tensor, shape, axis)


class Model:
    def __init__(self, seed):
        self.rnd, self.n, self.initializers, self.cuts, self.types = random.Random(seed), 0, [], [], {}
        rnd = self.rnd
        self.opset = rnd.choice([9, 9, 10, 11, 12, 13, 15, 18, 21])
        self.shape = [rnd.choice([1, 2, 3, 4, 6, 7, 12] + [0] * (rnd.random() < 0.05)) for _ in range(rnd.randint(1, 4))]
        self.type = rnd.choice(TYPES)
        self.shaped = True
        self.open, self.order = self.open_dims(seed), None
        root = Graph(self, 0)
        tensors = [("x", self.shape)]
        if rnd.random() < 0.5:
            order = rnd.sample(range(len(self.shape)), len(self.shape))
            self.order = order
            tensors.append((root.op("Transpose", ["x"], perm=order), [self.shape[i] for i in order]))
        root.steps(tensors)
        self.constants(root)
        self.outputs = list(root.outputs)
        if rnd.random() < 0.5:
            self.branches(root, tensors)
        self.root = root

    def open_dims(self, seed):
        """{dim of x: its name}; dims with the same number may share a name. The numbers differ from all others."""
        rnd = random.Random(-seed)
        chosen = [i for i, n in enumerate(self.shape) if n > 0 and rnd.random() < 0.4] if seed % 3 == 0 else []
        return {i: f"N{self.shape[i]}" if rnd.random() < 0.3 else f"D{i}" for i in chosen}

    def open_of(self, tensor):
        """The open dims of a tensor, which is x or x transposed."""
        return {i for i in range(len(self.shape)) if (i if tensor == "x" else self.order[i]) in self.open}

    def name(self):
        self.n += 1
        return f"t{self.n}"

    def constants(self, graph):
        """Tensors that are not data: weights, and results computed from shapes."""
        if self.rnd.random() < 0.3:
            w = h.make_tensor(self.name(), T.FLOAT, [4, 3], [0.5] * 12)
            self.initializers.append(w)
            for i in range(2):
                graph.none("Gather", [w.name, graph.ints([i], True)], T.FLOAT, axis=0)
        if self.rnd.random() < 0.3 and len(self.shape) > 1:
            size = graph.op("Shape", ["x"])
            for i in range(2):
                graph.none("Gather", [size, graph.ints([i], True)], T.INT64, axis=0)

    def branches(self, root, tensors):
        bodies = []
        for scope in (1, 2):
            body = Graph(self, scope)
            body.steps(tensors)
            bodies.append(body)
        most = max(len(b.outputs) for b in bodies)
        for body in bodies:
            while len(body.outputs) < most or not body.outputs:
                body.outputs.append(body.op("Identity", ["x"]))
        most = max(most, 1)
        made = [self.name() for _ in range(most)]
        graphs = [h.make_graph(b.nodes, self.name(), [], [h.make_tensor_value_info(o, self.type, None) for o in b.outputs])
                  for b in bodies]
        root.nodes.append(h.make_node("If", ["condition"], made, name="choose", then_branch=graphs[0], else_branch=graphs[1]))
        self.branch_outputs = [dict(zip(b.outputs, made)) for b in bodies]
        self.outputs += made

    def proto(self):
        shape = [self.open.get(i, n) for i, n in enumerate(self.shape)]
        inputs = [h.make_tensor_value_info("x", self.type, shape), h.make_tensor_value_info("condition", T.BOOL, [])]
        outputs = [h.make_tensor_value_info(o, self.types.get(o, self.type), None) for o in self.outputs]
        graph = h.make_graph(self.root.nodes, "g", inputs, outputs, self.initializers)
        return h.make_model(graph, opset_imports=[h.make_opsetid("", self.opset)], ir_version=8)

    def families(self):
        """(scope, kind, tensor, axis) and the nodes of each, in order."""
        groups = collections.defaultdict(list)
        for c in self.cuts:
            groups[(c.scope, c.kind, c.tensor, c.axis) + ((c.part[0],) if c.part else ())].append(c)
        for key, cuts in groups.items():
            taken = [i for c in cuts for i in range(c.start, c.start + c.length)]
            ranges = {(c.start, c.length) for c in cuts}
            if len(cuts) > 1 and (cuts[0].part or len(taken) == len(set(taken)) and len(ranges) == len(cuts)):
                yield key[:4], cuts

    def values(self):
        """For each output of a slice the evaluator's result: {output: array}, and the data tensors."""
        dtype = h.tensor_dtype_to_np_dtype(self.type)
        data = (np.random.default_rng(1).random(self.shape) * 100).astype(dtype)
        extended = self.proto()
        tensors = sorted({c.tensor for c in self.cuts} - {"x"})
        extended.graph.output.extend(h.make_tensor_value_info(t, self.type, None) for t in tensors)
        evaluator, found = reference.ReferenceEvaluator(extended), {"x": data}
        for way in (True, False):
            made = dict(zip([*self.outputs, *tensors], evaluator.run(None, {"x": data, "condition": np.array(way)})))
            inner = self.branch_outputs[0 if way else 1] if hasattr(self, "branch_outputs") else {}
            found.update({name: made[out] for name, out in inner.items()})
            found.update({k: v for k, v in made.items() if k not in inner.values()})
        return found


def summary(text):
    found = re.search(r"not listed: .*\((\d+)\); --ops=split,slice|note: --ops=split,slice would generate: .*\((\d+)\)", text)
    return int(found[1] or found[2]) if found else 0


class Batch:
    def __init__(self, splitgen, source_dir, folder):
        self.splitgen, self.source_dir, self.folder = splitgen, source_dir, folder
        self.counts, self.flaws = collections.Counter(), []

    def run(self, *args):
        return subprocess.run([self.splitgen, *args], capture_output=True, text=True)

    def model(self, seed):
        """The kernels of a model, each with its members; None if there are none."""
        model = Model(seed)
        self.counts["models"] += 1
        self.counts[f"models of opset {model.opset}"] += 1
        proto = model.proto()
        checked = model.proto() # the checker requires shapes of outputs
        del checked.graph.output[:]
        checked.graph.output.extend(checked.graph.input[:1])
        onnx.checker.check_model(checked)
        stem = f"{self.folder}/m{seed}"
        onnx.save(proto, stem + ".onnx")
        expected = list(model.families())
        self.counts["models with open dims"] += bool(model.open)
        how = ["--open"] if model.open else []
        listed = self.run("--list", *how, stem + ".onnx")
        if summary(listed.stdout + listed.stderr) != len(expected) or "the model has no Split nodes" not in listed.stderr:
            self.flaws.append(f"model {seed}: without --ops {len(expected)} families are\n{listed.stdout}{listed.stderr}")
        r = self.run("--ops=slice", *how, f"--prefix=m{seed}_", "--isa=portable", "--emit=c,json", "-o", stem + ".c", stem + ".onnx")
        if not expected:
            self.counts["models without a family"] += 1
            if "the model has no nodes of '--ops=slice'" not in r.stderr:
                self.flaws.append(f"model {seed}: no family, but\n{r.stderr[:500]}")
            return None
        if r.returncode:
            self.flaws.append(f"model {seed}: {r.stderr[:800]}")
            return None
        kernels = json.load(open(stem + ".json"))["kernels"]
        return self.match(seed, expected, kernels, model)

    def match(self, seed, expected, kernels, model):
        """Every slice group is one kernel, in order, and there is no other kernel."""
        order = {n.name: i for i, n in enumerate(self.every(model.proto().graph))}
        expected.sort(key=lambda f: min(order[c.node] for c in f[1]))
        wanted = [(kind, tensor, axis, [c.node for c in cuts]) for (_, kind, tensor, axis), cuts in expected]
        made = [(k["op_type"], k["tensor"], k["axis"], k["nodes"]) for k in kernels]
        if sorted(map(str, made)) != sorted(map(str, wanted)):
            self.flaws.append(f"model {seed}: families {made}, not {wanted}")
            return None
        by_nodes = {tuple(k["nodes"]): k for k in kernels}
        return model, [(by_nodes[tuple(c.node for c in cuts)], cuts) for _, cuts in expected]

    def every(self, graph):
        for node in graph.node:
            yield node
            for a in node.attribute:
                yield from self.every(a.g)

    def bytes(self, seed, lib, model, found):
        values = model.values()
        for k, cuts in found:
            self.counts["families of " + k["op_type"]] += 1
            self.counts["families in branches"] += bool(k["path"])
            self.counts["families with open dims"] += bool(k.get("open"))
            data = np.ascontiguousarray(values[k["tensor"]])
            made = dict(zip([o["tensor"] for o in k["outputs"]], call(lib, k, data)))
            places = {}
            for o in k["outputs"]:
                places[o["tensor"]] = o["start"], o["length"]
            for c in cuts:
                self.counts["outputs"] += 1
                same = [o for o in made if o == c.output] or [d.output for d in cuts if d.part and d.part == c.part and d.output in made]
                is_, should = made[same[0]], np.ascontiguousarray(values[c.output]).reshape(np.shape(values[c.output]))
                if is_.shape != should.shape or is_.tobytes() != should.tobytes():
                    self.flaws.append(f"model {seed}: {k['name']}: {c} is {is_.shape}, onnx has {should.shape}, or its bytes differ")
                if c.length > 0 and places[same[0]] != (c.start, c.length):
                    self.flaws.append(f"model {seed}: {k['name']}: {c} lies at {places[same[0]]}")

    def models(self, seeds):
        found = {seed: self.model(seed) for seed in seeds}
        found = {seed: f for seed, f in found.items() if f}
        lib = library(self.source_dir, self.folder, [f"m{s}" for s in found])
        for seed, (model, pairs) in found.items():
            self.bytes(seed, lib, model, pairs)


def work(job):
    splitgen, source_dir, seeds = job
    with tempfile.TemporaryDirectory() as folder:
        batch = Batch(splitgen, source_dir, folder)
        batch.models(seeds)
        return batch.counts, batch.flaws


def main():
    splitgen, source_dir, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    first = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    jobs = [(splitgen, source_dir, range(i, min(i + BATCH, first + count))) for i in range(first, first + count, BATCH)]
    counts, flaws = collections.Counter(), []
    with futures.ProcessPoolExecutor() as pool:
        for one, wrong in pool.map(work, jobs):
            counts += one
            flaws += wrong
    for name, number in sorted(counts.items()):
        print(f"{number:7} {name}")
    print("\n".join(flaws[:20]))
    print(f"{counts['models']} models, {len(flaws)} wrong")
    return 1 if flaws or counts["models"] != count else 0


if __name__ == "__main__":
    sys.exit(main())
