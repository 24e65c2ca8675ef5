"""Only the tables of facts about processors name processors, and templates make no decision on a number."""
import re

import pytest
import tree

# Facts, measurements, detection; tests and their results; documents about speed; older words of options.
MAY_NAME = re.compile(r"tests/|README\.md$|CHANGELOG\.md$|generator/plan/machine/|generator/plan/MEASURED\.md$|\.|"
                      r"generator/driver/older\.inc$|generator/docs/(gallery|options)\.md$|"
                      r"include/splitgen/machines\.h$|runtime/splitgen_cpu\.c$|.*\.(bin|onnx|png|ppm)$")
# In lower case. Excludes words that contain these, such as "frozen" and "intelligible", and AMD64, which is a
# compiler's name of x86-64.
NAMES = re.compile(r"(?:(?<![a-z])(?:zen[ 0-9]|intel(?![a-z])|amd(?![a-z0-9])|xeon)|znver|golden[ -]?cove|emerald|"
                   "sapphire|epyc|neoverse|graviton)")
# A comparison with a number other than 0 and 1, on either side; not a shift.
NUMBER = r"(?:-[0-9]|[2-9]|[01][0-9.x])"
DECIDES = re.compile(rf" *\$.*(?:[^<>](?:==|~=|<=|>=|<|>) *{NUMBER}|[^a-z0-9_.]{NUMBER}[0-9.]* *"
                     r"(?:==|~=|<=|>=|<[^<]|>[^>])).*")


def breaches(files):
    for path, text in files.items():
        if MAY_NAME.match(path):
            continue
        text = text.lower()
        if NAMES.search(text):
            yield f"{path}: names a processor: {[line for line in text.splitlines() if NAMES.search(line)][0]}"
        if path.endswith(".tmpl"):
            for line in text.splitlines():
                if DECIDES.match(re.sub("--.*", "", re.sub("\"[^\"]*\"|'[^']*'", "''", line))):
                    yield f"{path}: decides on a number: {line}"


def test_names_and_numbers_are_in_the_tables_of_processors_and_in_the_plan():
    tree.expect_none(breaches(tree.read()), "names and numbers belong into generator/plan/machine and into the plan")


@pytest.mark.parametrize("name", [
    "zen 5", "uarch_zen4", "__znver4__", "golden cove", "goldencove", "an intel core", "amd's", "an amd", "emerald",
    "sapphire", "epyc", "a xeon", "neoverse", "graviton"])
def test_it_notices_a_name(name):
    path = "generator/plan/body/a.c"
    assert list(breaches({path: f"/* {name} */\n"})) == [f"{path}: names a processor: /* {name} */"]


@pytest.mark.parametrize("code", ["if n > 8 then", "if n ~= 16 then", "if n <= 2 then", "if n == -1 then",
                                  "if 4 < n then", "x = n >= 10 and 1"])
def test_it_notices_a_number(code):
    path = "templates/a.tmpl"
    assert list(breaches({path: f"$   {code}\n"})) == [f"{path}: decides on a number: $   {code}"]


@pytest.mark.parametrize("path, text", [
    ("generator/plan/body/a.c", "#if defined(_M_AMD64) /* a frozen dozen of intelligible words */"),
    *[(path, "Zen 5") for path in (
        "tests/a.c generator/plan/machine/cost.inc generator/plan/MEASURED.md include/splitgen/machines.h "
        "runtime/splitgen_cpu.c README.md CHANGELOG.md").split()],
    *[("templates/a.tmpl", f"$   {code}") for code in (
        "if n > 1 and n == 0 then -- not > 8", "n = n >> 24", 'n = "x == 8" .. n // 16', "if n1 < m then")],
    ("templates/a.tmpl", "if (n > 8) {")])
def test_it_accepts(path, text):
    assert not list(breaches({path: text}))
