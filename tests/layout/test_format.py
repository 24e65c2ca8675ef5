"""clang-format would change nothing in our C files. Test cases (golden output and similar) are data and are not
checked."""
import re

import pytest
from testing import SOURCE, given

VERSION = 14  # others format differently


def test_clang_format_would_change_nothing(work):
    tool = given["clang_format"]
    if not tool:
        pytest.skip("clang-format is not installed")
    version = re.search("version ([0-9]+)", work.run([tool, "--version"]).out)[1]
    if int(version) != VERSION:
        pytest.skip(f"the files are formatted by clang-format {VERSION}; this is {version}")
    files = [path.relative_to(SOURCE).as_posix() for top in ("generator", "runtime", "include", "tests", "examples")
             for path in (SOURCE / top).rglob("*") if path.suffix in (".c", ".h", ".cpp")]
    files = [file for file in files if not re.match("tests/[^/]+/.+/|.*/build[^/]*/|(?!tests/).*cpp$", file)]
    assert files
    work.run([tool, "--dry-run", "--Werror", *files], None, cwd=SOURCE)
    places = re.findall("[^\n:]+:[0-9]+:[0-9]+(?=: error)", work.last.err)
    assert not work.last.code, "run clang-format -i; it would change\n" + "\n".join(dict.fromkeys(places))
