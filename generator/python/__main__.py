"""python -m splitgen ARGUMENTS, and the script splitgen: runs the program, or a command of the package."""
import os
import subprocess
import sys
import warnings
from typing import List

from splitgen.paths import EXECUTABLE

# Commands that run the program with these options.
_OPTIONS = {"list": ["--list"], "generate": []}


def _as_options(arguments: List[str]) -> List[str]:
    """Converts the arguments of list and generate to the program's; others are unchanged."""
    if not arguments or arguments[0] not in _OPTIONS:
        return arguments
    from splitgen.verify import passed_on
    return [*_OPTIONS[arguments[0]], *passed_on(arguments[1:], {})]


def _show_warnings_as_the_tool() -> None:
    """Prints warnings of the tool as it prints them, without a place in Python."""
    from splitgen.errors import SplitgenWarning
    from splitgen.progress import visible
    shown = warnings.formatwarning
    warnings.formatwarning = lambda message, category, *place, **line: (
        "%s\n" % visible(str(message)) if issubclass(category, SplitgenWarning) else shown(message, category, *place, **line))


def main() -> None:
    """Runs a command of the package, or replaces this process by the program."""
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
    if sys.platform == "win32": # exec would start another process and not wait for it
        sys.exit(subprocess.call([str(EXECUTABLE), *arguments]))
    os.execv(EXECUTABLE, ["splitgen", *arguments])


if __name__ == "__main__":
    main()
