#!/usr/bin/env python3
"""Compares kernels of random OpenVINO models, written by the `openvino` package, with its CPU plugin.

usage: against_openvino.py SPLITGEN SOURCE_DIR COUNT [SEED]

Models have Split, VariadicSplit and groups of Slices, StridedSlices and Gathers of any element type, whose axes and
lengths are constants of any integer type, converted ones or computed from ShapeOf; in If, Loop and TensorIterator
too; and unknown dims, which are passed to splitgen. The inputs and outputs of every Split are results of the model,
passed through the results of bodies if it is in one. Needs the packages openvino and numpy. Exit status 1 if a model
is refused, a Split missed, or a byte differs."""
import collections, json, random, re, shutil, subprocess, sys, tempfile

import numpy as np
import openvino as ov
from openvino import opset13 as ops

from calls import call, library

TYPES = [ov.Type.f32, ov.Type.f16, ov.Type.i32, ov.Type.i64, ov.Type.u8, ov.Type.i8, ov.Type.boolean]
WHOLE = [np.int64, np.int32, np.int16, np.int8, np.uint8, np.uint32, np.uint64]


class Part:
    """A model or a body under construction: its current output, with its shape."""

    def __init__(self, rnd, kinds, at, shape, type, prefix):
        self.rnd, self.kinds, self.at, self.shape, self.type, self.prefix = rnd, kinds, at, list(shape), type, prefix
        # Of ((name of the Split, or names of a group's nodes), which of its outputs are read), [input, outputs ...]
        self.watched = []
        self.through = [] # of (names of the Split, whether iterations are stacked, outputs of the node with the body)

    def steps(self, least, most, graphs=()):
        numbers = [self.unary, self.reduce, self.matmul] * (self.type == ov.Type.f32)
        for _ in range(self.rnd.randint(least, most)):
            self.rnd.choice([self.transpose, self.reshape, self.unsqueeze, self.concat, self.slice, self.split, self.split,
                             self.variadic, self.variadic, *[self.group] * 4, *numbers, *graphs * (len(self.shape) < 5)])()

    def go(self, node, shape):
        self.at, self.shape = node.output(0), list(shape)

    def axis(self):
        return self.rnd.randint(0, len(self.shape) - 1)

    def whole(self, values, kind=np.int64):
        """A constant, directly or converted to `kind`."""
        if self.rnd.random() < 0.3:
            self.kinds["converted constants"] += 1
            other = self.rnd.choice([np.int32, np.int64, np.int16])
            return ops.convert(ops.constant(np.array(values, other)), kind)
        return ops.constant(np.array(values, kind))

    def dim(self, axis):
        self.kinds["programs over ShapeOf"] += 1
        shape = ops.shape_of(self.at, output_type=self.rnd.choice(["i32", "i64"]))
        one = ops.gather(shape, ops.constant(np.array([axis], np.int32)), ops.constant(np.int32(0)))
        return ops.convert(one, "i64")

    def unary(self):
        self.go(self.rnd.choice([ops.relu, ops.sigmoid, ops.negative])(self.at), self.shape)

    def transpose(self):
        order = list(range(len(self.shape)))
        self.rnd.shuffle(order)
        self.go(ops.transpose(self.at, self.whole(order)), [self.shape[i] for i in order])

    def reshape(self):
        if len(self.shape) < 2:
            return
        i = self.rnd.randint(0, len(self.shape) - 2)
        parts = [self.dim(j) for j in range(len(self.shape)) if j not in (i, i + 1)]
        parts.insert(i, self.rnd.choice([lambda: ops.constant(np.array([-1])),
                                         lambda: ops.multiply(self.dim(i), self.dim(i + 1))])())
        self.go(ops.reshape(self.at, ops.concat(parts, 0), False),
                self.shape[:i] + [self.shape[i] * self.shape[i + 1]] + self.shape[i + 2:])

    def unsqueeze(self):
        if len(self.shape) < 5:
            axis = self.rnd.randint(0, len(self.shape))
            self.go(ops.unsqueeze(self.at, self.whole([axis])), self.shape[:axis] + [1] + self.shape[axis:])

    def concat(self):
        axis, shape = self.axis(), list(self.shape)
        shape[axis] *= 2
        self.go(ops.concat([self.at, self.at], axis), shape)

    def slice(self):
        axis = self.axis()
        if self.shape[axis] > 2:
            end = self.dim(axis) if self.rnd.random() < 0.5 else ops.constant(np.array([2**31 - 1]))
            self.go(ops.slice(self.at, ops.constant(np.array([1])), end, ops.constant(np.array([1])), self.whole([axis])),
                    self.shape[:axis] + [self.shape[axis] - 1] + self.shape[axis + 1:])

    def reduce(self):
        if len(self.shape) > 2:
            axis, keep = self.axis(), self.rnd.random() < 0.5
            self.go(ops.reduce_max(self.at, self.whole([axis]), keep),
                    self.shape[:axis] + [1] * keep + self.shape[axis + 1:])

    def matmul(self):
        if len(self.shape) > 1:
            self.go(ops.matmul(self.at, ops.constant(np.ones([self.shape[-1], 6], np.float32)), False, False),
                    self.shape[:-1] + [6])

    def watch(self, node, axis, lengths):
        node.set_friendly_name(f"{self.prefix}split{len(self.watched)}")
        used = sorted(self.rnd.sample(range(len(lengths)), len(lengths) - (len(lengths) > 2 and self.rnd.random() < 0.2)))
        self.kinds["outputs nobody reads"] += len(used) < len(lengths)
        self.watched.append(((node.get_friendly_name(), used), [self.at, *[node.output(i) for i in used]]))
        i = self.rnd.choice(used)
        self.at, self.shape = node.output(i), self.shape[:axis] + [lengths[i]] + self.shape[axis + 1:]

    def split(self):
        axis = self.axis()
        count = self.rnd.choice([n for n in range(1, 5) if self.shape[axis] % n == 0])
        given = axis - len(self.shape) * (self.rnd.random() < 0.4)
        self.kinds["Split"] += 1
        kind = self.rnd.choice(WHOLE[:4] if given < 0 else WHOLE)
        self.watch(ops.split(self.at, self.whole(given, kind) if given >= 0 else ops.constant(np.array(given, kind)), count), axis,
                   [self.shape[axis] // count] * count)

    def variadic(self):
        axis = self.axis()
        dim, count = self.shape[axis], self.rnd.randint(1, 4)
        if count > dim:
            return
        cuts = sorted(self.rnd.sample(range(1, dim), count - 1))
        lengths = [b - a for a, b in zip([0] + cuts, cuts + [dim])]
        style, where = self.rnd.randint(0, 3), self.rnd.randint(0, count - 1)
        given = list(lengths)
        if style == 1:
            self.kinds["a length of -1"] += 1
            given[where] = -1
        if style == 2 and count > 1:
            rest = ops.subtract(self.dim(axis), ops.constant(np.array([sum(lengths[:-1])])))
            given = ops.concat([ops.constant(np.array(lengths[:-1])), rest], 0)
        else:
            given = self.whole(given, self.rnd.choice([np.int64, np.int32]))
        self.kinds["VariadicSplit"] += 1
        at = axis - len(self.shape) * (self.rnd.random() < 0.4)
        self.watch(ops.variadic_split(self.at, ops.constant(np.array([at] if self.rnd.random() < 0.5 else at, np.int64)), given),
                   axis, lengths)

    # Groups

    def bound(self, value, d):
        """A bound counted from either end; the end itself has no negative form."""
        return value - d if value < d and self.rnd.random() < 0.4 else value

    def taken_by_slice(self, at, axis, d, start, stop):
        stops = [self.bound(stop, d)] + [d + 3, 2**31 - 1] * (stop == d)
        return ops.slice(at, self.whole([self.bound(start, d)]), self.whole([self.rnd.choice(stops)]), self.whole([1]),
                         self.whole([axis - len(self.shape) * (self.rnd.random() < 0.3)]))

    def taken_by_strided_slice(self, at, axis, d, start, stop, bare):
        """Bounds for the axes up to it, or an ellipsis before it and bounds for all axes after it."""
        rank, front = len(self.shape), self.rnd.random() < 0.5
        behind = rank - 1 - axis if front else 0
        begin, end, strides, masks = [], [], [], {k: [] for k in ("begin", "end", "new", "shrink", "ellipsis")}

        def add(b, e, **set_masks):
            begin.append(b)
            end.append(e)
            strides.append(1)
            for k, mask in masks.items():
                mask.append(int(set_masks.get(k, False)))

        def whole_axis():
            add(*self.rnd.choice([(3, 1), (0, 0)]), begin=True, end=True)

        if front:
            add(0, 0, ellipsis=True)
        for _ in range(0 if front else axis):
            whole_axis()
        from_start, to_end = start == 0 and self.rnd.random() < 0.5, stop == d and not bare and self.rnd.random() < 0.5
        add(7 if from_start else self.bound(start, d), 7 if to_end else self.bound(stop, d), begin=from_start, end=to_end, shrink=bare)
        for _ in range(behind):
            whole_axis()
        return ops.strided_slice(at, self.whole(begin), self.whole(end), self.whole(strides), masks["begin"], masks["end"],
                                 masks["new"], masks["shrink"], masks["ellipsis"])

    def taken_by_gather(self, at, axis, d, start, bare):
        index = self.bound(start, d)
        return ops.gather(at, self.whole(index if bare else [index]), self.whole(axis - len(self.shape) * (self.rnd.random() < 0.3)))

    def group(self):
        """Two or more nodes of one kind that take disjoint ranges of one axis."""
        axis = self.axis()
        d, at, shape = self.shape[axis], self.at, self.shape
        kind = self.rnd.choice(["Slice", "StridedSlice", "StridedSlice", "Gather"])
        bare = kind != "Slice" and len(shape) > 1 and self.rnd.random() < 0.4
        if d < 3:
            return
        bounds = sorted(self.rnd.sample(range(d + 1), self.rnd.randint(2, min(d, 4)) + 1))
        ranges = [(a, b) for a, b in zip(bounds, bounds[1:])]
        if kind == "Gather" or bare:
            ranges = [(a, a + 1) for a in self.rnd.sample(range(d), self.rnd.randint(2, min(d, 4)))]
        if len(ranges) > 2 and self.rnd.random() < 0.5:
            ranges.remove(self.rnd.choice(ranges))
        nodes = {}
        for start, stop in self.rnd.sample(ranges, len(ranges)):
            node = (self.taken_by_slice(at, axis, d, start, stop) if kind == "Slice" else
                    self.taken_by_gather(at, axis, d, start, bare) if kind == "Gather" else
                    self.taken_by_strided_slice(at, axis, d, start, stop, bare))
            node.set_friendly_name(f"{self.prefix}group{len(self.watched)}_{start}")
            nodes[start, stop] = node
        taken = [nodes[r] for r in sorted(ranges)]
        names = tuple(sorted(n.get_friendly_name() for n in taken))
        self.kinds[f"groups of {kind}"] += 1
        self.kinds["groups without the axis"] += bare
        self.watched.append(((names, range(len(taken))), [at, *[n.output(0) for n in taken]]))
        i = self.rnd.randrange(len(taken))
        start, stop = sorted(ranges)[i]
        self.go(taken[i], shape[:axis] + ([] if bare else [stop - start]) + shape[axis + 1:])

    # Bodies

    def body(self, shape, name, stacked=False):
        """A body with one parameter, with a Split in it."""
        parameter = ops.parameter(ov.PartialShape([-1] * len(shape)) if self.rnd.random() < 0.5 else shape, self.type)
        inner = Part(self.rnd, self.kinds, parameter.output(0), shape, self.type, f"{self.prefix}{name}_")
        inner.steps(0, 3)
        inner.split()
        inner.last = [o for _, outputs in inner.watched for o in outputs].index(inner.at)
        inner.results = [ops.result(ops.unsqueeze(o, ops.constant(np.array([0]))) if stacked else o) for _, outputs in inner.watched for o in outputs]
        return parameter, inner

    def expose(self, inners, results, turns):
        """results: outputs of the node with the body, in the order of inner.results."""
        for names in zip(*[i.watched for i in inners]):
            count = len(names[0][1])
            self.through.append(([n for n, _ in names], turns, results[:count]))
            results = results[count:]

    def branch(self):
        """Both branches are the same except for a name; an input of the model selects one."""
        self.kinds["If"] += 1
        node, state, inners = ops.if_op(self.condition.output(0)), self.rnd.getstate(), []
        name = f"if{len(self.through)}"
        for which in ("then", "else"):
            self.rnd.setstate(state)
            inners.append(self.body(self.shape, f"{name}_{which}"))
        (p, yes), (q, no) = inners
        node.set_then_body(ov.Model(yes.results, [p], "then"))
        node.set_else_body(ov.Model(no.results, [q], "else"))
        node.set_input(self.at, p, q)
        results = [node.set_output(a, b) for a, b in zip(yes.results, no.results)]
        self.expose([yes, no], results, False)
        self.at, self.shape = results[yes.last], yes.shape

    def iterate(self):
        """A TensorIterator over slices of one, or a Loop with a constant state."""
        name, axis = f"turns{len(self.through)}", self.axis()
        if self.rnd.random() < 0.5:
            self.kinds["TensorIterator"] += 1
            shape = self.shape[:axis] + [1] + self.shape[axis + 1:]
            parameter, inner = self.body(shape, name, True)
            node = ops.tensor_iterator()
            node.set_body(ov.Model(inner.results, [parameter], "body"))
            node.set_sliced_input(parameter, self.at, 0, 1, 1, -1, axis)
            turns = self.shape[axis]
        else:
            self.kinds["Loop"] += 1
            turns = self.rnd.randint(1, 3)
            parameter, inner = self.body(self.shape, name, True)
            node = ops.loop(ops.constant(np.array(turns, np.int64)), ops.constant(np.array(True)))
            go, kept = ops.result(ops.constant(np.array(True))), ops.result(parameter)
            node.set_function(ov.Model([go, kept, *inner.results], [parameter], "body"))
            node.set_special_body_ports([-1, 0])
            node.set_merged_input(parameter, self.at, kept.output(0))
        results = [node.get_concatenated_slices(r.output(0), 0, 1, 1, -1, 0) for r in inner.results]
        self.expose([inner], results, True)
        self.at, self.shape = results[inner.last], [turns, *inner.shape]


class Draw(Part):
    def __init__(self, seed, kinds):
        rnd = random.Random(seed)
        type = rnd.choice(TYPES) if rnd.random() < 0.5 else ov.Type.f32
        shape = [rnd.choice([1, 2, 3]), rnd.choice([2, 4, 6, 12]), rnd.choice([3, 8, 10])]
        self.dynamic = rnd.random() < 0.6
        declared = [-1 if self.dynamic and rnd.random() < 0.5 else d for d in shape]
        self.parameter, self.condition = ops.parameter(ov.PartialShape(declared), type), ops.parameter([], ov.Type.boolean)
        self.parameter.set_friendly_name("x")
        super().__init__(rnd, kinds, self.parameter.output(0), shape, type, "")
        kinds["dims without a number"] += -1 in declared
        kinds[f"elements of {type.get_type_name()}"] += 1
        self.given = shape
        self.steps(2, 7, [self.branch, self.iterate])
        self.split()
        outputs = [o for _, many in self.watched for o in many] + [o for *_, many in self.through for o in many]
        self.model = ov.Model([ops.result(o) for o in outputs], [self.parameter, self.condition], "m")

    def calls(self, core):
        """(names of Splits, one of which ran, input, outputs), ..."""
        compiled = core.compile_model(self.model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
        data = (np.random.default_rng(1).random(self.given) * 100).astype(self.type.to_dtype())
        for which in (True, False):
            made = iter(list(compiled([data, np.array(which)]).values()))
            for name, many in self.watched:
                yield name, [next(made) for _ in many]
            for names, turns, many in self.through:
                tensors = [next(made) for _ in many]
                name = names[not which] if len(names) == 2 else names[0]
                for turn in zip(*tensors) if turns else [tensors]:
                    yield name, turn


def version_10(core, stem):
    """Converts the file to the older version, which differs only in what is rewritten here; OpenVINO must accept it."""
    text = open(stem + ".xml").read().replace('version="11"', 'version="10"', 1)
    text = re.sub(r"<rt_info>.*?</rt_info>", "", text, flags=re.DOTALL)
    with open(stem + "_10.xml", "w") as file:
        file.write(re.sub(r' (output_)?names="[^"]*"', "", text))
    shutil.copy(stem + ".bin", stem + "_10.bin")
    core.read_model(stem + "_10.xml")
    return stem + "_10.xml"


def listed(splitgen, options, path):
    return subprocess.run([splitgen, *options, "--list", "--format=json", path], capture_output=True, text=True).stdout


def main():
    splitgen, source_dir, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    first = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    kinds, flaws, core = collections.Counter(), [], ov.Core()
    with tempfile.TemporaryDirectory() as folder:
        todo = []
        for seed in range(first, first + count):
            draw, stem = Draw(seed, kinds), f"{folder}/m{seed}"
            ov.save_model(draw.model, stem + ".xml", compress_to_fp16=False)
            options = ["--shape", "x=" + ",".join(map(str, draw.given))] if draw.dynamic else []
            r = subprocess.run([splitgen, *options, "--ops=split,slice", f"--prefix=m{seed}_", "--emit=c,json", "-o", stem + ".c", stem + ".xml"],
                               capture_output=True, text=True)
            if r.returncode:
                flaws.append(f"model {seed}: {r.stderr[:800]}")
                continue
            if len({listed(splitgen, options, path) for path in (stem + ".xml", version_10(core, stem))}) != 1:
                flaws.append(f"model {seed}: versions 10 and 11 list different Splits")
            todo.append((seed, draw, json.load(open(stem + ".json"))["kernels"]))
        lib = library(source_dir, folder, [f"m{seed}" for seed, *_ in todo])
        for seed, draw, kernels in todo:
            missed = {tuple(sorted(k["nodes"])) if "nodes" in k else k["node"]: k for k in kernels}
            by_name = dict(missed)
            for (name, used), (data, *expected) in draw.calls(core):
                k = by_name.get(name)
                missed.pop(name, None)
                if k is None or k["input"]["shape"] != list(data.shape):
                    flaws.append(f"model {seed}: {name} of {data.shape}: no such kernel")
                elif any(m.shape != e.shape or m.tobytes() != e.tobytes()
                         for made in [call(lib, k, np.ascontiguousarray(data))]
                         for m, e in zip([made[i] for i in used], expected, strict=True)):
                    flaws.append(f"model {seed}: {name}: differs")
            kinds["Splits, bytes compared"] += len(kernels) - len(missed)
            kinds["Splits, bytes compared, in bodies"] += sum(bool(k["path"]) for k in kernels)
            flaws += [f"model {seed}: {name} did not run" for name in missed]
    for name, number in sorted(kinds.items()):
        print(f"{number:7} {name}")
    print("\n".join(flaws[:30]))
    print(f"{count} models of OpenVINO, {len(flaws)} wrong")
    return 1 if flaws else 0


if __name__ == "__main__":
    sys.exit(main())
