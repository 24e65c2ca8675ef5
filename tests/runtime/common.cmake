# Shared by the scripts of this folder: runs a compiler and fails with its output.
cmake_minimum_required(VERSION 3.25)

set(INCLUDE "-I${SOURCE_DIR}/include")
file(GLOB RUNTIME "${SOURCE_DIR}/runtime/*.c")
set(HERE "${CMAKE_CURRENT_LIST_DIR}")
file(REMOVE_RECURSE "${WORK_DIR}")
file(MAKE_DIRECTORY "${WORK_DIR}")

# expect(<what> <command>...) runs a command that must succeed without messages; its standard output is in OUTPUT.
function(expect what)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output
                    ERROR_VARIABLE errors WORKING_DIRECTORY "${WORK_DIR}")
    if(NOT result EQUAL 0 OR NOT errors STREQUAL "")
        list(JOIN ARGN " " command)
        message(FATAL_ERROR "${what}: ended with ${result}\n${command}\n${output}${errors}")
    endif()
    set(OUTPUT "${output}" PARENT_SCOPE)
endfunction()
