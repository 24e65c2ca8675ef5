# Paths inside files: they cannot reach outside the allowed folders, or open a file without end. No command hangs: the
# test would run until ctest ends it.
include("${CMAKE_CURRENT_LIST_DIR}/cli.cmake")
find_program(MKFIFO mkfifo)
if(NOT MKFIFO)
    message("SKIPPED: no mkfifo")
    return()
endif()

run("mkdir -p in/lib secret other
cat >secret/secret.lua <<'END'
return { key = 4 }
END
cat >secret/m.onnxtxt <<'END'
<ir_version: 8, opset_import: [\"\" : 18]>
g (float[4] x) => (a, b) { a, b = Split <axis = 0, num_outputs = 2> (x) }
END
cp secret/secret.lua in/lib/own.lua
cp secret/secret.lua other/far.lua
cp secret/m.onnxtxt in/lib/m.onnxtxt
mkfifo in/pipe.lua in/pipe.onnxtxt
ln -s /dev/zero in/zero.lua
ln -s /dev/zero in/zero.onnxtxt" 0)

# spec(<required path> <exit code> [<error>]), load(<loaded path> <exit code> [<error>])
function(run_spec text code)
    file(WRITE "${WORK}/in/spec.lua" "${text}\nreturn split { dtype = 'f32', shape = { 4 }, parts = 2 }\n")
    run("splitgen in/spec.lua ${ARGV3}" "${code}")
    if(NOT code EQUAL 0)
        expect_no_out()
        expect_err("^in/[a-z/]+.lua:1:[0-9]+: error: " "\\^" "${ARGV2}")
    endif()
endfunction()
macro(spec name)
    run_spec("local a = require '${name}'" ${ARGN})
endmacro()
macro(load name)
    run_spec("local a = onnx.load '${name}'" ${ARGN})
endmacro()

# Links.
set(out "a symbolic link leads out of the folder")
set(links
    "link.lua|../secret/secret.lua" "absolute.lua|${WORK}/secret/secret.lua" "twice.lua|link.lua" "dir|../secret"
    "root|/" "lib/up.lua|../../secret/secret.lua" "round|dir/../secret" "link.onnxtxt|../secret/m.onnxtxt"
    "absolute.onnxtxt|${WORK}/secret/m.onnxtxt" "twice.onnxtxt|link.onnxtxt"
    "far.lua|../other/far.lua"
    "self|${WORK}/in" "inner.lua|lib/own.lua" "innerdir|lib" "back.lua|../in/lib/own.lua" "lib/side.lua|../inner.lua"
    "over.lua|self/innerdir/../lib/own.lua"
    "inner.onnxtxt|${WORK}/in/lib/m.onnxtxt" "loop.lua|loop.lua" "dangling.lua|nothing")
foreach(link IN LISTS links)
    string(REPLACE "|" ";" link "${link}")
    list(GET link 0 name)
    list(GET link 1 target)
    file(CREATE_LINK "${target}" "${WORK}/in/${name}" SYMBOLIC)
endforeach()
foreach(name link absolute twice dir.secret lib.up round.secret far)
    spec(${name} 1 "cannot read 'in/[a-z./]+': ${out}[^\n]*. -I gives a spec other folders")
endforeach()
foreach(name link absolute twice dir/m round/m)
    load(${name}.onnxtxt 1 "${out}")
endforeach()
string(SUBSTRING "${WORK}" 1 -1 from_root)
load(root/${from_root}/secret/m.onnxtxt 1 "${out}")
load(../secret/m.onnxtxt 1 "without '..'")
load(${WORK}/in/lib/m.onnxtxt 1 "without '..'")
foreach(name lib.own self.lib.own inner innerdir.own back lib.side over self.self.inner)
    spec(${name} 0)
endforeach()
foreach(name inner innerdir/m self/innerdir/m)
    load(${name}.onnxtxt 0)
endforeach()
load(root/${from_root}/in/lib/m.onnxtxt 0)
spec(far 0 any "-I other")
spec(dangling 1 "there is no file to require here")
spec(loop 3 "Too many levels of symbolic links")
# A required file has the same restrictions as the spec.
file(WRITE "${WORK}/in/lib/asks.lua" "return require 'up'\n")
run_spec("require 'lib.asks'" 1 "${out}")

# Files that are not regular.
spec(pipe 1 "not a regular file")
load(pipe.onnxtxt 1 "not a regular file")
spec(zero 1 "${out}")
load(zero.onnxtxt 1 "${out}")
load(zero 1 "not a regular file" "-I /dev")
run("truncate -s 100G in/sparse.lua" 0)
spec(sparse 5 "raise --max-memory")

# The command line: files and pipes of limited size.
run("splitgen /dev/zero" 3)
expect_err("^<command line>:1:10: error: cannot read '/dev/zero': it is a device or a socket")
run("ln -s /dev/zero zero.onnx; splitgen zero.onnx" 3)
expect_err("it is a device or a socket")
run("splitgen in" 3)
expect_err("'in' is a folder")
run("splitgen in/lib/m.onnxtxt --shape-rules /dev/zero" 3)
expect_err("<command line>:1:[0-9]+: error: cannot read '/dev/zero': it is a device or a socket")
run("splitgen -e 'f32[4] -> /2' --check /dev/zero" 3)
expect_err("it is a device or a socket")
set(limit "it has more than 64 MiB, which is the most that is read of a pipe")
run("yes | splitgen -" 5)
expect_no_out()
expect_err("^<command line>:1:10: error: cannot read '-': ${limit}")
run("yes | splitgen /dev/stdin" 5)
expect_err("${limit}")
run("yes | splitgen in/lib/m.onnxtxt --shape-rules -" 5)
expect_err("${limit}")
run("yes | splitgen -e 'f32[4] -> /2' --check /dev/stdin" 5)
expect_err("${limit}")
run("splitgen - </dev/zero" 1)
expect_err("'<stdin>' is neither a spec nor a model")
# A protobuf model that claims an endless string.
run("(printf '\\010\\010\\022\\377\\377\\377\\377\\377\\377\\377\\037'; yes) | splitgen -" 5)
expect_err("a model from a pipe may have 2048 MiB")
# A FIFO is a pipe with a name.
run("mkfifo p; cat in/lib/m.onnxtxt >p & splitgen p >got; grep -q _kernel got" 0)

# Output files that are not regular.
run("splitgen -e 'f32[4] -> /2' -o /dev/full" 3)
expect_err("cannot write '/dev/full': No space left on device")
run("cat p >got & splitgen -e 'f32[4] -> /2' -o p; wait; splitgen -e 'f32[4] -> /2' | cmp - got" 0)

find_program(SPLITGEN_PYTHON python3)
if(SPLITGEN_PYTHON)
    run("${SPLITGEN_PYTHON} -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"s.lua\")'; cp s.lua in 2>/dev/null; splitgen s.lua" 3)
    expect_err("cannot read 's.lua': it is a device or a socket")
endif()
