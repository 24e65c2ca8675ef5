"""Where the parts of splitgen are, for builds that got it by pip. The kernels' own Python modules need
none of this.

    cc -O2 -shared -fPIC qkv.c -I INCLUDE_DIR RUNTIME_SOURCES... -o libqkv.so
"""
import pathlib

_PREFIX = pathlib.Path(__file__).resolve().parent

EXECUTABLE = _PREFIX / "bin" / "splitgen"
INCLUDE_DIR = _PREFIX / "include"
CMAKE_DIR = _PREFIX / "lib" / "cmake" / "splitgen"
RUNTIME_SOURCES = sorted((_PREFIX / "share" / "splitgen" / "runtime").glob("*.c"))
