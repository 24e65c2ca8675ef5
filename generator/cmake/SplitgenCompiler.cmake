# Warnings, sanitizers and what is asked of kernels (optimised, position independent) for our own
# targets. splitgen_compiler_options(<target>) applies them; generated parsers get their own, smaller set.

set(SPLITGEN_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wmissing-prototypes
                      -Wstrict-prototypes -Wundef -Wvla)
if(SPLITGEN_WERROR)
    list(APPEND SPLITGEN_WARNINGS -Werror)
endif()

include(CheckCCompilerFlag)
check_c_compiler_flag(-ffile-prefix-map=/a=/b SPLITGEN_HAS_PREFIX_MAP)

function(splitgen_compiler_options target)
    set_target_properties(${target} PROPERTIES C_STANDARD 11 C_STANDARD_REQUIRED ON
                                               C_EXTENSIONS OFF)
    if(NOT c_std_11 IN_LIST CMAKE_C_COMPILE_FEATURES) # a compiler that CMake knows no flags of
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C>:-std=c11>)
    endif()
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C>:${SPLITGEN_WARNINGS}>)
    splitgen_kernel_options(${target})
    splitgen_sanitize(${target})
    splitgen_forget_folders(${target})
endfunction()

# The same bytes wherever the sources and the build lie: debug information and __FILE__ name neither, but the folders "."
# and "./build". Not where one debugs.
function(splitgen_forget_folders target)
    if(SPLITGEN_HAS_PREFIX_MAP)
        target_compile_options(${target} PRIVATE
            "$<$<NOT:$<CONFIG:Debug>>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.>"
            "$<$<NOT:$<CONFIG:Debug>>:-ffile-prefix-map=${PROJECT_BINARY_DIR}=./build>")
    endif()
endfunction()

function(splitgen_sanitize target)
    if(SPLITGEN_SANITIZE)
        target_compile_options(${target} PRIVATE -fsanitize=${SPLITGEN_SANITIZE}
                                                 -fno-sanitize-recover=all
                                                 -fno-omit-frame-pointer)
        # Whoever links a sanitized library needs what it calls.
        target_link_options(${target} PUBLIC -fsanitize=${SPLITGEN_SANITIZE})
    endif()
endfunction()
