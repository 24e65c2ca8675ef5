# Dependency files: which files they name, how they are escaped, and that make and ninja agree.
include("${CMAKE_CURRENT_LIST_DIR}/cli.cmake")
write(cut.lua "${SPEC}")
write(parts/sizes.lua "return { 2, 4 }\n")
write("my specs/two words.lua" "local s = require 'common'\nreturn split {
  name = 'cut', dtype = 'f32', shape = { 6 }, lengths = require 'sizes', outputs = s }\n")
write("my specs/common.lua" "return { 'a', 'b' }\n")

run("splitgen cut.lua -o k.c --depfile k.d" 0)
expect_silence()
expect_file(k.d "k.c: \\\n  cut.lua\n")
run("splitgen cut.lua -o ./k.c --depfile=k.d --depfile-target 'a b$c#d'" 0)
expect_file(k.d "a\\ b$$c\\#d: \\\n  cut.lua\n")
run("splitgen cut.lua --depfile k.d" 2)
expect_no_out()
expect_err("'--depfile' needs '-o' or '--depfile-target'")
run("splitgen cut.lua --depfile k.d --depfile-target k.c > k2.c" 0)
expect_file(k.d "k.c: \\\n  cut.lua\n")
run("splitgen cut.lua --emit=c,h -o g/ --header i.h --depfile k.d" 0)
expect_file(k.d "g/cut.c i.h: \\\n  cut.lua\n")
run("splitgen -e 'f32[4] -> /2' -o k.c --depfile k.d" 0)
expect_file(k.d "k.c:\n")
run("splitgen - -o k.c --depfile k.d < cut.lua" 0)
expect_file(k.d "k.c:\n")

# Every file read through require is named once, with blanks escaped.
run("splitgen 'my specs/two words.lua' 'my specs/two words.lua' --list -I parts" 2)
run("splitgen 'my specs/two words.lua' -I parts -o k.c --depfile k.d -MP" 0)
file(READ "${WORK}/k.d" text)
foreach(name "my\\\\ specs/two\\\\ words.lua" "my\\\\ specs/common.lua" "parts/sizes.lua")
    if(NOT "${text}" MATCHES " \\\\\n  ${name}" OR NOT "${text}" MATCHES "\n\n${name}:\n")
        fail("the dependency file lacks ${name}:\n${text}")
    endif()
endforeach()
expect_same("the beginning" "${text}" "k.c: \\
  my\\ specs/two\\ words.lua \\
  my\\ specs/common.lua \\
  parts/sizes.lua

my\\ specs/two\\ words.lua:

my\\ specs/common.lua:

parts/sizes.lua:
")

# --list and --check write no dependency file.
run("rm k.d; splitgen cut.lua -o k.c --depfile k.d --list" 2)
run("splitgen cut.lua -o k.c; rm -f k.d; splitgen cut.lua --check k.c --depfile k.d" 0)
if(EXISTS "${WORK}/k.d")
    fail("a dependency file was written")
endif()

# A name that cannot be escaped for both make and ninja is refused. (CMake cannot write all these names itself.)
foreach(name "a;b" "a|b" "a:" "a\\" "a\\:b" "a\\#b" "a'\"'\"'b" "a\"b" "a&b" "a*b" "a<b" "a>b" "a?b" "a^b" "a`b" "a\tb")
    run("rm -f k.d; mkdir -p odd; cp cut.lua 'odd/${name}'; splitgen 'odd/${name}' -o k.c --depfile k.d" 3)
    expect_err("a dependency file cannot name 'odd/")
    run("splitgen cut.lua -o k.c --depfile k.d --depfile-target '${name}'" 3)
    expect_err("make and ninja agree on no spelling of a ")
    if(EXISTS "${WORK}/k.d")
        fail("a dependency file was written")
    endif()
endforeach()

# Every other name: both tools do nothing without a change, and rebuild after one.
find_program(make make)
find_program(ninja NAMES ninja ninja-build)
foreach(name "a:b.lua" "a#b.lua" "a:b:c.lua" "a b.lua" "a$b.lua" "a[b.lua" "a(b.lua" "~b.lua" "a\\b.lua"
             "a\\ b.lua" "##::.lua")
    run("rm -rf odd; mkdir odd; cd odd; cp ../cut.lua '${name}'; touch -d 2001-01-01 '${name}'" 0)
    set(generate "splitgen './${name}' -o k.c --depfile k.d -MP")
    write(odd/generate "${generate}\n")
    write(odd/Makefile "k.c:\n\t@echo made; sh ./generate; touch -d 2012-01-01 k.c\n-include k.d\n")
    write(odd/build.ninja
          "rule gen\n  command = sh ./generate; touch k.c\n  depfile = k.d\nbuild k.c: gen\n")
    if(make)
        run("cd odd; '${make}' -s; '${make}' -s; touch -d 2015-01-01 ./*.lua; '${make}' -s" 0)
        expect_same("make with ${name}" "${OUT}" "made\nmade\n")
    endif()
    if(ninja)
        run("cd odd; rm k.c; '${ninja}' && '${ninja}'" 0)
        expect_out("no work to do")
        run("cd odd; touch -d 2099-01-01 ./*.lua; '${ninja}'" 0)
        expect_out("sh ./generate")
    endif()
endforeach()
# The same for targets.
foreach(name "a:b.c" "a#b.c")
    string(REPLACE "#" "\\#" in_make "${name}")
    string(REPLACE ":" "\\:" in_make "${in_make}")
    string(REPLACE ":" "$:" in_ninja "${name}")
    run("rm -rf odd; mkdir odd; cd odd; cp ../cut.lua .; touch -d 2001-01-01 cut.lua" 0)
    write(odd/generate "splitgen cut.lua -o '${name}' --depfile k.d\n")
    write(odd/Makefile "all: ${in_make}
${in_make}:\n\t@echo made; sh ./generate; touch -d 2012-01-01 *.c\n-include k.d\n")
    write(odd/build.ninja
          "rule gen\n  command = sh ./generate; touch *.c\n  depfile = k.d\nbuild ${in_ninja}: gen\n")
    if(make)
        run("cd odd; '${make}' -s; '${make}' -s; touch -d 2015-01-01 cut.lua; '${make}' -s" 0)
        expect_same("make with ${name}" "${OUT}" "made\nmade\n")
    endif()
    if(ninja)
        run("cd odd; rm *.c; '${ninja}' && '${ninja}'" 0)
        expect_out("no work to do")
        run("cd odd; touch -d 2099-01-01 cut.lua; '${ninja}'" 0)
        expect_out("sh ./generate")
    endif()
endforeach()

if(make)
    write(Makefile "k.c: cut.lua
\t@echo made; splitgen 'my specs/two words.lua' -I parts -o k.c --depfile k.d -MP
-include k.d
")
    run("rm -f k.c; '${make}' -s" 0)
    expect_same("the first run" "${OUT}" "made\n")
    run("touch -d 2001-01-01 *.lua */*.lua; touch k.c; '${make}' -s" 0)
    expect_same("the second run" "${OUT}" "")
    run("touch -d 2099-01-01 'my specs/common.lua'; '${make}' -s" 0)
    expect_same("after a change" "${OUT}" "made\n")
    run("touch -d 2001-01-01 'my specs/common.lua'; '${make}' -s; rm parts/sizes.lua; '${make}' -s" 2)
    expect_err("sizes") # the tool reports the missing file, not make
endif()
if(ninja)
    write(parts/sizes.lua "return { 2, 4 }\n")
    write(build.ninja "rule gen
  command = splitgen 'my specs/two words.lua' -I parts -o $out --depfile $out.d
  depfile = $out.d
  restat = 1
build n.c: gen
")
    run("'${ninja}' && '${ninja}'" 0)
    expect_out("no work to do")
    run("touch -d 2099-01-01 parts/sizes.lua; '${ninja}'" 0)
    expect_out("splitgen")
endif()
