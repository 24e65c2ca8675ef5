# The output for concats and for padded rows: text, metrics, JSON, headers and pictures.
include("${CMAKE_CURRENT_LIST_DIR}/cli.cmake")
write(two.lua [[
return {
  concat { name = "joined", dtype = "f32", shape = { 64, 96 }, axis = 1, lengths = { 32, 64 }, inputs = { "a", "b" } },
  split { name = "apart", dtype = "f32", shape = { 64, 96 }, axis = 1, row_stride = 128, lengths = { 32, 64 },
          outputs = { { name = "a", row_stride = 40 }, "b" } },
}
]])
function(expect_json value)
    string(JSON is GET "${OUT}" ${ARGN})
    expect_same("${ARGN}" "${is}" "${value}")
endfunction()
function(expect_none)
    string(JSON is ERROR_VARIABLE error GET "${OUT}" ${ARGN})
    if(NOT error)
        fail("${ARGN} is there: ${is}")
    endif()
endfunction()

run("splitgen two.lua --list" 0)
expect_out("^joined: f32.64,96. axis 1 <- a:32 .strided view or copy., b:64 .strided view or copy.\n"
           "\napart: f32.64,96./128 axis 1 -> a:32/40 .strided view or copy., b:64 .strided view or copy.\n")
run("splitgen two.lua --list --format=json" 0)
expect_none(ops 0 row_stride)
expect_json(128 ops 1 row_stride)
expect_json(40 ops 1 row_strides 0)
expect_json(64 ops 1 row_strides 1)

# Text: which tensors are read and written.
run("splitgen two.lua --explain --only joined" 0)
expect_out("view: strided, from byte 128 of the output, strides .96,1. elements" "a writer that takes strides"
           "the kernel writes 24576 bytes; the output has 24576\n")
if(OUT MATCHES "reader|of the input|outputs")
    fail("a concat is described as a split:\n${OUT}")
endif()
run("splitgen two.lua --explain --only apart" 0)
expect_out("a .64,32., 10208 bytes, rows 40 elements apart\n" "b .64,64., 16384 bytes\n" "of the input, strides .128,1. elements"
           "a reader that takes strides" "the input has 32640, rows 128 elements apart\n")
run("splitgen --explain -e 'u8[4] <- all:4; u8[4] <- a:1 b:3'" 0)
expect_out("write it there, without a kernel" "the input is the whole output" "one contiguous run per input")
run("splitgen --explain --views=constants -e 'u8[4] <- a:1 b:3'" 0)
expect_out("copy: none, it is written as a view")
run("splitgen -e 'one: u8[4] <- a:1 b:3' --views=constants" 0)
expect_out("every input is written as a view")
run("splitgen -e 'one: u8[0,4] @1 <- a:1 b:3'" 0)
expect_out("no input has a byte to copy")
# A part that shares bytes with others when written is not a view; when read it is.
run("splitgen --explain -e 'n: u4[2,7] @1 <- a:2 b:3 c:2; m: u4[9] -> a:3 b:6; o: u4[9] <- a:3 b:6'" 0)
expect_out("\nm: [^\n]*\n  a [^\n]*\n    view: contiguous" "\no: [^\n]*\n  a [^\n]*\n    view: none, because it ends at bit 4 of byte 1")

# Metrics: bytes read equal bytes written.
run("splitgen two.lua --report=json" 0)
expect_json(24576 kernels 0 read)
expect_json(24576 kernels 0 written)
run("splitgen -e 'hole: u8[64,4] @1 <- a:1 _:1 b:2' --report=text" 0)
expect_out("reads 192 bytes, writes 192 bytes")

# JSON: each direction has its own fields.
run("splitgen two.lua --emit=json -o -" 0)
expect_json(concat kernels 0 op)
expect_json(data kernels 0 output name)
expect_json(24576 kernels 0 output bytes)
expect_json(24576 kernels 0 output span) # an older name
expect_json(128 kernels 0 inputs 1 byte_offset)
expect_json(64 kernels 0 inputs 1 length)
expect_none(kernels 0 input)
expect_none(kernels 0 outputs)
expect_json(split kernels 1 op)
expect_json(128 kernels 1 input row_stride)
expect_json(32640 kernels 1 input span)
expect_json(32640 kernels 1 input bytes) # 63 rows of 512 bytes and one of 384
expect_json(40 kernels 1 outputs 0 tensor_row_stride)
expect_json(10208 kernels 1 outputs 0 span)
expect_json(10208 kernels 1 outputs 0 bytes) # 63 rows of 160 bytes and one of 128
expect_json(128 kernels 1 outputs 0 row_stride) # of the view
expect_none(kernels 1 inputs)

# The header, of one direction and of both.
run("splitgen two.lua --emit=h -o -" 0)
expect_out("Kernels that split and concatenate tensors, and where each part lies in the full tensor" "Concatenates these parts into data, f32.64, 96., along axis 1"
           "for producers that write them in place" "#define JOINED_B_BYTE_OFFSET 128\n" "splitgen_join.&joined_kernel"
           "splitgen_run.&apart_kernel" "Padding( |\n \\* )between( |\n \\* )rows( |\n \\* )is( |\n \\* )never"
           "#define APART_DATA_ROW_STRIDE +128\n#define APART_DATA_SPAN +APART_DATA_BYTES\n" "#define APART_DATA_BYTES +32640\n" "#define APART_A_TENSOR_STRIDE +40\n#define APART_A_SPAN +APART_A_BYTES\n" "#define APART_A_BYTES +10208\n" "data holds 32640 bytes" "a  .64, 32. +10208 bytes")
if(OUT MATCHES "JOINED_[A-Z]+_(SPAN|TENSOR_STRIDE)|APART_B_SPAN")
    fail("dense tensors have constants of gaps")
endif()
run("splitgen two.lua --only joined" 0)
expect_out("Kernels that concatenate tensors[.]")
run("splitgen two.lua --only apart" 0)
expect_out("Kernels that split tensors[.]")
run("splitgen -e 'c: f32[n?,8]/9 @1 <- a:3 b:5' --emit=h -o -" 0)
expect_out("splitgen_join_n.&c_kernel" "C_DATA_ROW_STRIDE +9\n" "C_DATA_BYTES.n. +..size_t..n. > 0 . .size_t..n. . 36 - 4 : 0.\n"
           "C_A_BYTES.n. +..size_t..n. . 12.\n" "data holds 36 bytes per item, but 32( |\n \* )for( |\n \* )the( |\n \* )last")
if(OUT MATCHES "_SPAN")
    fail("how many bytes an open number of rows takes is no constant")
endif()

# Pictures: a concat is drawn as one, with padding between rows but not after the last.
run("splitgen -e 'rgb: u8[4,5,3] @2 <- r:1 _:1 b:1' -o p.svg" 0)
file(READ "${WORK}/p.svg" OUT)
expect_out("<title>Where each input of rgb lies in the output</title>" "data.:, :, 0:1. = r .4, 5, 1." "not written: bytes 1 to 1")
run("splitgen -e 'g: u8[3,4]/6 @1 -> r:1 b:3' -o p.svg" 0)
file(READ "${WORK}/p.svg" OUT)
expect_out("3 rows of 4 bytes, 6 apart" "<title>padding: bytes 4 to 5</title>" "<title>padding: bytes 10 to 11</title>"
           "padding: never copied")
if(OUT MATCHES "padding: bytes 16")
    fail("there is nothing behind the last row")
endif()
run("splitgen two.lua -o p.svg" 0)
file(READ "${WORK}/p.svg" OUT)
expect_out("<title>Where the parts of 1 Split and 1 Concat lie</title>")
run("splitgen -e 'a: u8[2,4] @1 <- x:1 z:3; b: u8[2,4]/5 @1 <- x:1 z:3; c: u8[2,4] @1 -> x:1 z:3; d: u8[2,4] @1 <- x:1 z:3' -o p.svg" 0)
file(READ "${WORK}/p.svg" OUT)
expect_out("a and 1" ">b: u8" ">c: u8") # b has gaps, and c is a split: they do not share a's picture
