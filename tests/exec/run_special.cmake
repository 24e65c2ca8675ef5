# Executes the fixed ops of gen_special.c in one configuration, once per way of unrolling.
include("${CMAKE_CURRENT_LIST_DIR}/steps.cmake")

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
build_harness()
foreach(unroll auto none full)
    set(SPLITGEN_OPTIONS --unroll=${unroll})
    # the largest are beyond the hard cap of --unroll=full and, there, of no compiler's liking
    set(copies 1000000000)
    if(unroll STREQUAL full)
        set(copies 700)
    endif()
    set(stem "${WORK}/${unroll}")
    step("gen_ops" "${GEN_OPS}" special ${copies} "${stem}.lua" "${stem}_table.c")
    string(STRIP "${output}" count)
    run_batch("${stem}" ${count})
    message("${CONFIG}: executed ${count} fixed ops, --unroll=${unroll}")
endforeach()
