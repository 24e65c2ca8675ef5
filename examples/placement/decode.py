#!/usr/bin/env python3
"""Runs the steps of a decoder in the arena that splitgen plans, with its caches in place, and compares every output of every step.

usage: decode.py SPLITGEN INCLUDE RUNTIME [STEPS]

Each of the two layers adds the keys and values of one token to those of all tokens before, by a Concat of an input and what is
new. Such a pair of an input and an output is one buffer (--cache=auto=STEPS): what is in it stays where it is from step to step,
and a kernel writes the new token behind it. What is right to the bit are the nodes run one by one in memory of their own, which get
the outputs of their step before as inputs; the model run whole, where a runtime may round less often, has to be near. Needs what
run.py needs. Exit status 1 where a byte differs, or where a step copies more than its token.
"""
import os, sys, tempfile

import numpy as np
import onnx

import run

WIDTH = 8 # of a head
NOWHERE = {"tensors": [], "buffers": [], "nodes": [], "arena": 0} # a plan without places


def decoder(kind, heads):
    """A model of two layers, as text: one token of heads * WIDTH numbers, and for each layer keys and values of all before."""
    width = heads * WIDTH
    random = np.random.default_rng(heads)
    weights = [f"float[{width}, {3 * width}] f{layer} = {{{', '.join(str(n) for n in random.integers(-2, 3, 3 * width * width) / 64)}}}"
               for layer in (0, 1)]
    caches = [what + str(layer) for layer in (0, 1) for what in "kv"]
    lines = []
    for layer in (0, 1):
        x = "token" if layer == 0 else "x0"
        lines += [f"w{layer} = Cast <to = {onnx.TensorProto.DataType.Value(kind.upper())}> (f{layer})", f"m{layer} = MatMul ({x}, w{layer})", f"q{layer}_, k{layer}_, v{layer}_ = Split <axis = 2, num_outputs = 3> (m{layer})"]
        for what in "qkv":
            name = f"{what}{layer}"
            lines += [f"{name}s = Reshape ({name}_, apart)",
                      f"{name + ('' if what == 'q' else 'n')} = Transpose <perm = [0, 2, 1, 3]> ({name}s)"]
        lines += [f"new_{what}{layer} = Concat <axis = 2> (old_{what}{layer}, {what}{layer}n)" for what in "kv"]
        lines += [f"t{layer} = Transpose <perm = [0, 1, 3, 2]> (new_k{layer})", f"s{layer} = MatMul (q{layer}, t{layer})",
                  f"p{layer} = Softmax <axis = 3> (s{layer})", f"a{layer} = MatMul (p{layer}, new_v{layer})",
                  f"b{layer} = Transpose <perm = [0, 2, 1, 3]> (a{layer})", f"r{layer} = Reshape (b{layer}, joined)",
                  f"x{layer} = Add (r{layer}, {x})"]
    olds = ", ".join(f"{kind}[1, {heads}, past, {WIDTH}] old_{name}" for name in caches)
    news = ", ".join(f"{kind}[1, {heads}, all, {WIDTH}] new_{name}" for name in caches)
    return (f'<ir_version: 8, opset_import: ["" : 18]> decoder ({kind}[1, 1, {width}] token, {olds}) => ({kind}[1, 1, {width}] x1, {news}) '
            f"<{', '.join(weights)}, int64[4] apart = {{1, 1, {heads}, {WIDTH}}}, int64[3] joined = {{1, 1, {width}}}> {{ "
            + "\n".join(lines) + " }"), caches


def steps(splitgen, include, runtime, kind, heads, count):
    """Runs a decoder for this many steps. Returns the bytes that the first, the second and the last one copy."""
    text, caches = decoder(kind, heads)
    model = onnx.parser.parse_model(text)
    copied = {}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "decoder.onnxtxt")
        with open(path, "w") as file:
            file.write(text)
        options = [f"--open=past={count - 1}", f"--cache=auto={count}", "--strided-read=Transpose,MatMul"]
        graphs, module, made_of = run.build(splitgen, include, runtime, options, path, folder)
        plan = next(graph for graph in graphs if not graph["path"])
        memory = run.Memory(plan)
        random = np.random.default_rng(1)
        type = np.float16 if kind == "float16" else np.float32
        olds = {f"old_{name}": np.zeros((1, heads, 0, WIDTH), type) for name in caches}
        for length in range(count):
            token = random.integers(-4, 5, (1, 1, heads * WIDTH)).astype(type)
            feeds = {"token": token, **olds}
            expected = run.run_placed(model, feeds, NOWHERE, None, None)
            memory.numbers = {"past": length}
            found = run.run_placed(model, {"token": token}, plan, module, made_of, memory)
            for output, right, near, value in zip(model.graph.output, expected, run.run_model(model, feeds), found):
                if (right.tobytes() != np.ascontiguousarray(value).tobytes() or right.shape != value.shape
                        or not np.allclose(right, near, 0, 0.02 * np.abs(near).max())):
                    raise SystemExit(f"{kind}, {heads} heads, step {length}: {output.name} is wrong")
            olds = {f"old_{name}": expected[1 + i] for i, name in enumerate(caches)}
            copied[length] = sum(memory.read(name).nbytes for node in plan["nodes"] for name in node["copies"])
    return [copied[length] for length in (0, 1, count - 1)]


def main():
    splitgen, include, runtime = sys.argv[1:4]
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 64
    worse = False
    for kind in ("float", "float16"):
        for heads in (1, 8):
            copied = steps(splitgen, include, runtime, kind, heads, count)
            token = 2 * 2 * heads * WIDTH * (2 if kind == "float16" else 4)
            worse |= any(bytes > token for bytes in copied)
            print(f"{kind}, heads: {heads}, steps: {count}: copied by a step at lengths 0, 1 and {count - 1}: "
                  f"{', '.join(map(str, copied))} bytes, of new keys and values: {token}; outputs equal to the bit")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
