# Checks that clang-format would change nothing in our C files. Test cases (golden output and similar) are data and are
# not checked.
cmake_minimum_required(VERSION 3.25)

if(NOT CLANG_FORMAT)
    message(STATUS "SKIPPED: clang-format is not installed")
    return()
endif()
# Other versions format differently, so one version is required.
set(made_with 14)
execute_process(COMMAND "${CLANG_FORMAT}" --version OUTPUT_VARIABLE version)
string(REGEX REPLACE ".*version ([0-9]+).*" "\\1" version "${version}")
if(NOT version EQUAL made_with)
    message(STATUS "SKIPPED: the files are formatted by clang-format ${made_with}; this is ${version}")
    return()
endif()
file(GLOB_RECURSE files RELATIVE "${ROOT}"
     "${ROOT}/generator/*.[ch]" "${ROOT}/runtime/*.[ch]" "${ROOT}/include/*.h"
     "${ROOT}/tests/*.[ch]" "${ROOT}/tests/*.cpp" "${ROOT}/examples/*.[ch]")
list(FILTER files EXCLUDE REGEX "^tests/[^/]+/.+/|(^|/)build[^/]*/")
list(LENGTH files count)
if(count LESS 1)
    message(FATAL_ERROR "no C file found")
endif()
execute_process(COMMAND "${CLANG_FORMAT}" --dry-run --Werror ${files}
                WORKING_DIRECTORY "${ROOT}" RESULT_VARIABLE failed ERROR_VARIABLE text)
if(failed)
    string(REGEX MATCHALL "[^\n:]+:[0-9]+:[0-9]+: error" places "${text}")
    list(TRANSFORM places REPLACE ":[0-9]+: error" "")
    list(REMOVE_DUPLICATES places)
    list(JOIN places "\n  " places)
    message(FATAL_ERROR "run clang-format -i; it would change\n  ${places}")
endif()
message(STATUS "${count} files are formatted")
