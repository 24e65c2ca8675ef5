#!/usr/bin/env python3
"""Builds what the tool links, and the tool itself, for another system, with the compiler of PyPI's ziglang.

    build.py TARGET             static libraries of Lua, expat and nettle, and a CMake toolchain file
    build.py TARGET --tool      and the tool, as WORK/TARGET/tool/generator/splitgen
    build.py --list             the targets that are tried by tests

The libraries' sources are those of Debian's source packages, fetched by apt-get with lists of its own in WORK (no root,
nothing of the system is touched). zig is $ZIG, `python3 -m ziglang`, or zig on PATH. See README.md.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]

TARGETS = ["x86_64-linux-gnu.2.17", "aarch64-linux-gnu.2.17", "x86_64-linux-musl", "aarch64-linux-musl",
           "x86_64-windows-gnu", "aarch64-macos"]
SYSTEMS = {"linux": "Linux", "windows": "Windows", "macos": "Darwin"}

# The Debian release whose sources are used. Its point releases may be newer than a mirror's.
SUITE = "bookworm"
MIRROR = os.environ.get("SPLITGEN_DEBIAN_MIRROR", "http://deb.debian.org/debian")
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"

# Package: the folder of its sources, the files to compile, the public headers.
LIBRARIES = {
    "lua5.4": ("src", lambda name: name not in ("lua.c", "luac.c"),
               ["lua.h", "luaconf.h", "lualib.h", "lauxlib.h", "lua5.4-deb-multiarch.h"]),
    "expat": ("expat/lib", lambda name: name in ("xmlparse.c", "xmlrole.c", "xmltok.c"),
              ["expat.h", "expat_external.h"]),
    "nettle": (".", lambda name: name in ("sha256.c", "sha256-compress.c", "write-be32.c", "version.c"),
               ["nettle-types.h", "sha2.h", "version.h"]),
}


def fail(text):
    sys.exit(f"build.py: {text}")


def run(command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        fail(f"{' '.join(str(word) for word in command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def find_zig():
    """The command that runs zig."""
    for words in ([os.environ.get("ZIG", "")], [sys.executable, "-m", "ziglang"], [shutil.which("zig") or ""]):
        if words[0] and subprocess.run(words + ["version"], capture_output=True).returncode == 0:
            return words
    fail("there is no zig: pip install ziglang, or set ZIG")


def fetch_sources(work):
    """Unpacks each package with Debian's patches, and returns the folders by name."""
    sources = work / "sources"
    found = {name: sorted(sources.glob(f"{name}-*/")) for name in LIBRARIES}
    if not all(found.values()):
        for folder in ("lists/partial", "archives/partial"):
            (work / "apt" / folder).mkdir(parents=True, exist_ok=True)
        sources.mkdir(parents=True, exist_ok=True)
        signed = f" [signed-by={KEYRING}]" if os.path.exists(KEYRING) else ""
        (work / "apt/sources.list").write_text(f"deb-src{signed} {MIRROR} {SUITE} main\n")
        own = ["-q", "-o", f"Dir::State::Lists={work}/apt/lists", "-o", f"Dir::Cache={work}/apt",
               "-o", f"Dir::Etc::SourceList={work}/apt/sources.list", "-o", "Dir::Etc::SourceParts=/dev/null",
               "-o", "APT::Sandbox::User="]
        run(["apt-get", *own, "update"])
        run(["apt-get", *own, "source", "--only-source", *LIBRARIES], cwd=sources)
        found = {name: sorted(sources.glob(f"{name}-*/")) for name in LIBRARIES}
    return {name: folders[-1] for name, folders in found.items()}


def configure(name, source, include, system):
    """Writes the headers that the package's own configure script would make, and returns flags."""
    if name == "lua5.4":
        # Debian's luaconf.h includes it for the folder of modules; the tool loads none.
        (include / "lua5.4-deb-multiarch.h").write_text('#define DEB_HOST_MULTIARCH "none"\n')
        return ["-DLUA_COMPAT_5_3"] + ([] if system == "windows" else ["-DLUA_USE_POSIX"])
    if name == "expat":
        random = "" if system == "windows" else "#define XML_DEV_URANDOM 1\n#define HAVE_UNISTD_H 1\n"
        (include / "expat_config.h").write_text(
            "#define BYTEORDER 1234\n#define XML_CONTEXT_BYTES 1024\n#define XML_DTD 1\n#define XML_GE 1\n"
            "#define XML_NS 1\n" + random)
        return ["-DXML_STATIC", "-DHAVE_EXPAT_CONFIG_H"]
    numbers = re.search(r"AC_INIT\(\[nettle\], \[(\d+)\.(\d+)", (source / "configure.ac").read_text())
    text = (source / "version.h.in").read_text()
    for word, value in (("MAJOR_VERSION", numbers[1]), ("MINOR_VERSION", numbers[2]), ("NETTLE_USE_MINI_GMP", "0")):
        text = text.replace(f"@{word}@", value)
    (include / "version.h").write_text(text)
    (include / "config.h").write_text("#define HAVE_ALLOCA 0\n")
    return ["-DHAVE_CONFIG_H"]


def build_library(compiler, archiver, system, name, source, prefix):
    """Compiles one package into prefix/lib, its headers into prefix/include. Compiler and archiver are lists of
    words."""
    folder, wanted, headers = LIBRARIES[name]
    own = prefix / "build" / name
    own.mkdir(parents=True, exist_ok=True)
    flags = configure(name, source, own, system)
    public = prefix / "include" / ("nettle" if name == "nettle" else "")
    public.mkdir(parents=True, exist_ok=True)
    for header in headers:
        shutil.copy(own / header if (own / header).exists() else source / folder / header, public)
    files = [file for file in sorted((source / folder).glob("*.c")) if wanted(file.name)]

    def compile_one(file):
        # Failed assertions print the name of the source without its folder, so that the bytes do not depend on the
        # folder.
        out = own / f"{file.stem}.o"
        run([*compiler, "-O2", "-g0", "-ffunction-sections", "-fdata-sections", f"-ffile-prefix-map={source}={name}", *flags,
             "-I", own, "-I", source / folder, "-c", file, "-o", out])
        return out

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(compile_one, files))
    archive = prefix / "lib" / f"lib{name}.a"
    archive.parent.mkdir(exist_ok=True)
    archive.unlink(missing_ok=True)
    run([*archiver, "rcs", archive, *objects])


def write_toolchain(zig, target, system, prefix):
    """The compiler in CMake's form, one program per word, and the location of the libraries."""
    words = {"cc": f"cc -target {target} -fno-sanitize=undefined", "ar": "ar", "ranlib": "ranlib", "rc": "rc"}
    (prefix / "bin").mkdir(exist_ok=True)
    for name, call in words.items():
        script = prefix / "bin" / name
        script.write_text(f'#!/bin/sh\nexec {" ".join(zig)} {call} "$@"\n')
        script.chmod(0o755)
    lines = [f"# Made by build.py for {target}.",
             f"set(CMAKE_SYSTEM_NAME {SYSTEMS[system]})",
             f"set(CMAKE_SYSTEM_PROCESSOR {target.split('-')[0]})",
             f'set(CMAKE_C_COMPILER "{prefix}/bin/cc")',
             f'set(CMAKE_AR "{prefix}/bin/ar" CACHE FILEPATH "")',
             f'set(CMAKE_RANLIB "{prefix}/bin/ranlib" CACHE FILEPATH "")',
             f'set(CMAKE_RC_COMPILER "{prefix}/bin/rc")',
             "set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)",
             'set(SPLITGEN_BUILD_GENERATOR ON CACHE BOOL "")']
    for name, variable in (("lua5.4", "LUA"), ("expat", "EXPAT"), ("nettle", "NETTLE")):
        lines += [f'set(SPLITGEN_{variable}_INCLUDE_DIR "{prefix}/include" CACHE PATH "")',
                  f'set(SPLITGEN_{variable}_LIBRARY "{prefix}/lib/lib{name}.a" CACHE FILEPATH "")']
    (prefix / "toolchain.cmake").write_text("\n".join(lines) + "\n")


def build_tool(target, prefix, options):
    """Builds the tool with warnings as errors and returns its path."""
    folder = prefix / "tool"
    run(["cmake", "-S", ROOT, "-B", folder, f"-DCMAKE_TOOLCHAIN_FILE={prefix}/toolchain.cmake",
         "-DCMAKE_BUILD_TYPE=Release", "-DSPLITGEN_BUILD_TESTS=OFF", "-DSPLITGEN_BUILD_EXAMPLES=OFF",
         "-DSPLITGEN_WERROR=ON", *options])
    run(["cmake", "--build", folder, "--parallel", os.cpu_count(), "--target", "splitgen"])
    return folder / "generator" / ("splitgen.exe" if "windows" in target else "splitgen")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", nargs="?", help="a target of zig, such as x86_64-windows-gnu")
    parser.add_argument("--list", action="store_true", help="print the targets that are tried")
    parser.add_argument("--tool", action="store_true", help="build the tool as well")
    parser.add_argument("--work", default="build/zig", help="the folder for all that is made (build/zig)")
    parser.add_argument("--cmake", action="append", default=[], help="one more argument of cmake for the tool")
    given = parser.parse_args()
    if given.list:
        print("\n".join(TARGETS))
        return
    system = (given.target or "").partition("-")[2].partition("-")[0]
    if system not in SYSTEMS:
        parser.error("name a target, such as " + ", ".join(TARGETS))
    work = pathlib.Path(given.work).resolve()
    prefix = work / given.target
    prefix.mkdir(parents=True, exist_ok=True)
    zig = find_zig()
    # Undefined behaviour in other projects' code is not trapped, which zig does by default.
    compiler = [*zig, "cc", "-target", given.target, "-fPIC", "-fno-sanitize=undefined"]
    for name, source in fetch_sources(work).items():
        if not (prefix / "lib" / f"lib{name}.a").exists():
            build_library(compiler, [*zig, "ar"], system, name, source, prefix)
    write_toolchain(zig, given.target, system, prefix)
    print(build_tool(given.target, prefix, given.cmake) if given.tool else prefix / "toolchain.cmake")


if __name__ == "__main__":
    main()
