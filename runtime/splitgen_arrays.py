"""Calls kernels on arrays of NumPy: the code that all modules of splitgen --emit=py share.

A generated module has the names, types and shapes of its kernels, and imports this file, which is the same for all
modules. splitgen writes it to the folder of each module; commit both.

Kernels are instances of Split and Join; help(KERNEL) shows their shapes. If the rows of a kernel's tensor are padded,
its array has such strides. Padding is never read or written.

Elements of types that NumPy does not have are unsigned integers of their size, or types of ml_dtypes. Packed elements
are an array of bytes: a part that begins within a byte has no view (None), and the last byte of a view may hold bits
of the next elements. Arrays of ml_dtypes with a byte for each such element (int4, float4_e2m1fn) are taken, too: they
are packed before the kernel runs, and results are unpacked after it. Strings have no arrays.

New arrays reuse the memory of freed ones, up to 64 MiB with glibc. Arrays above 32 MiB are always mapped anew, which
takes longer than the copy; out= avoids this.
"""
from __future__ import annotations

import ctypes
import itertools
import math
import os
import re
import sys
import typing
from typing import Any, Callable, Dict, Iterable, Iterator, List, NoReturn, Optional, Sequence, Set, Tuple, Type, Union

import numpy as np

if typing.TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

# The version of the interface to generated modules: the arguments of Library, Split and Join. Raise it when
# they change. Importing a module of another version fails.
TABLES = 1
ABI = 6  # SPLITGEN_ABI of splitgen/splitgen.h, the layout of descriptors

Dims = Tuple[int, ...]
Stride = Union[int, Dims]  # row stride in elements; for rows in groups, the stride of every dimension
_Parts = typing.TypeVar("_Parts", bound=Tuple[Any, ...])
_kept = 1 << 17  # below this size glibc keeps freed memory
_KEPT_MOST = (1 << 25) - (1 << 13)  # the largest block that raises glibc's threshold: 32 MiB with its header


class _Tensor(ctypes.Structure):
    """splitgen_tensor of splitgen/splitgen.h"""
    _fields_ = [("name", ctypes.c_char_p), ("dtype", ctypes.c_int), ("rank", ctypes.c_uint32),
                ("dims", ctypes.POINTER(ctypes.c_int64)), ("bytes", ctypes.c_size_t),
                ("row_stride", ctypes.c_size_t)]


class _Descriptor(ctypes.Structure):
    """splitgen_kernel of splitgen/splitgen.h"""
    _fields_ = [("name", ctypes.c_char_p), ("joins", ctypes.c_bool), ("whole", _Tensor),
                ("nparts", ctypes.c_size_t), ("parts", ctypes.POINTER(_Tensor)),
                ("split", ctypes.c_void_p), ("join", ctypes.c_void_p),
                ("split_rows", ctypes.c_void_p), ("join_rows", ctypes.c_void_p),
                ("rows", ctypes.c_size_t),
                ("align", ctypes.c_size_t), ("axis", ctypes.c_int32), ("abi", ctypes.c_uint32),
                ("views", ctypes.c_void_p), ("copy", ctypes.c_void_p),
                ("origin", ctypes.c_void_p), ("free", ctypes.c_void_p)]


def _signature(dtype: str, align: int, joins: bool, tensors: Iterable[Tuple[Sequence[int], Stride]]) -> str:
    """The properties that a descriptor and a generated module must agree on. tensors: dims, and the row stride in
    elements, 0 for dense rows; for rows in groups, the strides of all dimensions."""
    whole, *parts = ["%s/%s" % (list(dims), stride) if stride else str(list(dims))
                     for dims, stride in tensors]
    sides = (" ".join(parts), whole) if joins else (whole, " ".join(parts))
    return "%s%s -> %s, aligned to %d" % (dtype, *sides, align)


class Library:
    """The shared library of one generated module, which is loaded on first use."""

    def __init__(self, stem: str, variable: str, abi: int, module: str, file: str) -> None:
        """stem: of the library's name; variable: the environment variable with its path; abi: of its kernels; module
        and file: the name and the path of the generated module."""
        if abi != ABI:
            raise ImportError("%s is for kernels of ABI %d, but %s for %d: make both again by 'splitgen --emit=py'" %
                              (file, abi, __file__, ABI))
        self._stem, self._variable = stem, variable
        self._module, self._file = module, file
        self._loaded: Optional[ctypes.CDLL] = None

    def load(self, path: Optional[str] = None) -> ctypes.CDLL:
        """Loads the shared library at path, or at the variable's path, or the one in the module's folder."""
        path = path or os.environ.get(self._variable)
        if not path:
            form = {"darwin": "lib%s.dylib", "win32": "%s.dll"}.get(sys.platform, "lib%s.so")
            path = os.path.join(os.path.dirname(os.path.abspath(self._file)), form % self._stem)
            if not os.path.exists(path):
                raise OSError("there is no %s: make it as help(%s) says, or give its path to load() or "
                              "in the environment's %s" % (path, self._module, self._variable))
        library = ctypes.CDLL(os.path.abspath(path))
        pointers, dims = ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_size_t)
        descriptor = ctypes.POINTER(_Descriptor)
        try:
            library.splitgen_run.argtypes = [descriptor, ctypes.c_void_p, pointers]
            library.splitgen_run_dims.argtypes = [descriptor, ctypes.c_void_p, pointers, dims]
            library.splitgen_join.argtypes = [descriptor, pointers, ctypes.c_void_p]
            library.splitgen_join_dims.argtypes = [descriptor, pointers, ctypes.c_void_p, dims]
            library.splitgen_status_text.restype = ctypes.c_char_p
            library.splitgen_dtype_name.restype = ctypes.c_char_p
        except AttributeError:
            raise OSError("%s has no splitgen_run: link the runtime's C files into it, or link with "
                          "-Wl,-u,splitgen_run and libsplitgen_runtime.a" % path) from None
        self._loaded = library
        return library

    def loaded(self) -> ctypes.CDLL:
        """The library that load() loaded last; loads it if there is none."""
        return self._loaded or self.load()

    def descriptor(self, kernel: str, signature: str) -> Any:
        """The kernel's descriptor in the loaded library, which must have this signature."""
        library = self.loaded()
        try:
            found = _Descriptor.in_dll(library, kernel + "_kernel")
        except ValueError:
            raise OSError("%s has no kernel %s" % (library._name, kernel)) from None
        if found.abi != ABI:
            raise OSError("%s has kernels of ABI %d, but this module is for %d: generate both "
                          "again" % (library._name, found.abi, ABI))
        tensors = [(t.dims[:t.rank], tuple(t.dims[t.rank:2 * t.rank])
                    if t.row_stride == 0 and t.bytes > 0 else t.row_stride) for t in
                   [found.whole] + found.parts[:found.nparts]]
        tensors = [(dims, stride if stride != math.prod(dims[found.axis:]) else 0)
                   for dims, stride in tensors]
        has = _signature(library.splitgen_dtype_name(found.whole.dtype).decode(), found.align,
                         found.joins, tensors)
        if has != signature:
            raise OSError("%s in %s is %s, but this module is for %s: generate both again"
                          % (kernel, library._name, has, signature))
        return found


def _keep_freed(size: int) -> None:
    """Lets the C library reuse the memory of all parts, of this size, once it is freed. glibc keeps up to twice the
    size of the largest freed block, at most 64 MiB. It returns more to the system; then the next call waits for
    every page, much longer than for the copy."""
    global _kept
    size = min(size, _KEPT_MOST)
    if size > _kept:
        _kept = size
        np.empty(size, np.uint8)


def _address_by_interface(array: Array) -> int:
    """Like array.ctypes.data, in a third of the time."""
    return int(array.__array_interface__["data"][0])


_pointer_at = ctypes.c_void_p.from_address
_HEAD = object.__basicsize__


def _address_in_place(array: Array) -> int:
    """The first member of NumPy's arrays, behind the head that all objects have: NumPy's C interface fixes this place.
    In a quarter of the time."""
    return _pointer_at(id(array) + _HEAD).value or 0


def _address_function() -> Callable[[Array], int]:
    """The fast function if it works with this Python and this NumPy."""
    probe = np.empty(8, np.uint8)
    if sys.implementation.name != "cpython" or sys.flags.debug or hasattr(sys, "gettotalrefcount"):
        return _address_by_interface
    same = all(_address_in_place(array) == _address_by_interface(array) for array in (probe, probe[3:]))
    return _address_in_place if same else _address_by_interface


_address = _address_function()
_KNOWN_MOST = 64  # layouts that a kernel remembers
_SHARED_MOST = 1 << 14  # up to this size new parts share one block of memory
_Layout = Tuple["np.dtype[Any]", Dims, Dims]


def _layout(array: Any) -> Optional["_Layout"]:
    """What the checks of an array depend on, besides whether it can be written; None for other classes."""
    return (array.dtype, array.shape, array.strides) if type(array) is np.ndarray else None


def strided_dims(shape: Dims, strides: Dims, size: int, axis: int) -> Optional[List[str]]:
    """The dimensions of an array in the notation, such as "1080/6144": with strides, in elements, before the axis if it
    is not C-contiguous. None if the notation cannot express it: from the axis on, elements have to be dense."""
    texts, dense, step = [], True, size
    for d in reversed(range(len(shape))):
        n, stride = shape[d], strides[d]
        fits = n == 1 or stride == step
        if d >= axis and not fits:
            return None
        if not fits and (stride < step or stride % size):
            return None
        dense = dense and fits
        texts.append((n, (step if n == 1 else stride) // size))
        step = n * (step if n == 1 else stride)
    texts.reverse()
    return [str(n) if dense or d >= axis else "%d/%d" % (n, stride) for d, (n, stride) in enumerate(texts)]


def _pack(elements: Array, bits: int) -> Array:
    """The lowest bits of each byte, one after the other from the lowest bit of the first byte."""
    return np.packbits(np.unpackbits(elements[:, None], axis=1, count=bits, bitorder="little"), bitorder="little")


def _unpack(packed: Array, bits: int) -> Array:
    """The reverse: a byte for each element."""
    whole = packed.size * 8 // bits
    each = np.unpackbits(packed, count=whole * bits, bitorder="little").reshape(whole, bits)
    return np.packbits(each, axis=1, bitorder="little")[:, 0]


class _New(typing.NamedTuple):
    """How new arrays are made: places within a block of this size, aligned to `align`."""
    size: int
    align: int
    arrays: Sequence[Tuple[Dims, "np.dtype[Any]", int, Optional[Dims]]]

    def make(self) -> List[Array]:
        """The arrays, not initialised, in one block of memory."""
        block = np.empty(self.size + self.align, np.uint8)
        start = -_address(block) % self.align
        return [np.ndarray(shape, dtype, block, start + offset, strides)
                for shape, dtype, offset, strides in self.arrays]


def _whole_first(whole: int, parts: Any) -> Tuple[Any, Any]:
    return whole, parts


def _parts_first(whole: int, parts: Any) -> Tuple[Any, Any]:
    return parts, whole


class Kernel(typing.Generic[_Parts]):
    """The base of kernels that split and that concatenate."""
    _joins = False
    _make_written = "new_parts() makes arrays that are, to be copied from afterwards"
    _make_read = "new_whole() makes an array that is, to be copied to before"

    def __init__(self, library: Library, symbol: str, dtype: str, types: Sequence[str], packed: bool, axis: int,
                 align: int, result: Callable[..., _Parts],
                 tensors: Sequence[Tuple[str, Dims, int, Union[slice, int, None], bool, Stride]],
                 numbers: Sequence[Tuple[str, Dims]] = (), leaves_gaps: bool = False,
                 padding: Sequence[int] = ()) -> None:
        """types: NumPy's names of the element type; result: a named tuple of the parts; tensors, the full tensor
        first: name, dims, bytes, the part's slice of the axis, whether it is copied, and the row stride in
        elements if rows are padded, otherwise 0; for rows in groups, the strides of all dimensions. numbers: names
        of open numbers, and how often each is a factor of each dimension; dims and bytes are then those with every
        number 1. leaves_gaps: a concat does not write all of the full tensor. padding: for packed elements with
        open numbers, the bytes of padding between the items of each tensor, none if empty."""
        self._library = library
        self.__name__ = symbol
        self._types, self._align = types, align
        self._fitting: Set[np.dtype[Any]] = set()  # accepted types: NumPy makes their names anew each time
        self._names: List[str] = [name for name, _, _, _, _, _ in tensors]
        self._padding = list(padding) or [0] * len(tensors)  # not after the last item
        self._shapes: List[Dims] = [(size + after,) if packed else dims for (_, dims, size, _, _, _), after in
                                    zip(tensors, self._padding)]
        self._parts = [part if part is None else (slice(None),) * (0 if packed else axis) + (part,)
                       for _, _, _, part, _, _ in tensors[1:]]
        self._copied = [copied for _, _, _, _, copied, _ in tensors]
        self._row_strides: List[Stride] = [0 if packed else stride for _, _, _, _, _, stride in tensors]
        self._dims = [(dims, stride) for _, dims, _, _, _, stride in tensors]
        self._dtype = dtype
        self._result = result
        self._signature = _signature(dtype, align, self._joins, self._dims)
        self._numbers = [name for name, _ in numbers]
        self._dim_powers = [powers for _, powers in numbers]
        self._powers = [(sum(p),) if packed else p for p in self._dim_powers]
        self._axis = axis
        self._leaves_gaps = leaves_gaps
        self._bound: Tuple[Optional[ctypes.CDLL], Any] = None, None
        self._pointers = ctypes.c_void_p * len(self._parts)
        self._all_copied = all(self._copied)
        # layouts of arrays that passed all checks: of all tensors, or of the one that new arrays are made for
        self._known: Dict[Any, Tuple[Sequence[int], Optional[List[_New]]]] = {}
        self._bytes: Optional[Kernel[_Parts]] = None  # of a kernel of packed elements, for arrays of single elements
        self._elements: Optional[Kernel[_Parts]] = None  # the reverse
        if packed and types[1:]:
            self._bits = int(re.sub("^[a-z]+", "", dtype)[0])
            self._elements = type(self)(
                library, symbol, dtype, types[1:], False, axis, 1, result,
                [(name, dims, size, self._among_elements(part, dims, tensors[0][1], axis), copied, stride)
                 for name, dims, size, part, copied, stride in tensors], numbers, leaves_gaps)
            self._elements._bytes = self
        self.__doc__ = self._description(dtype, axis, packed)

    def _among_elements(self, part: Union[slice, int, None], dims: Dims, whole: Dims, axis: int) -> Union[slice, int, None]:
        """A part's place on the axis, from its place among the bytes."""
        if not isinstance(part, slice) or part.start is None:
            return part
        start = part.start * 8 // self._bits // max(1, math.prod(whole[axis + 1:]))
        return slice(start, start + dims[axis]) if len(dims) == len(whole) else start - whole[axis]

    def _for(self, dtype: Any) -> "Kernel[_Parts]":
        """The kernel for arrays of this type: itself, unless they have single elements of a packed type."""
        elements = self._elements
        return elements if elements and getattr(dtype, "name", "") in elements._types else self

    def _description(self, dtype: str, axis: int, packed: bool) -> str:
        raise NotImplementedError

    def _describe(self, head: str, verb: str, packed: bool, axis: int, tail: str) -> str:
        """The text of help()."""
        lines = [self.__name__ + head, "", verb %
                 (" (packed elements: rows of bytes)" if packed else " along axis %d" % axis), ""]
        width = max(map(len, self._names))
        types = " or ".join(self._types[:1] if self._elements else self._types) or "strings, which have no arrays in NumPy"
        for i, name in enumerate(self._names):
            stride = self._row_strides[i]
            apart = (", at strides of %s elements" % (stride,) if isinstance(stride, tuple) else
                     ", rows %d elements apart" % stride if stride else "")
            single = ", or %s %s" % (self._types[1], self._elements._shape_text(i)) if self._elements else ""
            lines.append("    %-*s  %s  %s%s%s" % (width, name, types, self._shape_text(i), single, apart))
        lines += ["", tail]
        if self._align > 1:
            lines.append("Arrays begin at multiples of %d bytes, as those of new_whole() and "
                         "new_parts() do." % self._align)
        return "\n".join(lines)

    def __repr__(self) -> str:
        whole, *parts = ("[%s]" % ", ".join(self._dim_texts(dims, self._without_axis(
                             self._dim_powers, dims))) + ("/%s" % (stride,) if stride else "")
                         for dims, stride in self._dims)
        whole = "%s%s axis %d" % (self._dtype, whole, self._axis)
        parts = ["%s %s" % part for part in zip(self._names[1:], parts)]
        if len(parts) > 8:
            parts[3:] = ["... (%d in all)" % len(parts)]
        sides = (", ".join(parts), whole) if self._joins else (whole, ", ".join(parts))
        return "<%s: %s -> %s>" % (self.__name__, *sides)

    def _check_all(self, arrays: Sequence[Any], numbers: Sequence[int], lead: int) -> None:
        """Checks the arrays of all tensors, the full tensor first, against that of tensor `lead`."""
        for i, array in enumerate(arrays):
            if not self._copied[i]:
                if array is not None and not self._is_view(i, array, arrays[0]):
                    self._fail(TypeError, "%s is not copied: %s None or its view in its place",
                               self._names[i], "there is" if self._joins else "out has")
                continue
            self._check(i, array)
            if array.shape != self._shape(i, numbers):
                self._fail(ValueError, "the shape of %s is %s, but that of %s, %s, makes it %s",
                           self._names[i], array.shape, self._names[lead], arrays[lead].shape,
                           self._shape(i, numbers))
            if array.dtype != arrays[lead].dtype:
                self._fail(TypeError, "%s has the dtype %s, but %s has %s", self._names[i],
                           array.dtype, self._names[lead], arrays[lead].dtype)
            self._check_place(i, array)

    def _is_view(self, i: int, array: Any, whole: Array) -> bool:
        """Whether the array is the view of tensor i in the full tensor."""
        part = self._parts[i - 1]
        if part is None or not isinstance(array, np.ndarray):
            return False
        view = whole[part]
        same = array.dtype == view.dtype and array.shape == view.shape
        return same and (array.size == 0 or (_address(array) == _address(view) and
                                             array.strides == view.strides))

    def _check_place(self, i: int, array: Array) -> None:
        """Checks that the array has the strides that the kernel expects."""
        written = (i == 0) == self._joins
        if not self._lies(i, array):
            advice = self._make_written if written else self._make_read
            if isinstance(self._row_strides[i], tuple):
                self._fail(ValueError, "%s does not lie at strides of %s elements: its shape is "
                           "%s, its strides are %s, but have to be %s; %s", self._names[i],
                           self._row_strides[i], array.shape, array.strides,
                           self._strides(i, array.shape, array.itemsize), advice)
            if self._row_strides[i]:
                self._fail(ValueError, "the rows of %s do not begin every %d elements: its shape is "
                           "%s, its strides are %s, but have to be %s; %s", self._names[i],
                           self._row_strides[i], array.shape, array.strides,
                           self._strides(i, array.shape, array.itemsize), advice)
            self._fail(ValueError, "%s is not C-contiguous: its shape is %s, its strides are %s; %s",
                       self._names[i], array.shape, array.strides,
                       advice if written else "numpy.ascontiguousarray() makes a copy that is" +
                       self._notation(i, array))
        if written and not array.flags.writeable:
            self._fail(ValueError, "%s is read-only; an output is written", self._names[i])

    def _notation(self, i: int, array: Array) -> str:
        """A clause with the notation of a kernel that takes the strides of this array; "" if there is none."""
        shape = self._dims[i][0]
        dims = strided_dims(array.shape, array.strides, array.itemsize, self._axis) if len(shape) == array.ndim else None
        if dims is None or self._numbers:
            return ""
        if self._joins:
            text = "%s:%s" % (self._names[i], "/".join([str(shape[self._axis]), *(
                dim.partition("/")[2] for dim in dims[:self._axis])]))
            return ", and a kernel with '%s' in its notation takes these rows" % text
        parts = " ".join("%s:%d" % (name, dims[self._axis]) for name, (dims, _) in zip(self._names[1:], self._dims[1:])
                         if len(dims) == len(shape))
        return ", and a kernel of '%s[%s] @%d -> %s' takes these rows" % (self._dtype, ",".join(dims), self._axis, parts)

    def _strides(self, i: int, shape: Dims, size: int) -> Dims:
        """The strides in bytes of tensor i with this shape, for elements of this size."""
        strides, step = [0] * len(shape), size
        apart = self._row_strides[i]
        for d in reversed(range(len(shape))):
            if isinstance(apart, tuple) and d < self._axis:
                is_dense = d < self._axis - 1 and apart[d] == apart[d + 1] * self._shapes[i][d + 1]
                step = step if is_dense else apart[d] * size
            elif not isinstance(apart, tuple) and d == self._axis - 1 and apart:
                step = apart * size
            strides[d] = step
            step *= shape[d]
        return tuple(strides)

    def _lies(self, i: int, array: Array) -> bool:
        """Whether the array has these strides; a dimension of length 0 or 1 may have any."""
        if not self._row_strides[i]:
            return array.flags.c_contiguous
        wanted = self._strides(i, array.shape, array.itemsize)
        return array.size == 0 or all(n == 1 or have == want for n, have, want in
                                      zip(array.shape, array.strides, wanted))

    def _call(self, name: str, numbers: Sequence[int], arrays: Sequence[Any],
              arguments: Callable[[int, Any], Tuple[Any, Any]]) -> None:
        """Runs the kernel with the function `name` of the library, which makes the other checks."""
        if self._bytes:
            return self._call_by_bytes(self._bytes, name, numbers, arrays, arguments)
        library, descriptor = self._bind()
        pointers = self._pointers(*[_address(array) if array is not None else None for array in arrays[1:]])
        given = [descriptor, *arguments(_address(arrays[0]), pointers)]
        if numbers:
            name += "_dims"
            given.append((ctypes.c_size_t * len(numbers))(*numbers))
        status = getattr(library, name)(*given)
        if status != 0:
            places = ("%s: %d bytes at 0x%x" % (name, array.nbytes, _address(array))
                      for name, array in zip(self._names, arrays) if array is not None)
            self._fail(ValueError, "%s (aligned to %d; %s); new_whole() and new_parts() make "
                       "arrays that fit", library.splitgen_status_text(status).decode(),
                       self._align, ", ".join(places))

    def _call_by_bytes(self, inner: "Kernel[_Parts]", name: str, numbers: Sequence[int], arrays: Sequence[Any],
                       arguments: Callable[[int, Any], Tuple[Any, Any]]) -> None:
        """Packs all arrays, runs the kernel of bytes, and unpacks those that it wrote. Gaps keep what was in them."""
        used = [i for i, array in enumerate(arrays) if array is not None and self._copied[i]]
        for i, j in itertools.combinations(used, 2):
            if (i == 0 or not self._joins) and np.shares_memory(arrays[i], arrays[j]):
                self._fail(ValueError, "%s and %s share memory, but a kernel writes one of them", self._names[i],
                           self._names[j])

        def in_memory(i: int, flat: Array) -> Array:
            shape = arrays[i].shape
            return np.ndarray(shape, np.uint8, flat, 0, self._strides(i, shape, 1))

        packed: List[Any] = [None] * len(arrays)
        for i in used:
            packed[i] = inner._new(i, None, numbers)
            flat = np.zeros(packed[i].size * 8 // inner._bits, np.uint8)
            in_memory(i, flat)[...] = arrays[i].view(np.uint8)
            packed[i][...] = _pack(flat, inner._bits)
        inner._call(name, numbers, packed, arguments)
        for i in used:
            if (i == 0) == self._joins:
                arrays[i].view(np.uint8)[...] = in_memory(i, _unpack(packed[i], inner._bits))

    def _remember(self, key: Any, numbers: Sequence[int], new: Optional[List[_New]] = None) -> None:
        """Keeps the layouts of arrays that passed all checks."""
        if len(self._known) >= _KNOWN_MOST:
            self._known.clear()
        self._known[key] = numbers, new

    def _are_known(self, arrays: Sequence[Any], written: Sequence[Any]) -> Tuple[Any, Optional[Sequence[int]]]:
        """The layouts of all arrays, and the open numbers if arrays with these layouts passed all checks."""
        key = *map(_layout, arrays),
        known = self._known.get(key)
        for array in written if known else ():
            if not array.flags.writeable:
                return key, None
        return key, known and known[0]

    def _views(self, whole: Array) -> _Parts:
        self._check(0, whole)
        return self._result(*(part if part is None else whole[part] for part in self._parts))

    def new_whole(self, dtype: Any = None, *, items: Optional[int] = None,
                  **numbers: int) -> Array:
        """An array for the full tensor, not initialised. numbers: the open numbers by name, by default 1; items: the
        number if there is only one."""
        return self._for(dtype and np.dtype(dtype))._new(0, dtype, self._given(items, numbers))

    def new_parts(self, dtype: Any = None, *, items: Optional[int] = None,
                  **numbers: int) -> _Parts:
        """Arrays for the parts, not initialised; otherwise like new_whole()."""
        return self._for(dtype and np.dtype(dtype))._make_parts(dtype, self._given(items, numbers))

    def _make_parts(self, dtype: Any, numbers: Sequence[int]) -> _Parts:
        made = self._made(self._blocks(range(1, len(self._names)), dtype, numbers))
        return self._result(*(next(made) if copied else None for copied in self._copied[1:]))

    @staticmethod
    def _made(blocks: Sequence[_New]) -> Iterator[Array]:
        made = [array for block in blocks for array in block.make()]
        _keep_freed(sum(block.size for block in blocks))
        return iter(made)

    def _fail(self, error: Type[Exception], text: str, *values: object) -> NoReturn:
        raise error(self.__name__ + ": " + text % values)

    def _given(self, items: Optional[int], numbers: Dict[str, int]) -> List[int]:
        """The open numbers in order."""
        if items is not None:
            if len(self._numbers) != 1 and items != 1:
                self._fail(ValueError, "items is %d, but the numbers that are open are %s", items,
                           ", ".join(self._numbers) or "none")
            numbers = dict.fromkeys(self._numbers, items) | numbers
        for name in numbers:
            if name not in self._numbers:
                self._fail(TypeError, "there is no open dimension '%s': %s", name,
                           ", ".join(self._numbers) or "all are fixed")
        return [numbers.get(name, 1) for name in self._numbers]

    def _powers_of(self, i: int) -> List[Dims]:
        """How often each number is a factor of each dimension of tensor i."""
        return self._without_axis(self._powers, self._shapes[i])

    def _without_axis(self, powers: List[Dims], dims: Sequence[int]) -> List[Dims]:
        """Powers for a tensor of these dimensions, which may be without the axis."""
        gone = powers and len(dims) < len(powers[0])
        return [p[:self._axis] + p[self._axis + 1:] if gone else p for p in powers]

    def _find(self, i: int, array: Array) -> List[int]:
        """The open numbers that give this array's shape. If a dimension is the product of several that no other
        dimension determines, the first of them is that product."""
        found: List[Optional[int]] = [None] * len(self._numbers)
        while None in found:
            n = self._easiest(found, self._powers_of(i))
            found[n] = self._number(i, array, found, n)
        return [number for number in found if number is not None]

    def _easiest(self, found: Sequence[Optional[int]], powers: Sequence[Dims]) -> int:
        """An unknown number in a dimension with as few other unknown ones as possible."""
        def others(n: int) -> int:
            return min((sum(f is None and p[d] > 0 for f, p in zip(found, powers))
                        for d, power in enumerate(powers[n]) if power > 0), default=0)
        return min((n for n, f in enumerate(found) if f is None), key=others)

    def _number(self, i: int, array: Array, found: Sequence[Optional[int]], n: int) -> int:
        """Number n, from a dimension divided by its known factors; 1 if no dimension determines it."""
        powers = self._powers_of(i)
        best: Optional[Tuple[int, int]] = None
        for d, power in enumerate(powers[n]):
            if power == 0 or array.ndim != len(self._shapes[i]) or self._shapes[i][d] == 0:
                continue
            unknown = sum(f is None and p[d] > 0 for f, p in zip(found, powers))
            known = math.prod(f ** p[d] for f, p in zip(found, powers) if f is not None)
            if known > 0 and (best is None or unknown < best[0]):
                left = (array.shape[d] + self._padding[i]) // (self._shapes[i][d] * known)
                best = unknown, round(left ** (1 / power)) if power > 1 else left
        return best[1] if best else 1

    def _shape(self, i: int, numbers: Sequence[int]) -> Dims:
        """The shape of tensor i for these open numbers."""
        if not numbers:
            return self._shapes[i]
        shape = list(self._shapes[i])
        for number, powers in zip(numbers, self._powers_of(i)):
            shape = [dim * number ** power for dim, power in zip(shape, powers)]
        return tuple(dim - min(dim, self._padding[i]) for dim in shape)

    def _new(self, i: int, dtype: Any, numbers: Sequence[int]) -> Array:
        return self._blocks([i], dtype, numbers)[0].make()[0]

    def _blocks(self, which: Iterable[int], dtype: Any, numbers: Sequence[int]) -> List[_New]:
        """How new arrays for these tensors are made: small ones in one block, large ones each in its own, so that each
        is freed by itself."""
        dtype = np.dtype(dtype or (self._types[0] if self._types else object))
        self._check_type("the dtype is", dtype)
        align = max(self._align, 64)  # a cache line at least
        blocks = []
        for i in which:
            if not self._copied[i] and i > 0:
                continue
            shape = self._shape(i, numbers)
            size = math.prod(shape) * dtype.itemsize
            strides: Optional[Dims] = None
            if size > 0 and self._row_strides[i]:
                strides = self._strides(i, shape, dtype.itemsize)
                size = sum((n - 1) * step for n, step in zip(shape, strides)) + dtype.itemsize
            blocks.append(_New(size, align, [(shape, dtype, 0, strides)]))
        starts, total = [], 0
        for block in blocks:
            starts.append(total)
            total += block.size + -block.size % align
        if len(blocks) < 2 or total > _SHARED_MOST:
            return blocks
        return [_New(total, align, [(shape, dtype, start, strides)
                                    for start, block in zip(starts, blocks) for shape, _, _, strides in block.arrays])]

    def _check_type(self, what: str, dtype: np.dtype[Any]) -> None:
        if dtype in self._fitting:
            return
        if not self._types:
            self._fail(TypeError, "NumPy has no arrays of C's strings; call the kernel from C")
        if dtype.name not in self._types or not dtype.isnative:
            self._fail(TypeError, "%s %s, but it takes %s", what, dtype, " or ".join(self._types))
        self._fitting.add(dtype)

    def _check(self, i: int, array: object) -> Array:
        if not isinstance(array, np.ndarray):
            self._fail(TypeError, "%s is a %s, but it takes a numpy.ndarray", self._names[i],
                       type(array).__name__)
        if isinstance(array, np.ma.MaskedArray):
            self._fail(TypeError, "%s is a masked array, but a kernel copies no mask: give its "
                       "filled() or its data, and cut the mask by another kernel", self._names[i])
        self._check_type("the dtype of %s is" % self._names[i], array.dtype)
        fits = array.ndim == len(self._shapes[i])
        if not fits or array.shape != self._shape(i, self._find(i, array)):
            self._fail(ValueError, "the shape of %s is %s, but it takes %s", self._names[i],
                       array.shape, self._shape_text(i))
        return array

    def _shape_text(self, i: int) -> str:
        """The shape as text, with the names of open dimensions."""
        if not self._numbers:
            return str(self._shapes[i])
        after = "-%d" % self._padding[i] if self._padding[i] else ""
        return "(" + ", ".join(self._dim_texts(self._shapes[i], self._powers_of(i))) + after + ")"

    def _dim_texts(self, dims: Sequence[int], powers: Sequence[Dims]) -> List[str]:
        """Each dimension as text: a number, or names of open numbers, with these powers."""
        texts = []
        for d, dim in enumerate(dims):
            factors = [name for name, power in zip(self._numbers, powers) for _ in range(power[d])]
            if dim != 1 or not factors:
                factors.insert(0, str(dim))
            texts.append("*".join(factors))
        return texts

    def _bind(self) -> Tuple[ctypes.CDLL, Any]:
        """The loaded library, and the kernel's descriptor in it."""
        library, descriptor = self._library.loaded(), self._bound[1]
        if library is not self._bound[0]:
            descriptor = self._library.descriptor(self.__name__, self._signature)
            self._bound = library, descriptor
        return library, descriptor


class Split(Kernel[_Parts]):
    """A kernel that splits: call it to copy the parts of an array, or use views()."""

    def _description(self, dtype: str, axis: int, packed: bool) -> str:
        return self._describe("(data, *, out=None) -> (%s)" % ", ".join(self._names[1:]),
                              "Copies the parts of data%s to arrays: new ones, or those of out.",
                              packed, axis,
                              "%s.views(data) gives the same parts without a copy." % self.__name__)

    def __call__(self, data: Array, *, out: Optional[Sequence[Optional[Array]]] = None) -> _Parts:
        """Copies the parts of data into new arrays, or into those of out, and returns them."""
        if self._elements and self._for(getattr(data, "dtype", None)) is self._elements:
            return self._elements(data, out=out)  # type: ignore[operator, no-any-return]
        if out is None:
            return self._to_new(data)
        key: Any = (None,)
        if self._all_copied and len(out) == len(self._parts):
            key, known = self._are_known((data, *out), out)
            if known is not None:
                self._call("splitgen_run", known, (data, *out), _whole_first)
                return self._result(*out)
        self._check(0, data)
        numbers = self._find(0, data)
        if len(out) != len(self._parts):
            self._fail(ValueError, "out holds %d arrays, but there are %d outputs: %s", len(out),
                       len(self._parts), ", ".join(self._names[1:]))
        arrays = (data, *out)
        self._check_all(arrays, numbers, 0)
        self._call("splitgen_run", numbers, arrays, _whole_first)
        if self._all_copied:
            if None not in key:
                self._remember(key, numbers)
            return self._result(*out)
        views = self._views(data)
        return self._result(*(array if array is not None else view
                              for array, view in zip(out, views)))

    def _to_new(self, data: Array) -> _Parts:
        """Copies the parts into new arrays, which need no check."""
        key = _layout(data)
        known = self._known.get(key) if key is not None else None
        if known is None:
            self._check(0, data)
            found = self._find(0, data)
            self._check_place(0, data)
            blocks = self._blocks(range(1, len(self._names)), data.dtype, found)
            known = found, blocks
            if key is not None:
                self._remember(key, found, blocks)
        numbers, new = known
        made = self._made(new or [])
        out = [next(made) if copied else None for copied in self._copied[1:]]
        self._call("splitgen_run", numbers, (data, *out), _whole_first)
        if self._all_copied:
            return self._result(*out)
        return self._result(*(view if array is None else array for array, view in zip(out, self._views(data))))

    def views(self, data: Array) -> _Parts:
        """The parts as views of data, writeable if data is; None for a part without a view."""
        return self._for(getattr(data, "dtype", None))._views(data)


class Join(Kernel[_Parts]):
    """A kernel that concatenates: call it to copy arrays into the result, or write them into its views()."""
    _joins = True
    _make_written = "new_whole() makes an array that is, to be copied from afterwards"
    _make_read = "new_parts() makes arrays that are, to be copied to before"

    def _description(self, dtype: str, axis: int, packed: bool) -> str:
        return self._describe("(%s, *, out=None) -> out" % ", ".join(self._names[1:]),
                              "Joins these arrays%s: to a new one, or to out.", packed, axis,
                              "%s.views(out) are places in out to write them without a copy." %
                              self.__name__)

    def __call__(self, *parts: Optional[Array], out: Optional[Array] = None) -> Array:
        """Copies the parts into a new array, or into out, and returns it."""
        if self._elements and any(self._for(getattr(array, "dtype", None)) is self._elements for array in (*parts, out)):
            return self._elements(*parts, out=out)  # type: ignore[operator, no-any-return]
        if len(parts) != len(self._parts):
            self._fail(TypeError, "%d arrays are given, but there are %d inputs: %s", len(parts),
                       len(self._parts), ", ".join(self._names[1:]))
        key = None
        if out is not None and self._all_copied:
            key, known = self._are_known((out, *parts), (out,))
            if known is not None:
                self._call("splitgen_join", known, (out, *parts), _parts_first)
                return out
        if out is None and self._all_copied and not self._leaves_gaps:
            return self._to_new(parts)
        lead = self._copied.index(True, 1) if True in self._copied[1:] else 0
        if out is None and not all(self._copied):
            self._fail(TypeError, "%s is not copied, but written in its view of out: give out=",
                       self._names[self._copied.index(False)])
        first = self._check(lead, (out, *parts)[lead])
        numbers = self._find(lead, first)
        if out is None:
            out = self._new(0, first.dtype, numbers)
            if self._leaves_gaps:
                out[...] = 0
        arrays = (out, *parts)
        self._check_all(arrays, numbers, lead)
        self._call("splitgen_join", numbers, arrays, _parts_first)
        if key is not None and None not in key:
            self._remember(key, numbers)
        return out

    def _to_new(self, parts: Sequence[Any]) -> Array:
        """Copies the parts into a new array, which needs no check."""
        key = *map(_layout, parts),
        known = self._known.get(key)
        if known is None:
            first = self._check(1, parts[0])
            found = self._find(1, first)
            blocks = self._blocks([0], first.dtype, found)
            out = blocks[0].make()[0]
            self._check_all((out, *parts), found, 1)
            known = found, blocks
            if None not in key:
                self._remember(key, found, blocks)
        numbers, new = known
        (out,) = self._made(new or [])
        self._call("splitgen_join", numbers, (out, *parts), _parts_first)
        return out

    def views(self, out: Array) -> _Parts:
        """The parts as views of out, writeable if out is; None for a part without a view."""
        return self._for(getattr(out, "dtype", None))._views(out)
