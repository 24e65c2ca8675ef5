# What every example includes: splitgen from this source tree (a project of your own says
# find_package(splitgen REQUIRED) instead) and splitgen_demo(), which runs the finished program.
if(NOT TARGET splitgen::splitgen)
    add_subdirectory("${CMAKE_CURRENT_LIST_DIR}/.." splitgen)
endif()
include("${CMAKE_CURRENT_LIST_DIR}/../generator/cmake/SplitgenAddLibrary.cmake")

# splitgen_demo(<program> [<argument>...]) runs the program in its build folder as a test and as a
# part of the target `demo`; a relative argument is a path from the current source folder.
function(splitgen_demo program)
    set(arguments "")
    foreach(argument IN LISTS ARGN)
        cmake_path(ABSOLUTE_PATH argument NORMALIZE)
        list(APPEND arguments "${argument}")
    endforeach()
    splitgen_compiler_options(${program})
    target_compile_definitions(${program} PRIVATE _POSIX_C_SOURCE=200809L)
    get_target_property(libraries ${program} LINK_LIBRARIES)
    foreach(library IN LISTS libraries)
        if(TARGET ${library})
            get_target_property(type ${library} TYPE)
            get_target_property(imported ${library} IMPORTED)
            if(type STREQUAL "STATIC_LIBRARY" AND NOT imported)
                splitgen_sanitize(${library})
                if(SPLITGEN_SANITIZE) # optimising such code takes a compiler five times as long
                    target_compile_options(${library} PRIVATE -O0)
                endif()
            endif()
        endif()
    endforeach()
    add_test(NAME example.${program} COMMAND ${program} ${arguments}
             WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
    set_tests_properties(example.${program} PROPERTIES LABELS example)
    set(command COMMAND "${CMAKE_COMMAND}" -E chdir "${CMAKE_CURRENT_BINARY_DIR}"
                        "$<TARGET_FILE:${program}>" ${arguments})
    if(PROJECT_IS_TOP_LEVEL)
        add_custom_target(demo ${command} DEPENDS ${program} USES_TERMINAL VERBATIM)
    else()
        set_property(GLOBAL APPEND PROPERTY SPLITGEN_DEMO_COMMANDS ${command})
        set_property(GLOBAL APPEND PROPERTY SPLITGEN_DEMO_PROGRAMS ${program})
    endif()
endfunction()
