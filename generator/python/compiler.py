"""Compiles C into a shared library, once: the folder of a build is named by a hash of its inputs."""
from __future__ import annotations

import functools
import hashlib
import importlib.util
import os
import pathlib
import platform
import shlex
import shutil
import subprocess
import sys
from typing import Callable, Iterator, Mapping, Optional, Sequence, Tuple, TypeVar, Union

from .errors import CompilerError
from .folders import is_own, new_folder, temporary, unusable
from .paths import INCLUDE_DIR, RUNTIME_SOURCES

Command = Tuple[str, ...]
Loaded = TypeVar("Loaded")
Words = Union[str, "os.PathLike[str]", Sequence[Union[str, "os.PathLike[str]"]]]


def words(name: str, given: Words) -> Command:
    """Splits a command or flags, given as text, a path or a sequence, into words. name: the argument's name for
    errors."""
    if not isinstance(given, str):
        return tuple(os.fspath(word) for word in ([given] if isinstance(given, os.PathLike) else given))
    try:
        return tuple(shlex.split(given))
    except ValueError as error:
        raise CompilerError("%s is not split into words: %s in %r" % (name, str(error).lower(), given)) from None


def chosen(given: Optional[Words]) -> Command:
    """The C compiler command: from cc=, or the first one found."""
    if given is None:
        return command()
    found = words("cc", given)
    if not found or not found[0].strip():
        raise CompilerError("cc is empty (%r): give the command of a C compiler, or leave cc out to have one found" %
                            (given,))
    return found


def _candidates() -> Iterator[Command]:
    """Candidate compilers in order: the environment's, those on PATH, PyPI's ziglang."""
    if os.environ.get("CC", "").strip():
        yield words("the environment's CC", os.environ["CC"])
    for name in ("cc", "gcc", "clang"):
        if shutil.which(name):
            yield (name,)
    if importlib.util.find_spec("ziglang"):
        yield (sys.executable, "-m", "ziglang", "cc")


def command() -> Command:
    """Finds a C compiler. A CC that does not work is an error, not skipped."""
    for found in _candidates():
        return found
    raise CompilerError("there is no C compiler: none of cc, gcc and clang is on PATH, and CC names none; "
                        "'pip install ziglang' brings one")


@functools.lru_cache(maxsize=None)
def _version(command: Command, path: str, modified: float) -> str:
    done = _run(command + ("--version",))
    return "%s %s %s" % (path, modified, done)


def _failed(command: Command, flags: Command, how: str, why: str) -> CompilerError:
    given = " with cflags='%s'" % shlex.join(flags) if flags else ""
    return CompilerError(("the C compiler '%s' %s%s%s" % (command[0], how, given, why)).rstrip(), command)


def _run(command: Command, flags: Command = (), made: Optional[pathlib.Path] = None) -> str:
    """Runs a compiler, which has to make the file `made`, and returns its output."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              check=False)
    except OSError as error:
        raise CompilerError("cannot run the C compiler '%s': %s" % (shlex.join(command[:1]), error.strerror),
                            command) from error
    text = done.stdout.decode(errors="replace")
    if done.returncode != 0:
        raise _failed(command, flags, "failed", " (exit status %d)\n%s" % (done.returncode, text))
    if made and not made.is_file():
        raise _failed(command, flags, "ended without an error", ", but did not write %s; it was run as: %s\n%s" % (
            made.name, shlex.join(command), text))
    return text


def identity(command: Command) -> str:
    """Identifies a compiler: its path, its modification time, and its version output."""
    path = os.path.realpath(shutil.which(command[0]) or command[0])
    return _version(command, path, os.stat(path).st_mtime if os.path.exists(path) else 0)


LIBRARY = {"darwin": "kernels.dylib", "win32": "kernels.dll"}.get(sys.platform, "kernels.so")


_SUMS = "SHA256SUMS"


def _processor() -> str:
    """The flags that -march=native means on this machine."""
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text(errors="replace")
    except OSError:
        return platform.machine() + platform.processor()
    return "".join(line for line in text.split("\n\n")[0].splitlines(True)
                   if "MHz" not in line and "bogomips" not in line.lower())


def _key(texts: Sequence[str], flags: Command, command: Command) -> str:
    """A hash of all inputs. Each is preceded by its length, so that different inputs never give the same text."""
    words = (*flags, *command)
    native = _processor() if any("native" in word or word.startswith("-xHost") for word in words) else ""
    made = hashlib.sha256()
    for text in (*texts, str(len(flags)), *words, identity(command), platform.platform(), native):
        made.update(b"%d:" % len(text.encode()) + text.encode())
    return made.hexdigest()[:32]


def _sums(folder: pathlib.Path) -> str:
    """The hashes of a folder's files, as sha256sum prints them."""
    return "".join("%s  %s\n" % (hashlib.sha256(path.read_bytes()).hexdigest(), path.name)
                   for path in sorted(folder.iterdir()) if path.name != _SUMS and path.is_file())


def _is_whole(folder: pathlib.Path) -> bool:
    """Whether a build exists with every file unchanged."""
    try:
        return is_own(folder) and (folder / _SUMS).read_text() == _sums(folder)
    except (OSError, ValueError):
        return False


def _put(work: pathlib.Path, final: pathlib.Path) -> None:
    """Renames a build into place. If another process was first, its build is used; a damaged build is moved out of
    the way."""
    for _ in range(8):
        try:
            os.rename(work, final)
            return
        except OSError as error:
            if _is_whole(final):
                return
            problem = error
        aside = new_folder(final.parent)
        try:
            os.rename(final, aside / "damaged")
        except FileNotFoundError: # another process has moved it
            pass
        finally:
            shutil.rmtree(aside, ignore_errors=True)
    raise problem


def _made(base: pathlib.Path, key: str, make: Callable[[pathlib.Path], None]) -> pathlib.Path:
    work = new_folder(base)
    try:
        make(work)
        (work / _SUMS).write_text(_sums(work))
        _put(work, base / key)
        return base / key
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _kept(key: str, cache: Optional[pathlib.Path], make: Callable[[pathlib.Path], None]) -> pathlib.Path:
    """The folder for this key: an existing complete one, or a new one that `make` fills."""
    if cache:
        try:
            return cache / key if _is_whole(cache / key) else _made(cache, key, make)
        except OSError as error:
            unusable(cache, error)
    base = temporary()
    return base / key if _is_whole(base / key) else _made(base, key, make)


def _position_independent() -> Command:
    return () if sys.platform == "win32" else ("-fPIC",)


def _runtime_key(flags: Command, command: Command) -> str:
    headers = sorted((INCLUDE_DIR / "splitgen").glob("*.h"))
    return _key([path.read_text() for path in [*RUNTIME_SOURCES, *headers]], flags, command)


def _runtime(key: str, flags: Command, command: Command, cache: Optional[pathlib.Path]) -> Command:
    """The runtime's objects, compiled once for all kernels."""

    def make(work: pathlib.Path) -> None:
        for source in RUNTIME_SOURCES:
            made = work / (source.stem + ".o")
            _run((*command, "-O2", *_position_independent(), *flags, "-I", str(INCLUDE_DIR), "-c", str(source), "-o",
                  str(made)), flags, made)

    folder = _kept(key, cache, make)
    return tuple(str(folder / (source.stem + ".o")) for source in RUNTIME_SOURCES)


def build(files: Mapping[str, str], flags: Command, command: Command, cache: Optional[pathlib.Path],
          load: Callable[[pathlib.Path], Loaded]) -> Loaded:
    """Loads the folder with these files and the library of their C, from the cache or new. A build that cannot be
    loaded is not kept, and neither is the runtime that it was linked with."""
    runtime = _runtime_key(flags, command)
    key = _key((*sum(sorted(files.items()), ()), runtime, LIBRARY), flags, command)

    def line(folder: pathlib.Path) -> Command:
        sources = [str(folder / file) for file in files if file.endswith(".c")]
        return (*command, "-O2", "-shared", *_position_independent(), *flags, "-I", str(INCLUDE_DIR), "-I", str(folder),
                *sources, *_runtime(runtime, flags, command, cache), "-o", str(folder / LIBRARY))

    def make(work: pathlib.Path) -> None:
        for file, text in files.items():
            (work / file).write_bytes(text.encode())
        _run(line(work), flags, work / LIBRARY)

    try:
        folder = _kept(key, cache, make)
        try:
            return load(folder)
        except OSError as error:
            raise _failed(line(folder), flags, "ended without an error",
                          ", but %s cannot be used: %s; it was run as: %s\ncc= or the environment's CC names another compiler" % (
                              LIBRARY, error, shlex.join(line(folder)))) from error
    except CompilerError:
        for base in filter(None, (cache, temporary())):
            for broken in (key, runtime):
                shutil.rmtree(base / broken, ignore_errors=True)
        raise
