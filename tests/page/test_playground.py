"""The page that runs the tool in a browser: attacked without one (attacks.js in node, with a module of WebAssembly that
is empty), and built and opened in headless Chromium (browse_page.py)."""
import shutil
import sys

import pytest
from testing import SOURCE, needs

PLAYGROUND = SOURCE / "examples/playground"
EMPTY = f"""import pathlib, sys
sys.path.insert(0, {str(PLAYGROUND)!r})
import build_page
build_page.write_page(pathlib.Path("page"), "", b"\\0asm\\1\\0\\0\\0")
"""


def test_attacks(work):
    node = needs("node", "nodejs")
    work.run([sys.executable, "-B", "-c", EMPTY])
    work.run([node, SOURCE / "tests/page/attacks.js", "page", work.tool, "."], out="ok: ")


def test_browser(work):
    missing = [package for program, package in (
        ("emcc", "emscripten"), ("chromium", "chromium"), ("chromedriver", "chromium-driver"), ("apt-get", "apt"),
        ("dpkg-source", "dpkg-dev")) if not shutil.which(program)]
    if missing:
        pytest.skip(f"sudo apt-get install {' '.join(missing)}")
    work.run([sys.executable, "-B", PLAYGROUND / "build_page.py", "--out", "page", "--work", "zig"])
    work.run([sys.executable, "-B", SOURCE / "tests/page/browse_page.py", work.tool, SOURCE, "page", "run",
              shutil.which("chromedriver"), shutil.which("chromium")], out="ok: ")
