"""Corner cases of kernels: rows far apart, unwanted parts, unused functions and names of macros."""

import re

import pytest
from testing import SOURCE, any_of, regex


@pytest.mark.parametrize("type", ["u1", "u2", "u3", "u4", "u5", "u6"])
def test_padding_between_rows_costs_no_work(work, type):
    for arrow in "<-", "->":
        work.splitgen(f"-e '{type}[2,15] @1 {arrow} p0:7/1000000 p1:8' --emit=c", out="void ")
        work.splitgen(f"-e '{type}[64,38]/1099511627778 @1 {arrow} p0:3/1099511627778 p1:35' --emit=c",
                      out="void ")


@pytest.mark.parametrize("op", ["[5,16,8] @1 -> p0:0 _:16", "[16,8] @0 -> p0:0 _:16", "[5,15] @1 <- p0:0 _:15",
                                "[n?,16,8] @1 -> p0:0 _:16"])
def test_a_packed_kernel_with_nothing_to_copy_has_the_same_rows_as_one_of_bytes(work, op):
    found = [re.findall('"rows".*', work.splitgen(f"-e '{type}{op}' --emit=json").out)[0] for type in ("u8", "u4")]
    assert found[0] == found[1]


@pytest.mark.parametrize("op", ["u8[65539] @0 <- p0:65536 p1:3",
                                "u8[265604] @0 <- p0:100000 p1:1 p2:64 p3:100000 p4:65539"])
def test_unused_functions_are_not_printed(work, op):
    text = work.splitgen(f"-e '{op}' --non-temporal=always --emit=c").out
    names = re.findall("(split_avx[0-9]+[a-z_]*)[(,]", text)
    assert names and not [name for name in names if names.count(name) < 2], "nobody calls these"


@pytest.mark.parametrize("name", ["small", "hyper", "near", "far", "interface", "min", "max", "cdecl", "pascal", "OUT",
                                  "CONST", "VOID", "ERROR", "DELETE", "I"])
def test_parameters_are_not_named_like_macros_of_windows_h(work, name):
    work.splitgen(f"-e 'u8[4] @0 -> {name}:2 b:2' --emit=h",
                  err=any_of(f"output name '{name}' is a macro", f"output name '{name}' is a name of compilers"))
