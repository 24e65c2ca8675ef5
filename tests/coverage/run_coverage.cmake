# Generates the cases with the tool that notes which lines of its templates run, compiles all that is
# printed with every warning as an error, runs it, and demands that no line is left. Variables:
#   TOOL GEN_OPS SOURCE_DIR WORK LUA LUAC GCC CLANG
cmake_minimum_required(VERSION 3.25)

set(strict -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wcast-qual -Wcast-align -Wshadow
           -Wundef -Wmissing-prototypes -Wstrict-prototypes -Werror "-I${SOURCE_DIR}/include")
set(compilers ${GCC} ${CLANG})
list(LENGTH compilers ncompilers)
if(ncompilers EQUAL 0)
    message("SKIPPED: no gcc and no clang")
    return()
endif()
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
set(ENV{SPLITGEN_COVERAGE} "${WORK}/ran.txt")

# step(<what> <command>...): runs it; `output` is what it prints.
macro(step what)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output
                    ERROR_VARIABLE errors WORKING_DIRECTORY "${CMAKE_CURRENT_LIST_DIR}/cases")
    if(NOT result EQUAL 0)
        string(REPLACE ";" " " shown "${ARGN}")
        string(SUBSTRING "${errors}" 0 4000 errors)
        message(FATAL_ERROR "${what} failed (${result})\n${shown}\n${output}${errors}")
    endif()
endmacro()

# Every kind of output there is.
file(STRINGS "${SOURCE_DIR}/generator/driver/kinds.inc" rows REGEX "^KIND[(]")
list(TRANSFORM rows REPLACE "^KIND[(][A-Z0-9_]+, *\"([^\"]+)\".*$" "\\1")
list(JOIN rows "," all_kinds)
file(GLOB runtime "${SOURCE_DIR}/runtime/*.c")
set(compiled 0)

# The runtime once by each compiler.
foreach(cc IN LISTS compilers)
    get_filename_component(name "${cc}" NAME)
    file(MAKE_DIRECTORY "${WORK}/${name}")
    foreach(source IN LISTS runtime)
        get_filename_component(stem "${source}" NAME_WE)
        step("compiling ${source}" "${cc}" -std=c99 -O1 ${strict} -c "${source}" -o "${WORK}/${name}/${stem}.o")
        list(APPEND runtime_of_${name} "${WORK}/${name}/${stem}.o")
    endforeach()
endforeach()

# check(<spec> <kinds> <options>): prints, compiles and runs one case one way. With some optimising: without
# it self-tests take ten times as long.
function(check spec kinds options)
    get_filename_component(stem "${spec}" NAME_WE)
    set(out "${WORK}/${stem}_${compiled}")
    separate_arguments(options UNIX_COMMAND "${options}")
    file(MAKE_DIRECTORY "${out}")
    step("printing ${stem}" "${TOOL}" ${options} "--emit=${kinds}" -o "${out}/" "${spec}")
    math(EXPR number "${compiled} % ${ncompilers}")
    list(GET compilers ${number} cc)
    set(macro)
    if(options MATCHES "--export-macro")
        set(macro "-DAPI=__attribute__((visibility(\"default\")))")
    endif()
    if(kinds MATCHES "test")
        get_filename_component(name "${cc}" NAME)
        set(objects "${out}/kernels.o" ${runtime_of_${name}})
        step("compiling ${stem}" "${cc}" -std=c11 -O1 ${strict} ${macro} -c "${out}/${stem}.c" -o "${out}/kernels.o")
        step("compiling the self-test of ${stem}" "${cc}" -std=c11 -O1 ${strict} ${macro} "-I${out}"
             "${out}/${stem}_test.c" ${objects} -o "${out}/selftest")
        step("the self-test of ${stem}" "${out}/selftest")
        step("compiling the table of ${stem}" "${cc}" -std=c99 -fsyntax-only ${strict} ${macro} "${out}/${stem}_registry.c")
        step("compiling the benchmark of ${stem}" "${cc}" -std=c11 -D_POSIX_C_SOURCE=199309L -O1
             ${strict} ${macro} "-I${out}" "${out}/${stem}_bench.c" ${objects} -o "${out}/bench")
        file(READ "${out}/${stem}.json" text)
        string(JSON first GET "${text}" kernels 0 name)
        step("the benchmark of ${stem}" "${out}/bench" "${first}")
        step("compiling the proof of ${stem}" "${cc}" -std=c11 -fsyntax-only ${strict} ${macro}
             "-I${out}" "${out}/${stem}_proof.c")
    endif()
    file(REMOVE_RECURSE "${out}")
endfunction()

# The fixed ops of the execution tests, which compile and run just these texts (exec.special); then
# the cases beside this file.
step("gen_ops" "${GEN_OPS}" special 1000000000 "${WORK}/special.lua" "${WORK}/special_table.c")
foreach(options --unroll=auto --nt=always --unroll=none --isa=avx2 --isa=portable)
    step("printing the fixed ops" "${TOOL}" "${options}" -o "${WORK}/special.c" "${WORK}/special.lua")
endforeach()
file(GLOB cases "${CMAKE_CURRENT_LIST_DIR}/cases/*.lua"
                "${CMAKE_CURRENT_LIST_DIR}/cases/*.onnxtxt")
foreach(case IN LISTS cases)
    set(kinds ${all_kinds})
    file(STRINGS "${case}" lines REGEX "^(--|#) (emit|options):")
    foreach(line IN LISTS lines)
        string(REGEX REPLACE "^(--|#) [a-z]*: *" "" value "${line}")
        if(line MATCHES "^(--|#) emit:")
            set(kinds "${value}")
        else()
            check("${case}" "${kinds}" "${value}")
            math(EXPR compiled "${compiled} + 1")
        endif()
    endforeach()
endforeach()

execute_process(COMMAND "${TOOL}" --names OUTPUT_VARIABLE names OUTPUT_STRIP_TRAILING_WHITESPACE)
string(REPLACE "\n" ";" names "${names}")
set(texts)
foreach(name IN LISTS names)
    execute_process(COMMAND "${TOOL}" --translate "${name}" OUTPUT_FILE "${WORK}/${name}.lua")
    execute_process(COMMAND "${LUAC}" -l -p "${WORK}/${name}.lua" OUTPUT_FILE "${WORK}/${name}.list"
                    RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "${LUAC} does not list ${name}")
    endif()
    list(APPEND texts "${name}=${WORK}/${name}.list=${SOURCE_DIR}/templates/${name}")
endforeach()
execute_process(COMMAND "${LUA}" "${CMAKE_CURRENT_LIST_DIR}/report.lua" "${WORK}/ran.txt" ${texts}
                RESULT_VARIABLE result OUTPUT_VARIABLE output)
message("${output}")
if(NOT result EQUAL 0)
    message(FATAL_ERROR "lines of templates that no test prints: a case for each, or out with them")
endif()
