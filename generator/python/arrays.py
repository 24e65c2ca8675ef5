"""Converts arrays of other packages to NumPy's without a copy: by the array interface, DLPack or the buffer
protocol. It imports none of these packages."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[Any]


def _numpy() -> Any:
    try:
        import numpy
    except ImportError:
        raise ImportError("kernels take arrays of NumPy: pip install numpy") from None
    return numpy


def _from_dlpack(name: str, given: Any) -> Any:
    """NumPy's view of a tensor. Fails for types that NumPy does not have, such as PyTorch's bfloat16."""
    np = _numpy()
    try:
        return np.from_dlpack(given)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise TypeError("%s is a %s that NumPy cannot read in place (%s); a tensor on the CPU, detached, and of a type "
                        "that NumPy lacks viewed as integers of its size, is taken" %
                        (name, type(given).__name__, error)) from error


def _writable(array: Any, given: Any) -> Any:
    """Exporters of an old DLPack do not say whether the memory is writable. Then the array protocol decides, if it
    returns the same memory."""
    if array.flags.writeable or not hasattr(given, "__array__"):
        return array
    other = _numpy().asarray(given)
    return other if other.ctypes.data == array.ctypes.data and other.shape == array.shape else array


def asarray(name: str, given: Any) -> "Array":
    """Returns a NumPy array that shares memory with the argument."""
    np = _numpy()
    if isinstance(given, np.ndarray):
        return given  # type: ignore[no-any-return]
    if hasattr(given, "__array_interface__") or hasattr(given, "__array_struct__"):
        return np.asarray(given)  # type: ignore[no-any-return]
    if hasattr(given, "__dlpack__"):
        return _writable(_from_dlpack(name, given), given)  # type: ignore[no-any-return]
    try:
        return np.asarray(memoryview(given))  # type: ignore[no-any-return]
    except TypeError:
        raise TypeError("%s is a %s, but has to be an array: NumPy's, or what has __dlpack__, __array_interface__ or a "
                        "buffer" % (name, type(given).__name__)) from None
