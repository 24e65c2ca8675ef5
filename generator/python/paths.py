"""Where the parts of splitgen lie in the package."""
import pathlib
import sys

_PREFIX = pathlib.Path(__file__).resolve().parent

EXECUTABLE = _PREFIX / "bin" / ("splitgen.exe" if sys.platform == "win32" else "splitgen")
INCLUDE_DIR = _PREFIX / "include"
CMAKE_DIR = _PREFIX / "lib" / "cmake" / "splitgen"
RUNTIME_SOURCES = sorted((_PREFIX / "share" / "splitgen" / "runtime").glob("*.c"))
