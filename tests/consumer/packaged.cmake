# Projects that use an installed splitgen whose tool and runtime are in two places; the runtime is also shared (built
# here, without the tool). Kernels of every type of library are installed and used by a third project, in C++ only, by
# another compiler (OTHER_COMPILER), under -fvisibility=hidden.
include("${CMAKE_CURRENT_LIST_DIR}/project.cmake")
set(tool_prefix "${WORK_DIR}/tool prefix")
set(prefix "${WORK_DIR}/runtime prefix")
run("${CMAKE_COMMAND}" --install "${BINARY_DIR}" --component tool --prefix "${tool_prefix}")
run("${CMAKE_COMMAND}" -S "${SOURCE_DIR}" -B "${WORK_DIR}/runtime" -G "${GENERATOR}"
    "-DCMAKE_C_COMPILER=${C_COMPILER}" -DSPLITGEN_BUILD_GENERATOR=OFF -DSPLITGEN_SHARED_RUNTIME=ON)
run("${CMAKE_COMMAND}" --build "${WORK_DIR}/runtime")
run("${CMAKE_COMMAND}" --install "${WORK_DIR}/runtime" --prefix "${prefix}")
run(nm -D --defined-only "${prefix}/lib/libsplitgen_runtime.so")
if(NOT OUTPUT MATCHES " T splitgen_run\n" OR OUTPUT MATCHES " T [a-rt-z_]")
    message(FATAL_ERROR "the shared runtime exports:\n${OUTPUT}")
endif()
if(OTHER_COMPILER)
    set(C_COMPILER "${OTHER_COMPILER}")
endif()

# The user's own package, with kernels in the folder part/ of its headers, and programs of all types.
file(READ "${WORK_DIR}/project/main.c" main)
string(REPLACE "\"qkv.h\"" "\"part/qkv.h\"" main "${main}")
string(REPLACE "SPLIT_QKV" "MY_SPLIT_QKV" main "${main}")
string(REPLACE "&split_qkv" "&my_split_qkv" main "${main}")
file(WRITE "${WORK_DIR}/project/main.c" "${main}")
file(WRITE "${WORK_DIR}/project/rgb.onnxtxt" [[
<ir_version: 10, opset_import: ["" : 18]>
net (float[batch, 3] x) => (r, g, b)
{
  r, g, b = Split <axis = 1, num_outputs = 3> (x)
}
]])
file(WRITE "${WORK_DIR}/project/open.onnxtxt" [[
<ir_version: 10, opset_import: ["" : 18]>
net (float[batch, 4, time] x) => (a, b, c, d)
<int64[1] n0 = {0}, int64[1] n1 = {1}, int64[1] n4 = {4}>
{
  [cut] a, b = Split <axis = 1, num_outputs = 2> (x)
  [low] c = Slice (x, n0, n1, n1)
  [high] d = Slice (x, n1, n4, n1)
}
]])
file(WRITE "${WORK_DIR}/project/plain.lua" "return split { dtype = 'u8', shape = { 4 }, parts = 2 }\n")
file(WRITE "${WORK_DIR}/project/CMakeLists.txt" [[
cmake_minimum_required(VERSION 3.22)
project(user LANGUAGES NONE)
find_package(splitgen 0.3 REQUIRED)
foreach(type STATIC SHARED OBJECT)
    splitgen_add_library(kernels_${type} ${type} SPECS qkv.lua plain.lua MODELS rgb.onnxtxt SHAPES x=8,3
                         DEFINES batch=8 PREFIX my_ HEADER_DIR part ISA portable avx2 UNROLL none
                         OPTIONS --non-temporal=never)
    add_executable(app_${type} main.c)
    target_link_libraries(app_${type} PRIVATE kernels_${type})
endforeach()
splitgen_add_library(views SPECS plain.lua PREFIX view_ VIEWS constants)
splitgen_add_library(opened MODELS open.onnxtxt PREFIX all_ OPEN OPS split slice)
splitgen_add_library(one_opened MODELS open.onnxtxt PREFIX one_ OPEN batch=8 DEFINES time=5)
include(GNUInstallDirs)
install(TARGETS kernels_STATIC kernels_SHARED EXPORT user PUBLIC_HEADER DESTINATION include/part)
install(EXPORT user NAMESPACE user:: DESTINATION lib/cmake/user FILE user-targets.cmake)
file(WRITE "${CMAKE_BINARY_DIR}/user-config.cmake" "include(CMakeFindDependencyMacro)
find_dependency(splitgen)
include(\"\${CMAKE_CURRENT_LIST_DIR}/user-targets.cmake\")
")
install(FILES "${CMAKE_BINARY_DIR}/user-config.cmake" DESTINATION lib/cmake/user)
]])
foreach(runtime OFF ON)
    set(flags "-Dsplitgen_ROOT=${prefix}" "-DCMAKE_PREFIX_PATH=${tool_prefix}"
              "-DCMAKE_C_FLAGS=-fvisibility=hidden"
              -DSPLITGEN_SHARED_RUNTIME=${runtime})
    configure(user_${runtime} project ${flags})
    run("${CMAKE_COMMAND}" --build "${WORK_DIR}/user_${runtime}")
    if(OUTPUT MATCHES "warning")
        # plain.lua reads no batch, which is no error beside one that does.
        message(FATAL_ERROR "the build warns: ${OUTPUT}")
    endif()
    file(READ "${WORK_DIR}/user_${runtime}/views.splitgen/include/plain.h" header)
    if(NOT header MATCHES "VIEW_PLAIN_OUT1_BYTE_OFFSET 2" OR header MATCHES "void ")
        message(FATAL_ERROR "VIEWS constants: ${header}")
    endif()
    file(READ "${WORK_DIR}/user_${runtime}/opened.splitgen/include/open.h" header)
    if(NOT header MATCHES "void all_cut\\([^)]*size_t batch,[ \n]*size_t time\\)" OR NOT header MATCHES "void all_x\\(")
        message(FATAL_ERROR "OPEN, OPS split slice: ${header}")
    endif()
    file(READ "${WORK_DIR}/user_${runtime}/one_opened.splitgen/include/open.h" header)
    if(NOT header MATCHES "void one_cut\\([^)]*[(]*size_t batch\\)" OR header MATCHES "void one_x\\(")
        message(FATAL_ERROR "OPEN batch=8: ${header}")
    endif()
    foreach(type STATIC SHARED OBJECT)
        expect(user_${runtime} app_${type} "${UNCHANGED}")
    endforeach()
endforeach()
if(PYTHON)
    # Under -fvisibility=hidden only the kernels are visible from outside.
    run("${PYTHON}" -c "import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
data, q, k, v = [(ctypes.c_float * n)() for n in (96, 32, 32, 32)]
data[:] = range(96)
library.my_split_qkv(data, q, k, v)
print(q[4], k[0], v[31])" "${WORK_DIR}/user_ON/libkernels_SHARED.so")
    expect_text("the shared library from Python" "${OUTPUT}" "12.0 4.0 95.0\n")
endif()
set(user_prefix "${WORK_DIR}/user prefix")
run("${CMAKE_COMMAND}" --install "${WORK_DIR}/user_OFF" --prefix "${user_prefix}")

# 50 kernels in a shared library with the runtime, under -fvisibility=hidden, by each compiler: all are called from
# Python. A program keeps only the kernel it calls of 20 in one file: by sections, and by link-time optimisation.
file(WRITE "${WORK_DIR}/many/many.lua" [[
local all = {}
for i = 1, param("kernels", 20) do
  all[i] = split { name = "kernel_" .. i, dtype = "u8", shape = { 512, i + 2 }, axis = -1,
                   lengths = { 1, i, 1 } }
end
return all
]])
file(WRITE "${WORK_DIR}/many/main.c" [[
#include "many.h"

int main(int argc, char **argv)
{
    (void)argv;
    void *outputs[3] = {0};
    return argc > 1 && splitgen_run(&kernel_3_kernel, argv, outputs) != SPLITGEN_OK;
}
]])
# A model whose batch is open: the program passes it.
file(COPY "${WORK_DIR}/project/rgb.onnxtxt" DESTINATION "${WORK_DIR}/many")
file(WRITE "${WORK_DIR}/many/any.c" [[
#include "rgb.h"
#include <stdio.h>

int main(int argc, char **argv)
{
    const float data[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    float red[3] = {0}, green[3] = {0}, blue[3] = {0};
    void *outputs[] = {red, green, blue};
    const size_t batch = (size_t)argc - 1;

    (void)argv;
    printf("%s %zu:", splitgen_status_text(splitgen_run_n(&r_kernel, data, outputs, batch)), batch);
    printf(" %g %g %g, %g %g %g, %g %g %g\n", red[0], red[1], red[2], green[0], green[1], green[2], blue[0],
           blue[1], blue[2]);
    return r_kernel.free->numbers[0].expected != 64;
}
]])
file(WRITE "${WORK_DIR}/many/CMakeLists.txt" [[
cmake_minimum_required(VERSION 3.22)
project(many LANGUAGES C)
find_package(splitgen REQUIRED)
include(CheckIPOSupported)
check_ipo_supported(RESULT has_lto OUTPUT why LANGUAGES C)
splitgen_add_library(many SHARED SPECS many.lua DEFINES kernels=50 ISA portable)
splitgen_add_library(kernels SPECS many.lua)
splitgen_add_library(any_batch MODELS rgb.onnxtxt DEFINES batch=free:64)
add_executable(any any.c)
target_link_libraries(any PRIVATE any_batch)
foreach(program every one)
    add_executable(${program} main.c)
    target_link_libraries(${program} PRIVATE kernels)
endforeach()
target_link_options(one PRIVATE -Wl,--gc-sections)
if(has_lto)
    splitgen_add_library(kernels_lto SPECS many.lua SHARDS 3)
    add_executable(lto main.c)
    target_link_libraries(lto PRIVATE kernels_lto)
    set_target_properties(kernels_lto lto PROPERTIES INTERPROCEDURAL_OPTIMIZATION ON)
endif()
]])
file(WRITE "${WORK_DIR}/many/call.py" [[
import ctypes, random, sys
library = ctypes.CDLL(sys.argv[1])
right = 0
for i in range(1, 51):
    width, rows = i + 2, 512
    data = random.Random(i).randbytes(rows * width)
    ends = ((0, 1), (1, i + 1), (i + 1, width))
    outputs = [(ctypes.c_char * (rows * (end - start)))() for start, end in ends]
    getattr(library, f"kernel_{i}")(data, *outputs)
    right += all(out.raw == b"".join(data[row * width + start:row * width + end] for row in range(rows))
                 for out, (start, end) in zip(outputs, ends))
print(right)
]])
set(flags "-Dsplitgen_ROOT=${prefix}" "-DCMAKE_PREFIX_PATH=${tool_prefix}" "-DCMAKE_C_FLAGS=-fvisibility=hidden")
set(compilers "${C_COMPILER}" "${BUILD_COMPILER}") # programs by the last only: clang's -flto needs a linker of its own
if(NOT EXHAUSTIVE)
    set(compilers "${BUILD_COMPILER}")
endif()
list(REMOVE_DUPLICATES compilers)
foreach(C_COMPILER IN LISTS compilers)
    get_filename_component(name "${C_COMPILER}" NAME)
    configure(many_${name} many ${flags})
    run("${CMAKE_COMMAND}" --build "${WORK_DIR}/many_${name}" --target many)
    run(nm -D --defined-only "${WORK_DIR}/many_${name}/libmany.so")
    string(REGEX REPLACE "[^\n]* [A-Z] (kernel_[0-9]+(_run|_kernel|_rows|)|splitgen_[a-z_]+)\n" "" others "${OUTPUT}")
    expect_text("what the library of ${name} exports besides" "${others}" "")
    if(PYTHON)
        run("${PYTHON}" "${WORK_DIR}/many/call.py" "${WORK_DIR}/many_${name}/libmany.so")
        expect_text("right of 50 kernels in the library of ${name}" "${OUTPUT}" "50\n")
    endif()
endforeach()
set(C_COMPILER "${BUILD_COMPILER}")
set(built "${WORK_DIR}/many_${name}")
run("${CMAKE_COMMAND}" --build "${built}")
run("${built}/any" one two)
expect_text("the kernel for any batch, called for 2" "${OUTPUT}" "success 2: 1 4 0, 2 5 0, 3 6 0\n")
run("${built}/any" one two three)
expect_text("the kernel for any batch, called for 3" "${OUTPUT}" "success 3: 1 4 7, 2 5 8, 3 6 9\n")
# loaded(<result> <program>): bytes of its code and data, without the padding to full pages in its file
function(loaded result program)
    run(size "${program}")
    string(REGEX MATCH "\n *([0-9]+)[ \t]+([0-9]+)" found "${OUTPUT}")
    math(EXPR bytes "${CMAKE_MATCH_1} + ${CMAKE_MATCH_2}")
    set(${result} "${bytes}" PARENT_SCOPE)
endfunction()

# Index vectors that a compiler pools over the kernels of a file remain (gcc 12: 18 KiB of these 20 kernels' 108).
loaded(every "${built}/every")
math(EXPR third "${every} / 3")
set(sizes "20 kernels, one of them called: ${every} bytes")
foreach(program one lto)
    if(program STREQUAL "lto" AND NOT EXISTS "${built}/lto")
        message("left out: optimisation at link time, which ${C_COMPILER} cannot do here")
        continue()
    endif()
    run("${built}/${program}")
    run(nm "${built}/${program}")
    string(REGEX MATCHALL "kernel_[0-9]+" kernels "${OUTPUT}")
    list(REMOVE_DUPLICATES kernels)
    expect_text("the kernels in ${program}" "${kernels}" "kernel_3")
    loaded(size "${built}/${program}")
    string(APPEND sizes ", ${program} ${size}")
    if(size GREATER third)
        message(FATAL_ERROR "unused kernels are not dropped: ${sizes}")
    endif()
endforeach()
message("${sizes} (one: --gc-sections, lto: -flto alone)")

# In one program, and with their headers in one file: the unchanged qkv.lua of two folders; one spec at two batch sizes;
# and two models with equally named nodes, each with a prefix.
foreach(folder left right)
    file(WRITE "${WORK_DIR}/together/${folder}/qkv.lua"
         "return split { name = '${folder}', dtype = 'u8', shape = { 4 }, parts = 2 }\n")
endforeach()
file(COPY "${WORK_DIR}/project/qkv.lua" DESTINATION "${WORK_DIR}/together")
# Headers of the system are not replaced by specs of the same name.
foreach(stem stdio String)
    file(WRITE "${WORK_DIR}/together/${stem}.lua"
         "return split { name = 'of_${stem}', dtype = 'u8', shape = { 4 }, parts = 2 }\n")
endforeach()
foreach(size 4 6)
    file(WRITE "${WORK_DIR}/together/net${size}/net.onnxtxt" "
<ir_version: 10, opset_import: [\"\" : 18]>
net (float[${size}] x) => (a, b)
{
  [\"/head/Split\"] a, b = Split <axis = 0, num_outputs = 2> (x)
}
")
endforeach()
file(WRITE "${WORK_DIR}/together/CMakeLists.txt" [[
cmake_minimum_required(VERSION 3.22)
project(together LANGUAGES C)
find_package(splitgen REQUIRED)
splitgen_add_library(left SPECS left/qkv.lua HEADER_DIR left)
splitgen_add_library(right SPECS right/qkv.lua HEADER_DIR right)
splitgen_add_library(named SPECS stdio.lua String.lua)
foreach(batch 1 8)
    splitgen_add_library(qkv${batch} SPECS qkv.lua DEFINES batch=${batch} PREFIX b${batch}_ HEADER_DIR batch${batch})
endforeach()
foreach(size 4 6)
    splitgen_add_library(net${size} MODELS net${size}/net.onnxtxt PREFIX net${size}_ HEADER_DIR net${size})
    add_custom_command(OUTPUT net${size}/net_registry.c MAIN_DEPENDENCY net${size}/net.onnxtxt VERBATIM
                       COMMAND splitgen::splitgen --emit=registry --prefix net${size}_ -o net${size}/
                               "${CMAKE_CURRENT_SOURCE_DIR}/net${size}/net.onnxtxt")
endforeach()
add_executable(together main.c net4/net_registry.c net6/net_registry.c)
target_link_libraries(together PRIVATE named left right qkv1 qkv8 net4 net6)
]])
file(WRITE "${WORK_DIR}/together/main.c" [[
#include <stdio.h>

#include "batch1/qkv.h"
#include "batch8/qkv.h"
#include "left/qkv.h"
#include "net4/net.h"
#include "net6/net.h"
#include "right/qkv.h"
#include "String_splits.h"
#include "stdio_splits.h"

int main(void)
{
    const unsigned char bytes[4] = {1, 2, 3, 4};
    const float x[6] = {1, 2, 3, 4, 5, 6};
    unsigned char a[2], b[2], c[2], d[2];
    float p[2], q[2], r[3], s[3];
    of_String(bytes, a, b);
    of_stdio(bytes, a, b);
    left(bytes, a, b);
    right(bytes, c, d);
    net4_head_Split(x, p, q);
    net6_head_Split(x, r, s);
    printf("%d %d %g %g %d %d\n", b[0], d[1], (double)q[0], (double)s[0], B1_SPLIT_QKV_DATA_ELEMENTS,
           B8_SPLIT_QKV_DATA_ELEMENTS);
    return b1_split_qkv_kernel.split == b8_split_qkv_kernel.split ||
           splitgen_find(&net4_net_registry, "/head/Split") != &net4_head_Split_kernel ||
           splitgen_find(&net6_net_registry, "/head/Split") != &net6_head_Split_kernel;
}
]])
configure(together_build together "-Dsplitgen_ROOT=${prefix}" "-DCMAKE_PREFIX_PATH=${tool_prefix}"
          "-DCMAKE_C_FLAGS=-Wall -Wextra -Werror")
expect(together_build together "3 4 3 4 12 96")

# The third project has no splitgen tool, and is C++.
file(MAKE_DIRECTORY "${WORK_DIR}/third")
file(COPY_FILE "${WORK_DIR}/project/main.c" "${WORK_DIR}/third/main.cpp")
file(WRITE "${WORK_DIR}/third/CMakeLists.txt" [[
cmake_minimum_required(VERSION 3.22)
project(third LANGUAGES CXX)
find_package(user REQUIRED)
foreach(type STATIC SHARED)
    add_executable(third_${type} main.cpp)
    target_link_libraries(third_${type} PRIVATE user::kernels_${type})
endforeach()
]])
run("${CMAKE_COMMAND}" -S "${WORK_DIR}/third" -B "${WORK_DIR}/third_build" -G "${GENERATOR}"
    "-Dsplitgen_ROOT=${prefix}" "-DCMAKE_PREFIX_PATH=${user_prefix}")
expect(third_build third_STATIC "${UNCHANGED}")
expect(third_build third_SHARED "${UNCHANGED}")
