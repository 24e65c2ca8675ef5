"""The output for concats and for padded rows: text, metrics, JSON, headers and pictures."""
from testing import regex, without, without_match

TWO = """return {
  concat { name = "joined", dtype = "f32", shape = { 64, 96 }, axis = 1, lengths = { 32, 64 }, inputs = { "a", "b" } },
  split { name = "apart", dtype = "f32", shape = { 64, 96 }, axis = 1, row_stride = 128, lengths = { 32, 64 },
          outputs = { { name = "a", row_stride = 40 }, "b" } },
}
"""


def test_the_output_for_concats_and_for_padded_rows(work):
    """Text, metrics, JSON, headers and pictures."""
    work.write("two.lua", TWO)
    work.splitgen("two.lua --list", out=[regex(
            r"^joined: f32.64,96.     axis 1 <- a:32, b:64     strided\n"),
            "\napart:  f32[64,96]/128 axis 1 -> a:32/40, b:64  strided\n"])
    got = work.splitgen("two.lua --list --format=json")
    assert "row_stride" not in got.json["ops"][0]
    got.holds({"ops 1 row_stride": 128, "ops 1 row_strides 0": 40, "ops 1 row_strides 1": 64})


def test_text_which_tensors_are_read_and_written(work):
    work.write("two.lua", TWO)
    work.splitgen("two.lua --explain --only joined", out=[
            "view: strided, from byte 128 of the output, strides [96,1] elements", "a writer that takes strides",
            "the kernel writes 24576 bytes; the output has 24576\n", without_match(r"reader|of the input|outputs")])
    work.splitgen("two.lua --explain --only apart", out=["a [64,32], 10208 bytes, rows 40 elements apart\n",
                                                         "b [64,64], 16384 bytes\n",
                                                         "of the input, strides [128,1] elements",
                                                         "a reader that takes strides",
                                                         "the input has 32640, rows 128 elements apart\n"])
    work.splitgen("--explain -e 'u8[4] <- all:4; u8[4] <- a:1 b:3'", out=["write it there, without a kernel",
            "the input is the whole output", "one contiguous run per input"])
    work.splitgen("--explain --views=constants -e 'u8[4] <- a:1 b:3'", out="copy: none, it is written as a view")
    work.splitgen("-e 'one: u8[4] <- a:1 b:3' --views=constants", out="every input is written as a view")
    work.splitgen("-e 'one: u8[0,4] @1 <- a:1 b:3'", out="no input has a byte to copy")
    # A part that shares bytes with others when written is not a view; when read it is.
    work.splitgen("--explain -e 'n: u4[2,7] @1 <- a:2 b:3 c:2; m: u4[9] -> a:3 b:6; o: u4[9] <- a:3 b:6'", out=[regex(
            r"\nm: [^\n]*\n  a [^\n]*\n    view: contiguous"), regex(
            r"\no: [^\n]*\n  a [^\n]*\n    view: none, because it ends at bit 4 of byte 1")])


def test_metrics_bytes_read_equal_bytes_written(work):
    work.write("two.lua", TWO)
    work.splitgen("two.lua --report=json").holds({"kernels 0 read": 24576, "kernels 0 written": 24576})
    work.splitgen("-e 'hole: u8[64,4] @1 <- a:1 _:1 b:2' --report=text", out="reads 192 bytes, writes 192 bytes")


def test_json_each_direction_has_its_own_fields(work):
    work.write("two.lua", TWO)
    got = work.splitgen("two.lua --emit=json -o -").holds({"kernels 0 op": "concat", "kernels 0 output name": "data",
                                                           "kernels 0 output bytes": 24576,
                                                           "kernels 0 output span": 24576,
                                                           "kernels 0 inputs 1 byte_offset": 128,
                                                           "kernels 0 inputs 1 length": 64})
    assert "input" not in got.json["kernels"][0]
    assert "outputs" not in got.json["kernels"][0]
    got.holds({"kernels 1 op": "split", "kernels 1 input row_stride": 128, "kernels 1 input span": 32640,
               "kernels 1 input bytes": 32640, "kernels 1 outputs 0 tensor_row_stride": 40,
               "kernels 1 outputs 0 span": 10208, "kernels 1 outputs 0 bytes": 10208,
               "kernels 1 outputs 0 row_stride": 128})
    assert "inputs" not in got.json["kernels"][1]


def test_the_header_of_one_direction_and_of_both(work):
    work.write("two.lua", TWO)
    work.splitgen("two.lua --emit=h -o -", out=[
            "Kernels that split and concatenate tensors, and where each part lies in the full tensor",
            "Concatenates these parts into data, f32[64, 96], along axis 1", "for producers that write them in place",
            "#define JOINED_B_BYTE_OFFSET 128\n", "splitgen_join(&joined_kernel", "splitgen_run(&apart_kernel", regex(
            r"Padding( |\n \* )between( |\n \* )rows( |\n \* )is( |\n \* )never"), regex(
            r"#define APART_DATA_ROW_STRIDE +128\n#define APART_DATA_SPAN +APART_DATA_BYTES\n"), regex(
            r"#define APART_DATA_BYTES +32640\n"), regex(
            r"#define APART_A_TENSOR_STRIDE +40\n#define APART_A_SPAN +APART_A_BYTES\n"), regex(
            r"#define APART_A_BYTES +10208\n"), "data holds 32640 bytes", regex(r"a  .64, 32. +10208 bytes"),
            without_match(r"JOINED_[A-Z]+_(SPAN|TENSOR_STRIDE)|APART_B_SPAN")])
    work.splitgen("two.lua --only joined", out="Kernels that concatenate tensors.")
    work.splitgen("two.lua --only apart", out="Kernels that split tensors.")
    work.splitgen("-e 'c: f32[n?,8]/9 @1 <- a:3 b:5' --emit=h -o -", out=["splitgen_join_n(&c_kernel", regex(
            r"C_DATA_ROW_STRIDE +9\n"), regex(r"C_DATA_BYTES.n. +..size_t..n. > 0 . .size_t..n. . 36 - 4 : 0.\n"),
            regex(r"C_A_BYTES.n. +..size_t..n. . 12.\n"), regex(
            r"data holds 36 bytes per item, but 32( |\n \* )for( |\n \* )the( |\n \* )last"), without("_SPAN")])


def test_pictures(work):
    """A concat is drawn as one, with padding between rows but not after the last."""
    work.write("two.lua", TWO)
    work.splitgen("-e 'rgb: u8[4,5,3] @2 <- r:1 _:1 b:1' -o p.svg")
    work.expect_file("p.svg", ["<title>Where each input of rgb lies in the output</title>",
                               "data[:, :, 0:1] = r [4, 5, 1]", "not written: bytes 1 to 1"])
    work.splitgen("-e 'g: u8[3,4]/6 @1 -> r:1 b:3' -o p.svg")
    work.expect_file("p.svg", ["3 rows of 4 bytes, 6 apart", "<title>padding: bytes 4 to 5</title>",
                               "<title>padding: bytes 10 to 11</title>", "padding: never copied", without(
            "padding: bytes 16")])
    work.splitgen("two.lua -o p.svg")
    work.expect_file("p.svg", ["<title>Where the parts of 1 Split and 1 Concat lie</title>"])
    work.splitgen(
        "-e 'a: u8[2,4] @1 <- x:1 z:3; b: u8[2,4]/5 @1 <- x:1 z:3; c: u8[2,4] @1 -> x:1 z:3; d: u8[2,4] @1 <- x:1 z:3' -o p.svg")
    work.expect_file("p.svg", ["a and 1", ">b: u8",
                               ">c: u8"])  # b has gaps, and c is a split: they do not share a's picture
