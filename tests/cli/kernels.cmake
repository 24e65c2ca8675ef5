# Corner cases of kernels: rows far apart, unwanted parts, unused functions and names of macros.
include("${CMAKE_CURRENT_LIST_DIR}/cli.cmake")

# Padding between rows costs no work, for every element type and direction.
foreach(type u1 u2 u3 u4 u5 u6)
    foreach(arrow "<-" "->")
        run("splitgen -e '${type}[2,15] @1 ${arrow} p0:7/1000000 p1:8' --emit=c" 0)
        run("splitgen -e '${type}[64,38]/1099511627778 @1 ${arrow} p0:3/1099511627778 p1:35' --emit=c" 0)
    endforeach()
endforeach()

# A packed kernel with nothing to copy has the same rows as one of bytes.
foreach(op "[5,16,8] @1 -> p0:0 _:16" "[16,8] @0 -> p0:0 _:16" "[5,15] @1 <- p0:0 _:15" "[n?,16,8] @1 -> p0:0 _:16")
    run("splitgen -e 'u8${op}' --emit=json | grep -m1 '\"rows\"'" 0)
    set(rows "${OUT}")
    run("splitgen -e 'u4${op}' --emit=json | grep -m1 '\"rows\"'" 0)
    if(NOT OUT STREQUAL rows)
        fail("u4${op}: ${OUT}, of bytes ${rows}")
    endif()
endforeach()

# Unused functions are not printed.
foreach(op "u8[65539] @0 <- p0:65536 p1:3" "u8[265604] @0 <- p0:100000 p1:1 p2:64 p3:100000 p4:65539")
    run("splitgen -e '${op}' --non-temporal=always --emit=c > k.c" 0)
    file(READ "${WORK}/k.c" text)
    string(REGEX MATCHALL "split_avx[0-9]+[a-z_]*[(,]" names "${text}")
    list(TRANSFORM names REPLACE "[(,]" "")
    set(unique ${names})
    list(REMOVE_DUPLICATES unique)
    foreach(name IN LISTS unique)
        set(same ${names})
        list(FILTER same INCLUDE REGEX "^${name}$")
        list(LENGTH same count)
        if(count LESS 2)
            fail("${op}: nobody calls ${name}()")
        endif()
    endforeach()
endforeach()

# Parameters are not named like macros of <windows.h>.
foreach(name "small" hyper near far interface min max cdecl pascal OUT CONST VOID ERROR DELETE I)
    run("splitgen -e 'u8[4] @0 -> ${name}:2 b:2' --emit=h" 0)
    expect_err("output name '${name}' is a macro|output name '${name}' is a name of compilers")
endforeach()
