# Every way to get splitgen, each with the tool of this build: the installed package, the build tree,
# add_subdirectory and FetchContent.
include("${CMAKE_CURRENT_LIST_DIR}/project.cmake")
set(prefix "${WORK_DIR}/installed here")
run("${CMAKE_COMMAND}" --install "${BINARY_DIR}" --prefix "${prefix}")

write_project("find_package(splitgen 0.3 REQUIRED)")
configure(installed project "-DCMAKE_PREFIX_PATH=${prefix}")
expect(installed app "${UNCHANGED}")
configure(build_tree project "-Dsplitgen_DIR=${BINARY_DIR}")
expect(build_tree app "${UNCHANGED}")
execute_process(COMMAND "${prefix}/bin/splitgen" --print-cmake-dir OUTPUT_VARIABLE dir
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
configure(printed project "-Dsplitgen_DIR=${dir}")

write_project("add_subdirectory(\"${SOURCE_DIR}\" splitgen)")
configure(subdirectory project "-DSPLITGEN_EXECUTABLE=${TOOL}")
expect(subdirectory app "${UNCHANGED}")
write_project("include(FetchContent)
FetchContent_Declare(splitgen SOURCE_DIR \"${SOURCE_DIR}\")
FetchContent_MakeAvailable(splitgen)")
configure(fetched project "-DSPLITGEN_EXECUTABLE=${TOOL}")
expect(fetched app "${UNCHANGED}")

# Another minor version is refused, and so is a tool of one version with a runtime of another.
write_project("find_package(splitgen 0.1 REQUIRED)")
must_fail("compatible with requested version \"0.1\"" "${CMAKE_COMMAND}" -S "${WORK_DIR}/project"
          -B "${WORK_DIR}/version" -G "${GENERATOR}" "-DCMAKE_PREFIX_PATH=${prefix}")
write_project("find_package(splitgen REQUIRED COMPONENTS runtime tool)")
file(WRITE "${WORK_DIR}/old/splitgen" "#!/bin/sh\necho splitgen 0.1.9\n")
file(CHMOD "${WORK_DIR}/old/splitgen" PERMISSIONS OWNER_READ OWNER_EXECUTE)
must_fail("is splitgen 0.1, but the runtime is of" "${CMAKE_COMMAND}" -S "${WORK_DIR}/project"
          -B "${WORK_DIR}/version" -G "${GENERATOR}" "-DCMAKE_PREFIX_PATH=${prefix}"
          "-DSPLITGEN_EXECUTABLE=${WORK_DIR}/old/splitgen")
# So is a tool for another machine.
must_fail("gives no version" "${CMAKE_COMMAND}" -S "${WORK_DIR}/project" -B "${WORK_DIR}/version"
          -G "${GENERATOR}" "-DCMAKE_PREFIX_PATH=${prefix}" "-DSPLITGEN_EXECUTABLE=${WORK_DIR}/project/main.c")

# Kernels are optimised unless the project chooses otherwise.
function(flags_of build out)
    configure(${build} project "-DCMAKE_PREFIX_PATH=${prefix}" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON ${ARGN})
    file(STRINGS "${WORK_DIR}/${build}/compile_commands.json" command REGEX "\"command\".*-c [^ ]*qkv[.]c\"")
    string(REGEX MATCHALL " -(O[^ ]*|f[^ ]*)" flags "${command}")
    set(${out} "${flags}" PARENT_SCOPE)
endfunction()
write_project("find_package(splitgen)")
flags_of(plain flags)
expect_text("flags without a build type" "${flags}" " -fPIC; -ffunction-sections; -fdata-sections; -O2")
flags_of(plain flags -DCMAKE_BUILD_TYPE=Debug)
expect_text("flags of Debug" "${flags}" " -fPIC; -ffunction-sections; -fdata-sections")
flags_of(own_flags flags -DCMAKE_C_FLAGS=-O1)
expect_text("flags with -O1" "${flags}" " -O1; -fPIC; -ffunction-sections; -fdata-sections")
write_project("find_package(splitgen)" C "target_compile_options(kernels PRIVATE -O3)")
flags_of(own_options flags)
expect_text("flags with options" "${flags}" " -fPIC; -ffunction-sections; -fdata-sections; -O2; -O3")
