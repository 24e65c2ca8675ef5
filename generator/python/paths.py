"""The locations of splitgen's parts in the package."""
import pathlib
import re
import sys

_PREFIX = pathlib.Path(__file__).resolve().parent

EXECUTABLE = _PREFIX / "bin" / ("splitgen.exe" if sys.platform == "win32" else "splitgen")
INCLUDE_DIR = _PREFIX / "include"
CMAKE_DIR = _PREFIX / "lib" / "cmake" / "splitgen"
RUNTIME_SOURCES = sorted((_PREFIX / "share" / "splitgen" / "runtime").glob("*.c"))

_DEFINED = re.search(r'define SPLITGEN_VERSION\s+"([0-9.]+)"', (INCLUDE_DIR / "splitgen" / "splitgen.h").read_text())
VERSION = _DEFINED.group(1) if _DEFINED else ""
