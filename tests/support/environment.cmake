# The environment of all tests: Python writes no __pycache__ to the source tree.
set(ENV{PYTHONDONTWRITEBYTECODE} 1)
