"""check_schemas.py TOOL SOURCE WORK: the tool's documents conform to the schemas, and use all of them."""
import glob
import json
import os
import shutil
import subprocess
import sys

from jsonschema import Draft202012Validator

TOOL, SOURCE, WORK = sys.argv[1:]
NAMES = ("plan", "list", "placement", "report", "diagnostics")
wrong = []


def closed(schema):
    """The schema, changed to refuse fields that it does not describe."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    copy = {key: closed(value) for key, value in schema.items()}
    if "properties" in schema:
        copy["additionalProperties"] = False
    return copy


def described(schema, at="#"):
    """The paths of all properties, and whether each has a description."""
    for name, value in schema.get("properties", {}).items():
        place = f"{at}/{name}"
        yield place, "description" in value or "$ref" in value
        yield from described(value, place)
        yield from described(value.get("items", {}), place)
    for name, value in schema.get("$defs", {}).items():
        yield from described(value, name)


def resolve(schema, root, at):
    """Resolves a $ref; returns the schema and the path of its properties."""
    schema = next((option for option in schema.get("anyOf", []) if "$ref" in option), schema) # or null
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return root["$defs"][name], name
    return schema, at


def mark(document, schema, root, at, seen):
    """Records the properties that a document has."""
    schema, at = resolve(schema, root, at)
    if isinstance(document, list):
        for item in document:
            mark(item, schema.get("items", {}), root, at, seen)
    elif isinstance(document, dict):
        for name, value in document.items():
            if name in schema.get("properties", {}):
                seen.add(f"{at}/{name}")
                mark(value, schema["properties"][name], root, f"{at}/{name}", seen)


schemas, seen = {}, {}
for name in NAMES:
    with open(os.path.join(SOURCE, "generator", "schemas", name + ".schema.json"), encoding="utf-8") as file:
        schemas[name] = json.load(file)
    Draft202012Validator.check_schema(schemas[name])
    seen[name] = set()
checks = {name: Draft202012Validator(closed(schema)) for name, schema in schemas.items()}
there = {os.path.basename(path) for path in glob.glob(os.path.join(SOURCE, "generator", "schemas", "*.json"))}
if there != {name + ".schema.json" for name in NAMES}:
    wrong.append(f"generator/schemas holds {sorted(there)}")


def check(name, document, what):
    errors = [f"{what}: {error.json_path}: {error.message[:200]}" for error in checks[name].iter_errors(document)]
    wrong.extend(errors[:3])
    mark(document, schemas[name], schemas[name], "#", seen[name])
    return not errors


def fresh(name, stream, options, *arguments):
    """Runs the tool with these arguments and checks its output."""
    command = [TOOL, *arguments, *options]
    result = subprocess.run(command, cwd=WORK, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    text = getattr(result, stream)
    what = " ".join(map(str, command[1:]))
    try:
        check(name, json.loads(text), what)
    except ValueError as error:
        wrong.append(f"{what}: exit {result.returncode}, no JSON: {error}: {text[:200]} {result.stderr[:300]}")


shutil.rmtree(WORK, ignore_errors=True)
os.makedirs(WORK)
golden = sorted(glob.glob(os.path.join(SOURCE, "tests", "golden", "cases", "*.json")))
for path in golden:
    with open(path, encoding="utf-8") as file:
        check("placement" if path.endswith("_placement.json") else "plan", json.load(file), os.path.basename(path))

# For every golden spec and model, and some for the remaining fields: all four documents.
IF = """<ir_version: 8, opset_import: ["" : 13]>
g (bool c, float[4,6] x) => (float[4,2] y) {
  ["choose"] y = If (c) <then_branch = t () => (float[4,2] p) { ["inner"] p, q, r = Split <axis=1> (x) },
                         else_branch = e () => (float[4,2] s) { s, , u = Split <axis=1> (x) }>
}
"""
APART = """<ir_version: 8, opset_import: ["" : 13]>
g (float[4,8] x) => (float[4,2] a, float[4,2] b, float[4,4] k, float[4,4] m) {
  ["outer"] k, m = Split <axis=1> (x)
  ["inside"] a, b = Split <axis=1> (k)
}
"""
FAMILY = """<ir_version: 8, opset_import: ["" : 13]>
g (float[4,8] x) => (float[8] a, float[8] b) <int64 first = {0}, int64 last = {3}> {
  a = Gather (x, first)
  b = Gather (x, last)
  c, d = Split <axis=1> (x)
}
"""
JOIN = """<ir_version: 8, opset_import: ["" : 13]>
g (float[4,8] x, float[4,n] y) => (z, w) {
  z = Concat <axis=1> (x, x)
  w = Concat <axis=0> (y, y)
}
"""
PIECES = """<ir_version: 8, opset_import: ["" : 18]>
g (float[4,8] x, float[4,2] e) => (float[4,11] y) <float[4,1] c = {1, 2, 3, 4}> {
  a, b = Split <axis=1, num_outputs=2> (x)
  y = Concat <axis=1> (b, a, e, c)
}
"""
UNPLACED = """<ir_version: 8, opset_import: ["" : 18]>
g (float[2,4,n] x) => (a, b, q) <float[3] s = {1.0, 1.0, 0.3}> {
  q = MaxPool <kernel_shape=[1], strides=[2]> (x)
  p = Resize (x, , s)
  a, b = Split <axis=1, num_outputs=2> (p)
}
"""
for name, text in (("pieces.onnxtxt", PIECES), ("unplaced.onnxtxt", UNPLACED), ("if.onnxtxt", IF), ("apart.onnxtxt", APART), ("family.onnxtxt", FAMILY), ("join.onnxtxt", JOIN)):
    with open(os.path.join(WORK, name), "w", encoding="utf-8") as file:
        file.write(text)
cases = [[path] for pattern in ("*.lua", "*.onnxtxt")
         for path in sorted(glob.glob(os.path.join(SOURCE, "tests", "golden", "cases", pattern)))]
cases += [["-e", "a: f32[batch?,12] @1 -> q:4 _:4 k:4"], ["-e", "a: u3[3,9] @1 -> p:1 q:8"], ["-e", "a: str[2,3] @0 -> 1 1"],
          ["-e", "a: u8[64,64,3] @2 -> r:1 g:1 b:1", "--tune=generic"], ["-e", "a: u8[4] @0 -> 0 4"],
          ["if.onnxtxt"], ["apart.onnxtxt", "--fuse"], ["apart.onnxtxt"], ["family.onnxtxt"], ["family.onnxtxt", "--ops=slice"],
          ["join.onnxtxt", "--ops=all", "--open"], ["unplaced.onnxtxt", "--ops=all", "--open"], ["pieces.onnxtxt", "--ops=all", "--fuse"]]
fused = os.path.join(SOURCE, "tests", "golden", "cases", "fused_splits.onnxtxt")
cases += [[fused, "--fuse"]]
cases += [["-e", "a: f32[3,4]/6 @1 -> x:1/2 z:3; b: u8[4,4]/5 @1 <- x:1 _:1 z:2; c: u4[n?,4] @1 <- x:2 z:2"],
          ["-e", "a: u8[4/40,5,3] @2 -> r:1/20/1 g:1 b:1; b: u8[4/40,5,3] @2 <- r:1/20/1 g:1 b:1"]]
for case in cases:
    fresh("plan", "stdout", ["--emit=json", "-o", "-"], *case)
    fresh("list", "stdout", ["--list", "--format=json"], *case)
    fresh("report", "stdout", ["--report=json"], *case)
    fresh("diagnostics", "stderr", ["--diagnostics-format=json", "--emit=c", "-o", "-"], *case)

for model in ("if.onnxtxt", "apart.onnxtxt", "family.onnxtxt", "join.onnxtxt", "pieces.onnxtxt", "unplaced.onnxtxt"):
    fresh("placement", "stdout", ["--emit=placement", "-o", "-"], model, "--ops=all", "--open")

with open(os.path.join(WORK, "chain.onnxtxt"), "w", encoding="utf-8") as file:
    file.write('<ir_version: 10, opset_import: ["" : 18]>\nnet (float[4] x) => (y) { a = Exp (x)\n b = Relu (a)\n y = Exp (b) }\n')
fresh("placement", "stdout", ["--emit=placement", "-o", "-"], "chain.onnxtxt", "--in-place=Relu")
with open(os.path.join(WORK, "cache.onnxtxt"), "w", encoding="utf-8") as file:
    file.write('<ir_version: 10, opset_import: ["" : 18]>\nnet (float[2,P,4] old, float[2,1,4] x) => (new, y) {\n'
               ' k = Abs (x)\n new = Concat <axis=1> (old, k)\n y = Exp (new) }\n')
fresh("placement", "stdout", ["--emit=placement", "-o", "-"], "cache.onnxtxt", "--ops=all", "--open=P=3", "--cache=old:new=8")

with open(os.path.join(WORK, "cache.onnxtxt"), "w", encoding="utf-8") as file:
    file.write('<ir_version: 10, opset_import: ["" : 18]>\nnet (float[2,P] x, float[2,1] k) => (y, z) { y = Concat <axis = 1> (x, k)\n z = Exp (y) }\n')
fresh("placement", "stdout", ["--emit=placement", "-o", "-"], "cache.onnxtxt", "--open", "--cache=x:y=4")

# Errors and warnings, with all kinds of places: in texts, in binaries, and none.
with open(os.path.join(WORK, "broken.onnx"), "wb") as file:
    file.write(b"\x08\x08\x3a\x05\x0a\x03abc")
with open(os.path.join(WORK, "notes.onnxtxt"), "w", encoding="utf-8") as file:
    file.write(IF.replace("float[4,6] x", "float[n,6] x").replace("float[4,2]", "float[n,2]"))
with open(os.path.join(WORK, "many.lua"), "w", encoding="utf-8") as file:
    file.write("return {" + ", ".join("split { nonsense = 1 }" for _ in range(200)) + "}")
for case in (["-e", "a: f32[2,]"], ["-e", "a: f32[2,3] @1 -> 1 1"], ["broken.onnx"], ["nowhere.lua"], ["notes.onnxtxt"],
             ["many.lua"], ["--emit=nothing", "x.lua"], [], ["apart.onnxtxt", "--except", "nothing"],
             *([path] for pattern in ("diag/cases/*.lua", "fuzz/corpus/onnx/*")
               for path in sorted(glob.glob(os.path.join(SOURCE, "tests", pattern))))):
    fresh("diagnostics", "stderr", ["--diagnostics-format=json"], *case)

# Everything in the schemas has a description and occurs in some output.
for name in NAMES:
    for place, is_explained in described(schemas[name]):
        if not is_explained:
            wrong.append(f"{name}.schema.json: {place} has no description")
        if place not in seen[name]:
            wrong.append(f"{name}.schema.json: {place} is described, but no case prints it")

# The check detects faults: an extra field, a missing one, and one of another type.
plans = [path for path in golden if not path.endswith("_placement.json")]
sample = json.load(open(plans[0], encoding="utf-8"))
for change in (lambda d: d.update(news=1), lambda d: d["kernels"][0].pop("axis"),
               lambda d: d["kernels"][0]["outputs"][0].update(view="free")):
    document = json.loads(json.dumps(sample))
    change(document)
    if checks["plan"].is_valid(document):
        wrong.append("a wrong plan was not noticed")

if wrong:
    sys.exit("\n".join(wrong[:40]))
print(f"{len(golden)} golden files and {len(cases)} cases keep {len(NAMES)} schemas")
