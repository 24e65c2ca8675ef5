"""The contents of --emit=svg: open dimensions, unwanted parts, large numbers, many parts, many Splits."""
import re

import pytest
from testing import expect_text, needs, without

class Picture:
    def __init__(self, work, arguments):
        work.splitgen(f"{arguments} -o p.svg", out="", err="")
        self.svg = work.read("p.svg").replace("\u00a0", "~")  # no-break spaces in numbers
        head = re.match(r'<svg [^>]* width="(\d+)" height="(\d+)" [^>]*role="img">\n  <title>[^<]+</title>', self.svg)
        assert head, self.svg
        self.width, self.height = int(head[1]), int(head[2])

    def shows(self, *expected):
        __tracebackhide__ = True
        expect_text("the picture", self.svg, expected)
        return self

    def times(self, count, pattern):
        assert len(re.findall(pattern, self.svg)) == count
        return self


@pytest.fixture
def picture(work):
    """Makes a picture, by the arguments of the tool."""
    return lambda arguments: Picture(work, arguments)


def splits(work, *rows_and_lengths):
    """A model of a Split for each."""
    each = [*enumerate(rows_and_lengths)]
    inputs = ", ".join(f"float[{rows},{one + two}] x{i}" for i, (rows, one, two) in each)
    outputs = ", ".join(f"float[{rows},{one}] a{i}, float[{rows},{two}] b{i}" for i, (rows, one, two) in each)
    lengths = ", ".join(f"int64[2] l{i} = {{{one}, {two}}}" for i, (rows, one, two) in each)
    nodes = "".join(f"  a{i}, b{i} = Split <axis=1> (x{i}, l{i})\n" for i, _ in each)
    work.write("splits.onnxtxt", f"""<ir_version: 8, opset_import: ["" : 13]>
g ({inputs}) => ({outputs})
<{lengths}>
{{
{nodes}}}
""")


def test_with_an_open_dimension(picture):
    """Numbers refer to one item, for any position of the dimension and any packing."""
    picture("-e 'q: f32[batch?,12] @1 -> a:4 _:2 b:6'").shows("1 row of 48 bytes for each item of batch",
        "a [batch, 4] = data[:, 0:4], 16 bytes for each item, ", "2 elements for each item, from byte 16 of a row on",
        ": bytes 24 to 47 for each item<")
    picture("-e 'q: u4[1,t?,8,3] @3 -> a:1 _:2'").shows("8 rows of 3 elements for each item of t",
                                                        "... 2 more rows for each item",
                                                        "16 elements for each item, from element 1 of a row on")
    picture("-e 'q: u4[t?,8] @1 -> a:2 _:6'").shows("of 4 bytes for each item of t", "from byte 1 of a row on")
    picture("-e 'q: f32[2,12] @1 -> a:4 b:8'").shows(without("each item"))


def test_digits_are_grouped_in_threes_from_five_digits_on_in_shapes_column_ranges_bytes_and_offsets(picture):
    made = picture("-e 'q: f32[1234567,20000] @1 -> a:9999 _:1 b:10000'").shows("f32[1~234~567, 20~000] along",
        "1~234~567 rows of 80~000 bytes",
        "b [1~234~567, 10~000] = data[:, 10~000:20~000], 49~382~680~000 bytes, strided at byte 40~000",
        "data[:, 0:9999]", "1~234~567 elements, from byte 39~996 of a row on", ">40~000</text>",
        "... 1~234~561 more rows", ": bytes 39~996 to 39~999<")
    # Coordinates and colours are not grouped; the command in the comment is a shell's.
    texts = re.sub('="[^"]*"|#[0-9a-f]+|<metadata>.*</metadata>', "", made.svg, flags=re.S)
    assert not re.search(r"\d\d\d\d\d", texts)
    picture("-e 'x12345: f32[2,12] @1 -> y123456:4 z:8'").shows("x12345: f32",
        "y123456 [2, 4]")  # names are not grouped


def test_forty_parts_have_forty_different_fills_all_of_which_are_defined(picture):
    made = picture(f"-e 'q: f32[2,120] @1 ->{''.join(f' p{i}:3' for i in range(40))}'")
    fills = set(re.findall(r'<rect [^>]* fill="([^"]*)"><title>p\d+: ', made.svg))
    assert len(fills) == 40
    for fill in fills:
        if fill.startswith("url(#"):
            made.shows(f'<pattern id="{fill[5:-1]}"')
        else:
            assert re.fullmatch("#[0-9a-f]+", fill)


def test_a_part_whose_name_does_not_fit_has_its_number_instead_and_the_legend_has_both(picture):
    picture("-e 'q: f32[2,30] @1 -> brief:28 much_too_long_for_it:2'").shows(">brief</text>", ">1</text>",
        ">1: much_too_long_for_it [2, 2] = data[:, 28:30], 16 bytes,", ">brief [2, 28] =").shows(without(
            ">much_too_long_for_it</text>"), without("0: brief"))


def test_names_have_no_places_for_line_breaks_so_a_long_one_makes_the_picture_wider(picture):
    assert picture(f"-e 'q: f32[2,30] @1 -> a:28 {'n' * 150}:2'").width >= 1350


def test_each_part_is_drawn_by_itself(picture):
    """Four rows at most, padding between them if there is any; but no views."""
    picture("-e 'q: f32[3,12] @1 -> a:4/6 b:4 c:view:4'").shows("<title>a: 64 bytes</title>",
        "<title>b: 48 bytes</title>", ">Outputs: a box for each row, in the order of memory; hatched: ").shows(without(
            "<title>c: 48 bytes</title>")).times(2,
        'url.#p_between."/>')  # between three rows of a; nowhere in the whole, nor in b
    picture("-e 'q: f32[9,12] @1 <- a:4 b:8'").shows(">Inputs: a box for each row, in the order of memory<",
                                                     "data[:, 0:4] = a [9, 4], 144 bytes").times(20,
        '<rect [^>]*class="c[0-9]" [^>]*>')  # six rows of the whole, four of each part
    picture("-e 'q: f32[9,9,3] @2 <- a:1/12/1 b:2'").shows(
        '...</text>\n  <g class="edge" stroke="#4c535b"><rect x=').times(1,
        'url.#p_between."/>')  # a has padding after every nine rows, which comes after the dots
    picture("-e 'q: u8[9/40,9,3] @2 <- a:1 b:2'").shows("after every 9 rows: 13 bytes of padding, never copied")
    picture("-e 'q: u8[9,3] @1 <- a:1/3 b:2/5'").times(8,
        'url.#p_between."/>')  # also after the fourth row, which is not the last one


def test_many_parts_the_first_and_the_last_as_wide_as_a_few(picture):
    made = picture(f"-e 'q: u8[3,8192] @1 ->{''.join(f' p{i}:2' for i in range(1, 4097))}'").shows(
        ">... 4072 parts</text>", ">... 4072 more parts: p21 to p4092</text>", ">p20 [3, 2] = ",
        ">4095: p4096 [3, 2] = ")
    assert made.width <= 1000 and made.height <= 1000 and len(made.svg) <= 150000


def test_dark_themes_have_colours_of_their_own_for_everything_that_has_one(picture):
    made = picture("-e 'q: f32[2,12] @1 -> a:4 _:2 b:6'").shows(
        '<rect class="paper" width="100%" height="100%" fill="white"/>', "@media (prefers-color-scheme: dark) {")
    colored = '(fill|stroke)="#[0-9a-f]+"'
    assert len(re.findall(colored, made.svg)) == len(re.findall(f'class="(c[0-9]|grey|edge|line|offset)" {colored}',
            made.svg))


def test_a_tensor_of_a_model_has_one_colour(work, picture):
    """A tensor of a model has the same colour in the Split that makes it and in the Concat that reads it, and no other tensor has it, in a picture of it as a whole either."""
    work.write("chain.onnxtxt", """<ir_version: 8, opset_import: ["" : 13]>
g (float[4,12] x, float[4,6] y) => (j, e)
<int64[2] l = {4, 8}, int64[2] m = {2, 6}>
{
  ["S"] a, b = Split <axis=1> (x, l)
  ["T"] c, d = Split <axis=1> (b, m)
  e = Neg (c)
  ["J"] j = Concat <axis=1> (y, a, d)
}
""")
    made = picture("--ops=all chain.onnxtxt")
    fills = {name: set(re.findall(f'fill="([^"]*)"><title>{name}: bytes', made.svg)) for name in "abcdy"}
    assert all(len(of_name) == 1 for of_name in fills.values()), fills
    made.shows(f'fill="{min(fills["b"])}"><title>b</title>', "The strip at the left: data is a part in another picture")
    assert len(fills["a"] | fills["b"] | fills["c"] | fills["d"]) == 4  # c and y are in one picture each


def test_equal_splits_of_a_model_share_one_picture_which_counts_them_and_lists_their_names(work, picture):
    splits(work, (4, 8, 8), (4, 8, 8), (4, 8, 9), (4, 8, 8), (5, 8, 9))
    picture("splits.onnxtxt").shows("<title>Where the outputs of 5 Splits lie in their inputs</title>",
                                    "<title>a0, a1, a3</title>a0 and 2 equal ones: f32", ">a2: f32", ">a4: f32").times(
        3, "<g transform=")
    # Splits of a spec share it only with the same names; the element type, the axis and unwanted parts must be equal.
    picture(
        "-e 'a: f32[2,6] @1 -> x:2 y:4' -e 'b: f32[2,6] @1 -> x:2 y:4' -e 'c: f32[2,6] @1 -> x:2 z:4' -e 'd: i32[2,6] @1 -> x:2 y:4'").shows(
        ">a and 1 equal one: f32", ">c: f32", ">d: i32")
    picture(
        "-e 'a: f32[6,6] @1 -> x:2 y:4' -e 'b: f32[6,6] @0 -> x:2 y:4' -e 'c: f32[6,6] @1 -> x:2 _:4' -e 'd: f32[n?,6] @1 -> x:2 y:4' -e 'e: f32[m?,6] @1 -> x:2 y:4'").times(
        5, "<g transform=")
    # The size of the page depends on its pictures, not on the number of Splits.
    splits(work, *[(4, 8, 8)] * 30)
    picture("splits.onnxtxt").shows("a0 and 29 equal ones", "strided at byte 0")


def test_thirty_different_ones_fit_on_an_a4_page_upright_in_letters_of_at_least_6_points(work, picture):
    splits(work, *[(i, i, 8) for i in range(1, 31)])
    made = picture("splits.onnxtxt").times(30, "<g transform=")
    assert made.height <= made.width * 1.414
    assert 13 * 595 / made.width >= 6, "letters in points, if the page is 595 wide"
    work.run([needs("xmllint"), "--noout", "p.svg"])
