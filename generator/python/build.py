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
from typing import Dict, Iterator, Mapping, Optional, Sequence, Tuple

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


def compiler() -> Command:
    """The command of a C compiler. CC is taken as it is: where it does not work, that is said."""
    for command in _candidates():
        return command
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


def library_name(stem: str) -> str:
    """As the module of --emit=py looks for it."""
    return {"darwin": "lib%s.dylib", "win32": "%s.dll"}.get(sys.platform, "lib%s.so") % stem


def _key(files: Mapping[str, str], flags: Sequence[str], command: Command) -> str:
    """A name for what is made of all this. Lengths stand in front, so that no two inputs read alike."""
    made = hashlib.sha256()
    runtime = {path.name: path.read_text() for path in RUNTIME_SOURCES}
    for text in (*sum(({**runtime, **files}).items(), ()), *flags, *command, identity(command), platform.platform()):
        made.update(b"%d:" % len(text.encode()) + text.encode())
    return made.hexdigest()[:32]


def _compile(folder: pathlib.Path, files: Mapping[str, str], flags: Sequence[str], command: Command, name: str) -> None:
    for file, text in files.items():
        (folder / file).write_bytes(text.encode())
    sources = [str(folder / file) for file in files if file.endswith(".c")]
    shared = () if sys.platform == "win32" else ("-fPIC",)
    _run((*command, "-O2", "-shared", *shared, *flags, "-I", str(INCLUDE_DIR), "-I", str(folder), *sources,
          *map(str, RUNTIME_SOURCES), "-o", str(folder / name)))


def build(files: Dict[str, str], stem: str, flags: Sequence[str], command: Command,
          cache: Optional[pathlib.Path]) -> pathlib.Path:
    """The folder with these files and the library of their C: one of the cache, or a new one. It is renamed into its
    place when it is whole; of two processes that do this at once the second finds that of the first."""
    key = _key(files, flags, command)
    for base in [cache, _temporary()] if cache else [_temporary()]:
        if (base / key / library_name(stem)).exists():
            return base / key
    work = _work_folder(cache)
    try:
        _compile(work, files, flags, command, library_name(stem))
        final = work.parent / key
        try:
            os.rename(work, final)
        except OSError:
            if not (final / library_name(stem)).exists():
                raise
        return final
    finally:
        shutil.rmtree(work, ignore_errors=True)
