#!/usr/bin/env python3
"""Blocks of well-known networks against the evaluator of the `onnx` package.

usage: topologies.py SPLITGEN SOURCE_DIR

As exporters leave them: batch and length are names, no tensor inside has a shape, and what Reshape, Expand and Slice
need is calculated from Shape. the names are given with -D and nothing else; every Split, and every Concat
but those of shapes, must be found, reached and give the evaluator's bytes, twice: with other sizes too. Needs the packages onnx and numpy.
"""
import sys, tempfile

import numpy as np
import onnx
from onnx import helper, numpy_helper, parser

from against_onnx import Batch, every, same, watch

# name: (opset, Splits, sizes to try, shapes of the weights, the graph)
MODELS = {}


def model(name, opset, splits, sizes, weights, text):
    MODELS[name] = opset, splits, sizes, weights, text


model("shufflenet_unit", 11, 2, [{"N": 1, "H": 6, "W": 6}, {"N": 3, "H": 4, "W": 5}],
      {"w1": (12, 12, 1, 1), "w2": (12, 1, 3, 3), "w3": (12, 12, 1, 1)}, """
g (float[N,24,H,W] x) => (float[?,?,?,?] y, float[?,?,?,?] next)
<int64 zero = {0}, int64 one = {1}, int64 two = {2}, int64 three = {3}, int64 groups = {2}, int64[1] minus = {-1}>
{
  left, right = Split <axis = 1, split = [12, 12]> (x)
  c1 = Conv <kernel_shape = [1, 1]> (right, w1)
  r1 = Relu (c1)
  c2 = Conv <kernel_shape = [3, 3], pads = [1, 1, 1, 1], group = 12> (r1, w2)
  c3 = Conv <kernel_shape = [1, 1]> (c2, w3)
  r3 = Relu (c3)
  both = Concat <axis = 1> (left, r3)
  shape = Shape (both)
  n = Gather <axis = 0> (shape, zero)
  c = Gather <axis = 0> (shape, one)
  h = Gather <axis = 0> (shape, two)
  w = Gather <axis = 0> (shape, three)
  per = Div (c, groups)
  n1 = Unsqueeze <axes = [0]> (n)
  g1 = Unsqueeze <axes = [0]> (groups)
  p1 = Unsqueeze <axes = [0]> (per)
  h1 = Unsqueeze <axes = [0]> (h)
  w1_ = Unsqueeze <axes = [0]> (w)
  to = Concat <axis = 0> (n1, g1, p1, h1, w1_)
  five = Reshape (both, to)
  turned = Transpose <perm = [0, 2, 1, 3, 4]> (five)
  back = Concat <axis = 0> (n1, minus, h1, w1_)
  y = Reshape (turned, back)
  next, rest = Split <axis = 1, split = [12, 12]> (y)
}""")

model("yolov5_head", 12, 1, [{"N": 1, "H": 4, "W": 4}, {"N": 2, "H": 3, "W": 5}],
      {"weight": (21, 8, 1, 1), "anchors": (1, 3, 1, 1, 2)}, """
g (float[N,8,H,W] x) => (float[?,?,?] y)
<int64 zero = {0}, int64 two = {2}, int64 three = {3}, int64[2] anchors_by = {3, 7}, int64[2] flat = {-1, 7}, float half = {0.5}>
{
  conv = Conv <kernel_shape = [1, 1]> (x, weight)
  shape = Shape (conv)
  n = Gather <axis = 0> (shape, zero)
  h = Gather <axis = 0> (shape, two)
  w = Gather <axis = 0> (shape, three)
  n1 = Unsqueeze <axes = [0]> (n)
  h1 = Unsqueeze <axes = [0]> (h)
  w1 = Unsqueeze <axes = [0]> (w)
  to = Concat <axis = 0> (n1, anchors_by, h1, w1)
  five = Reshape (conv, to)
  last = Transpose <perm = [0, 1, 3, 4, 2]> (five)
  sure = Sigmoid (last)
  xy, wh, rest = Split <axis = 4, split = [2, 2, 3]> (sure)
  moved = Sub (xy, half)
  squared = Mul (wh, wh)
  scaled = Mul (squared, anchors)
  joined = Concat <axis = 4> (moved, scaled, rest)
  out = Concat <axis = 0> (n1, flat)
  y = Reshape (joined, out)
}""")

model("yolov8_head", 13, 4, [{"N": 1, "H": 8, "W": 8}, {"N": 2, "H": 4, "W": 6}],
      {"w0": (16, 8, 1, 1), "wa": (10, 16, 1, 1), "wb": (10, 16, 3, 3), "dfl": (1, 2, 1, 1)}, """
g (float[N,8,H,W] x) => (float[?,?,?] y)
<int64 zero = {0}, int64 two_ = {2}, int64[1] axis0 = {0}, int64[2] halves = {8, 8}, int64[2] channels = {10, -1}, int64[2] split = {8, 2},
 int64[2] sides = {4, 2}, int64[1] four = {4}, int64[2] pairs = {2, 2}, int64 one = {1}, int64[1] minus = {-1}, int64[1] two = {2}>
{
  c0 = Conv <kernel_shape = [1, 1]> (x, w0)
  kept, worked = Split <axis = 1> (c0, halves)
  r = Relu (worked)
  whole = Concat <axis = 1> (kept, r)
  large = Conv <kernel_shape = [1, 1]> (whole, wa)
  small = Conv <kernel_shape = [3, 3], pads = [1, 1, 1, 1], strides = [2, 2]> (whole, wb)
  shape = Shape (large)
  n = Gather <axis = 0> (shape, zero)
  n1 = Unsqueeze (n, axis0)
  to = Concat <axis = 0> (n1, channels)
  a = Reshape (large, to)
  b = Reshape (small, to)
  all = Concat <axis = 2> (a, b)
  box, classes = Split <axis = 1> (all, split)
  box_shape = Shape (box)
  anchors = Gather <axis = 0> (box_shape, two_)
  anchors1 = Unsqueeze (anchors, axis0)
  box_to = Concat <axis = 0> (n1, sides, anchors1)
  four_d = Reshape (box, box_to)
  turned = Transpose <perm = [0, 2, 1, 3]> (four_d)
  likely = Softmax <axis = 1> (turned)
  mean = Conv <kernel_shape = [1, 1]> (likely, dfl)
  dist_to = Concat <axis = 0> (n1, four, anchors1)
  dist = Reshape (mean, dist_to)
  lt, rb = Split <axis = 1> (dist, pairs)
  center = Add (lt, rb)
  size = Sub (rb, lt)
  boxes = Concat <axis = 1> (center, size)
  scores = Sigmoid (classes)
  y = Concat <axis = 1> (boxes, scores)
  count_shape = Shape (y)
  count = Gather <axis = 0> (count_shape, one)
  count1 = Unsqueeze (count, axis0)
  rest = Sub (count1, two)
  lengths = Concat <axis = 0> (rest, two)
  first, last = Split <axis = 1> (y, lengths)
}""")

model("gpt2_block", 11, 1, [{"batch": 1, "seq": 5}, {"batch": 2, "seq": 7}],
      {"scale": (24,), "bias": (24,), "c_attn": (24, 72), "c_attn_bias": (72,), "c_proj": (24, 24), "c_proj_bias": (24,)}, """
g (float[batch,seq,24] x) => (float[?,?,?] y)
<int64 zero = {0}, int64 one = {1}, int64[1] width = {72}, int64[1] back = {24}, int64[2] rows = {-1, 24}, int64[2] heads = {3, 8},
 int64 last = {2}, float two = {2}, float epsilon = {0.00001}, float root = {2.8}>
{
  mean = ReduceMean <axes = [-1]> (x)
  off = Sub (x, mean)
  square = Pow (off, two)
  variance = ReduceMean <axes = [-1]> (square)
  sum = Add (variance, epsilon)
  deviation = Sqrt (sum)
  normal = Div (off, deviation)
  scaled = Mul (normal, scale)
  ln = Add (scaled, bias)
  shape = Shape (ln)
  b = Gather <axis = 0> (shape, zero)
  shape2 = Shape (ln)
  s = Gather <axis = 0> (shape2, one)
  shape3 = Shape (ln)
  d = Gather <axis = 0> (shape3, last)
  d1 = Unsqueeze <axes = [0]> (d)
  any = Constant <value = int64[1] {-1}> ()
  flat_to = Concat <axis = 0> (any, d1)
  flat = Reshape (ln, flat_to)
  gemm = Gemm (flat, c_attn, c_attn_bias)
  b1 = Unsqueeze <axes = [0]> (b)
  s1 = Unsqueeze <axes = [0]> (s)
  qkv_to = Concat <axis = 0> (b1, s1, width)
  qkv = Reshape (gemm, qkv_to)
  q, k, v = Split <axis = 2, split = [24, 24, 24]> (qkv)
  by_head = Concat <axis = 0> (b1, s1, heads)
  q4 = Reshape (q, by_head)
  qt = Transpose <perm = [0, 2, 1, 3]> (q4)
  k4 = Reshape (k, by_head)
  kt = Transpose <perm = [0, 2, 3, 1]> (k4)
  v4 = Reshape (v, by_head)
  vt = Transpose <perm = [0, 2, 1, 3]> (v4)
  scores = MatMul (qt, kt)
  small = Div (scores, root)
  likely = Softmax <axis = 3> (small)
  seen = MatMul (likely, vt)
  turned = Transpose <perm = [0, 2, 1, 3]> (seen)
  merged = Reshape (turned, rows)
  proj = Gemm (merged, c_proj, c_proj_bias)
  out_to = Concat <axis = 0> (b1, s1, back)
  out = Reshape (proj, out_to)
  y = Add (x, out)
}""")

model("llama_block", 17, 4, [{"batch": 1, "seq": 4}, {"batch": 2, "seq": 6}],
      {"norm": (32,), "qkv_proj": (32, 64), "o_proj": (32, 32), "gate_up": (32, 96), "down": (48, 32)}, """
g (float[batch,seq,32] x) => (float[?,?,?] y)
<int64 zero = {0}, int64 one = {1}, int64[1] axis0 = {0}, int64[1] axis2 = {2}, int64[3] lengths = {32, 16, 16}, int64[2] q_heads = {4, 8},
 int64[2] kv_heads = {2, 8}, int64[1] rest = {-1}, int64[2] halves = {4, 4}, int64[1] repeat = {2}, int64[2] both = {48, 48},
 float two = {2}, float epsilon = {0.000001}>
{
  square = Pow (x, two)
  mean = ReduceMean <axes = [-1]> (square)
  sum = Add (mean, epsilon)
  root = Sqrt (sum)
  normal = Div (x, root)
  h = Mul (norm, normal)
  qkv = MatMul (h, qkv_proj)
  q, k, v = Split <axis = -1> (qkv, lengths)
  shape = Shape (x)
  b = Gather <axis = 0> (shape, zero)
  s = Gather <axis = 0> (shape, one)
  b1 = Unsqueeze (b, axis0)
  s1 = Unsqueeze (s, axis0)
  q_to = Concat <axis = 0> (b1, s1, q_heads)
  kv_to = Concat <axis = 0> (b1, s1, kv_heads)
  q4 = Reshape (q, q_to)
  qt = Transpose <perm = [0, 2, 1, 3]> (q4)
  q1, q2 = Split <axis = -1> (qt, halves)
  q_minus = Neg (q2)
  q_turned = Concat <axis = -1> (q_minus, q1)
  q_all = Add (qt, q_turned)
  k4 = Reshape (k, kv_to)
  kt = Transpose <perm = [0, 2, 1, 3]> (k4)
  k1, k2 = Split <axis = -1> (kt, halves)
  k_minus = Neg (k2)
  k_turned = Concat <axis = -1> (k_minus, k1)
  k_all = Add (kt, k_turned)
  v4 = Reshape (v, kv_to)
  vt = Transpose <perm = [0, 2, 1, 3]> (v4)
  k_shape = Shape (k_all)
  kv = Gather <axis = 0> (k_shape, one)
  kv1 = Unsqueeze (kv, axis0)
  width = Shape <start = -1> (k_all)
  wide_to = Concat <axis = 0> (b1, kv1, repeat, s1, width)
  heads = Mul (kv1, repeat)
  many_to = Concat <axis = 0> (b1, heads, s1, width)
  k5 = Unsqueeze (k_all, axis2)
  k_wide = Expand (k5, wide_to)
  k_many = Reshape (k_wide, many_to)
  v5 = Unsqueeze (vt, axis2)
  v_wide = Expand (v5, wide_to)
  v_many = Reshape (v_wide, many_to)
  k_last = Transpose <perm = [0, 1, 3, 2]> (k_many)
  scores = MatMul (q_all, k_last)
  likely = Softmax <axis = -1> (scores)
  seen = MatMul (likely, v_many)
  turned = Transpose <perm = [0, 2, 1, 3]> (seen)
  out_to = Concat <axis = 0> (b1, s1, rest)
  merged = Reshape (turned, out_to)
  o = MatMul (merged, o_proj)
  residual = Add (x, o)
  packed = MatMul (residual, gate_up)
  gate, up = Split <axis = -1> (packed, both)
  sure = Sigmoid (gate)
  silu = Mul (gate, sure)
  product = Mul (silu, up)
  mlp = MatMul (product, down)
  y = Add (residual, mlp)
}""")

model("lstm_cell", 18, 1, [{"batch": 1}, {"batch": 3}],
      {"wx": (20, 12), "wh": (20, 5), "bx": (20,), "bh": (20,)}, """
g (float[batch,12] x) => (float[?,?] h1, float[?,?] c1)
<int64 zero = {0}, int64[1] axis0 = {0}, int64[1] hidden = {5}>
{
  shape = Shape (x)
  b = Gather <axis = 0> (shape, zero)
  b1 = Unsqueeze (b, axis0)
  state = Concat <axis = 0> (b1, hidden)
  h = ConstantOfShape <value = float[1] {0.5}> (state)
  c = ConstantOfShape (state)
  a = Gemm <transB = 1> (x, wx, bx)
  r = Gemm <transB = 1> (h, wh, bh)
  gates = Add (a, r)
  i, f, g, o = Split <axis = 1, num_outputs = 4> (gates)
  is = Sigmoid (i)
  fs = Sigmoid (f)
  gt = Tanh (g)
  os = Sigmoid (o)
  old = Mul (fs, c)
  new = Mul (is, gt)
  c1 = Add (old, new)
  ct = Tanh (c1)
  h1 = Mul (os, ct)
}""")

model("mamba_block", 18, 3, [{"batch": 1, "seq": 4}, {"batch": 2, "seq": 6}],
      {"in_proj": (8, 32), "conv": (16, 1, 4), "x_proj": (16, 10), "dt_proj": (2, 16), "a": (16, 4), "out_proj": (16, 8)}, """
g (float[batch,seq,8] x) => (float[?,?,?] y)
<int64 one = {1}, int64[1] axis0 = {0}, int64[1] axis2 = {2}, int64[1] begin = {0}, int64[3] lengths = {2, 4, 4}, int64[1] inner = {16}, int64[1] state = {4},
 int64 zero = {0}, int64[1] last = {-1}, int64[1] middle = {1}>
{
  xz = MatMul (x, in_proj)
  u, z = Split <axis = 2, num_outputs = 2> (xz)
  turned = Transpose <perm = [0, 2, 1]> (u)
  wide = Conv <kernel_shape = [4], pads = [3, 3], group = 16> (turned, conv)
  shape = Shape (x)
  s = Gather <axis = 0> (shape, one)
  s1 = Unsqueeze (s, axis0)
  causal = Slice (wide, begin, s1, axis2)
  sure = Sigmoid (causal)
  act = Mul (causal, sure)
  us = Transpose <perm = [0, 2, 1]> (act)
  dbc = MatMul (us, x_proj)
  dt0, bs, cs = Split <axis = -1> (dbc, lengths)
  dt1 = MatMul (dt0, dt_proj)
  dt = Softplus (dt1)
  packed = Concat <axis = 2> (dt, us, bs, cs)
  by_time = Transpose <perm = [1, 0, 2]> (packed)
  b = Gather <axis = 0> (shape, zero)
  b1 = Unsqueeze (b, axis0)
  h_to = Concat <axis = 0> (b1, inner, state)
  h0 = ConstantOfShape (h_to)
  hn, ys = Scan <num_scan_inputs = 1, body = turn (float h, float item) => (float h_next, float made) {
    parts = Constant <value = int64[4] {16, 16, 4, 4}> ()
    dt_t, u_t, b_t, c_t = Split <axis = 1> (item, parts)
    dt3 = Unsqueeze (dt_t, last)
    rate = Mul (dt3, a)
    decay = Exp (rate)
    kept = Mul (decay, h)
    u3 = Unsqueeze (u_t, last)
    b3 = Unsqueeze (b_t, middle)
    ub = Mul (u3, b3)
    added = Mul (dt3, ub)
    h_next = Add (kept, added)
    c3 = Unsqueeze (c_t, last)
    read = MatMul (h_next, c3)
    made = Squeeze (read, last)
  }> (h0, by_time)
  by_batch = Transpose <perm = [1, 0, 2]> (ys)
  zs = Sigmoid (z)
  gate = Mul (z, zs)
  gated = Mul (by_batch, gate)
  y = MatMul (gated, out_proj)
}""")

model("loop_with_a_split", 16, 2, [{"batch": 1, "seq": 2}, {"batch": 3, "seq": 4}], {}, """
g (float[batch,seq,10] x) => (float[?,?,?] y, float[?,?,?] first)
<int64 one = {1}, bool true = {1}, int64[2] lengths = {4, 6}>
{
  shape = Shape (x)
  turns = Gather <axis = 0> (shape, one)
  y, parts = Loop <body = turn (int64 i, bool go, float state) => (bool on, float next, float part) {
    part, rest = Split <axis = 2> (state, lengths)
    next = Concat <axis = 2> (rest, part)
    on = Identity (go)
  }> (turns, true, x)
  merge = Constant <value = int64[3] {0, -1, 4}> ()
  late = Reshape (parts, merge)
  first, others = Split <axis = 2> (late)
}""")

model("swin_attention", 14, 3, [{"batch": 1, "H": 8, "W": 4}, {"batch": 2, "H": 4, "W": 8}],
      {"qkv": (16, 48), "bias": (48,)}, """
g (float[batch,H,W,16] x) => (float[?,?,?] y, float[?,?,?,?] shifted)
<int64 zero = {0}, int64 one = {1}, int64 two = {2}, int64[1] axis0 = {0}, int64 window = {4}, int64[1] window1 = {4}, int64[1] width = {16},
 int64[3] ones = {1, 1, 1}, int64[3] heads = {3, 2, 8}, int64[4] tokens = {-1, 4, 4, 16}, int64[3] flat = {-1, 16, 16}, int64[1] one1 = {1}, int64[1] shift = {1}>
{
  shape = Shape (x)
  b = Gather <axis = 0> (shape, zero)
  h = Gather <axis = 0> (shape, one)
  w = Gather <axis = 0> (shape, two)
  h_more = Sub (h, one)
  h_rest = Unsqueeze (h_more, axis0)
  roll = Concat <axis = 0> (shift, h_rest)
  top, below = Split <axis = 1> (x, roll)
  shifted = Concat <axis = 1> (below, top)
  rows = Div (h, window)
  columns = Div (w, window)
  b1 = Unsqueeze (b, axis0)
  r1 = Unsqueeze (rows, axis0)
  c1 = Unsqueeze (columns, axis0)
  to = Concat <axis = 0> (b1, r1, window1, c1, window1, width)
  six = Reshape (shifted, to)
  turned = Transpose <perm = [0, 1, 3, 2, 4, 5]> (six)
  windows = Reshape (turned, tokens)
  items = Reshape (windows, flat)
  product = MatMul (items, qkv)
  linear = Add (product, bias)
  items_shape = Shape (items)
  count = Gather <axis = 0> (items_shape, zero)
  size = Gather <axis = 0> (items_shape, one)
  count1 = Unsqueeze (count, axis0)
  size1 = Unsqueeze (size, axis0)
  qkv_to = Concat <axis = 0> (count1, size1, heads)
  five = Reshape (linear, qkv_to)
  first = Transpose <perm = [2, 0, 3, 1, 4]> (five)
  q0, k0, v0 = Split <axis = 0> (first, ones)
  q = Squeeze (q0, axis0)
  k = Squeeze (k0, axis0)
  v = Squeeze (v0, axis0)
  k_last = Transpose <perm = [0, 1, 3, 2]> (k)
  scores = MatMul (q, k_last)
  likely = Softmax <axis = -1> (scores)
  seen = MatMul (likely, v)
  back = Transpose <perm = [0, 2, 1, 3]> (seen)
  y_to = Concat <axis = 0> (count1, size1, width)
  y = Reshape (back, y_to)
  halves = Constant <value = int64[2] {8, 8}> ()
  left, right = Split <axis = -1> (y, halves)
}""")


def build(name):
    opset, _, _, weights, text = MODELS[name]
    graph = parser.parse_graph(text)
    numbers = np.random.default_rng(1)
    for w, shape in weights.items():
        graph.initializer.append(numpy_helper.from_array((numbers.standard_normal(shape) / 4).astype(np.float32), w))
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    for n, node in enumerate(every(proto)):
        node.name = f"{node.op_type}_{n}"
    return proto


def main():
    splitgen, source_dir = sys.argv[1:3]
    flaws, compared = [], 0
    for name in MODELS:
        proto, (_, splits, sizes, *_) = build(name), MODELS[name]
        onnx.checker.check_model(proto)
        for number, dims in enumerate(sizes):
            with tempfile.TemporaryDirectory() as folder:
                batch = Batch(splitgen, source_dir, folder)
                kernels = batch.compile(name, proto, proto, [w for n, d in dims.items() for w in ("-D", f"{n}={d}")]) or []
                made = sum(k["op_type"] == "Split" for k in kernels)
                if made != splits:
                    batch.flaw(name, f"{made} kernels of {splits} Splits")
                else:
                    shapes = {i.name: [dims.get(d.dim_param, d.dim_value) for d in i.type.tensor_type.shape.dim]
                              for i in proto.graph.input}
                    draws = [np.random.default_rng(2 * number + n) for n in range(2)]
                    seen, others = [watch(proto, [{n: draw.random(s, np.float32) for n, s in shapes.items()}]) for draw in draws]
                    batch.compare([(name, kernels, seen, same(seen, others))])
                    compared += batch.counts["Splits, bytes compared"] + batch.counts["Concats, bytes compared"]
                    for kind in ("Split", "Concat"):
                        if batch.counts[kind + "s never reached"]:
                            batch.flaw(name, f"a {kind} is never reached")
            flaws += batch.flaws
    print("\n".join(flaws))
    print(f"{len(MODELS)} networks, {compared} kernels compared, {len(flaws)} wrong")
    return 1 if flaws else 0


if __name__ == "__main__":
    sys.exit(main())
