"""Kernels that splitgen has generated, compiled and called."""
import ctypes, os, subprocess

import numpy as np


def library(source_dir, folder, stems, level="-O2"):
    """The C files of these names in one library."""
    path = os.path.join(folder, "kernels.so")
    runtime = [os.path.join(source_dir, "runtime", f) for f in os.listdir(os.path.join(source_dir, "runtime")) if f.endswith(".c")]
    subprocess.run(["cc", level, "-w", "-Werror=implicit-function-declaration", "-shared", "-fPIC", "-I" + os.path.join(source_dir, "include"),
                    *[os.path.join(folder, stem + ".c") for stem in stems], *runtime, "-o", path], check=True)
    return ctypes.CDLL(path)


def call(lib, kernel, data):
    """The outputs a kernel of the JSON plan makes of data, a contiguous array of its input's shape."""
    made = [np.zeros(o["shape"], data.dtype) for o in kernel["outputs"]]
    pointers = [ctypes.c_void_p(m.ctypes.data) for m in made]
    if len(made) > 32: # in an array instead of as arguments
        pointers = [(ctypes.c_void_p * len(made))(*pointers)]
    getattr(lib, kernel["name"])(ctypes.c_void_p(data.ctypes.data), *pointers)
    return made
