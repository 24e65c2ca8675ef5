#!/usr/bin/env python3
"""Puts the page together without emscripten: with a module of WebAssembly that is empty.

    write_page.py SOURCE FOLDER
"""
import pathlib
import sys

source, folder = sys.argv[1:]
sys.path.insert(0, f"{source}/examples/playground")
import build_page  # noqa: E402

build_page.write_page(pathlib.Path(folder), "", b"\0asm\1\0\0\0")
