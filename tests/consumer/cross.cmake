# A cross build: the runtime is built and installed for PROCESSOR without Lua, lemon and expat; the tool runs here. CC
# is the cross compiler, EMULATOR runs its programs; PACKAGES are their packages.
include("${CMAKE_CURRENT_LIST_DIR}/project.cmake")
if(NOT CC OR NOT EMULATOR)
    message("SKIPPED: sudo apt-get install ${PACKAGES}")
    return()
endif()
set(root "${WORK_DIR}/target root")
file(WRITE "${WORK_DIR}/toolchain.cmake" "
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${PROCESSOR})
set(CMAKE_C_COMPILER \"${CC}\")
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_FIND_ROOT_PATH \"${root}\")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
")
# CMake must not find files of other projects on this machine.
set(cross "${CMAKE_COMMAND}" -G "${GENERATOR}" "-DCMAKE_TOOLCHAIN_FILE=${WORK_DIR}/toolchain.cmake"
          "-DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}" -DCMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF
          -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF)
set(user ${cross} -S "${WORK_DIR}/project" -B)

# The package of this machine has no runtime for the other.
set(host "${WORK_DIR}/host prefix")
run("${CMAKE_COMMAND}" --install "${BINARY_DIR}" --prefix "${host}")
write_project("find_package(splitgen 0.3 REQUIRED)")
must_fail("(for Linux ${HOST_PROCESSOR})" ${user} "${WORK_DIR}/host_only" "-DCMAKE_PREFIX_PATH=${host}")

run(${cross} -S "${SOURCE_DIR}" -B "${WORK_DIR}/runtime" -DCMAKE_INSTALL_PREFIX=/opt/splitgen)
run("${CMAKE_COMMAND}" --build "${WORK_DIR}/runtime")
run("${CMAKE_COMMAND}" -E env "DESTDIR=${root}" "${CMAKE_COMMAND}" --install "${WORK_DIR}/runtime")
set(target -Dsplitgen_ROOT=/opt/splitgen)

function(expect_emulated build)
    run("${CMAKE_COMMAND}" --build "${WORK_DIR}/${build}" --target app)
    run("${EMULATOR}" "${WORK_DIR}/${build}/app")
    expect_text("${build}/app" "${OUTPUT}" "${UNCHANGED}\n")
endfunction()

# Without a tool the message says what to set and how to get one. The tool may be given, or come from this machine's
# package, whose runtime is not used.
must_fail("Set SPLITGEN_EXECUTABLE to one. To get it, without a toolchain file: cmake -S"
          ${user} "${WORK_DIR}/no_tool" ${target})
run(${user} "${WORK_DIR}/given" ${target} "-DSPLITGEN_EXECUTABLE=${TOOL}")
expect_emulated(given)
run(${user} "${WORK_DIR}/host_package" ${target} "-DCMAKE_PREFIX_PATH=${host}")
expect_emulated(host_package)

write_project("add_subdirectory(\"${SOURCE_DIR}\" splitgen)")
must_fail("Set SPLITGEN_EXECUTABLE to one." ${user} "${WORK_DIR}/no_tool")
run(${user} "${WORK_DIR}/subdirectory" "-DSPLITGEN_EXECUTABLE=${TOOL}")
expect_emulated(subdirectory)
