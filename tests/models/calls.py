"""Compiles and calls kernels that splitgen has generated."""
import ctypes, functools, glob, os, subprocess, tempfile

import numpy as np


def compile_c(source_dir, folder, *arguments):
    """Without optimisation: tests/exec tests optimised kernels."""
    subprocess.run(["cc", "-O0", "-w", "-Werror=implicit-function-declaration", "-fPIC", "-I" + os.path.join(source_dir, "include"),
                    *arguments], cwd=folder, check=True)


@functools.cache
def runtime(source_dir):
    """A folder with the runtime's object files, which are linked into every library of this process."""
    folder = tempfile.TemporaryDirectory()
    compile_c(source_dir, folder.name, "-c", *glob.glob(os.path.join(source_dir, "runtime", "*.c")))
    return folder


def library(source_dir, folder, stems):
    """Compiles the C files of these names into one library, as one file, because the headers of intrinsics take most
    of the time."""
    source_dir = os.path.abspath(source_dir)
    with open(os.path.join(folder, "kernels.c"), "w") as file:
        file.writelines(f'#include "{stem}.c"\n' for stem in stems)
    compile_c(source_dir, folder, "-shared", "kernels.c",
              *glob.glob(os.path.join(runtime(source_dir).name, "*.o")), "-o", "kernels.so")
    return ctypes.CDLL(os.path.join(os.path.abspath(folder), "kernels.so"))


def joins(kernel):
    """Whether it is a concat."""
    return kernel["op_type"] == "Concat"


def whole(kernel):
    return kernel["output"] if joins(kernel) and "output" in kernel else kernel["input"]


def parts(kernel):
    return kernel["inputs"] if joins(kernel) and "inputs" in kernel else kernel["outputs"]


def fits(kernel, data):
    """Whether data has the shape of the kernel's full tensor, for some values of the open numbers."""
    return list(data.shape) == shape_of(kernel, whole(kernel), numbers_in(kernel, data))


def factors_of(kernel, tensor, dim):
    """An open dimension: its integer, and the index of each open number that is a factor of it, once for each
    occurrence."""
    open_ = kernel.get("open", [])
    lacks_axis = len(tensor["shape"]) < len(whole(kernel)["shape"]) # like outputs of Gathers
    row = dim + (lacks_axis and dim >= kernel["axis"])
    places = [at for at, o in enumerate(open_) for _ in range(o["powers"][row])]
    text, names = str(tensor["shape"][dim]), "*".join(open_[at]["name"] for at in places)
    return (int(text[: -len(names) - 1] or 1) if names else int(text)), places


def numbers_in(kernel, data):
    """Open numbers that give the kernel's full tensor the shape of data, or None; if several are possible, one of
    them is 1."""
    numbers = [None] * len(kernel.get("open", []))
    tensor = whole(kernel)
    dims = [(*factors_of(kernel, tensor, d), n) for d, n in zip(range(len(tensor["shape"])), data.shape)]
    while None in numbers:
        def lacking(dim):
            return sorted({at for at in dim[1] if numbers[at] is None})
        factor, places, n = min((d for d in dims if lacking(d)), key=lambda d: len(lacking(d)))
        *ones, last = lacking((factor, places, n))
        for at in ones:
            numbers[at] = 1
        known = factor * int(np.prod([numbers[at] for at in places if at != last], dtype=np.int64))
        numbers[last] = round((n / known if known else 0) ** (1 / places.count(last)))
    return numbers


def shape_of(kernel, tensor, numbers):
    """The shape of an input or output for these open numbers."""
    dims = [factors_of(kernel, tensor, d) for d in range(len(tensor["shape"]))]
    return [factor * int(np.prod([numbers[at] for at in places], dtype=np.int64)) for factor, places in dims]


def call(lib, kernel, data):
    """The outputs of a kernel of the JSON plan for data, a contiguous array of its input's shape."""
    numbers = numbers_in(kernel, data)
    made = [np.zeros(shape_of(kernel, o, numbers), data.dtype) for o in kernel["outputs"]]
    pointers = [ctypes.c_void_p(m.ctypes.data) for m in made]
    if len(made) > 32: # in an array instead of as arguments
        pointers = [(ctypes.c_void_p * len(made))(*pointers)]
    getattr(lib, kernel["name"])(ctypes.c_void_p(data.ctypes.data), *pointers, *map(ctypes.c_size_t, numbers))
    return made


def call_join(lib, kernel, given, like):
    """The full tensor that a kernel makes from these parts, contiguous arrays, with the shape and type of `like`."""
    made = np.zeros(like.shape, like.dtype)
    pointers = [ctypes.c_void_p(g.ctypes.data) for g, p in zip(given, parts(kernel), strict=True) if not p.get("constant")]
    if len(pointers) > 32: # in an array instead of as arguments
        pointers = [(ctypes.c_void_p * len(pointers))(*pointers)]
    getattr(lib, kernel["name"])(*pointers, ctypes.c_void_p(made.ctypes.data), *map(ctypes.c_size_t, numbers_in(kernel, like)))
    return made
