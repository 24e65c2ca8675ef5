# The lemon parser generator together with the parser template it belongs to.
#   lemon_parser(<name> <grammar.y>)   generates <name>.c/.h, returns the C file in <name>_SOURCE
#                                      and its folder in <name>_INCLUDE
include(FindPackageHandleStandardArgs)

find_program(LEMON_EXECUTABLE lemon)
find_file(LEMON_TEMPLATE lempar.c PATH_SUFFIXES share/lemon lemon share)

find_package_handle_standard_args(Lemon
    REQUIRED_VARS LEMON_EXECUTABLE LEMON_TEMPLATE
    REASON_FAILURE_MESSAGE "lemon and its template are missing: install them with: sudo apt-get install lemon")
mark_as_advanced(LEMON_EXECUTABLE LEMON_TEMPLATE)

function(lemon_parser name grammar)
    get_filename_component(source "${grammar}" ABSOLUTE)
    get_filename_component(stem "${grammar}" NAME_WE)
    set(dir "${CMAKE_CURRENT_BINARY_DIR}/lemon")
    file(MAKE_DIRECTORY "${dir}")
    add_custom_command(
        OUTPUT "${dir}/${stem}.c" "${dir}/${stem}.h"
        COMMAND "${LEMON_EXECUTABLE}" -q -l "-T${LEMON_TEMPLATE}" "-d${dir}" "${source}"
        DEPENDS "${source}" "${LEMON_TEMPLATE}"
        COMMENT "Generating the parser ${stem}"
        VERBATIM)
    set(${name}_SOURCE "${dir}/${stem}.c" PARENT_SCOPE)
    set(${name}_INCLUDE "${dir}" PARENT_SCOPE)
endfunction()
