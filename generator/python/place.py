"""python -m splitgen place MODEL [OPTION OF SPLITGEN ...]: how many bytes a model copies to rearrange data, and its
arena."""
from __future__ import annotations

import json
import sys
from typing import Any, Dict, List, Sequence, Tuple

from .errors import OptionError, SplitgenError
from .progress import print_table, say
from .tool import run

USAGE = """usage: splitgen place [--strided=OPERATORS] MODEL [OPTION OF SPLITGEN ...]

Plans where the tensors of each graph of a model lie (--emit=placement), twice: where all operators write dense tensors,
and where those that --strided lists can write rows that lie apart, as with a leading dimension. Says how many bytes the
nodes copy that only move data: by one kernel for each of them, by the first plan, by the second; and how large the arena
of each plan is, beside the most bytes that one node needs at once, below which none can be.
"""

# Operators that can write with a leading dimension, because each element, or row, is computed separately.
STRIDED = ("Add,AveragePool,BatchNormalization,Clip,Conv,ConvTranspose,Div,Elu,Exp,Gelu,Gemm,HardSigmoid,HardSwish,LeakyRelu,"
           "MatMul,Max,MaxPool,Min,Mish,Mul,Neg,PRelu,Pow,Relu,Resize,Sigmoid,Softmax,Softplus,Sqrt,Sub,Tanh,Upsample")

Graph = Dict[str, Any]


def graphs(arguments: Sequence[str], *added: str) -> List[Graph]:
    """The graphs of the plan that the tool prints for these arguments. added: others, which no message shows."""
    found: List[Graph] = json.loads(run([*arguments, "--emit=placement", "-o", "-", *added], ""))["graphs"]
    return found


def _arguments(given: Sequence[str]) -> Tuple[List[str], List[str]]:
    """The lists of --strided, and all other arguments. As for the tool, a value follows '=' or a blank."""
    lists: List[str] = []
    rest: List[str] = []
    words = iter(given)
    for word in words:
        name, equals, value = word.partition("=")
        if name in ("--emit", "-o", "--output", "--check"):
            raise OptionError(2, [], "splitgen: error: 'place' prints a table and writes no file; leave out '%s'" % name)
        if name != "--strided":
            rest.append(word)
            continue
        value = value if equals else next(words, "")
        if value:
            lists.append(value)
        else:
            raise OptionError(2, [], "splitgen: error: '--strided' takes operators: --strided=Relu,Abs")
    return lists, rest


def _row(dense: Graph, strided: Graph) -> List[str]:
    unknown = " + %d ?" % dense["uncounted"] if "uncounted" in dense else ""
    copied = ["{:,}{}".format(bytes, unknown) for bytes in (dense["bytes_moved"], dense["bytes_copied"], strided["bytes_copied"])]
    numbers = [dense["arena"], dense["live"], strided["arena"], strided["live"]]
    return [" / ".join([dense["model"], *dense["path"]]), *copied, *map("{:,}".format, numbers)]


def main(arguments: Sequence[str]) -> int:
    """Runs the command; errors go to standard error."""
    if not arguments or "--help" in arguments or "-h" in arguments:
        print(USAGE, end="")
        return 0 if arguments else 2
    try:
        lists, rest = _arguments(arguments)
        lists = lists or [STRIDED]
        pairs = list(zip(graphs(rest), graphs(rest, *("--strided=" + one for one in lists))))
    except SplitgenError as error:
        say(str(error).replace("'--emit=placement'", "a placement"), file=sys.stderr)
        return error.exit_code
    print_table([["graph", "one kernel a node", "copied", "strided", "arena", "at least", "strided arena", "at least"],
                 *(_row(dense, strided) for dense, strided in pairs)], range(1, 8))
    if any("uncounted" in dense for dense, _ in pairs):
        say("+ N ?: and N parts of unknown size")
    say("bytes; strided: written by " + ", ".join(one.replace(",", ", ") for one in lists))
    return 0
