# The code of five small kernels is never larger than hand-written code, and code that 1,000 ops of few shapes share is
# in the file once. cmake -DSPLITGEN=tool -DSOURCE_DIR=root -DWORK_DIR=dir -P code_size.cmake
file(REMOVE_RECURSE "${WORK_DIR}")
file(MAKE_DIRECTORY "${WORK_DIR}")

set(ops "pair: f32[2,6] @1 -> 2,4"
        "shape_tensor: i64[4] -> /4"
        "gates: f32[1,128] @1 -> /4"
        "boxes: f32[2,5] @1 -> 2,2,1"
        "fields: u8[2,7] @1 -> 1,2,4")
set(tool_arguments "")
foreach(op IN LISTS ops)
    list(APPEND tool_arguments -e "${op}")
endforeach()
execute_process(COMMAND "${SPLITGEN}" ${tool_arguments} -o "${WORK_DIR}/kernels.c"
                COMMAND_ERROR_IS_FATAL ANY)

# Bytes of a function in an object file.
function(code_size object symbol out)
    execute_process(COMMAND nm -S --defined-only "${object}" OUTPUT_VARIABLE table
                    COMMAND_ERROR_IS_FATAL ANY)
    if(NOT table MATCHES "[0-9a-f]+ ([0-9a-f]+) T ${symbol}\n")
        message(FATAL_ERROR "no function ${symbol} in ${object}")
    endif()
    math(EXPR size "0x${CMAKE_MATCH_1}")
    set(${out} ${size} PARENT_SCOPE)
endfunction()

execute_process(COMMAND "${SPLITGEN}" "${SOURCE_DIR}/tests/exec/cases/layers.lua" -o "${WORK_DIR}/layers.c"
                COMMAND_ERROR_IS_FATAL ANY)
file(SIZE "${WORK_DIR}/layers.c" bytes)
message(STATUS "1,000 ops of 37 shapes: ${bytes} bytes of C")
if(bytes GREATER 2000000)
    message(FATAL_ERROR "1,000 ops of 37 shapes take more than 2,000,000 bytes of C")
endif()

set(failures 0)
foreach(compiler gcc clang)
    find_program(found_${compiler} ${compiler})
    if(NOT found_${compiler})
        message(STATUS "${compiler} is not here: left out")
        continue()
    endif()
    foreach(level -O2 -Os)
        foreach(source "${WORK_DIR}/kernels.c" "${SOURCE_DIR}/tests/exec/hand_written.c")
            cmake_path(GET source STEM stem)
            execute_process(COMMAND ${compiler} -std=c99 ${level} "-I${SOURCE_DIR}/include" -c
                                    "${source}" -o "${WORK_DIR}/${stem}.o"
                            COMMAND_ERROR_IS_FATAL ANY)
        endforeach()
        foreach(symbol pair shape_tensor gates boxes fields)
            code_size("${WORK_DIR}/kernels.o" ${symbol} ours)
            code_size("${WORK_DIR}/hand_written.o" ${symbol} hand)
            message(STATUS "${compiler} ${level} ${symbol}: splitgen ${ours} bytes, by hand ${hand}")
            if(ours GREATER hand)
                math(EXPR failures "${failures} + 1")
            endif()
        endforeach()
    endforeach()
endforeach()
if(failures GREATER 0)
    message(FATAL_ERROR "${failures} kernels are larger than written by hand")
endif()
