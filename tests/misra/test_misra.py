"""Runs cppcheck's MISRA C:2012 addon over portable kernels: it reports only rules with a row in the table of README.md,
and each of these."""
import re

import pytest
from testing import SOURCE, fail, given

OPS = ["u8[20,3] @1 -> /3", "f32[10,90] @1 -> 10 80", "string[3,4] @1 -> 1 3", "c64[2,3,0] @1 -> 1 2",
       "u4[64,8] @1 -> 3 5", "i16[100,40] @1 -> /40", "u8[4,50] @1 -> /50"]
ARGUMENTS = [word for op in OPS for word in ("-e", op)]
FILES = {  # the examples in one file, because checking the headers takes most of the time
    "examples": [SOURCE / f"examples/{name}.lua" for name in (
        "detect/detect", "planes/planes", "qkv/qkv", "threads/splits", "shapes/onnx")],
    "ops": ARGUMENTS,
    "small": ["--optimize=size", *ARGUMENTS],
    "words": ["--optimize=size", "--no-memcpy", *ARGUMENTS],
}


def test_only_the_deviations_of_the_table_are_reported(work):
    cppcheck = given["cppcheck"]
    if not cppcheck:
        pytest.skip("sudo apt-get install cppcheck")
    allowed = re.findall(r"^\| ([0-9]+\.[0-9]+) \|", (SOURCE / "tests/misra/README.md").read_text("utf-8"), re.M)
    findings = []
    for name, arguments in FILES.items():  # one by one: rules about a whole program are about the user's
        work.splitgen(["--isa=portable", *arguments, "-o", f"{name}.c"])
        done = work.run([cppcheck, "-q", "--std=c99", "--addon=misra", "--enable=style", f"-I{SOURCE}/include",
                         "-D__GNUC__=12", "-D__STDC_VERSION__=199901L", "-D__STDC_HOSTED__=1", "-D__OPTIMIZE__=1",
                         "--template={id} {file}:{line}", f"{name}.c"])
        findings += re.findall("misra-c2012-([0-9.]+) (.*)", done.out + done.err)
    wrong = [f"{place}: no row for rule {rule}" for rule, place in findings if rule not in allowed]
    wrong += [f"rule {rule} has a row, but nothing breaks it" for rule in allowed
              if rule not in dict(findings)]
    print(f"{len(findings)} findings of {len(dict(findings))} rules")
    if wrong:
        fail("\n".join(["change what is printed, or the table of deviations", *wrong]))
