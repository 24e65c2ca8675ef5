# Options that print something about the tool: help, version, completions, manual, vocabulary.
include("${CMAKE_CURRENT_LIST_DIR}/cli.cmake")

run("splitgen --version" 0)
expect_no_err()
expect_out("^splitgen [0-9]+\\.[0-9]+\\.[0-9]+\n$")
run("splitgen --help" 0)
expect_no_err()
expect_out("^usage: splitgen " "\n  --emit=KINDS +what[^\n]*\n +c +the kernels\n +h +their header\n" "\n  -h, --help\\[=TOPIC\\] +print this help, or that on a topic\n"
           "Exit codes: 0 ")
foreach(line "[^\n]*[^\n][^\n][^\n]") # nothing wider than a terminal of 100 columns
    string(REPLACE "\n" ";" lines "${OUT}")
    foreach(text IN LISTS lines)
        string(LENGTH "${text}" width)
        if(width GREATER 100)
            fail("too wide: ${text}")
        endif()
    endforeach()
endforeach()
set(help "${OUT}")
run("splitgen --help=options" 0)
expect_same("--help=options" "${OUT}" "${help}")

# Every name of every element type, in the help, the manual and the vocabulary for editors.
run("splitgen --help=types" 0)
expect_no_err()
expect_out("\n  f32 +32 bits +float FP32 float32 single <f4 float32_t\n"
           "\n  i64 +64 bits +int64 long longlong intp int_ np.int <i8 int64_t\n"
           "\n  byte int uint cfloat\n" "\n  torch[.] np[.] ")
run("splitgen --man" 0)
expect_out("\n.It Pa STEM_test.c Pq Cm test\na program that tests the kernels\n"
           "\n.It Cm f32\nfloat FP32 float32 single <f4 float32_t\n" "\nbyte int uint cfloat\n")
run("splitgen --print-lua-api" 0)
expect_out("\n---[|] \"f32\" # float FP32 float32 single <f4 float32_t\n" "\n---@field opset integer\n")
run("splitgen -h" 0)
expect_same("-h" "${OUT}" "${help}")
run("splitgen -h" 0)
expect_same("-h" "${OUT}" "${help}")
run("splitgen --help > /dev/full" 3)
expect_err("cannot write standard output: No space left on device")

run("splitgen --completion=bash -o splitgen.bash" 0)
expect_silence()
run("splitgen --completion=tcsh" 2)
expect_err("'tcsh' is not a value of '--completion'")
find_program(bash bash)
if(bash)
    # What bash would offer for a command line cut into words as bash does.
    write(complete.sh [=[
compopt() { :; }
. ./splitgen.bash
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_splitgen
printf '%s\n' "${COMPREPLY[@]}"
]=])
    run("'${bash}' -n splitgen.bash" 0)
    run("'${bash}' complete.sh splitgen --emit = c,js" 0)
    expect_same("completion" "${OUT}" "c,json\n")
    run("'${bash}' complete.sh splitgen --color =" 0)
    expect_same("completion" "${OUT}" "auto\nalways\nnever\n")
    run("'${bash}' complete.sh splitgen --color n" 0)
    expect_same("completion" "${OUT}" "never\n")
    run("'${bash}' complete.sh splitgen --depfile-" 0)
    expect_same("completion" "${OUT}" "--depfile-target=\n--depfile-input=\n")
    run("'${bash}' complete.sh splitgen -o spl" 0)
    expect_same("completion" "${OUT}" "splitgen.bash\n")
    run("touch a.lua a.txt; '${bash}' complete.sh splitgen a" 0)
    expect_same("completion" "${OUT}" "a.lua\n")
endif()
foreach(shell zsh fish)
    run("splitgen --completion ${shell} -o splitgen.${shell}" 0)
    find_program(${shell} ${shell})
    if(${shell})
        run("'${${shell}}' -n splitgen.${shell}" 0)
    endif()
endforeach()

run("splitgen --man" 0)
expect_out("\n\\.Sh OPTIONS\n" "\n\\.Sh EXIT STATUS\n")
run("splitgen --man -o splitgen.1" 0)
find_program(mandoc mandoc)
if(mandoc)
    run("'${mandoc}' -Tlint -Wstyle splitgen.1" 0)
    expect_silence()
endif()

run("splitgen --print-lua-api -o api.lua" 0)
file(READ "${WORK}/api.lua" api)
foreach(word "^---@meta" "function split\\(" "function onnx.Split\\(" "function openvino.Split\\("
             "function openvino.VariadicSplit\\(" "function param\\(" "function require\\(")
    if(NOT "${api}" MATCHES "${word}")
        fail("the vocabulary lacks ${word}")
    endif()
endforeach()
find_program(luac NAMES luac5.4 luac54 luac)
if(luac)
    run("'${luac}' -p api.lua" 0)
endif()

run("splitgen --print-template kernel.c.tmpl" 0)
expect_out("[$]{")
run("splitgen --print-template kernel.c.tmlp" 2)
expect_err("did you mean 'kernel.c.tmpl'")
