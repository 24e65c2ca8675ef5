# expat as the target splitgen_expat, linked statically where the system has the archive, so that the
# installed tool needs no shared expat.
#
#   SPLITGEN_EXPAT_INCLUDE_DIR   the folder of expat.h        } found, or given with -D by the user
#   SPLITGEN_EXPAT_LIBRARY       the archive or shared library }
include(FindPackageHandleStandardArgs)

find_path(SPLITGEN_EXPAT_INCLUDE_DIR expat.h DOC "The folder of expat's expat.h")
# Without NAMES_PER_DIR: an archive in any folder comes before a shared library in another.
find_library(SPLITGEN_EXPAT_LIBRARY NAMES libexpat.a expat libexpat
             DOC "expat, as an archive or a shared library")
mark_as_advanced(SPLITGEN_EXPAT_INCLUDE_DIR SPLITGEN_EXPAT_LIBRARY)

find_package_handle_standard_args(SplitgenExpat
    REQUIRED_VARS SPLITGEN_EXPAT_LIBRARY SPLITGEN_EXPAT_INCLUDE_DIR
    REASON_FAILURE_MESSAGE
        "expat is missing. Install it with: sudo apt-get install libexpat1-dev")

if(SplitgenExpat_FOUND AND NOT TARGET splitgen_expat)
    add_library(splitgen_expat INTERFACE)
    target_include_directories(splitgen_expat SYSTEM INTERFACE "${SPLITGEN_EXPAT_INCLUDE_DIR}")
    target_link_libraries(splitgen_expat INTERFACE "${SPLITGEN_EXPAT_LIBRARY}" m)
endif()
