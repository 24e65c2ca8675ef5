# --skip-unresolved: what is not known of a model is left out, with a warning for each, and the rest is made; --list does
# so by itself. What is invalid stays an error, but in a branch, which may never run.
include("${CMAKE_CURRENT_LIST_DIR}/cli.cmake")

# model(<name> <text>...): its head is the same everywhere.
function(model name)
    list(JOIN ARGN "" text)
    write(${name} "<ir_version: 10, opset_import: [\"\" : 18]>\n${text}")
endfunction()

model(some.onnxtxt [[
net (float[8] x, float[N,M] y) => (a, b, e)
{
  [good] a, b = Split <axis = 0, num_outputs = 2> (x)
  nz = NonZero (x)
  [dyn] c, d = Split <axis = 1, num_outputs = 2> (nz)
  [join] e = Concat <axis = 1> (nz, nz)
  [named] f, g = Split <axis = 1, num_outputs = 2> (y)
}
]])
run("splitgen --ops=all some.onnxtxt -o out.c" 1)
expect_files("some.onnxtxt")
set(dyn ":5:[0-9]+: warning: Split 'dyn' is left out: it cuts dim 1 of 'nz' and needs it as a number, but 'nz' is \\[1, \\?\\]\n")
set(join ":6:[0-9]+: warning: Concat 'join' is left out: it joins along dim 1 of 'nz' and needs it as a number")
set(named ":8:[0-9]+: warning: Split 'named' is left out: it cuts dim 1 of 'y'")
run("splitgen --ops=all some.onnxtxt --skip-unresolved -o out.c" 0)
string(REPLACE ":5:" ":6:" dyn "${dyn}")
string(REPLACE ":6:" ":7:" join "${join}")
expect_err("${dyn}" "${join}" "${named}" "note: all that is lacking, in one command: splitgen --ops=all --skip-unresolved")
expect_files("out.c" "some.onnxtxt")
run("cat out.c" 0)
expect_out("void good\\(" "Command: splitgen --ops=all --skip-unresolved some.onnxtxt")
# --list writes nothing, and needs no option for it; each of them is an error for whoever wants it so.
run("splitgen --ops=all --list some.onnxtxt" 0)
expect_out("^good: [^\n]*\ntotal: [^\n]*\n$")
expect_err("${dyn}" "${join}" "${named}")
run("splitgen --ops=all --list -Werror some.onnxtxt" 1)
run("splitgen --ops=all --skip-unresolved -Werror some.onnxtxt" 1)
expect_no_out()

# Nothing is left: the errors are those without the option.
run("splitgen --skip-unresolved --only dyn some.onnxtxt" 1)
expect_no_out()
expect_err("error: Split 'dyn' cuts dim 1 of 'nz'" "give --shape 'nz=1,n\\?'")
run("splitgen --list --only dyn some.onnxtxt" 1)
# Beside another input it may be nothing.
run("splitgen --skip-unresolved --only dyn --only other some.onnxtxt -e 'other: f32[4] -> 2,2' --list" 0)
expect_out("^other: ")

# A branch that never fits, by a Split and by a Concat.
