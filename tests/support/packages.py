"""Virtual environments with packages from PyPI, in the build folder."""
import fcntl
import os
import subprocess
import sys

import pytest


def get(*command, **more):
    """Runs a command that needs the network, or a package of the system; if it fails, nothing can be tested."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, **more)
    if done.returncode:
        pytest.skip(f"'{' '.join(map(str, command))}' failed: {(done.stdout + done.stderr)[:1000]}")


def venv(folder, *packages):
    """The Python of a virtual environment with these packages, which several tests may share."""
    python = os.path.join(folder, "bin/python")
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    with open(f"{folder}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # one test at a time
        if not os.path.exists(python):
            get(sys.executable, "-m", "venv", folder)
        get(python, "-m", "pip", "install", "-q", *packages)
    return python


def ziglang(work):
    """The Python of the environment with zig, which tests/proof and tests/mutants share: the compiler that evaluates
    constant expressions of C++26."""
    return venv(work.tool.parents[1] / "tests/proof/ziglang", "ziglang>=0.17,<0.18")
