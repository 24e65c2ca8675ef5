"""Makes IRs of one node each and asks OpenVINO's reader, shape inference and reference implementations about them."""
import re
from xml.sax.saxutils import quoteattr

import numpy as np

from drawing import (NUMPY, R, change_const, change_constant, change_list, change_shape, changed, drop_attribute, drop_input,
                     draw_row)
from nodes_openvino import ROWS

NAME = {"bool": "boolean"}
KIND = {"boolean": "bool"}


def openvino():
    import openvino as module
    return module


def node_of(op):
    inputs, attrs, outputs, names, opsets = R.choice(ROWS[op])
    numbers, real = R.choice(["f32", "f32", "i64", "i32", "f16", "u8", "f64"]), R.choice(["f32", "f32", "f16", "f64"])
    inputs = re.sub(r"(?<![\w,])t(?=\[)", numbers, inputs)
    inputs = re.sub(r"(?<![\w,])f(?=\[)", real, inputs)
    drawn = draw_row(inputs, attrs, outputs, names, lambda i: "f32")
    drawn["attrs"] = {k.replace("__", "-"): v for k, v in drawn["attrs"].items()}
    return dict(drawn, op=op.split(".")[1], domain="openvino", opset=int(R.choice(opsets.split())))


def change_attribute(node):
    if not node["attrs"]:
        return
    name = R.choice(sorted(node["attrs"]))
    now = node["attrs"][name]
    if isinstance(now, list) and now:
        now = change_list(now)
    elif isinstance(now, int):
        now = R.choice([0, 1, 2, -1, now + 1, now - 1, 7])
    elif now in ("true", "false"):
        now = "true" if now == "false" else "false"
    elif isinstance(now, str):
        now = R.choice([now, "unheard"])
    node["attrs"][name] = now


CHANGES = [change_attribute] * 4 + [change_shape] * 4 + [change_constant] * 4 + [change_const, drop_attribute, drop_input]


def draw(op):
    node = changed(node_of(op), CHANGES)
    node["ins"] = [x for x in node["ins"] if x is not None]
    return node


def attribute(v):
    if isinstance(v, list):
        return ",".join(map(attribute, v))
    return repr(v) if isinstance(v, float) else str(v)


def ports(tag, first, types):
    text = ""
    for i, (kind, shape) in enumerate(types):
        text += '<port id="%d"%s>%s</port>' % (first + i, ' precision="%s"' % precision(kind) if tag == "output" else "",
                                               "".join("<dim>%d</dim>" % d for d in shape))
    return "<%s>%s</%s>" % (tag, text, tag) if text else ""


def precision(kind):
    return {"bool": "BOOL", "f32": "FP32", "f16": "FP16", "f64": "FP64"}.get(kind, kind.upper())


def xml_of(node, results):
    """The IR and its weights; results: the types of the node's outputs as its ports say them."""
    layers, edges, weights = [], [], b""
    n = len(node["ins"])
    for i, x in enumerate(node["ins"]):
        if x.value.dtype == object:
            x.const = False
        shape = ",".join(map(str, x.value.shape))
        kind = NAME.get(x.kind, x.kind)
        if x.const:
            raw = x.value.tobytes()
            data = '<data element_type="%s" shape="%s" offset="%d" size="%d"/>' % (kind, shape, len(weights), len(raw))
            weights += raw + b"\0" * (-len(raw) % 8)
        else:
            data = '<data element_type="%s" shape="%s"/>' % (kind, shape)
        layers.append('<layer id="%d" name="x%d" type="%s" version="opset1">%s%s</layer>' % (
            i, i, "Const" if x.const else "Parameter", data, ports("output", 0, [(x.kind, x.value.shape)])))
        edges.append('<edge from-layer="%d" from-port="0" to-layer="%d" to-port="%d"/>' % (i, n, i))
    attrs = "".join(" %s=%s" % (k, quoteattr(attribute(v))) for k, v in node["attrs"].items())
    layers.append('<layer id="%d" name="n" type="%s" version="opset%d">%s%s%s</layer>' % (
        n, node["op"], node["opset"], "<data%s/>" % attrs if attrs else "",
        ports("input", 0, [(x.kind, x.value.shape) for x in node["ins"]]), ports("output", n, results)))
    for i, result in enumerate(results):
        layers.append('<layer id="%d" name="y%d" type="Result" version="opset1">%s</layer>' % (
            n + 1 + i, i, ports("input", 0, [result])))
        edges.append('<edge from-layer="%d" from-port="%d" to-layer="%d" to-port="0"/>' % (n, n + i, n + 1 + i))
    return ('<?xml version="1.0"?><net name="m" version="11"><layers>%s</layers><edges>%s</edges></net>'
            % ("".join(layers), "".join(edges))).encode(), weights


def file_of(node):
    return xml_of(node, [("f32", [])] * node["outputs"])


_core = []


def ask(node, raw):
    ov = openvino()
    if not _core:
        _core.append(ov.Core())
    xml, weights = raw
    try:
        blob = ov.Tensor(np.frombuffer(weights or b"\0", np.uint8).copy())
        model = _core[0].read_model(xml, blob)
    except Exception as e:
        text = str(e)
        lacks = "opset" in text and "contain" in text or "Cannot create" in text
        return ("lacks" if lacks else "refused"), text[-400:]
    found, static = [], []
    kinds = [out.get_element_type().get_type_name() for out in model.outputs]
    if model.is_dynamic() or all(np.prod(list(out.shape)) <= 16 for out in model.outputs):
        given = [node["ins"][int(p.get_friendly_name()[1:])].value for p in model.get_parameters()]
        feeds = [ov.Tensor(np.ascontiguousarray(v.astype(str) if v.dtype == object else v)) for v in given]
        outs = []
        for out in model.outputs:
            extent = out.partial_shape
            known = list(extent.to_shape()) if extent.is_static else [0] * (len(extent) if extent.rank.is_static else 1)
            outs.append(ov.Tensor(out.get_element_type(), known))
        try:
            if not model.evaluate(outs, feeds):
                outs = None
        except Exception as e:
            if model.is_dynamic():
                return "lacks", str(e)[-200:]
            outs = None
    else:
        outs = None
    for i, out in enumerate(model.outputs):
        kind = KIND.get(kinds[i], kinds[i])
        fixed = out.partial_shape.is_static
        static.append(fixed)
        if not fixed and outs is None:
            return "lacks", "its shape depends on the data"
        shape = list(out.shape) if fixed else list(outs[i].shape)
        values = None
        if outs is not None and kind in ("f32", "i64", "i32", "bool", "u8", "f64") and np.prod(shape) <= 16:
            values = [int(v) if kind[0] in "iub" else float(v) for v in outs[i].data.reshape(-1)]
        found.append((kind, shape, values))
    return "ran", found, static


def onnx_refuses(raw):
    return None


def ask_tool(ask_splitgen, tool, node, raw, answer, folder):
    """Writes ports that say the rank and the type only, so that nobody can copy the answer from them."""
    results = [("f32", [])] * node["outputs"]
    if answer[0] == "ran":
        results = [(kind, [-1] * len(shape)) for kind, shape, _ in answer[1]]
    xml, weights = xml_of(node, results)
    for ending, content in (("xml", xml), ("bin", weights)):
        with open(folder + "/node." + ending, "wb") as file:
            file.write(content)
    return ask_splitgen(tool, folder + "/node.xml", node["outputs"])


def operators():
    return sorted(ROWS)
