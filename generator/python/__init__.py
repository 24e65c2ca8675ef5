"""Splits and Concats compiled ahead of time, from Python.

    import splitgen
    k = splitgen.compile("rgb: u8[1080,1920,3] @2 -> r:1 g:1 b:1")
    r, g, b = k.rgb(image)

split() and concatenate() are NumPy's functions, but compiled on first use, and always copy.

generate() returns the text of files, list() the ops of a spec or a model; `python -m splitgen verify` and `bench`
compare kernels with ONNX Runtime. EXECUTABLE, INCLUDE_DIR, CMAKE_DIR and RUNTIME_SOURCES are the paths of splitgen's
parts, for your own builds; kernels' own Python modules need none of them:

    cc -O2 -shared -fPIC qkv.c -I INCLUDE_DIR RUNTIME_SOURCES... -o libqkv.so
"""
from .api import Op, Ops, compile_kernels, generate, list_ops
from .errors import (BudgetError, CompilerError, Diagnostic, FileError, InputError, InternalError, OptionError,
                     SplitgenError, SplitgenWarning)
from .loaded import Kernel, Kernels
from .numpy_like import concatenate, split
from .paths import CMAKE_DIR, EXECUTABLE, INCLUDE_DIR, RUNTIME_SOURCES
from .paths import VERSION as __version__

compile, list = compile_kernels, list_ops # not in __all__: `import *` would shadow Python's built-ins

__all__ = ["CMAKE_DIR", "EXECUTABLE", "INCLUDE_DIR", "RUNTIME_SOURCES", "BudgetError", "CompilerError", "Diagnostic",
           "FileError", "InputError", "InternalError", "Kernel", "Kernels", "Op", "OptionError", "Ops", "SplitgenError",
           "SplitgenWarning", "__version__", "concatenate", "generate", "split"]
