# Runs cppcheck's MISRA C:2012 addon over portable kernels; fails if it reports a rule without a row in the table of
# README.md, or if a row of the table is never reported. cmake -DSPLITGEN=tool -DSOURCE_DIR=root -DWORK=dir
# -DCPPCHECK=cppcheck -P run_misra.cmake
cmake_minimum_required(VERSION 3.22)
if(NOT CPPCHECK)
    message(STATUS "SKIPPED: no cppcheck (Debian: cppcheck)")
    return()
endif()
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")

file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/README.md" rows REGEX "^\\| [0-9]+\\.[0-9]+ \\|")
list(TRANSFORM rows REPLACE "^\\| ([0-9.]+) \\|.*" "\\1" OUTPUT_VARIABLE allowed)

function(print name)
    execute_process(COMMAND "${SPLITGEN}" --isa=portable ${ARGN} -o "${WORK}/${name}.c" COMMAND_ERROR_IS_FATAL ANY)
endfunction()
set(ops "u8[20,3] @1 -> /3" "f32[10,90] @1 -> 10 80" "string[3,4] @1 -> 1 3" "c64[2,3,0] @1 -> 1 2"
        "u4[64,8] @1 -> 3 5" "i16[100,40] @1 -> /40" "u8[4,50] @1 -> /50")
set(arguments "")
foreach(op IN LISTS ops)
    list(APPEND arguments -e "${op}")
endforeach()
set(examples detect/detect planes/planes qkv/qkv threads/splits shapes/onnx)
list(TRANSFORM examples REPLACE "(.+)" "${SOURCE_DIR}/examples/\\1.lua")
print(examples ${examples}) # in one file, because checking the headers takes most of the time
print(ops ${arguments})
print(small --optimize=size ${arguments})
print(words --optimize=size --no-memcpy ${arguments})

file(GLOB sources "${WORK}/*.c")
set(found "")
foreach(source IN LISTS sources) # one by one: rules about a whole program are about the user's
    execute_process(COMMAND "${CPPCHECK}" -q --std=c99 --addon=misra --enable=style "-I${SOURCE_DIR}/include"
                            -D__GNUC__=12 -D__STDC_VERSION__=199901L -D__STDC_HOSTED__=1 -D__OPTIMIZE__=1
                            "--template={id} {file}:{line}" "${source}"
                    RESULT_VARIABLE result ERROR_VARIABLE report OUTPUT_VARIABLE report)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "cppcheck ${source}: ${result}\n${report}")
    endif()
    string(REGEX MATCHALL "misra-[^\n]*" lines "${report}")
    list(APPEND found ${lines})
endforeach()

set(failures "")
set(seen "")
foreach(line IN LISTS found)
    string(REGEX REPLACE "^misra-c2012-([0-9.]+) .*" "\\1" rule "${line}")
    list(APPEND seen "${rule}")
    if(NOT rule IN_LIST allowed)
        string(APPEND failures "${line}: no row for rule ${rule}\n")
    endif()
endforeach()
foreach(rule IN LISTS allowed)
    if(NOT rule IN_LIST seen)
        string(APPEND failures "rule ${rule} has a row in tests/misra/README.md, but nothing breaks it\n")
    endif()
endforeach()
list(LENGTH found count)
list(REMOVE_DUPLICATES seen)
list(LENGTH seen rules)
message(STATUS "${count} findings of ${rules} rules")
if(failures)
    message("${failures}")
    message(FATAL_ERROR "change what is printed, or the table of deviations")
endif()
