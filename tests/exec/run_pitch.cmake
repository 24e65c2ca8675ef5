# Kernels whose rows lie in groups with padding between them are right with all options: their self-tests check every
# byte that is written, the padding, and the bytes around the tensors. cmake -DSPLITGEN=tool -DSOURCE_DIR=root
# -DWORK=dir -DCC=gcc -DRUNTIME=library -DSEEDS=n -DCOUNT=ops -P run_pitch.cmake
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/steps.cmake")
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
set(CONFIG pitch)
set(ways "--non-temporal=auto" "--non-temporal=always" "--optimize=size" "--unroll=none|--isa=portable")
set(tested 0)
foreach(seed RANGE 1 ${SEEDS})
    math(EXPR way "${seed} % 4")
    list(GET ways ${way} options)
    string(REPLACE "|" ";" options "${options}")
    # This takes compilers twice as long, so only every second seed uses it; over eight seeds each combination occurs
    # once.
    math(EXPR plain "(${seed} + ${seed} / 5) % 2")
    set(sanitized -fsanitize=undefined -fno-sanitize-recover=all)
    if(plain)
        set(sanitized)
    endif()
    step("generating for seed ${seed}" "${SPLITGEN}" ${options} "${SOURCE_DIR}/tests/exec/cases/pitch.lua" -D seed=${seed}
         -D count=${COUNT} -o "${WORK}/k.c" --header "${WORK}/k.h" --emit=c,h,test)
    step("compiling for seed ${seed}" "${CC}" -std=c99 ${strict} -O1 ${sanitized} ${includes} -c "${WORK}/k.c"
         -o "${WORK}/k.o")
    # Self-tests check bytes one by one.
    step("compiling the self-tests for seed ${seed}" "${CC}" -std=c99 ${strict} -O3 ${includes} "-I${WORK}"
         -c "${WORK}/k_test.c" -o "${WORK}/k_test.o")
    step("linking for seed ${seed}" "${CC}" ${sanitized} "${WORK}/k.o" "${WORK}/k_test.o" "${RUNTIME}" -o "${WORK}/test")
    step("running for seed ${seed}" "${WORK}/test")
    string(REGEX MATCHALL "ok [a-z]+[0-9]*:" oks "${output}")
    list(LENGTH oks count)
    math(EXPR tested "${tested} + ${count}")
endforeach()
message(STATUS "${tested} tests of kernels with rows in groups")
