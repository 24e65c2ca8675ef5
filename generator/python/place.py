"""python -m splitgen place MODEL [OPTION OF SPLITGEN ...]: how many bytes a model copies to rearrange data, and its
arena."""
from __future__ import annotations

import json
import sys
from typing import Any, Dict, List, Sequence

from .errors import SplitgenError
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


def graphs(arguments: Sequence[str]) -> List[Graph]:
    """The graphs of the plan that the tool prints for these arguments."""
    found: List[Graph] = json.loads(run([*arguments, "--emit=placement", "-o", "-"], "generate"))["graphs"]
    return found


def _row(dense: Graph, strided: Graph) -> List[str]:
    numbers = [dense["bytes_moved"], dense["bytes_copied"], strided["bytes_copied"], dense["arena"], dense["live"],
               strided["arena"], strided["live"]]
    return [" / ".join([dense["model"], *dense["path"]]), *map("{:,}".format, numbers)]


def main(arguments: Sequence[str]) -> int:
    """Runs the command; errors go to standard error."""
    if not arguments or "--help" in arguments or "-h" in arguments:
        print(USAGE, end="")
        return 0 if arguments else 2
    lists = [one for one in arguments if one.startswith("--strided=")] or ["--strided=" + STRIDED]
    rest = [one for one in arguments if not one.startswith("--strided=")]
    try:
        pairs = list(zip(graphs(rest), graphs([*rest, *lists])))
    except SplitgenError as error:
        say(error, file=sys.stderr)
        return error.exit_code
    print_table([["graph", "one kernel a node", "copied", "strided", "arena", "at least", "strided arena", "at least"],
                 *(_row(dense, strided) for dense, strided in pairs)], range(1, 8))
    say("bytes; strided: written by " + ", ".join(one[len("--strided="):].replace(",", ", ") for one in lists))
    return 0
