"""Makes models of one node each, asks ONNX Runtime, onnx's reference evaluator and onnx's checker about them."""
import math
import warnings

import numpy as np
import onnx
import onnx.defs
from onnx import helper, numpy_helper

from drawing import (NUMPY, R, add_input, change_const, change_constant, change_list, change_shape, changed, data, dims,
                     draw_row, drop_attribute, drop_input, full, perhaps)
from nodes_onnx import CASES, ENUM, KIND, ROWS

ML, MS = "ai.onnx.ml", "com.microsoft"


def runtime():
    import onnxruntime
    onnxruntime.set_default_logger_severity(4)
    return onnxruntime


def split_name(op):
    domain, _, name = op.rpartition(".")
    return domain, name


_schemas = {}


def schemas(op):
    """The schemas of an operator, the oldest first."""
    if not _schemas:
        import onnxruntime.capi.onnxruntime_pybind11_state as state
        for s in onnx.defs.get_all_schemas_with_history():
            if s.domain in ("", ML) and not s.deprecated:
                _schemas.setdefault((s.domain, s.name), []).append(s)
        for s in state.get_all_operator_schema():
            if s.domain == MS:
                _schemas.setdefault((s.domain, s.name), []).append(s)
        for versions in _schemas.values():
            versions.sort(key=lambda s: s.since_version)
    return _schemas.get(split_name(op), [])


def schema_at(op, opset):
    fitting = [s for s in schemas(op) if s.since_version <= opset]
    return fitting[-1] if fitting else None


NEWEST = {"": onnx.defs.onnx_opset_version(), ML: 5, MS: 1}


def draw_opset(op):
    s = R.choice(schemas(op)[-6:])
    later = [n.since_version for n in schemas(op) if n.since_version > s.since_version]
    last = min(later)- 1 if later else min(NEWEST[s.domain], 26)
    return R.choice([s.since_version, R.randint(s.since_version, max(last, s.since_version))])


WORD = {"tensor(float)": "f32", "tensor(float16)": "f16", "tensor(double)": "f64", "tensor(bfloat16)": "bf16",
        "tensor(bool)": "bool", "tensor(string)": "string", "tensor(complex64)": "c64", "tensor(complex128)": "c128",
        "tensor(float8e4m3fn)": "f8e4m3", "tensor(float8e5m2)": "f8e5m2", "tensor(float4e2m1)": "f4e2m1",
        "tensor(float8e4m3fnuz)": "f8e4m3fnuz", "tensor(float8e5m2fnuz)": "f8e5m2fnuz"}
WORD.update({"tensor(%sint%d)" % (u, n): (u or "i") + str(n) for u in ("u", "") for n in (2, 4, 8, 16, 32, 64)})
USUAL = ["f32", "i64", "i32", "f16", "f64", "u8", "i8", "bool", "f32", "f32"]


def parameter(schema, i):
    inputs = schema.inputs
    if i < len(inputs):
        return inputs[i]
    return inputs[-1] if inputs and "Variadic" in str(inputs[-1].option) else None


def allowed(schema, i):
    p = parameter(schema, i)
    if p is None:
        return []
    types = p.types
    return sorted(WORD[t] for t in types if t in WORD)


def draw_kinds(schema, all_types=False):
    """kind_of(i): the element type of input i; one choice for each type variable."""
    chosen = {}

    def kind_of(i):
        p = parameter(schema, i)
        types = allowed(schema, i)
        if not types:
            return "f32"
        var = p.type_str if hasattr(p, "type_str") else p.typeStr
        if var not in chosen:
            usual = [t for t in USUAL if t in types]
            chosen[var] = R.choice(usual if usual and perhaps(0.8) else types)
        return chosen[var]
    return kind_of


def node_of(op):
    """A node that is meant to be legal."""
    domain, name = split_name(op)
    if op in ROWS:
        opset, row = draw_opset(op), R.choice(ROWS[op])
        node = dict(draw_row(*row[:4], draw_kinds(schema_at(op, opset))), op=name, domain=domain, opset=opset)
    else:
        ins, attrs, outputs, opset = CASES[op](op)
        node = dict(op=name, domain=domain, opset=opset, ins=list(ins), attrs=dict(attrs), outputs=outputs)
        if perhaps(0.5):
            retype(node)
    if perhaps(0.3):
        change_opset(node)
    return node


def retype(node):
    schema = schema_at(full(node), node["opset"])
    if schema is None:
        return
    kind_of = draw_kinds(schema)
    by_var = {}
    for i, x in enumerate(node["ins"]):
        p = parameter(schema, i)
        if x is None or p is None:
            continue
        var = p.type_str if hasattr(p, "type_str") else p.typeStr
        kind = by_var.setdefault(var, kind_of(i) if len(allowed(schema, i)) > 1 else x.kind)
        if kind != x.kind and "string" not in (kind, x.kind) and not var.startswith("tensor("):
            x.value = x.value.astype(NUMPY["i64"] if x.value.dtype == np.bool_ else x.value.dtype)
            values = x.value.real if np.iscomplexobj(x.value) else x.value
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                if kind[0] == "u" or kind in ("f8e8m0",):
                    values = np.abs(values.astype(np.float64))
                x.value = values.astype(np.float64 if kind[0] in "fbcu" else np.int64).astype(NUMPY[kind])


def change_opset(node):
    node["opset"] = draw_opset(full(node))


# Words of attributes: a choice is not always legal.
WORDS = {"auto_pad": ["NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"], "mode": {
    "Pad": ["constant", "reflect", "edge", "wrap"], "DepthToSpace": ["DCR", "CRD"],
    "Resize": ["nearest", "linear", "cubic"], "Upsample": ["nearest", "linear"],
    "GridSample": ["bilinear", "nearest", "bicubic", "linear", "cubic"], "RoiAlign": ["avg", "max"]},
    "coordinate_transformation_mode": ["half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners",
                                       "asymmetric", "tf_crop_and_resize", "output_half_pixel"],
    "nearest_mode": ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"],
    "keep_aspect_ratio_policy": ["stretch", "not_larger", "not_smaller"],
    "padding_mode": ["zeros", "border", "reflection"], "reduction": ["none", "add", "mul", "max", "min", "sum", "mean"],
    "direction": ["forward", "reverse", "bidirectional", "LEFT", "RIGHT"], "approximate": ["none", "tanh"],
    "aggregate_function": ["SUM", "MIN", "MAX", "AVERAGE"], "case_change_action": ["UPPER", "LOWER", "NONE"],
    "norm": ["MAX", "L1", "L2"], "post_transform": ["NONE", "SOFTMAX", "LOGISTIC"]}


def change_attribute(node):
    schema = schema_at(full(node), node["opset"])
    if schema is None or not schema.attributes:
        return
    name = R.choice(sorted(schema.attributes))
    kind = str(schema.attributes[name].type).split(".")[-1]
    now = node["attrs"].get(name)
    if kind == "INT":
        if name in ("to", "dtype", "output_dtype"):
            node["attrs"][name] = R.choice([1, 6, 7, 9, 10, 11, 3, 2, 16, 0, 99])
        else:
            node["attrs"][name] = R.choice([0, 1, 1, 2, -1, (now or 0) + 1, (now or 0) - 1, 3, -3])
    elif kind == "INTS":
        if isinstance(now, list) and now:
            node["attrs"][name] = change_list(now)
        else:
            ranks = [x.value.ndim for x in node["ins"] if x is not None] or [2]
            rank = max(0, max(ranks) - R.choice([0, 2, 2]))
            node["attrs"][name] = dims(2 * rank, 0, 2) if name == "pads" else dims(rank, R.choice([0, 1]), 3)
    elif kind == "FLOAT":
        node["attrs"][name] = R.choice([0.5, 1.0, 0.0, 2.0, -1.0])
    elif kind == "STRING":
        words = WORDS.get(name, ["none", "NONE"])
        words = words.get(node["op"], ["none"]) if isinstance(words, dict) else words
        node["attrs"][name] = R.choice(words)


def wrong_type(node):
    at = [i for i, x in enumerate(node["ins"]) if x is not None]
    if at:
        i = R.choice(at)
        x = node["ins"][i]
        kind = R.choice([k for k in ("f32", "i64", "i32", "bool", "string", "f64", "u8") if k != x.kind])
        node["ins"][i] = data(list(x.value.shape), kind, x.const)


def change_outputs(node):
    node["outputs"] = max(1, node["outputs"] + R.choice([1, -1]))


CHANGES = [change_attribute] * 6 + [change_shape] * 3 + [change_constant] * 4 + [change_const, drop_attribute,
           drop_attribute, drop_input, add_input, change_opset, wrong_type, change_outputs]


def draw(op):
    return changed(node_of(op), CHANGES)


def tensor_type(kind, shape):
    return helper.make_tensor_type_proto(ENUM[kind], shape)


def model_of(node):
    inputs, initializers, names = [], [], []
    for i, x in enumerate(node["ins"]):
        if x is None:
            names.append("")
            continue
        names.append("x%d" % i)
        if x.const:
            initializers.append(tensor_of(x, "x%d" % i))
        else:
            inputs.append(helper.make_value_info("x%d" % i, tensor_type(x.kind, x.value.shape)))
    given = {k: numpy_helper.from_array(v) if isinstance(v, np.ndarray) else v for k, v in node["attrs"].items()}
    outs = ["y%d" % i for i in range(node["outputs"])]
    made = helper.make_node(node["op"], names, outs, domain=node["domain"], name="n")
    schema = schema_at(full(node), node["opset"])
    for k, v in given.items():
        kind = None
        if v == [] and schema and k in schema.attributes:
            kind = getattr(onnx.AttributeProto, str(schema.attributes[k].type).split(".")[-1])
        made.attribute.append(helper.make_attribute(k, v, attr_type=kind) if v == [] else helper.make_attribute(k, v))
    graph = helper.make_graph([made], "g", inputs, [onnx.ValueInfoProto(name=o) for o in outs], initializers)
    imports = [helper.make_opsetid("", node["opset"] if not node["domain"] else 21)]
    if node["domain"]:
        imports.append(helper.make_opsetid(node["domain"], node["opset"]))
    return helper.make_model(graph, opset_imports=imports, ir_version=11)


def tensor_of(x, name):
    if x.value.dtype == object:
        return helper.make_tensor(name, ENUM["string"], x.value.shape, [v.encode() for v in x.value.flat])
    return numpy_helper.from_array(x.value, name)


def file_of(node):
    return model_of(node).SerializeToString()


# ---- answers -------------------------------------------------------------------------------------
# ("ran", outputs, static) | ("refused", why) | ("lacks", why). An output is (type, shape, values or None), or
# ("sequence", length, None); static[i]: whether the runtime knew the shape before it ran.

def values_of(array):
    if array.dtype.kind not in "iufb" or array.size > 16:
        return None
    return [float(v) if array.dtype.kind not in "iub" else int(v) for v in array.reshape(-1)]


def ask_runtime(node, raw):
    ort = runtime()
    state = __import__("onnxruntime.capi.onnxruntime_pybind11_state", fromlist=["x"])
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    try:
        session = ort.InferenceSession(raw, options, providers=["CPUExecutionProvider"])
    except state.NotImplemented as e:
        return "lacks", str(e)
    except Exception as e:
        text = str(e)
        if "InsertedPrecisionFreeCast" in text or "MLDataType for" in text or "NOT_IMPLEMENTED" in text or "not supported" in text and "opset" in text or "is till" in text \
                or "Unrecognized attribute" not in text and "under development" in text:
            return "lacks", text
        return "lacks" if "Type Error" in text or "bound to different types" in text else "refused", text
    before = [o.shape for o in session.get_outputs()]
    feeds = {}
    try:
        for i, x in enumerate(node["ins"]):
            if x is None or x.const:
                continue
            if x.value.dtype == object or x.value.dtype.kind in "iufb" and x.value.dtype.isnative \
                    and x.value.dtype.type.__module__ == "numpy":
                feeds["x%d" % i] = ort.OrtValue.ortvalue_from_numpy(x.value)
            elif x.value.dtype.itemsize in (1, 2) and x.kind not in ("u4", "i4", "u2", "i2", "f4e2m1"):
                feeds["x%d" % i] = ort.OrtValue.ortvalue_from_numpy_with_onnx_type(
                    x.value.view(np.uint8 if x.value.dtype.itemsize == 1 else np.uint16), ENUM[x.kind])
            else:
                return "lacks", "no value of " + x.kind
    except Exception as e:
        return "lacks", str(e)
    try:
        outs = session.run_with_ort_values(None, feeds)
    except state.NotImplemented as e:
        return "lacks", str(e)
    except Exception as e:
        if "NOT_IMPLEMENTED" in str(e) or "NotImplemented" in str(e):
            return "lacks", str(e)
        return "refused", "when run: " + str(e)
    found = []
    for out in outs:
        if not out.has_value():
            found.append(("none", None, None))
        elif out.is_tensor():
            kind = WORD.get(out.data_type(), out.data_type())
            shape = out.shape()
            values = values_of(out.numpy()) if kind in ("f32", "f64", "i64", "i32", "bool", "u8", "i8", "i16", "u16",
                                                        "u32", "u64") and math.prod(shape) <= 16 else None
            found.append((kind, shape, values))
        elif out.is_tensor_sequence():
            found.append(("sequence", None, None))
        else:
            found.append((out.data_type(), None, None))
    # A shape that ONNX Runtime does not know is [], like that of a scalar.
    return "ran", found, [shape == known for (_, shape, _), known in zip(found, before)]


def ask_reference(node, raw):
    from onnx.reference import ReferenceEvaluator
    if node["domain"] == MS:
        return "lacks", "not an operator of onnx"
    why, inferred = check(raw)
    if why:
        return "lacks" if "type" in why.lower() else "refused", "onnx: " + why
    model = onnx.load_from_string(raw)
    feeds = {"x%d" % i: x.value for i, x in enumerate(node["ins"]) if x is not None and not x.const}
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            outs = ReferenceEvaluator(model).run(None, feeds)
    except Exception as e:
        return "lacks", "%s: %s" % (type(e).__name__, e)
    found = []
    for i, out in enumerate(outs):
        if not isinstance(out, (np.ndarray, np.generic)):
            found.append(("sequence", None, None))
            continue
        out = np.asarray(out)
        proto = inferred.graph.output[i].type.tensor_type.elem_type
        kind = KIND.get(proto, "?")
        found.append((kind, list(out.shape), values_of(out) if out.dtype.type.__module__ == "numpy" else None))
    return "ran", found, [False] * len(found)


def check(raw):
    """Why onnx's checker or inference refuses a model, or None; the model with the types that it infers."""
    model = onnx.load_from_string(raw)
    try:
        inferred = onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=True)
        checked = onnx.load_from_string(inferred.SerializeToString())
        for out in checked.graph.output:
            if not out.HasField("type"):
                out.type.tensor_type.elem_type = 1
        onnx.checker.check_model(checked)
    except Exception as e:
        return str(e), None
    return None, inferred


def onnx_refuses(raw):
    return check(raw)[0]


def ask(node, raw):
    answer = ask_runtime(node, raw)
    if answer[0] == "lacks" and "Type Error" not in answer[1]:
        by_reference = ask_reference(node, raw)
        return by_reference if by_reference[0] != "lacks" else answer
    return answer


def operators():
    return sorted(set(CASES) | set(ROWS))


def ask_tool(ask_splitgen, tool, node, raw, answer, folder):
    path = folder + "/node.onnx"
    with open(path, "wb") as file:
        file.write(raw)
    return ask_splitgen(tool, path, node["outputs"])
