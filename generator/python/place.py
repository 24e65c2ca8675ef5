"""python -m splitgen place MODEL [OPTION OF SPLITGEN ...]: how many bytes a model copies to rearrange data, and its
arena."""
from __future__ import annotations

import json
import sys
from typing import Any, Dict, List, Sequence, Tuple

from .errors import OptionError, SplitgenError
from .progress import print_table, say
from .tool import run

USAGE = """usage: splitgen place [--strided=OPERATORS] [--in-place=OPERATORS] MODEL [OPTION OF SPLITGEN ...]

Plans where the tensors of each graph of a model lie (--emit=placement), three times: where all operators write dense
tensors of their own, where those that --strided lists can write rows that lie apart, as with a leading dimension, and
where those that --in-place lists can write over an input of the same shape. Says how many bytes the nodes copy that only
move data: by one kernel for each of them, and by each plan; and how large the arena of each plan is, beside the most
bytes that one node needs at once, below which none can be.
"""

# Operators that compute each element, or row, separately. With a leading dimension they can write rows that lie apart.
IN_PLACE = ("Abs,Add,And,BatchNormalization,Cast,Ceil,Clip,Cos,Div,Elu,Erf,Exp,Floor,Gelu,HardSigmoid,HardSwish,LeakyRelu,Log,Max,"
            "Min,Mish,Mul,Neg,Not,Or,PRelu,Pow,Reciprocal,Relu,Round,Sigmoid,Sign,Sin,Softmax,Softplus,Sqrt,Sub,Tanh,Where")
STRIDED = ("Add,AveragePool,BatchNormalization,Clip,Conv,ConvTranspose,Div,Elu,Exp,Gelu,Gemm,HardSigmoid,HardSwish,LeakyRelu,"
           "MatMul,Max,MaxPool,Min,Mish,Mul,Neg,PRelu,Pow,Relu,Resize,Sigmoid,Softmax,Softplus,Sqrt,Sub,Tanh,Upsample")
LISTS = {"--strided": STRIDED, "--in-place": IN_PLACE}

Graph = Dict[str, Any]


def graphs(arguments: Sequence[str], *added: str) -> List[Graph]:
    """The graphs of the plan that the tool prints for these arguments. added: others, which no message shows."""
    found: List[Graph] = json.loads(run([*arguments, "--emit=placement", "-o", "-", *added], ""))["graphs"]
    return found


def _arguments(given: Sequence[str]) -> Tuple[Dict[str, List[str]], List[str]]:
    """The lists of each option in LISTS, and all other arguments. As for the tool, a value follows '=' or a blank."""
    lists: Dict[str, List[str]] = {name: [] for name in LISTS}
    rest: List[str] = []
    words = iter(given)
    for word in words:
        name, equals, value = word.partition("=")
        if name in ("--emit", "-o", "--output", "--check"):
            raise OptionError(2, [], "splitgen: error: 'place' prints a table and writes no file; leave out '%s'" % name)
        if name not in LISTS:
            rest.append(word)
            continue
        value = value if equals else next(words, "")
        if value:
            lists[name].append(value)
        else:
            raise OptionError(2, [], "splitgen: error: '%s' takes operators: %s=Relu,Abs" % (name, name))
    return lists, rest


def _row(dense: Graph, strided: Graph, in_place: Graph) -> List[str]:
    unknown = " + %d ?" % dense["uncounted"] if "uncounted" in dense else ""
    numbers = [dense["bytes_moved"], *(one["bytes_copied"] for one in (dense, strided, in_place))]
    sizes = [one[what] for one in (dense, strided, in_place) for what in ("arena", "live")]
    return [" / ".join([dense["model"], *dense["path"]]), *("{:,}{}".format(n, unknown) for n in numbers), *map("{:,}".format, sizes)]


def _plans(arguments: Sequence[str], lists: Dict[str, List[str]]) -> List[List[Graph]]:
    """The graphs without the lists, and with each. Of a default list only operators that the model has."""
    dense = graphs(arguments)
    has = {name for graph in dense for operator in graph["operators"] for name in (operator, operator.rsplit(".", 1)[-1])}
    plans = [dense]
    for name, default in LISTS.items():
        lists[name] = lists[name] or [",".join(one for one in default.split(",") if one in has)]
        plans.append(graphs(arguments, *(name + "=" + one for one in lists[name] if one)))
    return plans


def main(arguments: Sequence[str]) -> int:
    """Runs the command; errors go to standard error."""
    if not arguments or "--help" in arguments or "-h" in arguments:
        print(USAGE, end="")
        return 0 if arguments else 2
    try:
        lists, rest = _arguments(arguments)
        rows = list(zip(*_plans(rest, lists)))
    except SplitgenError as error:
        say(str(error).replace("'--emit=placement'", "a placement"), file=sys.stderr)
        return error.exit_code
    print_table([["graph", "one kernel a node", "copied", "strided", "in place", "arena", "at least", "strided arena", "at least",
                  "in-place arena", "at least"], *(_row(*row) for row in rows)], range(1, 11))
    if any("uncounted" in row[0] for row in rows):
        say("+ N ?: and N parts of unknown size")
    say("bytes; strided: written by %s; in place: %s" % tuple(
        ", ".join(one.replace(",", ", ") for one in lists[name]) or "none" for name in LISTS))
    return 0
