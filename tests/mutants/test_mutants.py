"""Every fault that mutants.py plants in kernels and templates is found."""
import sys

from kernels import SEED
from packages import ziglang
from testing import SOURCE, given, needs


def test_mutants(work):
    work.run([sys.executable, "-B", SOURCE / "tests/mutants/mutants.py", given["watched"], SOURCE, work.path, "--cc",
              needs("gcc"),
              "--python", ziglang(work), "--seed", str(SEED)])
