# The project with splitgen as a subdirectory, including the tool, under common settings of projects: unity builds,
# warnings as errors, and programs at fixed addresses (compilers that make position-independent ones by default would
# hide that a library is not). It is unoptimised to save time, and uses a lemon whose own code causes compiler warnings,
# as some versions do. A changed spec must reach the program.
include("${CMAKE_CURRENT_LIST_DIR}/project.cmake")

file(READ "${LEMON_TEMPLATE}" template)
file(WRITE "${WORK_DIR}/lempar.c" "${template}\n#warning another lemon\n")

write_project("add_subdirectory(\"${SOURCE_DIR}\" splitgen)")
configure(build project "-DLEMON_EXECUTABLE=${LEMON_EXECUTABLE}" "-DLEMON_TEMPLATE=${WORK_DIR}/lempar.c"
          -DCMAKE_UNITY_BUILD=ON -DCMAKE_EXE_LINKER_FLAGS=-no-pie
          "-DCMAKE_C_FLAGS=-O0 -fno-pie -Wall -Wextra -Werror -Wmissing-prototypes -Wstrict-prototypes")
expect(build app "${UNCHANGED}")

file(READ "${WORK_DIR}/project/qkv.lua" spec)
string(REPLACE "{ 4, 4, -1 }" "{ 5, 4, -1 }" spec "${spec}")
file(WRITE "${WORK_DIR}/project/qkv.lua" "${spec}")
expect(build app "40 5 95")
