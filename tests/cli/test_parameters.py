"""The parameters of a kernel are the same everywhere: in the header, --list --format=json, --emit=json and --emit=py.

Random models as text: Splits that feed each other, Concats of their parts, of constants and of other inputs, more
than 32 parts, open dimensions; with and without --fuse and --views. The prototype is parsed from the C text, and the
model decides which tensors a kernel can take. The bytes that fusing saves are computed from the model: those of
parts that no kernel takes or makes."""
import collections
import json
import random
import re

from testing import given


class Model:
    def __init__(self, seed):
        rnd = self.rnd = random.Random(seed)
        self.open = rnd.random() < 0.3
        self.rows = 1 if self.open else rnd.randint(1, 2)
        self.axis = rnd.randrange(1, 3)
        self.tail = [rnd.randint(1, 4), rnd.randint(1, 3)]  # the dims after the first one, without the axis
        self.inputs, self.constants, self.nodes, self.outputs = [], {}, [], []
        self.parts = {}  # the results of Splits, in bytes of one item
        lengths = [rnd.randint(1, 4) for _ in range(40 if rnd.random() < 0.1 else rnd.randint(2, 6))]
        self.input("x", sum(lengths))
        pool = self.split("x", lengths, "p")
        if rnd.random() < 0.4:
            name, length = pool.pop(rnd.randrange(len(pool)))
            if length > 1:
                pool += self.split(name, [1, length - 1], "q")
            else:
                pool.append((name, length))
        for number in range(rnd.randint(1, 2)):
            self.concat(f"made{number}", pool)
        for name, _ in pool:
            if rnd.random() < 0.2:
                self.outputs.append(name)
            elif rnd.random() < 0.1:
                self.nodes.append(f"r_{name} = Relu ({name})")
                self.outputs.append(f"r_{name}")

    def dims(self, length):
        dims = ["N" if self.open else str(self.rows), *map(str, self.tail)]
        dims[self.axis] = str(length)
        return "float[" + ",".join(dims) + "]"

    def bytes(self, length):
        return 4 * self.rows * self.tail[2 - self.axis] * length

    def input(self, name, length):
        self.inputs.append(f"{self.dims(length)} {name}")

    def split(self, name, lengths, prefix):
        self.constants[f"l_{prefix}"] = f"int64[{len(lengths)}] l_{prefix} = {{{', '.join(map(str, lengths))}}}"
        names = [f"{prefix}{i}" for i in range(len(lengths))]
        self.nodes.append(f"{', '.join(names)} = Split <axis = {self.axis}> ({name}, l_{prefix})")
        self.parts.update({part: self.bytes(length) for part, length in zip(names, lengths)})
        return list(zip(names, lengths))

    def concat(self, name, pool):
        taken = [part for part, _ in pool if self.rnd.random() < 0.6]
        self.rnd.shuffle(taken)
        for i in range(self.rnd.randint(0, 2)):
            other = f"{name}_{i}"
            if self.open or self.rnd.random() < 0.5:
                self.input(other, 1)
            else:
                values = ", ".join(["1.5"] * (self.bytes(1) // 4))
                self.constants[other] = f"{self.dims(1)} {other} = {{{values}}}"
            taken.insert(self.rnd.randint(0, len(taken)), other)
        if len(taken) > 1:
            self.nodes.append(f"{name} = Concat <axis = {self.axis}> ({', '.join(taken)})")
            self.outputs.append(name)

    def text(self):
        outputs = self.outputs or ["p0"]
        return (f'<ir_version: 10, opset_import: ["" : 18]>\nnet ({", ".join(self.inputs)}) => ({", ".join(outputs)})\n'
                f'<{", ".join(self.constants.values())}>\n{{\n  ' + "\n  ".join(self.nodes) + "\n}\n")


def prototypes(header):
    """The types and names of each function's parameters."""
    found = {}
    for name, text in re.findall(r"^void (\w+)\(([^;{]*)\);", header, re.M):
        found[name] = []
        for one in text.split(","):
            type, symbol = re.fullmatch(r"\s*(.*?)(?:SPLITGEN_RESTRICT )?(\w+)(?:\[\])?", one, re.S).groups()
            found[name].append((type.replace(" *", "*").strip() + ("*" if one.endswith("[]") else ""), symbol))
    return found


def check(work, seed, say, counts):
    model = Model(seed)
    stem = f"m{seed}"
    work.write(f"{stem}.onnxtxt", model.text())
    options = ["--ops=all"] + ["--fuse"] * (seed % 4 > 0) + ["--views=omit"] * (seed % 3 == 0) + ["--open"] * model.open
    work.splitgen([*options, "--emit=c,h,json,py", "-o", stem + "/", stem + ".onnxtxt"])
    listed = work.splitgen([*options, "--list", "--format=json", stem + ".onnxtxt"]).json

    def read(ending):
        return work.read(f"{stem}/{stem}{ending}")

    functions = prototypes(read(".h"))
    plans, module = json.loads(read(".json"))["kernels"], read(".py")
    touched = set()
    for op, plan in zip(listed["ops"], plans):
        name, joins = plan["name"], plan["op"] == "concat"
        where = f"seed {seed}: {name}"
        function = functions.get(name, [])
        whole, parts = (plan["output"], plan["inputs"]) if joins else (plan["input"], plan["outputs"])
        counts["kernels"] += 1
        counts["of pieces"] += any("source" in part for part in parts)
        counts["with constants"] += any(part.get("constant") for part in parts)
        counts["with views only"] += any(not part["copied"] for part in parts)
        is_array = any(type.endswith("*const*") for type, _ in function)
        counts["of an array"] += is_array
        counts["open"] += "open" in plan
        # The list.
        given = [one["tensor"] for one in op["inputs"] if one] if joins else [one for one in op["tensors"][
                "outputs"] if one]
        if joins and given != [one for one in op["tensors"]["inputs"] if one]:
            say("inputs and tensors in the list", f"{where}: {op['inputs']} and {op['tensors']}")
        # The plan's table equals the prototype.
        table = plan.get("parameters", [])
        taken = [p for p in table if p["passed"]] if function else []
        as_header = [(p["type"].replace(" *", "*").strip(), p["symbol"]) for p in taken]
        if as_header != function:
            say("parameters in the plan", f"{where}: {as_header}, but the header has {function}")
        if not is_array and set(p["tensor"] for p in taken if p["parts"]) & {part[
                "tensor"] for part in parts if part.get("constant")}:
            say("tensors in the plan", f"{where}: {taken} holds a constant of the kernel")
        if function and [(p["role"], p["name"]) for p in taken] != [(p["role"], p["name"]) for p in op.get("parameters",
                [])]:
            say("parameters in the list", f"{where}: {op.get('parameters')}, but the plan has {taken}")
        for p in table:
            if p["const"] != p["type"].startswith("const") and p["role"] != "number":
                say("const in the plan", f"{where}: {p}")
            if p["role"] == "part" and not all(parts[i]["tensor"] == p["tensor"] and parts[i]["bytes"] == p["bytes"] and
                                               parts[i]["copied"] == (p["passed"] or is_array) for i in p["parts"]):
                say("parts in the plan", f"{where}: {p}")
            if p["role"] == "source" and not all(parts[i]["source"]["name"] == p["name"] for i in p["parts"]):
                say("pieces in the plan", f"{where}: {p}")
        touched |= {p["tensor"] for p in table if "tensor" in p}
        # The module has the tensors of the descriptor, in its order.
        kernel = re.search(rf"\"{name}\", \"f32\".*?\n    \]", module, re.S).group(0)
        names = re.findall(r'^        \("(\w+)", ', kernel, re.M)[1:]
        places = [p for p in table if p["place"] is not None]
        if names != [p["symbol"] for p in places] or [p["place"] for p in places] != list(range(len(places))):
            say("arrays in Python", f"{where}: {names}, but the plan has {places}")
    if len(listed["ops"]) != len(plans):
        say("kernels", f"seed {seed}: {len(listed['ops'])} and {len(plans)}")
    # Tensors that are never written.
    summary = listed["summary"]
    saved = sum(2 * size for part, size in model.parts.items() if part not in touched)
    told = summary.get("bytes_saved_by_fusing", 0)
    explained = re.search(r"which saves (\d+) bytes", work.splitgen([*options, "--explain", stem + ".onnxtxt"]).out)
    counts["models that save"] += saved > 0
    if "--fuse" in options and (saved != told or saved != int(explained.group(1) if explained else 0)):
        say("bytes saved", f"seed {seed}: {told}, explained as {explained and explained.group(1)}, but it is {saved}")
    if summary["splits"] != sum(" = Split" in node for node in model.nodes):
        say("splits", f"seed {seed}: {summary['splits']}")


def test_parameters(work):
    wrong, counts = [], collections.Counter()
    for seed in range(1, int(given.get("models", 75)) + 1):
        check(work, seed, lambda kind, text: wrong.append(f"{kind}: {text}"), counts)
    assert not wrong, "\n".join(wrong[:20])
    for what in "of pieces", "with constants", "with views only", "of an array", "open":
        assert counts[what], f"no kernel {what}"
