# Buffers of exactly the size that the header documents are enough for a kernel, and not too large: each lies between
# unmapped pages. All kinds of tensors: the ops here, fixed and random ops with open dimensions, padding and packed
# elements, rows in groups. The kernels of a standalone file, compiled without headers by each of COMPILERS, write the
# same bytes. cmake -DSPLITGEN=tool -DGEN_OPS=tool -DSOURCE_DIR=root -DWORK=dir -DCC=gcc -DRUNTIME=library
# -DCOUNT=n "-DCOMPILERS=gcc|tcc" -P run_buffers.cmake
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/steps.cmake")
string(REPLACE "|" ";" COMPILERS "${COMPILERS}")
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
set(CONFIG buffers)
set(here "${SOURCE_DIR}/tests/exec")

# A row stride, of every tensor; groups of rows; planes with a pixel stride; parts that are not wanted, or only views;
# packed elements; open dimensions; arrays of parts; empty tensors; rows that are one row.
set(ops "y: u8[480,640]/768 @1 -> plane:640" "f32[5,9]/12 @1 -> 2/3 7/16" "f32[5,9]/12 @1 <- 2/3 7/16"
        "u8[3/200,4/30,10] @2 -> p:4/25/5 q:6" "u8[3/200,4/30,10] @2 <- p:4/25/5 q:6" "u8[72/256,32/4,2] @2 -> u:1 v:1"
        "u8[72/256,32/2,1] @2 -> u:1" "u8[6,63]/64 @1 -> _:32 p:16 _:15" "u8[6,63]/70 @1 <- p:32/40 _:16 q:15"
        "u8[9,8]/11 @1 -> a:view:3 b:5" "u4[5,9]/12 @1 -> 3/5 6" "u4[5,10]/13 @1 <- 3 7/9" "u1[7,33]/40 @1 -> 1 32/64"
        "u3[4,16]/24 @1 -> 8/16 8" "f32[n?,9]/12 @1 -> 2/3 7" "f32[n?,m?,9]/12 @2 <- 2/3 7" "u8[n?/200,4/30,10] @2 -> 4 6"
        "f32[n?,4,9,m?] @2 -> 2 7" "u4[n?,16]/24 @1 -> 8/10 8" "u16[3,80]/100 @1 -> /40" "u16[3,80]/100 @1 <- /40"
        "f32[0,8]/10 @1 -> 3/4 5" "f32[3,0]/10 @1 -> 0 0/2" "f32[n?,0]/10 @1 -> 0 0/2" "u8[1,8]/10 @1 -> 3/9 5"
        "string[3,4]/6 @1 -> /2" "c128[2,3]/5 @1 -> 1 2/4")
set(fixed "")
foreach(op IN LISTS ops)
    list(APPEND fixed -e "${op}")
endforeach()
step("making fixed ops" "${GEN_OPS}" special 60 "${WORK}/special.lua" "${WORK}/special.inc")
step("making random ops" "${CMAKE_COMMAND}" -E env SPLITGEN_STRIDES=60 "${GEN_OPS}" random 1 ${COUNT} 60
     "${WORK}/random.lua" "${WORK}/random.inc")
set(special "${WORK}/special.lua")
set(random "${WORK}/random.lua")
set(groups "${here}/cases/pitch.lua" -D count=${COUNT})
set(calls 0)
set(ENV{SPLITGEN_TEMPLATES} "${here}/buffers") # of splitgen_watched
foreach(set fixed special random groups)
    step("generating ${set}" "${SPLITGEN}" --isa=portable,avx2 ${${set}} -o "${WORK}/${set}.c"
         --header "${WORK}/${set}.h" --emit=c,h,test)
    step("generating ${set}, standalone" "${SPLITGEN}" --isa=portable,avx2 ${${set}} --standalone --prefix=alone_
         -o "${WORK}/${set}_alone.c" --header "${WORK}/${set}_alone.h")
    step("compiling ${set}" "${CC}" -std=c99 ${strict} -O0 ${includes} -c "${WORK}/${set}.c" -o "${WORK}/${set}.o")
    step("compiling the calls of ${set}" "${CC}" -std=c99 ${strict} -O0 ${includes} "-I${here}/buffers" "-I${WORK}"
         -c "${WORK}/${set}_test.c" -o "${WORK}/${set}_test.o")
    foreach(compiler IN LISTS COMPILERS)
        set(as -std=c99 -Wmissing-prototypes)
        if(compiler MATCHES "[+][+]")
            set(as -x c++ -std=c++11 -fno-exceptions -Wmissing-declarations)
        endif()
        step("compiling ${set}, standalone, with ${compiler}" "${compiler}" ${as} ${strict} -O0 -c "${WORK}/${set}_alone.c"
             -o "${WORK}/${set}_alone.o")
        step("linking ${set}" "${CC}" -std=c11 -D_DEFAULT_SOURCE ${strict} -O1 ${includes} "-I${here}/buffers" "${here}/buffers/main.c"
             "${SOURCE_DIR}/tests/support/guard.c" "${WORK}/${set}.o" "${WORK}/${set}_alone.o" "${WORK}/${set}_test.o" "${RUNTIME}" -o "${WORK}/${set}")
        step("running ${set}" "${WORK}/${set}")
    endforeach()
    string(REGEX MATCH "([0-9]+) calls\n$" _ "${output}")
    math(EXPR calls "${calls} + ${CMAKE_MATCH_1}")
endforeach()
message(STATUS "${calls} calls in buffers of the documented sizes")
