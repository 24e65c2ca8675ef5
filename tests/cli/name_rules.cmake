# Names: every reserved word as the name of a kernel and of its first output, alone and with a prefix, in every kind of
# output; maximum lengths of names; headers of the system.
include("${CMAKE_CURRENT_LIST_DIR}/cli.cmake")
set(generator "${CMAKE_CURRENT_LIST_DIR}/../../generator")

file(READ "${generator}/split/names.inc" table)
string(REGEX MATCHALL "\\(\"[A-Za-z0-9_]+\"" words "${table}")
list(TRANSFORM words REPLACE "[(\"]" "")
list(LENGTH words count)
if(count LESS 2000)
    message(FATAL_ERROR "only ${count} words found in names.inc")
endif()
# Kernels named like an output followed by '_', and outputs whose replacement name would collide with it.
list(JOIN words " " text)
write(words.lua "
local list, seen = {}, {}
for word in ([[a x in out data row first input outputs ${text}]]):gmatch '%S+' do
  local name = word .. '_'
  local posix = word:match '^aio_' or word:match '^mq_' or word:match '^posix_' or word:match '^pthread_'
                or word:match '^sched_' or word:match '^sem_' -- no name may begin so
  if not posix and not seen[name:upper()] then
    seen[name:upper()] = true
    list[#list + 1] = split { name = name, dtype = 'u8', shape = { 6 }, lengths = { 2, 2, 2 },
                              outputs = { word, name, name .. 2 } }
  end
end
return list
")
list(JOIN all_kinds "," kinds)
foreach(how "--emit=${kinds}" "--emit=h --prefix=p_")
    run("splitgen words.lua ${how} -o out/" 0)
    expect_no_out()
    expect_err("output name 'while' is a keyword of C; in C it is 'while_3'")
endforeach()
run("splitgen -e 'a_: u8[4] @0 -> a_:2 b:2' --emit=h" 0)
expect_out("uint8_t \\*SPLITGEN_RESTRICT a_2,")

# Every reserved word itself: an output is renamed, a kernel is refused with a valid suggestion.
write(refused.lua "
local list = {}
for word in ([[${text}]]):gmatch '%S+' do
  list[#list + 1] = split { name = word, dtype = 'u8', shape = { 4 }, parts = 2, outputs = { word, 'b' } }
end
return list
")
run("splitgen refused.lua" 1)
string(REGEX MATCHALL "WIN\\(\"" parameters "${table}") # a kernel may have these names
list(LENGTH parameters count_parameters)
math(EXPR hidden "${count} - ${count_parameters} - 20")
expect_err("kernel name '[^']*' is a keyword of C; '[^']*_' would do" "${hidden} more errors not shown")
run("splitgen refused.lua --prefix=p_ --emit=c,h -o out/" 0)

# Lengths of names, wherever names are accepted, and messages that do not repeat long names.
foreach(spec
        "name = long" "dtype = long" "outputs = { long, 'b' }" "packing = long" "[long] = 1"
        "shape = { param(long, 4) }" "shape = { free(long, 4), 4 }, axis = 1")
    write(long.lua "local long = ('x'):rep(1e6)\nlocal op = { dtype = 'f32', shape = { 4 }, parts = 2 }
for key, value in pairs { ${spec} } do op[key] = value end\nreturn split(op)\n")
    run("splitgen long.lua 2>&1 | wc -c | tr -d ' '" 0)
    if(OUT GREATER 1000)
        fail("${spec}: a name is repeated")
    endif()
    run("splitgen long.lua" 1)
    expect_err("has (a name of )?1000000 bytes; names have at most 4000")
endforeach()
foreach(length 3999 4000 4001)
    string(REPEAT n ${length} name)
    set(code 0)
    if(length EQUAL 4001)
        set(code 1)
    endif()
    run("splitgen -e '${name}: u8[4] @0 -> 2 2'" ${code})
    run("splitgen -e 'k: u8[4] @0 -> ${name}:2 2'" ${code})
    string(SUBSTRING "${name}" 1 -1 name)
    run("splitgen -e 'k: u8[4] @0 -> 2 2' --prefix=${name}" ${code})
endforeach()
expect_err("the kernel's name has 4001 bytes with its prefix; names have at most 4000")

# Headers of the system: the default name changes, with a message; such a name is refused if it is requested.
file(STRINGS "${generator}/driver/system_headers.inc" rows REGEX "^H")
string(REGEX MATCHALL "\"[^\"]+\\.h\"" headers "${rows}")
list(TRANSFORM headers REPLACE "\"" "")
foreach(must string.h limits.h time.h features.h stdbit.h stdckdint.h immintrin.h endian.h libintl.h
             unistd.h arm_neon.h threads.h)
    if(NOT must IN_LIST headers)
        fail("${must} is missing in system_headers.inc")
    endif()
endforeach()
write(cut.lua "${SPEC}")
list(LENGTH headers count)
math(EXPR step "${count} / 40")
foreach(at RANGE 0 ${count} ${step})
    list(GET headers ${at} header)
    string(REGEX REPLACE "\\.h$" "" stem "${header}")
    run("cp cut.lua ${stem}.lua; splitgen ${stem}.lua --emit=c,h,test -o out_${stem}/ && ls out_${stem}" 0)
    expect_err("note: the header is called '${stem}_splits.h': '${header}' is one of the system's")
    expect_same("files" "${OUT}" "${stem}.c\n${stem}_splits.h\n${stem}_test.c\n")
    run("grep -c '#include \"${stem}_splits.h\"' out_${stem}/${stem}_test.c" 0)
    run("splitgen cut.lua --header inc/${header}" 2)
    expect_err("error: '${header}' is a header of the system.*as in '${stem}_splits.h'")
    run("splitgen cut.lua -o ${header}" 2)
endforeach()
run("splitgen cut.lua --emit=c,h -o string" 0)
expect_err("the header is called 'string_splits.h'")
run("cp cut.lua string.lua; splitgen string.lua -o string.c" 0)
expect_silence()
run("splitgen cut.lua --header STRING.H" 2)
run("splitgen cut.lua --header vector" 2)
run("splitgen string.lua -o string.c --header mine.h" 0)
expect_silence()
