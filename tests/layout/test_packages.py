"""Configures the project as if a package were missing or had the wrong version: configuration stops and prints the
command that installs it. Builds nothing."""
import re
import shutil

import pytest
from testing import SOURCE, expect_text, given

# As on a machine without any package: CMake does not search the system's folders.
NOTHING = ["-DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF", "-DCMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF"]


def package(name):
    return [f"-DSPLITGEN_{name}_{part}={given[f'{name}_{part}']}" for part in ("INCLUDE_DIR", "LIBRARY")]


def configure(work, *arguments, exit=0):
    done = work.run(["cmake", "-S", SOURCE, "-B", "build", "-G", given["generator"],
                     f"-DCMAKE_MAKE_PROGRAM={given['make_program']}", f"-DCMAKE_C_COMPILER={given['cc']}",
                     "-DSPLITGEN_BUILD_TESTS=OFF", "-DSPLITGEN_BUILD_EXAMPLES=OFF", *arguments], exit)
    return re.sub("[ \n]+", " ", done.out + done.err)


def must_say(work, words, *arguments):
    expect_text("configuration", configure(work, *arguments, exit=1), words)


@pytest.mark.parametrize("there, name, install", [
    ([], "Lua 5.4", "liblua5.4-dev"),
    (["LUA"], "expat", "libexpat1-dev"),
    (["LUA", "EXPAT"], "nettle", "nettle-dev"),
    (["LUA", "EXPAT", "NETTLE"], "lemon", "lemon")])
def test_a_missing_package(work, there, name, install):
    must_say(work, f"{name} is missing. Install it with: sudo apt-get install {install}",
             *NOTHING, *[argument for one in there for argument in package(one)])


def test_the_header_exists_but_the_library_is_not_in_this_compilers_folder(work):
    must_say(work, "there is no library of it where the compiler", *NOTHING, package("LUA")[0])


def test_libraries_are_found_by_a_compiler_that_does_not_report_its_folders_to_cmake(work):
    tcc = shutil.which("tcc")
    if not tcc:
        pytest.skip("no tcc")
    configure(work, f"-DCMAKE_C_COMPILER={tcc}")


def test_a_header_of_another_lua(work):
    work.write("lua53/lua.h", '#define LUA_VERSION_MAJOR\t"5"\n#define LUA_VERSION_MINOR\t"3"\n')
    must_say(work, "is Lua '5.3', but splitgen needs 5.4", f"-DSPLITGEN_LUA_INCLUDE_DIR={work / 'lua53'}",
             package("LUA")[1])


@pytest.mark.parametrize("sections", ["\n", "\n%%\n\n%%\n"])
def test_the_template_of_another_lemon_has_more_or_fewer_sections(work, sections):
    with open(given["template"]) as file:
        path = work.write("lempar.c", file.read().replace("\n%%\n", sections, 1))
    must_say(work, "is not the template of", f"-DLEMON_TEMPLATE={path}")


def test_nothing_is_missing_if_all_paths_are_given(work):
    configure(work, *package("LUA"), *package("EXPAT"), *package("NETTLE"), f"-DLEMON_TEMPLATE={given['template']}")
