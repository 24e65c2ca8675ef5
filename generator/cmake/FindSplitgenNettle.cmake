# nettle, for its SHA-256, as the target splitgen_nettle, linked statically where the system has the
# archive, so that the installed tool needs no shared nettle.
#
#   SPLITGEN_NETTLE_INCLUDE_DIR   the folder above nettle/sha2.h } found, or given with -D by the user
#   SPLITGEN_NETTLE_LIBRARY       the archive or shared library  }
include(FindPackageHandleStandardArgs)

find_path(SPLITGEN_NETTLE_INCLUDE_DIR nettle/sha2.h DOC "The folder above nettle's nettle/sha2.h")
# Without NAMES_PER_DIR: an archive in any folder comes before a shared library in another.
find_library(SPLITGEN_NETTLE_LIBRARY NAMES libnettle.a nettle libnettle
             DOC "nettle, as an archive or a shared library")
mark_as_advanced(SPLITGEN_NETTLE_INCLUDE_DIR SPLITGEN_NETTLE_LIBRARY)

find_package_handle_standard_args(SplitgenNettle
    REQUIRED_VARS SPLITGEN_NETTLE_LIBRARY SPLITGEN_NETTLE_INCLUDE_DIR
    REASON_FAILURE_MESSAGE
        "nettle is missing. Install it with: sudo apt-get install nettle-dev")

if(SplitgenNettle_FOUND AND NOT TARGET splitgen_nettle)
    add_library(splitgen_nettle INTERFACE)
    target_include_directories(splitgen_nettle SYSTEM INTERFACE "${SPLITGEN_NETTLE_INCLUDE_DIR}")
    target_link_libraries(splitgen_nettle INTERFACE "${SPLITGEN_NETTLE_LIBRARY}")
endif()
