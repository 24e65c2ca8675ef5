"""splitgen by pip: in a fresh virtual environment, the tool on PATH needs no library of the system, and projects find
the package's runtime and CMake package. One of the projects is itself a Python package."""
import pathlib

from packages import venv
from testing import SOURCE, exactly, expect_text, given, regex, without_match

SPEC = """return split {
  name    = "split_qkv",
  dtype   = "f32",
  shape   = { param("batch", 1), 12 },
  axis    = 1,
  lengths = { 4, 4, -1 },
  outputs = { "q", "k", "v" },
}
"""
CALL = """import sys
import numpy as np
sys.path.insert(0, sys.argv[1])
split_qkv = __import__(sys.argv[2], fromlist=["split_qkv"]).split_qkv
data = np.arange(96, dtype=np.float32).reshape(8, 12)
result = split_qkv(data)
assert all((a == b).all() for a, b in zip(result, np.split(data, [4, 8], 1)))
assert np.shares_memory(split_qkv.views(data).k, data)
print(result.k[0, 0])
"""
BY_HAND = """import os, subprocess, splitgen
subprocess.run([splitgen.EXECUTABLE, '-D', 'batch=8', '--emit=c,py', '-o', 'by_hand/', 'project/qkv.lua'], check=True)
subprocess.run([os.environ['CC'], '-O2', '-shared', '-fPIC', 'by_hand/qkv.c', '-I', splitgen.INCLUDE_DIR,
                *splitgen.RUNTIME_SOURCES, '-o', 'by_hand/libqkv.so'], check=True)
"""
API = """import os, numpy as np, splitgen
k = splitgen.compile('rgb: u8[4,5,3] @2 -> r:1 g:1 b:1', cache=os.path.abspath('cache'))
image = np.arange(60, dtype=np.uint8).reshape(4, 5, 3)
assert (k.rgb(image).g == image[:, :, 1:2]).all()
print(sum(splitgen.list('a: u8[4] -> x:1 y:3')[0]['lengths']))
"""
LISTS = """cmake_minimum_required(VERSION 3.22)
project(user LANGUAGES C)
find_package(splitgen 0.3 REQUIRED)
splitgen_add_library(kernels SHARED SPECS qkv.lua DEFINES batch=8)
set_target_properties(kernels PROPERTIES OUTPUT_NAME qkv)
add_custom_command(OUTPUT qkv.py BYPRODUCTS splitgen_arrays.py DEPENDS qkv.lua splitgen::splitgen VERBATIM
    COMMAND splitgen::splitgen -D batch=8 "${CMAKE_CURRENT_SOURCE_DIR}/qkv.lua" -o qkv.py)
add_custom_target(module ALL DEPENDS qkv.py)
install(TARGETS kernels LIBRARY DESTINATION user)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/qkv.py" "${CMAKE_CURRENT_BINARY_DIR}/splitgen_arrays.py" DESTINATION user)
"""
PYPROJECT = """[build-system]
requires = ["scikit-build-core", "splitgen"]
build-backend = "scikit_build_core.build"
[project]
name = "user"
version = "1"
"""


def test_the_package(work):
    python = pathlib.Path(venv(work / "venv", "scikit-build-core"))  # NumPy is installed with the package
    work.env.update(CC=given["cc"], PATH=f"{python.parent}:{work.env['PATH']}")

    def run(*arguments, **more):
        return work.run([python, *arguments], **more).out

    def called(folder, module):
        run("elsewhere/call.py", folder, module, out=exactly("4.0\n"))

    run("-m", "pip", "install", "-q", SOURCE)
    work.run([python.parent / "splitgen", "--version"], out=regex(f"^splitgen {given['version']}\n"))
    run("-c", "from importlib.metadata import metadata\nprint(metadata('splitgen')['Author'])",
        out=exactly("the splitgen authors\n"))
    tool = run("-c", "from splitgen import EXECUTABLE\nprint(EXECUTABLE)").strip()
    work.run(["ldd", tool], None, without_match("lua|expat|nettle"))
    run("-m", "splitgen", "none.lua", exit=[1, 2, 3], err="cannot read")

    for name, text in {"elsewhere/call.py": CALL, "by_hand/make.py": BY_HAND, "api.py": API, "project/qkv.lua": SPEC,
                       "project/CMakeLists.txt": LISTS, "project/pyproject.toml": PYPROJECT}.items():
        work.write(name, text)
    # By hand, with a compiler and the paths that the package provides; by the package itself, from the wheel alone.
    run("by_hand/make.py")
    called("by_hand", "qkv")
    run("api.py", out=exactly("4\n"))
    # By CMake: given the path of the package, and as a build requirement of a package that scikit-build-core builds.
    folder = run("-m", "splitgen", "--print-cmake-dir").strip()
    work.run(["cmake", "-S", "project", "-B", "build", "-G", given["generator"], f"-DCMAKE_C_COMPILER={given['cc']}",
              f"-Dsplitgen_DIR={folder}"])
    work.run("cmake --build build")
    called("build", "qkv")
    run("-m", "pip", "install", "-q", "--no-build-isolation", "./project")
    called("elsewhere", "user.qkv")
    # Uninstalling removes everything but Python's own files.
    run("-m", "pip", "uninstall", "-q", "-y", "splitgen")
    left = [path for pattern in ("lib/*/site-packages/splitgen*/**/*", "bin/splitgen")
            for path in (work / "venv").glob(pattern) if path.is_file() and "__pycache__" not in path.parts]
    expect_text("left behind", "\n".join(map(str, left)), "")
