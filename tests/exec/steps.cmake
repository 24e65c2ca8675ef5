# The common steps of this folder's runners: generate, compile with all warnings, link with the harness, run. Included
# by scripts run with `cmake -P`, with these variables:
#   SPLITGEN GEN_OPS SOURCE_DIR WORK CONFIG CC CXX LANGUAGE STANDARD OPTIONS FLAGS HARNESS RUNTIME CHECKER
# CC compiles C; for LANGUAGE cxx CXX compiles the kernels. OPTIONS are splitgen's. HARNESS lists the objects of the
# harness, joined by '|', and RUNTIME is the library, if the build has made them. CHECKER runs kernels if the harness
# cannot, because there is no C library. For another processor, MACHINE lists the compiler's flags for it, and EMULATOR
# runs its programs.

if(NOT CHECKER)
    set(CHECKER tests/exec/check.c tests/support/guard.c)
endif()
separate_arguments(FLAGS)
string(REPLACE "|" ";" HARNESS "${HARNESS}")
separate_arguments(OPTIONS)
separate_arguments(MACHINE)
list(APPEND FLAGS ${MACHINE})
set(strict -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wcast-qual -Wcast-align -Wshadow
           -Wundef -Werror)
set(includes "-I${SOURCE_DIR}/include" "-I${SOURCE_DIR}/tests/exec" "-I${SOURCE_DIR}/tests/support")

# step(<what> <command>...): runs it; if it fails, ends the test with its output. The output is in `output`.
macro(step what)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output
                    ERROR_VARIABLE errors)
    if(NOT result EQUAL 0)
        string(REPLACE ";" " " shown "${ARGN}")
        string(SUBSTRING "${errors}" 0 6000 errors)
        string(SUBSTRING "${output}" 0 6000 output)
        message(FATAL_ERROR "${CONFIG}: ${what} failed (${result})\n${shown}\n${output}${errors}")
    endif()
endmacro()

# compile_support(<file>...): compiles code of the tests with the compiler and the sanitizers of this configuration;
# sets `objects`.
function(compile_support)
    set(objects)
    foreach(source ${ARGN})
        get_filename_component(stem "${source}" NAME_WE)
        step("compiling ${source}" "${CC}" -std=c11 -D_DEFAULT_SOURCE ${FLAGS} -O1 ${includes}
             -Wall -Wextra -Werror -c "${SOURCE_DIR}/${source}" -o "${WORK}/${stem}.o")
        list(APPEND objects "${WORK}/${stem}.o")
    endforeach()
    set(objects ${objects} PARENT_SCOPE)
endfunction()

# The runtime in this configuration; sets `runtime` to what is linked. Only the part of RUNTIME that detects the
# processor is compiled again, if FLAGS have options for it.
function(build_runtime)
    set(runtime)
    file(GLOB sources "${SOURCE_DIR}/runtime/*.c")
    if(RUNTIME AND FLAGS MATCHES "-DSPLITGEN_CPU_")
        set(sources "${SOURCE_DIR}/runtime/splitgen_cpu.c")
    elseif(RUNTIME)
        set(sources)
    endif()
    foreach(source IN LISTS sources)
        get_filename_component(stem "${source}" NAME_WE)
        step("compiling ${source}" "${CC}" -std=c99 ${strict} -Wmissing-prototypes ${FLAGS}
             ${includes} -c "${source}" -o "${WORK}/${stem}.o")
        list(APPEND runtime "${WORK}/${stem}.o")
    endforeach()
    set(runtime ${runtime} ${RUNTIME} PARENT_SCOPE)
endfunction()

# Builds the harness, the support code and the runtime; sets `harness` to all objects.
macro(build_harness)
    build_runtime()
    if(HARNESS)
        set(objects ${HARNESS})
    else()
        compile_support(${CHECKER} tests/exec/check_tensors.c tests/exec/packed_reference.c
                        tests/support/prng.c tests/support/reference.c)
    endif()
    set(harness ${objects} ${runtime})
endmacro()

# use_prefix(): sets `prefix` for scripts that compile many files of kernels; used only if RUNTIME shows that the
# compiler's own headers are used.
include("${CMAKE_CURRENT_LIST_DIR}/../support/prefix.cmake")
macro(use_prefix)
    if(RUNTIME AND LANGUAGE STREQUAL c)
        prefix(prefix "${WORK}/prefix" "${CC}" "-std=${STANDARD}" ${FLAGS})
    endif()
endmacro()

# compile_kernels(<c file> <object>): standalone files without the headers.
function(compile_kernels source object)
    if(OPTIONS MATCHES "--standalone")
        set(includes)
        set(prefix)
    endif()
    if(LANGUAGE STREQUAL cxx)
        step("compiling ${source}" "${CXX}" -x c++ "-std=${STANDARD}" ${strict}
             -Wmissing-declarations ${FLAGS} ${includes} -c "${source}" -o "${object}")
    else()
        step("compiling ${source}" "${CC}" "-std=${STANDARD}" ${strict} -Wmissing-prototypes
             ${FLAGS} ${prefix} ${includes} -c "${source}" -o "${object}")
    endif()
endfunction()

# make_batch(<stem>): builds the program <stem>_check from <stem>.lua and <stem>_table.c, with the kernels of the spec
# and the harness.
function(make_batch stem)
    step("splitgen ${stem}.lua" "${SPLITGEN}" ${OPTIONS} -o "${stem}.c" "${stem}.lua")
    compile_kernels("${stem}.c" "${stem}.o")
    step("compiling ${stem}_table.c" "${CC}" -std=c11 -Wall -Wextra -Werror ${MACHINE} ${includes}
         -c "${stem}_table.c" -o "${stem}_table.o")
    set(linker "${CC}")
    if(LANGUAGE STREQUAL cxx) # clang's sanitizers of C++ need its library
        set(linker "${CXX}")
    endif()
    step("linking ${stem}" "${linker}" ${FLAGS} "${stem}_table.o" "${stem}.o" ${harness}
         -o "${stem}_check")
endfunction()

# check_batch(<stem> <count>): runs the harness and checks that exactly <count> ops passed. Sets `batch_joins` and
# `batch_strided`, the numbers of concats and of ops with row strides.
function(check_batch stem count)
    step("running ${stem}" ${EMULATOR} "${stem}_check" "${CONFIG}")
    if(NOT output MATCHES "executed ([0-9]+) ops" OR NOT CMAKE_MATCH_1 EQUAL count)
        message(FATAL_ERROR "${CONFIG}: ${count} ops were generated, but the harness says: ${output}")
    endif()
    string(REGEX MATCH "([0-9]+) joins, ([0-9]+) with strides" told "${output}")
    set(batch_joins "${CMAKE_MATCH_1}" PARENT_SCOPE)
    set(batch_strided "${CMAKE_MATCH_2}" PARENT_SCOPE)
endfunction()

function(run_batch stem count)
    make_batch("${stem}")
    check_batch("${stem}" "${count}")
    set(batch_joins "${batch_joins}" PARENT_SCOPE)
    set(batch_strided "${batch_strided}" PARENT_SCOPE)
endfunction()
