"""Wheels for every Linux (generator/packaging/wheels), made here and tested by check_wheels.py; one of them is made
twice, in another folder, with the same bytes. Downloads are kept in the folder of `kept`."""
import pathlib
import platform
import re
import shutil
import sys

import pytest
from packages import venv
from testing import SOURCE, given, needs


def test_wheels(work):
    for program in "apt-get", "dpkg-source", "dpkg-deb", "git", "lemon", "readelf":
        needs(program)
    if platform.machine() not in ("x86_64", "aarch64"):
        pytest.skip("the wheels are made on x86_64 or aarch64")
    kept = pathlib.Path(given["kept"])
    python = venv(kept / "venv", "auditwheel")

    def make(name, *targets):
        for folder in kept / name, kept / f"{name}.work/build":
            shutil.rmtree(folder, ignore_errors=True)
        done = work.run([sys.executable, SOURCE / "generator/packaging/wheels/build_wheels.py", "--out", kept / name,
                         "--work", kept / f"{name}.work", *targets], None, cwd=SOURCE)
        if done.code and re.search("apt-get .* failed:|pip install .* failed:", done.out + done.err):
            pytest.skip(f"no network: {done.err}")
        done.expect()

    make("wheels")
    work.run([python, SOURCE / "tests/python/check_wheels.py", kept / "wheels", work.tool, given["build"], SOURCE,
              kept / "test", given["cc"]])
    make("again", f"{platform.machine()}-linux-musl")
    again = sorted((kept / "again").glob("splitgen-*"))
    assert again and not [path.name for path in again
                          if path.read_bytes() != (kept / "wheels" / path.name).read_bytes()]
