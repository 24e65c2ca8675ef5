"""A small input may ask for a lot of work: each limit ends the run before anything is written, and the message names the
option that raises it. No case depends on the speed of the machine: what ends by processor time never ends by itself."""
from listing import model
from testing import expect_text, regex


def ends(work, option, message, arguments):
    """The run ends with 5 and leaves nothing, not even a temporary file."""
    (work / "out").mkdir(exist_ok=True)
    work.splitgen(f"{arguments} -o out/", 5, out="", err=regex(rf"{message}[^\n]*raise {option}\n"))
    work.expect_files(folder="out")


def test_instructions_5_million_for_each_second(work):
    work.write("endless.lua", "local x\nwhile true do end")
    ends(work, "--max-seconds", "endless.lua:2:1: error: the spec is still running after 5000000 instructions",
         "--max-seconds=1 endless.lua")
    work.write("deep.lua",
        "local function deep(n) return n > 0 and 1 + deep(n - 1) or 0 end  while true do pcall(deep, 180000) end")
    ends(work, "--max-seconds", "the spec is still running after 10000000 instructions", "--max-seconds=2 deep.lua")


def test_processor_time_what_no_instruction_counts(work):
    work.write("one_call.lua", "local s = string.rep('a', 30000)  s:find(('a-'):rep(40) .. 'b')")
    ends(work, "--max-seconds", "this run needs more than 1 s of processor time", "--max-seconds=1 one_call.lua")
    work.splitgen("--max-seconds=1 --diagnostics-format=json one_call.lua", 5, err=regex(
            r'^{"version":1,"diagnostics":.*raise --max-seconds".*"rule":"budget"'))
    work.write("rules.lua", "return { Abs = function(node, x) ('a'):rep(30000):find(('a-'):rep(40) .. 'b') end }")
    model(work, "abs.onnxtxt", """net (float[8] x) => (a, b) { y = Abs (x)  a, b = Split <axis = 0, num_outputs = 2> (y) }
""")
    ends(work, "--max-seconds", "this run needs more than 1 s of processor time",
         "--max-seconds=1 --shape-rules=rules.lua abs.onnxtxt")


def test_memory(work):
    work.write("memory.lua", """local t = {}
while true do
  t[#t + 1] = {}
end""")
    ends(work, "--max-memory", "memory.lua:3:[0-9]+: error: the spec needs more than 4 MiB of memory",
         "--max-memory=4 memory.lua")
    work.write("text.lua", "local t = {}\nreturn ('x'):rep(1 << 30)")
    ends(work, "--max-memory", "text.lua:2:[0-9]+: error: the spec needs more than 256 MiB of memory", "text.lua")


def test_what_is_legal_is_not_refused_many_parts_many_ops(work):
    work.write("many.lua", """local ops = {}
for i = 1, 20 do ops[i] = split { name = "k" .. i, dtype = "f32", shape = { 4, 15000 }, axis = 1, parts = i % 20 == 0 and 5000 or 3 } end
return ops
""")
    work.splitgen("many.lua --list", out="\ntotal: ")


def test_limits_that_are_gone(work):
    work.write("memory.lua", """local t = {}
while true do
  t[#t + 1] = {}
end""")
    for gone in ["max-kernels=1", "max-copies=1", "max-text=1", "rule-steps=1", "spec-steps=1", "max-kernels 1"]:
        work.splitgen(f"--{gone} -e 'f32[4] -> 2 2; f32[4] -> 1 3' --list", out=regex(r"^split"), err=regex(
                r"note: '--[a-z-]*' has no effect: --max-seconds and --max-memory limit a run\n"))
    ends(work, "--max-memory", "the spec needs more than 4 MiB of memory", "--spec-memory=4 memory.lua")


def test_the_stack_an_array_of_parts_that_advances_from_group_to_group_of_rows(work):
    work.write("groups.lua", """local lengths, outputs = {}, {}
for i = 1, 4097 do lengths[i], outputs[i] = 1, "p" .. i end
outputs[1] = { strides = { 8, 2, 1 } }
return split { name = "a", dtype = "u8", shape = { 2, 3, 4097 }, axis = 2, lengths = lengths, outputs = outputs }
""")
    work.splitgen("groups.lua", 5, out="", err=regex(
            r"groups.lua:4:[^\n]*4097 parts are more than splitgen takes where rows of one lie in groups: 4096; give its rows one stride"))


def test_the_manual_lists_all_limits(work):
    limits = work.splitgen("--man").out.split("\n.Sh LIMITS\n")[1].split("\n.Sh EXAMPLES\n")[0]
    expect_text("the manual", limits, [regex(r"max-seconds\n[^.]*30"), regex(r"max-memory\n[^.]*256")])
