# Executes generated kernels on one processor, which need not be this machine's: the benchmark's cases, the fixed ops
# and random ones. Skipped if a compiler or an emulator is missing. Variables in addition to those of
# tests/exec/steps.cmake:
#   LUA       runs suite_ops.lua
#   PACKAGES  the packages of CC and the emulator, for the message if one is missing
#   PARTS     any of: suite special random
#   LARGEST   maximum size of fixed ops, in copies; RANDOM: number of random ops
#   SUITE_BYTES  approximate bytes of an op of the suite; BOTH: `both`: its cases as splits and as concats, instead of
#                alternately
#   RUNS      ways of running a program: each is the preceding words, joined by commas
#   MASKED    true: cpu_mask.c answers the runtime's queries of the processor
#   BODIES    instruction sets that some of the benchmark's cases must have a version for
cmake_minimum_required(VERSION 3.25)

if(NOT LUA)
    message("SKIPPED: sudo apt-get install lua5.4")
    return()
endif()
if(NOT CC)
    message("SKIPPED: sudo apt-get install ${PACKAGES}")
    return()
endif()
foreach(list RUNS PARTS BODIES)
    separate_arguments(${list})
endforeach()
if(NOT "$ENV{SPLITGEN_SHARE}" STREQUAL "") # of the exhaustive counts (support/share.cmake)
    set(LARGEST 300)
    set(RANDOM 30)
    set(SUITE_BYTES 40000)
    set(BOTH "")
endif()
set(LANGUAGE c)
set(STANDARD c99)
include("${CMAKE_CURRENT_LIST_DIR}/../exec/steps.cmake")
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")

# The program for every check whether a tool works here.
file(WRITE "${WORK}/probe.c" [[
#include <splitgen/vector.h>
#if __STDC_HOSTED__
#include <stdio.h>

int main(void)
{
    printf("runs, %u\n", splitgen_cpu());
    return 0;
}
#else
void _start(void);
void _start(void)
{
    (void)splitgen_cpu();
}
#endif
]])
execute_process(COMMAND "${CC}" -std=c99 ${FLAGS} ${includes} "${WORK}/probe.c"
                        "${SOURCE_DIR}/runtime/splitgen_cpu.c" -o "${WORK}/probe"
                RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
if(NOT result EQUAL 0)
    message("SKIPPED: ${CC} makes no program; sudo apt-get install ${PACKAGES}")
    return()
endif()

build_harness()
if(MASKED)
    step("compiling splitgen_cpu.c" "${CC}" -std=c99 ${FLAGS} ${includes}
         -Dsplitgen_cpu=splitgen_real_cpu -Dsplitgen_stream_bytes=splitgen_real_stream_bytes
         -c "${SOURCE_DIR}/runtime/splitgen_cpu.c" -o "${WORK}/splitgen_cpu.o")
    step("compiling cpu_mask.c" "${CC}" -std=c99 -Wall -Wextra -Werror ${FLAGS} ${includes}
         -c "${CMAKE_CURRENT_LIST_DIR}/cpu_mask.c" -o "${WORK}/cpu_mask.o")
    list(APPEND harness "${WORK}/cpu_mask.o")
    step("linking the probe" "${CC}" -std=c99 ${FLAGS} ${includes} "${WORK}/probe.c"
         "${WORK}/splitgen_cpu.o" "${WORK}/cpu_mask.o" -o "${WORK}/probe")
endif()
set(found)
foreach(run IN LISTS RUNS)
    string(REPLACE "," ";" words "${run}")
    execute_process(COMMAND ${words} "${WORK}/probe" RESULT_VARIABLE result
                    OUTPUT_VARIABLE output ERROR_QUIET)
    if(result EQUAL 0 AND output MATCHES "^runs, ")
        list(APPEND found "${run}")
    else()
        message("left out, ${result} ${output}: ${words}")
    endif()
endforeach()
if(NOT found)
    message("SKIPPED: sudo apt-get install ${PACKAGES}")
    return()
endif()

# The cases must have every version of this configuration, and each version must have a case with rows for more than two
# tiles: a first one, one in the loop, and remaining rows. No version may have none.
function(demand_bodies spec)
    step("splitgen --dump" "${SPLITGEN}" ${OPTIONS} --dump=layout,program "${spec}")
    string(REGEX MATCHALL "layout [^ ]+ rows [0-9]+|body [0-9]+ [A-Z0-9]+ rows_per_iteration [0-9]+" facts
           "${output}")
    set(looped)
    foreach(fact IN LISTS facts)
        if(fact MATCHES "layout ([^ ]+) rows ([0-9]+)")
            set(name "${CMAKE_MATCH_1}")
            set(rows "${CMAKE_MATCH_2}")
        elseif(fact MATCHES "body [0-9]+ ([A-Z0-9]+) rows_per_iteration ([0-9]+)")
            math(EXPR least "2 * ${CMAKE_MATCH_2} + 1")
            if(rows LESS CMAKE_MATCH_2)
                message(FATAL_ERROR "${name} has only ${rows} rows for windows of ${CMAKE_MATCH_2}")
            elseif(CMAKE_MATCH_2 GREATER 1 AND NOT rows LESS least)
                list(APPEND looped "${CMAKE_MATCH_1}")
            endif()
        endif()
    endforeach()
    foreach(body IN LISTS BODIES)
        if(NOT body IN_LIST looped)
            message(FATAL_ERROR "no case of the benchmark has several windows for ${body}")
        endif()
    endforeach()
endfunction()

set(executed 0)
foreach(part IN LISTS PARTS)
    set(stem "${WORK}/${part}")
    if(part STREQUAL "suite")
        step("suite_ops.lua" "${LUA}" "${CMAKE_CURRENT_LIST_DIR}/suite_ops.lua"
             "${SOURCE_DIR}/tests/bench/suite/suite.lua" "${stem}.lua" "${stem}_table.c" ${SUITE_BYTES} ${BOTH})
        demand_bodies("${stem}.lua")
    elseif(part STREQUAL "special")
        step("gen_ops" "${GEN_OPS}" special ${LARGEST} "${stem}.lua" "${stem}_table.c")
    else()
        step("gen_ops" "${GEN_OPS}" random 20240 ${RANDOM} 30000 "${stem}.lua" "${stem}_table.c")
    endif()
    string(REGEX MATCH "[0-9]+" count "${output}")
    make_batch("${stem}")
    foreach(run IN LISTS found)
        string(REPLACE "," ";" EMULATOR "${run}")
        check_batch("${stem}" ${count})
        math(EXPR executed "${executed} + ${count}")
    endforeach()
endforeach()
message("${CONFIG}: executed ${executed} ops")
