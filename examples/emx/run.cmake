# The steps of the README: with kernels for all Splits, with none for views, and with all tensors in an arena. The
# outputs have to be those of the C as it was printed, byte by byte. Variables:
#   SPLITGEN  the tool
#   PYTHON    a Python; where it has no package emx-onnx-cgen, all is skipped
#   CC WORK   a compiler of C, a folder
cmake_minimum_required(VERSION 3.22)
set(here "${CMAKE_CURRENT_LIST_DIR}")
cmake_path(SET root NORMALIZE "${here}/../..")

set(has_emx 1)
if(PYTHON)
    execute_process(COMMAND "${PYTHON}" -c "import emx_onnx_cgen, onnx" RESULT_VARIABLE has_emx OUTPUT_QUIET ERROR_QUIET)
endif()
if(NOT has_emx EQUAL 0)
    message("SKIPPED: python3 has no emx-onnx-cgen: python3 -m pip install emx-onnx-cgen, in a virtual environment")
    return()
endif()
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")

# run(<command>...) leaves ERR, what it said.
function(run)
    execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE exit
                    OUTPUT_VARIABLE OUT ERROR_VARIABLE ERR)
    if(NOT exit EQUAL 0)
        list(JOIN ARGN " " shown)
        message(FATAL_ERROR "${shown}\nexit ${exit}\n${OUT}${ERR}")
    endif()
    set(ERR "${ERR}" PARENT_SCOPE)
endfunction()

# program(<name> <file of C>...): with warnings as errors, and what it writes beside it in <name>.out.
function(program name)
    run("${CC}" -std=c99 -O2 -Wall -Wextra -Werror -D_POSIX_C_SOURCE=200809L "-I${root}/include" -o ${name}
        "${here}/main.c" ${ARGN} -lm)
    execute_process(COMMAND "${WORK}/${name}" WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE exit OUTPUT_FILE ${name}.out)
    file(SIZE "${WORK}/${name}.out" bytes)
    if(NOT exit EQUAL 0 OR NOT bytes EQUAL 13312)
        message(FATAL_ERROR "${name}: exit ${exit}, ${bytes} bytes")
    endif()
endfunction()

# with_kernels(<name> <what the script has to say> <file of the placement, or ""> <option of splitgen>...)
function(with_kernels name said placement)
    run("${SPLITGEN}" -o ${name}_kernels.c ${ARGN} net.onnx)
    run(sh -c "'${PYTHON}' '${here}/put_kernels.py' ${name}_kernels.json ${name}_kernels.h net.c ${placement} > ${name}.c")
    message("\nemx: ${name}\n\n${ERR}")
    if(NOT ERR STREQUAL said)
        message(FATAL_ERROR "but what is right is\n${said}")
    endif()
    file(GLOB runtime "${root}/runtime/*.c")
    program(${name} ${name}.c ${name}_kernels.c ${runtime})
    run("${CMAKE_COMMAND}" -E compare_files printed.out ${name}.out)
endfunction()

run("${PYTHON}" -c "import onnx\nonnx.save(onnx.parser.parse_model(open('${here}/net.onnxtxt').read()), 'net.onnx')")
run("${PYTHON}" -m emx_onnx_cgen compile --model-name net --large-temp-threshold 1 net.onnx net.c)
program(printed net.c)
set(said "/gate: gate\n/qkv: qkv\n/batch: batch\nkept: kept\n/heads: heads\n")
with_kernels(all "${said}" "" --emit=c,h,json)
set(left "left, this C has an array for each output")
with_kernels(copies "/gate: gate\n/qkv: qkv\n/batch: first, second: ${left}\nkept: kept, rest: ${left}\n/heads: heads\n" "" --emit=c,h,json --views=omit)
with_kernels(arena "${said}/shape: nothing\n" arena_kernels_placement.json --ops=all --emit=c,h,json,placement,placement-header)
file(READ "${WORK}/arena.c" text)
string(REGEX MATCHALL "malloc[(]" allocations "${text}")
if(NOT allocations STREQUAL "malloc(")
    message(FATAL_ERROR "the C with an arena allocates more than that: ${allocations}")
endif()
message("\nthe outputs are the same bytes each time\n")
