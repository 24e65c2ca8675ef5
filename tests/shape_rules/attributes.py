#!/usr/bin/env python3
"""Compares attributes.inc, the attributes of operators that splitgen itself reads, with the schemas of the
onnx package and, for other domains, of ONNX Runtime.

    python3 -m venv V && V/bin/pip install onnx onnxruntime
    V/bin/python tests/shape_rules/attributes.py [--write]

--write: replaces the rows by those of the schemas, for the operators that the file lists already: a new one
takes one row by hand, then --write.
"""
import argparse
import os
import re
import sys

import onnx
import onnx.defs
import onnxruntime.capi.onnxruntime_pybind11_state as runtime

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "generator", "shapes",
                     "attributes.inc")
ROW = re.compile(r'^ATTRIBUTE\("([\w.]+)", "(\w+)", (\w+), (\d+), (\d+)\)$', re.M)


def key(domain, name):
    return name if domain == "" else domain + "." + name


def versions(listed):
    """Operator -> its schemas, the oldest first."""
    by_operator = {}
    for schema in onnx.defs.get_all_schemas_with_history():
        if schema.domain in ("", "ai.onnx.ml") and not schema.deprecated:
            by_operator.setdefault(key(schema.domain, schema.name), []).append(schema)
    for schema in runtime.get_all_operator_schema():
        if schema.domain == "com.microsoft":
            by_operator.setdefault(key(schema.domain, schema.name), []).append(schema)
    return {operator: sorted(schemas, key=lambda schema: schema.since_version)
            for operator, schemas in by_operator.items() if operator in listed}


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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    with open(TABLE) as file:
        text = file.read()
    given = [(operator, name, kind, int(since), int(until))
             for operator, name, kind, since, until in ROW.findall(text)]
    listed = {row[0] for row in given}
    schemas = versions(listed)
    wanted = [row for operator in sorted(schemas) for row in rows_of(operator, schemas[operator])]
    if arguments.write:
        head = text.split("ATTRIBUTE(\"")[0]
        with open(TABLE, "w") as file:
            file.write(head + "".join('ATTRIBUTE("%s", "%s", %s, %d, %d)\n' % row for row in wanted))
        return 0
    for row in sorted(set(wanted) - set(given)):
        print("missing:", *row)
    for row in sorted(set(given) - set(wanted)):
        print("wrong:  ", *row)
    print("%d attributes of %d operators, as onnx %s and ONNX Runtime have them"
          % (len(given), len(listed), onnx.__version__))
    return set(given) != set(wanted)


if __name__ == "__main__":
    sys.exit(main())
