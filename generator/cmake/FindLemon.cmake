# The lemon parser generator, with the parser template of the same version.
#
#   LEMON_EXECUTABLE, LEMON_TEMPLATE   found, or given with -D by the user
#   lemon_parser(<name> <grammar.y>)   generates <stem>.c and <stem>.h from the grammar, and returns the
#                                      C file in <name>_SOURCE and its folder in <name>_INCLUDE;
#                                      call it in the folder that compiles the C file
#
# Neither lemon nor lempar.c has a version number, so the pair is tested: if the template has more or fewer sections
# than the tool fills, the generated C does not compile.
include(FindPackageHandleStandardArgs)

find_program(LEMON_EXECUTABLE lemon DOC "The lemon parser generator")
set(lemon_hints "")
if(LEMON_EXECUTABLE)
    # Prefer the template that was installed with this lemon over any other one on the system.
    get_filename_component(lemon_real "${LEMON_EXECUTABLE}" REALPATH)
    get_filename_component(lemon_dir "${lemon_real}" DIRECTORY)
    set(lemon_hints HINTS "${lemon_dir}/../share/lemon" "${lemon_dir}")
endif()
find_file(LEMON_TEMPLATE lempar.c ${lemon_hints} PATH_SUFFIXES share/lemon lemon share
          DOC "The parser template that belongs to lemon")
mark_as_advanced(LEMON_EXECUTABLE LEMON_TEMPLATE)

# Runs lemon on a small grammar and compiles the result; once for each pair of files.
function(lemon_try_pair result)
    file(SHA256 "${LEMON_EXECUTABLE}" tool)
    file(SHA256 "${LEMON_TEMPLATE}" template)
    if("${LEMON_PAIR_TRIED}" STREQUAL "${tool} ${template}")
        set(${result} ON PARENT_SCOPE)
        return()
    endif()
    set(${result} OFF PARENT_SCOPE)
    set(dir "${CMAKE_BINARY_DIR}/CMakeFiles/lemon_pair")
    file(MAKE_DIRECTORY "${dir}")
    file(WRITE "${dir}/lemon_pair.y" [[
%include {
#include <stddef.h>
void lemon_pair(int *sum);
}
%extra_context {int *sum}
%token_type {int}
%syntax_error { *sum = -1; (void)TOKEN; }
text ::= list.
list ::= item.
list ::= list COMMA item.
item ::= INT(A). { *sum += A; }
%code {
void lemon_pair(int *sum)
{
    yyParser parser;
    ParseInit(&parser, sum);
    Parse(&parser, 0, 0);
    ParseFinalize(&parser);
}
}
]])
    execute_process(
        COMMAND "${LEMON_EXECUTABLE}" -q -l "-T${LEMON_TEMPLATE}" "-d${dir}" "${dir}/lemon_pair.y"
        RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(failed)
        return()
    endif()
    set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
    # Only errors matter here, not the warnings that a user's -Wall -Werror gives for lemon's code.
    unset(LEMON_PAIR_COMPILES CACHE)
    try_compile(LEMON_PAIR_COMPILES "${dir}" SOURCES "${dir}/lemon_pair.c"
                COMPILE_DEFINITIONS -DNDEBUG -w)
    set(compiled ${LEMON_PAIR_COMPILES})
    unset(LEMON_PAIR_COMPILES CACHE)
    if(compiled)
        set(LEMON_PAIR_TRIED "${tool} ${template}" CACHE INTERNAL "lemon and lempar.c that match")
        set(${result} ON PARENT_SCOPE)
    endif()
endfunction()

set(lemon_reason "lemon is missing. Install it with: sudo apt-get install lemon")
set(Lemon_PAIR OFF)
if(LEMON_EXECUTABLE AND LEMON_TEMPLATE)
    lemon_try_pair(Lemon_PAIR)
    if(NOT Lemon_PAIR)
        string(CONCAT lemon_reason "'${LEMON_TEMPLATE}' is not the template of "
               "'${LEMON_EXECUTABLE}': what they make together does not compile. Set "
               "LEMON_EXECUTABLE and LEMON_TEMPLATE to files of one version, or install both "
               "with: sudo apt-get install lemon")
    endif()
elseif(LEMON_EXECUTABLE)
    string(CONCAT lemon_reason "'${LEMON_EXECUTABLE}' has no template lempar.c beside it. Set "
           "LEMON_TEMPLATE, or install both with: sudo apt-get install lemon")
endif()
find_package_handle_standard_args(Lemon
    REQUIRED_VARS LEMON_EXECUTABLE LEMON_TEMPLATE Lemon_PAIR
    REASON_FAILURE_MESSAGE "${lemon_reason}")

function(lemon_parser name grammar)
    get_filename_component(source "${grammar}" ABSOLUTE)
    get_filename_component(stem "${grammar}" NAME_WE)
    set(dir "${CMAKE_CURRENT_BINARY_DIR}/lemon")
    file(MAKE_DIRECTORY "${dir}")
    # lemon fails on a conflict, and so does the build
    add_custom_command(
        OUTPUT "${dir}/${stem}.c" "${dir}/${stem}.h"
        COMMAND "${LEMON_EXECUTABLE}" -q -l "-T${LEMON_TEMPLATE}" "-d${dir}" "${source}"
        DEPENDS "${source}" "${LEMON_EXECUTABLE}" "${LEMON_TEMPLATE}"
        COMMENT "Generating the parser ${stem}"
        VERBATIM)
    # Lemon's part of the file does not compile without some of the warnings; the others stay on for our part. Warnings
    # about another version of lemon must not fail a build with -Werror. NDEBUG removes the trace, which would be
    # mutable global state.
    set_source_files_properties("${dir}/${stem}.c" PROPERTIES
        COMPILE_DEFINITIONS NDEBUG
        COMPILE_OPTIONS "-Wno-conversion;-Wno-missing-prototypes;-Wno-unused-parameter;-Wno-unused-variable;-Wno-type-limits;-Wno-error")
    set(${name}_SOURCE "${dir}/${stem}.c" PARENT_SCOPE)
    set(${name}_INCLUDE "${dir}" PARENT_SCOPE)
endfunction()
