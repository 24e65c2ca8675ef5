# Warnings, sanitizers and the options for kernels (optimised, position independent) for this project's own targets.
# splitgen_compiler_options(<target>) applies them; generated parsers have their own, smaller set.

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
    if(NOT c_std_11 IN_LIST CMAKE_C_COMPILE_FEATURES) # a compiler whose flags CMake does not know
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C>:-std=c11>)
    endif()
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C>:${SPLITGEN_WARNINGS}>)
    splitgen_kernel_options(${target})
    splitgen_sanitize(${target})
    splitgen_forget_folders(${target})
endfunction()

# Makes object files independent of the locations of sources and build: debug information and __FILE__ have "." and
# "./build" instead. Not in Debug builds, where debuggers need the paths.
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
        # programs that link a sanitized library need its runtime
        target_link_options(${target} PUBLIC -fsanitize=${SPLITGEN_SANITIZE})
    endif()
endfunction()
