# A block runs in the arena by the constants of --emit=placement-header, beside the header of the kernels, as C and as C++, under
# every warning. Passed in: SPLITGEN SOURCE_DIR WORK, and compilers of C and C++ in CC and CXX.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")

function(run)
    execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE exit OUTPUT_VARIABLE out ERROR_VARIABLE out)
    if(NOT exit EQUAL 0)
        list(JOIN ARGN " " shown)
        message(FATAL_ERROR "${shown}\nexit ${exit}\n${out}")
    endif()
endfunction()

# Names that would be one constant, that of the arena and a word of C among them; and a graph in another one.
file(WRITE "${WORK}/net.onnxtxt" [[
<ir_version: 10, opset_import: ["" : 18]>
net (float[2,8,4] image, bool more) => (result, arena) <int64[2] halves = {4,4}, float[2,1,4] k = {1,2,3,4,5,6,7,8}> {
  x = Abs (image)
  ["split"] A, a = Split <axis = 1> (x, halves)
  ["/conv/int"] int = Neg (a)
  ["net"] "/y/0" = Concat <axis = 1> (A, a, int, k)
  result = Neg ("/y/0")
  ["choose"] arena = If (more) <
    then_branch = yes () => (float[2,13,4] one) { y_0 = Neg ("/y/0") one = Concat <axis = 0> (y_0) },
    else_branch = no () => (float[2,13,4] two) { two = Abs ("/y/0") }>
}
]])
set(flags -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wcast-qual -Wcast-align -Wshadow -Wundef -Werror
          "-I${SOURCE_DIR}/include" -I.)
file(GLOB runtime "${SOURCE_DIR}/runtime/*.c")
run("${SPLITGEN}" --prefix=my_ --strided=Abs,Neg --strided-read=Neg --emit=c,h,placement-header -o net.c net.onnxtxt)
foreach(standard c99 c11)
    run(${CC} -std=${standard} ${flags} "${SOURCE_DIR}/tests/exec/placement_main.c" net.c ${runtime} -o run_${standard})
    run("${WORK}/run_${standard}")
endforeach()
foreach(standard c++11 c++17)
    run(${CXX} -std=${standard} ${flags} -x c++ -fsyntax-only "${SOURCE_DIR}/tests/exec/placement_main.c")
endforeach()
