# The output of diagnostics: formats, colours, warnings, places on the command line.
include("${CMAKE_CURRENT_LIST_DIR}/cli.cmake")
write(cut.lua "${SPEC}")

# Formats: one document on standard error, also when there is nothing to report.
function(expect_json)
    string(JSON type ERROR_VARIABLE problem TYPE "${ERR}")
    if(NOT "${type}" STREQUAL "OBJECT")
        fail("standard error is no JSON document: ${problem}")
    endif()
endfunction()
run("splitgen cut.lua --diagnostics-format=json" 0)
expect_json()
string(JSON n LENGTH "${ERR}" diagnostics)
expect_same("the number of diagnostics" "${n}" 0)
run("splitgen -e 'f99[4] -> /2' --diagnostics-format=json" 1)
expect_json()
expect_no_out()
string(JSON severity GET "${ERR}" diagnostics 0 severity)
string(JSON column GET "${ERR}" diagnostics 0 column)
expect_same("severity and column" "${severity} ${column}" "error 1")
run("splitgen --bogus --diagnostics-format=json" 2)
expect_json()
run("splitgen --diagnostics-format=json" 2)
expect_json()
run("splitgen cut.lua --diagnostics-format=sarif" 2)
expect_no_out()
expect_err("error: 'sarif' is not a value of '--diagnostics-format'")
run("splitgen cut.lua -D x=1 --diagnostics-format json -o k.c" 0)
expect_json()
string(JSON severity GET "${ERR}" diagnostics 0 severity)
expect_same("the severity" "${severity}" warning)
run("splitgen cut.lua -D x=1 -Werror --diagnostics-format json" 1)
string(JSON severity GET "${ERR}" diagnostics 1 severity)
expect_same("the severity" "${severity}" error)

# Colour: the option, then NO_COLOR, then FORCE_COLOR and CLICOLOR_FORCE, then the terminal.
function(colored wanted environment options)
    run("env ${environment} splitgen none.lua ${options} 2> err
         test $(od -An -c err | grep -c 033) ${wanted} 0" 0)
endfunction()
colored(-eq "TERM=xterm" "")
colored(-gt "TERM=dumb" "--color=always")
colored(-gt "NO_COLOR=1" "--color=always")
colored(-gt "FORCE_COLOR=1" "")
colored(-gt "CLICOLOR_FORCE=1" "")
colored(-eq "CLICOLOR_FORCE=0" "")
colored(-eq "NO_COLOR=1 FORCE_COLOR=1" "")
colored(-gt "NO_COLOR= FORCE_COLOR=1" "")
colored(-eq "FORCE_COLOR=1" "--color=never")
find_program(script script)
if(script)
    execute_process(COMMAND "${script}" -qec true "${WORK}/typescript" RESULT_VARIABLE has_no_terminal OUTPUT_QUIET ERROR_QUIET)
endif()
if(script AND NOT has_no_terminal) # a container may have no pseudo-terminals
    function(terminal wanted environment)
        run("env ${environment} '${script}' -qec 'splitgen none.lua' typescript > /dev/null
             test $(od -An -c typescript | grep -c '033 *\\[') ${wanted} 0" 0)
    endfunction()
    terminal(-gt "TERM=xterm")
    terminal(-eq "TERM=dumb")
    terminal(-eq "TERM=xterm NO_COLOR=1")
endif()

# Suggestions, and places inside quoted arguments.
run("splitgen cut.lua --unroll=ful" 2)
expect_err("did you mean 'full'")
run("splitgen 'it'\\''s.lua'" 3)
expect_err("\n    1 \\| splitgen 'it'")
run("splitgen cut.lua '--emit=c,sgv'" 2)
expect_err(":1:27: error: 'sgv' is not a value of '--emit'; did you mean 'svg'")
run("splitgen -e 'q: f32[7,6] @1 -> a:2 b:5'" 1)
expect_err("^<command line>:1:[0-9]+: error: " "\n    1 \\| q: f32\\[7,6\\] @1 -> a:2 b:5\n")

# The op is named if its place is ambiguous, in every format, and every result has its rule.
write(loop.lua [=[
local ops = {}
for i = 1, 2 do
  ops[i] = split { name = "q" .. i, dtype = "f32", shape = { 4 }, lengths = { 2, 3 } }
end
return ops
]=])
run("splitgen loop.lua" 1)
expect_err("^loop.lua:3:77: error: ops 'q1', 'q2': lengths sum to 5, but axis 0 has 4\n")
run("splitgen loop.lua --diagnostics-format=json" 1)
expect_json()
string(JSON text GET "${ERR}" diagnostics 0 rule)
expect_same("the rule" "${text}" "lengths")
string(JSON text GET "${ERR}" diagnostics 0 ops 1)
expect_same("the second op" "${text}" "q2")
string(JSON text GET "${ERR}" diagnostics 0 message)
expect_same("the message" "${text}" "ops 'q1', 'q2': lengths sum to 5, but axis 0 has 4")
run("splitgen -e 'f32[batch,4] -> 4'" 1)
expect_err("<command line>:1:5: note: a dimension whose length is known only when the program runs is written 'batch.', or 'batch=64.' if it is likely 64; one that -D batch=... sets needs a spec: shape = { param\\(\"batch\"\\), ... }")
