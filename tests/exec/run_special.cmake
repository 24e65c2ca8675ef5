# Executes the fixed ops of gen_special.c in one configuration, once per way of generating them that
# WAYS lists.
include("${CMAKE_CURRENT_LIST_DIR}/steps.cmake")

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
build_harness()
separate_arguments(WAYS)
foreach(way IN LISTS WAYS)
    set(OPTIONS ${way})
    # the largest are beyond the hard cap of --unroll=full and, there, of no compiler's liking
    set(copies 1000000000)
    if(way STREQUAL "--unroll=full")
        set(copies 700)
    elseif(CONFIG MATCHES "asan")
        set(copies 8000) # the others take longer than all of these
    endif()
    string(MAKE_C_IDENTIFIER "${way}" stem)
    set(stem "${WORK}/${stem}")
    step("gen_ops" "${GEN_OPS}" special ${copies} "${stem}.lua" "${stem}_table.c")
    string(STRIP "${output}" count)
    run_batch("${stem}" ${count})
    message("${CONFIG}: executed ${count} fixed ops, ${way}")
endforeach()
