"""python -m splitgen verify MODEL [OPTION OF SPLITGEN ...]: compares kernels with ONNX Runtime or OpenVINO, byte for
byte."""
from __future__ import annotations

import importlib.util
import sys
from typing import Dict, List, Sequence

from .errors import CompilerError, SplitgenError
from .progress import say
from .tool import is_notation

USAGE = """usage: splitgen verify [--rounds=N] [--seed=N] MODEL [OPTION OF SPLITGEN ...]

Compiles every kernel of a model, a spec or the notation and compares it, byte for byte on random inputs, with ONNX
Runtime (with OpenVINO for its IR), which runs a model of that node alone. A model runs as it is, too: kernels have to make
what its operators make there, of what these read there. --ops=all takes Slices and Concats too. Open dimensions
are 1 and 3, and 64 in a run of a model that takes neither. Parts that are only views (--views=omit) are compared
too: those of a Concat are written in their places first.
Exit status 1 where a byte differs, or where no kernel could be compared.
"""


def needs(*packages: str) -> List[str]:
    """The message about missing packages; empty if there are none."""
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    return missing and ["splitgen verify needs %s: pip install 'splitgen[verify]'" % ", ".join(missing)]


def passed_on(arguments: Sequence[str], own: Dict[str, int]) -> List[str]:
    """Splits the arguments: numbers of --NAME=N go into `own`, the rest is for the tool."""
    rest: List[str] = []
    for argument in arguments:
        name, _, value = argument[2:].partition("=")
        if argument.startswith("--") and name in own and value.isdigit():
            own[name] = int(value)
        else:
            rest += ["-e", argument] if is_notation(argument) and not (rest and rest[-1] == "-e") else [argument]
    return rest


def main(arguments: Sequence[str]) -> int:
    """Runs the command; errors go to standard error."""
    own = {"rounds": 2, "seed": 1}
    rest = passed_on(arguments, own)
    if not rest or "--help" in rest or "-h" in rest:
        print(USAGE, end="")
        return 0 if rest else 2
    backend = ["openvino"] if any(a.endswith(".xml") for a in rest) else ["onnx", "onnxruntime"]
    missing = needs(*backend)
    if missing:
        print("\n".join(missing), file=sys.stderr)
        return 2
    from .comparison import verify  # needs the packages

    try:
        return verify(rest, **own)
    except (SplitgenError, CompilerError) as error:
        say(error, file=sys.stderr)
        return getattr(error, "exit_code", 2)
