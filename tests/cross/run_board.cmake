# Runs the kernels of all examples on a board that qemu emulates: compiled without a warning, tested by their own
# self-tests. Variables in addition to those of tests/exec/steps.cmake, whose MACHINE and FLAGS select the target:
#   QEMU      qemu-system-arm
#   BOARD     its name for the board: an MPS2, with 4 MiB for code at 0 and 16 MiB at 0x21000000
#   PACKAGES  the packages of CC, its C library and QEMU, for the message if one is missing
cmake_minimum_required(VERSION 3.25)

set(LANGUAGE c)
set(STANDARD c99)
include("${CMAKE_CURRENT_LIST_DIR}/../exec/steps.cmake")
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")

# The C library that talks to the emulator.
set(board --specs=picolibc.specs)
set(link --crt0=semihost --oslib=semihost -Wl,--defsym=__flash=0,--defsym=__flash_size=0x400000
         -Wl,--defsym=__ram=0x21000000)
file(WRITE "${WORK}/probe.c" "#include <stdio.h>\nint main(void) { return puts(\"\") < 0; }\n")
if(CC AND QEMU)
    execute_process(COMMAND "${CC}" ${FLAGS} ${board} ${link} "${WORK}/probe.c" -o "${WORK}/probe"
                            -Wl,--defsym=__ram_size=0x1000000
                    RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
endif()
if(NOT CC OR NOT QEMU OR NOT result EQUAL 0)
    string(REPLACE ";" " " packages "${PACKAGES}")
    message("SKIPPED: sudo apt-get install ${packages}")
    return()
endif()

# The runtime can be compiled without a C library.
set(runtime)
file(GLOB sources "${SOURCE_DIR}/runtime/*.c")
foreach(source IN LISTS sources)
    get_filename_component(stem "${source}" NAME_WE)
    step("compiling ${source}" "${CC}" -std=c99 -ffreestanding ${strict} -Wmissing-prototypes ${FLAGS}
         ${includes} -c "${source}" -o "${WORK}/${stem}.o")
    list(APPEND runtime "${WORK}/${stem}.o")
endforeach()
list(APPEND FLAGS ${board})

# build(<stem> <bytes of RAM> <object>...): the program <stem> with its kernels and self-test.
function(build stem ram)
    foreach(part ${stem} ${stem}_test)
        compile_kernels("${WORK}/${part}.c" "${WORK}/${part}.o")
    endforeach()
    step("linking ${stem}" "${CC}" ${FLAGS} ${link} -Wl,--defsym=__ram_size=${ram}
         "${WORK}/${stem}.o" "${WORK}/${stem}_test.o" ${runtime} ${ARGN} -o "${WORK}/${stem}")
endfunction()

# run(<stem>): sets `result` and `output`.
macro(run stem)
    execute_process(COMMAND "${QEMU}" -M ${BOARD} -nographic -monitor none -serial none
                            -semihosting-config enable=on,target=native -kernel "${WORK}/${stem}"
                    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output TIMEOUT 100)
endmacro()

# example(<stem> <splitgen argument>...): with sizes for a board.
set(tested 0)
function(example stem)
    step("splitgen for ${stem}" "${SPLITGEN}" ${OPTIONS} --emit=c,h,test -o "${WORK}/${stem}.c" ${ARGN})
    build(${stem} 0x1000000)
    run(${stem})
    string(REGEX MATCHALL "ok [^:\n]+:" ok "${output}")
    list(REMOVE_DUPLICATES ok) # a kernel for any number of items prints it several times
    file(STRINGS "${WORK}/${stem}.c" kernels REGEX "^SPLITGEN_EXTERN const splitgen_kernel ")
    list(LENGTH ok passed)
    list(LENGTH kernels count)
    if(NOT result EQUAL 0 OR count EQUAL 0 OR NOT passed EQUAL count)
        message(FATAL_ERROR "${CONFIG}: ${stem} ends with ${result}, ${passed} of ${count}: ${output}")
    endif()
    math(EXPR tested "${tested} + ${count}")
    set(tested ${tested} PARENT_SCOPE)
endfunction()

set(examples "${SOURCE_DIR}/examples")
example(planes -D width=120 -D height=16 "${examples}/planes/planes.lua")
example(qkv "${examples}/qkv/qkv.lua")
example(detect "${examples}/detect/detect.lua")
example(model --shape images=1,3,32,64 "${examples}/model/detector.onnxtxt")
example(cell "${examples}/model/cell.onnxtxt")
example(c2f --ops=all --fuse --shape block=2,64,8,8 "${examples}/c2f/c2f.onnxtxt")
example(net "${examples}/emx/net.onnxtxt")
foreach(spec forms onnx openvino)
    example(${spec} "${examples}/shapes/${spec}.lua")
endforeach()
example(placement --ops=all -D images=1 "${examples}/placement/block.onnxtxt")
example(threads -D tokens=16 -D height=2 -D weights=16384 "${examples}/threads/splits.lua")
file(GLOB folders LIST_DIRECTORIES true "${examples}/*/CMakeLists.txt")
list(LENGTH folders nfolders)
if(NOT nfolders EQUAL 9)
    message(FATAL_ERROR "there are ${nfolders} examples, and here are 9")
endif()

# firmware(<stem>): the self-test as a function, on a board with 64 KiB.
function(firmware stem)
    file(STRINGS "${WORK}/${stem}_test.c" line REGEX "at least [0-9]+ bytes:")
    string(REGEX MATCH "[0-9]+" memory "${line}")
    list(APPEND FLAGS -DSPLITGEN_SELFTEST_FUNCTION)
    step("compiling selftest_main.c" "${CC}" -std=c99 ${FLAGS} -DSELFTEST=${stem}_selftest -DMEMORY=${memory}
         -c "${SOURCE_DIR}/tests/support/selftest_main.c" -o "${WORK}/main.o")
    build(${stem} 0x10000 "${WORK}/main.o")
    run(${stem})
    if(NOT output STREQUAL "")
        message(FATAL_ERROR "${CONFIG}: the function of ${stem} prints ${output}")
    endif()
    set(result ${result} PARENT_SCOPE)
endfunction()

# Tensors that leave no room for another copy of them.
step("splitgen for fits" "${SPLITGEN}" ${OPTIONS} --emit=c,h,test -o "${WORK}/fits.c"
     -e "prefill: f32[17,408] @1 -> q:192 k:192 v:24" -e "decode: f32[1,408] @1 -> q:192 k:192 v:24")
firmware(fits)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "${CONFIG}: within 64 KiB, the self-test ends with ${result}")
endif()
# The self-test finds a wrong offset on the board too.
step("splitgen for early" "${SPLITGEN}" --isa=portable --emit=c,h,test -o "${WORK}/early.c"
     -e "early: u8[1,8] @1 -> 3 5")
file(READ "${WORK}/early.c" code)
string(REPLACE "data + 3" "data + 2" spoiled "${code}")
file(WRITE "${WORK}/early.c" "${spoiled}")
firmware(early)
if(code STREQUAL spoiled OR NOT result EQUAL 1)
    message(FATAL_ERROR "${CONFIG}: the self-test of a wrong kernel ends with ${result}")
endif()
message("${CONFIG}: tested ${tested} kernels")
