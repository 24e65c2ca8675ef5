# Calls the kernels of the documented specs through their typed functions and descriptors, two files with clashing names
# in one program, and compiles a kernel with offsets beyond 2^31. SELF_TESTS: the specs whose generated self-tests run.
include("${CMAKE_CURRENT_LIST_DIR}/steps.cmake")

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
build_runtime()
use_prefix()
set(cases "${SOURCE_DIR}/tests/exec/cases")

# make(<name> <splitgen argument>...)
function(make name)
    step("splitgen for ${name}" "${SPLITGEN}" ${ARGN} -o "${WORK}/${name}.c")
    compile_kernels("${WORK}/${name}.c" "${WORK}/${name}.o")
endfunction()

make(qkv "${cases}/qkv.lua" -D batch=2)
make(rgb -e "rgb: u8[4,5,3] @2 -> /3")
make(rest -e "rest: f16[3,576] @-1 -> kv:512 _:16 tail:*")
make(many "${cases}/many.lua")
make(free "${cases}/free.lua")
make(first --prefix first_ "${cases}/clash.lua")
make(second --prefix second_ "${cases}/clash.lua" -D swap=1)
make(far "${cases}/far.lua")

step("compiling contract_main.c" "${CC}" -std=c11 -O1 ${FLAGS} ${includes} -Wall -Wextra -Werror
     -c "${SOURCE_DIR}/tests/exec/contract_main.c" -o "${WORK}/contract_main.o")
step("linking contract" "${CC}" ${FLAGS} "${WORK}/contract_main.o" "${WORK}/qkv.o"
     "${WORK}/rgb.o" "${WORK}/rest.o" "${WORK}/many.o" "${WORK}/free.o" "${WORK}/first.o" "${WORK}/second.o" ${runtime}
     -o "${WORK}/contract")
step("running contract" "${WORK}/contract")
message("${CONFIG}: ${output}")

# The generated header alone, the generated self-test and the generated benchmark.
function(self_test spec)
    get_filename_component(stem "${spec}" NAME_WE)
    set(folder "${WORK}/self_${stem}")
    file(MAKE_DIRECTORY "${folder}")
    step("splitgen --emit for ${stem}" "${SPLITGEN}" --emit=c,h,test,bench -o "${folder}/" "${spec}")
    file(WRITE "${folder}/header.c" "#include \"${stem}.h\"\n#include \"${stem}.h\"\n")
    set(includes ${includes} "-I${folder}")
    foreach(source ${stem} ${stem}_test ${stem}_bench header)
        compile_kernels("${folder}/${source}.c" "${folder}/${source}.o")
    endforeach()
    step("linking the self-test of ${stem}" "${CC}" ${FLAGS} "${folder}/${stem}.o"
         "${folder}/${stem}_test.o" ${runtime} -o "${folder}/self_test")
    step("running the self-test of ${stem}" "${folder}/self_test")
endfunction()

separate_arguments(SELF_TESTS)
foreach(spec IN LISTS SELF_TESTS)
    self_test("${cases}/${spec}.lua")
endforeach()
