# The rebuild matrix: which files are generated and compiled again after one change, by one generator of CMake
# (GENERATOR). Every build must do exactly what is needed, and the next one nothing. Prints a row per change. If the
# generated text does not change, nothing is compiled.
include("${CMAKE_CURRENT_LIST_DIR}/project.cmake")
set(project "${WORK_DIR}/project")
set(tool "${WORK_DIR}/bin/splitgen")
file(COPY "${TOOL}" DESTINATION "${WORK_DIR}/bin")
file(MAKE_DIRECTORY "${project}/one line") # depfiles must escape blanks
file(WRITE "${project}/one line/cut.lua" "return split { name = 'cut', dtype = 'f32', shape = { 6 },
  lengths = require 'sizes', outputs = { 'a', 'b' } }\n")
file(WRITE "${project}/one line/sizes.lua" "return { 2, 4 }\n")
set(model [[
<ir_version: 10, opset_import: ["" : 18]>
net (float[8, 3] x) => (r, g, b)
{
  r, g, b = Split <axis = 1, num_outputs = 3> (x)
}
]])
file(WRITE "${project}/net.onnxtxt" "${model}")
write_project("find_package(splitgen REQUIRED)" C "
splitgen_add_library(others SPECS \"one line/cut.lua\" MODELS net.onnxtxt SHARDS 2 ISA portable)
add_executable(uses_others main.c)
target_link_libraries(uses_others PRIVATE others kernels)")
run("${CMAKE_COMMAND}" -S "${project}" -B "${WORK_DIR}/build" -G "${GENERATOR}"
    "-DCMAKE_C_COMPILER=${C_COMPILER}" "-Dsplitgen_DIR=${BINARY_DIR}" "-DSPLITGEN_EXECUTABLE=${tool}"
    -DCMAKE_C_FLAGS=-O0)

# said(<names> <regex>): the words that the build prints after the regex, sorted.
function(said names regex)
    set(words "")
    string(REGEX MATCHALL "${regex}[a-z]+" lines "${OUTPUT}")
    foreach(line IN LISTS lines)
        string(REGEX REPLACE ".*[ /]" "" word "${line}")
        list(APPEND words "${word}")
    endforeach()
    list(SORT words)
    set(${names} "${words}" PARENT_SCOPE)
endfunction()

# build(): the names of the specs and models that were compiled to C, and of the C files that were compiled.
function(build generated compiled)
    run("${CMAKE_COMMAND}" --build "${WORK_DIR}/build" --config Release)
    said(names "Compiling the splits of ")
    set(${generated} "${names}" PARENT_SCOPE)
    said(names "Building C object [^\n]*[.]splitgen/")
    list(REMOVE_DUPLICATES names) # files of one input
    set(${compiled} "${names}" PARENT_SCOPE)
endfunction()

build(generated compiled)
expect_text("the first build generates" "${generated}" "cut;net;qkv")

# change(<what> <file> <new text>|TOUCH <generated> <compiled>)
function(change what file text wanted_generated wanted_compiled)
    # The files' times must differ by more than the resolution of the file system.
    execute_process(COMMAND "${CMAKE_COMMAND}" -E sleep 0.05)
    if(text STREQUAL "TOUCH")
        file(TOUCH_NOCREATE "${file}")
    elseif(NOT text STREQUAL "")
        file(WRITE "${file}" "${text}")
    endif()
    build(generated compiled)
    build(again compiled_again)
    message("${GENERATOR}: ${what}: generated [${generated}], compiled [${compiled}], "
            "then [${again}${compiled_again}]")
    expect_text("${what}: generated" "${generated}" "${wanted_generated}")
    # Make only compares times, and compiles a regenerated file even if it is equal.
    if(GENERATOR MATCHES "Makefiles")
        set(wanted_compiled "${wanted_generated}")
    endif()
    expect_text("${what}: compiled" "${compiled}" "${wanted_compiled}")
    expect_text("${what}: the build behind it" "${again}${compiled_again}" "")
endfunction()

change(nothing "" "" "" "")
file(READ "${project}/qkv.lua" text)
string(REPLACE "{ 4, 4, -1 }" "{ 5, 4, -1 }" text "${text}")
change(spec "${project}/qkv.lua" "${text}" qkv qkv)
change("spec touched" "${project}/qkv.lua" TOUCH qkv "")
change("required file" "${project}/one line/sizes.lua" "return { 3, 3 }\n" cut cut)
string(REPLACE "8, 3" "9, 3" model "${model}")
change(model "${project}/net.onnxtxt" "${model}" net net)
change(tool "${tool}" TOUCH "cut;net;qkv" "")
