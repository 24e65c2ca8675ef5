# Runs test_parallel.c with its threads under ThreadSanitizer, runtime included: no task may touch bytes that another
# one writes. EXHAUSTIVE: with few rows and with many.
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")

set(flags -std=c11 -D_DEFAULT_SOURCE -O1 -g -fsanitize=thread -pthread)
set(sources "${HERE}/test_parallel.c" "${SOURCE_DIR}/tests/support/guard.c" ${RUNTIME})
set(tried "")
file(WRITE "${WORK_DIR}/trivial.c" "int main(void)\n{\n    return 0;\n}\n")
# clang first: gcc's own library for it does not start on every kernel version.
foreach(name clang gcc)
    find_program(COMPILER_${name} ${name})
    if(tried OR NOT COMPILER_${name})
        continue()
    endif()
    execute_process(COMMAND "${COMPILER_${name}}" ${flags} trivial.c -o trivial
                    WORKING_DIRECTORY "${WORK_DIR}"
                    RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
    if(result EQUAL 0)
        execute_process(COMMAND "${WORK_DIR}/trivial" RESULT_VARIABLE result OUTPUT_QUIET
                        ERROR_QUIET)
    endif()
    if(NOT result EQUAL 0)
        continue()
    endif()
    expect("test_parallel, ${name}" "${COMPILER_${name}}" ${flags} "${INCLUDE}"
           "-I${SOURCE_DIR}/tests/support" ${sources} -lcmocka -o parallel)
    set(tests few_rows)
    if(EXHAUSTIVE)
        set(tests one_row few_rows many_rows)
    endif()
    foreach(test IN LISTS tests)
        execute_process(COMMAND "${WORK_DIR}/parallel" test_${test} RESULT_VARIABLE result
                        OUTPUT_VARIABLE output ERROR_VARIABLE output)
        if(NOT result EQUAL 0 OR output MATCHES "ThreadSanitizer" OR NOT output MATCHES "1 test")
            message(FATAL_ERROR "test_${test}, ${name} with ThreadSanitizer: ${result}\n${output}")
        endif()
    endforeach()
    set(tried "${name}")
endforeach()

if(NOT tried)
    message("SKIPPED: no compiler here makes programs with ThreadSanitizer that run")
else()
    message(STATUS "no race, built by ${tried}")
endif()
