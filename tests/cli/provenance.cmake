# The provenance in generated files: from it alone they can be generated again, byte for byte. It is the same in every
# folder, and --check reports what differs.
include("${CMAKE_CURRENT_LIST_DIR}/cli.cmake")
set(again "${CMAKE_CURRENT_LIST_DIR}/again.sh")
find_program(BASH bash)
if(NOT BASH)
    message("SKIPPED: no bash")
    return()
endif()

write(specs/cut.lua "local d = require 'lib.dims'
return { split { name = 'cut', dtype = 'f32', shape = { d.n, 12 }, axis = 1, lengths = { 4, 8 } },
         split { name = 'off', dtype = 'u8', shape = { 8, 6 }, parts = 3, axis = 1 } }\n")
write(include/lib/dims.lua "return { n = require('number') }\n")
write(include/number.lua "return param('n', 4)\n")
write(specs/-odd.lua "return split { name = 'odd', dtype = 'u8', shape = { 6 }, parts = 3 }\n")
write(models/net.onnxtxt [[
<ir_version: 10, opset_import: ["" : 18, "own" : 1]>
net (float[batch,12] x, int64[2] sizes) => (a, b, c)
{
  z = own.Same (x)
  ["one/Split"] a, rest = Split <axis = 1> (z, sizes)
  ["é??'/*x*/"] b, c, d = Split <axis = 1, num_outputs = 3> (rest)
}
]])
write(models/rules.lua "return { ['own.Same'] = function(node, inputs) return { inputs[1] } end }\n")

set(number 0)
list(JOIN all_kinds "," kinds) # for the first cases; after them these are enough:
set(few c,json)
# same_again(<arguments>...): generates the output again from each kind of comment, and from another folder.
function(same_again arguments)
    math(EXPR number "${number} + 1")
    set(number ${number} PARENT_SCOPE)
    run("mkdir made${number} moved${number} && splitgen ${arguments} --emit=${kinds} -o made${number}/k" 0)
    string(REGEX REPLACE "(^|[ =])(specs|include|models)" "\\1'${WORK}'/./\\2" elsewhere "${arguments}")
    run("cd / && splitgen ${elsewhere} --emit=${kinds} -o '${WORK}/moved${number}/k' && cd '${WORK}' && diff -r made${number} moved${number}" 0)
    run("'${BASH}' '${again}' made${number}/k.c ${kinds} again${number} specs include models && \
diff -r made${number} again${number}/to" 0)
    return(PROPAGATE COMMAND EXIT OUT ERR)
endfunction()
# command_is(<arguments> <command>): the output names this command.
function(command_is arguments command)
    run("splitgen ${arguments} | sed -n 's/^ \\* Command: //p'" 0)
    expect_same("the command of ${arguments}" "${OUT}" "${command}\n")
endfunction()

set(cut "specs/cut.lua -I include")
same_again("${cut}")
same_again("-D n=8 ${cut} --prefix=p_ --export-macro=API --section=.fast")
set(kinds ${few})
same_again("${cut} --optimize=size --non-temporal=auto --isa=all --unroll=full")
same_again("${cut} --no-memcpy --unroll=none --only 'c?t' --only='o*'")
same_again("${cut} --tune=zen5 --dispatch=static --non-temporal=never --isa=avx2")
same_again("- < specs/-odd.lua")
same_again("specs/-odd.lua -e 'x: u8[4,6] @1 -> a:2,  b:*' ${cut} -e 'y: f32[6,2] -> /3'")
set(model "models/net.onnxtxt --value sizes=4,8 --shape-rules=models/rules.lua")
same_again("${model} -D batch=2 --skip-unread --fuse --skip=unresolved")
same_again("${model} --free batch=4 --except 'one*/?p*'")
same_again("${model} -D batch=2 --only 'é??'\\''/*x*/' --only '*/*' --only='???*'")
same_again("${model} --shape x=3,12")
run("mkdir shards; splitgen ${cut} --shards=2 --emit=c,h -o shards/k; grep -h Command shards/* | sort -u" 0)
expect_out("^ [*] Command: splitgen -I [.] --shards=2 cut.lua\n$")

# Every option that affects the text is used above.
file(READ "${CMAKE_CURRENT_LIST_FILE}" here)
file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/../../generator/driver/options.inc" rows REGEX "OPTION[(].*, (TEXT|FILE|FOLDER|INPUT), [A-Z]+,$")
list(LENGTH rows count)
if(count LESS 20)
    fail("only ${count} rows of options.inc shape the text")
endif()
foreach(row IN LISTS rows)
    string(REGEX MATCH "\"([a-z-]*)\", \"([A-Za-z]*)\"" name "${row}")
    set(option "--${CMAKE_MATCH_1}[= ]")
    if(CMAKE_MATCH_1 STREQUAL "")
        set(option "-${CMAKE_MATCH_2} ")
    endif()
    if(NOT here MATCHES "same_again[^\n]*${option}|set[(](cut|model) [^\n]*${option}|--shards=2")
        fail("no case gives ${option}")
    endif()
endforeach()

# One order and one spelling, without options that change no byte.
command_is("--isa=avx2,avx512,avx2 ${cut} -D n=4" "splitgen -D n=4 -I . --isa=avx512,avx2 cut.lua")
command_is("${cut} --prefix= --optimize=speed --unroll=auto --isa=all --tune=generic --dispatch=runtime --non-temporal=auto" "splitgen -I . cut.lua")
command_is("${cut} -D zz=1 --max-seconds=10 --max-memory=64 -Werror --color=never --depfile x.d --depfile-target=y -MP --diagnostics-format=text"
           "splitgen -I . cut.lua")

# The digests are those of sha256sum, including weights and everything that specs load.
file(COPY "${CMAKE_CURRENT_LIST_DIR}/../fuzz/corpus/onnx/split" DESTINATION "${WORK}/models/deep")
write(specs/loads.lua "return onnx.load('deep/split')\n")
run("splitgen -D N=3 -I models specs/loads.lua > loads.c; sed -n 's/^ \\* SHA-256: //p' loads.c > sums; cp -r models/deep specs && cd specs && sha256sum -c ../sums" 0)
expect_out("^loads.lua: OK\ndeep/split: OK\n$")

# --check names the files that differ, and no others.
run("splitgen ${cut} --emit=c,json -o k; splitgen ${cut} --emit=c,json --check k" 0)
expect_silence()
foreach(ending c json)
    run("splitgen ${cut} --check k.${ending} --isa=portable" 4)
    expect_err("is stale from line [24] on\n" "note: it was generated with other options or inputs; now: splitgen -I . --isa=portable cut.lua\n$")
    run("sed 's/splitgen [0-9.]*[0-9]/splitgen 0.0.1/' k.${ending} > old.${ending}; splitgen ${cut} --check old.${ending}" 4)
    expect_err("note: it was generated by another version; this is splitgen [0-9.]+\n$")
    run("echo >> include/number.lua; splitgen ${cut} --check k.${ending}" 4)
    expect_err("\\^~*\nsplitgen: note: it was generated from another 'number.lua'; its SHA-256 is now [0-9a-f]+\n$")
    run("splitgen ${cut} --emit=c,json -o k; echo >> k.${ending}; splitgen ${cut} --check k.${ending}; splitgen ${cut} -o old.c; : > old.c; splitgen ${cut} --check old.c" 4)
    if("${ERR}" MATCHES "note")
        fail("notes on what does not differ")
    endif()
    run("splitgen ${cut} --emit=c,json -o k" 0)
endforeach()
