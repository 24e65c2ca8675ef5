# The three packages of generator/packaging/debian/build: lintian reports nothing, and each package has the right files.
# Installed by dpkg into a root of their own, they pass their autopkgtests; purged, they leave nothing. Built again by
# dpkg from the source package, in another folder, with another umask and time zone, they have the same bytes. TOOLS are
# the required programs, with a | between them.
include("${CMAKE_CURRENT_LIST_DIR}/../consumer/project.cmake")
string(REPLACE "|" ";" TOOLS "${TOOLS}")
execute_process(COMMAND python3 -c "import numpy" RESULT_VARIABLE no_numpy OUTPUT_QUIET ERROR_QUIET)
foreach(tool IN LISTS TOOLS)
    if(NOT tool OR NOT no_numpy STREQUAL "0")
        message("SKIPPED: Debian packages need debhelper, dh-python, lintian and more: apt-get install build-essential "
                "debhelper dh-python lintian fakeroot pkg-config make python3-numpy")
        return()
    endif()
endforeach()
list(GET TOOLS 0 fakeroot)
list(GET TOOLS 1 lintian)

# Nothing of this build may reach the packages, and the tour must not run twice: it is one of the autopkgtests.
foreach(name CFLAGS LDFLAGS DESTDIR CC CXX)
    unset(ENV{${name}})
endforeach()
set(ENV{PATH} "$ENV{PATH}:/usr/sbin:/sbin") # dpkg requires ldconfig
set(ENV{DEB_BUILD_OPTIONS} "nocheck parallel=2")
set(first "${WORK_DIR}/first")
run("${SOURCE_DIR}/generator/packaging/debian/build" "${first}" -d)
file(GLOB changes "${first}/*.changes")
# Lintian warns if root runs it, as in containers.
run("${lintian}" --allow-root --fail-on=error,warning,info,pedantic,experimental -EvIL +pedantic "${changes}")
if(OUTPUT MATCHES "(^|\n)[EWIPX]: ")
    message(FATAL_ERROR "lintian: ${OUTPUT}")
endif()

# The files of each package, without those that differ by architecture or are the same in all.
function(expect_files name)
    file(GLOB package "${first}/${name}_*.deb")
    execute_process(COMMAND dpkg-deb --contents "${package}" OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "[^\n]+" lines "${output}")
    set(files "")
    foreach(line IN LISTS lines)
        if(NOT line MATCHES "^(drwxr-xr-x|-rwxr-xr-x|-rw-r--r--|lrwxrwxrwx) root/root +[0-9]+ [-0-9]+ [0-9:]+ [.]/(usr/)?([^ ]*)( -> .*)?$")
            message(FATAL_ERROR "${name} has a file of others, elsewhere, or with unusual rights: ${line}")
        endif()
        string(REGEX REPLACE "^lib/[^/]+-linux-gnu[^/]*/" "lib/*/" file "${CMAKE_MATCH_3}")
        if(file AND NOT line MATCHES "^d" AND NOT file MATCHES "^share/doc/|^share/lintian/")
            list(APPEND files "${file}")
        endif()
    endforeach()
    list(SORT files)
    set(wanted "${ARGN}")
    list(SORT wanted)
    expect_text("the files of ${name}" "${files}" "${wanted}")
endfunction()
# below(<variable> <folder> <glob of sources>...): the paths of the sources as installed below the folder
function(below out folder)
    list(TRANSFORM ARGN PREPEND "${SOURCE_DIR}/" OUTPUT_VARIABLE globs)
    file(GLOB files ${globs})
    list(TRANSFORM files REPLACE "^.*/" "${folder}/")
    set(${out} "${files}" PARENT_SCOPE)
endfunction()
below(schemas share/splitgen/schemas generator/schemas/*.schema.json)
expect_files(splitgen bin/splitgen share/man/man1/splitgen.1.gz share/bash-completion/completions/splitgen
             share/fish/vendor_completions.d/splitgen.fish share/zsh/vendor-completions/_splitgen share/splitgen/cmake
             share/splitgen/lua-api/splitgen.lua share/splitgen/splitgen.cdx.json ${schemas})
below(headers include/splitgen include/splitgen/*.h include/splitgen/*.inc)
below(sources share/splitgen/runtime runtime/*.c runtime/*.py)
set(cmake "lib/*/cmake/splitgen")
expect_files(libsplitgen-dev ${headers} ${sources} "lib/*/libsplitgen_runtime.a" "lib/*/pkgconfig/splitgen.pc"
             "lib/*/pkgconfig/splitgen-runtime.pc" share/man/man3/splitgen-runtime.3.gz "${cmake}/SplitgenAddLibrary.cmake"
             "${cmake}/SplitgenTool.cmake" "${cmake}/splitgen-config-version.cmake" "${cmake}/splitgen-config.cmake"
             "${cmake}/splitgen-runtime-targets-none.cmake" "${cmake}/splitgen-runtime-targets.cmake"
             "${cmake}/splitgen-size" "${cmake}/system_headers.inc")
set(python3 lib/python3/dist-packages)
below(modules ${python3}/splitgen generator/python/*.py generator/python/py.typed runtime/*.py)
file(STRINGS "${SOURCE_DIR}/generator/packaging/debian/changelog" line LIMIT_COUNT 1)
string(REGEX MATCH "[0-9]+[.][0-9]+[.][0-9]+" version "${line}")
set(info ${python3}/splitgen-${version}.dist-info)
expect_files(python3-splitgen ${modules} ${python3}/splitgen/bin/splitgen ${python3}/splitgen/include/splitgen
             ${python3}/splitgen/lib/cmake/splitgen ${python3}/splitgen/share/splitgen/runtime ${info}/METADATA
             ${info}/WHEEL ${info}/INSTALLER ${info}/entry_points.txt)

# The new root has only a database of packages: dependencies come from this machine. The script that compiles Python
# cannot run there, so that package is only unpacked.
set(root "${WORK_DIR}/root")
file(WRITE "${root}/var/lib/dpkg/status" "")
file(MAKE_DIRECTORY "${root}/var/lib/dpkg/updates" "${root}/var/lib/dpkg/info" "${root}/var/log")
set(dpkg "${fakeroot}" dpkg "--root=${root}" --force-depends)
function(everything out)
    file(GLOB_RECURSE found LIST_DIRECTORIES TRUE RELATIVE "${root}" "${root}/*" "${root}/.*")
    list(FILTER found EXCLUDE REGEX "^var/(lib/dpkg|log)/")
    set(${out} "${found}" PARENT_SCOPE)
endfunction()
everything(before)
file(GLOB installed "${first}/splitgen_*.deb" "${first}/libsplitgen-dev_*.deb")
file(GLOB module "${first}/python3-splitgen_*.deb")
run(${dpkg} --install ${installed})
everything(without_module)
run(dpkg-deb --extract "${module}" "${root}")

set(source "${first}/splitgen-${version}")
foreach(test tour builds python)
    file(MAKE_DIRECTORY "${WORK_DIR}/tmp_${test}")
    run("${CMAKE_COMMAND}" -E env "SPLITGEN_ROOT=${root}" "AUTOPKGTEST_TMP=${WORK_DIR}/tmp_${test}"
        PYTHONDONTWRITEBYTECODE=1 "${CMAKE_COMMAND}" -E chdir "${source}" "debian/tests/${test}")
endforeach()
everything(all)
list(REMOVE_ITEM all ${without_module})
foreach(file IN LISTS all)
    file(REMOVE_RECURSE "${root}/${file}")
endforeach()
run(${dpkg} --purge splitgen libsplitgen-dev)
everything(after)
expect_text("left by the packages" "${after}" "${before}")

# From the source package alone; a compiler cache would return the first build's objects.
set(second "${WORK_DIR}/somewhere/else")
file(MAKE_DIRECTORY "${second}")
file(GLOB dsc "${first}/*.dsc")
run(dpkg-source --no-check --extract "${dsc}" "${second}/tree")
set(ENV{CCACHE_DISABLE} 1)
unset(ENV{CMAKE_C_COMPILER_LAUNCHER})
run("${CMAKE_COMMAND}" -E env TZ=Pacific/Kiritimati LC_ALL=C.UTF-8 "${CMAKE_COMMAND}" -E chdir "${second}/tree"
    sh -c "umask 027 && exec dpkg-buildpackage -us -uc -d -b")
file(GLOB packages RELATIVE "${first}" "${first}/*.deb")
list(LENGTH packages count)
if(count LESS 3)
    message(FATAL_ERROR "there are no three packages: ${packages}")
endif()
foreach(package IN LISTS packages)
    file(SHA256 "${first}/${package}" of_first)
    file(SHA256 "${second}/${package}" of_second)
    expect_text("the SHA-256 of ${package}" "${of_second}" "${of_first}")
endforeach()
