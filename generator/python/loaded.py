"""Kernels that are compiled and loaded through the module that --emit=py prints. There is no other binding."""
from __future__ import annotations

import importlib.machinery
import importlib.util
import json
import pathlib
import sys
import types
from keyword import iskeyword
from typing import (TYPE_CHECKING, Any, Dict, ItemsView, Iterator, KeysView, List, Mapping, Optional, Sequence,
                    ValuesView)

from .arrays import _numpy, asarray
from .compiler import LIBRARY
from .errors import near, warn

if TYPE_CHECKING:
    from .arrays import Array


class Kernel:
    """A kernel. help(k.NAME) and k.NAME.__doc__ show its shapes.

    A split is called with the full tensor and returns the parts, a concat the reverse. Results are NumPy arrays.
    Arguments are objects that share memory with one: arrays, memoryviews, tensors with __dlpack__ or
    __array_interface__."""

    def __init__(self, inner: Any, plan: Mapping[str, Any]) -> None:
        self._inner, self.plan = inner, plan
        self._joins = self.joins
        names: List[str] = inner._names
        self._reads, self._writes = (names[1:], names[:1]) if self._joins else (names[:1], names[1:])
        self._array = _numpy().ndarray
        self.__name__: str = inner.__name__
        self.__doc__: Optional[str] = inner.__doc__

    def __repr__(self) -> str:
        return repr(self._inner)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("new_"):
            raise AttributeError("a kernel has no '%s', but new_whole() and new_parts()" % name)
        public = [one for one in dir(type(self)) + ["plan"] if not one.startswith("_")]
        raise AttributeError("a kernel has no '%s'%s" % (name, near(name, public)))

    @property
    def joins(self) -> bool:
        """Whether it is a concat."""
        return bool(self._inner._joins)

    def _taken(self, names: Sequence[str], given: Sequence[Any]) -> List[Any]:
        if len(given) != len(names):
            raise TypeError("%s takes %d arrays (%s), but %d are given" %
                            (self.__name__, len(names), ", ".join(names), len(given)))
        return [array if array is None or type(array) is self._array else
                asarray("%s: %s" % (self.__name__, name), array) for name, array in zip(names, given)]

    def __call__(self, *arrays: Any, out: Any = None) -> Any:
        """Copies into new arrays, or those of out, and returns them: a named tuple of a split, an array of a concat."""
        taken = self._taken(self._reads, arrays)
        if out is None:
            return self._inner(*taken)
        written = self._taken(self._writes, [out] if self._joins else out)
        return self._inner(*taken, out=written[0] if self._joins else written)

    def views(self, whole: Any) -> Any:
        """The parts as views of the full tensor, without a copy: the results of a split, or the places where a
        concat's parts can be written directly. None for a part without a view."""
        return self._inner.views(asarray("%s: %s" % (self.__name__, self._inner._names[0]), whole))

    def new_whole(self, dtype: Any = None, **numbers: int) -> "Array":
        """An array for the full tensor with the alignment and layout of the kernel, not initialised. numbers: values
        of open dimensions by their names, or items= for the only one."""
        return self._inner.new_whole(dtype, **numbers)  # type: ignore[no-any-return]

    def new_parts(self, dtype: Any = None, **numbers: int) -> Any:
        """Like new_whole, for the parts; returns a named tuple."""
        return self._inner.new_parts(dtype, **numbers)


class _Source(importlib.machinery.SourceFileLoader):
    """Loads the source only. A bytecode file beside it would not be covered by the hashes, so none is read or
    written."""

    def path_stats(self, path: Any) -> Any:
        raise OSError


def _load(path: pathlib.Path) -> Any:
    """The generated module; always the same object for the same build."""
    package = "splitgen_built_%s" % path.parent.name
    name = "%s.%s" % (package, path.stem.replace(".", "_"))
    if name not in sys.modules:
        from . import splitgen_arrays

        # Its import of a neighbouring file gets the package's own module, so no bytecode is written to the build's
        # folder.
        beside = types.ModuleType(package)
        setattr(beside, "splitgen_arrays", splitgen_arrays)
        sys.modules[package] = beside
        spec = importlib.util.spec_from_file_location(name, path, loader=_Source(name, str(path)))
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        # Loads the library by its path; by default the module looks for a library named after the input, or uses the
        # environment's.
        module.load(str(path.parent / LIBRARY))
        sys.modules[name] = module
    return sys.modules[name]


class NoKernelError(KeyError):
    """A KeyError that prints as a sentence."""
    __str__ = Exception.__str__


class Kernels(Mapping[str, Kernel]):
    """The kernels of a build: k.NAME, or k["NAME"], by their names in C.

    folder: the folder with the C, the module and the library; plan: the JSON of --emit=json; module: the module of
    --emit=py. A kernel called folder, plan, module, get, keys, items or values is only k["items"] or k.items_, as is
    one named like a keyword of Python: k.def_."""

    def __init__(self, folder: pathlib.Path, stem: str) -> None:
        _numpy()
        self._folder = folder
        self._plan: Dict[str, Any] = json.loads((folder / (stem + ".json")).read_bytes())
        self._svg = (folder / (stem + ".svg")).read_bytes().decode()
        self._module = _load(folder / (stem + ".py"))
        plans = {plan["name"]: plan for plan in self._plan["kernels"]}
        self._kernels = {name: Kernel(inner, plans[name]) for name, inner in self._module.kernels.items()}

    def _where(self, name: str) -> str:
        return "the kernel '%s' is k[%r] or k.%s_" % (name, name, name)

    def _own(self, name: str, what: str) -> None:
        if name in self._kernels:
            warn("k.%s is %s; %s" % (name, what, self._where(name)))

    @property
    def folder(self) -> pathlib.Path:
        """The folder with the C, the module and the library."""
        self._own("folder", "where the build lies")
        return self._folder

    @property
    def plan(self) -> Dict[str, Any]:
        """The JSON of --emit=json."""
        self._own("plan", "the plan of all kernels")
        return self._plan

    @property
    def module(self) -> Any:
        """The module that --emit=py prints."""
        self._own("module", "the generated module")
        return self._module

    def _refuse(self, name: str, given: Sequence[Any], options: Mapping[str, Any]) -> None:
        """Arguments meant for a kernel must not go to the mapping's method of the same name."""
        if (given or options) and name in self._kernels:
            raise TypeError("k.%s() is that of a mapping; %s" % (name, self._where(name)))
        if given or options:
            raise TypeError("%s() takes no arguments" % name)

    def keys(self, *given: Any, **options: Any) -> KeysView[str]:
        """The names of the kernels."""
        self._refuse("keys", given, options)
        return super().keys()

    def items(self, *given: Any, **options: Any) -> ItemsView[str, Kernel]:
        """The names and the kernels."""
        self._refuse("items", given, options)
        return super().items()

    def values(self, *given: Any, **options: Any) -> ValuesView[Kernel]:
        """The kernels."""
        self._refuse("values", given, options)
        return super().values()

    def get(self, name: str, default: Any = None, **options: Any) -> Any:
        """The kernel of this name, else default."""
        if not isinstance(name, str) or options:
            self._refuse("get", (name,), options)
        return self._kernels.get(name, default)

    def __getattr__(self, name: str) -> Kernel:
        kernels: Dict[str, Kernel] = self.__dict__.get("_kernels", {})
        for kernel in (name, name.rstrip("_")):  # def_, because def is a keyword of Python
            if kernel in kernels:
                return kernels[kernel]
        raise AttributeError("there is no kernel '%s'%s" % (name, near(name, kernels)))

    def __getitem__(self, name: str) -> Kernel:
        if name not in self._kernels:
            raise NoKernelError("there is no kernel '%s'%s" % (name, near(str(name), self._kernels)))
        return self._kernels[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._kernels)

    def __len__(self) -> int:
        return len(self._kernels)

    def __dir__(self) -> List[str]:
        own = [*super().__dir__()]
        return own + [name + "_" * (name in own or iskeyword(name)) for name in self._kernels]

    def __repr__(self) -> str:
        return "<kernels: %s>" % ", ".join(self._kernels)

    def _repr_svg_(self) -> str:
        """The picture of the parts, for notebooks."""
        return self._svg
