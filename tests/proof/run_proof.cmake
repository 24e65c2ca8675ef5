# Runs the commands in the files of --emit=proof and --emit=test. Run with `cmake -P`. Variables: SPLITGEN RUNTIME
# SOURCE_DIR WORK PART FRAMA_C GCC GXX CLANG CLANGXX EXHAUSTIVE
file(STRINGS "${SOURCE_DIR}/include/splitgen/dtypes.inc" types REGEX "^SPLITGEN_DTYPE[(]")
list(TRANSFORM types REPLACE "^[^\"]*\"([^\"]+)\".*$" "\\1")
set(includes "-I${SOURCE_DIR}/include")

# The command is run as printed, in a folder with splitgen's include/.
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
file(CREATE_LINK "${SOURCE_DIR}/include" "${WORK}/include" SYMBOLIC)

# make(<stem> <splitgen argument>...)
function(make stem)
    execute_process(COMMAND "${SPLITGEN}" ${ARGN} --emit=c,h,proof,test -o "${WORK}/${stem}.c"
                    RESULT_VARIABLE result ERROR_VARIABLE errors)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "splitgen ${ARGN} ends with ${result}: ${errors}")
    endif()
endfunction()

# prove(<stem> <number of the command>): sets `report`
function(prove stem number)
    file(STRINGS "${WORK}/${stem}_proof.c" commands REGEX "^ [*]   frama-c ")
    list(GET commands ${number} command)
    string(REGEX REPLACE "^ [*] *" "" command "${command}")
    execute_process(COMMAND sh -c "${command}" WORKING_DIRECTORY "${WORK}"
                    OUTPUT_VARIABLE report ERROR_VARIABLE errors RESULT_VARIABLE result)
    file(WRITE "${WORK}/${stem}_${number}.log" "${report}${errors}")
    if(NOT result EQUAL 0 OR NOT report MATCHES "ANALYSIS SUMMARY")
        string(SUBSTRING "${report}" 0 4000 report)
        message(FATAL_ERROR "${command}\nends with ${result}: ${report}${errors}")
    endif()
    set(report "${report}" PARENT_SCOPE)
endfunction()

function(demand text what)
    if(NOT report MATCHES "${text}")
        string(REGEX MATCH "=+ ANALYSIS SUMMARY.*" summary "${report}")
        message(FATAL_ERROR "${what} is missing:\n${summary}")
    endif()
endfunction()

# No alarm, nothing unproved, and every statement of every called function was reached.
macro(prove_all stem number)
    prove(${stem} ${number})
    demand("\n  0 alarms generated" "'0 alarms'")
    demand("Preconditions +[1-9][0-9]* valid +0 unknown +0 invalid" "a proof of all preconditions")
    demand("\n  100% of the logical properties reached have been proven" "a proof of everything")
    string(REGEX MATCH "([0-9]+) statements reached [(]out of ([0-9]+)[)]" statements "${report}")
    message("${stem}: ${statements}")
    if(NOT CMAKE_MATCH_1 EQUAL CMAKE_MATCH_2)
        message(FATAL_ERROR "${stem}: some statements were not reached: ${statements}")
    endif()
endmacro()

# spoil(<stem> <text> <other>): a wrong offset in a printed kernel
function(spoil stem text other)
    file(READ "${WORK}/${stem}.c" code)
    string(REPLACE "${text}" "${other}" spoiled "${code}")
    if(code STREQUAL spoiled)
        message(FATAL_ERROR "'${text}' is not in ${stem}.c")
    endif()
    file(WRITE "${WORK}/${stem}.c" "${spoiled}")
endfunction()

if(NOT PART STREQUAL selftest AND NOT FRAMA_C)
    message("SKIPPED: no frama-c (apt-get install frama-c-base)")
    return()
endif()

# Every type by rows, by columns and with an unwanted part (EXHAUSTIVE), or one of these.
set(ops)
set(count 0)
foreach(type IN LISTS types)
    set(of_type -e "${type}_columns: ${type}[6,8] @1 -> 2 5 1"
                -e "${type}_rows: ${type}[8,8] @0 -> 4 4"
                -e "${type}_odd: ${type}[3,2,7] @2 -> 3 _:1 3")
    if(NOT EXHAUSTIVE) # one of the three, alternating
        math(EXPR one "${count} % 3 * 2")
        list(SUBLIST of_type ${one} 2 of_type)
    endif()
    list(APPEND ops ${of_type})
    list(LENGTH of_type words)
    math(EXPR count "${count} + ${words} / 2")
endforeach()

if(PART MATCHES "^safety_(auto|none|full)$")
    make(kernels --unroll=${CMAKE_MATCH_1} ${ops} -e "free_rows: f32[n=5?,4,6] @2 -> 1 2 3"
         -e "free_bits: u4[n=2?,4,3] @2 -> 1 2" -e "free_lanes: i16[n=3?,20,34] @2 -> /34")
    prove_all(kernels 0)
    message("proved safe: ${count} kernels")
elseif(PART STREQUAL safety_large)
    # Loops over rows, over groups of packed rows, functions, and outputs in an array.
    make(kernels -e "rows: f32[640,24] @1 -> 8 4 12" -e "bytes: u8[3001,3] @1 -> 1 1 1"
         -e "wide: f64[16,1024] @1 -> 512 512" -e "one: u8[1,9000] @1 -> 4000 5000"
         -e "nibbles: u4[701,6] @1 -> 3 3" -e "threes: u3[301,5] @1 -> 1 2 2"
         -e "array: i16[30,66] @1 -> /33" -e "packed_array: u2[25,40] @1 -> /40"
         -e "wide_rows: u16[40,1,90] @2 -> /30" -e "empty: u8[4,0] @1 -> 0 0")
    prove_all(kernels 0)
elseif(PART STREQUAL results)
    if(NOT "$ENV{SPLITGEN_SHARE}" STREQUAL "") # of the counts: for continuous integration
        set(EXHAUSTIVE OFF)
    endif()
    if(NOT EXHAUSTIVE)
        set(ops)
        set(count 0)
        foreach(type IN LISTS types)
            list(APPEND ops -e "${type}_columns: ${type}[3,4] @1 -> 1 3"
                            -e "${type}_rows: ${type}[4,2] @0 -> 2 2")
            math(EXPR count "${count} + 2")
        endforeach()
    endif()
    make(kernels ${ops} -e "array: u8[3,33] @1 -> /33" -e "rows: u8[90,3] @1 -> 1 1 1")
    prove_all(kernels 1)
    demand("Assertions +[1-9][0-9]* valid +0 unknown +0 invalid" "a proof of all results")
    if(EXHAUSTIVE)
        make(large -e "columns: c64[64,8] @1 -> 1 2 5" -e "bytes: u8[1365,3] @1 -> 1 1 1")
        prove_all(large 1)
        demand("Assertions +[1-9][0-9]* valid +0 unknown +0 invalid" "a proof of all results")
    endif()
    message("results proved: ${count} kernels and 2")
endif()

# Concats, padded rows, pieces of a tensor (swapped halves) and a constant among the parts: safety and results. A wrong
# piece, a wrong constant and a write to padding must be detected.
if(PART STREQUAL joins)
    make(apart --isa=portable -e "planes: u8[90,3]/4 @1 <- 1 1/2 1" -e "gap: u16[5,9] @1 <- 2 _:3 4"
         -e "parted: f32[6,7]/9 @1 -> 3/4 4" -e "bits: u4[7,10]/12 @1 <- 3/5 7")
    prove_all(apart 0)
    prove_all(apart 1)
    demand("Assertions +[1-9][0-9]* valid +0 unknown +0 invalid" "a proof of all results")
    file(WRITE "${WORK}/pieces.onnxtxt" [[
<ir_version: 10, opset_import: ["" : 18]>
net (float[2,4,3] x) => (swapped, begun)
<float[2,1,3] token = {1, 2, 3, 4, 5, 6}>
{
  [halves] a, b = Split <axis = 1, num_outputs = 2> (x)
  [swap] swapped = Concat <axis = 1> (b, a)
  z = Relu (x)
  [begin] begun = Concat <axis = 1> (token, z)
}
]])
    set(results "\n  0 alarms generated.*Assertions +[1-9][0-9]* valid +0 unknown +0 invalid")
    macro(make_pieces)
        make(pieces --isa=portable --ops=all --fuse "${WORK}/pieces.onnxtxt")
    endmacro()
    make_pieces()
    prove_all(pieces 0)
    prove(pieces 1)
    demand("${results}" "a proof of all results")
    foreach(fault "x + 6@x + 5" "0x40000000U@0x40000001U")
        make_pieces()
        string(REPLACE "@" ";" fault "${fault}")
        spoil(pieces ${fault})
        prove(pieces 1)
        if(report MATCHES "${results}")
            message(FATAL_ERROR "a wrong result was proved: ${fault}")
        endif()
    endforeach()
    make(wide_gap --isa=portable --unroll=none -e "wide_gap: u8[8,6]/8 @1 <- 2 4")
    spoil(wide_gap "row * 8 + 2" "row * 8 + 3")
    prove(wide_gap 1)
    if(report MATCHES "${results}")
        message(FATAL_ERROR "a gap that was written was proved to be kept")
    endif()
endif()

if(PART STREQUAL broken)
    # One byte too early: no undefined behaviour, so that only the results show it.
    make(early --isa=portable -e "early: u8[1,8] @1 -> 3 5")
    spoil(early "data + 3" "data + 2")
    prove(early 1)
    if(report MATCHES "Assertions +[0-9]+ valid +0 unknown +0 invalid")
        message(FATAL_ERROR "a wrong result was proved")
    endif()
    # One byte too late: the last byte is outside the input.
    make(late --isa=portable -e "late: u8[1,8] @1 -> 3 5")
    spoil(late "data + 3" "data + 4")
    prove(late 0)
    if(report MATCHES "\n  0 alarms generated" AND report MATCHES " 0 unknown +0 invalid +[1-9]")
        message(FATAL_ERROR "a read outside the input was proved to be right")
    endif()
endif()

set(strict -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wcast-qual -Wcast-align -Wshadow
           -Wundef -Werror)

# build(<stem> <argument>...)
function(build stem)
    execute_process(COMMAND ${build} ${prefix} "${WORK}/${stem}.c" "${WORK}/${stem}_test.c" "${RUNTIME}" ${ARGN}
                            -o "${WORK}/${stem}"
                    RESULT_VARIABLE result ERROR_VARIABLE errors)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "${stem} does not compile: ${errors}")
    endif()
endfunction()

# fails(<stem>): its self-test runs and prints FAIL
function(fails stem)
    build(${stem})
    execute_process(COMMAND "${WORK}/${stem}" RESULT_VARIABLE result OUTPUT_VARIABLE output)
    if(NOT result EQUAL 1 OR NOT output MATCHES "FAIL ")
        message(FATAL_ERROR "the self-test of ${stem} ends with ${result}: ${output}")
    endif()
endfunction()

# function_of(<stem> <more> <wanted>): calls its self-test with `more` bytes in addition to what its file requires; it
# must return `wanted` and print nothing.
function(function_of stem more wanted)
    file(STRINGS "${WORK}/${stem}_test.c" line REGEX "at least [0-9]+ bytes:")
    string(REGEX MATCH "[0-9]+" memory "${line}")
    math(EXPR memory "${memory} + ${more}")
    build(${stem} -DSPLITGEN_SELFTEST_FUNCTION -DSELFTEST=${stem}_selftest -DMEMORY=${memory}
          "${SOURCE_DIR}/tests/support/selftest_main.c")
    execute_process(COMMAND "${WORK}/${stem}" RESULT_VARIABLE result OUTPUT_VARIABLE output)
    if(NOT result EQUAL wanted OR NOT output STREQUAL "")
        message(FATAL_ERROR "the function of ${stem}, with ${memory} bytes, returns ${result}: ${output}")
    endif()
endfunction()

if(PART STREQUAL selftest)
    set(cc "${GCC}")
    if(NOT cc)
        set(cc "${CLANG}")
    endif()
    set(build "${cc}" -std=c99 -O1 ${strict} ${includes})
    include("${CMAKE_CURRENT_LIST_DIR}/../support/prefix.cmake")
    prefix(prefix "${WORK}" ${build})
    set(rows 7)
    if(EXHAUSTIVE)
        set(rows 700)
    endif()
    make(kernels ${ops} -e "bytes: u8[1301,3] @1 -> 1 1 1" -e "array: i16[30,66] @1 -> /33"
         -e "floats: f32[${rows},200] @1 -> 100 100" -e "empty: u8[4,0] @1 -> 0 0"
         -e "joined_planes: u8[50,4]/6 @1 <- r:1 g:1 _:1 b:1" -e "apart_rows: u16[40,9]/12 @1 -> p:4/5 q:3 _:2"
         -e "joined_bits: u1[33,12]/13 @1 <- p:5 q:7/11" -e "beside_view: f32[20,6]/8 @1 <- p:view:2 q:4"
         -e "open_rows: f32[n?,6]/8 @1 <- p:2/3 q:4" -e "open_lanes: u8[n?,6,h?] @1 <- p:2 q:4")
    foreach(compiler GCC c99 GCC c11 CLANG c99 CLANG c11 GXX c++11 CLANGXX c++11)
        if(compiler MATCHES "^[A-Z]")
            set(cc "${${compiler}}")
        elseif(cc)
            set(language c)
            if(compiler MATCHES "[+]")
                set(language c++)
            endif()
            execute_process(COMMAND "${cc}" -x ${language} -std=${compiler} ${strict} ${includes}
                                    -fsyntax-only "${WORK}/kernels_test.c"
                            RESULT_VARIABLE result ERROR_VARIABLE errors)
            if(NOT result EQUAL 0 OR NOT errors STREQUAL "")
                message(FATAL_ERROR "${cc} -std=${compiler} says ${errors}")
            endif()
        endif()
    endforeach()
    build(kernels)
    execute_process(COMMAND "${WORK}/kernels" RESULT_VARIABLE result OUTPUT_VARIABLE output)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "the self-test ends with ${result}: ${output}")
    endif()
    # The function works in the required memory and refuses one byte less; it numbers kernels from 1.
    make(small -e "bits: u3[9,5] @1 -> 2 3" -e "empty: u8[4,0] @1 -> 0 0" -e "bytes: u8[30,40] @1 -> /40")
    function_of(small 0 0)
    function_of(small -1 3)
    make(many -e "many: u8[1,650] @1 -> /10" -e "joined: u8[650] @0 <- /10")
    function_of(many 0 0)
    foreach(align 128 4096) # more than a line, for some of the kernels
        file(WRITE "${WORK}/aligned.lua"
             "return {split {name = 'parts', dtype = 'u8', shape = {9, 65}, parts = 5, axis = 1, align = ${align}},
                      concat {name = 'whole', dtype = 'f32', shape = {70, 3}, parts = 7, align = ${align}},
                      split {name = 'bytes', dtype = 'u8', shape = {40, 3}, parts = 3, axis = 1}}\n")
        make(aligned "${WORK}/aligned.lua")
        function_of(aligned 0 0)
        function_of(aligned -1 2)
    endforeach()
    make(early --isa=portable -e "right: u8[2] @0 -> 2" -e "early: u8[1,8] @1 -> 3 5")
    spoil(early "data + 3" "data + 2")
    fails(early)
    function_of(early 0 2)
    # One version only, which a machine with AVX-512 does not use by default.
    set(flags "")
    if(EXISTS /proc/cpuinfo)
        file(STRINGS /proc/cpuinfo flags REGEX "^flags.* avx2 " LIMIT_COUNT 1)
    endif()
    if(flags)
        make(body -e "body: u8[64,3] @1 -> 1 1 1")
        spoil(body "splitgen_load_halves(in + 16, in + 64)" "splitgen_load_halves(in + 16, in + 65)")
        fails(body)
        message("a wrong body for AVX2 was found")
    endif()
endif()
