# A small input may ask for a lot of work: each budget ends the run before anything is written, and the message names
# the option that raises it.
include("${CMAKE_CURRENT_LIST_DIR}/cli.cmake")

# ends(<option> <message> <arguments>): the run ends with 5 and writes nothing; with the option raised it succeeds.
function(ends option message arguments)
    run("mkdir -p out && splitgen ${arguments} -o out/" 5)
    expect_no_out()
    expect_err("error: [^\n]*${message}" "raise ${option}\n")
    run("ls out" 0)
    expect_no_out()
endfunction()

# --- kernels: 113 bytes of a spec for 20,000 kernels ------------------------------------------------
write(many.lua [[
local ops = {}
for i = 1, 20000 do ops[i] = split("k" .. i .. ": f32[4,2] @1 -> 1,1") end
return ops
]])
write(few.lua [[
local ops = {}
for i = 1, 20000 do ops[i] = split("k" .. i .. ": f32[4,2] @1 -> 1,1") end
return { ops[1], ops[20000] }
]])
ends(--max-kernels "this is the first of more than 10000 kernels" many.lua)
run("splitgen --max-kernels=20000 --list many.lua | tail -n 1" 0)
expect_out("^total: ")
run("splitgen --max-kernels=2 --list few.lua" 0)
ends(--max-kernels "this is the first of more than 2 kernels"
     "--max-kernels=2 -e 'f32[4] -> 2,2; f32[4] -> 1,3; f32[4] -> 3,1'")
# Kernels that are not selected do not count.
run("splitgen --max-kernels=2 --only 'a*' -e 'a: f32[4] -> 2,2; b: f32[4] -> 1,3; ab: f32[4] -> 3,1' --list" 0)

# A model whose functions call each other stops as soon as it exceeds the limit.
write(calls.onnxtxt [[
<ir_version: 10, opset_import: ["" : 18, "f" : 1]>
net (float[8] x) => (y) { y = f.a (x) }
<domain: "f", opset_import: ["" : 18, "f" : 1]>
a (x) => (y) { y, s, t = f.b (x)  u = f.b (y)  v = f.b (u)  w = f.b (v) }
<domain: "f", opset_import: ["" : 18, "f" : 1]>
b (x) => (y) { y = f.c (x)  u = f.c (x)  v = f.c (x)  w = f.c (x) }
<domain: "f", opset_import: ["" : 18, "f" : 1]>
c (x) => (x) { p, q = Split <axis = 0, num_outputs = 2> (x) }
]])
ends(--max-kernels "this is the first of more than 3 kernels" "--max-kernels=3 calls.onnxtxt")

# --- copies --------------------------------------------------------------------------------------
set(wide "u8[16384] -> /16384")
ends(--max-copies "with 'split_2' the kernels have more than 20000 copies together"
     "--isa=portable --max-copies=20000 -e '${wide}; ${wide}; ${wide}'")
run("splitgen --isa=portable --max-copies=50000 --list -e '${wide}; ${wide}; ${wide}'" 0)
run("splitgen --isa=portable --max-copies=20000 --list -e '${wide}; ${wide}'" 5)
expect_no_out()

# --- processor time: endless runs, each in Lua that the other limits allow -------------------------------
write(endless.lua "while true do end")
ends(--max-seconds "this run needs more than 1 s of processor time"
     "--max-seconds=1 --spec-steps=1000000000000 endless.lua")
write(one_call.lua "local s = string.rep('a', 30000)  while true do s:find(('a-'):rep(40) .. 'b') end")
ends(--max-seconds "this run needs more than 1 s of processor time"
     "--max-seconds=1 --spec-steps=1000000000000 one_call.lua")
run("splitgen --max-seconds=1 --spec-steps=1000000000000 --diagnostics-format=json endless.lua" 5)
expect_err("^{\"version\":1,\"diagnostics\":.*raise --max-seconds\".*\"rule\":\"budget\"")

# --- shapes: no part of them is printed ----------------------------------------------------------------
run("splitgen --max-text=60 --dump=shapes calls.onnxtxt" 5)
expect_no_out()
expect_err("raise --max-text\n")

# --- text: all files together, and printed text -----------------------------------------------------
set(op "f32[4,2] @1 -> 1,1")
run("splitgen -e '${op}' --emit=c,h -o size/ && cat size/* | wc -c" 0)
string(STRIP "${OUT}" bytes)
math(EXPR less "${bytes} - 1")
run("splitgen -e '${op}' --emit=c,h --max-text=${bytes} -o fits/" 0)
ends(--max-text "what this run prints has more than ${less} bytes together"
     "-e '${op}' --emit=c,h --max-text=${less}")
ends(--max-text "more than 100 bytes together" "-e '${op}' --emit=json --max-text=100 --export-macro=M")
foreach(look "--list" "--list=json" "--explain" "--report=text" "--report=json" "--dump=op,plan")
    run("splitgen -e '${op}' ${look} --max-text=20" 5)
    expect_no_out()
    expect_err("error: what this run prints has more than 20 bytes together; if it is meant to, raise --max-text\n")
endforeach()

# --- rules of shapes -------------------------------------------------------------------------------
set(nodes "")
foreach(i RANGE 1 300)
    string(APPEND nodes "  u${i} = Unique (c)\n")
endforeach()
write(unique.onnxtxt "<ir_version: 10, opset_import: [\"\" : 18]>
net (float[8] x) => (a)
<int64 first = {0}, int64 last = {1000}, int64 step = {1}>
{
  c = Range (first, last, step)
${nodes}  a, b = Split <axis = 0, num_outputs = 2> (x)
}
")
ends(--rule-steps "all rules together have taken 3000000 instructions, the last the rule for 'Unique'; if they are meant to,"
     "--rule-steps=3000000 unique.onnxtxt")
# A spec that loads a model has the smaller of its own budget and this one.
write(load.lua "return onnx.load('unique.onnxtxt')\n")
run("splitgen --rule-steps=3000000 load.lua" 5)
expect_err("raise --rule-steps\n")
run("splitgen --spec-steps=3000000 load.lua" 5)
expect_err("raise --spec-steps\n")

# --- the stack: an array of parts that advances from group to group of rows --------------------------
write(groups.lua [[
local lengths, outputs = {}, {}
for i = 1, 4097 do lengths[i], outputs[i] = 1, "p" .. i end
outputs[1] = { strides = { 8, 2, 1 } }
return split { name = "a", dtype = "u8", shape = { 2, 3, 4097 }, axis = 2, lengths = lengths, outputs = outputs }
]])
run("splitgen groups.lua" 5)
expect_no_out()
expect_err("groups.lua:4:[^\n]*4097 parts are more than splitgen takes where rows of one lie in groups: 4096; give its rows one stride")

# --- the manual lists all limits ---------------------------------------------------------------------
run("splitgen --man | sed -n '/^.Sh LIMITS/,/^.Sh EXAMPLES/p'" 0)
expect_out("max-kernels\n[^.]*10000" "max-copies\n[^.]*4 million" "max-text\n[^.]*256 MiB" "rule-steps\n[^.]*500"
           "spec-steps\n" "spec-memory\n")
