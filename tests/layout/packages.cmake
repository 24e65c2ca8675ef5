# Configures the project as if a package were missing or had the wrong version: configuration must stop and print the
# command that installs it. Builds nothing.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE "${SCRATCH}")
# As on a machine without any package: CMake does not search the system's folders.
set(nothing_installed -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF
                      -DCMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF)
set(lua "-DSPLITGEN_LUA_INCLUDE_DIR=${LUA_INCLUDE_DIR}" "-DSPLITGEN_LUA_LIBRARY=${LUA_LIBRARY}")
set(nettle "-DSPLITGEN_NETTLE_INCLUDE_DIR=${NETTLE_INCLUDE_DIR}"
           "-DSPLITGEN_NETTLE_LIBRARY=${NETTLE_LIBRARY}")
set(expat "-DSPLITGEN_EXPAT_INCLUDE_DIR=${EXPAT_INCLUDE_DIR}"
          "-DSPLITGEN_EXPAT_LIBRARY=${EXPAT_LIBRARY}")

function(configure out)
    file(REMOVE_RECURSE "${SCRATCH}/build")
    execute_process(
        COMMAND "${CMAKE_COMMAND}" -S "${ROOT}" -B "${SCRATCH}/build" -G "${GENERATOR}"
                "-DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}" "-DCMAKE_C_COMPILER=${C_COMPILER}"
                -DSPLITGEN_BUILD_TESTS=OFF -DSPLITGEN_BUILD_EXAMPLES=OFF ${ARGN}
        RESULT_VARIABLE failed OUTPUT_VARIABLE text ERROR_VARIABLE text)
    string(REGEX REPLACE "[ \n]+" " " text "${text}")
    set(${out} "${text}" PARENT_SCOPE)
    set(failed "${failed}" PARENT_SCOPE)
endfunction()

function(must_say words)
    configure(text ${ARGN})
    string(FIND "${text}" "${words}" place)
    if(NOT failed OR place EQUAL -1)
        message(FATAL_ERROR "with ${ARGN}\nshould stop with: ${words}\nbut said: ${text}")
    endif()
endfunction()

must_say("Lua 5.4 is missing. Install it with: sudo apt-get install liblua5.4-dev"
         ${nothing_installed})
must_say("expat is missing. Install it with: sudo apt-get install libexpat1-dev"
         ${nothing_installed} ${lua})
must_say("nettle is missing. Install it with: sudo apt-get install nettle-dev"
         ${nothing_installed} ${lua} ${expat})
must_say("lemon is missing. Install it with: sudo apt-get install lemon"
         ${nothing_installed} ${lua} ${expat} ${nettle})

# The header exists, but the library is not in this compiler's folder.
must_say("there is no library of it where the compiler" ${nothing_installed}
         "-DSPLITGEN_LUA_INCLUDE_DIR=${LUA_INCLUDE_DIR}")
# A compiler that does not report its library folders to CMake: libraries are found anyway.
find_program(tcc tcc)
if(tcc)
    configure(text "-DCMAKE_C_COMPILER=${tcc}")
    if(failed)
        message(FATAL_ERROR "configuration fails with ${tcc}: ${text}")
    endif()
endif()

# A header of another Lua.
file(WRITE "${SCRATCH}/lua53/lua.h"
     "#define LUA_VERSION_MAJOR\t\"5\"\n#define LUA_VERSION_MINOR\t\"3\"\n")
must_say("is Lua '5.3', but splitgen needs 5.4"
         "-DSPLITGEN_LUA_INCLUDE_DIR=${SCRATCH}/lua53" "-DSPLITGEN_LUA_LIBRARY=${LUA_LIBRARY}")

# A template of another lemon has more or fewer sections.
file(READ "${TEMPLATE}" template)
string(REPLACE ";" "\\;" template "${template}")
string(FIND "${template}" "\n%%\n" place)
string(SUBSTRING "${template}" 0 ${place} before)
string(SUBSTRING "${template}" ${place} -1 after)
string(SUBSTRING "${after}" 4 -1 rest)
file(WRITE "${SCRATCH}/fewer/lempar.c" "${before}\n${rest}")
file(WRITE "${SCRATCH}/more/lempar.c" "${before}\n%%\n${after}")
foreach(kind fewer more)
    must_say("is not the template of" "-DLEMON_TEMPLATE=${SCRATCH}/${kind}/lempar.c")
endforeach()

# With all paths given explicitly, nothing is missing.
configure(text ${lua} ${expat} ${nettle} "-DLEMON_TEMPLATE=${TEMPLATE}")
if(failed)
    message(FATAL_ERROR "configuration fails with packages given by hand: ${text}")
endif()
