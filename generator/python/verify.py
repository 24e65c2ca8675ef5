"""python -m splitgen verify MODEL [OPTION OF SPLITGEN ...]: kernels against ONNX Runtime or OpenVINO, byte for byte."""
from __future__ import annotations

import importlib.util
import sys
from typing import Any, Dict, Iterator, List, Mapping, Sequence, Tuple

from .api import built
from .errors import CompilerError, SplitgenError
from .loaded import Kernel
from .progress import Progress, print_table
from .tool import is_notation

USAGE = """usage: splitgen verify [--rounds=N] [--seed=N] MODEL [OPTION OF SPLITGEN ...]

Compiles every kernel of a model, a spec or the notation and compares it, byte for byte on random inputs, with ONNX
Runtime (with OpenVINO for its IR), which runs a model of that node alone. --ops=all takes Slices and Concats too. Open
dimensions are 1 and 3. Exit status 1 where a byte differs.
"""


def needs(extra: str, *packages: str) -> List[str]:
    """What to say of packages that are missing."""
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    return missing and ["splitgen %s needs %s: pip install 'splitgen[%s]'" % (extra, ", ".join(missing), extra)]


def passed_on(arguments: Sequence[str], own: Dict[str, int]) -> List[str]:
    """Arguments of the tool; numbers of --NAME=N go into `own`."""
    rest: List[str] = []
    for argument in arguments:
        name, _, value = argument[2:].partition("=")
        if argument.startswith("--") and name in own and value.isdigit():
            own[name] = int(value)
        else:
            rest += ["-e", argument] if is_notation(argument) and not (rest and rest[-1] == "-e") else [argument]
    return rest


def _numbers(plan: Mapping[str, Any]) -> Iterator[Dict[str, int]]:
    """Numbers for open dimensions to try."""
    names = [one["name"] for one in plan.get("open", [])]
    for number in (1, 3) if names else (1,):
        yield dict.fromkeys(names, number)


def _random(array: Any, random: Any) -> Any:
    """Fills an array with random bytes; booleans with 0 and 1."""
    import numpy as np

    data: Any = np.frombuffer(random.bytes(array.size * array.itemsize), np.uint8)
    data = data & 1 if array.dtype == np.bool_ else data
    array[...] = data.view(array.dtype).reshape(array.shape)
    return array


def _difference(names: Sequence[str], made: Sequence[Any], expected: Sequence[Any]) -> str:
    import numpy as np

    for name, one, other in zip(names, made, expected):
        if one.shape != other.shape:
            return "%s: the shape is %s, but %s" % (name, one.shape, other.shape)
        wrong = np.flatnonzero(np.ascontiguousarray(one).reshape(-1).view(np.uint8) !=
                               np.ascontiguousarray(other).reshape(-1).view(np.uint8))
        if wrong.size:
            return "%s differs at byte %d and %d more" % (name, wrong[0], wrong.size - 1)
    return ""


def compare(kernel: Kernel, make_node: Any, numbers: Mapping[str, int], random: Any, rounds: int) -> Tuple[str, int]:
    """What differs, if anything, and how many bytes were compared."""
    from . import reference

    plan, compared = kernel.plan, 0
    whole, parts = reference.sides(plan)
    node = make_node(plan, numbers)
    read, written = (parts, [whole]) if reference.joins(plan) else ([whole], parts)
    for _ in range(rounds):
        new_whole, new_parts = kernel.new_whole(**numbers), kernel.new_parts(**numbers)
        inputs = [*new_parts] if reference.joins(plan) else [new_whole]
        inputs = [_random(array, random) for array in inputs]
        result = kernel(*inputs)
        made = [result] if reference.joins(plan) else [*result]

        def plain(tensors: Sequence[Mapping[str, Any]], arrays: Sequence[Any]) -> List[Any]:
            return [reference.unpacked(plan, array, reference.shape_of(plan, tensor, numbers))
                    for tensor, array in zip(tensors, arrays)]

        expected = node.run(plain(read, inputs))
        difference = _difference([tensor["name"] for tensor in written], plain(written, made), expected)
        if difference:
            return difference, compared
        compared += sum(array.nbytes for array in made)
    return "", compared


def _cannot(plan: Mapping[str, Any]) -> str:
    """Why a kernel cannot be compared, if so."""
    from . import reference

    whole, parts = reference.sides(plan)
    if plan["dtype"] in ("string", "ptr"):
        return "strings have no arrays in NumPy"
    if plan.get("packing") == "planes":
        return "elements in planes of bits, which no other has"
    if any(part.get("constant") for part in parts):
        return "a part is a constant of the model"
    if any("source" in part for part in parts):
        return "parts are pieces of larger tensors"
    if plan.get("packing") and any(t.get("span", t["bytes"]) != t["bytes"] for t in (whole, *parts)):
        return "rows of packed elements lie apart"
    if reference.joins(plan) and not all(part["copied"] for part in parts):
        return "a part is written where it belongs"
    if reference.joins(plan) and sum(part["length"] for part in parts) != sum(plan["lengths"]):
        return "gaps of the result are not written"
    return ""


def _title(plan: Mapping[str, Any]) -> List[str]:
    from . import reference

    whole, parts = reference.sides(plan)
    kind = plan.get("op_type") or ("Concat" if reference.joins(plan) else "Split")
    shape = "%s[%s]" % (plan["dtype"], ",".join(map(str, whole["shape"])))
    return [plan["name"], kind, shape, str(plan["axis"]), str(len(parts))]


def _outcome(kernel: Kernel, make_node: Any, random: Any, rounds: int) -> Tuple[str, int, int]:
    """What the table says of it, and whether it was compared, and differs: 1 or 0."""
    reason = _cannot(kernel.plan)
    if reason:
        return "not compared: " + reason, 0, 0
    total = 0
    for numbers in _numbers(kernel.plan):
        difference, compared = compare(kernel, make_node, numbers, random, rounds)
        total += compared
        if difference:
            return "DIFFERENT: " + difference, 1, 1
    return "equal, %d bytes" % total, 1, 0


def verify(arguments: Sequence[str], rounds: int, seed: int) -> int:
    """Compares all kernels and prints a table; the exit status."""
    import numpy as np

    from . import reference

    is_ir = any(argument.endswith(".xml") for argument in arguments)
    make_node: Any = reference.OpenvinoNode if is_ir else reference.OnnxNode
    kernels = built(arguments)
    random, rows, wrong, compared = np.random.default_rng(seed), [["kernel", "op", "shape", "axis", "parts", "result"]], 0, 0
    progress = Progress(len(kernels))
    for count, kernel in enumerate(kernels.values()):
        progress.at(count, kernel.__name__)
        text, was_compared, differs = _outcome(kernel, make_node, random, rounds)
        rows.append([*_title(kernel.plan), text])
        wrong, compared = wrong + differs, compared + was_compared
    progress.end()
    print_table(rows, right=(3, 4))
    print("\n%d of %d kernels compared with %s, %d different (seed %d)" %
          (compared, len(kernels), make_node.name, wrong, seed))
    return 1 if wrong else 0


def main(arguments: Sequence[str]) -> int:
    """The command; what is missing or wrong goes to standard error."""
    own = {"rounds": 2, "seed": 1}
    rest = passed_on(arguments, own)
    if not rest or "--help" in rest or "-h" in rest:
        print(USAGE, end="")
        return 0 if rest else 2
    backend = ["openvino"] if any(a.endswith(".xml") for a in rest) else ["onnx", "onnxruntime"]
    missing = needs("verify", "numpy", *backend)
    if missing:
        print("\n".join(missing), file=sys.stderr)
        return 2
    try:
        return verify(rest, **own)
    except (SplitgenError, CompilerError) as error:
        print(error, file=sys.stderr)
        return getattr(error, "exit_code", 2)
