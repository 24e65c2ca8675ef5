# Executes the fixed ops of gen_special.c in one configuration, once for each set of options in WAYS. LARGEST,
# LARGEST_SANITIZED: the maximum size of ops, in copies; the few largest take compilers longer than all others.
include("${CMAKE_CURRENT_LIST_DIR}/steps.cmake")

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
build_harness()
separate_arguments(WAYS)
if(NOT "$ENV{SPLITGEN_SHARE}" STREQUAL "") # of the exhaustive counts (support/share.cmake)
    list(SUBLIST WAYS 0 1 WAYS)
endif()
foreach(way IN LISTS WAYS)
    set(OPTIONS ${way})
    set(copies ${LARGEST})
    if(way STREQUAL "--unroll=full") # others are beyond its hard cap and, there, of no compiler's liking
        set(copies 700)
    elseif(CONFIG MATCHES "asan") # a compiler takes four times as long
        set(copies ${LARGEST_SANITIZED})
    endif()
    string(MAKE_C_IDENTIFIER "${way}" stem)
    set(stem "${WORK}/${stem}")
    step("gen_ops" "${GEN_OPS}" special ${copies} "${stem}.lua" "${stem}_table.c")
    string(STRIP "${output}" count)
    run_batch("${stem}" ${count})
    message("${CONFIG}: executed ${count} fixed ops, ${way}")
endforeach()
