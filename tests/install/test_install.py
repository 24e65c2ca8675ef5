"""The installed files: by `cmake --install`, by CPack's Debian package, by the packages of generator/packaging/debian."""
import hashlib
import json
import os
import re
import shutil

import pytest
from testing import SOURCE, given, needs, regex

BUILDS = SOURCE / "tests/consumer/builds"  # a project of a user
TOOL = """bin/splitgen share/man/man1/splitgen.1 share/man/man3/splitgen-runtime.3
    share/bash-completion/completions/splitgen share/zsh/site-functions/_splitgen
    share/fish/vendor_completions.d/splitgen.fish share/splitgen/lua-api/splitgen.lua
    share/splitgen/schemas/plan.schema.json share/splitgen/schemas/list.schema.json
    share/splitgen/schemas/report.schema.json share/splitgen/schemas/diagnostics.schema.json
    share/splitgen/splitgen.cdx.json share/doc/splitgen/README.md share/doc/splitgen/LICENSE lib/pkgconfig/splitgen.pc
    lib/cmake/splitgen/splitgen-tool-targets.cmake lib/cmake/splitgen/splitgen-config.cmake"""
DEVELOPMENT = """lib/libsplitgen_runtime.a lib/pkgconfig/splitgen-runtime.pc include/splitgen/vector.h
    include/splitgen/dtypes.inc share/splitgen/runtime/splitgen_runtime.c share/splitgen/runtime/splitgen_arrays.py
    lib/cmake/splitgen/splitgen-config.cmake lib/cmake/splitgen/splitgen-runtime-targets.cmake"""
MAKE = """set -eu
eval "$(pkg-config --variable=splitgen splitgen) qkv.lua -o qkv.c --header qkv.h" # blanks are escaped
eval "$CC -O2 main.c qkv.c $(pkg-config --cflags --libs 'splitgen-runtime >= 0.3') -o app"
./app
"""


def below(folder, files_only=True):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if not files_only or not path.is_dir()}


def copy_project(work, folder):
    for path in (BUILDS / "shell/build.sh", BUILDS / "qkv.lua", BUILDS / "sizes.lua", BUILDS / "main.c"):
        work.write(f"{folder}/{path.name}", path.read_bytes())


def version():
    return json.loads((SOURCE / "generator/packaging/vcpkg.json").read_text())["version"]


def test_files(work):
    """Every file, into a prefix with blanks, below DESTDIR, by components; usable after it was moved, through pkg-config
    without CMake; uninstalled without a trace."""
    build = work.tool.parents[1]
    work.env["DESTDIR"] = str(work / "dest dir")
    prefix = work / "dest dir/opt/my tools"

    def install(*more):
        work.run(["cmake", "--install", build, "--prefix", "/opt/my tools", *more])
        return below(prefix)

    tool = install("--component", "tool")
    assert tool.issuperset(TOOL.split())
    others = " ".join(tool - {"share/man/man3/splitgen-runtime.3"})  # the tool prints it
    assert not re.search("include/|runtime", others), others
    shutil.rmtree(work / "dest dir")
    development = install("--component", "development")
    assert development.issuperset(DEVELOPMENT.split())
    assert not re.search("bin/|man/|tool-targets", " ".join(development)), development
    # All of it, with a foreign file beside it; no other file, and no path of this machine in any text.
    shutil.rmtree(work / "dest dir")
    foreign = work.write("dest dir/opt/my tools/share/man/man1/other.1", "")
    assert install() == tool | development | {"share/man/man1/other.1"}
    for path in prefix.rglob("*"):
        if path.is_file() and path.parent.name != "bin" and path.suffix != ".a":
            for name in (build, SOURCE, work.path, "/opt/my tools"):
                assert os.fsencode(name) not in path.read_bytes(), path
    # Moved, and used by a shell with pkg-config only.
    moved = shutil.copytree(prefix, work / "moved/my tools")
    if shutil.which("pkg-config"):
        copy_project(work, "project")
        work.write("project/make.sh", MAKE)
        work.run(["sh", "make.sh"], out="q has 8 elements, k begins with 4\n", cwd="project", env={
            "DESTDIR": None, "CC": given.get("cc", "cc"), "PKG_CONFIG_PATH": str(moved / "lib/pkgconfig")})
    assert work.run([moved / "bin/splitgen", "--print-cmake-dir"]).out == f"{moved}/lib/cmake/splitgen\n"
    assert work.splitgen(["--print-cmake-dir"]).out == f"{build}\n"
    (work / "alone/bin").mkdir(parents=True)
    alone = shutil.copy(work.tool, work / "alone/bin")
    work.run([alone, "--print-cmake-dir"], exit=range(1, 256), err=regex(r"install\s+the\s+component\s+'tool'"))
    # Only the foreign file remains.
    work.run(["cmake", "--build", build, "--target", "uninstall"])
    parents = {str(path.relative_to(prefix)) for path in [foreign, *foreign.parents] if prefix in path.parents}
    assert below(prefix, files_only=False) == {"bin", "include", "lib", *parents}


def test_versions(work):
    """All files say the tool's version. The SBOM has the versions that the tool prints, each with a licence, and no time
    or random number: nettle's header only has two numbers."""
    said = work.splitgen(["--version"], out=regex(f"^splitgen {re.escape(version())}\n")).out
    assert f"\nversion: {version()}\n" in (SOURCE / "CITATION.cff").read_text()
    text = (work.tool.parents[1] / "splitgen.cdx.json").read_text()
    bom = json.loads(text)
    names = ["lua", "expat", "nettle"]
    versions = re.search("with Lua ([0-9.]+), expat ([0-9.]+), nettle ([0-9.]+)", said).groups()
    assert (bom["bomFormat"], bom["specVersion"], bom["version"]) == ("CycloneDX", "1.5", 1)
    assert bom["metadata"]["component"]["version"] == version() and bom["dependencies"][0]["dependsOn"] == names
    assert [(one["type"], one["bom-ref"], one["version"], one["purl"], len(one["licenses"]))
            for one in bom["components"]] == [("library", name, number, f"pkg:generic/{name}@{number}", 1)
                                              for name, number in zip(names, versions)]
    assert "serialNumber" not in text and "timestamp" not in text


def root_of_dpkg(work):
    """The command of dpkg for a new root, which has only a database of packages, so their dependencies are not there."""
    work.env["PATH"] += ":/usr/sbin:/sbin"  # dpkg requires ldconfig
    work.write("root/var/lib/dpkg/status", "")
    for folder in ("var/lib/dpkg/updates", "var/lib/dpkg/info", "var/log"):
        (work / "root" / folder).mkdir(parents=True, exist_ok=True)
    return ["fakeroot", "dpkg", f"--root={work / 'root'}", "--force-depends"]


def everything(work):
    return {name for name in below(work / "root", files_only=False) if not re.match("var/(lib/dpkg|log)/", name)}


def contents(work, package):
    """The lines about a package's files, which are root's, in /usr, with usual rights."""
    lines = work.run(["dpkg-deb", "--contents", package]).out.splitlines()
    for line in lines:
        assert re.match(r"(drwxr-xr-x|-rwxr-xr-x|-rw-r--r--|lrwxrwxrwx) root/root .*\./(usr/|$)", line), line
    return lines


def require_packages(*programs):
    for program in programs:
        if not shutil.which(program):
            pytest.skip("Debian packages need build-essential, debhelper, dh-python, lintian, fakeroot, file and "
                        "pkg-config: apt-get install them")


def test_debian(work):
    """The package of CPack: the owner of its files, its dependencies. Installed by dpkg into a root of its own, it
    generates and links a kernel; purged, it leaves nothing."""
    require_packages("fakeroot", "dpkg-shlibdeps", "file", "pkg-config")
    build = work.tool.parents[1]
    work.run(["cpack", "-G", "DEB", "--config", build / "CPackConfig.cmake", "-B", work / "package"])
    package, = work.path.glob("package/splitgen_*.deb")
    # Else the target `uninstall` would remove files of /usr.
    assert not (build / "install_manifest.txt").exists()
    work.run(["dpkg-deb", "--field", package, "Package", "Section", "Depends", "Maintainer", "Description"], out=[
        "Package: splitgen\n", "Section: devel\n", regex(r"Depends: [^\n]*libc6 \(>= 2[.]"),
        regex("Maintainer: [^\n]+ <[^\n]+>\n"), regex("Description: Ahead-of-time compiler [^\n]*\n splitgen compiles ")])
    contents(work, package)
    dpkg = root_of_dpkg(work)
    before = everything(work)
    work.run([*dpkg, "--install", package])
    work.run(["dpkg-query", f"--admindir={work / 'root/var/lib/dpkg'}", "-W", "-f=${db:Status-Status}", "splitgen"],
             out="installed")
    # A kernel built with pkg-config from there alone.
    copy_project(work, "shell")
    folders = [*work.path.glob("root/usr/lib/pkgconfig"), *work.path.glob("root/usr/lib/*/pkgconfig")]
    work.run(["sh", "shell/build.sh"], env={"PKG_CONFIG_LIBDIR": ":".join(map(str, folders)),
                                            "CC": given.get("cc", "cc")})
    work.run("shell/app", out="q has 8 elements, k begins with 4\n")
    work.run([*dpkg, "--purge", "splitgen"])
    assert everything(work) == before


def packaged():
    """The files of each package, without those that are the same in all."""
    def names(folder, *globs):
        return {f"{folder}/{path.name}" for glob in globs for path in SOURCE.glob(glob)}
    cmake, python = "lib/*/cmake/splitgen", "lib/python3/dist-packages"
    info = f"{python}/splitgen-{version()}.dist-info"
    return {
        "splitgen": names("share/splitgen/schemas", "generator/schemas/*.schema.json") | set(
            """bin/splitgen share/man/man1/splitgen.1.gz share/bash-completion/completions/splitgen
            share/fish/vendor_completions.d/splitgen.fish share/zsh/vendor-completions/_splitgen share/splitgen/cmake
            share/splitgen/lua-api/splitgen.lua share/splitgen/splitgen.cdx.json""".split()),
        "libsplitgen-dev": names("include/splitgen", "include/splitgen/*.h", "include/splitgen/*.inc")
        | names("share/splitgen/runtime", "runtime/*.c", "runtime/*.py") | set(
            f"""lib/*/libsplitgen_runtime.a lib/*/pkgconfig/splitgen.pc lib/*/pkgconfig/splitgen-runtime.pc
            share/man/man3/splitgen-runtime.3.gz {cmake}/SplitgenAddLibrary.cmake {cmake}/SplitgenTool.cmake
            {cmake}/splitgen-config-version.cmake {cmake}/splitgen-config.cmake
            {cmake}/splitgen-runtime-targets-none.cmake {cmake}/splitgen-runtime-targets.cmake {cmake}/splitgen-size
            {cmake}/system_headers.inc""".split()),
        "python3-splitgen": names(f"{python}/splitgen", "generator/python/*.py", "generator/python/py.typed",
                                  "runtime/*.py") | set(
            f"""{python}/splitgen/bin/splitgen {python}/splitgen/include/splitgen {python}/splitgen/lib/cmake/splitgen
            {python}/splitgen/share/splitgen/runtime {info}/METADATA {info}/WHEEL {info}/INSTALLER
            {info}/entry_points.txt""".split())}


def test_packages(work):
    """The three packages: lintian reports nothing, and each has the right files. Installed by dpkg into a root of their
    own, they pass their autopkgtests; purged, they leave nothing. Built again from the source package, in another
    folder, with another umask and time zone, they have the same bytes."""
    require_packages("fakeroot", "lintian", "dh", "dh_python3", "pkg-config", "make")
    if work.run(["python3", "-c", "import numpy"], exit=None).code:
        pytest.skip("apt-get install python3-numpy")
    # Nothing of this build may reach the packages, and the tour must not run twice: it is one of the autopkgtests.
    for name in ("CFLAGS", "LDFLAGS", "DESTDIR", "CC", "CXX"):
        work.env.pop(name, None)
    work.env["DEB_BUILD_OPTIONS"] = "nocheck parallel=2"
    dpkg, first = root_of_dpkg(work), work / "first"
    work.run([SOURCE / "generator/packaging/debian/build", first, "-d"])
    changes, = first.glob("*.changes")
    # Lintian warns if root runs it, as in containers.
    result = work.run(["lintian", "--allow-root", "--fail-on=error,warning,info,pedantic,experimental", "-EvIL", "+pedantic",
                       changes])
    assert not re.search("^[EWIPX]: ", result.out + result.err, re.M), result
    packages = {}
    for name, expected in packaged().items():
        packages[name], = first.glob(f"{name}_*.deb")
        files = set()
        for line in contents(work, packages[name]):
            file = re.search(r"\./(?:usr/)?([^ ]*)(?: -> .*)?$", line)[1]
            if file and not line.startswith("d") and not re.match("share/(doc|lintian)/", file):
                files.add(re.sub("^lib/[^/]+-linux-gnu[^/]*/", "lib/*/", file))
        assert files == expected, name
    # Dependencies come from this machine. The script that compiles Python cannot run there, so that package is only
    # unpacked.
    before = everything(work)
    work.run([*dpkg, "--install", packages["splitgen"], packages["libsplitgen-dev"]])
    without_module = everything(work)
    work.run(["dpkg-deb", "--extract", packages["python3-splitgen"], work / "root"])
    source = first / f"splitgen-{version()}"
    for name in ("tour", "builds", "python"):
        (work / f"tmp_{name}").mkdir()
        work.run([source / "debian/tests" / name], cwd=source, env={
            "SPLITGEN_ROOT": str(work / "root"), "AUTOPKGTEST_TMP": str(work / f"tmp_{name}")})
    for name in sorted(everything(work) - without_module, reverse=True):
        path = work / "root" / name
        path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
    work.run([*dpkg, "--purge", "splitgen", "libsplitgen-dev"])
    assert everything(work) == before
    # From the source package alone; a compiler cache would return the first build's objects.
    second = work / "somewhere/else"
    second.mkdir(parents=True)
    dsc, = first.glob("*.dsc")
    work.run(["dpkg-source", "--no-check", "--extract", dsc, second / "tree"])
    work.run("umask 027 && exec dpkg-buildpackage -us -uc -d -b", cwd=second / "tree", env={
        "TZ": "Pacific/Kiritimati", "LC_ALL": "C.UTF-8", "CCACHE_DISABLE": "1", "CMAKE_C_COMPILER_LAUNCHER": None})
    built = sorted(path.name for path in first.glob("*.deb"))
    assert len(built) >= 3
    for name in built:
        one, other = (hashlib.sha256((folder / name).read_bytes()).hexdigest() for folder in (first, second))
        assert one == other, name
