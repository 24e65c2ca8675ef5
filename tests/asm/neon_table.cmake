# Prints how many instructions a byte of the input costs on AArch64, in kernels made by splitgen and
# in the loops of neon_peers.c: all, and of them those on vectors that neither load nor store. qemu
# runs them one at a time and writes down where it is. Variables: SPLITGEN SOURCE_DIR WORK AWK CC
# OBJDUMP
cmake_minimum_required(VERSION 3.25)

if(NOT CC OR NOT OBJDUMP OR NOT AWK)
    message(FATAL_ERROR "sudo apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user")
endif()
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")

# step(<what> <file for its output> <command>...)
function(step what out)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_FILE "${WORK}/${out}"
                    ERROR_VARIABLE errors)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "${what} failed (${result})\n${errors}")
    endif()
endfunction()

set(ops)
foreach(bits 8 16 32)
    foreach(ways 2 3 4)
        list(APPEND ops "run_${bits}_${ways}: u${bits}[8192,${ways}] @1 -> /${ways}")
    endforeach()
endforeach()
list(JOIN ops "\; " ops)
step("splitgen" kernels.c "${SPLITGEN}" --isa=neon -e "${ops}")
file(GLOB runtime "${SOURCE_DIR}/runtime/*.c")
step("compiling" compiler.txt "${CC}" -O2 -static "-I${SOURCE_DIR}/include"
     "${CMAKE_CURRENT_LIST_DIR}/neon_peers.c" "${WORK}/kernels.c" ${runtime} -o "${WORK}/neon_count")
step("objdump" neon_count.dis "${OBJDUMP}" -d --no-show-raw-insn "${WORK}/neon_count")

# Counts executed instructions of one run by address, with their text.
file(WRITE "${WORK}/count.awk" [[
FNR == NR {
    if (match($0, /^ +[0-9a-f]+:\t/)) {
        split($0, column, "\t")
        address = column[1]
        gsub(/[ :]/, "", address)
        what[address] = column[2] " " column[3]
    }
    next
}
/^Trace/ {
    split($0, field, "/")
    address = field[2]
    sub(/^0+/, "", address)
    ++all
    if (what[address] ~ /[ ,{](v[0-9]+\.|[qd][0-9])/ && what[address] !~ /^(ld|st)[a-z0-9]* /) {
        ++vector
    }
}
END { print all + 0, vector + 0 }
]])

# count(<form> <bytes> <ways> <rows>): sets all and vector.
function(count form bytes ways rows)
    execute_process(COMMAND qemu-aarch64 -singlestep -d exec,nochain -D "${WORK}/trace"
                            "${WORK}/neon_count" ${form} ${bytes} ${ways} ${rows}
                    RESULT_VARIABLE result ERROR_VARIABLE errors)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "${form} ${bytes} ${ways}: ${result} ${errors}")
    endif()
    execute_process(COMMAND "${AWK}" -f "${WORK}/count.awk" "${WORK}/neon_count.dis"
                            "${WORK}/trace" OUTPUT_VARIABLE text)
    string(REGEX MATCH "([0-9]+) ([0-9]+)" text "${text}")
    set(all ${CMAKE_MATCH_1} PARENT_SCOPE)
    set(vector ${CMAKE_MATCH_2} PARENT_SCOPE)
endfunction()

# thousandths(<out> <number> <per>)
function(thousandths out number per)
    math(EXPR value "(1000 * ${number} + ${per} / 2) / ${per} + 1000000")
    string(REGEX REPLACE "^1(...)(...)$" "\\1.\\2" value "${value}")
    string(REGEX REPLACE "^00" "" value "${value}")
    set(${out} "${value}" PARENT_SCOPE)
endfunction()

set(table "| split | splitgen | ld | cv | uzp |\n| --- | --- | --- | --- | --- |\n")
foreach(bits 8 16 32)
    math(EXPR bytes "${bits} / 8")
    foreach(ways 2 3 4)
        string(APPEND table "| u${bits} ${ways}-way |")
        foreach(form run ld cv uzp)
            if(form STREQUAL "uzp" AND ways EQUAL 3)
                string(APPEND table " |")
                continue()
            endif()
            count(${form} ${bytes} ${ways} 2016)
            set(more ${all})
            set(more_vector ${vector})
            count(${form} ${bytes} ${ways} 1008)
            math(EXPR per "1008 * ${bytes} * ${ways}")
            math(EXPR all "${more} - ${all}")
            math(EXPR vector "${more_vector} - ${vector}")
            thousandths(all ${all} ${per})
            thousandths(vector ${vector} ${per})
            string(APPEND table " ${all} (${vector}) |")
        endforeach()
        string(APPEND table "\n")
    endforeach()
endforeach()
message("Instructions per byte of the input, in brackets those on vectors between loads and stores:\n"
        "\n${table}")
