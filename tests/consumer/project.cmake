# A project as a user writes it, and the steps of its tests. Variables of the caller:
#   WORK_DIR      scratch folder, created anew
#   SOURCE_DIR, BINARY_DIR   splitgen's sources and this build of it
#   GENERATOR, C_COMPILER
cmake_minimum_required(VERSION 3.22)
set(BUILD_COMPILER "${C_COMPILER}") # of this build, even where a test takes another one
file(REMOVE_RECURSE "${WORK_DIR}")
file(MAKE_DIRECTORY "${WORK_DIR}/project")

# known_compiler(<command>...): a new build folder of a project with BUILD_COMPILER starts with what this build of splitgen
# knows of it, because CMake takes longer to examine a compiler than for everything else in most of these projects.
function(known_compiler)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "-B" "")
    set(known "CMakeFiles/${CMAKE_VERSION}")
    if(DEFINED arg_-B AND "-DCMAKE_C_COMPILER=${BUILD_COMPILER}" IN_LIST ARGN AND NOT EXISTS "${arg_-B}/CMakeFiles")
        file(COPY "${BINARY_DIR}/${known}/CMakeCCompiler.cmake" "${BINARY_DIR}/${known}/CMakeSystem.cmake"
             DESTINATION "${arg_-B}/${known}")
    endif()
endfunction()

# run(<command>...): it must succeed; its output is in OUTPUT.
function(run)
    known_compiler(${ARGN})
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT result EQUAL 0)
        list(JOIN ARGN " " command)
        message(FATAL_ERROR "${command}: ${result}\n${output}")
    endif()
    set(OUTPUT "${output}" PARENT_SCOPE)
endfunction()

# must_fail(<words> <command>...): it must fail and print the words, regardless of line breaks.
function(must_fail words)
    known_compiler(${ARGN})
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    string(REGEX REPLACE "[ \n]+" " " text "${output}")
    string(FIND "${text}" "${words}" place)
    if(result EQUAL 0 OR place EQUAL -1)
        message(FATAL_ERROR "should fail with: ${words}\nbut ended with ${result} and said:\n${output}")
    endif()
endfunction()

# expect_text(<what> <actual> <wanted>)
function(expect_text what is wanted)
    if(NOT is STREQUAL wanted)
        message(FATAL_ERROR "${what}: '${is}' instead of '${wanted}'")
    endif()
endfunction()

# configure(<build folder> <source folder> <argument>...), in WORK_DIR
function(configure build source)
    run("${CMAKE_COMMAND}" -S "${WORK_DIR}/${source}" -B "${WORK_DIR}/${build}" -G "${GENERATOR}"
        "-DCMAKE_C_COMPILER=${C_COMPILER}" ${ARGN})
endfunction()

# expect(<build folder> <program> <output>): builds everything, runs the program.
function(expect build program wanted)
    run("${CMAKE_COMMAND}" --build "${WORK_DIR}/${build}")
    run("${WORK_DIR}/${build}/${program}")
    expect_text("${build}/${program}" "${OUTPUT}" "${wanted}\n")
endfunction()

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
    void *const outputs[] = {q, k, v};
    for (int i = 0; i < SPLIT_QKV_DATA_ELEMENTS; ++i) {
        data[i] = (float)i;
    }
    if (splitgen_run(&split_qkv_kernel, data, outputs) != SPLITGEN_OK) {
        return 1;
    }
    printf("%d %g %g\n", SPLIT_QKV_Q_ELEMENTS, (double)k[0], (double)v[SPLIT_QKV_V_ELEMENTS - 1]);
    return 0;
}
]])
# A shared library that contains the kernels and the runtime code they need.
file(WRITE "${WORK_DIR}/project/part.c" [[
#include "qkv.h"

splitgen_status part(const float *data, void *const outputs[]);

splitgen_status part(const float *data, void *const outputs[])
{
    return splitgen_run(&split_qkv_kernel, data, outputs);
}
]])

# write_project(<how to get splitgen> [<languages> [<more lines>]])
function(write_project get)
    set(languages C)
    if(ARGC GREATER 1)
        set(languages "${ARGV1}")
    endif()
    file(WRITE "${WORK_DIR}/project/CMakeLists.txt" "
cmake_minimum_required(VERSION 3.16)
project(user LANGUAGES ${languages})
${get}
splitgen_add_library(kernels SPECS qkv.lua DEFINES batch=8)
add_executable(app main.c)
target_link_libraries(app PRIVATE kernels)
add_library(shared SHARED part.c)
target_link_libraries(shared PRIVATE kernels)
${ARGV2}
")
endfunction()

# The output of the program in an unchanged project.
set(UNCHANGED "32 4 95")
