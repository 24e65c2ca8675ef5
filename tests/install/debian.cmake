# The Debian package of CPack: the owner of its files, its dependencies. Installed by dpkg into a root of its own, it
# generates and links a kernel; purged, it leaves nothing. TOOLS are the required programs, with a | between them.
include("${CMAKE_CURRENT_LIST_DIR}/../consumer/project.cmake")
string(REPLACE "|" ";" TOOLS "${TOOLS}")
foreach(tool IN LISTS TOOLS)
    if(NOT tool)
        message("SKIPPED: a package needs dpkg-dev, fakeroot, file and pkg-config: "
                "apt-get install dpkg-dev fakeroot file pkg-config")
        return()
    endif()
endforeach()
list(GET TOOLS 0 fakeroot)

run("${CPACK}" -G DEB --config "${BINARY_DIR}/CPackConfig.cmake" -B "${WORK_DIR}/package")
file(GLOB package "${WORK_DIR}/package/splitgen_*.deb")
if(EXISTS "${BINARY_DIR}/install_manifest.txt")
    message(FATAL_ERROR "after cpack the target 'uninstall' would remove files of /usr")
endif()
run(dpkg-deb --field "${package}" Package Section Depends Maintainer Description)
foreach(field "Package: splitgen\n" "Section: devel\n" "Depends: [^\n]*libc6 [(]>= 2[.]" "Maintainer: [^\n]+ <[^\n]+>\n"
        "Description: Ahead-of-time compiler [^\n]*\n splitgen compiles ")
    if(NOT OUTPUT MATCHES "${field}")
        message(FATAL_ERROR "the package lacks '${field}':\n${OUTPUT}")
    endif()
endforeach()
run(dpkg-deb --contents "${package}")
string(REGEX REPLACE "(^|\n)(drwxr-xr-x|-rwxr-xr-x|-rw-r--r--) root/root [^\n]*[.]/usr/[^\n]*" "" others "${OUTPUT}")
string(STRIP "${others}" others)
expect_text("files of others, elsewhere, or with unusual rights" "${others}" "")

# The new root has only a database of packages, so the package's dependencies are not there either.
set(root "${WORK_DIR}/root")
file(WRITE "${root}/var/lib/dpkg/status" "")
file(MAKE_DIRECTORY "${root}/var/lib/dpkg/updates" "${root}/var/lib/dpkg/info" "${root}/var/log")
set(ENV{PATH} "$ENV{PATH}:/usr/sbin:/sbin") # dpkg requires ldconfig
set(dpkg "${fakeroot}" dpkg "--root=${root}" --force-depends)
function(everything out)
    file(GLOB_RECURSE found LIST_DIRECTORIES TRUE RELATIVE "${root}" "${root}/*" "${root}/.*")
    list(FILTER found EXCLUDE REGEX "^var/(lib/dpkg|log)/")
    set(${out} "${found}" PARENT_SCOPE)
endfunction()
everything(before)
run(${dpkg} --install "${package}")
run(dpkg-query "--admindir=${root}/var/lib/dpkg" -W "-f=\${db:Status-Status}" splitgen)
expect_text("the package's state" "${OUTPUT}" "installed")

# A kernel built with pkg-config from there alone.
set(builds "${SOURCE_DIR}/tests/consumer/builds")
foreach(file shell/build.sh qkv.lua sizes.lua main.c)
    file(COPY "${builds}/${file}" DESTINATION "${WORK_DIR}/shell")
endforeach()
file(GLOB folders "${root}/usr/lib/pkgconfig" "${root}/usr/lib/*/pkgconfig")
run("${CMAKE_COMMAND}" -E env "PKG_CONFIG_LIBDIR=${folders}" "CC=${C_COMPILER}" "${WORK_DIR}/shell/build.sh")
run("${WORK_DIR}/shell/app")
expect_text("the program" "${OUTPUT}" "q has 8 elements, k begins with 4\n")

run(${dpkg} --purge splitgen)
everything(after)
expect_text("left by the package" "${after}" "${before}")
