"""Kernels that are compiled and loaded, by the module that --emit=py prints: there is no other binding."""
from __future__ import annotations

import importlib.util
import json
import pathlib
import sys
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Sequence

from .arrays import asarray
from .compiler import LIBRARY

if TYPE_CHECKING:
    from .arrays import Array


class Kernel:
    """A kernel. help(k.NAME) and k.NAME.__doc__ say its shapes.

    A split is called with the whole and returns the parts, a concat the other way round. Arrays of NumPy are returned;
    taken is what shares memory with one: arrays, memoryviews, tensors with __dlpack__ or __array_interface__."""

    def __init__(self, inner: Any, plan: Mapping[str, Any]) -> None:
        self._inner, self.plan = inner, plan
        self.__name__: str = inner.__name__
        self.__doc__: Optional[str] = inner.__doc__

    def __repr__(self) -> str:
        return repr(self._inner)

    @property
    def joins(self) -> bool:
        """Whether it joins parts to a whole."""
        return bool(self._inner._joins)

    def _taken(self, names: Sequence[str], given: Sequence[Any]) -> List[Any]:
        if len(given) != len(names):
            raise TypeError("%s takes %d arrays (%s), but %d are given" %
                            (self.__name__, len(names), ", ".join(names), len(given)))
        return [array if array is None else asarray("%s: %s" % (self.__name__, name), array)
                for name, array in zip(names, given)]

    def __call__(self, *arrays: Any, out: Any = None) -> Any:
        """Copies into new arrays, or those of out, and returns them: a named tuple of a split, an array of a concat."""
        names: List[str] = self._inner._names
        reads, writes = (names[1:], names[:1]) if self.joins else (names[:1], names[1:])
        taken = self._taken(reads, arrays)
        if out is None:
            return self._inner(*taken)
        written = self._taken(writes, [out] if self.joins else out)
        return self._inner(*taken, out=written[0] if self.joins else written)

    def views(self, whole: Any) -> Any:
        """Where the parts lie in the whole, without a copy: what a split would return, where a concat's parts can be
        written instead of being copied. None for a part without a view."""
        return self._inner.views(asarray("%s: %s" % (self.__name__, self._inner._names[0]), whole))

    def new_whole(self, dtype: Any = None, **numbers: int) -> "Array":
        """An array for the whole, aligned and laid out as the kernel asks, not initialised. numbers: those of open
        dimensions by their names, or items= for the only one."""
        make = self._inner.new_output if self.joins else self._inner.new_input
        return make(dtype, **numbers)  # type: ignore[no-any-return]

    def new_parts(self, dtype: Any = None, **numbers: int) -> Any:
        """The same for the parts: a named tuple."""
        make = self._inner.new_inputs if self.joins else self._inner.new_outputs
        return make(dtype, **numbers)


def _load(path: pathlib.Path) -> Any:
    """The generated module; of the same build always the same one."""
    name = "splitgen_built_%s_%s" % (path.parent.name, path.stem)
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        # Named, since by itself it looks for a library called after the input, or takes that of the environment.
        module.load(str(path.parent / LIBRARY))
        sys.modules[name] = module
    return sys.modules[name]


class Kernels(Mapping[str, Kernel]):
    """The kernels of a build: k.NAME, or k["NAME"], by their names in C.

    folder: where the C, the module and the library lie; plan: the JSON of --emit=json."""

    def __init__(self, folder: pathlib.Path, stem: str) -> None:
        from .arrays import _numpy

        _numpy()
        self.folder = folder
        self.plan: Dict[str, Any] = json.loads((folder / (stem + ".json")).read_bytes())
        self.module = _load(folder / (stem + ".py"))
        plans = {plan["name"]: plan for plan in self.plan["kernels"]}
        self._kernels = {name: Kernel(inner, plans[name]) for name, inner in self.module.kernels.items()}

    def __getattr__(self, name: str) -> Kernel:
        kernels: Dict[str, Kernel] = self.__dict__.get("_kernels", {})
        for kernel in (name, name.rstrip("_")):  # def_, as Python has words of its own
            if kernel in kernels:
                return kernels[kernel]
        raise AttributeError("there is no kernel '%s': %s" % (name, ", ".join(kernels)))

    def __getitem__(self, name: str) -> Kernel:
        return self._kernels[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._kernels)

    def __len__(self) -> int:
        return len(self._kernels)

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self._kernels]

    def __repr__(self) -> str:
        return "<kernels: %s>" % ", ".join(self._kernels)
