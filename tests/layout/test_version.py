"""Texts give the version of splitgen.h, whose numbers and text agree. install.files compares what is installed."""
import re

import tree

HEADER = "include/splitgen/splitgen.h"


def breaches(files):
    """The places that lack the version whose numbers the header has."""
    numbers = [re.search(f"define SPLITGEN_VERSION_{part} ([0-9]+)", files[HEADER])[1]
               for part in ("MAJOR", "MINOR", "PATCH")]
    version = ".".join(numbers)
    return [f"{path}: does not have '{text}'" for path, text in (
        (HEADER, f'define SPLITGEN_VERSION "{version}"'), ("README.md", f"version {version},"),
        ("CHANGELOG.md", f"\n## {version} - "), ("generator/packaging/debian/changelog", f"splitgen ({version}-"))
        if text not in re.sub(" +", " ", files[path])]


def test_the_version():
    files = tree.read(HEADER, "README.md", "CHANGELOG.md", "generator/packaging/debian/changelog")
    tree.expect_none(breaches(files), "the version differs")
    other = tree.changed(files, HEADER, "define SPLITGEN_VERSION_PATCH ", "define SPLITGEN_VERSION_PATCH 99")
    assert sorted(breach.split(":")[0] for breach in breaches(other)) == list(files)
