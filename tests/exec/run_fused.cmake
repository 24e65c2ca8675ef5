# Compares the kernels of models' Splits with the fused kernels of --fuse, and runs the self-tests of these. Also runs
# the self-test of a Concat with constants and more inputs than fit as parameters.
include("${CMAKE_CURRENT_LIST_DIR}/steps.cmake")

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
build_runtime()
compile_support(tests/support/prng.c tests/exec/fused_main.c)
set(linker "${CC}")
if(LANGUAGE STREQUAL cxx)
    set(linker "${CXX}")
endif()

# make(<fused|apart> <count> <option>...): generates `count` kernels, and the tables for fused_main.c.
function(make name count)
    step("splitgen for ${name}" "${SPLITGEN}" ${ARGN} --prefix ${name}_ --emit=c,h,json,test
         -o "${folder}/${name}" "${model}")
    compile_kernels("${folder}/${name}.c" "${folder}/${name}.o")
    file(READ "${folder}/${name}.json" json)
    string(JSON kernels LENGTH "${json}" kernels)
    if(NOT kernels EQUAL count)
        message(FATAL_ERROR "${CONFIG}: ${kernels} kernels ${name}, not ${count}")
    endif()
    string(APPEND listed "const fused_kernel ${name}[] = {\n")
    math(EXPR last "${kernels} - 1")
    foreach(i RANGE ${last})
        string(JSON kernel GET "${json}" kernels ${i} name)
        string(JSON input GET "${json}" kernels ${i} input tensor)
        string(APPEND declared "extern const splitgen_kernel ${kernel}_kernel;\n")
        string(APPEND listed "    {&${kernel}_kernel, \"${input}\"},\n")
    endforeach()
    string(APPEND listed "};\nconst size_t n${name} = ${kernels};\n")
    set(declared "${declared}" PARENT_SCOPE)
    set(listed "${listed}" PARENT_SCOPE)
endfunction()

# check(<model> <kernels> <kernels with --fuse>)
function(check model kernels less)
    get_filename_component(stem "${model}" NAME_WE)
    set(folder "${WORK}/${stem}")
    file(MAKE_DIRECTORY "${folder}")
    make(apart ${kernels})
    make(fused ${less} --fuse)
    file(WRITE "${folder}/table.c" "#include \"fused_kernels.h\"\n\n${declared}\n${listed}")
    step("compiling table.c" "${CC}" -std=c11 ${FLAGS} ${includes} -Wall -Wextra -Werror
         -c "${folder}/table.c" -o "${folder}/table.o")
    step("linking ${stem}" "${linker}" ${FLAGS} "${folder}/table.o" "${folder}/apart.o"
         "${folder}/fused.o" ${objects} ${runtime} -o "${folder}/run")
    step("running ${stem}" "${folder}/run")
    message("${CONFIG}: ${stem}: ${output}")

    set(includes ${includes} "-I${folder}")
    compile_kernels("${folder}/fused_test.c" "${folder}/fused_test.o")
    step("linking the self-test of ${stem}" "${linker}" ${FLAGS} "${folder}/fused.o"
         "${folder}/fused_test.o" ${runtime} -o "${folder}/self_test")
    step("running the self-test of ${stem}" "${folder}/self_test")
endfunction()

check("${SOURCE_DIR}/tests/exec/cases/fused.onnxtxt" 10 4)
check("${SOURCE_DIR}/tests/exec/cases/fused_packed.xml" 3 1)

# 40 inputs, 3 of them constants.
set(given "")
set(joined "k, e")
foreach(i RANGE 1 37)
    list(APPEND given "float[2,3] x${i}")
    string(APPEND joined ", x${i}")
endforeach()
list(JOIN given ", " given)
set(folder "${WORK}/array")
file(WRITE "${folder}/array.onnxtxt" "<ir_version: 10, opset_import: [\"\" : 18]>
net (${given}) => (y) <float[2,1] k = {1.5, -2.0}, float[2,0] e = {}> { y = Concat <axis = 1> (${joined}, k) }
")
step("splitgen for array" "${SPLITGEN}" --ops=concat --emit=c,h,test -o "${folder}/array" "${folder}/array.onnxtxt")
set(includes ${includes} "-I${folder}")
compile_kernels("${folder}/array.c" "${folder}/array.o")
compile_kernels("${folder}/array_test.c" "${folder}/array_test.o")
step("linking the self-test of array" "${linker}" ${FLAGS} "${folder}/array.o" "${folder}/array_test.o" ${runtime}
     -o "${folder}/self_test")
step("running the self-test of array" "${folder}/self_test")
