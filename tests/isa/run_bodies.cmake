# Executes fixed and random ops through the models of an instruction set: every body, on every machine
# that the runtime tells apart. Beside the variables of tests/exec/steps.cmake:
#   ISA       a folder of models/
#   MACHINES  the machines to run as, `ID ISAS` each joined by a colon; `all`: those that machines.c prints
#   CACHES    bytes of the last cache, one run per machine each; 64: nothing fits it
#   COPIES    up to which fixed ops are taken (0: none); RANDOM how many random ones, from SEED
include("${CMAKE_CURRENT_LIST_DIR}/../exec/steps.cmake")
separate_arguments(MACHINES)
separate_arguments(CACHES)

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
build_harness()
if(MACHINES STREQUAL "all")
    step("compiling machines.c" "${CC}" -std=c99 ${strict} -Wmissing-prototypes ${FLAGS} ${includes} ${runtime}
         "${CMAKE_CURRENT_LIST_DIR}/machines.c" -o "${WORK}/machines")
    step("telling machines apart" "${WORK}/machines")
    string(STRIP "${output}" output)
    string(REPLACE " " ":" output "${output}")
    string(REPLACE "\n" ";" MACHINES "${output}")
endif()

set(parts)
if(COPIES GREATER 0)
    list(APPEND parts special)
endif()
if(RANDOM GREATER 0)
    list(APPEND parts random)
endif()
set(executed 0)
foreach(part IN LISTS parts)
    set(stem "${WORK}/${part}")
    set(arguments ${COPIES})
    if(part STREQUAL "random")
        set(arguments ${SEED} ${RANDOM} 30000)
    endif()
    step("gen_ops" "${GEN_OPS}" ${part} ${arguments} "${stem}.lua" "${stem}_table.c")
    string(STRIP "${output}" count)
    make_batch("${stem}")
    foreach(machine IN LISTS MACHINES)
        foreach(cache IN LISTS CACHES)
            string(REGEX MATCH "^(.*):(.*)$" ignored "${machine}")
            set(EMULATOR "${CMAKE_COMMAND}" -E env "SPLITGEN_TEST_MACHINE=${CMAKE_MATCH_1}"
                         "SPLITGEN_TEST_ISAS=${CMAKE_MATCH_2}" "SPLITGEN_TEST_CACHE=${cache}")
            check_batch("${stem}" ${count})
            math(EXPR executed "${executed} + ${count}")
        endforeach()
    endforeach()
endforeach()
if(executed EQUAL 0)
    message(FATAL_ERROR "${CONFIG}: nothing was executed")
endif()
list(LENGTH MACHINES machines)
message("${CONFIG}: executed ${executed} ops on ${machines} machines")
