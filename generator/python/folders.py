"""Folders of builds: the user's cache, if nobody else can write it, and temporary folders that are removed with the
process."""
from __future__ import annotations

import atexit
import contextlib
import functools
import os
import pathlib
import secrets
import shutil
import stat
import subprocess
import sys
import tempfile
from typing import Optional, Set

from .errors import warn

# Removes every path that it reads, after all processes that can write to its pipe have ended in any way. It runs in the
# background of a shell that ends at once, so it is not a child that a caller's os.wait() would find.
_REMOVER = """exec 3<&0 </dev/null
{ while IFS= read -r path <&3; do set -- "$@" "$path"; done
  for i in 1 2 3 4 5; do rm -rf -- "$@" && break; sleep 1; done; } >/dev/null 2>&1 &"""


def _home() -> Optional[pathlib.Path]:
    """The user's home. An empty or relative HOME is ignored, so that nothing depends on the working folder."""
    home = os.path.expanduser("~") if sys.platform == "win32" else os.environ.get("HOME", "")
    if not os.path.isabs(home) and sys.platform != "win32":
        import pwd
        try:
            home = pwd.getpwuid(os.getuid()).pw_dir
        except KeyError:
            pass
    return pathlib.Path(home) if os.path.isabs(home) else None


def default_cache() -> Optional[pathlib.Path]:
    """The folder of builds: splitgen in XDG_CACHE_HOME, or else in ~/.cache; None without a home."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    home = _home()
    if os.path.isabs(base):
        return pathlib.Path(base) / "splitgen"
    if home is None:
        _not_used("there is no cache folder, since HOME is not an absolute path; give cache=, or set XDG_CACHE_HOME")
        return None
    return home / ".cache" / "splitgen"


_said: Set[str] = set()


def _not_used(why: str) -> None:
    """Warns, once for each reason."""
    if why not in _said:
        _said.add(why)
        warn("kernels are built in a temporary folder and not kept: " + why)


def unusable(cache: pathlib.Path, error: OSError) -> None:
    """Warns that the cache cannot be written."""
    _not_used("cannot write to '%s' (%s); give another cache=, or False" % (cache, error.strerror or error))


def _open_to_others(path: pathlib.Path, is_shared_allowed: bool) -> str:
    """Names other users who can change the contents of a folder; "" if nobody can. is_shared_allowed: the folder may
    belong to the system, or be like /tmp, where users can remove only their own files."""
    found = os.stat(path)
    if found.st_uid != os.geteuid() and not (is_shared_allowed and found.st_uid == 0):
        return "'%s' belongs to another user" % path
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH) and not (is_shared_allowed and found.st_mode & stat.S_ISVTX):
        return "other users can write to '%s'; chmod go-w '%s'" % (path, path)
    return ""


def is_own(folder: pathlib.Path) -> bool:
    """Whether a folder in the cache was made by the user, and is not a link."""
    found = os.lstat(folder)
    return stat.S_ISDIR(found.st_mode) and (sys.platform == "win32" or
                                            found.st_uid == os.geteuid() and not found.st_mode & 0o022)


def private_cache(cache: pathlib.Path) -> Optional[pathlib.Path]:
    """The folder, created if needed, without links in its path; None with a warning if somebody else could put code
    there."""
    try:
        folder = pathlib.Path(os.path.realpath(cache))
        for parent in [*reversed(folder.parents), folder]:
            if not parent.exists():
                parent.mkdir(mode=0o700, exist_ok=True)
        if sys.platform == "win32":
            return folder
        home = _home()
        home = home and pathlib.Path(os.path.realpath(home))
        parents = [folder, *folder.parents]
        is_below_home = home in folder.parents
        if home and is_below_home:
            parents = parents[:parents.index(home)]
        for parent in parents:
            problem = _open_to_others(parent, not is_below_home and parent != folder)
            if problem:
                _not_used("the cache '%s' is not safe: %s" % (cache, problem))
                return None
        return folder
    except OSError as error:
        unusable(cache, error)
        return None


@functools.lru_cache(maxsize=None)
def _remover(process: int) -> Optional[int]:
    """The pipe for paths that are removed after this process has ended, also by a signal."""
    if sys.platform == "win32":
        return None
    read, write = os.pipe()
    try:
        subprocess.run(["/bin/sh", "-c", _REMOVER], stdin=read, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       start_new_session=True, check=False)
    except OSError: # without a shell, only a signal leaves something behind
        os.close(write)
        return None
    finally:
        os.close(read)
    return write


def new_folder(parent: Optional[pathlib.Path] = None) -> pathlib.Path:
    """Creates a folder that only the user can read, in the system's temporary folder or in a cache. It is removed
    when the process ends, unless it was renamed."""
    name = (".build-" if parent else "splitgen-") + secrets.token_hex(16)
    folder = os.path.abspath(os.path.join(parent or tempfile.gettempdir(), name))
    remover = _remover(os.getpid())
    if remover is not None and "\n" not in folder:
        with contextlib.suppress(OSError): # somebody ended the shell
            os.write(remover, os.fsencode(folder) + b"\n") # first: a signal can come as soon as the folder exists
    os.mkdir(folder, 0o700)
    return pathlib.Path(folder)


def _remove(folder: pathlib.Path, process: int) -> None:
    if os.getpid() == process: # a forked child must not remove its parent's folder
        shutil.rmtree(folder, ignore_errors=True)


@functools.lru_cache(maxsize=None)
def _temporary_of(process: int) -> pathlib.Path:
    folder = new_folder()
    atexit.register(_remove, folder, process)
    return folder


def temporary() -> pathlib.Path:
    """The folder of this process, removed at its end."""
    return _temporary_of(os.getpid())
