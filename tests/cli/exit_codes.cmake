# Every exit code, with the output.
include("${CMAKE_CURRENT_LIST_DIR}/cli.cmake")
write(good.lua "${SPEC}")
write(bad.lua "return split { dtype = 'f32', shape = { 7 }, parts = 2 }\n")
write(loop.lua "while true do end\n")
write(hog.lua "local s = 'x' while true do s = s .. s end\n")
write(empty.lua "return {}\n")

run("splitgen good.lua" 0)
expect_no_err()
expect_out("void cut\\(" "cut_kernel")

run("splitgen bad.lua" 1)
expect_no_out()
expect_err("^bad.lua:1:[0-9]+: error: ")
run("splitgen empty.lua" 1)
expect_no_out()
expect_err("error: ")
run("splitgen good.lua bad.lua" 1)
expect_no_out()

run("splitgen" 2)
expect_no_out()
expect_err("^usage: splitgen ")
run("splitgen --list" 2)
expect_err("^<command line>:1:16: error: there is no input")
run("splitgen good.lua --no-such" 2)
expect_no_out()
expect_err("^<command line>:1:19: error: unknown option '--no-such'"
           "\n    1 \\| splitgen good.lua --no-such\n      \\|                   \\^~~~~~~~~\n")
run("splitgen - - < good.lua" 2)
expect_err("standard input can be read only once")

run("splitgen 'no such.lua'" 3)
expect_no_out()
expect_err("^<command line>:1:10: error: cannot read 'no such.lua': No such file or directory"
           "splitgen 'no such.lua'")
# Unknown commands, if no file has that name.
foreach(said "list good.lua|write 'splitgen --list FILE'" "generate good.lua|write 'splitgen FILE'"
             "verify good.lua|write 'python -m splitgen verify FILE'" "bench|write 'python -m splitgen bench FILE'")
    string(REGEX MATCH "^([a-z]+)([^|]*)[|](.+)$" found "${said}")
    set(word "${CMAKE_MATCH_1}")
    set(wanted "${CMAKE_MATCH_3}")
    run("splitgen ${word}${CMAKE_MATCH_2}" 3)
    expect_no_out()
    expect_err("^<command line>:1:10: error: cannot read '${word}': [^\n]*; ${wanted}")
endforeach()
run("cp good.lua verify; splitgen verify --list" 0)
run("splitgen --help" 0)
expect_out("python -m splitgen verify FILE" "python -m splitgen bench FILE")
run("splitgen --man" 0)
expect_out("python -m splitgen verify" "python -m splitgen bench")

run("splitgen ." 3)
expect_err("'.' is a folder; give the spec or the model in it")
run("splitgen good.lua -o no/such/k.c" 3)
expect_no_out()
expect_err("cannot write 'no/such/k.c': there is no folder 'no'")
run("splitgen good.lua -o good.lua/k.c" 3)
expect_err("cannot write 'good.lua/k.c': Not a directory")

run("splitgen good.lua --check none.c" 4)
expect_no_out()
expect_err("'none.c' does not exist")

run("splitgen loop.lua --max-seconds 1" 5)
expect_no_out()
expect_err("^loop.lua:1:")
run("splitgen hog.lua --max-memory 1" 5)
expect_no_out()
expect_err("^hog.lua:1:")
run("splitgen -e 'f32[4000000,4] @1 -> /2' --unroll=full" 5)
expect_no_out()
expect_err("error: ")


# Inputs of every kind, in order, in one C file.
run("splitgen -e 'one: f32[4] -> /2' - -e 'two: f32[4] -> /2' -- good.lua --list < good.lua" 3)
expect_err("cannot read '--list'")
run("splitgen -e 'one: f32[4] -> /2' good.lua -e 'two: f32[4] -> /2' --list" 0)
expect_out("^one: [^\n]*\ncut: [^\n]*\ntwo: [^\n]*\ntotal: [^\n]*\n(with --emit[^\n]*\n)?([0-9]+ of [0-9]+ [^\n]*\n)?$")
run("splitgen -e 'f32[4] -> /2' -e 'f32[4] -> /2' --list" 0)
expect_out("^split: [^\n]*\nsplit_2: [^\n]*\ntotal: [^\n]*\n(with --emit[^\n]*\n)?([0-9]+ of [0-9]+ [^\n]*\n)?$")
run("splitgen - --list < good.lua" 0)
expect_out("^cut: ")
run("splitgen good.lua ./good.lua" 2)
expect_no_out()
expect_err("'./good.lua' is the file of another input" "note: it is given here first")
run("splitgen good.lua -e 'x: f32[1] -> 2' -e 'y: f99[1] -> 1'" 1)
expect_err("error: .*error: ")

list(JOIN all_kinds "," kinds)
# Sums of sizes near 2^63; a build with -DSPLITGEN_SANITIZE=undefined detects overflow.
foreach(op "u8[3000000000000000000,2] @1 -> 1 1" "u8[2,4611686018427387903] @1 -> 1 *"
           "u8[115292150460684697,66] @1 -> /33" "u8[2,4611686018427387840] @1 -> /40"
           "f64[1152921504606846975] -> *" "u8[9223372036854775807] <- 9000000000000000000 *"
           "f32[n?,1205198240331365783] @1 <- 405475314263781056 *" "u4[2,576460752303423480] @1 -> /2")
    run("splitgen -e 'a: ${op}' --emit=${kinds} -o huge/" 0)
    expect_silence()
    run("splitgen -e 'a: ${op}' --explain" 0)
    run("splitgen -e 'a: ${op}' --report=json --non-temporal=always" 0)
endforeach()
