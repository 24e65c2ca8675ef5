"""Compiles C into a shared library, once: the folder of a build is called after all that it is made of."""
from __future__ import annotations

import atexit
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
import tempfile
from typing import Callable, Iterator, Mapping, Optional, Sequence, Tuple

from .errors import CompilerError
from .paths import INCLUDE_DIR, RUNTIME_SOURCES

Command = Tuple[str, ...]


def _candidates() -> Iterator[Command]:
    """Compilers in their order: the environment's, those on PATH, PyPI's ziglang."""
    if os.environ.get("CC"):
        yield tuple(shlex.split(os.environ["CC"]))
    for name in ("cc", "gcc", "clang"):
        if shutil.which(name):
            yield (name,)
    if importlib.util.find_spec("ziglang"):
        yield (sys.executable, "-m", "ziglang", "cc")


def command() -> Command:
    """The command of a C compiler. CC is taken as it is: where it does not work, that is said."""
    for words in _candidates():
        return words
    raise CompilerError("there is no C compiler: none of cc, gcc and clang is on PATH, and CC names none; "
                        "'pip install ziglang' brings one")


@functools.lru_cache(maxsize=None)
def _version(command: Command, path: str, modified: float) -> str:
    done = _run(command + ("--version",))
    return "%s %s %s" % (path, modified, done)


def _run(command: Command) -> str:
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              check=False)
    except OSError as error:
        raise CompilerError("cannot run the C compiler '%s': %s" % (shlex.join(command[:1]), error.strerror),
                            command) from error
    text = done.stdout.decode(errors="replace")
    if done.returncode != 0:
        raise CompilerError("the C compiler failed (%d): %s\n%s" % (done.returncode, shlex.join(command), text), command)
    return text


def identity(command: Command) -> str:
    """What tells one compiler from another: what is called, when it was changed, and what it says of itself."""
    path = os.path.realpath(shutil.which(command[0]) or command[0])
    return _version(command, path, os.stat(path).st_mtime if os.path.exists(path) else 0)


def default_cache() -> pathlib.Path:
    """Where builds are kept: splitgen in XDG_CACHE_HOME, which is ~/.cache where it is not given."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    home = pathlib.Path(base) if os.path.isabs(base) else pathlib.Path(os.path.expanduser("~")) / ".cache"
    return home / "splitgen"


@functools.lru_cache(maxsize=1)
def _temporary() -> pathlib.Path:
    """A folder for this process alone, removed at its end."""
    folder = tempfile.mkdtemp(prefix="splitgen-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return pathlib.Path(folder)


def _work_folder(cache: Optional[pathlib.Path]) -> pathlib.Path:
    """A new folder beside the builds; where no cache can be written, in a temporary one."""
    for base in ([cache] if cache else []) + [_temporary()]:
        try:
            base.mkdir(parents=True, exist_ok=True, mode=0o700)
            return pathlib.Path(tempfile.mkdtemp(prefix=".build-", dir=base))
        except OSError as error:
            problem = error
    raise problem


LIBRARY = {"darwin": "kernels.dylib", "win32": "kernels.dll"}.get(sys.platform, "kernels.so")


def _key(texts: Sequence[str], command: Command) -> str:
    """A name for what is made of all this. Lengths stand in front, so that no two inputs read alike."""
    made = hashlib.sha256()
    for text in (*texts, *command, identity(command), platform.platform()):
        made.update(b"%d:" % len(text.encode()) + text.encode())
    return made.hexdigest()[:32]


def _kept(key: str, done: str, cache: Optional[pathlib.Path], make: Callable[[pathlib.Path], None]) -> pathlib.Path:
    """The folder of this key: one that is there, or one that `make` fills, its file `done` included. It is renamed into
    its place when it is whole; of two processes that do this at once the second finds that of the first."""
    for base in [cache, _temporary()] if cache else [_temporary()]:
        if (base / key / done).exists():
            return base / key
    work = _work_folder(cache)
    try:
        make(work)
        final = work.parent / key
        try:
            os.rename(work, final)
        except OSError:
            if not (final / done).exists(): # somebody took files out of it
                shutil.rmtree(final, ignore_errors=True)
                os.rename(work, final)
        return final
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _position_independent() -> Command:
    return () if sys.platform == "win32" else ("-fPIC",)


def _runtime(flags: Command, command: Command, cache: Optional[pathlib.Path]) -> Command:
    """The runtime's objects, compiled once for all kernels."""
    headers = [path.read_text() for path in sorted((INCLUDE_DIR / "splitgen").glob("*.h"))]
    texts = (*[path.read_text() for path in RUNTIME_SOURCES], *headers, *flags)

    def make(work: pathlib.Path) -> None:
        for source in RUNTIME_SOURCES:
            _run((*command, "-O2", *_position_independent(), *flags, "-I", str(INCLUDE_DIR), "-c", str(source), "-o",
                  str(work / (source.stem + ".o"))))

    folder = _kept(_key(texts, command), RUNTIME_SOURCES[-1].stem + ".o", cache, make)
    return tuple(str(folder / (source.stem + ".o")) for source in RUNTIME_SOURCES)


def build(files: Mapping[str, str], flags: Command, command: Command,
          cache: Optional[pathlib.Path]) -> pathlib.Path:
    """The folder with these files and the library of their C: one of the cache, or a new one."""
    objects = _runtime(flags, command, cache)

    def make(work: pathlib.Path) -> None:
        for file, text in files.items():
            (work / file).write_bytes(text.encode())
        sources = [str(work / file) for file in files if file.endswith(".c")]
        _run((*command, "-O2", "-shared", *_position_independent(), *flags, "-I", str(INCLUDE_DIR), "-I", str(work),
              *sources, *objects, "-o", str(work / LIBRARY)))

    # The objects' folder is called after the runtime, so the key is of that as well.
    texts = (*sum(sorted(files.items()), ()), *(pathlib.Path(path).parent.name for path in objects), LIBRARY, *flags)
    return _kept(_key(texts, command), LIBRARY, cache, make)
