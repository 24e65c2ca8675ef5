# Runs generator/cmake/preset.sh with a made-up cmake and ctest: it prints the progress and the failures; everything
# else is only in its log.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE "${SCRATCH}")
file(MAKE_DIRECTORY "${SCRATCH}/build/made/Testing/Temporary")
find_program(SH sh REQUIRED)

function(command name text)
    file(WRITE "${SCRATCH}/bin/${name}" "#!/bin/sh\n${text}")
    file(CHMOD "${SCRATCH}/bin/${name}" FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()

# run(<exit code> <text>): its complete output.
function(run code wanted)
    execute_process(COMMAND "${CMAKE_COMMAND}" -E env "PATH=${SCRATCH}/bin:$ENV{PATH}" "${SH}"
                            "${ROOT}/generator/cmake/preset.sh" made ${ARGN}
                    WORKING_DIRECTORY "${SCRATCH}"
                    RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
    if(NOT result EQUAL code OR NOT text STREQUAL wanted)
        message(FATAL_ERROR "exit ${result}, not ${code}:\n${text}\ninstead of:\n${wanted}")
    endif()
endfunction()

set(configure "echo '-- Detecting'; echo '-- tests/exec: no tcc, configuration tcc left out'\n")
set(build "echo '[1/21] Building \\n.o'; echo 'a.c: warning: x'; for i in 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21
do echo \"[$i/21] Building\"; done\n")
set(shown "configuring: build/made\n")
set(built "${shown}building: 3 of 21\nbuilding: 5 of 21\nbuilding: 7 of 21\nbuilding: 9 of 21\nbuilding: 11 of 21
building: 13 of 21\nbuilding: 15 of 21\nbuilding: 17 of 21\nbuilding: 19 of 21\nbuilding: 21 of 21\nbuilt: build/made\n")
command(cmake "case $1 in --preset) ${configure};; *) ${build};; esac\n")
run(0 "${built}")
file(READ "${SCRATCH}/build/made/run.log" log)
if(NOT log MATCHES "Detecting.*a[.]c: warning.*21/21")
    message(FATAL_ERROR "not everything is in the log: ${log}")
endif()

# Tests: a line for each, ctest's closing lines, skipped tests and why. ctest ends with 8 if one fails.
file(WRITE "${SCRATCH}/build/made/Testing/Temporary/LastTest.log"
     "1/2 Testing: unit.one\nfine\n2/2 Testing: cross.two\n-- SKIPPED: sudo apt-get install two\n")
set(results "    1/2 Test #1: unit.one ...   Passed    0.01 sec\n2/2 Test #2: cross.two ...***Skipped   0.01 sec

100% tests passed, 0 tests failed out of 2\n")
set(left_out "left out: tests/exec: no tcc, configuration tcc left out
left out: cross.two: sudo apt-get install two\n")
set(testing "testing: a line for each test, its output where it fails\n")
command(ctest "cat <<'END'\n      Start  1: unit.one\n${results}END\n")
run(0 "${built}${testing}${results}${left_out}" made)
# The same in another folder.
file(COPY "${SCRATCH}/build/made/Testing" DESTINATION "${SCRATCH}/build/other")
string(REPLACE "build/made" "build/other" elsewhere "${built}")
run(0 "${elsewhere}${testing}${results}${left_out}" made build/other)
command(ctest "cat <<'END'\n      Start  1: unit.one\n${results}END\nexit 8\n")
run(1 "${built}${testing}${results}${left_out}" made)

# Of a failed build, the compiler's messages and nothing before them; of a failed configuration, all of its output.
set(where "failed; everything that was printed: build/made/run.log\n")
set(failed "FAILED: a.o\ncc -c a.c\na.c:1:1: error: x\nninja: build stopped.\n")
command(cmake "case $1 in --preset) ${configure};; *) echo '[1/99] Building'; printf '${failed}'; exit 1;; esac\n")
run(1 "${shown}${failed}building ${where}")
command(cmake "echo 'lemon is missing'; exit 1\n")
run(1 "${shown}lemon is missing\nconfiguring ${where}")

# CMake's regular expressions have few groups, and if ctest cannot compile a filter it skips no test.
file(READ "${ROOT}/CMakePresets.json" presets)
string(JSON count LENGTH "${presets}" testPresets)
set(filters 0)
math(EXPR last "${count} - 1")
foreach(i RANGE ${last})
    string(JSON filter ERROR_VARIABLE none GET "${presets}" testPresets ${i} filter exclude name)
    if(none STREQUAL "NOTFOUND")
        string(REGEX MATCH "${filter}" found "exec.special.tcc_c99")
        math(EXPR filters "${filters} + 1")
    endif()
endforeach()
if(filters EQUAL 0)
    message(FATAL_ERROR "CMakePresets.json filters no tests")
endif()
