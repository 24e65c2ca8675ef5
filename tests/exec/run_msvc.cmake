# Compiles generated code and the runtime as for Microsoft's compiler, with /W4 and warnings as errors: by clang as
# clang-cl, for x86-64 and AArch64, as C and as C++. Headers of Windows are not needed: <stddef.h> and <stdint.h> come
# with clang, and the few other declarations that are used are written here. Run with `cmake -P`:
#   SPLITGEN GEN_OPS SOURCE_DIR WORK CLANG SEED RANDOM COPIES
#   WAYS     options of splitgen, joined by +, to generate them with
cmake_minimum_required(VERSION 3.25)
set(CONFIG msvc)
include("${CMAKE_CURRENT_LIST_DIR}/steps.cmake")
separate_arguments(WAYS)
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}/headers")
set(begin "#pragma once\n#include <stddef.h>\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n")
set(end "#ifdef __cplusplus\n}\n#endif\n")
file(WRITE "${WORK}/headers/string.h" "${begin}"
     "void *memcpy(void *, const void *, size_t);\nvoid *memset(void *, int, size_t);\n"
     "int memcmp(const void *, const void *, size_t);\nint strcmp(const char *, const char *);\n${end}")
file(WRITE "${WORK}/headers/stdlib.h" "${begin}void *malloc(size_t);\nvoid free(void *);\n${end}")
file(WRITE "${WORK}/headers/stdio.h" "${begin}int printf(const char *, ...);\n${end}")

set(compiled 0)
# compile(<source> <flag>...): for every target
function(compile source)
    foreach(target x86_64 aarch64)
        step("compiling ${source}" "${CLANG}" --driver-mode=cl "--target=${target}-pc-windows-msvc" /W4 /WX /c -imsvc "${WORK}/headers"
            "/I${SOURCE_DIR}/include" ${ARGN} "/Fo${WORK}/out.obj" -- "${source}")
        math(EXPR compiled "${compiled} + 1")
    endforeach()
    set(compiled "${compiled}" PARENT_SCOPE)
endfunction()

# A warning has to fail the test: this code has one.
file(WRITE "${WORK}/warned.c" "int narrow(unsigned long long wide);\nint narrow(unsigned long long wide)\n{\n    int unused;\n    return wide < 3;\n}\n")
execute_process(COMMAND "${CLANG}" --driver-mode=cl --target=x86_64-pc-windows-msvc /W4 /WX /c "/Fo${WORK}/out.obj"
                        -- "${WORK}/warned.c" RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE errors)
if(result EQUAL 0 OR NOT "${output}${errors}" MATCHES "unused variable")
    message(FATAL_ERROR "/W4 /WX lets a warning pass: ${result} ${output}${errors}")
endif()

file(GLOB runtime "${SOURCE_DIR}/runtime/*.c")
foreach(source IN LISTS runtime)
    compile("${source}")
    compile("${source}" /O2)
endforeach()
step("gen_ops" "${GEN_OPS}" random ${SEED} ${RANDOM} 2000 "${WORK}/random.lua" "${WORK}/table.c")
step("gen_ops" "${GEN_OPS}" special ${COPIES} "${WORK}/special.lua" "${WORK}/table.c")
set(number 0)
foreach(way IN LISTS WAYS)
    string(REPLACE "+" ";" options "${way}")
    foreach(spec random special)
        math(EXPR number "${number} + 1")
        step("splitgen ${spec}.lua" "${SPLITGEN}" ${options} --emit=c,h,test,registry -o "${WORK}/${number}/" "${WORK}/${spec}.lua")
        foreach(source "${spec}.c" "${spec}_test.c" "${spec}_registry.c")
            compile("${WORK}/${number}/${source}")
        endforeach()
        compile("${WORK}/${number}/${spec}.c" /TP /EHsc)
    endforeach()
endforeach()
message("${compiled} times without a warning under /W4")
