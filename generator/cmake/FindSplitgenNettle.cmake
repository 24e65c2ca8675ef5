# nettle, for its SHA-256, as the target splitgen_nettle.
include("${CMAKE_CURRENT_LIST_DIR}/SplitgenFindLibrary.cmake")
splitgen_find_library(Nettle nettle/sha2.h nettle-dev)
