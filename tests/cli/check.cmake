# --check: verifies generated files that are kept in a repository.
include("${CMAKE_CURRENT_LIST_DIR}/cli.cmake")
write(cut.lua "${SPEC}")
run("splitgen cut.lua -o k.c --header k.h" 0)
run("splitgen cut.lua --check k.c --header k.h" 0)
expect_silence()

run("sed -i 's/void cut/void CUT/' k.c; cp k.c before; splitgen cut.lua --check k.c" 4)
expect_err("^<command line>:1:26: error: 'k.c' is stale from line [0-9]+ on\n")
expect_out("^--- k.c\n\\+\\+\\+ k.c \\(as generated\\)\n@@ -([0-9]+) \\+([0-9]+) @@\n"
           "\n-[^\n]*void CUT[^\n]*\n\\+[^\n]*void cut[^\n]*\n$")
string(REGEX MATCH "@@ -([0-9]+)" unused "${OUT}")
set(line "${CMAKE_MATCH_1}")
run("grep -n 'void CUT' k.c | head -1" 0)
expect_out("^${line}:")
run("cmp k.c before" 0)
run("splitgen cut.lua --check k.c --header k.h" 4)
expect_err("'k.c' is stale")

# Missing, empty, longer and shorter files.
run("splitgen cut.lua --check none.c" 4)
expect_err("'none.c' does not exist")
expect_no_out()
run(": > k.c; splitgen cut.lua --check k.c" 4)
expect_out("@@ -1 \\+1 @@\n\\+/\\*")
run("splitgen cut.lua -o k.c; echo more >> k.c; splitgen cut.lua --check k.c" 4)
expect_out("@@\n-more\n$")
run("splitgen cut.lua -o k.c; truncate -s -1 k.c; splitgen cut.lua --check k.c" 4)
expect_out("\\\\ No newline at end of file\n\\+")

# A checkout with CRLF line ends is not stale; a file that mixes both kinds is.
run("splitgen cut.lua -o k.c; sed -i 's/$/\\r/' k.c; splitgen cut.lua --check k.c" 0)
expect_silence()
run("sed -i '3s/\\r//' k.c; splitgen cut.lua --check k.c" 4)
run("sed -i 's/$/\\r/' cut.lua; splitgen cut.lua --check k.c" 4)
run("sed 's/\\r$//' cut.lua > x; splitgen cut.lua -o k.c; mv x cut.lua; splitgen cut.lua --check k.c" 0)

# Several kinds with a common stem, JSON on standard error, options before and after.
run("splitgen cut.lua --emit=c,json,h -o s; splitgen cut.lua --emit=c,json,h --check s" 0)
run("rm s.json; echo >> s.h; splitgen cut.lua --emit=c,json,h --check s --diagnostics-format=json"
    4)
expect_err("'s.json' does not exist" "'s.h' is stale")
expect_out("^--- s.h\n")
run("splitgen cut.lua --check k.c -o k.c" 2)
run("splitgen cut.lua --check -" 2)
run("mkdir d; splitgen cut.lua --check d" 4)
expect_err("'d/cut.c' does not exist")
run("splitgen cut.lua --emit=h,c --check x.h/" 4)
if(EXISTS "${WORK}/x.h")
    fail("--check made a folder")
endif()
