"""ctypes declarations of native/suite.h, and the buffers of a case. Measures nothing itself."""

import ctypes as c
import os
import platform

import machine


class Shape(c.Structure):
    _fields_ = [("rows", c.c_size_t), ("row_bytes", c.c_size_t), ("noutputs", c.c_size_t),
                ("offsets", c.POINTER(c.c_size_t)), ("widths", c.POINTER(c.c_size_t)),
                ("input_bytes", c.c_size_t), ("output_bytes", c.POINTER(c.c_size_t)),
                ("lengths", c.POINTER(c.c_size_t)), ("bits", c.c_size_t), ("msb", c.c_int),
                ("kernel", c.c_void_p), ("thread", c.c_void_p)]


class Set(c.Structure):
    _fields_ = [("input", c.c_void_p), ("outputs", c.POINTER(c.c_void_p))]


class Job(c.Structure):
    _fields_ = [("plain", c.c_void_p), ("context", c.c_void_p), ("argument", c.c_void_p),
                ("shape", c.POINTER(Shape)), ("sets", c.POINTER(Set)), ("nsets", c.c_size_t),
                ("first", c.c_size_t), ("pipeline", c.c_int)]


class Sample(c.Structure):
    _fields_ = [("seconds", c.c_double), ("drift", c.c_double), ("interruptions", c.c_long),
                ("hertz", c.c_double)]


def address(function):
    return c.cast(function, c.c_void_p).value


class Library:
    """libsuite_native, global so that kernels find the splitgen runtime in it; and, where they
    were built, the libraries that call libyuv and OpenCV (else None)."""

    def __init__(self, build):
        lib = c.CDLL(os.path.join(build, "libsuite_native.so"), mode=c.RTLD_GLOBAL)
        for name, result, *arguments in [
                ("suite_batch", None, c.POINTER(Job), c.c_uint64, c.c_uint64, c.POINTER(Sample)),
                ("suite_calibrate", c.c_double),
                ("suite_interruptions", c.c_long),
                ("suite_produce", c.c_double, c.c_void_p, c.c_size_t),
                ("suite_consume", c.c_double, c.POINTER(Shape), c.c_void_p),
                ("suite_map", c.c_void_p, c.c_size_t, c.c_int),
                ("suite_unmap", None, c.c_void_p, c.c_size_t),
                ("suite_fill", None, c.c_void_p, c.c_size_t, c.c_uint64),
                ("suite_check", c.c_int64, c.POINTER(Shape), c.c_void_p, c.c_void_p),
                ("suite_pin", None, c.c_int),
                ("suite_copy_count", c.c_size_t),
                ("suite_copy_name", c.c_char_p, c.c_size_t),
                ("suite_copy_whole", c.c_void_p, c.c_size_t),
                ("suite_copy_pieces", c.c_void_p, c.c_size_t),
                ("suite_kernel_run", c.c_void_p, c.c_void_p),
                ("suite_thread_start", c.c_void_p),
                ("suite_thread_stop", None, c.c_void_p)]:
            function = getattr(lib, name)
            function.restype = result
            function.argtypes = arguments
            setattr(self, name[len("suite_"):], function)
        self.lib = lib
        self.libyuv = self._optional(build, "libsuite_libyuv.so")
        self.opencv = self._optional(build, "libsuite_opencv.so")
        if self.opencv:
            self.opencv.suite_opencv_setup()

    def isas(self):
        """Names, as splitgen's JSON has them, of what this processor's vector bodies may use."""
        if platform.machine() in ("aarch64", "arm64"):
            return {"NEON"}
        bits = self.lib.splitgen_cpu()  # SPLITGEN_CPU_... of splitgen/vector.h
        return {name for name, bit in (("AVX2", 1), ("AVX512", 2), ("AVX512VBMI", 4)) if bits & bit}

    @staticmethod
    def _optional(build, name):
        path = os.path.join(build, name)
        return c.CDLL(path) if os.path.exists(path) else None


class TooLarge(Exception):
    pass


class Buffers:
    """Inputs of random bytes and outputs for one split, `count` sets of them. Free with close()."""

    def __init__(self, library, split, count, placement, huge):
        self.library, self.split, self.count = library, split, count
        at = 0

        def place(size):
            nonlocal at
            step = 4096 if placement == "congruent" else 64
            at = -(-at // step) * step
            start = at + (split.align if placement == "odd" else 0)
            at = start + size
            return start

        layouts = []
        for _ in range(count):
            at = -(-at // 4096) * 4096
            source = place(split.bytes)
            at = -(-at // 4096) * 4096
            layouts.append((source, [place(size) for size in split.output_bytes]))
        self.size = at + 4096
        if self.size * 1.2 > machine.available_bytes():
            raise TooLarge(f"needs {self.size >> 20} MiB of free memory")
        self.base = library.map(self.size, int(huge))
        if not self.base:
            raise TooLarge(f"no {self.size >> 20} MiB of memory")
        n = len(split.widths)
        numbers = c.c_size_t * n
        self.shape = Shape(split.rows, split.row_bytes, n, numbers(*split.offsets),
                           numbers(*split.widths), split.bytes, numbers(*split.output_bytes),
                           numbers(*split.columns), split.bits, int(split.packing == "msb"), None,
                           None)
        self.sets = (Set * count)()
        self.pointers = []  # keeps the arrays alive; [set][output]
        for i, (source, outputs) in enumerate(layouts):
            pointers = (c.c_void_p * n)(*[self.base + o for o in outputs])
            self.pointers.append(pointers)
            self.sets[i] = Set(self.base + source, c.cast(pointers, c.POINTER(c.c_void_p)))
            library.fill(self.base + source, split.bytes, i + 1)
            self.poison(i)

    def input(self, index):
        return self.sets[index].input

    def outputs(self, index):
        return [p or 0 for p in self.pointers[index]]

    def poison(self, index):
        for pointer, size in zip(self.outputs(index), self.split.output_bytes):
            c.memset(pointer, 0xA5, size)

    def wrong_output(self, index=0):
        """The first output that does not hold its part; -1 when all do."""
        return self.library.check(self.shape, self.input(index),
                                  c.cast(self.pointers[index], c.c_void_p))

    def close(self):
        self.library.unmap(self.base, self.size)
