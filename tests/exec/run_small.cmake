# Code optimised for size is never larger than code optimised for speed, and at most two thirds of it in all; code
# without memcpy needs no other functions. ARM (set by tests/run --all) and CLANG may be missing. cmake -DSPLITGEN=tool
# -DSOURCE_DIR=root -DWORK=dir -DGCC=gcc -DCLANG=clang -DARM=arm-none-eabi-gcc -P run_small.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")

# Debian's gcc-arm-none-eabi finds newlib's headers by itself if newlib was installed with it, and picolibc's only with
# these specs.
set(arm_library "")
if(ARM)
    execute_process(COMMAND "${ARM}" -print-file-name=picolibc.specs OUTPUT_VARIABLE specs OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(IS_ABSOLUTE "${specs}")
        set(arm_library "--specs=picolibc.specs\;")
    endif()
endif()

set(ops "f32[1,4,12] @2 -> /3" "u8[20,9] @1 -> /3" "f32[4,7] @1 -> 1 2 4" "f16[1,3,224] @1 -> /3"
        "u8[1,37] @1 -> 5 11 21" "f32[10,40] @1 -> 10 30" "u8[5,300] @1 -> 100 200" "f32[16,24] @1 -> /8"
        "u8[20,40] @1 -> /40" "f32[2,50] @1 -> /50" "string[3,4] @1 -> /2" "u4[16,8] @1 -> 3 5"
        "u1[9,24] @1 -> 7 17" "i4[4,32] @1 -> /2" "c64[9,16] @1 -> /2" "u8[2,2] @1 -> 1 1" "f64[3,1] -> /3")

# Bytes of code and constants, which occupy flash.
function(flash compiler flags out)
    execute_process(COMMAND ${compiler} ${flags} -std=c99 -Os -fno-asynchronous-unwind-tables "-I${SOURCE_DIR}/include" -c "${WORK}/op.c"
                            -o "${WORK}/op.o" COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND size "${WORK}/op.o" OUTPUT_VARIABLE table COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCH "\n *([0-9]+)" _ "${table}")
    set(${out} ${CMAKE_MATCH_1} PARENT_SCOPE)
endfunction()

set(failures "")
foreach(target IN ITEMS "${GCC}=" "${ARM}=-mcpu=cortex-m4;-mthumb;-ffreestanding")
    string(REGEX MATCH "^([^=]*)=(.*)" _ "${target}")
    set(compiler "${CMAKE_MATCH_1}")
    set(flags "${CMAKE_MATCH_2}")
    if(NOT compiler)
        message(STATUS "nothing is measured for a Cortex-M4: tests/run --all does, with gcc-arm-none-eabi")
        continue()
    endif()
    set(all_speed 0)
    set(all_size 0)
    foreach(op IN LISTS ops)
        foreach(goal speed size)
            execute_process(COMMAND "${SPLITGEN}" --isa=portable "--optimize=${goal}" -e "op: ${op}" -o "${WORK}/op.c"
                            COMMAND_ERROR_IS_FATAL ANY)
            flash("${compiler}" "${flags}" ${goal})
            math(EXPR all_${goal} "${all_${goal}} + ${${goal}}")
        endforeach()
        if(size GREATER speed)
            string(APPEND failures "${compiler}: ${op}: ${size} bytes for size, ${speed} for speed\n")
        endif()
    endforeach()
    message(STATUS "${compiler}: ${all_size} bytes for size, ${all_speed} for speed")
    math(EXPR most "${all_speed} * 2 / 3")
    if(all_size GREATER most)
        string(APPEND failures "${compiler}: ${all_size} bytes for size in all, more than two thirds of ${all_speed}\n")
    endif()
endforeach()

# Runs of every element size, packed ones, and loops that compilers turn into memcpy.
set(arguments "")
foreach(op IN LISTS ops ITEMS "u8[4096] -> 4096" "u8[64,1] @1 -> 1" "f32[2,700] @1 -> 300 400" "c128[9,3] @1 -> 1 2"
                              "i16[2,900] @1 -> 1 899" "bool[5,6] @1 -> /2" "u1[1,8000] @1 -> 3001 *")
    list(APPEND arguments -e "${op}")
endforeach()
foreach(goal speed size)
    set(targets "${GCC}=-O2" "${CLANG}=-O2" "${ARM}=${arm_library}-O2\;-mcpu=cortex-m4\;-mthumb"
                "${ARM}=-Os\;-mcpu=cortex-m0\;-mthumb\;-ffreestanding")
    if("${goal}" STREQUAL "speed") # takes so much longer that one is enough
        set(targets "${GCC}=-O3")
    endif()
    execute_process(COMMAND "${SPLITGEN}" --no-memcpy "--optimize=${goal}" ${arguments} -o "${WORK}/words.c"
                    COMMAND_ERROR_IS_FATAL ANY)
    foreach(target IN LISTS targets)
        string(REGEX MATCH "^([^=]*)=(.*)" _ "${target}")
        set(compiler "${CMAKE_MATCH_1}")
        set(flags "${CMAKE_MATCH_2}")
        if(NOT compiler)
            continue()
        endif()
        execute_process(COMMAND ${compiler} ${flags} -std=c99 "-I${SOURCE_DIR}/include" -c "${WORK}/words.c"
                                -o "${WORK}/words.o" COMMAND_ERROR_IS_FATAL ANY)
        execute_process(COMMAND nm -u "${WORK}/words.o" OUTPUT_VARIABLE undefined COMMAND_ERROR_IS_FATAL ANY)
        if(undefined)
            string(APPEND failures "${compiler} ${flags} --optimize=${goal}, without memcpy, needs\n${undefined}")
        endif()
    endforeach()
endforeach()
if(failures)
    message(FATAL_ERROR "${failures}")
endif()
