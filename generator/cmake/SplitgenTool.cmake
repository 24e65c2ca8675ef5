# The splitgen that generates code, as the target splitgen::splitgen. It runs on the build machine, for any target
# machine.
#
#   SPLITGEN_EXECUTABLE   the tool: given with -D by the user, or found
#
# splitgen_find_tool(<problem>) creates the target unless it exists: from SPLITGEN_EXECUTABLE, from the package that
# contains this file, or from a program in the paths (CMAKE_PREFIX_PATH, splitgen_ROOT, PATH), in this order. In a cross
# build the package's own tool is not used, because it would only run on the target. <problem> is empty, or says what to
# do.
function(splitgen_find_tool problem)
    set(${problem} "" PARENT_SCOPE)
    if(NOT TARGET splitgen::splitgen)
        set(own "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/splitgen-tool-targets.cmake")
        if(NOT SPLITGEN_EXECUTABLE AND NOT CMAKE_CROSSCOMPILING AND EXISTS "${own}")
            include("${own}")
        else()
            find_program(SPLITGEN_EXECUTABLE splitgen NO_CMAKE_FIND_ROOT_PATH
                         DOC "The splitgen that runs on this machine")
            if(NOT SPLITGEN_EXECUTABLE)
                string(CONCAT text "There is no splitgen to generate code with on this machine. Set "
                       "SPLITGEN_EXECUTABLE to one. To get it, without a toolchain file: "
                       "cmake -S <splitgen's sources> -B tool && cmake --build tool && "
                       "cmake --install tool --prefix <folder>; it is <folder>/bin/splitgen")
                set(${problem} "${text}" PARENT_SCOPE)
                return()
            endif()
            add_executable(splitgen::splitgen IMPORTED)
            set_target_properties(splitgen::splitgen PROPERTIES
                                  IMPORTED_LOCATION "${SPLITGEN_EXECUTABLE}")
        endif()
    endif()
    splitgen_check_tool(text)
    set(${problem} "${text}" PARENT_SCOPE)
endfunction()

# Checks that the tool runs and has the runtime's version. A tool from this build always does.
function(splitgen_check_tool problem)
    set(${problem} "" PARENT_SCOPE)
    get_target_property(imported splitgen::splitgen IMPORTED)
    if(NOT imported)
        return()
    endif()
    get_target_property(tool splitgen::splitgen LOCATION)
    execute_process(COMMAND "${tool}" --version RESULT_VARIABLE result OUTPUT_VARIABLE output
                    ERROR_VARIABLE output)
    if(NOT result EQUAL 0 OR NOT output MATCHES "^splitgen ([0-9]+\\.[0-9]+)\\.[0-9]+")
        string(CONCAT text "'${tool} --version' gives no version (${result}). Build it if it is not "
               "there yet; if it is for another machine, set SPLITGEN_EXECUTABLE to one for this machine")
        set(${problem} "${text}" PARENT_SCOPE)
    elseif(TARGET splitgen::runtime)
        set(tool_version "${CMAKE_MATCH_1}")
        get_target_property(version splitgen::runtime SPLITGEN_VERSION)
        string(REGEX MATCH "^[0-9]+\\.[0-9]+" runtime_version "${version}")
        if(NOT tool_version STREQUAL runtime_version)
            # an error in every case: no code of this tool compiles with this runtime
            message(FATAL_ERROR "'${tool}' is splitgen ${tool_version}, but the runtime is of "
                                "${runtime_version}: set SPLITGEN_EXECUTABLE to a splitgen "
                                "${runtime_version}, or splitgen_DIR to a runtime ${tool_version}")
        endif()
    endif()
endfunction()
