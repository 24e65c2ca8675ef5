"""split() and concatenate(): NumPy's functions, with the same arguments, errors and results, but always copies. A kernel
is compiled for the first array of each layout and kept; what no kernel does, such as objects, is left to NumPy."""
from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Sequence, Tuple

from .api import compile_kernels
from .arrays import _numpy
from .errors import InputError

if TYPE_CHECKING:
    from .arrays import Array

_MOST = 128  # kernels that are kept; the builds stay in the cache on disk
_TYPES = {1: "uint8", 2: "uint16", 4: "uint32", 8: "uint64", 16: "complex128"}  # elements are moved, not read
_made: Dict[Any, Optional[Callable[..., Any]]] = {}
_lock = threading.Lock()


def _key(array: Any, ndarray: Any) -> Any:
    return (array.dtype, array.shape, array.strides) if type(array) is ndarray else None


def _dims(array: "Array", axis: int) -> Optional[List[str]]:
    """The dimensions in the notation, with strides before the axis; None if the notation cannot express them."""
    from .splitgen_arrays import strided_dims
    if array.dtype.hasobject or array.itemsize not in _TYPES or array.size == 0:
        return None
    return strided_dims(array.shape, array.strides, array.itemsize, axis)


def _compiled(notation: str) -> Any:
    """The kernel, or None if it breaks a rule that only the tool knows."""
    try:
        (kernel,) = compile_kernels(notation).values()
        return kernel._inner
    except InputError:
        return None


def _keep(key: Any, make: Callable[[], Any]) -> Any:
    with _lock:
        if key not in _made:
            if len(_made) >= _MOST:
                del _made[next(iter(_made))]
            _made[key] = make()
        return _made[key]


def split(ary: Any, indices_or_sections: Any, axis: int = 0) -> "List[Array]":
    """numpy.split, but the parts are copies, made by a kernel that is compiled for arrays of this layout.

    >>> q, k, v = splitgen.split(x, 3, axis=1)
    """
    np = _numpy()
    places = indices_or_sections
    try:
        places = places if isinstance(places, int) else tuple(places)
        key = _key(ary, np.ndarray), places, axis
        known = key in _made
    except TypeError:  # not hashable, not iterable: NumPy says what is wrong, or does it
        key, known = None, False
    if not known:
        parts = np.split(ary, indices_or_sections, axis)
        if key is None or key[0] is None:
            return [part.copy() for part in parts]
        _keep(key, lambda: _split_kernel(ary, parts, axis))
    run = _made.get(key)
    return run(ary) if run else [part.copy() for part in np.split(ary, indices_or_sections, axis)]


def _split_kernel(ary: "Array", parts: "Sequence[Array]", axis: int) -> Optional[Callable[..., Any]]:
    axis = axis % ary.ndim
    lengths = [part.shape[axis] for part in parts]
    at, step = ary.__array_interface__["data"][0], ary.strides[axis]
    dims = _dims(ary, axis) if sum(lengths) == ary.shape[axis] else None
    for part in parts:  # overlapping or repeated parts are no split
        if part.size and part.__array_interface__["data"][0] != at:
            return None
        at += part.shape[axis] * step
    if dims is None:
        return None
    moved = _numpy().dtype(_TYPES[ary.itemsize])
    kernel = _compiled("split: %s[%s] @%d -> %s" % (moved, ",".join(dims), axis, ",".join(map(str, lengths))))
    if kernel is None or moved == ary.dtype:
        return kernel and (lambda array: [*kernel(array)])
    dtype = ary.dtype
    return lambda array: [part.view(dtype) for part in kernel(array.view(moved))]


def concatenate(arrays: Any, /, axis: Optional[int] = 0, out: Any = None, *, dtype: Any = None,
                casting: Any = "same_kind") -> "Array":
    """numpy.concatenate, by a kernel that is compiled for arrays of these layouts.

    >>> x = splitgen.concatenate((q, k, v), axis=1)
    """
    np = _numpy()
    if dtype is None and casting == "same_kind" and isinstance(axis, int) and isinstance(arrays, (list, tuple)):
        key: Any = axis, (*(_key(array, np.ndarray) for array in arrays),), None if out is None else _key(out, np.ndarray)
        run = _made.get(key)
        if run is not None:
            return run(arrays, out)
        if key not in _made:
            result = np.concatenate(arrays, axis=axis, out=out)
            usable = None not in key[1] and (out is None or key[2] is not None)
            _keep(key, lambda: _concat_kernel(arrays, axis, result, out) if usable else None)
            return result  # type: ignore[no-any-return]
    return np.concatenate(arrays, axis=axis, out=out, dtype=dtype, casting=casting)  # type: ignore[no-any-return]


def _concat_kernel(arrays: "Sequence[Array]", axis: int, result: "Array", out: Any) -> Optional[Callable[..., Any]]:
    axis = axis % result.ndim
    parts = []
    for array in arrays:
        dims = _dims(array, axis)
        if dims is None or array.dtype != result.dtype:
            return None
        strides = [dim.partition("/")[2] for dim in dims[:axis]]
        strides = strides if all(strides) else []
        parts.append("/".join([str(array.shape[axis]), *strides]))
    if not result.flags.c_contiguous:
        return None
    moved = _numpy().dtype(_TYPES[result.itemsize])
    kernel = _compiled("concat: %s[%s] @%d <- %s" % (moved, ",".join(map(str, result.shape)), axis, ",".join(parts)))
    if kernel is None:
        return None
    dtype, is_same = result.dtype, moved == result.dtype

    def run(given: Any, into: Any) -> Any:
        try:
            if is_same:
                return kernel(*given, out=into)
            made = kernel(*(array.view(moved) for array in given), out=None if into is None else into.view(moved))
            return made.view(dtype) if into is None else into
        except ValueError:  # buffers that overlap, or that cannot be written: as NumPy does it
            return _numpy().concatenate(given, axis=axis, out=into)
    return run
