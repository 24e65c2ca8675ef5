"""Every row of a table has what belongs to it, and SPLITGEN_ABI is the same in Python and C. The rows are element types
(dtypes.inc), kinds of output (kinds.inc), instruction sets (isa.inc) and text options that only templates read
(UNIT_OPTION in options.inc)."""
import re

import pytest
import tree

TEXT = ' *"([^"]*)"'


def breaches(files):
    wrong = []

    def need(what, there, message):
        if not there:
            wrong.append(f"{what}: {message}")

    def rows(table, macro, pattern):
        """The groups of the rows' first lines; a breach for each that has another form."""
        lines = re.findall(rf"^{macro}\(.*", files[table], re.M)
        need(table, lines, f"has no row '{macro}(...)'")
        for line in lines:
            found = re.match(rf"{macro}\({pattern}", line)
            need(table, found, f"the first line of a row should go as '{macro}({pattern}': {line}")
            if found:
                yield found.groups()

    readme = files["templates/README.md"]
    templates = {path[10:]: text for path, text in files.items() if re.fullmatch(r"templates/[^/]+\.(tmpl|lua)", path)}
    printed = "".join(templates.values())
    cases = "\n".join(text for path, text in files.items()
                      if re.fullmatch(r"tests/(golden/cases/.*\.(lua|onnxtxt)|cli/.*\.py)", path))
    for (name,) in rows("include/splitgen/dtypes.inc", "SPLITGEN_DTYPE",
                        rf"[A-Z0-9_]+, *[0-9]+,{TEXT}, *[0-9]+, *[01],"):
        need(f"element type {name}", f'{{"{name}",' in files["tests/exec/gen_dtypes.c"],
             "tests/exec/gen_dtypes.c has no row for it, so no kernel of it is compiled and run")
    used = {*re.findall('"([^"]*)"', files["generator/driver/look.c"]), *re.findall(r'import\("(.*?)"\)', printed)}
    for word, _, template in rows("generator/driver/kinds.inc", "KIND", f"[A-Z0-9_]+,{TEXT},{TEXT},{TEXT},"):
        used.add(template)
        what = f"kind of output {word}"
        need(what, template in templates, f"there is no templates/{template}")
        need(what, f"| `{template}` | `{word}` |" in readme,
             f"templates/README.md has no line '| `{template}` | `{word}` | ...'")
        need(what, re.search(rf"(--|#) golden:.* {word}( |$)", cases, re.M),
             f"no spec in tests/golden/cases says 'golden: {word}'")
    for isa, word, family, form in rows("generator/plan/machine/isa.inc", "X",
                                        rf'([A-Z0-9]+),{TEXT}.* ([A-Z0-9]+),{TEXT}, *"'):
        used.add(f"spell_{form}.c.tmpl")
        what = f"instruction set {isa}"
        need(what, f' "{word}", ' in files["generator/driver/choices.inc"],
             f"generator/driver/choices.inc has no word '{word}' for it")
        need(what, f" {isa}, " in files["generator/plan/machine/cost.inc"],
             "generator/plan/machine/cost.inc has no row for it")
        need(what, f"#define SPLITGEN_{family} 1" in files["include/splitgen/splitgen.h"],
             f"include/splitgen/splitgen.h has no SPLITGEN_{family}")
        need(what, f"spell_{form}.c.tmpl" in templates, f"there is no templates/spell_{form}.c.tmpl")
    abi = re.search("^#define SPLITGEN_ABI ([0-9]+)", files["include/splitgen/splitgen.h"], re.M)[1]
    need(f"SPLITGEN_ABI {abi}", f"\nABI = {abi} " in files["runtime/splitgen_arrays.py"],
         "runtime/splitgen_arrays.py is for another one")
    for name in templates:
        if name.endswith(".tmpl"):
            need(f"templates/{name}", name in used, "no row of generator/driver/kinds.inc names it, and no template "
                 "imports it")
            need(f"templates/{name}", f"| `{name}` |" in readme, "templates/README.md has no line for it")
    for field, word in rows("generator/driver/options.inc", "UNIT_OPTION", f"([a-z0-9_]+), *[A-Z0-9_]+,{TEXT},"):
        what = f"option --{word}"
        need(what, re.search(rf"\bunit[.]{field}\b", printed), f"no file in templates/ reads unit.{field}")
        need(what, f"--{word}" in cases, "no test in tests/cli or tests/golden/cases gives it")
    return wrong


@pytest.fixture(scope="module")
def project():
    return tree.read("include/splitgen", "runtime", "generator/driver", "generator/plan/machine", "templates",
                     "tests/exec/gen_dtypes.c", "tests/golden/cases", "tests/cli")


def test_no_place_was_forgotten(project):
    tree.expect_none(breaches(project), 'a place was forgotten; CONTRIBUTING.md, "Adding things", names them all')


@pytest.mark.parametrize("breach, path, old, new", [
    ("element type bf16: tests/exec/gen_dtypes.c has no row for it, so no kernel of it is compiled and run",
     "tests/exec/gen_dtypes.c", '{"bf16",', "{"),
    ("kind of output svg: there is no templates/picture.svg.tmpl", "templates/picture.svg.tmpl", "", None),
    ("kind of output py: templates/README.md has no line '| `module.py.tmpl` | `py` | ...'", "templates/README.md",
     "`py`", ""),
    ("kind of output py: no spec in tests/golden/cases says 'golden: py'", "tests/golden/cases/packed_elements.lua",
     "bench py", "bench"),
    ("instruction set WASM: there is no templates/spell_wasm.c.tmpl", "templates/spell_wasm.c.tmpl", "", None),
    ("instruction set NEON: generator/driver/choices.inc has no word 'neon' for it", "generator/driver/choices.inc",
     '"neon", ', '"arm", '),
    ("instruction set NEON: generator/plan/machine/cost.inc has no row for it", "generator/plan/machine/cost.inc",
     " NEON, ", " ARM, "),
    ("instruction set WASM: include/splitgen/splitgen.h has no SPLITGEN_WASM", "include/splitgen/splitgen.h",
     "SPLITGEN_WASM 1", "SPLITGEN_WASM 2"),
    ("templates/registry.c.tmpl: no row of generator/driver/kinds.inc names it, and no template imports it",
     "generator/driver/kinds.inc", "KIND(REGISTRY", "//"),
    ("templates/frame.c.tmpl: templates/README.md has no line for it", "templates/README.md", "`frame.c.tmpl`", ""),
    ("SPLITGEN_ABI 99: runtime/splitgen_arrays.py is for another one", "include/splitgen/splitgen.h",
     "#define SPLITGEN_ABI ", "#define SPLITGEN_ABI 99\n//"),
    ("option --export-mark: no test in tests/cli or tests/golden/cases gives it", "generator/driver/options.inc",
     '"export-macro"', '"export-mark"'),
    ("option --section: no file in templates/ reads unit.sections", "generator/driver/options.inc",
     "UNIT_OPTION(section,", "UNIT_OPTION(sections,")])
def test_it_notices(project, breach, path, old, new):
    assert breaches(tree.changed(project, path, old, new)) == [breach]
