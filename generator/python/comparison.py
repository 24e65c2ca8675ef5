"""Compares kernels with other implementations: with a model of their node alone, and with the tensors of a run of
their model."""
from __future__ import annotations

import collections
from typing import Any, List, Mapping, Sequence, Tuple

import numpy as np

from . import in_model, reference
from .api import built
from .loaded import Kernel
from .progress import Progress, print_table, say


# The value of open dimensions for models that accept no small ones.
_LARGE = 64


def _open_in(plan: Mapping[str, Any]) -> List[str]:
    """The names of a kernel's open dimensions."""
    return [one["name"] for one in plan.get("open", [])]


def _numbers(names: Sequence[str]) -> Tuple[int, ...]:
    """The values of open dimensions with these names, one per round."""
    return (1, 3) if names else (1,)


def _read(kernel: Kernel, numbers: Mapping[str, int]) -> List[Any]:
    """New arrays for a kernel's inputs, and for parts of a concat that are written in their place."""
    if not reference.joins(kernel.plan):
        return [kernel.new_whole(**numbers)]
    places = kernel.views(kernel.new_whole(**numbers))
    return [np.empty(place.shape, place.dtype) if array is None else array
            for array, place in zip(kernel.new_parts(**numbers), places)]


def _made(kernel: Kernel, arrays: Sequence[Any], numbers: Mapping[str, int], random: Any) -> List[Any]:
    """The kernel's result. A part that a concat does not copy is first written to its place, as its producer would;
    all other bytes of the full tensor are random before."""
    if not reference.joins(kernel.plan):
        return [*kernel(*arrays)]
    whole = _random(kernel.new_whole(**numbers), random)
    given = [*arrays]
    for i, (own, place) in enumerate(zip(kernel.new_parts(**numbers), kernel.views(whole))):
        if own is None:
            place[...] = arrays[i]
            given[i] = place
    return [kernel(*given, out=whole)]


def _random(array: Any, random: Any) -> Any:
    """Fills an array with random bytes; booleans with 0 and 1."""
    data: Any = np.frombuffer(random.bytes(array.size * array.itemsize), np.uint8)
    data = data & 1 if array.dtype == np.bool_ else data
    array[...] = data.view(array.dtype).reshape(array.shape)
    return array


def _difference(names: Sequence[str], made: Sequence[Any], expected: Sequence[Any]) -> str:
    for name, one, other in zip(names, made, expected):
        if one.shape != other.shape:
            return "%s: the shape is %s, but %s" % (name, one.shape, other.shape)
        wrong = np.flatnonzero(np.ascontiguousarray(one).reshape(-1).view(np.uint8) !=
                               np.ascontiguousarray(other).reshape(-1).view(np.uint8))
        if wrong.size:
            return "%s differs at byte %d and %d more" % (name, wrong[0], wrong.size - 1)
    return ""


def compare(kernel: Kernel, make_node: Any, numbers: Mapping[str, int], random: Any, rounds: int) -> Tuple[str, int]:
    """Compares a kernel with a model of its node alone; returns the difference, if any, and the number of bytes
    compared."""
    plan, compared = kernel.plan, 0
    whole, parts = reference.sides(plan)
    node = make_node(plan, numbers)
    read, written = (parts, [whole]) if reference.joins(plan) else ([whole], parts)
    for _ in range(rounds):
        inputs = [_random(array, random) for array in _read(kernel, numbers)]
        made = _made(kernel, inputs, numbers, random)

        def plain(tensors: Sequence[Mapping[str, Any]], arrays: Sequence[Any]) -> List[Any]:
            return [reference.unpacked(plan, array, reference.shape_of(plan, tensor, numbers))
                    for tensor, array in zip(tensors, arrays)]

        expected = node.run(plain(read, inputs))
        difference = _difference([tensor["name"] for tensor in written], plain(written, made), expected)
        if difference:
            return difference, compared
        compared += sum(array.nbytes for array in made)
    return "", compared


def compare_in_model(kernel: Kernel, tensors: Mapping[str, Any], random: Any) -> Tuple[str, int, str]:
    """Compares a kernel with a run of its model; returns the difference, if any, the number of bytes compared, and
    the reason if none were."""
    plan = kernel.plan
    reads, writes = in_model.read_tensors(plan), in_model.written_tensors(plan)
    lacking = [name for name in (*reads, *writes) if name not in tensors]
    if lacking:
        return "", 0, "the run has no tensor %s" % lacking[0]
    whole = reference.sides(plan)[0]
    numbers = dict.fromkeys(_open_in(plan), 1)
    numbers.update(reference.numbers_in(plan, tensors[whole["tensor"]].shape))
    inputs = _read(kernel, numbers)
    for array, name in zip(inputs, reads):
        if tensors[name].nbytes != array.nbytes:
            return "", 0, "%s is %s there" % (name, list(tensors[name].shape))
        array.reshape(-1).view(np.uint8)[...] = np.ascontiguousarray(tensors[name]).reshape(-1).view(np.uint8)
    made = _made(kernel, inputs, numbers, random)
    compared = sum(array.nbytes for array in made)
    return _difference(writes, made, [tensors[name] for name in writes]), compared, "" if compared else "its tensors are empty there"


def _why_no_run(plan: Mapping[str, Any]) -> str:
    """The reason why a run of its model does not show a kernel's tensors; empty if it does."""
    if plan["path"]:
        return "it is in a body or a function"
    if plan.get("packing"):
        return "its elements are packed"
    return reference.why_no_arrays(plan)


class Outcome:
    """The result for a kernel."""

    def __init__(self) -> None:
        self.difference = ""
        self.alone = self.inside = 0  # bytes that were equal with its node alone, and in its model
        self.reason = ""  # why not alone
        self.unseen = ""  # why not in its model

    @property
    def compared(self) -> bool:
        """Whether there is a result."""
        return bool(self.difference or self.alone or self.inside or not self.reason)

    def __str__(self) -> str:
        if self.difference:
            return "DIFFERENT: " + self.difference
        if not self.compared:
            return "not compared: " + self.reason
        counts = ["%d bytes%s" % one for one in ((self.alone, ""), (self.inside, " in the model")) if one[0] > 0]
        return "equal, " + (" and ".join(counts) or "0 bytes")


def _alone(outcome: Outcome, kernel: Kernel, make_node: Any, random: Any, rounds: int) -> None:
    """Compares with a model of its node alone."""
    outcome.reason = reference.why_no_node(kernel.plan)
    if outcome.reason:
        return
    names = _open_in(kernel.plan)
    for number in _numbers(names):
        outcome.difference, compared = compare(kernel, make_node, dict.fromkeys(names, number), random, rounds)
        outcome.alone += compared
        if outcome.difference:
            return


def _title(plan: Mapping[str, Any]) -> List[str]:
    whole, parts = reference.sides(plan)
    kind = plan.get("op_type") or ("Concat" if reference.joins(plan) else "Split")
    shape = "%s[%s]" % (plan["dtype"], ",".join(map(str, whole["shape"])))
    return [plan["name"], kind, shape, str(plan["axis"]), str(len(parts))]


def _in_model(outcomes: Mapping[str, Outcome], kernels: Mapping[str, Kernel], path: str, arguments: Sequence[str],
              random: Any) -> str:
    """Compares all kernels with runs of the model at this path; returns the reason if it cannot be run."""
    seen = {}
    for name, kernel in kernels.items():
        outcomes[name].unseen = _why_no_run(kernel.plan)
        if not outcomes[name].unseen:
            seen[name] = kernel
    names = sorted({name for kernel in seen.values() for name in _open_in(kernel.plan)})
    if not seen:
        return ""
    failed: List[str] = []
    try:
        model = in_model.opened(path, [kernel.plan for kernel in seen.values()], arguments)
    except in_model.Unusable as error:
        return "The model could not be run: %s\n" % error
    numbers = _numbers(names)
    for number in (*numbers, _LARGE) if names else numbers:
        if number == _LARGE and len(failed) < len(numbers):
            break
        try:
            tensors = model.run(dict.fromkeys(names, number), number, random)
        except in_model.Unusable as error:
            failed.append("The model could not be run%s: %s\n" % (", open dimensions being %d" % number if names else "", error))
            continue
        for name, kernel in seen.items():
            outcome = outcomes[name]
            difference, compared, outcome.unseen = compare_in_model(kernel, tensors, random)
            outcome.inside += compared
            outcome.difference = outcome.difference or difference and difference + " in the model"
    return "".join(failed)


def verify(arguments: Sequence[str], rounds: int, seed: int) -> int:
    """Compares all kernels and prints a table; returns the exit status."""
    is_ir = any(argument.endswith(".xml") for argument in arguments)
    make_node: Any = reference.OpenvinoNode if is_ir else reference.OnnxNode
    kernels = built(arguments)
    random, rows = np.random.default_rng(seed), [["kernel", "op", "shape", "axis", "parts", "result"]]
    outcomes = {name: Outcome() for name in kernels}
    path = in_model.model_of(arguments)
    progress = Progress(len(kernels) + (path is not None))
    for count, (name, kernel) in enumerate(kernels.items()):
        progress.at(count, kernel.__name__)
        _alone(outcomes[name], kernel, make_node, random, rounds)
    said = ""
    if path is not None:
        progress.at(len(kernels), "the model")
        said = _in_model(outcomes, kernels, path, arguments, random)
    progress.end()
    rows += [[*_title(kernels[name].plan), str(outcome)] for name, outcome in outcomes.items()]
    print_table(rows, right=(3, 4))
    compared, inside = ([*map(how, outcomes.values())].count(True) for how in (lambda o: o.compared, lambda o: o.inside > 0))
    wrong = sum(bool(outcome.difference) for outcome in outcomes.values())
    say("\n%d of %d kernels compared with %s, %d in a run of the model, %d different (seed %d)" %
          (compared, len(kernels), make_node.name, inside, wrong, seed))
    unseen = collections.Counter(o.unseen for o in outcomes.values() if o.unseen and not o.inside)
    for reason, count in unseen.items():
        said += "%d not seen in the run: %s\n" % (count, reason)
    if not compared:
        said += "Nothing was compared, so nothing is known of these kernels; the table says why. Exit status 1.\n"
    say(said, end="")
    return 1 if wrong or not compared else 0
