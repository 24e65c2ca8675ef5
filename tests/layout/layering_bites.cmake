# Proves that layering.cmake detects violations: breaks each rule once in a small tree that obeys all of them, and looks
# for the message. Does not read the real sources.
cmake_minimum_required(VERSION 3.25)

set(tree "${SCRATCH}/tree")
get_filename_component(check "${CMAKE_CURRENT_LIST_DIR}/layering.cmake" ABSOLUTE)

function(plant path)
    file(WRITE "${tree}/${path}" ${ARGN})
endfunction()

function(fresh_tree)
    file(REMOVE_RECURSE "${tree}")
    plant(CMakeLists.txt "project(p)\n")
    foreach(folder base split lua frontend/notation frontend/onnx frontend/lua plan emit driver)
        string(REGEX REPLACE ".*/" "" stem "${folder}")
        if(folder STREQUAL "lua")
            set(stem meter) # files of frontend/lua/ are called lua_*
        endif()
        plant("generator/${folder}/README.md" "x\n")
        plant("generator/${folder}/${stem}_a.h" "/* A. */\n")
        plant("generator/${folder}/${stem}_a.c" "/* A. */\n#include \"${folder}/${stem}_a.h\"\n")
    endforeach()
    plant(generator/base/base_b.h "/* B. */\n#include \"base/base_a.h\"\n")
    plant(generator/README.md "x\n")
    plant(generator/frontend/README.md "x\n")
    plant(include/README.md "x\n")
    plant(include/splitgen/splitgen.h "/* Public. */\n")
    plant(templates/README.md "x\n")
    plant(templates/kernel.c.tmpl "\$ for _, p in ipairs(parts) do\n\$ end\n")
    foreach(room body choose)
        plant("generator/plan/${room}/README.md" "x\n")
        plant("generator/plan/${room}/${room}_a.h" "/* A. */\n")
        plant("generator/plan/${room}/${room}_a.c" "/* A. */\n#include \"plan/${room}/${room}_a.h\"\n"
              "#include \"plan/body/body_a.h\"\n")
    endforeach()
    plant(generator/plan/uses.c "/* U. */\n#include \"split/split_a.h\"\n#include <stdio.h>\n"
          "#include \"splitgen/splitgen.h\"\n")
    plant(generator/frontend/lua/uses_lua.c "/* U. */\n#include <lua.h>\n"
          "#include \"frontend/onnx/onnx_a.h\"\n#include \"lua/lua_b.h\"\n")
    plant(generator/lua/lua_b.h "/* B. */\n#include <lua.h>\n")
    plant(generator/driver/all.c "/* D. */\n#include \"emit/emit_a.h\"\n"
          "#include \"frontend/lua/lua_a.h\"\n")
    plant(tests/README.md "x\n")
    plant(tests/golden/README.md "x\n")
    plant(tests/golden/one/kernel.c "int no_comment;\n")
    plant(tests/golden/two/kernel.c "int no_comment;\n")
endfunction()

set(wrong "")
# expect(<words of the message, "" for none> <path> <text>...): plants one file in a fresh tree.
function(expect message path)
    fresh_tree()
    plant("${path}" ${ARGN})
    execute_process(COMMAND "${CMAKE_COMMAND}" "-DROOT=${tree}" -P "${check}"
                    RESULT_VARIABLE failed OUTPUT_VARIABLE out ERROR_VARIABLE out)
    string(REGEX REPLACE "[ \n]+" " " out "${out}")
    string(FIND "${out}" "${message}" place)
    if(message STREQUAL "" AND failed)
        set(wrong "${wrong}good tree refused: ${out}\n" PARENT_SCOPE)
    elseif(NOT message STREQUAL "" AND (NOT failed OR place EQUAL -1))
        set(wrong "${wrong}'${path}' should give '${message}', gave: ${out}\n" PARENT_SCOPE)
    endif()
endfunction()

expect("" generator/plan/fine.c "/* F. */\n")
expect("'base' may not include 'split/split_a.h'"
       generator/base/bad.c "/* B. */\n#include \"split/split_a.h\"\n")
expect("'plan' may not include 'frontend/notation/notation_a.h'"
       generator/plan/bad.h "/* B. */\n#  include \"frontend/notation/notation_a.h\"\n")
expect("'lua' may not include 'split/split_a.h'"
       generator/lua/bad.c "/* B. */\n#include \"split/split_a.h\"\n")
expect("'frontend/notation' may not include 'lua/lua_b.h'"
       generator/frontend/notation/bad.c "/* B. */\n#include \"lua/lua_b.h\"\n")
expect("'plan' may not include 'lua/lua_b.h'"
       generator/plan/bad.c "/* B. */\n#include \"lua/lua_b.h\"\n")
expect("'emit' may not include 'driver/driver_a.h'"
       generator/emit/bad.c "/* B. */\n#include \"driver/driver_a.h\"\n")
expect("'frontend/notation' may not include 'plan/plan_a.h'"
       generator/frontend/notation/bad.y "/* B. */\n%include {\n#include \"plan/plan_a.h\"\n}\n")
expect("'frontend/notation' may not include 'frontend/lua/lua_a.h'"
       generator/frontend/notation/bad.c "/* B. */\n#include \"frontend/lua/lua_a.h\"\n")
expect("'plan' may not include 'plan/choose/choose_a.h'"
       generator/plan/body/bad.c "/* B. */\n#include \"plan/choose/choose_a.h\"\n")
expect("'plan' may not include 'plan/plan_a.h'"
       generator/plan/body/bad.c "/* B. */\n#include \"plan/plan_a.h\"\n")
expect("only lua/, shapes/, frontend/graph/, frontend/lua/ and emit/ may include 'lua.h'"
       generator/plan/bad.c "/* B. */\n#include <lua.h>\n")
expect("only lua/, shapes/, frontend/graph/, frontend/lua/ and emit/ may include 'lauxlib.h'"
       generator/driver/bad.c "/* B. */\n#include \"lauxlib.h\"\n")
expect("'plan_a.h' is no path from generator/"
       generator/plan/bad.c "/* B. */\n#include \"plan_a.h\"\n")
expect("generator/extra: a folder without a place" generator/extra/bad.c "/* B. */\n")
expect("generator/frontend/tf: a front-end without a place"
       generator/frontend/tf/bad.c "/* B. */\n")
expect("know each other in a circle, and those that know one: plan/body/body_a, plan/choose/choose_a"
       generator/plan/body/body_a.h "/* A. */\n#include \"plan/choose/choose_a.h\"\n")
expect("know each other in a circle, and those that know one: base/base_a, base/base_b"
       generator/base/base_a.c "/* A. */\n#include \"base/base_b.h\"\n")
expect("emitted C in a string literal"
       generator/emit/bad.c "/* B. */\nconst char *s = \"    memcpy(a, b, 4);\";\n")
expect("emitted C in a string literal"
       generator/emit/bad.c "/* B. */\nconst char *s = \"#include <string.h>\\n\";\n")
expect("setlocale" generator/driver/bad.c "/* B. */\nvoid f(void) { setlocale(0, \"\"); }\n")
expect("walks a hash" templates/bad.tmpl "\$ for k, v in pairs(t) do\n\$ end\n")
expect("walks a hash" templates/bad.lua "local k = next(t)\n")
string(CONCAT home "/ho" "me/")
expect("names a path of one machine" generator/base/bad.c "/* See ${home}me/notes. */\n")
expect("another file is called 'plan_a.c' too" generator/emit/plan_a.c "/* B. */\n")
expect("does not begin with a comment" generator/base/bad.c "int x;\n")
expect("does not begin with a comment" generator/base/bad.cmake "set(x y)\n")
expect("generator/fresh: has no README.md" generator/fresh/x.txt "x\n")
expect("misc: is no folder of the top level" misc/README.md "x\n")
string(REPEAT "#\n" 120 long)
expect("120 is too many" CMakeLists.txt "${long}")

if(wrong)
    message(FATAL_ERROR "${wrong}")
endif()
