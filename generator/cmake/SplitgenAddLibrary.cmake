# splitgen_add_library(<target> [STATIC|SHARED|OBJECT] [STANDALONE] [SPECS <file>...] [MODELS <file>...]
#                      [DEFINES <name>=<value>...] [SHAPES <tensor>=<dims>...]
#                      [VALUES <tensor>=<integers>...] [OPEN [<dim>[=<expected>]...]]
#                      [OPS <operator>...] [PREFIX <prefix>]
#                      [HEADER_DIR <folder>] [ISA <set>...] [UNROLL full|auto|none]
#                      [VIEWS copy|omit|omit-outputs]
#                      [SHARDS <number>] [REPORT] [MAX_TEXT <bytes>] [MAX_STACK <bytes>]
#                      [OPTIONS <option>...])
#
# Makes the library <target> from specs and models: a C file and a header for each, named after the file, and
# regenerated when the spec, a file it requires, the model or the tool changes. Targets that link
# <target> can include the headers, and also link the runtime.
#
#   SPECS, MODELS  files, at least one; paths are relative to the current source folder. A name must not contain any
#                  of ' & * > ? ^ $ : ` % [ ], which folders may; a path must not contain any of " ; # < | \ or $(
#   DEFINES        values for the parameters of specs and the named dims of models; batch=free:64 makes a dim
#                  dynamic: -D
#   SHAPES         shapes of tensors of the models: --shape
#   VALUES         values of tensors of the models: --value
#   OPEN           dims of the models to leave dynamic; without names, all dims that have no number: --open
#   OPS            which operators of the models become kernels; default: split: --ops
#   PREFIX         prepended to every symbol: --prefix
#   HEADER_DIR     headers are included as <folder>/<name>.h instead of <name>.h (<name>_splits.h if
#                  <name>.h is a system header)
#   ISA, UNROLL, VIEWS   --isa, --unroll, --views
#   STANDALONE     the files need neither splitgen's headers nor its runtime, which is not linked: --standalone
#   SHARDS         number of C files of similar size for each input, which compile in parallel
#   REPORT         after compiling, print the bytes of machine code and of stack of each kernel
#   MAX_TEXT, MAX_STACK   fail the build if a kernel has more bytes, such as 2048 or 2K
#   OPTIONS        other options of the tool; use absolute paths in them
#
# The code is position independent and optimised (-O2), even if the project sets no build type. Each function has its
# own section, so that a program linked with -Wl,--gc-sections keeps only the kernels it calls. Flags of
# target_compile_options(<target> PRIVATE ...) come last. A SHARED library exports its kernels and the checked way to
# call them, so that programs without the runtime can load it (--emit=py).
#
# To install it: install(TARGETS <target> EXPORT <name> PUBLIC_HEADER DESTINATION include/<folder>).
# The config file of the package with this export must call find_dependency(splitgen).
#
# The path of the build folder must not contain any of " ; # < | \ [ ] * ? > $( ${ or, with Ninja, $, or, with Make, a
# colon. If it contains any of ' & ^ `, Ninja recompiles the C in every build, as it does for any project.
#
# SPLITGEN_SHARED_RUNTIME: the kernels link the shared runtime if there is one.

# A file that includes this one may have older policies; functions keep the policies of the file that defines them.
cmake_policy(VERSION 3.22)
include("${CMAKE_CURRENT_LIST_DIR}/SplitgenTool.cmake")

# Kernels are called often, so they are optimised in every configuration, usable from shared libraries, and in sections
# of their own, so that unused ones can be dropped. A unity build would put several generated files into one.
function(splitgen_kernel_options target)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON UNITY_BUILD OFF)
    if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
        target_compile_options(${target} PRIVATE -ffunction-sections -fdata-sections)
        if(NOT CMAKE_C_FLAGS MATCHES "(^| )-O")
            target_compile_options(${target} PRIVATE $<$<CONFIG:>:-O2>)
        endif()
    endif()
endfunction()

# splitgen_report(<target> <here> <dir> <options of splitgen-size>): measures the compiled kernels whenever a build
# makes the library. An OBJECT library has no build step of its own, so it gets an extra target.
function(splitgen_report target here dir limits)
    include(CheckCCompilerFlag)
    check_c_compiler_flag(-fstack-usage SPLITGEN_HAS_STACK_USAGE)
    find_program(SPLITGEN_SH sh DOC "The shell that runs splitgen-size")
    mark_as_advanced(SPLITGEN_SH)
    if(NOT SPLITGEN_HAS_STACK_USAGE)
        message(FATAL_ERROR "${here}: REPORT, MAX_TEXT and MAX_STACK read what -fstack-usage writes, which "
                            "${CMAKE_C_COMPILER} does not know. Take gcc, or clang from 11 on")
    endif()
    if(NOT CMAKE_NM OR NOT SPLITGEN_SH)
        message(FATAL_ERROR "${here}: REPORT, MAX_TEXT and MAX_STACK need nm and sh. Install binutils and a POSIX "
                            "shell, or set CMAKE_NM and SPLITGEN_SH")
    endif()
    target_compile_options(${target} PRIVATE -fstack-usage)
    set(measure "${SPLITGEN_SH}" "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/splitgen-size" --nm "${CMAKE_NM}" ${limits}
                "$<TARGET_OBJECTS:${target}>")
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "OBJECT_LIBRARY")
        set(stamp "${dir}/measured")
        add_custom_command(OUTPUT "${stamp}" COMMAND ${measure} COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
                           DEPENDS "$<TARGET_OBJECTS:${target}>" COMMENT "Measuring the kernels of ${target}"
                           VERBATIM COMMAND_EXPAND_LISTS)
        add_custom_target(${target}_report ALL DEPENDS "${stamp}")
    else()
        add_custom_command(TARGET ${target} POST_BUILD COMMAND ${measure} COMMENT "Measuring the kernels of ${target}"
                           VERBATIM COMMAND_EXPAND_LISTS)
    endif()
endfunction()

# splitgen_plain(<result> <text>): replaces with _ the characters that no dependency file can represent for both make
# and ninja, and those that are patterns for shells. Other names are unchanged.
function(splitgen_plain result text)
    string(REGEX REPLACE "[]['&*>?^$:`%\t]" "_" text "${text}")
    set(${result} "${text}" PARENT_SCOPE)
endfunction()

# splitgen_refuse(<here> <path> <also> <advice>): fails if the path of an input or output has a character that no build
# can represent, or that this generator cannot represent, given by the regular expression <also>.
function(splitgen_refuse here path also advice)
    cmake_path(GET path RELATIVE_PART part) # a drive is allowed
    if(part MATCHES "[\";#<|\\\n\r]|\\$\\(")
        message(FATAL_ERROR "${here}: no build can have a file with '${CMAKE_MATCH_0}' in its path: ${path} "
                            "(nor one of \" \; # < | \\ $( ). ${advice}")
    elseif(NOT also STREQUAL "" AND part MATCHES "${also}")
        message(FATAL_ERROR "${here}: CMake's ${CMAKE_GENERATOR} cannot build files with '${CMAKE_MATCH_0}' in their "
                            "path: ${path}. ${advice}")
    endif()
endfunction()

# splitgen_folder(<result> <here> <target>): the folder for the files of a target. Dependency files name them relative
# to CMAKE_CURRENT_BINARY_DIR, and CMake builds that name relative to CMAKE_BINARY_DIR. So Ninja accepts any name of the
# latter, but not of the folders in it.
function(splitgen_folder result here target)
    # CMake leaves patterns to the shell, which would expand them to another folder. In CMake a '[' protects the
    # semicolons of a list, "${" is a variable and '>' ends an expression.
    set(folders "[][*?]")
    set(top "[][*?>]|\\\${")
    if(CMAKE_GENERATOR MATCHES "Ninja")
        string(APPEND top "|\\$") # the names of dependency files are not escaped
    elseif(CMAKE_GENERATOR MATCHES "Makefiles")
        string(APPEND top "|:")
        string(APPEND folders "|[ %=$:]") # in the names of the files that CMake writes for each folder
    endif()
    splitgen_refuse("${here}" "${CMAKE_CURRENT_SOURCE_DIR}" "[][*?]" "Give that folder another name")
    splitgen_refuse("${here}" "${CMAKE_BINARY_DIR}" "${top}" "Give the build folder another name: cmake -B")
    set(dir "${CMAKE_CURRENT_BINARY_DIR}")
    cmake_path(RELATIVE_PATH dir BASE_DIRECTORY "${CMAKE_BINARY_DIR}" OUTPUT_VARIABLE below)
    splitgen_refuse("${here}" "${below}" "${folders}" "Give that folder another name, or add_subdirectory a second argument")
    splitgen_plain(plain "${below}")
    if(NOT plain STREQUAL below)
        string(SHA256 hash "${below}")
        string(SUBSTRING "${hash}" 0 8 hash)
        set(dir "${CMAKE_BINARY_DIR}/splitgen.${hash}")
    endif()
    set(${result} "${dir}/${target}.splitgen" PARENT_SCOPE)
endfunction()

# splitgen_input(<result> <depends> <here> <dir> <path>): the path by which the tool names an input, and the dependency
# in the build rule. CMake leaves '*' and '?' unquoted for shells unless something else in a word is quoted, and Ninja
# cannot read dependency files with some characters in a name. A folder with them gets a link with a blank in its name,
# which the tool names relative to CMAKE_CURRENT_BINARY_DIR.
function(splitgen_input result depends here dir path)
    string(REPLACE "\\;" ";" path "${path}") # lists escape semicolons
    splitgen_refuse("${here}" "${path}" "" "Give it another name")
    cmake_path(GET path FILENAME name)
    splitgen_refuse("${here}" "${name}" "[]['&*>?^$:`%\t]" "Give it another name")
    set(${depends} "${path}" PARENT_SCOPE)
    splitgen_plain(plain "${path}")
    if(NOT plain STREQUAL path)
        cmake_path(GET path PARENT_PATH folder)
        string(SHA256 hash "${folder}")
        string(SUBSTRING "${hash}" 0 8 hash)
        file(CREATE_LINK "${folder}" "${dir}/folder ${hash}" SYMBOLIC)
        set(${depends} "${dir}/folder ${hash}/${name}" PARENT_SCOPE)
        cmake_path(RELATIVE_PATH dir BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
        set(path "${dir}/folder ${hash}/${name}")
    endif()
    set(${result} "${path}" PARENT_SCOPE)
endfunction()

function(splitgen_add_library target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "STATIC;SHARED;OBJECT;STANDALONE;REPORT"
                          "PREFIX;HEADER_DIR;UNROLL;VIEWS;SHARDS;MAX_TEXT;MAX_STACK"
                          "SPECS;MODELS;DEFINES;SHAPES;VALUES;OPEN;OPS;ISA;OPTIONS")
    set(here "splitgen_add_library(${target})")
    if(DEFINED arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "${here}: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
    endif()
    set(open ${arg_OPEN})
    list(TRANSFORM open PREPEND "--open=")
    if("OPEN" IN_LIST arg_KEYWORDS_MISSING_VALUES)
        list(REMOVE_ITEM arg_KEYWORDS_MISSING_VALUES OPEN)
        set(open --open)
    endif()
    if(arg_KEYWORDS_MISSING_VALUES)
        message(FATAL_ERROR "${here}: no value after: ${arg_KEYWORDS_MISSING_VALUES}")
    endif()
    if(NOT arg_SPECS AND NOT arg_MODELS)
        message(FATAL_ERROR "${here}: SPECS is missing, and so is MODELS")
    endif()
    set(type STATIC)
    set(types "")
    foreach(word STATIC SHARED OBJECT)
        if(arg_${word})
            set(type ${word})
            list(APPEND types ${word})
        endif()
    endforeach()
    list(LENGTH types count)
    if(count GREATER 1)
        message(FATAL_ERROR "${here}: is it ${types}? Give one of them")
    endif()
    if(IS_ABSOLUTE "${arg_HEADER_DIR}" OR "/${arg_HEADER_DIR}/" MATCHES "/\\.\\./")
        message(FATAL_ERROR "${here}: HEADER_DIR ${arg_HEADER_DIR} is no folder below the include path, "
                            "as in #include \"folder/name.h\"")
    endif()
    if(NOT CMAKE_C_COMPILER_LOADED)
        message(FATAL_ERROR "${here}: kernels are C, which this project does not use yet. Say "
                            "enable_language(C) in its top folder, or project(... LANGUAGES C ...)")
    endif()
    set(runtime splitgen::runtime)
    if(SPLITGEN_SHARED_RUNTIME)
        set(runtime splitgen::runtime_shared)
    endif()
    if(arg_STANDALONE)
        set(runtime "")
    elseif(NOT TARGET ${runtime})
        message(FATAL_ERROR "${here}: there is no ${runtime} for this target. Install splitgen's "
                            "runtime for it: cmake -S <splitgen's sources> -B runtime "
                            "-DSPLITGEN_BUILD_GENERATOR=OFF (with the toolchain file, if there is one; with "
                            "-DSPLITGEN_SHARED_RUNTIME=ON for the shared one), build, install")
    endif()
    splitgen_find_tool(problem)
    if(problem)
        message(FATAL_ERROR "${here}: ${problem}")
    endif()

    set(options ${arg_OPTIONS})
    foreach(define IN LISTS arg_DEFINES)
        list(APPEND options "-D${define}")
    endforeach()
    set(about_models "")
    foreach(kind shape value)
        string(TOUPPER "${kind}S" word)
        if(arg_${word} AND NOT arg_MODELS)
            message(FATAL_ERROR "${here}: ${word} are those of tensors in MODELS, and there are none")
        endif()
        foreach(given IN LISTS arg_${word})
            list(APPEND about_models "--${kind}=${given}")
        endforeach()
    endforeach()
    foreach(word open arg_OPS)
        if(${word} AND NOT arg_MODELS)
            string(REGEX REPLACE "^arg_" "" word "${word}")
            string(TOUPPER "${word}" word)
            message(FATAL_ERROR "${here}: ${word} is about MODELS, and there are none")
        endif()
    endforeach()
    list(APPEND about_models ${open})
    if(arg_OPS)
        list(JOIN arg_OPS "," operators)
        list(APPEND about_models "--ops=${operators}")
    endif()
    if(DEFINED arg_PREFIX)
        list(APPEND options --prefix "${arg_PREFIX}")
    endif()
    if(DEFINED arg_ISA)
        list(JOIN arg_ISA "," sets)
        list(APPEND options "--isa=${sets}")
    endif()
    if(DEFINED arg_UNROLL)
        list(APPEND options "--unroll=${arg_UNROLL}")
    endif()
    if(DEFINED arg_VIEWS)
        list(APPEND options "--views=${arg_VIEWS}")
    endif()

    if(arg_STANDALONE)
        list(APPEND options --standalone)
    endif()
    if(DEFINED arg_SHARDS)
        if(NOT arg_SHARDS MATCHES "^[1-9][0-9]*$")
            message(FATAL_ERROR "${here}: SHARDS is a number from 1 on, not ${arg_SHARDS}")
        endif()
        list(APPEND options "--shards=${arg_SHARDS}")
    endif()

    set(limits "")
    foreach(kind text stack)
        string(TOUPPER "MAX_${kind}" word)
        if(DEFINED arg_${word})
            if(NOT arg_${word} MATCHES "^[0-9]+[KM]?$")
                message(FATAL_ERROR "${here}: ${word} is a number of bytes, as in 2048 or 2K, not ${arg_${word}}")
            endif()
            list(APPEND limits --max-${kind} ${arg_${word}})
        endif()
    endforeach()

    splitgen_folder(dir "${here}" "${target}")
    set(include "${dir}/include")
    set(header_dir "${include}")
    if(DEFINED arg_HEADER_DIR)
        set(header_dir "${include}/${arg_HEADER_DIR}")
    endif()
    file(MAKE_DIRECTORY "${header_dir}")
    # in the folder of this file if it is installed or configured; in the source tree, with the tool
    set(system_headers "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/system_headers.inc")
    if(NOT EXISTS "${system_headers}")
        set(system_headers "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../driver/system_headers.inc")
    endif()
    file(READ "${system_headers}" system_headers)
    string(TOLOWER "${system_headers}" system_headers)
    set(sources "")
    set(headers "")
    set(touch "")
    foreach(input IN LISTS arg_SPECS arg_MODELS)
        set(about "")
        if(input IN_LIST arg_MODELS)
            set(about ${about_models})
        endif()
        cmake_path(GET input STEM LAST_ONLY stem)
        cmake_path(ABSOLUTE_PATH input NORMALIZE)
        splitgen_input(told depends "${here}" "${dir}" "${input}")
        get_source_file_property(generated "${input}" GENERATED)
        if(generated)
            set(depends "${input}") # so that it is generated first
        endif()
        if(NOT generated AND NOT EXISTS "${input}")
            message(FATAL_ERROR "${here}: there is no file ${input}")
        endif()
        set(source "${dir}/${stem}.c")
        set(made "${source}")
        if(DEFINED arg_SHARDS)
            set(made "")
            foreach(shard RANGE 1 ${arg_SHARDS})
                list(APPEND made "${dir}/${stem}_${shard}.c")
            endforeach()
        endif()
        # The tool rejects a header with the name of a system header, which it would hide.
        set(header_name "${stem}.h")
        string(TOLOWER "h(\"${header_name}\")" row)
        string(FIND "${system_headers}" "${row}" found)
        if(NOT found EQUAL -1)
            set(header_name "${stem}_splits.h")
            message(STATUS "${here}: the header of ${stem} is ${header_name}: ${stem}.h is one of the system's")
        endif()
        set(header "${header_dir}/${header_name}")
        foreach(name source header)
            cmake_path(RELATIVE_PATH ${name} BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" OUTPUT_VARIABLE told_${name})
        endforeach()
        foreach(file IN LISTS made)
            if(file IN_LIST sources)
                cmake_path(GET file FILENAME file)
                message(FATAL_ERROR "${here}: two files would make ${file}")
            endif()
        endforeach()
        # The tool does not touch unchanged files, and Ninja then skips the steps after it. Make would see
        # files older than their inputs, and call the tool again in every build.
        if(CMAKE_GENERATOR MATCHES "Makefiles")
            set(touch COMMAND "${CMAKE_COMMAND}" -E touch ${made} "${header}")
        endif()
        add_custom_command(
            OUTPUT ${made} "${header}"
            COMMAND splitgen::splitgen ${options} ${about} -o "${told_source}" --header "${told_header}"
                    --depfile "${dir}/${stem}.d" "${told}"
            ${touch}
            DEPENDS "${depends}" splitgen::splitgen
            DEPFILE "${dir}/${stem}.d"
            COMMENT "Compiling the splits of ${stem}"
            VERBATIM COMMAND_EXPAND_LISTS)
        list(APPEND sources ${made})
        list(APPEND headers "${header}")
    endforeach()

    set(installed include)
    if(DEFINED CMAKE_INSTALL_INCLUDEDIR)
        set(installed "${CMAKE_INSTALL_INCLUDEDIR}")
    endif()
    add_library(${target} ${type} ${sources} ${headers})
    splitgen_kernel_options(${target})
    set_target_properties(${target} PROPERTIES PUBLIC_HEADER "${headers}")
    if(type STREQUAL "SHARED")
        # It contains only kernels, and hidden kernels could not be called.
        set_target_properties(${target} PROPERTIES C_VISIBILITY_PRESET default)
        if(CMAKE_EXECUTABLE_FORMAT STREQUAL "ELF" AND NOT arg_STANDALONE)
            target_link_options(${target} PRIVATE "LINKER:-u,splitgen_run")
        endif()
    endif()
    if(c_std_99 IN_LIST CMAKE_C_COMPILE_FEATURES) # CMake does not know the features of some compilers
        target_compile_features(${target} PRIVATE c_std_99)
    endif()
    target_include_directories(${target} PUBLIC "$<BUILD_INTERFACE:${include}>"
                                                "$<INSTALL_INTERFACE:${installed}>")
    if(NOT arg_STANDALONE)
        target_link_libraries(${target} PUBLIC ${runtime})
    endif()
    if(arg_REPORT OR limits)
        splitgen_report(${target} "${here}" "${dir}" "${limits}")
    endif()
endfunction()
