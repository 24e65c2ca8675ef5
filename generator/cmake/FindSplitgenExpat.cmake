# expat, which reads XML, as the target splitgen_expat.
include("${CMAKE_CURRENT_LIST_DIR}/SplitgenFindLibrary.cmake")
splitgen_find_library(Expat expat.h libexpat1-dev m)
