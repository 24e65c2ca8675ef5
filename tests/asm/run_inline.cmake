# Compiles the ops below with one compiler at several levels. With optimisation, no tile and no loop may remain a
# function: a tile that is called would test at every row how to store. Variables: SPLITGEN SOURCE_DIR WORK CONFIG CC NM PACKAGES, and EXHAUSTIVE: also at -O3, where
# compilers inline more than at the other levels.
cmake_minimum_required(VERSION 3.25)

if(NOT CC OR NOT NM)
    message("SKIPPED: sudo apt-get install ${PACKAGES}")
    return()
endif()
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")

# Splits and concats of tiles, of long runs, of runs beside tiles, with an open number of rows, with padded rows, and
# with combined stores.
set(ops -e "mixed: f32[10000,85] @1 -> 2,2,1,80"
        -e "pitched: u8[1080/600,190,3] @2 -> r:1 g:1 b:1"
        -e "join_runs: f32[3000,512] @1 <- 256,256"
        -e "any_rows: f32[N?,6] @1 -> 2,4"
        -e "planes: u8[1080,1920,3] @2 -> r:1 g:1 b:1"
        -e "lines: f32[3000,512] @1 -> 256,256"
        -e "runs_and_tiles: f64[64,165] @1 -> 4,3,6,6,2,3,16,64,32,2,1,16,4,3,2,1")
execute_process(COMMAND "${SPLITGEN}" --non-temporal=always ${ops} -o "${WORK}/ops.c" COMMAND_ERROR_IS_FATAL ANY)

file(STRINGS "${SOURCE_DIR}/include/splitgen/loops.h" heads REGEX "SPLITGEN_COPY [a-z_ ]*splitgen_")
list(TRANSFORM heads REPLACE "^.* (splitgen_[a-z0-9_#]+)\\(.*$" "\\1")
list(TRANSFORM heads REPLACE "##(isa|unit)" "(avx2|avx512|bytes|words)")
list(JOIN heads "|" loops)
set(kept "[^ \n]*_tile|${loops}")

set(levels -O1 -O2 -Os)
if(EXHAUSTIVE)
    list(APPEND levels -O3)
endif()
foreach(level IN LISTS levels)
    execute_process(COMMAND "${CC}" -std=c99 ${level} "-I${SOURCE_DIR}/include" -Wall -Wextra -Werror -c
                            "${WORK}/ops.c" -o "${WORK}/ops.o" COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND "${NM}" --defined-only "${WORK}/ops.o" OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL " [tT] (${kept})(\\.[a-z0-9.]+)?\n" left "${symbols}")
    if(left)
        string(REPLACE ";" "" left "${left}")
        message(FATAL_ERROR "${CONFIG} ${level}: is called and has to be in line\n${left}")
    endif()
endforeach()

message("${CONFIG}: no tile and no loop is a function")
