# The commit of a clone of the project, for --version.
find_program(SPLITGEN_GIT git)
mark_as_advanced(SPLITGEN_GIT)

# splitgen_commit(<folder> <commit> <log>): the commit's name, and a file that changes with it. Both are empty if the
# folder is not a clone (an unpacked archive, even inside another clone) or git is missing.
function(splitgen_commit folder commit log)
    set(${commit} "" PARENT_SCOPE)
    set(${log} "" PARENT_SCOPE)
    if(NOT SPLITGEN_GIT OR NOT EXISTS "${folder}/.git")
        return()
    endif()
    # a fixed number of digits, so that it is the same in every clone
    execute_process(COMMAND "${SPLITGEN_GIT}" rev-parse --verify --quiet HEAD
                    WORKING_DIRECTORY "${folder}" OUTPUT_VARIABLE name ERROR_QUIET)
    execute_process(COMMAND "${SPLITGEN_GIT}" rev-parse --git-path logs/HEAD
                    WORKING_DIRECTORY "${folder}" OUTPUT_VARIABLE path ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(name MATCHES "^([0-9a-f]+)\n$")
        string(SUBSTRING "${CMAKE_MATCH_1}" 0 12 name)
        set(${commit} "${name}" PARENT_SCOPE)
        cmake_path(ABSOLUTE_PATH path BASE_DIRECTORY "${folder}")
        if(EXISTS "${path}")
            set(${log} "${path}" PARENT_SCOPE)
        endif()
    endif()
endfunction()
