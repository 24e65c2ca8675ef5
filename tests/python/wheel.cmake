# splitgen by pip: in a fresh virtual environment (WORK), the tool on PATH needs no library of the system, and projects
# find the package's runtime and CMake package. One of the projects is itself a Python package.
include("${CMAKE_CURRENT_LIST_DIR}/../consumer/project.cmake")
set(WORK "${WORK_DIR}")
include("${CMAKE_CURRENT_LIST_DIR}/../support/venv.cmake")
venv(scikit-build-core) # NumPy is installed with the package
if(skipped)
    return()
endif()
run("${python}" -m pip install -q "${SOURCE_DIR}")

set(ENV{PATH} "${WORK}/venv/bin:$ENV{PATH}")
set(ENV{CC} "${C_COMPILER}")
run(splitgen --version)
if(NOT OUTPUT MATCHES "^splitgen ${VERSION}\n")
    message(FATAL_ERROR "the tool is not of version ${VERSION}: ${OUTPUT}")
endif()
run("${python}" -c "from importlib.metadata import metadata\nprint(metadata('splitgen')['Author'])")
expect_text("the author" "${OUTPUT}" "the splitgen authors\n")
run("${python}" -c "from splitgen import EXECUTABLE\nprint(EXECUTABLE)")
string(STRIP "${OUTPUT}" tool)
run(ldd "${tool}")
if(OUTPUT MATCHES "lua|expat|nettle")
    message(FATAL_ERROR "the tool needs libraries of the system:\n${OUTPUT}")
endif()
must_fail("cannot read" "${python}" -m splitgen none.lua)

set(call "data = np.arange(96, dtype=np.float32).reshape(8, 12)
result = split_qkv(data)
assert all((a == b).all() for a, b in zip(result, np.split(data, [4, 8], 1)))
assert np.shares_memory(split_qkv.views(data).k, data)
print(result.k[0, 0])
")
# called(<folder of the module> <lines before the call>)
function(called folder import)
    file(MAKE_DIRECTORY "${WORK}/elsewhere")
    file(WRITE "${WORK}/elsewhere/call.py" "import sys\nimport numpy as np\nsys.path.insert(0, '${folder}')\n${import}\n${call}")
    run("${python}" "${WORK}/elsewhere/call.py")
    expect_text("the kernel" "${OUTPUT}" "4.0\n")
endfunction()

# By hand, with a compiler and the paths that the package provides.
file(WRITE "${WORK}/by_hand/make.py" "import os, subprocess, splitgen
subprocess.run([splitgen.EXECUTABLE, '-D', 'batch=8', '--emit=c,py', '-o', '${WORK}/by_hand/', '${WORK}/project/qkv.lua'], check=True)
subprocess.run([os.environ['CC'], '-O2', '-shared', '-fPIC', '${WORK}/by_hand/qkv.c', '-I', splitgen.INCLUDE_DIR,
                *splitgen.RUNTIME_SOURCES, '-o', '${WORK}/by_hand/libqkv.so'], check=True)
")
run("${python}" "${WORK}/by_hand/make.py")
called("${WORK}/by_hand" "from qkv import split_qkv")

# By the package itself, from the wheel alone.
file(WRITE "${WORK}/api.py" "import numpy as np, splitgen
k = splitgen.compile('rgb: u8[4,5,3] @2 -> r:1 g:1 b:1', cache='${WORK}/cache')
image = np.arange(60, dtype=np.uint8).reshape(4, 5, 3)
assert (k.rgb(image).g == image[:, :, 1:2]).all()
print(sum(splitgen.list('a: u8[4] -> x:1 y:3')[0]['lengths']))
")
run("${python}" "${WORK}/api.py")
expect_text("compile() and list()" "${OUTPUT}" "4\n")

# By CMake: given the path of the package, and as a build requirement of a package that scikit-build-core builds.
file(WRITE "${WORK}/project/CMakeLists.txt" [[
cmake_minimum_required(VERSION 3.22)
project(user LANGUAGES C)
find_package(splitgen 0.3 REQUIRED)
splitgen_add_library(kernels SHARED SPECS qkv.lua DEFINES batch=8)
set_target_properties(kernels PROPERTIES OUTPUT_NAME qkv)
add_custom_command(OUTPUT qkv.py BYPRODUCTS splitgen_arrays.py DEPENDS qkv.lua splitgen::splitgen VERBATIM
    COMMAND splitgen::splitgen -D batch=8 "${CMAKE_CURRENT_SOURCE_DIR}/qkv.lua" -o qkv.py)
add_custom_target(module ALL DEPENDS qkv.py)
install(TARGETS kernels LIBRARY DESTINATION user)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/qkv.py" "${CMAKE_CURRENT_BINARY_DIR}/splitgen_arrays.py" DESTINATION user)
]])
file(WRITE "${WORK}/project/pyproject.toml" [[
[build-system]
requires = ["scikit-build-core", "splitgen"]
build-backend = "scikit_build_core.build"
[project]
name = "user"
version = "1"
]])
run("${python}" -m splitgen --print-cmake-dir)
string(STRIP "${OUTPUT}" dir)
configure(build project "-Dsplitgen_DIR=${dir}")
run("${CMAKE_COMMAND}" --build "${WORK}/build")
called("${WORK}/build" "from qkv import split_qkv")
run("${python}" -m pip install -q --no-build-isolation "${WORK}/project")
called("${WORK}/elsewhere" "from user.qkv import split_qkv")

# Uninstalling removes everything.
run("${python}" -m pip uninstall -q -y splitgen)
file(GLOB_RECURSE left "${WORK}/venv/lib/*/site-packages/splitgen*/*" "${WORK}/venv/bin/splitgen")
list(FILTER left EXCLUDE REGEX "__pycache__") # Python's own
expect_text("left behind" "${left}" "")
