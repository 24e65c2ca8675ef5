# The bytes of machine code that --report estimates, beside those that gcc makes of some ops, each by itself
# and all together. The bounds are a little wider than what the manual says of most kernels.
#   cmake -DSPLITGEN=tool -DSOURCE_DIR=root -DWORK_DIR=dir -DCC=gcc -DARCH=x86_64|aarch64 -P estimate.cmake
if(NOT CC)
    message("SKIPPED: sudo apt-get install gcc binutils")
    return()
endif()
file(REMOVE_RECURSE "${WORK_DIR}")
file(MAKE_DIRECTORY "${WORK_DIR}")

set(ops "shape: i64[4] -> /4"
        "gates: f32[1,512] @1 -> /4"
        "rgb: u8[224,224,3] @2 -> /3"
        "boxes: f32[25,5] @1 -> 2,2,1"
        "qkv: f16[64,2304] @1 -> /3"
        "heads: f32[100,120] @1 -> 80,20,20"
        "nibbles: u4[40,13] @1 -> 6,7")

# The .text sections of an object file.
function(code_size object out)
    execute_process(COMMAND size -A "${object}" OUTPUT_VARIABLE table COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "\n\\.text[^ ]* +[0-9]+" lines "${table}")
    set(sum 0)
    foreach(line IN LISTS lines)
        string(REGEX MATCH "[0-9]+$" bytes "${line}")
        math(EXPR sum "${sum} + ${bytes}")
    endforeach()
    set(${out} ${sum} PARENT_SCOPE)
endfunction()

set(failures 0)
# compare(<what> <estimate> <bytes> <least> <most>): percents
function(compare what estimate real least most)
    math(EXPR percent "100 * ${estimate} / ${real}")
    message(STATUS "${what}: estimated ${estimate}, by gcc ${real} (${percent} %)")
    if(percent LESS least OR percent GREATER most)
        math(EXPR failures "${failures} + 1")
        set(failures ${failures} PARENT_SCOPE)
    endif()
endfunction()

set(targets ${ARCH} -O2)
if(ARCH STREQUAL "x86_64" AND EXHAUSTIVE)
    list(APPEND targets x86_64_os -Os)
endif()
while(targets)
    list(POP_FRONT targets target level)
    set(estimates 0)
    set(reals 0)
    foreach(op IN LISTS ops)
        string(REGEX MATCH "^[a-z]+" name "${op}")
        execute_process(COMMAND "${SPLITGEN}" -e "${op}" --report=json OUTPUT_VARIABLE report
                        COMMAND_ERROR_IS_FATAL ANY)
        string(JSON estimate GET "${report}" kernels 0 text ${target})
        execute_process(COMMAND "${SPLITGEN}" -e "${op}" -o "${WORK_DIR}/${name}.c" COMMAND_ERROR_IS_FATAL ANY)
        execute_process(COMMAND "${CC}" -std=c99 ${level} "-I${SOURCE_DIR}/include" -c "${WORK_DIR}/${name}.c"
                                -o "${WORK_DIR}/${name}.o"
                        COMMAND_ERROR_IS_FATAL ANY)
        code_size("${WORK_DIR}/${name}.o" real)
        compare("${target} ${name}" ${estimate} ${real} 60 165)
        math(EXPR estimates "${estimates} + ${estimate}")
        math(EXPR reals "${reals} + ${real}")
    endforeach()
    compare("${target} together" ${estimates} ${reals} 80 125)
endwhile()
if(failures GREATER 0)
    message(FATAL_ERROR "${failures} estimates are too far off")
endif()
