# find_package(splitgen): the runtime for the target (splitgen::runtime), the tool for the build machine
# (splitgen::splitgen) and splitgen_add_library(). The parts are installed separately, and either may be missing:
# COMPONENTS runtime tool requires them. Without COMPONENTS splitgen_add_library() reports a missing part, so that
# projects that only link generated kernels don't need the tool.
if(EXISTS "${CMAKE_CURRENT_LIST_DIR}/splitgen-runtime-targets.cmake")
    include("${CMAKE_CURRENT_LIST_DIR}/splitgen-runtime-targets.cmake")
    set(splitgen_runtime_FOUND TRUE)
else()
    set(splitgen_runtime_FOUND FALSE)
    set(splitgen_problem "this package has no runtime")
endif()

include("${CMAKE_CURRENT_LIST_DIR}/SplitgenAddLibrary.cmake")
splitgen_find_tool(splitgen_tool_problem)
if(splitgen_tool_problem)
    set(splitgen_tool_FOUND FALSE)
    set(splitgen_problem "${splitgen_tool_problem}")
else()
    set(splitgen_tool_FOUND TRUE)
    # Kernels are C, so a project in other languages needs C from here on, in all of its folders.
    if(NOT CMAKE_C_COMPILER_LOADED)
        enable_language(C)
    endif()
endif()

foreach(component IN LISTS splitgen_FIND_COMPONENTS)
    if(NOT splitgen_${component}_FOUND AND splitgen_FIND_REQUIRED_${component})
        set(splitgen_FOUND FALSE)
        if(NOT component MATCHES "^(runtime|tool)$")
            set(splitgen_problem "there is no component '${component}', only runtime and tool")
        endif()
        set(splitgen_NOT_FOUND_MESSAGE "${splitgen_problem}")
    endif()
endforeach()
unset(splitgen_problem)
unset(splitgen_tool_problem)
