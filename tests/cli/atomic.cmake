# After an error all files are unchanged: full disks, closed pipes, interrupts, wrong inputs.
include("${CMAKE_CURRENT_LIST_DIR}/cli.cmake")
write(cut.lua "${SPEC}")
write(bad.lua "return split { dtype = 'f32', shape = { 7 }, parts = 2 }\n")
write(k.c "old\n")
write(param.lua "return split { dtype = 'u8', shape = { param('batch', 1), 4 }, axis = 1, parts = 2 }\n")

run("splitgen bad.lua --emit=c,h -o k.c --depfile k.d" 1)
expect_files(bad.lua cut.lua k.c param.lua)
expect_file(k.c "old\n")
run("splitgen param.lua -D bacth=1 -Werror -o k.c" 1)
expect_no_out()
expect_err("warning: no input has a parameter or dim 'bacth'; did you mean 'batch'"
           "<command line>:1:31: error: warnings are treated as errors\n")
expect_file(k.c "old\n")
run("splitgen param.lua -D bacth=1 -o x.c" 0)
expect_err("warning: no input has a parameter or dim 'bacth'")
run("rm x.c" 0)

run("splitgen cut.lua > /dev/full" 3)
expect_err("cannot write standard output: No space left on device")
run("splitgen cut.lua --list > /dev/full" 3)
run("splitgen cut.lua >&-" 3)
expect_err("cannot write standard output: Bad file descriptor")
run("splitgen cut.lua -o /dev/full --header k.h" 3)
expect_err("cannot write '/dev/full': No space left on device")
expect_files(bad.lua cut.lua k.c param.lua)
run("{ sleep 0.2; splitgen cut.lua 2> err; echo $? > code; } | true; sleep 0.5; cat code err" 0)
expect_out("^3\n" "cannot write standard output: Broken pipe")
run("rm code err" 0)

# Text for reading ends silently when the reader closes the pipe; a file of code does not.
foreach(reading --man --help --help=types --print=shape-rules --print=lua-api --print=bash
                --print=zsh --print=fish
                "cut.lua --list" "cut.lua --list --format=json" "cut.lua --explain" "cut.lua --report=text"
                "cut.lua --report=json" "cut.lua --dump=plan" "cut.lua --list -o -")
    run("{ sleep 0.1; splitgen ${reading} 2> err; echo $? > code; } | true; sleep 0.2; cat code err" 0)
    expect_same("${reading}" "${OUT}" "0\n")
endforeach()
run("{ sleep 0.1; splitgen --man -o /dev/stdout 2> err; echo $? > code; } | true; sleep 0.2; cat code err" 0)
expect_out("^3\n" "Broken pipe")
run("rm code err" 0)

# A limit on file sizes simulates a full disk for temporary files.
run("ulimit -f 0; splitgen cut.lua --emit=c,h,svg -o k.c" 3)
expect_err("cannot write 'k.c': File too large")
expect_files(bad.lua cut.lua k.c param.lua)
expect_file(k.c "old\n")
run("splitgen cut.lua --emit=c,h -o k.c --depfile no/such.d" 3)
expect_files(bad.lua cut.lua k.c param.lua)
expect_file(k.c "old\n")
run("mkdir k.h; splitgen cut.lua --emit=c,h -o k.c" 3)
expect_err("cannot write 'k.h': Is a directory")
expect_file(k.c "old\n")
run("splitgen cut.lua --emit=c,h -o made/ --depfile no/such.d" 3)
run("rmdir k.h" 0)
expect_files(bad.lua cut.lua k.c param.lua)

# Interrupted while it waits for a reader of the pipe, with a temporary already written. (INT works the same way, but
# shells start background jobs that ignore it.)
foreach(signal TERM HUP)
    write(interrupt.sh "mkfifo pipe
splitgen cut.lua -o pipe --header k.h &
for i in 1 2 3 4 5 6 7 8 9 10; do
    ls .splitgen-*.tmp > seen 2> /dev/null && break
    sleep 0.1
done
kill -${signal} $!
wait $!
test $? -gt 128 && test -s seen
")
    run("sh interrupt.sh" 0)
    run("rm pipe seen interrupt.sh" 0)
    expect_files(bad.lua cut.lua k.c param.lua)
endforeach()

# A pipe with a reader gets everything.
run("splitgen cut.lua > want; mkfifo pipe" 0)
run("cat pipe > got & splitgen cut.lua -o pipe && wait && cmp want got" 0)
