"""The structure of the tree: which files may include which, forbidden contents, required contents of folders."""
import graphlib
import os.path
import posixpath
import re

import pytest
import tree

# Folder of generator/ -> the folders it may include from, besides itself. Front ends produce ops and do not know plans;
# plan and emit do not know front ends; driver calls everything.
MAY = {
    "base": "",
    "foreign": "base",
    "sums": "base",
    "split": "base foreign",
    "lua": "base",
    "shapes": "base sums split lua",
    "frontend": "base foreign sums split lua shapes",
    "placement": "base sums split shapes",
    "plan": "base split",
    "emit": "base sums split lua placement plan",
    "standalone": "base split",
    "driver": "base foreign split shapes frontend placement plan emit standalone",
}
# Folder of generator/plan/ -> the folders it may include from, besides itself. All may include the headers of data that
# are in none of them.
MAY_PLAN = {
    "machine": "",
    "body": "machine",
    "choose": "machine body",
    "bits": "machine body choose",
    "functions": "machine choose bits",
    "verify": "machine",
    "report": "machine body choose bits",
}
PLAN_DATA = ["plan/" + name for name in ("plan.h opcodes.inc functions/function.h functions/loops.inc caches.h insn.h "
                                         "layout.h params.h bits/bit_program.h").split()]
FRONTENDS = "notation graph onnx openvino model lua".split()  # each may use the earlier ones
LUA_USERS = "emit shapes frontend/graph frontend/lua lua".split()  # others need no budgets for Lua
C = re.compile(r"generator/.*\.(c|h|inc|y)$")
FORBIDDEN = [  # in files whose paths match, a line that matches, why
    (C, r'"[ \\nt]*(memcpy|memmove)\(|"[ \\nt]*#[ ]*(include|define|ifn?def|endif)', "emitted C in a string literal"),
    (C, r"setlocale *\(", "setlocale makes numbers depend on the user's locale"),
    (re.compile(r"templates/.*\.(tmpl|lua)$"), r"(^|[^a-z_])(pairs|next) *\(",
     "walks a hash, whose order changes with every run"),
    (re.compile(r".*(?<!\.bin)(?<!\.onnx)(?<!\.png)$"),
     r"(^|[^A-Za-z0-9_./}])/(home|root|Users|work|mnt)/|[A-Z]:\\\\(Users|Program)", "names a path of one machine"),
]


def module_of(path):
    """'frontend/lua' of 'frontend/lua/x.c', 'plan' of 'plan/x.c'."""
    found = re.match("(frontend/[^/]+|[^/]+)/", path)
    return found[1] if found else ""


def may_include(file, target):
    """Whether a file of generator/ may include this one."""
    module, other = module_of(file), module_of(target)
    top, other_top = module.split("/")[0], other.split("/")[0]
    if other == "lua" and module not in LUA_USERS:
        return False
    room = re.match("plan/([^/]+)/", file)
    if room and target.startswith("plan/") and target not in PLAN_DATA:
        return target.split("/")[1] in [room[1], *MAY_PLAN[room[1]].split()]
    if module == other or other_top in MAY.get(top, "").split():
        return True
    kinds = [name.split("/")[-1] for name in (other, module)]
    return top == other_top == "frontend" and set(kinds) <= set(FRONTENDS) and (
        FRONTENDS.index(kinds[0]) < FRONTENDS.index(kinds[1]))


def includes(files):
    """Breaches by includes inside generator/. Files depend on each other in one direction; a .c and its header count as
    one. plan.h is the data of the complete planner, declared beside the code that builds it."""
    users = {}  # file without its ending -> those that include it
    modules = set()
    for path, text in files.items():
        if not C.match(path) or path.startswith("generator/python/"):
            continue
        file = path.removeprefix("generator/")
        modules.add(module_of(file))
        for quote, target in re.findall(r'^[ \t]*#[ \t]*include[ \t]+(["<])([^">]+)[">]', text, re.M):
            if re.fullmatch(r"(lua|lauxlib|lualib)\.h(pp)?", target):
                if module_of(file) not in LUA_USERS:
                    yield f"{path}: only {', '.join(LUA_USERS)} may include '{target}'"
            elif quote == "<" or (target.startswith("splitgen/") and f"include/{target}" in files):
                continue  # the C library, and the public headers
            elif f"generator/{target}" not in files:
                yield f"{path}: '{target}' is no path from generator/"
            else:
                if not may_include(file, target):
                    yield f"{path}: '{module_of(file)}' may not include '{target}'"
                stem, other = os.path.splitext(file)[0], os.path.splitext(target)[0]
                if target.endswith(".h") and target != "plan/plan.h" and stem != other:
                    users.setdefault(other, {})[stem] = True
    try:
        graphlib.TopologicalSorter(users).prepare()
    except graphlib.CycleError as error:
        yield f"files that know each other in a circle: {' -> '.join(error.args[1])}"
    for module in sorted(modules):
        top, _, kind = module.partition("/")
        if top not in MAY or (top == "frontend" and kind not in FRONTENDS):
            yield f"generator/{module}: a folder without a place in the order"


def contents(files):
    """Forbidden contents. C text comes from templates; order never comes from a hash; number formats never come from
    the locale."""
    for path, text in files.items():
        for where, pattern, why in FORBIDDEN:
            found = where.match(path) and re.search(pattern, text, re.M)
            if found:
                yield f"{path}:{text.count(chr(10), 0, found.start()) + 1}: {why}: {found[0].strip()}"


def requirements(files):
    """Required contents of every file and folder. Test cases are data: folders below tests/<kind>/ need no README, and
    their files may have equal names and any beginning. The same holds below packaging/debian/, whose names dpkg
    defines. Every example is a project of its own, so examples may have files of the same name."""
    folders, names = set(), set()
    for path, text in files.items():
        if re.match("tests/[^/]+/.+/|generator/packaging/debian/.+/", path):
            continue
        folder, name = posixpath.split(path)
        while folder and not folder.startswith("."):
            folders.add(folder)
            folder = posixpath.dirname(folder)
        if name not in ("README.md", "CMakeLists.txt", "run") and not re.match(r"\.|examples/", path):
            if name in names:
                yield f"{path}: another file is called '{name}' too"
            names.add(name)
        comment = re.search(r"\.(c|h|inc|y)$", path) and "/*" or re.search(r"\.cmake$|(^|/)run$", path) and "#" or (
            re.match("tests/.*/test_.*\\.py$", path) and '"""')
        if comment and not text.startswith(comment):
            yield f"{path}: does not begin with a comment that says what it does"
    for folder in sorted(folders - {"include/splitgen"}):  # exists only for the spelling of the include
        if f"{folder}/README.md" not in files:
            yield f"{folder}: has no README.md"
    if files["CMakeLists.txt"].count("\n") >= 120:
        yield "CMakeLists.txt: has 120 lines or more"
    for top in sorted({path.split("/")[0] for path in files if "/" in path}):
        if not re.match(r"(generator|templates|runtime|include|tests|examples)$|\.", top):
            yield f"{top}: is no folder of the top level"


@pytest.fixture(scope="module")
def project():
    return tree.read()


def test_the_tree_keeps_its_rules(project):
    tree.expect_none([*includes(project), *contents(project), *requirements(project)], "the tree breaks its rules")


A = "/* a */\n"


@pytest.mark.parametrize("path, text, breach", [
    ("generator/base/a.c", f'{A}#include "plan/plan.h"\n', "'base' may not include 'plan/plan.h'"),
    ("generator/driver/a.c", f'{A}#include "lua/x.h"\n', "'driver' may not include 'lua/x.h'"),
    ("generator/driver/a.c", f'{A}# include <lua.h>\n', "may include 'lua.h'"),
    ("generator/base/a.c", f'{A}#include "none.h"\n', "'none.h' is no path from generator/"),
    ("generator/frontend/notation/a.c", f'{A}#include "frontend/onnx/y.h"\n',
     "'frontend/notation' may not include 'frontend/onnx/y.h'"),
    ("generator/plan/machine/a.c", f'{A}#include "plan/body/z.h"\n', "'plan' may not include 'plan/body/z.h'"),
    ("generator/base/b.h", f'{A}#include "base/c.h"\n', "in a circle: "),
    ("generator/other/a.c", A, "generator/other: a folder without a place in the order"),
    ("generator/frontend/other/a.c", A, "generator/frontend/other: a folder without a place in the order"),
    ("generator/base/a.c", f'{A}x = "  memcpy(";\n', "generator/base/a.c:2: emitted C"),
    ("generator/base/a.c", f'{A}x = "\\n#include";\n', "emitted C"),
    ("generator/base/a.c", f"{A}setlocale(0, 0);\n", "setlocale makes"),
    ("templates/a.tmpl", "$ for k in pairs(t) do\n", "walks a hash"),
    ("README.md", "see /" + "home/me/x\n", "names a path of one machine"),
    ("runtime/guard.c", A, "another file is called 'guard.c' too"),
    ("runtime/a.c", "int a;\n", "does not begin with a comment"),
    ("tests/new/a.c", A, "tests/new: has no README.md"),
    ("CMakeLists.txt", "\n" * 120, "CMakeLists.txt: has 120 lines or more"),
    ("other/a.txt", "", "other: is no folder of the top level"),
])
def test_it_notices(project, path, text, breach):
    planted = {**{name: A for name in (
        "generator/lua/x.h", "generator/frontend/onnx/y.h", "generator/plan/body/z.h", "tests/support/guard.c")},
        "generator/base/c.h": f'{A}#include "base/b.h"\n', path: text}
    files = {**project, **planted}
    found = [*includes(files), *contents(planted), *requirements(files)]
    assert [one for one in found if breach in one], found
