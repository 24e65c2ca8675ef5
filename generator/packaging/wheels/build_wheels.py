#!/usr/bin/env python3
"""Makes wheels that run on any Linux, and the tool as one static program for each processor.

    build_wheels.py                    all of them, into build/wheels
    build_wheels.py TARGET...          some, such as x86_64-linux-gnu.2.17
    build_wheels.py --list             the targets

A wheel has the files of `pip install .`, because the same backend makes it; only the compiler differs, which is that
of generator/packaging/zig. The same commit gives the same bytes. See README.md."""
import argparse
import base64
import hashlib
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import time
import venv
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
ZIG_BUILD = HERE.parent / "zig" / "build.py"

# The targets of zig, with the tags of the wheel. A static program has no requirements on musl; this is auditwheel's tag
# for it.
TARGETS = {
    "x86_64-linux-gnu.2.17": ["manylinux_2_17_x86_64", "manylinux2014_x86_64"],
    "aarch64-linux-gnu.2.17": ["manylinux_2_17_aarch64", "manylinux2014_aarch64"],
    "x86_64-linux-musl": ["musllinux_1_2_x86_64"],
    "aarch64-linux-musl": ["musllinux_1_2_aarch64"],
}

# Other versions may give other bytes. They are installed in a separate environment.
PACKAGES = ["ziglang==0.17.1", "scikit-build-core==1.1.2"]

# Environment variables of a builder that could change the bytes.
FLAGS = ("CFLAGS", "CPPFLAGS", "LDFLAGS", "CC", "AR", "CMAKE_ARGS", "CMAKE_TOOLCHAIN_FILE", "CMAKE_C_COMPILER_LAUNCHER",
         "CMAKE_BUILD_TYPE", "ARCHFLAGS")


def fail(text):
    sys.exit(f"build_wheels.py: {text}")


def run(command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        fail(f"{' '.join(str(word) for word in command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def environment(work):
    """The Python of an environment with PACKAGES; created once for each list of them."""
    name = hashlib.sha256(" ".join(PACKAGES).encode()).hexdigest()[:8]
    folder = work / f"venv-{name}"
    python = folder / "bin" / "python"
    if not (folder / "ready").exists():
        venv.create(folder, with_pip=True, clear=True)
        run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *PACKAGES])
        (folder / "ready").touch()
    return python


def epoch():
    """The time of all files: SOURCE_DATE_EPOCH, or the commit's, or the earliest time that a zip file can represent."""
    earliest = 315532800
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given is None:
        done = subprocess.run(["git", "-C", ROOT, "log", "-1", "--format=%ct"], capture_output=True, text=True)
        given = done.stdout.strip() if done.returncode == 0 else ""
    return max(earliest, int(given or earliest))


def stand_in(work, tool):
    """A program for CMake's CROSSCOMPILING_EMULATOR: runs the tool for this machine in place of the one it is given.

    What the tool prints about itself, its manual and completions, is the same whatever machine it is for.
    """
    script = work / "stand-in"
    script.write_text(f'#!/bin/sh\nshift\nexec "{tool}" "$@"\n')
    script.chmod(0o755)
    return script


def backend_wheel(python, target, work, emulator):
    """The wheel of pip's backend for TARGET, with the tag of this machine."""
    # zig itself, which avoids starting Python for every file.
    zig = run([python, "-c", "import os, ziglang\nprint(os.path.join(os.path.dirname(ziglang.__file__), 'zig'))"]).strip()
    toolchain = run([python, ZIG_BUILD, target, "--work", work / "zig"], env={**os.environ, "ZIG": zig}).strip()
    folder = work / "backend" / target
    shutil.rmtree(folder, ignore_errors=True)
    settings = {
        "build-dir": str(work / "build" / target),
        "cmake.define.CMAKE_TOOLCHAIN_FILE": toolchain,
        "cmake.define.CMAKE_CROSSCOMPILING_EMULATOR": str(emulator),
        # zig adds debug information by default. The linker strips, because this machine's `strip` does not support
        # other machines.
        "cmake.define.CMAKE_C_FLAGS": "-g0",
        "cmake.define.CMAKE_EXE_LINKER_FLAGS": "-s",
        "cmake.define.SPLITGEN_WERROR": "ON",
        "install.strip": "false",
    }
    kept = {name: value for name, value in os.environ.items() if name not in FLAGS}
    run([python, "-c", f"from scikit_build_core.build import build_wheel\nbuild_wheel({str(folder)!r}, {settings!r})"],
        cwd=ROOT, env=kept)
    return next(folder.glob("*.whl"))


def tagged(text, tags):
    """The file WHEEL with its tags replaced by TAGS."""
    kept = [line for line in text.splitlines() if line and not line.startswith("Tag:")]
    return "\n".join(kept + [f"Tag: py3-none-{tag}" for tag in tags]) + "\n"


def record_line(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def write_wheel(source, tags, out):
    """Writes SOURCE again, with other tags and without any trace of the time and place of the build."""
    with zipfile.ZipFile(source) as old:
        files = {item.filename: (old.read(item), bool(item.external_attr >> 16 & 0o100))
                 for item in old.infolist() if not item.is_dir()}
    record = next(name for name in files if name.endswith(".dist-info/RECORD"))
    info = record.rpartition("/")[0]
    del files[record]
    wheel = f"{info}/WHEEL"
    files[wheel] = (tagged(files[wheel][0].decode(), tags).encode(), False)
    # The metadata last, as the format recommends.
    names = sorted(files, key=lambda name: (name.startswith(info), name))
    lines = [record_line(name, files[name][0]) for name in names]
    files[record] = ("".join(lines + [f"{record},,\n"]).encode(), False)
    path = out / f"{info.removesuffix('.dist-info')}-py3-none-{'.'.join(tags)}.whl"
    date = time.gmtime(epoch())[:6]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as new:
        for name in [*names, record]:
            data, runs = files[name]
            item = zipfile.ZipInfo(name, date)
            item.compress_type = zipfile.ZIP_DEFLATED
            item.create_system = 3
            item.external_attr = (0o100755 if runs else 0o100644) << 16
            new.writestr(item, data)
    return path


def write_program(wheel, target, out):
    """The tool of a musl wheel, which is a single static program."""
    version = wheel.name.split("-")[1]
    path = out / f"splitgen-{version}-linux-{target.split('-')[0]}"
    with zipfile.ZipFile(wheel) as files:
        path.write_bytes(files.read("splitgen/bin/splitgen"))
    path.chmod(0o755)
    return path


def write_sums(out):
    """SHA256SUMS, for `sha256sum -c`."""
    files = sorted(path for path in out.iterdir() if path.name.startswith("splitgen-"))
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (out / "SHA256SUMS").write_text("".join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="what to build for (all)")
    parser.add_argument("--list", action="store_true", help="print the targets")
    parser.add_argument("--out", default="build/wheels", help="the folder for wheels and programs (build/wheels)")
    parser.add_argument("--work", default="build/wheels/work", help="the folder for what is built on the way, kept")
    given = parser.parse_args()
    if given.list:
        print("\n".join(TARGETS))
        return
    wanted = given.targets or list(TARGETS)
    # First a tool for this machine that runs on any Linux: it prints the manual for the others.
    own = f"{platform.machine()}-linux-musl"
    unknown = [target for target in wanted if target not in TARGETS]
    if unknown:
        parser.error(f"no target {unknown[0]}; there are " + ", ".join(TARGETS))
    if own not in TARGETS:
        fail(f"this machine is {platform.machine()}: the wheels are made on x86_64 or aarch64")
    out, work = pathlib.Path(given.out).resolve(), pathlib.Path(given.work).resolve()
    out.mkdir(parents=True, exist_ok=True)
    work.mkdir(parents=True, exist_ok=True)
    python = environment(work)
    emulator = "/usr/bin/env"
    for target in [own] + [target for target in wanted if target != own]:
        made = backend_wheel(python, target, work, emulator)
        if target == own:
            emulator = stand_in(work, work / "build" / own / "generator" / "splitgen")
        if target in wanted:
            wheel = write_wheel(made, TARGETS[target], out)
            print(wheel)
            if "musl" in target:
                print(write_program(wheel, target, out))
    write_sums(out)


if __name__ == "__main__":
    main()
