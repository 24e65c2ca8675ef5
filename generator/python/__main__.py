"""python -m splitgen ARGUMENTS, and the script splitgen: becomes the program."""
import os
import sys

from splitgen import EXECUTABLE


def main():
    os.execv(EXECUTABLE, ["splitgen", *sys.argv[1:]])


if __name__ == "__main__":
    main()
