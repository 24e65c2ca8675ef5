# The files of `cmake --install`: every file, into a prefix with blanks, below DESTDIR, by components; usable after it
# was moved, through pkg-config without CMake; uninstalled without a trace.
include("${CMAKE_CURRENT_LIST_DIR}/../consumer/project.cmake")
set(ENV{DESTDIR} "${WORK_DIR}/dest dir")
set(prefix "$ENV{DESTDIR}/opt/my tools")

# files_in(<folder> <variable>): the files below it, sorted
function(files_in folder out)
    file(GLOB_RECURSE files RELATIVE "${folder}" "${folder}/*")
    list(SORT files)
    set(${out} "${files}" PARENT_SCOPE)
endfunction()

function(install)
    run("${CMAKE_COMMAND}" --install "${BINARY_DIR}" --prefix "/opt/my tools" ${ARGN})
endfunction()

install(--component tool)
files_in("${prefix}" tool)
foreach(file bin/splitgen share/man/man1/splitgen.1 share/man/man3/splitgen-runtime.3
        share/bash-completion/completions/splitgen
        share/zsh/site-functions/_splitgen share/fish/vendor_completions.d/splitgen.fish
        share/splitgen/lua-api/splitgen.lua share/splitgen/schemas/plan.schema.json
        share/splitgen/schemas/list.schema.json share/splitgen/schemas/report.schema.json
        share/splitgen/schemas/diagnostics.schema.json share/splitgen/splitgen.cdx.json share/doc/splitgen/README.md share/doc/splitgen/LICENSE
        lib/pkgconfig/splitgen.pc lib/cmake/splitgen/splitgen-tool-targets.cmake
        lib/cmake/splitgen/splitgen-config.cmake)
    if(NOT file IN_LIST tool)
        message(FATAL_ERROR "the component 'tool' lacks ${file}: ${tool}")
    endif()
endforeach()
set(others "${tool}")
list(REMOVE_ITEM others share/man/man3/splitgen-runtime.3) # the tool prints it
if("${others}" MATCHES "include/|runtime")
    message(FATAL_ERROR "the component 'tool' holds what is of the runtime: ${tool}")
endif()
file(REMOVE_RECURSE "$ENV{DESTDIR}")
install(--component development)
files_in("${prefix}" development)
foreach(file lib/libsplitgen_runtime.a lib/pkgconfig/splitgen-runtime.pc include/splitgen/vector.h
        include/splitgen/dtypes.inc
        share/splitgen/runtime/splitgen_runtime.c share/splitgen/runtime/splitgen_arrays.py
        lib/cmake/splitgen/splitgen-config.cmake lib/cmake/splitgen/splitgen-runtime-targets.cmake)
    if(NOT file IN_LIST development)
        message(FATAL_ERROR "the component 'development' lacks ${file}: ${development}")
    endif()
endforeach()
if("${development}" MATCHES "bin/|man/|tool-targets")
    message(FATAL_ERROR "the component 'development' holds what is of the tool: ${development}")
endif()

# All of it, with a foreign file beside it; no other file, and no path of this machine in any text.
file(REMOVE_RECURSE "$ENV{DESTDIR}")
file(WRITE "${prefix}/share/man/man1/other.1" "")
install()
files_in("${prefix}" files)
list(REMOVE_ITEM files share/man/man1/other.1)
set(both ${tool} ${development})
list(REMOVE_DUPLICATES both)
list(SORT both)
expect_text("all components" "${files}" "${both}")
foreach(file IN LISTS files)
    if(NOT file MATCHES "^bin/|[.]a$")
        file(READ "${prefix}/${file}" text)
        foreach(path "${BINARY_DIR}" "${SOURCE_DIR}" "${WORK_DIR}" "/opt/my tools")
            string(FIND "${text}" "${path}" place)
            if(NOT place EQUAL -1)
                message(FATAL_ERROR "${file} names the folder ${path}")
            endif()
        endforeach()
    endif()
endforeach()

# Moved, and used by a shell with pkg-config only.
file(COPY "${prefix}" DESTINATION "${WORK_DIR}/moved")
if(PKG_CONFIG)
    file(WRITE "${WORK_DIR}/project/make.sh" [[
set -eu
cd "$(dirname "$0")"
eval "$(pkg-config --variable=splitgen splitgen) -D batch=8 qkv.lua -o qkv.c --header qkv.h" # blanks are escaped
eval "$CC -O2 main.c qkv.c $(pkg-config --cflags --libs 'splitgen-runtime >= 0.3') -o app"
./app
]])
    run("${CMAKE_COMMAND}" -E env --unset=DESTDIR "CC=${C_COMPILER}"
        "PKG_CONFIG_PATH=${WORK_DIR}/moved/my tools/lib/pkgconfig" sh "${WORK_DIR}/project/make.sh")
    expect_text("the program by pkg-config" "${OUTPUT}" "${UNCHANGED}\n")
else()
    message("left out: pkg-config")
endif()
execute_process(COMMAND "${WORK_DIR}/moved/my tools/bin/splitgen" --print-cmake-dir OUTPUT_VARIABLE dir
                COMMAND_ERROR_IS_FATAL ANY)
expect_text("--print-cmake-dir" "${dir}" "${WORK_DIR}/moved/my tools/lib/cmake/splitgen\n")
execute_process(COMMAND "${TOOL}" --print-cmake-dir OUTPUT_VARIABLE dir COMMAND_ERROR_IS_FATAL ANY)
expect_text("--print-cmake-dir" "${dir}" "${BINARY_DIR}\n")
file(COPY "${TOOL}" DESTINATION "${WORK_DIR}/alone/bin")
must_fail("install the component 'tool'" "${WORK_DIR}/alone/bin/splitgen" --print-cmake-dir)

file(READ "${SOURCE_DIR}/generator/packaging/vcpkg.json" recipe)
string(JSON version GET "${recipe}" version)
run("${TOOL}" --version)
if(NOT OUTPUT MATCHES "^splitgen ${version}\n")
    message(FATAL_ERROR "vcpkg.json is of version ${version}, the tool says: ${OUTPUT}")
endif()
file(READ "${SOURCE_DIR}/CITATION.cff" citation)
if(NOT citation MATCHES "\nversion: ${version}\n")
    message(FATAL_ERROR "CITATION.cff is not of version ${version}: ${citation}")
endif()

# The SBOM has the versions that the tool prints, each with a licence, and no time or random number: nettle's header
# only has two numbers.
file(READ "${BINARY_DIR}/splitgen.cdx.json" bom)
function(expect_bom wanted)
    string(JSON is GET "${bom}" ${ARGN})
    list(JOIN ARGN "." what)
    expect_text("splitgen.cdx.json: ${what}" "${is}" "${wanted}")
endfunction()
expect_bom(CycloneDX bomFormat)
expect_bom(1.5 specVersion)
expect_bom(1 version)
expect_bom("${version}" metadata component version)
expect_bom("[ \"lua\", \"expat\", \"nettle\" ]" dependencies 0 dependsOn)
if(NOT OUTPUT MATCHES "with Lua ([0-9.]+), expat ([0-9.]+), nettle ([0-9.]+)")
    message(FATAL_ERROR "--version names no libraries: ${OUTPUT}")
endif()
set(names lua expat nettle)
set(said ${CMAKE_MATCH_1} ${CMAKE_MATCH_2} ${CMAKE_MATCH_3})
foreach(index RANGE 2)
    list(GET said ${index} of_tool)
    list(GET names ${index} name)
    expect_bom(library components ${index} type)
    expect_bom(${name} components ${index} bom-ref)
    expect_bom(${of_tool} components ${index} version)
    expect_bom("pkg:generic/${name}@${of_tool}" components ${index} purl)
    string(JSON licences LENGTH "${bom}" components ${index} licenses)
    expect_text("licences of ${name}" "${licences}" 1)
endforeach()
if(bom MATCHES "serialNumber|timestamp")
    message(FATAL_ERROR "splitgen.cdx.json is another one in every build: ${bom}")
endif()

# Only the foreign file remains.
run("${CMAKE_COMMAND}" --build "${BINARY_DIR}" --target uninstall)
file(GLOB_RECURSE left LIST_DIRECTORIES TRUE RELATIVE "${prefix}" "${prefix}/*")
list(SORT left)
expect_text("left behind" "${left}" "bin;include;lib;share;share/man;share/man/man1;share/man/man1/other.1")
