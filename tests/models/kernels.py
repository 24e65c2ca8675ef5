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


def fits(kernel, data):
    """Whether data has the shape of the kernel's input; of a free dimension any number of items will do."""
    return list(data.shape) == shape_of(kernel, kernel["input"], items_in(kernel, data))


def items_in(kernel, data):
    """How many items of its free dimension data has."""
    free = kernel.get("free")
    return data.shape[free["dim"]] // free["per_item"] if free and free["dim"] < data.ndim else None


def shape_of(kernel, tensor, items):
    """The shape of an input or output with so many items."""
    free = kernel.get("free")
    return [items * free["per_item"] if free and d == free["dim"] else n for d, n in enumerate(tensor["shape"])]


def call(lib, kernel, data):
    """The outputs a kernel of the JSON plan makes of data, a contiguous array of its input's shape."""
    items = items_in(kernel, data)
    made = [np.zeros(shape_of(kernel, o, items), data.dtype) for o in kernel["outputs"]]
    pointers = [ctypes.c_void_p(m.ctypes.data) for m in made]
    if len(made) > 32: # in an array instead of as arguments
        pointers = [(ctypes.c_void_p * len(made))(*pointers)]
    count = [] if items is None else [ctypes.c_size_t(items)]
    getattr(lib, kernel["name"])(ctypes.c_void_p(data.ctypes.data), *pointers, *count)
    return made
