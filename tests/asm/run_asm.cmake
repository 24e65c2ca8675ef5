# Compiles the ops of kernels.lua with one compiler, plain -O2, and has check.awk compare the machine
# code with the plan. Variables: SPLITGEN SOURCE_DIR WORK AWK OBJDUMP CONFIG CC FAMILY
# PACKAGES, and MACHINE, the flags that choose a processor.
cmake_minimum_required(VERSION 3.25)

if(NOT CC OR NOT OBJDUMP OR NOT AWK)
    message("SKIPPED: sudo apt-get install ${PACKAGES}")
    return()
endif()
separate_arguments(MACHINE)
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
set(flags ${MACHINE} -O2 "-I${SOURCE_DIR}/include")

file(WRITE "${WORK}/probe.c" "#include <splitgen/vector.h>\n#include <string.h>\n")
execute_process(COMMAND "${CC}" ${flags} -c "${WORK}/probe.c" -o "${WORK}/probe.o"
                RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
if(NOT result EQUAL 0)
    message("SKIPPED: ${CC} finds no headers; sudo apt-get install ${PACKAGES}")
    return()
endif()

# step(<what> <file for its output> <command>...)
function(step what out)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_FILE "${WORK}/${out}"
                    ERROR_VARIABLE errors)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "${CONFIG}: ${what} failed (${result})\n${errors}")
    endif()
endfunction()

# Stores past the cache at any size, so that those bodies are there to be looked at.
set(options --nt=always "${CMAKE_CURRENT_LIST_DIR}/kernels.lua")
step("splitgen" ops.c "${SPLITGEN}" ${options})
step("splitgen --dump" ops.dump "${SPLITGEN}" --dump=program ${options})
step("compiling" compiler.txt "${CC}" ${flags} -c "${WORK}/ops.c" -o "${WORK}/ops.o")
step("objdump -t" ops.sym "${OBJDUMP}" -t "${WORK}/ops.o")
step("objdump -d" ops.dis "${OBJDUMP}" -d --no-show-raw-insn "${WORK}/ops.o")

# check(<out> <dump> <disassembly>): sets out to what check.awk says, and failed to whether it fails.
function(check out dump dis)
    execute_process(COMMAND "${AWK}" -v "family=${FAMILY}" -v "compiler=${CONFIG}"
                            -f "${CMAKE_CURRENT_LIST_DIR}/check.awk" "${WORK}/${dump}"
                            "${WORK}/ops.c" "${WORK}/ops.sym" "${WORK}/${dis}"
                    RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
    set(${out} "${text}" PARENT_SCOPE)
    set(failed ${result} PARENT_SCOPE)
endfunction()

check(text ops.dump ops.dis)
message("${text}")
if(NOT failed EQUAL 0)
    message(FATAL_ERROR "${CONFIG}: the compiler changed what was planned")
endif()

# The check must notice each of these changes, or it means nothing.
# must_notice(<words> <file> <from> <to> [ALL]): with the first <from> in the file replaced, or all.
function(must_notice words file from to)
    file(READ "${WORK}/ops.${file}" whole)
    string(FIND "${whole}" "${from}" place)
    if(place EQUAL -1)
        message(FATAL_ERROR "${CONFIG}: there is no '${from}' in ops.${file} to change")
    endif()
    string(SUBSTRING "${whole}" 0 ${place} before)
    string(LENGTH "${from}" length)
    math(EXPR place "${place} + ${length}")
    string(SUBSTRING "${whole}" ${place} -1 after)
    if(ARGN STREQUAL "ALL")
        string(REPLACE "${from}" "${to}" after "${after}")
    endif()
    file(WRITE "${WORK}/changed.${file}" "${before}${to}${after}")
    set(dump ops.dump)
    set(dis ops.dis)
    set(${file} changed.${file})
    check(text ${dump} ${dis})
    if(failed EQUAL 0 OR NOT text MATCHES "WRONG [^\n]*${words}")
        message(FATAL_ERROR "${CONFIG}: '${to}' for '${from}' went unnoticed (${words}):\n${text}")
    endif()
endfunction()

set(variant "  variant AVX512VBMI ")
if(FAMILY STREQUAL "neon")
    set(variant "  variant NEON ")
endif()
file(READ "${WORK}/ops.dump" dump)
# Uniform splits need no shuffles on NEON.
string(FIND "${dump}" "program u8_124" place)
string(SUBSTRING "${dump}" ${place} -1 dump)
string(REGEX MATCH "${variant}[^\n]*\n(    c[^\n]*\n)*" head "${dump}")
string(LENGTH "${head}" length)
string(FIND "${dump}" "${head}" place)
math(EXPR place "${place} + ${length}")
string(SUBSTRING "${dump}" ${place} 2000 body)
string(REGEX MATCH "    r[0-9]+ = permute2? [^\n]*\n" shuffle "${body}")
string(REGEX MATCH "    store [^\n]*\n" store "${body}")
must_notice("shuffles in the loop" dump "${shuffle}" "")
must_notice("stores in the loop" dump "${store}" "${store}${store}")
must_notice("is not known" dump "${store}" "${store}    r99 = somersault r1 r2\n")
if(FAMILY STREQUAL "x86")
    must_notice("two-source" dis "\tvpermb " "\tvpermt2b ")
    must_notice("calls in the loop" dis "\tvpermb " "\tcall ")
    file(READ "${WORK}/ops.dis" dis)
    string(REGEX MATCH "%zmm[0-9]+,\\(%rsi\\)\n" store "${dis}")
    string(REPLACE "rsi" "rsp" stack "${store}")
    must_notice("vectors put on the stack" dis "${store}" "${stack}")
    must_notice("without vzeroupper" dis "\tvzeroupper" "\tnop")
    must_notice("no sfence" dis "\tsfence" "\tlfence" ALL)
    must_notice("stores into the cache" dis "\tvmovntdq " "\tvmovdqu64 ")
endif()
