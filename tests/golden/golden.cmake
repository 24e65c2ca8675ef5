# Compares what splitgen makes of one spec with the files beside it, or writes them (UPDATE).
#   TOOL VERSION SPEC WORK DIFF [UPDATE]
cmake_minimum_required(VERSION 3.25)

get_filename_component(name "${SPEC}" NAME_WE)
get_filename_component(folder "${SPEC}" DIRECTORY)

# "-- key: a b c" among the comments of the spec; "# key: a b c" of a model.
function(field key out)
    file(STRINGS "${SPEC}" lines REGEX "^(--|#) ${key}: ")
    string(REGEX REPLACE "^(--|#) ${key}: *" "" value "${lines}")
    separate_arguments(value UNIX_COMMAND "${value}")
    set(${out} "${value}" PARENT_SCOPE)
endfunction()
field(golden kinds)
field(options options)
if(NOT kinds)
    message(FATAL_ERROR "${SPEC}: no line '-- golden: KINDS'")
endif()

# What the tool calls the file of a kind.
set(table "${CMAKE_CURRENT_LIST_DIR}/../../generator/driver/kinds.inc")
file(STRINGS "${table}" rows REGEX "^KIND[(]")
foreach(row IN LISTS rows)
    if(NOT row MATCHES "^KIND[(][A-Z0-9_]+, *\"([^\"]+)\", *\"([^\"]+)\"")
        message(FATAL_ERROR "${table}: word and suffix do not stand on the first line of ${row}")
    endif()
    set("file_${CMAKE_MATCH_1}" "${name}${CMAKE_MATCH_2}")
endforeach()

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
list(JOIN kinds "," emit)
execute_process(COMMAND "${TOOL}" ${options} "--emit=${emit}" -o "${WORK}" "${SPEC}"
                RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE out)
if(NOT code EQUAL 0)
    message(FATAL_ERROR "splitgen ${options}: exit ${code}\n${out}")
endif()

set(problems "")
foreach(kind IN LISTS kinds)
    set(made "${WORK}/${file_${kind}}")
    set(expected "${folder}/${file_${kind}}")
    if(NOT EXISTS "${made}")
        string(APPEND problems "splitgen did not write ${file_${kind}}\n")
        continue()
    endif()
    # Text is handled whole: CMake would split it at semicolons otherwise.
    file(READ "${made}" text)
    string(REPLACE "splitgen ${VERSION}" "splitgen @VERSION@" text "${text}")
    file(WRITE "${made}" "${text}")
    if(UPDATE)
        file(COPY_FILE "${made}" "${expected}" ONLY_IF_DIFFERENT)
        continue()
    endif()
    if(NOT EXISTS "${expected}")
        string(APPEND problems "MISSING: ${expected}\n")
        continue()
    endif()
    execute_process(COMMAND "${CMAKE_COMMAND}" -E compare_files "${made}" "${expected}"
                    RESULT_VARIABLE differs OUTPUT_QUIET ERROR_QUIET)
    if(differs AND DIFF)
        execute_process(COMMAND "${DIFF}" -u "${expected}" "${made}" OUTPUT_VARIABLE difference)
        string(APPEND problems "${difference}")
    elseif(differs)
        string(APPEND problems "${expected} and ${made} differ\n")
    endif()
endforeach()

if(problems)
    message("${problems}") # as it stands; an error would be wrapped
    message(FATAL_ERROR "the text is not as expected; where that is meant, build golden-update")
endif()
