# splitgen_find_library(<Name> <header> <package> [<library>...]), for find modules
#
# Finds the library <name>, in lower case, as the target splitgen_<name>, which also links the libraries listed at the
# end: statically if the system has the archive, so that the installed tool needs no shared one. <header> is its include
# path, <package> Debian's package.
#
#   SPLITGEN_<NAME>_INCLUDE_DIR   the folder that <header> is in     } found, or given with -D by the user
#   SPLITGEN_<NAME>_LIBRARY       the archive or shared library      }
include(FindPackageHandleStandardArgs)


# Debian's folder for the libraries of this processor, for compilers from which CMake cannot learn it.
set(splitgen_library_hints "")
if(NOT CMAKE_LIBRARY_ARCHITECTURE AND NOT CMAKE_CROSSCOMPILING)
    set(splitgen_library_hints HINTS "/usr/lib/${CMAKE_SYSTEM_PROCESSOR}-linux-gnu")
endif()

# splitgen_missing(<result> <what> <package> <variable>): the reason why a library was not found; its header may have
# been found. <variable>_INCLUDE_DIR and <variable>_LIBRARY are the results of the search.
function(splitgen_missing result what package variable)
    set(install "sudo apt-get install ${package}")
    if(${variable}_INCLUDE_DIR AND NOT ${variable}_LIBRARY)
        set(${result} "The headers of ${what} are in '${${variable}_INCLUDE_DIR}', but there is no library of it where \
the compiler '${CMAKE_C_COMPILER}' has libraries. Set ${variable}_LIBRARY to its file, or install it for this compiler's \
processor: ${install}" PARENT_SCOPE)
    else()
        set(${result} "${what} is missing. Install it with: ${install}" PARENT_SCOPE)
    endif()
endfunction()

# splitgen_built_with(<Name> <header> <macro>...): data about the library for the SBOM: Splitgen<Name>_RELEASE is the
# version, which consists of the numbers that the macros in the header define; Splitgen<Name>_LINKED is "static" or
# "shared".
function(splitgen_built_with name header)
    string(TOUPPER "SPLITGEN_${name}" upper)
    set(numbers "")
    foreach(macro IN LISTS ARGN)
        file(STRINGS "${${upper}_INCLUDE_DIR}/${header}" line REGEX "^#[ \t]*define[ \t]+${macro}[ \t]+\"?[0-9]+")
        if(line MATCHES "${macro}[ \t]+\"?([0-9]+)")
            list(APPEND numbers "${CMAKE_MATCH_1}")
        endif()
    endforeach()
    list(JOIN numbers "." version)
    set(linked shared)
    if("${${upper}_LIBRARY}" MATCHES "[.](a|lib)$")
        set(linked static)
    endif()
    set(Splitgen${name}_RELEASE "${version}" PARENT_SCOPE)
    set(Splitgen${name}_LINKED "${linked}" PARENT_SCOPE)
endfunction()

macro(splitgen_find_library name header package)
    string(TOLOWER "${name}" splitgen_lower)
    string(TOUPPER "SPLITGEN_${name}" splitgen_upper)
    find_path(${splitgen_upper}_INCLUDE_DIR ${header} DOC "The folder of ${splitgen_lower}'s ${header}")
    # Without NAMES_PER_DIR: an archive in any folder comes before a shared library in another.
    find_library(${splitgen_upper}_LIBRARY NAMES lib${splitgen_lower}.a ${splitgen_lower} lib${splitgen_lower}
                 ${splitgen_library_hints} DOC "${splitgen_lower}, as an archive or a shared library")
    mark_as_advanced(${splitgen_upper}_INCLUDE_DIR ${splitgen_upper}_LIBRARY)

    splitgen_missing(splitgen_reason "${splitgen_lower}" "${package}" ${splitgen_upper})
    find_package_handle_standard_args(Splitgen${name}
        REQUIRED_VARS ${splitgen_upper}_LIBRARY ${splitgen_upper}_INCLUDE_DIR
        REASON_FAILURE_MESSAGE "${splitgen_reason}")

    if(Splitgen${name}_FOUND AND NOT TARGET splitgen_${splitgen_lower})
        add_library(splitgen_${splitgen_lower} INTERFACE)
        target_include_directories(splitgen_${splitgen_lower} SYSTEM INTERFACE "${${splitgen_upper}_INCLUDE_DIR}")
        target_link_libraries(splitgen_${splitgen_lower} INTERFACE "${${splitgen_upper}_LIBRARY}" ${ARGN})
    endif()
endmacro()
