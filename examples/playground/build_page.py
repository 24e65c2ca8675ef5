#!/usr/bin/env python3
"""Builds the page that runs splitgen in a browser.

    build_page.py               into build/playground; open index.html there, no server is needed
    build_page.py --out FOLDER  into another folder
    build_page.py --guide URL --source URL
                                for a page that is served without the source tree, which the links lead to otherwise

The tool is compiled to WebAssembly by emscripten, with Lua, expat and nettle from the sources that
generator/packaging/zig/build.py fetches. It becomes one script, tool.js, with the worker's scripts at its end; examples.json
becomes examples.js; index.html gets the version and the links; all other files are copied as they lie here.
"""
import argparse
import base64
import gzip
import html
import json
import os
import pathlib
import re
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "generator/packaging/zig"))
import build as libraries  # noqa: E402

PAGE = ["page.css", "limits.js", "options.js", "engine.js", "link.js", "parts.js", "show.js", "page.js"]
WORKER = ["limits.js", "sections.js", "prepare.js", "worker.js"]

# A function that makes instances of the tool, for a worker: the page makes one for each run, so that nothing of a run is
# there in the next, and starts main itself. WORKERFS lets the tool read files that stay on the disk.
LINK = ["-O2", "-sMODULARIZE", "-sEXPORT_NAME=createSplitgen", "-sENVIRONMENT=worker", "-sINVOKE_RUN=0",
        "-sALLOW_MEMORY_GROWTH", "-sEXPORTED_RUNTIME_METHODS=callMain,FS", "-sFORCE_FILESYSTEM", "-lworkerfs.js"]


def build_libraries(work, prefix):
    """Static libraries of what the tool links."""
    for name, source in libraries.fetch_sources(work).items():
        if not (prefix / "lib" / f"lib{name}.a").exists():
            libraries.build_library(["emcc"], ["emar"], "linux", name, source, prefix)


def build_tool(prefix):
    """The tool as emscripten makes it: the text of its script and the bytes of its code."""
    folder = prefix / "tool"
    given = ["-DCMAKE_BUILD_TYPE=Release", "-DSPLITGEN_BUILD_GENERATOR=ON", "-DSPLITGEN_BUILD_TESTS=OFF",
             "-DSPLITGEN_BUILD_EXAMPLES=OFF", "-DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=BOTH",  # lemon's template is the system's
             f"-DCMAKE_EXE_LINKER_FLAGS={' '.join(LINK)}"]
    for name, variable in (("lua5.4", "LUA"), ("expat", "EXPAT"), ("nettle", "NETTLE")):
        given += [f"-DSPLITGEN_{variable}_INCLUDE_DIR={prefix}/include",
                  f"-DSPLITGEN_{variable}_LIBRARY={prefix}/lib/lib{name}.a"]
    libraries.run(["emcmake", "cmake", "-S", ROOT, "-B", folder, *given])
    libraries.run(["cmake", "--build", folder, "--parallel", os.cpu_count(), "--target", "splitgen"])
    return (folder / "generator/splitgen.js").read_text(), (folder / "generator/splitgen.wasm").read_bytes()


def read_examples():
    """examples.json with the text of the files that it names, as the script examples.js."""
    examples = json.loads((HERE / "examples.json").read_text())
    for example in examples:
        if "file" in example:
            file = HERE.parent / example.pop("file")
            example.update(name=file.name, text=file.read_text())
    return f"const EXAMPLES = {json.dumps(examples, indent=1)};\n"


def read_index(out, guide, source):
    """index.html with the version and the links, relative to the folder of the page where no address is given."""
    version = re.search(r'define SPLITGEN_VERSION\s+"([^"]+)"', (ROOT / "include/splitgen/splitgen.h").read_text())[1]
    links = (("Guide", guide or os.path.relpath(ROOT / "generator/docs/README.md", out.resolve())),
             ("Source", source or os.path.relpath(ROOT, out.resolve()) + "/"))
    shown = "".join(f'<a href="{html.escape(address)}">{text}</a>' for text, address in links)
    return (HERE / "index.html").read_text().replace("@VERSION@", version).replace("@LINKS@", shown)


def write_page(out, script, code, guide=None, source=None):
    """All files of the page."""
    out.mkdir(parents=True, exist_ok=True)
    (out / "index.html").write_text(read_index(out, guide, source))
    for name in PAGE:
        shutil.copyfile(HERE / name, out / name)
    (out / "examples.js").write_text(read_examples())
    # The worker starts from a blob and a page on a disk may read no file beside it, so that both are strings in a script.
    worker = script + "".join((HERE / name).read_text() for name in WORKER)
    packed = base64.b64encode(gzip.compress(code, 9, mtime=0)).decode()
    (out / "tool.js").write_text(f"const splitgenWorker = {json.dumps(worker)};\nconst splitgenWasm = \"{packed}\";\n")


def tell_sizes(out):
    """What a browser loads, as it is and as servers send it."""
    print(f"{'file':16}{'bytes':>10}{'gzip':>10}")
    total = [0, 0]
    for file in sorted(out.iterdir()):
        sizes = [file.stat().st_size, len(gzip.compress(file.read_bytes(), 9))]
        total = [total[0] + sizes[0], total[1] + sizes[1]]
        print(f"{file.name:16}{sizes[0]:10}{sizes[1]:10}")
    print(f"{'together':16}{total[0]:10}{total[1]:10}")
    print(out / "index.html")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default=ROOT / "build/playground", type=pathlib.Path, help="the folder for the page")
    parser.add_argument("--work", default=ROOT / "build/zig", type=pathlib.Path,
                        help="the folder for the libraries' sources and all that is compiled (build/zig)")
    parser.add_argument("--guide", metavar="URL", help="the address of the guide")
    parser.add_argument("--source", metavar="URL", help="the address of the source")
    given = parser.parse_args()
    if not shutil.which("emcc"):
        libraries.fail("there is no emcc: sudo apt-get install emscripten")
    work = given.work.resolve()
    prefix = work / "wasm32-emscripten"
    prefix.mkdir(parents=True, exist_ok=True)
    # Where Debian's emscripten keeps what its scripts need; a node that is not Debian's does not look there by itself.
    os.environ.setdefault("NODE_PATH", "/usr/share/nodejs")
    build_libraries(work, prefix)
    write_page(given.out.resolve(), *build_tool(prefix), given.guide, given.source)
    tell_sizes(given.out.resolve())


if __name__ == "__main__":
    main()
