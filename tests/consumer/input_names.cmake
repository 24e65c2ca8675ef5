# Inputs with every printable character of ASCII that is no letter, digit or slash, in the name of the file and in that
# of its folder, each in a library of its own in one project (half of
# them in the one, half in the other, unless EXHAUSTIVE is set). Either it is compiled once, and again after a change of
# the file it requires, or configuration ends with the one message about it.
include("${CMAKE_CURRENT_LIST_DIR}/project.cmake")
set(project "${WORK_DIR}/project")
set(fine [=['&$*?`:>^~!(){}%@=+,.-_ []]=])
set(refused [=["#<|\;$]=]) # '$' in front of a parenthesis

# quoted(<result> <text>): as an argument in CMake's language
function(quoted result text)
    string(REGEX REPLACE "([\\\"$;])" "\\\\\\1" text "${text}")
    set(${result} "\"${text}\"" PARENT_SCOPE)
endfunction()

# write_input(<path>): a spec that requires a file beside it
function(write_input path)
    cmake_path(GET path PARENT_PATH folder)
    file(MAKE_DIRECTORY "${folder}")
    file(WRITE "${folder}/sizes.lua" "return { 2, 4 }\n")
    file(WRITE "${path}" "return split { name = 'cut', dtype = 'f32', shape = { 6 }, lengths = require 'sizes' }\n")
endfunction()

# paths_of(<place> <character> <name> <folder>): the paths of its inputs, one in each variable: the character in the name
# of a file, and in that of a folder. One of them is empty unless EXHAUSTIVE is set.
function(paths_of place character name folder)
    math(EXPR odd "${place} % 2")
    set(${name} "")
    set(${folder} "")
    if(EXHAUSTIVE OR NOT odd)
        set(${name} "name${place}/a${character}b.lua")
    endif()
    if(EXHAUSTIVE OR odd)
        set(${folder} "folder${place}${character}b/cut.lua")
    endif()
    set(${name} "${${name}}" PARENT_SCOPE)
    set(${folder} "${${folder}}" PARENT_SCOPE)
endfunction()

set(lines "")
set(number 0)
string(LENGTH "${fine}" count)
math(EXPR last "${count} - 1")
foreach(place RANGE ${last})
    string(SUBSTRING "${fine}" ${place} 1 character)
    paths_of(${place} "${character}" in_name in_folder)
    foreach(path "${in_name}" "${in_folder}")
        if(path STREQUAL "")
            continue()
        endif()
        write_input("${project}/${path}")
        quoted(path "${path}")
        math(EXPR number "${number} + 1")
        string(APPEND lines "splitgen_add_library(kernels${number} SPECS ${path})\n")
    endforeach()
    # Were '*' or '?' a pattern, this would be read as well.
    file(WRITE "${project}/name${place}/axb.lua" "error 'this is another file'\n")
endforeach()

# Dims and tensors that exporters call anything, in what a library says of its models.
foreach(dim "past_sequence_length + 1" "batch size" "p2o.DynamicDimension.0" "floor(s0/2)" "?" "-x" "it's" "$HOME" "a=b" "*")
    math(EXPR number "${number} + 1")
    file(WRITE "${project}/model${number}.onnxtxt" "<ir_version: 10, opset_import: [\"\" : 18]>
m (float[\"${dim}\", 12] x, float[y, z] \"${dim}\", int64[2] \"n ${dim}\") => (a)
{
  a, b = Split <axis = 1, num_outputs = 2> (x)
  c, d = Split <axis = 1> (\"${dim}\", \"n ${dim}\")
}
")
    quoted(define "${dim}=free:4")
    quoted(shape "${dim}=5,9")
    quoted(value "n ${dim}=4,5")
    string(APPEND lines "splitgen_add_library(kernels${number} MODELS model${number}.onnxtxt DEFINES ${define} "
                        "SHAPES ${shape} VALUES ${value})\n")
endforeach()
write_project("find_package(splitgen REQUIRED)" C "${lines}")
configure(build project "-Dsplitgen_DIR=${BINARY_DIR}" "-DSPLITGEN_EXECUTABLE=${TOOL}")

# compiled(<what> <number>): so many specs are compiled by the build, and none by the one behind it.
function(compiled what wanted)
    run("${CMAKE_COMMAND}" --build "${WORK_DIR}/build")
    string(REGEX MATCHALL "Compiling the splits of " times "${OUTPUT}")
    list(LENGTH times times)
    expect_text("${what}" "${times}" "${wanted}")
    run("${CMAKE_COMMAND}" --build "${WORK_DIR}/build")
    if(OUTPUT MATCHES "Compiling|Building")
        message(FATAL_ERROR "the build behind it does it again: ${OUTPUT}")
    endif()
endfunction()

math(EXPR all "${number} + 1") # and the one of every project
compiled("the first build" ${all})
set(specs 0)
foreach(place RANGE ${last})
    string(SUBSTRING "${fine}" ${place} 1 character)
    paths_of(${place} "${character}" in_name in_folder)
    foreach(path "${in_name}" "${in_folder}")
        if(path STREQUAL "")
            continue()
        endif()
        cmake_path(GET path PARENT_PATH folder)
        file(WRITE "${project}/${folder}/sizes.lua" "return { 3, 3 }\n")
        math(EXPR specs "${specs} + 1")
    endforeach()
endforeach()
compiled("a change of what they require" ${specs})

string(LENGTH "${refused}" count)
math(EXPR last "${count} - 1")
foreach(place RANGE ${last})
    string(SUBSTRING "${refused}" ${place} 1 character)
    if(character STREQUAL "$") # alone it is fine
        set(character "$(")
    endif()
    foreach(path "a${character}b.lua" "a${character}b/cut.lua")
        quoted(path "${path}")
        write_project("find_package(splitgen REQUIRED)" C "splitgen_add_library(other SPECS ${path})")
        must_fail("no build can have a file with '${character}' in its path"
                  "${CMAKE_COMMAND}" -S "${project}" -B "${WORK_DIR}/refused" -G "${GENERATOR}"
                  "-DCMAKE_C_COMPILER=${C_COMPILER}" "-Dsplitgen_DIR=${BINARY_DIR}" "-DSPLITGEN_EXECUTABLE=${TOOL}")
    endforeach()
endforeach()
