# Every identifier of the C and POSIX headers of this machine, and every built-in library function of its gcc, as the
# name of a kernel and of an output: the names that splitgen accepts must compile without warnings in every kind of
# output. The refused names are in generator/split/names.inc; an error here shows which ones are missing there.
# Variables: SPLITGEN SOURCE_DIR WORK CC CXX. With EXHAUSTIVE each name is tested as a kernel and as an output, in C and
# in C++, by an older and a newer standard. Without it, a thousand are kernels in C, the next thousand outputs in C++,
# and so on, and the other kinds of files use the first thousand each.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
set(headers
    alloca assert complex ctype dirent dlfcn errno fcntl fenv float fnmatch ftw glob grp iconv inttypes
    iso646 langinfo libgen limits locale math monetary netdb poll pthread pwd regex sched search semaphore
    setjmp signal spawn stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string
    strings sys/mman sys/resource sys/select sys/socket sys/stat sys/time sys/types sys/uio sys/wait syslog
    termios tgmath threads time uchar unistd utime wchar wctype wordexp)

# The words, one per line. Names that begin with '_' or contain "__" are refused by a rule, not by the list.
file(WRITE "${WORK}/words.sh" [[
for h in $HEADERS; do
    printf '#if __has_include(<%s.h>)\n#include <%s.h>\n#endif\n' "$h" "$h"
done > headers.h
{
    "$CC" -x c -std=gnu99 -D_GNU_SOURCE -E -dD headers.h
    "$CC" -x c -std=gnu99 -E -dD headers.h
} | sed 's/"[^"]*"//g; /^# /d' | grep -oE '\b[A-Za-z][A-Za-z0-9_]*' > words.all
strings -a "$("$CC" -print-prog-name=cc1)" 2>/dev/null | grep -oE '__builtin_[A-Za-z][A-Za-z0-9_]*' |
    sed 's/__builtin_//' | grep -vE '^(ia32|arm|aarch64|neon|nvptx|cpu)_' >> words.all
grep -v __ words.all | sort -u > words
]])
list(JOIN headers " " headers)
set(ENV{HEADERS} "${headers}")
set(ENV{CC} "${CC}")
execute_process(COMMAND sh words.sh WORKING_DIRECTORY "${WORK}")
file(STRINGS "${WORK}/words" words)
list(LENGTH words count)
if(count LESS 1000)
    message("SKIPPED: only ${count} identifiers found in the headers of ${CC}")
    return()
endif()

# The accepted kernel names: splitgen reports each refused one. Listed names are excluded from the start (cli.name_rules
# tests them), because a run reports few errors; kernels may have the names that are reserved only on Windows.
file(READ "${SOURCE_DIR}/generator/split/names.inc" listed)
string(REGEX REPLACE "WIN\\(\"[^)]*[)]" "" listed "${listed}")
string(REGEX MATCHALL "\\(\"[A-Za-z0-9_]+\"" listed "${listed}")
list(TRANSFORM listed REPLACE "[(\"]" "")
function(write_spec words outputs)
    set(text "local list = { 'zz_wide: f32[4096,3] @1 -> 1 2', 'zz_bits: u4[7,5] @1 -> 2 3' }\n")
    string(APPEND text "for word in ([[${words}]]):gmatch '%S+' do\n")
    if(outputs)
        string(APPEND text "  list[#list + 1] = 'zz_' .. #list .. ': f32[2,2] @1 -> ' .. word .. ':1 zz_rest:1'\n")
    else()
        string(APPEND text "  list[#list + 1] = word .. ': f32[2,2] @1 -> 1 1'\n")
    endif()
    string(APPEND text "end\nfor i, op in ipairs(list) do list[i] = split(op) end\nreturn list\n")
    file(WRITE "${WORK}/k.lua" "${text}")
endfunction()

function(try words outputs)
    if(NOT outputs)
        list(REMOVE_ITEM words ${listed})
    endif()
    set(refused again)
    while(refused)
        list(JOIN words " " text)
        write_spec("${text}" ${outputs})
        execute_process(COMMAND "${SPLITGEN}" k.lua --list WORKING_DIRECTORY "${WORK}" OUTPUT_QUIET
                        ERROR_VARIABLE errors)
        string(REGEX MATCHALL "kernel name '[A-Za-z0-9_]+'" refused "${errors}")
        list(TRANSFORM refused REPLACE "kernel name '([A-Za-z0-9_]+)'" "\\1")
        if(refused)
            list(REMOVE_ITEM words ${refused})
        endif()
    endwhile()
    set(files k.c k_test.c k_bench.c)
    set(kinds c,h,test,bench)
    if(NOT EXHAUSTIVE AND first GREATER 1000)
        set(files k.c)
        set(kinds c)
    endif()
    execute_process(COMMAND "${SPLITGEN}" k.lua --emit=${kinds} -o k.c WORKING_DIRECTORY "${WORK}"
                    RESULT_VARIABLE result ERROR_VARIABLE errors)
    if(NOT result EQUAL 0)
        string(SUBSTRING "${errors}" 0 2000 errors)
        message(FATAL_ERROR "splitgen: ${result}\n${errors}")
    endif()
    set(flags -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wcast-qual -Wcast-align -Wshadow
              -Wundef -Werror "-I${SOURCE_DIR}/include" -fsyntax-only)
    if(EXHAUSTIVE)
        set(ways c;c99 c++;gnu++17 c;gnu11 c++;c++11)
    elseif(outputs)
        set(ways c++;gnu++17)
    else()
        set(ways c;c99)
    endif()
    while(ways)
        list(POP_FRONT ways language standard)
        set(compiler "${CC}")
        if(language STREQUAL "c++")
            set(compiler "${CXX}")
        endif()
        set(way "${compiler}" -x ${language} "-std=${standard}")
        foreach(file IN LISTS files)
            execute_process(COMMAND ${way} ${flags} ${file} WORKING_DIRECTORY "${WORK}"
                            RESULT_VARIABLE result ERROR_VARIABLE errors)
            if(NOT result EQUAL 0)
                string(SUBSTRING "${errors}" 0 3000 errors)
                message(FATAL_ERROR "${way}: ${file}: a name is missing in names.inc\n${errors}")
            endif()
        endforeach()
    endwhile()
endfunction()

set(first 0)
set(outputs OFF)
while(first LESS count)
    list(SUBLIST words ${first} 1000 some)
    if(EXHAUSTIVE)
        try("${some}" FALSE)
        try("${some}" TRUE)
    else()
        try("${some}" ${outputs})
        if(outputs)
            set(outputs OFF)
        else()
            set(outputs ON)
        endif()
    endif()
    math(EXPR first "${first} + 1000")
endwhile()
message(STATUS "${count} identifiers")
