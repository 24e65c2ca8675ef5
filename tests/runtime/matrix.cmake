# Compiles the runtime, its headers and a caller with every supported compiler, standard and mode, with warnings as
# errors, and runs the caller. Prints the number of builds and the modes that this machine cannot run.
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")

if(NOT "$ENV{SPLITGEN_SHARE}" STREQUAL "") # a share of the exhaustive counts: for continuous integration
    set(EXHAUSTIVE OFF)
endif()

set(warnings -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wcast-qual -Wcast-align
             -Wshadow -Wundef -Wredundant-decls -Werror)
set(c_warnings ${warnings} -Wmissing-prototypes -Wstrict-prototypes)
set(cxx_warnings ${warnings} -Wmissing-declarations)
# All further warnings of clang, without notes on layout and on C++98, which has no <stdint.h>.
set(everything -Weverything -Werror -Wno-unknown-warning-option -Wno-padded -Wno-c++98-compat
               -Wno-c++98-compat-pedantic -Wno-unsafe-buffer-usage)
set(builds 0)
set(left_out "")

file(WRITE "${WORK_DIR}/trivial.c" "#include <string.h>\nint main(void)\n{\n    return 0;\n}\n")
# Every header, included twice, and the functions that generated code calls from it. One header is for files of
# --emit=proof-cpp, and C++26, alone; two are for those of --emit=test and --emit=bench, which need the C library.
file(GLOB headers RELATIVE "${SOURCE_DIR}/include" "${SOURCE_DIR}/include/splitgen/*.h")
list(REMOVE_ITEM headers splitgen/constexpr.h splitgen/selftest.h splitgen/bench.h)
file(WRITE "${WORK_DIR}/header.c" "")
foreach(header IN LISTS headers headers)
    file(APPEND "${WORK_DIR}/header.c" "#include <${header}>\n")
endforeach()
file(APPEND "${WORK_DIR}/header.c" "\
#if SPLITGEN_X86
void wide(void *a, const void *b);
void narrow(void *a, const void *b);
SPLITGEN_TARGET_AVX512VBMI void wide(void *a, const void *b)
{
    splitgen_combiner feed;
    splitgen_vectors_avx512(a, b, 300);
    splitgen_run_avx512(a, b, 3000);
    SPLITGEN_PREFETCH(b, 640);
    splitgen_run_non_temporal_avx512(a, b, 640, splitgen_streams(splitgen_cpu(), 0));
    splitgen_combiner_begin(&feed, a, splitgen_prefetch_distance(1));
    splitgen_combine_avx512(&feed, b, 40, true);
    splitgen_combine_avx512(&feed, b, 640, false);
    splitgen_combine_rotated(&feed, splitgen_rotate_bytes(&feed, splitgen_rotate_words(&feed, feed.known)), true);
    splitgen_combiner_end(&feed);
}
SPLITGEN_TARGET_AVX2 void narrow(void *a, const void *b)
{
    __m256i value = splitgen_load_avx2(b);
    SPLITGEN_KEEP(value);
    splitgen_store_avx2(a, value);
    splitgen_vectors_avx2(a, b, 300);
    splitgen_run_avx2(a, b, 3000);
    splitgen_run_non_temporal_avx2(a, b, 640, splitgen_streams(splitgen_cpu(), 0));
}
#endif
")
file(WRITE "${WORK_DIR}/moves.c" "\
#include <splitgen/splitgen.h>
void small(char *a, const char *b);
void large(char *a, const char *b);
void small(char *a, const char *b)
{
    memcpy(a, b, 16);
}
void large(char *a, const char *b)
{
    splitgen_copy(a, b, 4096);
}
void *output(void *const outputs[]);
void *output(void *const outputs[])
{
    return splitgen_output(outputs, 3);
}
")

macro(count_build)
    math(EXPR builds "${builds} + 1")
endmacro()

# The runtime in one file, in both orders.
set(reversed "${RUNTIME}")
list(REVERSE reversed)
foreach(order RUNTIME reversed)
    file(WRITE "${WORK_DIR}/unity_${order}.c" "")
    foreach(source IN LISTS ${order})
        file(APPEND "${WORK_DIR}/unity_${order}.c" "#include \"${source}\"\n")
    endforeach()
endforeach()

# symbols(<var> <object>): the undefined symbols of an object.
function(symbols var object)
    expect("nm ${object}" "${NM}" -u "${object}")
    string(REGEX MATCHALL "[A-Za-z_.0-9]+" names "${OUTPUT}")
    list(REMOVE_ITEM names U w _GLOBAL_OFFSET_TABLE_)
    set(${var} "${names}" PARENT_SCOPE)
endfunction()

# One compiler, language and standard in every mode of the list `modes`.
function(try_standard compiler name language standard)
    set(flags ${flags_${language}})
    foreach(mode ${modes})
        if(mode STREQUAL "m32" AND NOT EXHAUSTIVE AND NOT standard MATCHES "^(c99|c[+][+]11)$")
            continue()
        endif()
        set(what "${name} ${standard} ${mode}")
        set(base "${compiler}" ${flags_${mode}} -x ${language} "-std=${standard}" "${INCLUDE}")
        set(kinds "-O0" "-O2" "-Os;-ffreestanding")
        if(NOT EXHAUSTIVE) # the newest standard covers what the oldest leaves out
            set(kinds "-O2")
            if(standard MATCHES "^(c99|c[+][+]11)$")
                set(kinds "-Os;-ffreestanding")
            endif()
        endif()
        foreach(kind IN LISTS kinds)
            set(objects)
            foreach(source IN LISTS RUNTIME)
                get_filename_component(object "${source}" NAME_WE)
                string(APPEND object .o)
                list(APPEND objects ${object})
                expect("runtime, ${what} ${kind}" ${base} ${flags} ${kind} -c "${source}" -o ${object})
                if(kind MATCHES "freestanding" AND NM)
                    symbols(needs ${object})
                    # each other, and memcpy, which every freestanding program must have
                    list(FILTER needs EXCLUDE REGEX "^(splitgen_[a-z_]+|memcpy)$")
                    if(needs)
                        message(FATAL_ERROR "${source}, freestanding (${what}), needs ${needs}")
                    endif()
                endif()
            endforeach()
            foreach(order RUNTIME reversed)
                expect("runtime in one file, ${what} ${kind}" ${base} ${flags} ${kind} -c unity_${order}.c -o unity.o)
            endforeach()
            expect("header, ${what} ${kind}" ${base} ${flags} ${kind} -c header.c -o header.o)
            count_build()
        endforeach()
        expect("caller, ${what}" ${base} ${flags} -O1 "${HERE}/caller.c" -x none ${objects} -o caller)
        expect("caller, ${what}, run" "${WORK_DIR}/caller")
        count_build()
    endforeach()
    if(name STREQUAL "clang")
        expect("header, ${name} ${standard}, all warnings" "${compiler}" -x ${language} "-std=${standard}"
               "${INCLUDE}" ${everything} -c header.c -o header.o)
        count_build()
        expect("moves, ${name} ${standard}, all warnings" "${compiler}" -x ${language}
               "-std=${standard}" "${INCLUDE}" ${everything} -c moves.c -o moves.o)
        count_build()
    endif()
    set(builds ${builds} PARENT_SCOPE)
endfunction()

# Without any header other than the compiler's own.
function(try_bare compiler name)
    execute_process(COMMAND "${compiler}" -print-file-name=include OUTPUT_VARIABLE own
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(name STREQUAL "clang")
        execute_process(COMMAND "${compiler}" -print-resource-dir OUTPUT_VARIABLE own
                        OUTPUT_STRIP_TRAILING_WHITESPACE)
        string(APPEND own "/include")
    endif()
    foreach(source header.c ${RUNTIME})
        expect("${source}, ${name}, bare" "${compiler}" -std=c99 ${c_warnings} -O2 -ffreestanding
               -nostdinc -isystem "${own}" "${INCLUDE}" -c ${source} -o bare.o)
        count_build()
    endforeach()
    set(builds ${builds} PARENT_SCOPE)
endfunction()

# A few bytes are copied inline, many by the library: hosted and freestanding.
function(try_moves compiler name)
    foreach(kind "" "-ffreestanding")
        expect("moves, ${name} ${kind}" "${compiler}" -std=c99 ${c_warnings} -O2 ${kind} "${INCLUDE}"
               -c moves.c -o moves.o -DNDEBUG)
        expect("assembly, ${name} ${kind}" "${compiler}" -std=c99 -O2 ${kind} "${INCLUDE}"
               -S moves.c -o moves.s)
        file(READ "${WORK_DIR}/moves.s" text)
        string(REGEX MATCHALL "(call|jmp|bl|b|tail)[a-z]*[ \t]+memcpy" calls "${text}")
        list(LENGTH calls ncalls)
        if(NOT ncalls EQUAL 1 OR text MATCHES "rep[ \t;]+movs")
            message(FATAL_ERROR "${name} ${kind}: small copies must be in line, large ones calls:\n"
                                "${text}")
        endif()
        count_build()
    endforeach()
    set(builds ${builds} PARENT_SCOPE)
endfunction()

# can(<var> <compiler> <flags>...): whether a program can be built that way. The runtime needs no C++ library, so the C
# driver builds C++ without linking one.
function(can var)
    execute_process(COMMAND ${ARGN} trivial.c -o trivial WORKING_DIRECTORY "${WORK_DIR}"
                    RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
    set(${var} OFF PARENT_SCOPE)
    if(result EQUAL 0)
        set(${var} ON PARENT_SCOPE)
    endif()
endfunction()

# The oldest standard of each language with one compiler, the newest with the other; all with both in tests/run --all.
set(standards_gcc_c c99)
set(standards_gcc_c++ c++20)
set(standards_clang_c gnu17)
set(standards_clang_c++ c++11)
if(EXHAUSTIVE)
    foreach(name gcc clang)
        set(standards_${name}_c c99 c11 c17 gnu17)
        set(standards_${name}_c++ c++11 c++14 c++17 c++20)
    endforeach()
endif()
set(flags_native "")
set(flags_m32 -m32)
set(flags_c ${c_warnings})
set(flags_c++ ${cxx_warnings})

find_program(NM nm)
foreach(name gcc clang)
    find_program(COMPILER_${name} ${name})
    set(compiler "${COMPILER_${name}}")
    if(NOT compiler)
        list(APPEND left_out "${name}")
        continue()
    endif()
    foreach(language c c++)
        set(modes "")
        foreach(mode native m32)
            can(works "${compiler}" ${flags_${mode}} -x ${language})
            if(works)
                list(APPEND modes ${mode})
            else()
                list(APPEND left_out "${name} ${language} (${mode})")
            endif()
        endforeach()
        foreach(standard ${standards_${name}_${language}})
            try_standard("${compiler}" ${name} ${language} ${standard})
        endforeach()
    endforeach()
    try_moves("${compiler}" ${name})
    try_bare("${compiler}" ${name})
endforeach()

if(builds EQUAL 0)
    message("SKIPPED: neither gcc nor clang was found")
endif()
list(JOIN left_out ", " left_out)
if(left_out STREQUAL "")
    set(left_out "nothing")
endif()
message(STATUS "${builds} builds, all silent; not tried here: ${left_out}")
