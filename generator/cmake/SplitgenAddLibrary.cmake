# splitgen_add_library(<target> SPECS <file>... [DEFINES <name>=<value>...] [PREFIX <prefix>]
#                      [OPTIONS <option>...])
#
# Makes the static library <target> out of specs: one C file and one header each, named after the
# spec, generated again when the spec, a file it requires or the tool changes. Whoever links <target>
# can include the headers by name and gets splitgen::runtime. Both are position independent: a shared
# library may link them.
#
#   SPECS    spec files; a relative path starts at the current source folder
#   DEFINES  values for the parameters of the specs: -D
#   PREFIX   put before every symbol: --prefix
#   OPTIONS  any further options of the tool
#
# Needs the targets splitgen::splitgen (the tool) and splitgen::runtime, and the language C.
function(splitgen_add_library target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "PREFIX" "SPECS;DEFINES;OPTIONS")
    if(DEFINED arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "splitgen_add_library(${target}): unknown arguments: "
                            "${arg_UNPARSED_ARGUMENTS}")
    endif()
    if(DEFINED arg_KEYWORDS_MISSING_VALUES)
        message(FATAL_ERROR "splitgen_add_library(${target}): no value after: "
                            "${arg_KEYWORDS_MISSING_VALUES}")
    endif()
    if(NOT arg_SPECS)
        message(FATAL_ERROR "splitgen_add_library(${target}): SPECS is missing")
    endif()
    foreach(needed splitgen::splitgen splitgen::runtime)
        if(NOT TARGET ${needed})
            message(FATAL_ERROR "splitgen_add_library(${target}): there is no target ${needed}")
        endif()
    endforeach()

    set(options ${arg_OPTIONS})
    foreach(define IN LISTS arg_DEFINES)
        list(APPEND options -D "${define}")
    endforeach()
    if(DEFINED arg_PREFIX)
        list(APPEND options --prefix "${arg_PREFIX}")
    endif()

    set(dir "${CMAKE_CURRENT_BINARY_DIR}/${target}.splitgen")
    file(MAKE_DIRECTORY "${dir}")
    set(sources "")
    set(touch "")
    foreach(spec IN LISTS arg_SPECS)
        cmake_path(GET spec STEM LAST_ONLY stem)
        cmake_path(ABSOLUTE_PATH spec NORMALIZE)
        get_source_file_property(generated "${spec}" GENERATED)
        if(NOT generated AND NOT EXISTS "${spec}")
            message(FATAL_ERROR "splitgen_add_library(${target}): there is no spec ${spec}")
        endif()
        if("${dir}/${stem}.c" IN_LIST sources)
            message(FATAL_ERROR "splitgen_add_library(${target}): two specs would make ${stem}.c")
        endif()
        # The tool leaves equal files alone, and Ninja then builds nothing behind them. Make would
        # take them for stale and call the tool again in every build.
        if(CMAKE_GENERATOR MATCHES "Makefiles")
            set(touch COMMAND "${CMAKE_COMMAND}" -E touch "${dir}/${stem}.c" "${dir}/${stem}.h")
        endif()
        add_custom_command(
            OUTPUT "${dir}/${stem}.c" "${dir}/${stem}.h"
            COMMAND splitgen::splitgen ${options} -o "${dir}/${stem}.c" --header "${dir}/${stem}.h"
                    --depfile "${dir}/${stem}.d" "${spec}"
            ${touch}
            DEPENDS "${spec}" splitgen::splitgen
            DEPFILE "${dir}/${stem}.d"
            COMMENT "Compiling the splits of ${stem}"
            VERBATIM COMMAND_EXPAND_LISTS)
        list(APPEND sources "${dir}/${stem}.c" "${dir}/${stem}.h")
    endforeach()

    add_library(${target} STATIC ${sources})
    target_compile_features(${target} PUBLIC c_std_99)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_include_directories(${target} PUBLIC "$<BUILD_INTERFACE:${dir}>")
    target_link_libraries(${target} PUBLIC splitgen::runtime)
endfunction()
