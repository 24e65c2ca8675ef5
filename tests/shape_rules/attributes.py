#!/usr/bin/env python3
"""Compares three tables with the schemas of the onnx package and, for com.microsoft, of ONNX Runtime: attributes.inc,
the attributes of operators that splitgen itself reads; attribute_changes.inc, the attributes and inputs that not every
version of their operators has; and signatures.inc, how many inputs and outputs operators have, and what must be there.
OpenVINO has no schemas: its operators' inputs are those of nodes_openvino.py, which differential.py compares.

    python3 -m venv V && V/bin/pip install onnx onnxruntime
    V/bin/python tests/shape_rules/attributes.py [--write]

--write: replaces the rows by those of the schemas, for the operators that the file lists already: a new one
takes one row by hand, then --write.
"""
import argparse
import itertools
import os
import re
import subprocess
import sys

import onnx
import onnx.defs
import onnxruntime.capi.onnxruntime_pybind11_state as runtime

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import drawing  # noqa: E402
import nodes_openvino  # noqa: E402

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "generator", "shapes",
                     "attributes.inc")
CHANGES = os.path.join(os.path.dirname(TABLE), "attribute_changes.inc")
SIGNATURES = os.path.join(os.path.dirname(TABLE), "signatures.inc")
SIGNATURES_HEAD = """/* The inputs, outputs and mandatory attributes of operators: SIGNATURE(domain, since, until, inputs, least
 * and most outputs, attributes, operators), as in sg_signature. tests/shape_rules/attributes.py generates the rows. */
/* clang-format off */
"""
HEAD = """/* Attributes and inputs of ONNX and ai.onnx.ml that not every version of their operators has:
 * CHANGED(since, until, names, operators), as in sg_attribute_change. tests/shape_rules/attributes.py
 * generates the rows. */
/* clang-format off */
"""
ROW = re.compile(r'^ATTRIBUTE\("([\w.]+)", "(\w+)", (\w+), (\d+), (\d+)\)$', re.M)


def key(domain, name):
    return name if domain == "" else domain + "." + name


def versions(listed, removed=False):
    """Operator -> its schemas, the oldest first; removed: with those that only say that the operator is gone."""
    by_operator = {}
    for schema in onnx.defs.get_all_schemas_with_history():
        if schema.domain in ("", "ai.onnx.ml") and (removed or not schema.deprecated):
            by_operator.setdefault(key(schema.domain, schema.name), []).append(schema)
    for schema in runtime.get_all_operator_schema():
        if schema.domain == "com.microsoft":
            by_operator.setdefault(key(schema.domain, schema.name), []).append(schema)
    return {operator: sorted(schemas, key=lambda schema: schema.since_version)
            for operator, schemas in by_operator.items() if listed is None or operator in listed}


def rows_of(operator, schemas):
    """[operator, attribute, type, since, until]; until 0: in the newest version too."""
    rows = {}
    for schema, following in zip(schemas, schemas[1:] + [None]):
        until = following.since_version if following else 0
        for name, attribute in schema.attributes.items():
            kind = attribute.type.name
            runs = rows.setdefault(name, [])
            if runs and runs[-1][2] == kind and runs[-1][4] == schema.since_version:
                runs[-1][4] = until
            else:
                runs.append([operator, name, kind, schema.since_version, until])
    return [tuple(run) for name in sorted(rows) for run in rows[name]]


def changes():
    """The rows of attribute_changes.inc. Split's are errors of their own; a variadic list has no numbered inputs."""
    lives = {}
    for operator, schemas in versions(None).items():
        variadic = any(one.option == onnx.defs.OpSchema.FormalParameterOption.Variadic
                       for schema in schemas for one in schema.inputs)
        first = schemas[0].since_version
        for schema, following in zip(schemas, schemas[1:] + [None]):
            until = following.since_version if following else 0
            numbers = range(0 if variadic else len(schema.inputs))
            for name in list(schema.attributes) + [str(number + 1) for number in numbers]:
                runs = lives.setdefault((operator.split(".")[-1], name), [])
                if runs and runs[-1][1] == schema.since_version:
                    runs[-1][1] = until
                else:
                    runs.append([schema.since_version if schema.since_version > first else 1, until])
    names = {}
    for (operator, name), runs in lives.items():
        for run in runs if operator != "Split" else []:
            if run != [1, 0]:
                names.setdefault((operator, *run), []).append(name)
    rows = {}
    for (operator, since, until), listed in names.items():
        rows.setdefault((since, until, " ".join(sorted(listed))), []).append(operator)
    return "".join('CHANGED(%d, %d, "%s", "%s")\n' % (*row, " ".join(sorted(operators)))
                   for row, operators in sorted(rows.items()))


def signature(schema, last):
    """(inputs, least outputs, most outputs, mandatory attributes): R is a mandatory input, ? another, * any number; -
    is an operator that is removed."""
    kinds = "-" if schema.deprecated and last else ""  # runtimes run GroupNormalization-18
    for one in schema.inputs:
        kinds += {"Single": "R", "Optional": "?", "Variadic": "*"}[one.option.name]
    return (kinds, schema.min_output, min(schema.max_output, 99),
            " ".join(sorted(name for name, one in schema.attributes.items() if one.required)))


def openvino_inputs():
    """(operator, opset, inputs) of the rows of nodes_openvino.py; the inputs of several rows together."""
    found = {}
    for name, rows in nodes_openvino.ROWS.items():
        for inputs, *_, opsets in rows:
            marks = ["?" if optional else "R" for _, optional, *_ in drawing.INPUT.findall(inputs)]
            for opset in map(int, opsets.split()):
                other = found.get((name, opset), marks)
                least, most = min(marks, other, key=len), max(marks, other, key=len)
                marks = ["R" if pair == ("R", "R") else "?" for pair in itertools.zip_longest(least, most)]
                found[name, opset] = marks
    return [(name, opset, "*" if name in nodes_openvino.VARIADIC else "".join(marks))
            for (name, opset), marks in sorted(found.items())]


def with_rules():
    """The operators that have a rule: the tool looks at the signatures of no others."""
    files = [os.path.join(os.path.dirname(TABLE), name) for name in ("rules.lua", "rules_openvino.lua")]
    code = """sums = setmetatable({}, {__index = function() return function() end end})  -- no rule runs
              for _, file in ipairs(arg) do for name in pairs(dofile(file)) do print(name) end end"""
    done = subprocess.run(["lua5.4", "-", *files], input=code, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def signatures():
    """The rows of signatures.inc. What C reads itself, such as bodies, has errors of its own."""
    runs = {}
    for operator, schemas in versions(with_rules(), removed=True).items():
        if operator in ("Split", "If", "Loop", "Scan", "SequenceMap"):
            continue
        domain, _, name = operator.rpartition(".")
        for schema, following in zip(schemas, schemas[1:] + [None]):
            until = following.since_version if following else 0
            runs.setdefault((domain, name), []).append([schema.since_version, until, signature(schema, not until)])
    for name, opset, inputs in openvino_inputs():
        of_name = runs.setdefault(("openvino", name.split(".")[1]), [])
        for earlier in of_name[-1:]:
            earlier[1] = opset
        of_name.append([opset if of_name or name in nodes_openvino.LATER else 1, 0, (inputs, 0, 99, "")])
    rows = {}
    for (domain, name), versions_ in runs.items():
        merged = []
        for since, until, what in versions_:
            if merged and merged[-1][2] == what and merged[-1][1] == since:
                merged[-1][1] = until
            else:
                merged.append([since if merged or domain == "openvino" else 1, until, what])
        for since, until, what in merged:
            rows.setdefault((domain, since, until, *what), []).append(name)
    return "".join('SIGNATURE("%s", %d, %d, "%s", %d, %d, "%s", "%s")\n' % (*row, " ".join(sorted(names)))
                   for row, names in sorted(rows.items()))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    with open(TABLE) as file:
        text = file.read()
    generated = [(CHANGES, HEAD + changes()), (SIGNATURES, SIGNATURES_HEAD + signatures())]
    given = [(operator, name, kind, int(since), int(until))
             for operator, name, kind, since, until in ROW.findall(text)]
    listed = {row[0] for row in given}
    schemas = versions(listed)
    wanted = [row for operator in sorted(schemas) for row in rows_of(operator, schemas[operator])]
    if arguments.write:
        head = text.split("ATTRIBUTE(\"")[0]
        with open(TABLE, "w") as file:
            file.write(head + "".join('ATTRIBUTE("%s", "%s", %s, %d, %d)\n' % row for row in wanted))
        for path, content in generated:
            with open(path, "w") as file:
                file.write(content)
        return 0
    stale = [path for path, content in generated if open(path).read() != content]
    for path in stale:
        print("%s differs from the schemas" % os.path.basename(path))
    for row in sorted(set(wanted) - set(given)):
        print("missing:", *row)
    for row in sorted(set(given) - set(wanted)):
        print("wrong:  ", *row)
    print("%d attributes of %d operators, as onnx %s and ONNX Runtime have them"
          % (len(given), len(listed), onnx.__version__))
    return set(given) != set(wanted) or bool(stale)


if __name__ == "__main__":
    sys.exit(main())
