"""python -m splitgen ARGUMENTS, and the script splitgen: runs the program, or a command of the package."""
import os
import subprocess
import sys
import warnings
from typing import List

from splitgen.paths import EXECUTABLE

# Commands that run the program with these options.
_OPTIONS = {"list": ["--list"], "generate": []}


_COMMANDS = {"generate": "print the C of a spec, a model or the notation", "list": "list the Splits and Concats of a model",
             "verify": "compare a model's kernels with ONNX Runtime", "bench": "measure kernels beside ONNX Runtime and NumPy",
             "place": "plan the buffers of a model, and check the plan"}


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
    if arguments and arguments[0] in ("verify", "bench", "place"):
        from splitgen import bench, place, verify
        _show_warnings_as_the_tool()
        sys.exit({"verify": verify, "bench": bench, "place": place}[arguments[0]].main(arguments[1:]))
    if arguments[:1] in (["--help"], ["-h"], ["help"]) and len(arguments) == 1:
        print("Commands of the package: python -m splitgen COMMAND --help\n" +
              "".join("  %-10s %s\n" % command for command in _COMMANDS.items()) + "\nWithout a command, the tool:\n", flush=True)
    elif arguments and not os.path.exists(arguments[0]) and arguments[0] not in _COMMANDS and arguments[0].isalpha():
        from splitgen.errors import near
        found = near(arguments[0], _COMMANDS)
        if found.startswith(";"):
            sys.stderr.write("splitgen: error: there is no command '%s'%s\n" % (arguments[0], found))
            sys.exit(2)
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
