"""One spec many times, from two folders, in two locales, with another home and time zone: every byte of every output is
the same each time. The spec builds its lengths by walking a table with string keys, whose order in plain Lua changes
from process to process."""
import json
import re

import pytest

SPEC = """
local parts = { query = 12, key = 4, value = 4, gate = 6, bias = 1, norm = 2, rope = 3, alpha = 5 }
local lengths, names, total = {}, {}, 0
for name, length in pairs(parts) do
  names[#names + 1], lengths[#lengths + 1] = name, length
  total = total + length
end
return split {
  name = "heads", dtype = "f32", shape = { param("batch", 4), total, 3 }, axis = 1,
  lengths = lengths, outputs = names,
}
"""
# This one has many unknown fields: their order in the messages matters too.
WRONG = """
return split { dtype = "f32", shape = { 4 }, parts = 2, zeta = 1, alpha = 2, mu = 3, beta = 4,
               omega = 5, gamma = 6, delta = 7 }
"""
FOLDERS = "here", "somewhere/else"


@pytest.fixture
def generate(work):
    for folder in FOLDERS:
        work.write(f"{folder}/heads.lua", SPEC)
        work.write(f"{folder}/wrong.lua", WRONG)
    # A locale that writes 0,5: one of the system, or one made here, or the name of one.
    comma = {"LC_ALL": "de_DE.UTF-8", "LOCPATH": None}
    found = re.search(r"^(de_DE|fr_FR|es_ES|it_IT|nl_NL|pl_PL)\.(utf8|UTF-8)$", work.run("locale -a", None).out, re.M)
    if found:
        comma["LC_ALL"] = found[0]
    elif work.run("localedef -i de_DE -f UTF-8 ./de_DE.UTF-8", None).code in (0, 1) and (work / "de_DE.UTF-8").exists():
        comma["LOCPATH"] = str(work.path)

    def run(number, arguments, spec, exit=0):
        environment, folder = {"LC_ALL": "C", "TZ": "UTC", "HOME": "/", "LOGNAME": "one"}, FOLDERS[0]
        if number % 2:
            environment, folder = {**comma, "TZ": "Asia/Tokyo", "HOME": "/nowhere", "LOGNAME": "two"}, FOLDERS[1]
        # By its name or, every third time, by its absolute path from another folder.
        name, cwd = (work / folder / spec, ".") if number % 3 == 0 else (spec, folder)
        return work.splitgen([*arguments, name], exit, env=environment, cwd=cwd)
    return run


def test_every_run_writes_the_same(work, generate):
    made = []
    for number in range(1, 21):
        out = work / f"out/{number}"
        out.mkdir(parents=True)
        generate(number, ["--emit=c,h,json", "-o", f"{out}/"], "heads.lua")
        made.append({path.name: path.read_bytes() for path in out.iterdir()})
        assert made[-1] == made[0], f"run {number} differs from run 1"
    assert sorted(made[0]) == ["heads.c", "heads.h", "heads.json"]
    for number in range(1, 7):
        assert generate(number, [], "heads.lua").out.encode() == made[0]["heads.c"]
    # Equal runs by luck would not show that names are in alphabetical order.
    names = [output["name"] for output in json.loads(made[0]["heads.json"])["kernels"][0]["outputs"]]
    assert names == ["alpha", "bias", "gate", "key", "norm", "query", "rope", "value"]


def test_every_run_prints_the_same_errors_except_for_the_path_which_is_printed_as_the_user_wrote_it(work, generate):
    errors = [re.sub(rf"{re.escape(str(work.path))}/({'|'.join(FOLDERS)})/", "",
                     generate(number, [], "wrong.lua", 1).err) for number in range(1, 11)]
    assert errors == errors[:1] * 10
