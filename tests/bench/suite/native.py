"""ctypes declarations of native/suite.h, and the buffers of a case."""

import ctypes as c
import os
import platform

import machine


class Shape(c.Structure):
    _fields_ = [("joins", c.c_int), ("rows", c.c_size_t), ("row_bytes", c.c_size_t),
                ("nparts", c.c_size_t),
                ("offsets", c.POINTER(c.c_size_t)), ("widths", c.POINTER(c.c_size_t)),
                ("whole_bytes", c.c_size_t), ("part_bytes", c.POINTER(c.c_size_t)),
                ("lengths", c.POINTER(c.c_size_t)), ("bits", c.c_size_t), ("msb", c.c_int),
                ("kernel", c.c_void_p), ("thread", c.c_void_p),
                ("free_kernel", c.c_void_p), ("items", c.c_size_t)]


class Set(c.Structure):
    _fields_ = [("whole", c.c_void_p), ("parts", c.POINTER(c.c_void_p))]


class Job(c.Structure):
    _fields_ = [("split", c.c_void_p), ("join", c.c_void_p), ("context", c.c_void_p),
                ("shape", c.POINTER(Shape)), ("sets", c.POINTER(Set)), ("nsets", c.c_size_t),
                ("first", c.c_size_t), ("pipeline", c.c_int)]


class Sample(c.Structure):
    _fields_ = [("seconds", c.c_double), ("drift", c.c_double), ("interruptions", c.c_long),
                ("hertz", c.c_double), ("fastest", c.c_double), ("most_hertz", c.c_double)]


def address(function):
    return c.cast(function, c.c_void_p).value


class Library:
    """libsuite_native, global so that kernels find the splitgen runtime in it; and, if they were built, the
    libraries that call libyuv and OpenCV (else None)."""

    def __init__(self, build):
        lib = c.CDLL(os.path.join(build, "libsuite_native.so"), mode=c.RTLD_GLOBAL)
        for name, result, *arguments in [
                ("suite_batch", None, c.POINTER(Job), c.c_uint64, c.c_uint64, c.POINTER(Sample)),
                ("suite_calibrate", c.c_double),
                ("suite_interruptions", c.c_long),
                ("suite_produce", c.c_double, c.POINTER(Shape), c.POINTER(Set)),
                ("suite_consume", c.c_double, c.POINTER(Shape), c.POINTER(Set)),
                ("suite_map", c.c_void_p, c.c_size_t, c.c_int),
                ("suite_unmap", None, c.c_void_p, c.c_size_t),
                ("suite_fill", None, c.c_void_p, c.c_size_t, c.c_uint64),
                ("suite_check", c.c_int64, c.POINTER(Shape), c.POINTER(Set)),
                ("suite_reference", None, c.POINTER(Shape), c.POINTER(Set)),
                ("suite_compare", c.c_int64, c.POINTER(Shape), c.POINTER(Set), c.POINTER(Set)),
                ("suite_copy_count", c.c_size_t),
                ("suite_copy_name", c.c_char_p, c.c_size_t),
                ("suite_copy_whole", c.c_void_p, c.c_size_t),
                ("suite_copy_pieces", c.c_void_p, c.c_size_t),
                ("suite_kernel_split", c.c_void_p, c.c_void_p),
                ("suite_kernel_join", c.c_void_p, c.c_void_p),
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
        """Pins the caller to the first of the processors that it was started on."""
        os.sched_setaffinity(0, {min(self._allowed)})

    def roam(self):
        os.sched_setaffinity(0, self._allowed)

    def isas(self):
        """The instruction sets that vector code may use on this processor, named as in splitgen's JSON."""
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
    """Memory for buffers: mapped once with room for somewhat larger cases and kept, so that pages are allocated and
    inputs filled only once."""

    KEPT = 4 << 30   # few cases are larger
    BLOCK = 1 << 20  # filled from one seed

    def __init__(self, library):
        self.library, self.regions, self.huge = library, {}, False
        self.ready = {}  # bytes of a region that have been written

    def take(self, sizes, huge):
        """sizes: {name: bytes} -> {name: address}, at page boundaries; earlier allocations are released. The region
        "read" has random bytes, and all pages of all regions have been used before."""
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
                if name == "read":
                    self.library.fill(to, block, self.ready[name] // block + 1)
                else:
                    c.memset(to, 0xA5, block)
                self.ready[name] += block
        return {name: self.regions[name][0] for name in sizes}

    def give_back(self, written):
        """written: the inputs were written to."""
        if written:
            self.ready["read"] = 0
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
    """Bytes past a line where buffers begin: one alignment for odd ones; 16 for those of malloc(), as for large
    blocks, or the alignment if that is larger."""
    return {"odd": align, "malloc": max(16, align) % 64}.get(placement, 0)


def layout(sizes, placement, align, at=0):
    """Returns (the start of each buffer, end). Congruent buffers begin at pages, others at lines or a number of
    bytes past one."""
    step, places = 4096 if placement == "congruent" else 64, []
    for size in sizes:
        at = -(-at // step) * step + behind_line(placement, align)
        places.append(at)
        at += size
    return places, at


def whole_pages(size):
    return -(-size // 4096) * 4096


def page_offset(index):
    """The page offset of the parts of a set. Sets are spread over the lines of a page: a load after a store to the
    same offset of another page waits for it, which can take a third of a kernel's time and says nothing about the
    kernel."""
    return index * 25 % 64 * 64


class Buffers:
    """A full tensor and its parts for one op, `count` sets of them at different places, with random bytes in the
    inputs. Only one at a time can use a library's memory, until close()."""

    def __init__(self, library, op, count, placement, huge, pipeline=False):
        self.library, self.op, self.count, self.pipeline = library, op, count, pipeline
        (place,), whole_end = layout([op.bytes], placement, op.align)
        places, end = layout(op.part_bytes, placement, op.align)
        shifts = [0 if placement == "congruent" else page_offset(i) for i in range(count)]
        whole_step, parts_step = whole_pages(whole_end), whole_pages(end + max(shifts))
        # After the parts there is room for copies of all bytes to or from the first of them.
        sizes = op.read_and_written(count * whole_step, count * parts_step + 4096)
        memory = library.memory.take({"read": sizes[0], "written": sizes[1],
                                      "reference": max(whole_step, parts_step)}, huge)
        wholes, parts = op.read_and_written(memory["read"], memory["written"])
        n = len(op.widths)
        numbers = c.c_size_t * n
        self.shape = Shape(int(op.joins), op.rows, op.row_bytes, n, numbers(*op.offsets),
                           numbers(*op.widths), op.bytes, numbers(*op.part_bytes),
                           numbers(*op.columns), op.bits, int(op.packing == "msb"), None,
                           None, None, op.shape[0])
        self.sets = (Set * count)()
        self.pointers = []  # keeps the arrays alive; [set][part]
        for i in range(count):
            base = parts + i * parts_step + shifts[i]
            self.sets[i] = self._set(wholes + i * whole_step + place,
                                     [base + offset for offset in places])
        # The inputs of set 0, and the expected outputs.
        at = memory["reference"]
        self.expected = self._set(self.whole(0) if not op.joins else at + place,
                                  self.parts(0) if op.joins else [at + p for p in places])
        self.has_expected = False
        self.poison(0)

    def _set(self, whole, parts):
        pointers = (c.c_void_p * len(parts))(*parts)
        self.pointers.append(pointers)
        return Set(whole, c.cast(pointers, c.POINTER(c.c_void_p)))

    def whole(self, index):
        return self.sets[index].whole

    def parts(self, index):
        return [p or 0 for p in self.pointers[index]]

    def _buffers(self, index):
        """Returns the inputs and the outputs, each [(address, bytes)]."""
        op = self.op
        return op.read_and_written([(self.whole(index), op.bytes)],
                                   list(zip(self.parts(index), op.part_bytes)))

    def read(self, index):
        return self._buffers(index)[0]

    def written(self, index):
        return self._buffers(index)[1]

    def poison(self, index):
        for pointer, size in self.written(index):
            c.memset(pointer, 0xA5, size)

    def wrong_part(self):
        """The first part of set 0 that differs from its column in the full tensor; -1 if none does. All bytes are
        compared with a reference that is made once: inputs must not be written to in between."""
        library = self.library
        if not self.has_expected:
            library.reference(self.shape, self.expected)
            wrong = library.check(self.shape, self.expected)
            if wrong >= 0:
                raise AssertionError(f"the reference is wrong in part {wrong}")
            self.has_expected = True
        return library.compare(self.shape, self.sets[0], self.expected)

    def close(self):
        self.library.memory.give_back(written=self.pipeline)
