# A small input may ask for a lot of work: each limit ends the run before anything is written, and the message names the
# option that raises it. No case depends on the speed of the machine: what ends by processor time never ends by itself.
include("${CMAKE_CURRENT_LIST_DIR}/cli.cmake")

# ends(<option> <message> <arguments>): the run ends with 5 and leaves nothing, not even a temporary file.
function(ends option message arguments)
    run("mkdir -p out && splitgen ${arguments} -o out/" 5)
    expect_no_out()
    expect_err("${message}[^\n]*raise ${option}\n")
    run("ls -A out" 0)
    expect_no_out()
endfunction()

# --- instructions: 5 million for each second ------------------------------------------------------------
write(endless.lua "local x\nwhile true do end")
ends(--max-seconds "endless.lua:2:1: error: the spec is still running after 5000000 instructions" "--max-seconds=1 endless.lua")
write(deep.lua "local function deep(n) return n > 0 and 1 + deep(n - 1) or 0 end  while true do pcall(deep, 180000) end")
ends(--max-seconds "the spec is still running after 10000000 instructions" "--max-seconds=2 deep.lua")

# --- processor time: what no instruction counts ----------------------------------------------------------
write(one_call.lua "local s = string.rep('a', 30000)  s:find(('a-'):rep(40) .. 'b')")
ends(--max-seconds "this run needs more than 1 s of processor time" "--max-seconds=1 one_call.lua")
run("splitgen --max-seconds=1 --diagnostics-format=json one_call.lua" 5)
expect_err("^{\"version\":1,\"diagnostics\":.*raise --max-seconds\".*\"rule\":\"budget\"")
write(rules.lua "return { Abs = function(node, x) ('a'):rep(30000):find(('a-'):rep(40) .. 'b') end }")
write(abs.onnxtxt [[
<ir_version: 10, opset_import: ["" : 18]>
net (float[8] x) => (a, b) { y = Abs (x)  a, b = Split <axis = 0, num_outputs = 2> (y) }
]])
ends(--max-seconds "this run needs more than 1 s of processor time" "--max-seconds=1 --shape-rules=rules.lua abs.onnxtxt")

# --- memory ---------------------------------------------------------------------------------------------
write(memory.lua "local t = {}\nwhile true do\n  t[#t + 1] = {}\nend")
ends(--max-memory "memory.lua:3:[0-9]+: error: the spec needs more than 4 MiB of memory" "--max-memory=4 memory.lua")
write(text.lua "local t = {}\nreturn ('x'):rep(1 << 30)")
ends(--max-memory "text.lua:2:[0-9]+: error: the spec needs more than 256 MiB of memory" text.lua)

# --- what is legal is not refused: many parts, many ops ---------------------------------------------------
write(many.lua [[
local ops = {}
for i = 1, 60 do ops[i] = split { name = "k" .. i, dtype = "f32", shape = { 4, 15000 }, axis = 1, parts = i % 20 == 0 and 5000 or 3 } end
return ops
]])
run("splitgen many.lua --list" 0)
expect_out("\ntotal: ")

# --- limits that are gone -----------------------------------------------------------------------------------
foreach(gone max-kernels=1 max-copies=1 max-text=1 rule-steps=1 spec-steps=1 "max-kernels 1")
    run("splitgen --${gone} -e 'f32[4] -> 2 2; f32[4] -> 1 3' --list" 0)
    expect_out("^split")
    expect_err("note: '--[a-z-]*' has no effect: --max-seconds and --max-memory limit a run\n")
endforeach()
ends(--max-memory "the spec needs more than 4 MiB of memory" "--spec-memory=4 memory.lua")

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
expect_out("max-seconds\n[^.]*30" "max-memory\n[^.]*256")
