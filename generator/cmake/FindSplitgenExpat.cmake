# expat, which reads XML, as the target splitgen_expat.
include("${CMAKE_CURRENT_LIST_DIR}/SplitgenFindLibrary.cmake")
splitgen_find_library(Expat expat.h libexpat1-dev m)
if(TARGET splitgen_expat)
    file(STRINGS "${SPLITGEN_EXPAT_INCLUDE_DIR}/expat.h" splitgen_expat_64 REGEX "XML_GetCurrentByteIndex64")
    if(splitgen_expat_64)
        target_compile_definitions(splitgen_expat INTERFACE SPLITGEN_EXPAT_HAS_64)
    endif()
endif()
