# Builds a user's project that has splitgen as a subdirectory, runs its program, changes the spec and
# runs it again.
file(REMOVE_RECURSE "${WORK_DIR}")
file(MAKE_DIRECTORY "${WORK_DIR}/project")

file(WRITE "${WORK_DIR}/project/qkv.lua" [[
return split {
  name    = "split_qkv",
  dtype   = "f32",
  shape   = { param("batch", 1), 12 },
  axis    = 1,
  lengths = { 4, 4, -1 },
  outputs = { "q", "k", "v" },
}
]])
file(WRITE "${WORK_DIR}/project/main.c" [[
#include <stdio.h>

#include "qkv.h"

int main(void)
{
    float data[SPLIT_QKV_DATA_ELEMENTS], q[SPLIT_QKV_Q_ELEMENTS], k[SPLIT_QKV_K_ELEMENTS],
        v[SPLIT_QKV_V_ELEMENTS];
    for (int i = 0; i < SPLIT_QKV_DATA_ELEMENTS; ++i) {
        data[i] = (float)i;
    }
    split_qkv(data, q, k, v);
    printf("%d %g %g\n", SPLIT_QKV_Q_ELEMENTS, (double)k[0], (double)v[SPLIT_QKV_V_ELEMENTS - 1]);
    return 0;
}
]])
file(WRITE "${WORK_DIR}/project/CMakeLists.txt" "
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C)
add_subdirectory(\"${SOURCE_DIR}\" splitgen)
splitgen_add_library(kernels SPECS qkv.lua DEFINES batch=8)
add_executable(app main.c)
target_link_libraries(app PRIVATE kernels)
add_library(shared SHARED part.c)
target_link_libraries(shared PRIVATE kernels)
")

# A shared library that takes in the kernels and what they need of the runtime.
file(WRITE "${WORK_DIR}/project/part.c" [[
#include "qkv.h"

splitgen_status part(const float *data, void *const outputs[]);

splitgen_status part(const float *data, void *const outputs[])
{
    return splitgen_run(&split_qkv_kernel, data, outputs);
}
]])

function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output
                    ERROR_VARIABLE output)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "${ARGN}: ${result}\n${output}")
    endif()
endfunction()

function(expect wanted)
    run("${CMAKE_COMMAND}" --build "${WORK_DIR}/build" --target app)
    execute_process(COMMAND "${WORK_DIR}/build/app" OUTPUT_VARIABLE output
                    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    if(NOT output STREQUAL wanted)
        message(FATAL_ERROR "the program prints '${output}', not '${wanted}'")
    endif()
endfunction()

# Compilers that make position-independent programs by default would hide that a library is not.
run("${CMAKE_COMMAND}" -S "${WORK_DIR}/project" -B "${WORK_DIR}/build" -G "${GENERATOR}"
    "-DCMAKE_C_COMPILER=${C_COMPILER}" -DCMAKE_C_FLAGS=-fno-pie -DCMAKE_EXE_LINKER_FLAGS=-no-pie)
expect("32 4 95")
run("${CMAKE_COMMAND}" --build "${WORK_DIR}/build" --target shared)

# A changed spec reaches the program.
file(READ "${WORK_DIR}/project/qkv.lua" spec)
string(REPLACE "{ 4, 4, -1 }" "{ 5, 4, -1 }" spec "${spec}")
file(WRITE "${WORK_DIR}/project/qkv.lua" "${spec}")
expect("40 5 95")
