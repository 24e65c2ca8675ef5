# Many outputs and many kernels: the output grows linearly, and no budget is exceeded.
include("${CMAKE_CURRENT_LIST_DIR}/cli.cmake")
write(many.lua "local list = {}
for i = 1, 2000 do list[i] = split('k' .. i .. ': f32[2,' .. 3 + i % 50 .. '] @1 -> 1 *') end
return list
")
foreach(kind IN LISTS all_kinds)
    run("splitgen -e 'k: f32[4,6000] @1 -> /6000' --emit=${kind} | wc -l" 0)
    expect_no_err()
endforeach()
list(JOIN all_kinds "," kinds)
run("splitgen many.lua --emit=${kinds} -o out/" 0)
expect_no_err()
run("splitgen -e 'k: f32[4,16384] @1 -> /16384' --emit=h | wc -l" 0)
expect_no_err()
# A Split of many outputs in a model.
set(names "")
foreach(i RANGE 1 20000)
    string(APPEND names ",a${i}")
endforeach()
write(wide.onnxtxt "<ir_version: 10, opset_import: [\"\" : 18]>
net (float[4,20001] x) => (a0)
{
  [\"wide\"] a0${names} = Split <axis = 1, num_outputs = 20001> (x)
}
")
run("splitgen wide.onnxtxt --dump=op | wc -l" 0)
expect_no_err()
# One output more than straight-line code can have: the message explains the limit in the user's words.
run("splitgen -e 'k: f32[4,16385] @1 -> /16385' --emit=h" 5)
expect_err("'k' needs 16385 copies in straight line, more than the cap of 16384")
