# Compiles kernels of every form with each gcc and clang on this machine, whatever its version, in ways that need not
# give fast code, with all warnings, and runs their self-tests once. Also asks clang-tidy for its check of widths.
# Variables: SPLITGEN SOURCE_DIR WORK RUNTIME
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")

# Tiles, long runs, runs beside tiles, padded rows, combined stores, open rows, packed elements, an array of parts.
execute_process(COMMAND "${SPLITGEN}" -e "rgb: u8[100,192,3] @2 -> r:1 g:1 b:1" -e "join_planes: u8[5000,2] @1 <- 1,1"
                        -e "mixed: f32[300,85] @1 -> 2,2,1,80" -e "pitched: u8[108/600,190,3] @2 -> r:1 g:1 b:1"
                        -e "any_rows: f32[N?,6] @1 -> 2,4" -e "packed: u4[66,160] @1 -> 64,32,64"
                        -e "many: f32[40,40] @1 -> /40" --non-temporal=always --emit=c,h,test -o "${WORK}/ops.c"
                COMMAND_ERROR_IS_FATAL ANY)

set(strict -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wcast-qual -Wcast-align -Wshadow -Wundef -Werror)

# expect(<what> <command>...) runs a command that must succeed without messages.
function(expect what)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE errors
                    WORKING_DIRECTORY "${WORK}")
    if(NOT result EQUAL 0 OR NOT errors STREQUAL "")
        string(SUBSTRING "${output}${errors}" 0 4000 errors)
        message(FATAL_ERROR "${what}: ended with ${result}\n${errors}")
    endif()
    set(output "${output}" PARENT_SCOPE)
endfunction()

# try(<compiler> <language> <standard> <flags>...)
function(try compiler language standard)
    list(JOIN ARGN " " flags)
    expect("${compiler} ${standard} ${flags}" "${compiler}" ${ARGN} "-I${SOURCE_DIR}/include" -x ${language}
           -std=${standard} ${strict} -c ops.c -o ops.o)
endfunction()

set(seen "")
foreach(name gcc clang)
    set(names ${name})
    foreach(version RANGE 9 30)
        list(APPEND names ${name}-${version})
    endforeach()
    foreach(found IN LISTS names)
        find_program(COMPILER_${found} ${found})
        if(NOT COMPILER_${found})
            continue()
        endif()
        set(compiler "${COMPILER_${found}}")
        file(REAL_PATH "${compiler}" real)
        if(real IN_LIST seen)
            continue()
        endif()
        list(APPEND seen "${real}")
        expect("${compiler}, the self-test" "${compiler}" "-I${SOURCE_DIR}/include" -c ops_test.c -o test.o)
        try("${compiler}" c c99 -Og -pg)
        try("${compiler}" c++ c++17 -Og)
        try("${compiler}" c c11 -O2 -fno-inline --coverage)
        try("${compiler}" c c99 -O0 -march=native -fsanitize=address,undefined)
        if(name STREQUAL "clang")
            expect("${compiler} -Wused-but-marked-unused" "${compiler}" -Wused-but-marked-unused -Werror
                   "-I${SOURCE_DIR}/include" -fsyntax-only ops.c)
        endif()
    endforeach()
endforeach()

find_program(TIDY clang-tidy)
if(TIDY)
    expect("clang-tidy" "${TIDY}" --quiet --header-filter=splitgen/
           "--checks=-*,bugprone-implicit-widening-of-multiplication-result" --warnings-as-errors=* "${WORK}/ops.c" --
           -w "-I${SOURCE_DIR}/include")
endif()

list(LENGTH seen count)
if(count EQUAL 0)
    message("SKIPPED: sudo apt-get install gcc")
endif()
message("${count} compilers, all silent")
