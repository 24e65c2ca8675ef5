"""The tests of the module and of the package in virtual environments: with a NumPy from PyPI, and with the packages
that verify compares with, and mypy."""
import pytest
from packages import venv
from testing import SOURCE, given

# Tests of the cache that load kernels again: only these depend on NumPy.
API = ["Compile", "Generate", "Errors", "Commands", *(f"Cache::test_{name}" for name in (
    "builds_are_found_again", "forked_children", "home_that_cannot_be_written", "processes_at_once"))]


def run(work, python, name, *tests):
    module = f"{SOURCE}/tests/python/test_{name}.py"
    work.run([python, "-B", "-X", "utf8", "-m", "pytest", "-c", SOURCE / "tests/pytest.ini", f"--tool={work.tool}",
              f"--work={work / name}", f"--set=cc={given['cc']}", *([f"{module}::{test}" for test in tests] or [module])])


# The last NumPy 1 and the newest one. An older NumPy has no wheels for the newest Python.
@pytest.mark.parametrize("numpy", ["numpy==1.26.*", "numpy"], ids=["numpy_1_26", "numpy_newest"])
def test_numpy(work, numpy):
    python = venv(work / "venv", "--upgrade", "--only-binary=:all:", "pytest", numpy, "ml_dtypes")
    run(work, python, "module")
    run(work, python, "api", *API)


def test_verify(work):
    python = venv(work / "venv", "pytest", "numpy", "onnx", "onnxruntime", "openvino", "mypy", "typing_extensions")
    run(work, python, "verify")
