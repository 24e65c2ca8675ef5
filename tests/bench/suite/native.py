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
                ("kernel", c.c_void_p), ("thread", c.c_void_p),
                ("free_kernel", c.c_void_p), ("items", c.c_size_t)]


class Set(c.Structure):
    _fields_ = [("input", c.c_void_p), ("outputs", c.POINTER(c.c_void_p))]


class Job(c.Structure):
    _fields_ = [("plain", c.c_void_p), ("context", c.c_void_p), ("argument", c.c_void_p),
                ("shape", c.POINTER(Shape)), ("sets", c.POINTER(Set)), ("nsets", c.c_size_t),
                ("first", c.c_size_t), ("pipeline", c.c_int)]


class Sample(c.Structure):
    _fields_ = [("seconds", c.c_double), ("drift", c.c_double), ("interruptions", c.c_long),
                ("hertz", c.c_double), ("fastest", c.c_double), ("most_hertz", c.c_double)]


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
                ("suite_reference", None, c.POINTER(Shape), c.c_void_p, c.c_void_p),
                ("suite_compare", c.c_int64, c.POINTER(Shape), c.c_void_p, c.c_void_p),
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
        self.memory = Memory(self)
        self._allowed = os.sched_getaffinity(0)
        self.libyuv = self._optional(build, "libsuite_libyuv.so")
        self.opencv = self._optional(build, "libsuite_opencv.so")
        if self.opencv:
            self.opencv.suite_opencv_setup()

    def stay(self):
        """Keeps the caller on the first of the processors that it was started on."""
        os.sched_setaffinity(0, {min(self._allowed)})

    def roam(self):
        os.sched_setaffinity(0, self._allowed)

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


class Memory:
    """What buffers lie in: mapped once with room for somewhat larger cases and kept, so that pages
    are new and inputs are filled once, not for every case."""

    KEPT = 4 << 30   # there are few larger cases
    BLOCK = 1 << 20  # filled from one seed

    def __init__(self, library):
        self.library, self.regions, self.huge = library, {}, False
        self.ready = {}  # bytes of a region that have been written

    def take(self, sizes, huge):
        """sizes: {name: bytes} -> {name: address}, at page boundaries; what was taken before is
        given back. The region "inputs" holds random bytes, and no page of any is new."""
        if huge != self.huge:
            self.release()
            self.huge = huge
        grown = [name for name, size in sizes.items()
                 if name not in self.regions or size > self.regions[name][1]]
        for name in grown:
            self._unmap(name)
        missing = sum(max(0, size - self.ready.get(name, 0)) for name, size in sizes.items())
        if missing * 1.2 > machine.available_bytes():
            raise TooLarge(f"needs {missing >> 20} MiB of free memory")
        for name in grown:
            size = -(-(sizes[name] + sizes[name] // 4) // self.BLOCK) * self.BLOCK
            base = self.library.map(size, int(huge))
            if not base:
                raise TooLarge(f"no {size >> 20} MiB of memory")
            self.regions[name], self.ready[name] = (base, size), 0
        for name, size in sizes.items():
            while self.ready[name] < size:
                to, block = self.regions[name][0] + self.ready[name], self.BLOCK
                if name == "inputs":
                    self.library.fill(to, block, self.ready[name] // block + 1)
                else:
                    c.memset(to, 0xA5, block)
                self.ready[name] += block
        return {name: self.regions[name][0] for name in sizes}

    def give_back(self, written):
        """written: something was written to the inputs."""
        if written:
            self.ready["inputs"] = 0
        if sum(self.ready.values()) > self.KEPT:
            self.release()

    def release(self):
        for name in list(self.regions):
            self._unmap(name)

    def _unmap(self, name):
        if name in self.regions:
            self.library.unmap(*self.regions.pop(name))
            del self.ready[name]


def behind_line(placement, align):
    """Bytes behind a line where buffers begin: odd ones one alignment; those of malloc() 16, as large
    blocks are, or where the alignment is more, that."""
    return {"odd": align, "malloc": max(16, align) % 64}.get(placement, 0)


def layout(sizes, placement, align, at=0):
    """-> (where each of the buffers begins, end). Buffers that are congruent begin at pages, others
    at lines or so many bytes behind one."""
    step, places = 4096 if placement == "congruent" else 64, []
    for size in sizes:
        at = -(-at // step) * step + behind_line(placement, align)
        places.append(at)
        at += size
    return places, at


def whole_pages(size):
    return -(-size // 4096) * 4096


def page_offset(index):
    """Where in its page the outputs of a set begin: sets are spread over the lines of one, since
    a load that follows a store to the same place of another page waits for it, which makes up to a
    third of the time of a kernel that is no better or worse elsewhere."""
    return index * 25 % 64 * 64


class Buffers:
    """Inputs of random bytes and outputs for one split, `count` sets of them at different places.
    One at a time has a library's memory, until close()."""

    def __init__(self, library, split, count, placement, huge, pipeline=False):
        self.library, self.split, self.count, self.pipeline = library, split, count, pipeline
        (source,), source_end = layout([split.bytes], placement, split.align)
        places, end = layout(split.output_bytes, placement, split.align)
        # Behind the outputs there is room for what copies the input to the first of them.
        shifts = [0 if placement == "congruent" else page_offset(i) for i in range(count)]
        strides = whole_pages(source_end), whole_pages(end + max(shifts))
        memory = library.memory.take({"inputs": count * strides[0],
                                      "outputs": count * strides[1] + 4096,
                                      "reference": strides[1]}, huge)
        n = len(split.widths)
        numbers = c.c_size_t * n
        self.shape = Shape(split.rows, split.row_bytes, n, numbers(*split.offsets),
                           numbers(*split.widths), split.bytes, numbers(*split.output_bytes),
                           numbers(*split.columns), split.bits, int(split.packing == "msb"), None,
                           None, None, split.shape[0])
        self.sets = (Set * count)()
        self.pointers = []  # keeps the arrays alive; [set][output]
        for i in range(count):
            base = memory["outputs"] + i * strides[1] + shifts[i]
            pointers = (c.c_void_p * n)(*[base + place for place in places])
            self.pointers.append(pointers)
            self.sets[i] = Set(memory["inputs"] + i * strides[0] + source,
                               c.cast(pointers, c.POINTER(c.c_void_p)))
        self.expected = (c.c_void_p * n)(*[memory["reference"] + place for place in places])
        self.has_expected = False
        self.poison(0)

    def input(self, index):
        return self.sets[index].input

    def outputs(self, index):
        return [p or 0 for p in self.pointers[index]]

    def poison(self, index):
        for pointer, size in zip(self.outputs(index), self.split.output_bytes):
            c.memset(pointer, 0xA5, size)

    def wrong_output(self):
        """The first output of set 0 that does not hold its part; -1 when all do. All bytes are
        compared with a reference that is made once: nobody may write to the input in between."""
        library, held = self.library, c.cast(self.pointers[0], c.c_void_p)
        expected = c.cast(self.expected, c.c_void_p)
        if not self.has_expected:
            library.reference(self.shape, self.input(0), expected)
            wrong = library.check(self.shape, self.input(0), expected)
            if wrong >= 0:
                raise AssertionError(f"the reference is wrong in output {wrong}")
            self.has_expected = True
        return library.compare(self.shape, held, expected)

    def close(self):
        self.library.memory.give_back(written=self.pipeline)
