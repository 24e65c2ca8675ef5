"""Tests the wheels of generator/packaging/wheels: their system requirements, their contents, and that their tools print
the same bytes as this system's tool.

    check_wheels.py WHEELS TOOL BINARY_DIR SOURCE_DIR WORK CC

Runs in a virtual environment with auditwheel. Prints a table of results. Checks that cannot run here, without an
emulator or Debian's packages, are marked in the table and are no failure."""
import hashlib, os, pathlib, platform, re, shutil, subprocess, sys, time, venv, zipfile

WHEELS, TOOL, BINARY_DIR, SOURCE_DIR, WORK = (pathlib.Path(argument).resolve() for argument in sys.argv[1:6])
CC = sys.argv[6]

# An old Debian that mirrors still have: its C library, and the requirements of its Python to run pip.
SUITE = "bullseye"
MIRROR = os.environ.get("SPLITGEN_DEBIAN_MIRROR", "http://deb.debian.org/debian")
PACKAGES = ("libc6 libgcc-s1 zlib1g libexpat1 libssl1.1 libffi7 libcrypt1 libbz2-1.0 liblzma5 libuuid1 "
            "libpython3.9-minimal libpython3.9-stdlib python3.9-minimal python3-distutils").split()
DEBIAN = {"x86_64": "amd64", "aarch64": "arm64"}


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def expect(what, is_, wanted):
    if is_ != wanted:
        sys.exit(f"{what}: {is_!r} instead of {wanted!r}")


def fresh(*names):
    folder = WORK.joinpath(*names)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def make_root(machine):
    """A folder with SUITE's C library and Python for the machine, or None. Kept, because it is downloaded."""
    root = WORK / "roots" / machine
    if (root / "ready").exists():
        return root
    own, arch = fresh("roots", machine + ".apt"), DEBIAN[machine]
    for folder in ("lists/partial", "archives/partial"):
        (own / folder).mkdir(parents=True)
    (own / "sources.list").write_text(f"deb {MIRROR} {SUITE} main\n")
    words = ["apt-get", "-q"]
    for option in (f"Dir::State::Lists={own}/lists", f"Dir::Cache={own}", f"Dir::Etc::SourceList={own}/sources.list",
                   "Dir::Etc::SourceParts=/dev/null", "Dir::State::status=/dev/null", f"APT::Architecture={arch}",
                   f"APT::Architectures={arch}", "APT::Sandbox::User=", "Acquire::Languages=none"):
        words += ["-o", option]
    try:
        for command in (["update"], ["download", *PACKAGES]):
            if subprocess.run(words + command, cwd=own, capture_output=True, timeout=300).returncode != 0:
                return None
    except (OSError, subprocess.TimeoutExpired):
        return None
    for package in own.glob("*.deb"):
        run("dpkg-deb", "-x", package, root)
    (root / "ready").touch()
    return root


def words_for(wheel):
    """The command prefix that runs a program of the wheel's machine here, and its name."""
    machine = "aarch64" if "aarch64" in wheel.name else "x86_64"
    emulator = [shutil.which(f"qemu-{machine}") or shutil.which(f"qemu-{machine}-static")]
    native = machine == platform.machine()
    if "musllinux" in wheel.name:
        if native:
            return machine, [], "static, by itself"
        return machine, (emulator if emulator[0] else None), "static, qemu-user"
    root = make_root(machine)
    if not root:
        return machine, ([] if native else None), "this system (no packages of " + SUITE + ")"
    if native:
        loader = next((root / "lib").glob("*-linux-gnu/ld-linux-*.so.*"))
        libraries = f"{loader.parent}:{root}/usr/lib/{loader.parent.name}"
        return machine, [loader, "--library-path", libraries], f"glibc of {SUITE}"
    return machine, (emulator + ["-L", root] if emulator[0] else None), f"glibc of {SUITE}, qemu-user"


def unpack(wheel):
    """The wheel as pip installs it, for the platform in its name."""
    folder = fresh("unpacked", wheel.stem)
    tag = wheel.stem.split("-")[-1].split(".")[-1]
    run(sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps", "--target", folder,
        "--platform", tag, "--only-binary=:all:", wheel)
    return folder / "splitgen"


def check_tag(wheel):
    """Compares auditwheel's tag of the oldest system with the name."""
    shown = run(sys.executable, "-m", "auditwheel", "show", wheel)
    found = re.search(r'tag: "([a-z0-9_]+)"', " ".join(shown.split()))
    if not found or f"-{found[1]}." not in wheel.name:
        sys.exit(f"auditwheel disagrees with {wheel.name}:\n{shown}")
    return found[1]


def check_program(wheel, program):
    """The program's requirements: its newest symbol of glibc, or that it is static; and that it is stripped."""
    expect(f"{wheel.name}: stripped", ".symtab" in run("readelf", "-WS", program), False)
    headers = run("readelf", "-Wld", program)
    if "musllinux" in wheel.name:
        expect(f"{wheel.name}: asks for a loader or libraries", "INTERP" in headers or "NEEDED" in headers, False)
        return "none"
    needed = re.findall(r"NEEDED.*\[(.*)\]", headers)
    others = [name for name in needed if not re.match(r"lib(c|m|pthread|dl|rt)\.so\.|ld-linux", name)]
    expect(f"{wheel.name}: libraries", others, [])
    asked = re.findall(r"GLIBC_([0-9.]+)", run("readelf", "-WV", program))
    versions = {tuple(map(int, version.split("."))) for version in asked}
    if max(versions) > (2, 17):
        sys.exit(f"{wheel.name} asks for glibc {max(versions)}")
    return ".".join(map(str, max(versions)))


def is_own(name):
    """Whether a file of the package depends on the machine."""
    return name.endswith((".a", "bin/splitgen", "targets-TYPE.cmake", "version.cmake", ".cdx.json"))


def check_files(wheel, package, installed):
    """The package has the files of an installation of this build, with the same bytes unless they depend on the
    machine."""
    def listed(folder):
        files = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
        # CMake names this file after the build type.
        return {re.sub(r"targets-[a-z]+\.cmake$", "targets-TYPE.cmake", name): path for name, path in files.items()
                if "__pycache__" not in name}
    ours, theirs = listed(installed), listed(package)
    expect(f"{wheel.name}: files", sorted(theirs), sorted(ours))
    for name, path in ours.items():
        if not is_own(name) and path.read_bytes() != theirs[name].read_bytes():
            sys.exit(f"{wheel.name}: {name} has other bytes than an installation")


def check_record(wheel):
    """RECORD is right, times are those of SOURCE_DATE_EPOCH, and the tags are those of the name."""
    with zipfile.ZipFile(wheel) as files:
        expect(f"{wheel.name}: times", len({item.date_time for item in files.infolist()}), 1)
        info = next(name for name in files.namelist() if name.endswith("/WHEEL")).rpartition("/")[0]
        tags = re.findall(r"^Tag: py3-none-(.*)$", files.read(f"{info}/WHEEL").decode(), re.M)
        expect(f"{wheel.name}: tags", ".".join(tags), wheel.stem.split("-")[-1])
        names = [line.split(",")[0] for line in files.read(f"{info}/RECORD").decode().splitlines()]
        expect(f"{wheel.name}: RECORD", sorted(names), sorted(files.namelist()))


def tour(name, words, program):
    """Runs README.md with a tool; returns every file of the tour except compiled programs."""
    folder = fresh("tours", name)
    bin_dir = folder / "build" / "generator"
    bin_dir.mkdir(parents=True)
    wrapper = bin_dir / "splitgen"
    quoted = " ".join(f"'{word}'" for word in [*words, program])
    wrapper.write_text(f'#!/bin/sh\nexec {quoted} "$@"\n')
    wrapper.chmod(0o755)
    run(sys.executable, "-B", SOURCE_DIR / "tests/readme/run_page.py", SOURCE_DIR / "README.md", SOURCE_DIR,
        folder / "build", wrapper, folder / "scratch")
    # And features that the page does not show: expat, SHA-256, every kind of file.
    place = folder / "scratch/tree/build/tour"
    spec, model = SOURCE_DIR / "examples/qkv/qkv.lua", SOURCE_DIR / "tests/exec/cases/fused_packed.xml"
    for arguments in (["--print=man", "-o", "man"], ["--print=lua-api", "-o", "api"],
                      ["--emit=c,h,test,bench,proof,json,svg,py", "-o", "all/", spec],
                      ["--emit=c,h,json", "-o", "ir/", model]):
        for last in arguments:
            if str(last).endswith("/"):
                (place / last).mkdir()
        run(wrapper, *arguments, cwd=place)
    files = {str(path.relative_to(place)): hashlib.sha256(path.read_bytes()).hexdigest() for path in place.rglob("*")
             if path.is_file() and path.name != "selftest"}
    shutil.rmtree(folder / "scratch" / "tree")
    return files


def pip_of_root(wheel, machine, words):
    """Installs the wheel with the old system's own Python: its pip accepts the tag. Returns its package, or None."""
    root = WORK / "roots" / machine
    if "musllinux" in wheel.name or not (root / "ready").exists():
        return None
    import pip
    folder = fresh("pips", wheel.stem)
    library = fresh("pips", wheel.stem + ".pip")
    shutil.copytree(pathlib.Path(pip.__file__).parent, library / "pip")
    run(*words, root / "usr/bin/python3.9", "-S", "-m", "pip", "install", "-q", "--no-deps", "--target", folder, wheel,
        env={"PATH": os.environ["PATH"], "PYTHONHOME": str(root / "usr"), "PYTHONPATH": str(library),
             "PIP_DISABLE_PIP_VERSION_CHECK": "1", "HOME": str(library)})
    return folder / "splitgen"


FIRST = """import numpy as np, splitgen
image = np.arange(1080 * 1920 * 3, dtype=np.uint8).reshape(1080, 1920, 3)
k = splitgen.compile("rgb: u8[1080,1920,3] @2 -> r:1 g:1 b:1")
parts = k.rgb(image)
assert all((a == b).all() for a, b in zip(parts, np.split(image, 3, 2)))
"""


def check_environment(wheel):
    """pip install FILE.whl in a fresh environment, the script and the first array. Returns the seconds of both."""
    folder = fresh("environment")
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv/bin/python"
    begin = time.monotonic()
    run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", wheel)
    installed = time.monotonic()
    (folder / "first.py").write_text(FIRST)
    run(python, folder / "first.py", cwd=folder, env={**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), "CC": CC})
    done = time.monotonic()
    version = run(folder / "venv/bin/splitgen", "--version").splitlines()[0]
    expect("the script", version, run(TOOL, "--version").splitlines()[0])
    run(python, "-m", "pip", "check", "--disable-pip-version-check")
    return installed - begin, done - installed


def check_wheel(wheel, installed, expected):
    check_record(wheel)
    tag = check_tag(wheel)
    package = unpack(wheel)
    check_files(wheel, package, installed)
    program = package / "bin/splitgen"
    glibc = check_program(wheel, program)
    machine, words, how = words_for(wheel)
    ran = "not run: no qemu-user"
    if words is not None:
        names = tour(wheel.stem, words, program)
        expect(f"{wheel.name}: files of the tour", sorted(names), sorted(expected))
        expect(f"{wheel.name}: other bytes", [name for name in names if names[name] != expected[name]], [])
        ran = f"the tour, {len(names)} files the same ({how})"
        package = pip_of_root(wheel, machine, words)
        if package:
            expect("pip of the root", (package / "bin/splitgen").read_bytes(), program.read_bytes())
            ran += f"; pip of {SUITE}"
    print(f"{wheel.name}\n  tag by auditwheel  {tag}\n  newest GLIBC       {glibc}\n"
          f"  tool, stripped     {program.stat().st_size / 1024:.0f} KiB; wheel {wheel.stat().st_size / 1024:.0f} KiB\n"
          f"  ran                {ran}", flush=True)


def check_programs(expected_count):
    """The programs beside the wheels equal those inside, run in an empty root, and SHA256SUMS is right."""
    run("sha256sum", "-c", "--quiet", "SHA256SUMS", cwd=WHEELS)
    programs = [path for path in WHEELS.glob("splitgen-*-linux-*") if path.suffix != ".whl"]
    expect("static programs", len(programs), expected_count)
    own = next(path for path in programs if path.name.endswith(platform.machine()))
    if os.geteuid() == 0:
        root = fresh("empty")
        shutil.copy(own, root / "splitgen")
        said = run("chroot", root, "/splitgen", "--emit=c", "-e", "a: u8[4,4] @1 -> b:1 c:3")
        expect("in an empty root", said, run(TOOL, "--emit=c", "-e", "a: u8[4,4] @1 -> b:1 c:3"))
        print(f"{own.name}: runs in a root that is empty")


def main():
    wheels = sorted(WHEELS.glob("*.whl"))
    if not wheels:
        sys.exit(f"no wheels in {WHEELS}")
    installed = fresh("installed")
    for component in ("development", "tool", "python"):
        run("cmake", "--install", BINARY_DIR, "--component", component, "--prefix", installed)
    expected = tour("native", [], TOOL)
    for wheel in wheels:
        check_wheel(wheel, installed, expected)
    check_programs(sum("musllinux" in wheel.name for wheel in wheels))
    own = [wheel for wheel in wheels if "manylinux" in wheel.name and platform.machine() in wheel.name]
    for wheel in own:
        install, first = check_environment(wheel)
        print(f"{wheel.name}: pip install {install:.1f} s, then {first:.1f} s to the first array, compiled by {CC}")


main()
