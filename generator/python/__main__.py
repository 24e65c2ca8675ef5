"""python -m splitgen ARGUMENTS, and the script splitgen: become the program, but for the commands verify and bench."""
import os
import subprocess
import sys

from splitgen.paths import EXECUTABLE


def main() -> None:
    """Runs a command of the package, else becomes the program."""
    if len(sys.argv) > 1 and sys.argv[1] in ("verify", "bench"):
        from splitgen import bench, verify
        sys.exit({"verify": verify, "bench": bench}[sys.argv[1]].main(sys.argv[2:]))
    if sys.platform == "win32": # where exec starts another process and does not wait for it
        sys.exit(subprocess.call([str(EXECUTABLE), *sys.argv[1:]]))
    os.execv(EXECUTABLE, ["splitgen", *sys.argv[1:]])


if __name__ == "__main__":
    main()
