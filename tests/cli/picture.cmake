# The contents of --emit=svg: open dimensions, unwanted parts, large numbers, many parts, many Splits.
include("${CMAKE_CURRENT_LIST_DIR}/cli.cmake")

# picture(<arguments>) sets SVG, WIDTH and HEIGHT; no-break spaces in numbers become '~'.
function(picture arguments)
    run("rm -f p.svg; splitgen ${arguments} -o p.svg" 0)
    expect_silence()
    file(READ "${WORK}/p.svg" SVG)
    string(ASCII 194 160 space)
    string(REPLACE "${space}" "~" SVG "${SVG}")
    string(REGEX MATCH "^<svg [^>]* width=\"([0-9]+)\" height=\"([0-9]+)\" [^>]*role=\"img\">\n  <title>[^<]+</title>" head "${SVG}")
    if(NOT head)
        fail("the picture has no role and title:\n${SVG}")
    endif()
    set(WIDTH "${CMAKE_MATCH_1}")
    set(HEIGHT "${CMAKE_MATCH_2}")
    return(PROPAGATE COMMAND EXIT OUT ERR SVG WIDTH HEIGHT)
endfunction()

# shows(<text>...), shows_not(<text>...): literal texts.
function(shows)
    foreach(text IN LISTS ARGN)
        string(FIND "${SVG}" "${text}" place)
        if(place EQUAL -1)
            fail("the picture lacks '${text}':\n${SVG}")
        endif()
    endforeach()
endfunction()
function(shows_not)
    foreach(text IN LISTS ARGN)
        string(FIND "${SVG}" "${text}" place)
        if(NOT place EQUAL -1)
            fail("the picture has '${text}':\n${SVG}")
        endif()
    endforeach()
endfunction()

# times(<count> <regex>)
function(times count regex)
    string(REGEX MATCHALL "${regex}" found "${SVG}")
    list(LENGTH found is)
    expect_same("the number of ${regex}" "${is}" "${count}")
endfunction()

# With an open dimension, numbers refer to one item, for any position of the dimension and any packing.
picture("-e 'q: f32[batch?,12] @1 -> a:4 _:2 b:6'")
shows("1 row of 48 bytes for each item of batch" "a [batch, 4] = data[:, 0:4], 16 bytes for each item, "
      "2 elements for each item, from byte 16 of a row on" ": bytes 24 to 47 for each item<")
picture("-e 'q: u4[1,t?,8,3] @3 -> a:1 _:2'")
shows("8 rows of 3 elements for each item of t" "... 2 more rows for each item" "16 elements for each item, from element 1 of a row on")
picture("-e 'q: u4[t?,8] @1 -> a:2 _:6'")
shows("of 4 bytes for each item of t" "from byte 1 of a row on")
picture("-e 'q: f32[2,12] @1 -> a:4 b:8'")
shows_not("each item")

# Digits are grouped in threes from five digits on, in shapes, column ranges, bytes and offsets.
picture("-e 'q: f32[1234567,20000] @1 -> a:9999 _:1 b:10000'")
shows("f32[1~234~567, 20~000] along" "1~234~567 rows of 80~000 bytes" "b [1~234~567, 10~000] = data[:, 10~000:20~000], 49~382~680~000 bytes, strided at byte 40~000"
      "data[:, 0:9999]" "1~234~567 elements, from byte 39~996 of a row on" ">40~000</text>" "... 1~234~561 more rows" ": bytes 39~996 to 39~999<")
# Coordinates and colours are not grouped; the command in the comment is a shell's.
string(REGEX REPLACE "=\"[^\"]*\"|#[0-9a-f]+|<metadata>.*</metadata>" "" texts "${SVG}")
if(texts MATCHES "[0-9][0-9][0-9][0-9][0-9]")
    fail("a number is not grouped: ${CMAKE_MATCH_0}\n${texts}")
endif()
picture("-e 'x12345: f32[2,12] @1 -> y123456:4 z:8'")
shows("x12345: f32" "y123456 [2, 4]") # names are not grouped

# Forty parts have forty different fills, all of which are defined.
set(parts "")
foreach(i RANGE 1 40)
    string(APPEND parts " p${i}:3")
endforeach()
picture("-e 'q: f32[2,120] @1 ->${parts}'")
string(REGEX MATCHALL "<rect [^>]* fill=\"[^\"]*\"><title>p[0-9]+: " fills "${SVG}")
list(TRANSFORM fills REPLACE ".* fill=\"(.*)\"><title>.*" "\\1")
list(REMOVE_DUPLICATES fills)
list(LENGTH fills count)
expect_same("the number of fills" "${count}" "40")
foreach(fill IN LISTS fills)
    if(fill MATCHES "^url.#(.*).$")
        shows("<pattern id=\"${CMAKE_MATCH_1}\"")
    elseif(NOT fill MATCHES "^#[0-9a-f]+$")
        fail("'${fill}' is no fill")
    endif()
endforeach()

# A part whose name does not fit has its number instead, and the legend has both.
picture("-e 'q: f32[2,30] @1 -> brief:28 much_too_long_for_it:2'")
shows(">brief</text>" ">1</text>" ">1: much_too_long_for_it [2, 2] = data[:, 28:30], 16 bytes," ">brief [2, 28] =")
shows_not(">much_too_long_for_it</text>" "0: brief")

# Names have no places for line breaks, so a long one makes the picture wider.
string(REPEAT "n" 150 long)
picture("-e 'q: f32[2,30] @1 -> a:28 ${long}:2'")
if(WIDTH LESS 1350)
    fail("a name of 150 letters leaves the picture ${WIDTH} wide")
endif()

# Each part is drawn by itself: four rows at most, padding between them if there is any; but no views.
picture("-e 'q: f32[3,12] @1 -> a:4/6 b:4 c:view:4'")
shows("<title>a: 64 bytes</title>" "<title>b: 48 bytes</title>" ">Outputs: a box for each row, in the order of memory; hatched: ")
shows_not("<title>c: 48 bytes</title>")
times(2 "url.#p_between.\"/>") # between three rows of a; nowhere in the whole, nor in b
picture("-e 'q: f32[9,12] @1 <- a:4 b:8'")
shows(">Inputs: a box for each row, in the order of memory<" "data[:, 0:4] = a [9, 4], 144 bytes")
times(20 "<rect [^>]*class=\"c[0-9]\" [^>]*>") # six rows of the whole, four of each part
picture("-e 'q: f32[9,9,3] @2 <- a:1/12/1 b:2'") # a has padding after every nine rows, which comes after the dots
shows("...</text>\n  <g class=\"edge\" stroke=\"#4c535b\"><rect x=")
times(1 "url.#p_between.\"/>")
picture("-e 'q: u8[9/40,9,3] @2 <- a:1 b:2'")
shows("after every 9 rows: 13 bytes of padding, never copied")
picture("-e 'q: u8[9,3] @1 <- a:1/3 b:2/5'") # also after the fourth row, which is not the last one
times(8 "url.#p_between.\"/>")

# Many parts: the first and the last, as wide as a few.
set(parts "")
foreach(i RANGE 1 4096)
    string(APPEND parts " p${i}:2")
endforeach()
picture("-e 'q: u8[3,8192] @1 ->${parts}'")
shows(">... 4072 parts</text>" ">... 4072 more parts: p21 to p4092</text>" ">p20 [3, 2] = " ">4095: p4096 [3, 2] = ")
string(LENGTH "${SVG}" length)
if(WIDTH GREATER 1000 OR HEIGHT GREATER 1000 OR length GREATER 150000)
    fail("4096 parts take ${WIDTH} by ${HEIGHT} pixels and ${length} bytes")
endif()

# Dark themes have colours of their own for everything that has one.
picture("-e 'q: f32[2,12] @1 -> a:4 _:2 b:6'")
shows("<rect class=\"paper\" width=\"100%\" height=\"100%\" fill=\"white\"/>" "@media (prefers-color-scheme: dark) {")
string(REGEX MATCHALL "(fill|stroke)=\"#[0-9a-f]+\"" colored "${SVG}")
string(REGEX MATCHALL "class=\"(c[0-9]|grey|edge|line|offset)\" (fill|stroke)=\"#[0-9a-f]+\"" themed "${SVG}")
list(LENGTH colored count)
list(LENGTH themed themed)
expect_same("shapes with colours for both themes" "${themed}" "${count}")

# A tensor of a model has the same colour in the Split that makes it and in the Concat that reads it, and no other tensor
# has it, in a picture of it as a whole either.
write(chain.onnxtxt "<ir_version: 8, opset_import: [\"\" : 13]>
g (float[4,12] x, float[4,6] y) => (j, e)
<int64[2] l = {4, 8}, int64[2] m = {2, 6}>
{
  [\"S\"] a, b = Split <axis=1> (x, l)
  [\"T\"] c, d = Split <axis=1> (b, m)
  e = Neg (c)
  [\"J\"] j = Concat <axis=1> (y, a, d)
}
")
picture("--ops=all chain.onnxtxt")
set(known "")
foreach(name a b c d y)
    string(REGEX MATCHALL "fill=\"[^\"]*\"><title>${name}: bytes" fills "${SVG}")
    list(REMOVE_DUPLICATES fills)
    list(LENGTH fills count)
    expect_same("the number of colours of ${name}" "${count}" "1")
    string(REGEX MATCH "\"[^\"]*\"" fill "${fills}")
    if(name STREQUAL b)
        shows("fill=${fill}><title>b</title>" "The strip at the left: data is a part in another picture")
    endif()
    list(APPEND known "${fill}")
endforeach()
list(SUBLIST known 0 4 known) # c and y are in one picture each
list(REMOVE_DUPLICATES known)
list(LENGTH known count)
expect_same("the number of colours of a, b, c and d" "${count}" "4")

# model(<name> <Split>...): each "rows:length,length".
function(model name)
    set(inputs "")
    set(outputs "")
    set(lengths "")
    set(nodes "")
    set(i 0)
    foreach(split IN LISTS ARGN)
        string(REGEX MATCH "^([0-9]+):([0-9]+),([0-9]+)$" split "${split}")
        math(EXPR columns "${CMAKE_MATCH_2} + ${CMAKE_MATCH_3}")
        list(APPEND inputs "float[${CMAKE_MATCH_1},${columns}] x${i}")
        list(APPEND outputs "float[${CMAKE_MATCH_1},${CMAKE_MATCH_2}] a${i}" "float[${CMAKE_MATCH_1},${CMAKE_MATCH_3}] b${i}")
        list(APPEND lengths "int64[2] l${i} = {${CMAKE_MATCH_2}, ${CMAKE_MATCH_3}}")
        string(APPEND nodes "  a${i}, b${i} = Split <axis=1> (x${i}, l${i})\n")
        math(EXPR i "${i} + 1")
    endforeach()
    foreach(list inputs outputs lengths)
        list(JOIN ${list} ", " ${list})
    endforeach()
    write("${name}" "<ir_version: 8, opset_import: [\"\" : 13]>\ng (${inputs}) => (${outputs})\n<${lengths}>\n{\n${nodes}}\n")
endfunction()

# Equal Splits of a model share one picture, which counts them and lists their names.
model(equal.onnxtxt 4:8,8 4:8,8 4:8,9 4:8,8 5:8,9)
picture("equal.onnxtxt")
shows("<title>Where the outputs of 5 Splits lie in their inputs</title>" "<title>a0, a1, a3</title>a0 and 2 equal ones: f32" ">a2: f32" ">a4: f32")
times(3 "<g transform=")
# Splits of a spec share it only with the same names; the element type, the axis and unwanted parts must be equal.
picture("-e 'a: f32[2,6] @1 -> x:2 y:4' -e 'b: f32[2,6] @1 -> x:2 y:4' -e 'c: f32[2,6] @1 -> x:2 z:4' -e 'd: i32[2,6] @1 -> x:2 y:4'")
shows(">a and 1 equal one: f32" ">c: f32" ">d: i32")
picture("-e 'a: f32[6,6] @1 -> x:2 y:4' -e 'b: f32[6,6] @0 -> x:2 y:4' -e 'c: f32[6,6] @1 -> x:2 _:4' -e 'd: f32[n?,6] @1 -> x:2 y:4' -e 'e: f32[m?,6] @1 -> x:2 y:4'")
times(5 "<g transform=")
# The size of the page depends on its pictures, not on the number of Splits.
set(splits "")
foreach(i RANGE 1 30)
    list(APPEND splits "4:8,8")
endforeach()
model(same.onnxtxt ${splits})
picture("same.onnxtxt")
shows("a0 and 29 equal ones" "strided at byte 0")

# Thirty different ones fit on an A4 page, upright, in letters of at least 6 points.
set(splits "")
foreach(i RANGE 1 30)
    list(APPEND splits "${i}:${i},8")
endforeach()
model(thirty.onnxtxt ${splits})
picture("thirty.onnxtxt")
times(30 "<g transform=")
math(EXPR least "${WIDTH} * 1414 / 1000")
math(EXPR letters "13 * 595 * 10 / ${WIDTH}") # tenths of a point if the page is 595 wide
if(HEIGHT GREATER least OR letters LESS 60)
    fail("the page is ${WIDTH} by ${HEIGHT}; letters have ${letters} tenths of a point")
endif()
find_program(xmllint xmllint)
if(xmllint)
    run("'${xmllint}' --noout p.svg" 0)
endif()
