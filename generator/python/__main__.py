"""python -m splitgen ARGUMENTS, and the script splitgen: become the program, but for the commands of the package."""
import os
import subprocess
import sys
import warnings
from typing import List

from splitgen.paths import EXECUTABLE

# Commands that are the program with these options.
_OPTIONS = {"list": ["--list"], "generate": []}


def _as_options(arguments: List[str]) -> List[str]:
    """The program's arguments for those of list and generate, or as they are."""
    if not arguments or arguments[0] not in _OPTIONS:
        return arguments
    from splitgen.verify import passed_on
    return [*_OPTIONS[arguments[0]], *passed_on(arguments[1:], {})]


def _show_warnings_as_the_tool() -> None:
    """Warnings of the tool are shown as it prints them, without a place in Python."""
    from splitgen.errors import SplitgenWarning
    shown = warnings.formatwarning
    warnings.formatwarning = lambda message, category, *place, **line: (
        "%s\n" % message if issubclass(category, SplitgenWarning) else shown(message, category, *place, **line))


def main() -> None:
    """Runs a command of the package, else becomes the program."""
    arguments = sys.argv[1:]
    if arguments and arguments[0] in ("verify", "bench", "tune", "place"):
        from splitgen import bench, place, tune, verify
        _show_warnings_as_the_tool()
        sys.exit({"verify": verify, "bench": bench, "tune": tune, "place": place}[arguments[0]].main(arguments[1:]))
    if arguments and arguments[0] == "compile" and not os.path.exists("compile"):
        sys.stderr.write("splitgen: error: there is no command 'compile'; write 'python -m splitgen generate FILE' for C, or "
                         "splitgen.compile(\"FILE\") in Python for kernels to call\n")
        sys.exit(2)
    arguments = _as_options(arguments)
    if sys.platform == "win32": # where exec starts another process and does not wait for it
        sys.exit(subprocess.call([str(EXECUTABLE), *arguments]))
    os.execv(EXECUTABLE, ["splitgen", *arguments])


if __name__ == "__main__":
    main()
