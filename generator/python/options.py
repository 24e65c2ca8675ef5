"""Converts keyword options of Python to options of the tool. The tool's own list (--help=json) is the only table of
their names, values and repetition. Names have _ for -; a few have a second, plural name."""
from __future__ import annotations

import functools
import json
import os
import subprocess
from keyword import iskeyword
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from .errors import near
from .paths import EXECUTABLE

if TYPE_CHECKING:
    from typing_extensions import Literal, TypedDict

    Path = Union[str, "os.PathLike[str]"]
    Words = Union[str, Sequence[str]]
    Number = Union[int, str]
    Shape = Union[str, Sequence[Number]]

    class Options(TypedDict, total=False):
        """The keywords of compile(), generate() and list(); `splitgen --help` says what each does."""
        define: Mapping[str, object]
        defines: Mapping[str, object]
        dims: Mapping[str, object]
        open: Union[bool, Words, Mapping[str, Number]]
        include: Union[Path, Sequence[Path]]
        includes: Union[Path, Sequence[Path]]
        shape: Mapping[str, Shape]
        shapes: Mapping[str, Shape]
        value: Mapping[str, Shape]
        values: Mapping[str, Shape]
        shape_rules: Path
        only: Words
        ops: Words
        skip: Words
        max_memory: int
        max_seconds: int
        shards: int
        prefix: str
        export_macro: str
        section: str
        optimize: Literal["speed", "size"]
        unroll: Literal["auto", "full", "none"]
        fuse: bool
        strided: Words
        strided_read: Words
        cache: Words
        in_place: Words
        arena_alignment: int
        views: Literal["copy", "omit", "omit-outputs"]
        isa: Words
        tune: str
        no_memcpy: bool
        standalone: Literal["kernels", "descriptors"]
        dispatch: Literal["runtime", "static"]
        non_temporal: Literal["auto", "never", "always"]
        werror: bool
        # `except` is a keyword of Python: use except_=
        except_: Words

# Options that have no long name, and additional names.
_SHORT = {"D": "define", "I": "include", "Werror": "werror"}
_ADDITIONAL = {"defines": "define", "dims": "define", "includes": "include", "shapes": "shape", "values": "value",
               "except_": "except"}
# Groups with options for files of kernels. The other groups print something else, and the functions choose where files
# go.
_GROUPS = ("Input", "Output", "Generated code", "Limits")
_OWN = ("emit", "header", "check")

Info = Dict[str, Any]


@functools.lru_cache(maxsize=1)
def table() -> Dict[str, Info]:
    """The tool's options that are keywords, by keyword."""
    found: Dict[str, Info] = {}
    text = subprocess.run([str(EXECUTABLE), "--help=json"], stdout=subprocess.PIPE, check=True).stdout
    for info in json.loads(text)["options"]:
        name = info["long"].replace("-", "_") or _SHORT.get(info["short"], "")
        if name and name not in _OWN and (info["group"] in _GROUPS or name == "werror"):
            found[name] = info
    return found


def keyword(option: str) -> str:
    """The keyword of --option or of -o; "" if it has none."""
    name = option[2:].replace("-", "_") if option.startswith("--") else _SHORT.get(option[1:], "")
    if not option.startswith("-") or name not in table():
        return ""
    return name + "_" * iskeyword(name)


@functools.lru_cache(maxsize=1)
def _older() -> Dict[str, Info]:
    """The options with older names, by their keywords: flags stand for a value of the newer option."""
    return {older["name"].replace("-", "_"): dict(info, long=older["name"], optional=False,
                                                  argument="" if older["value"] else info["argument"])
            for info in table().values() for older in info["older"]}


def _found(name: str) -> Optional[Info]:
    """The option with this keyword, which may be an additional or older one."""
    return table().get(_ADDITIONAL.get(name, name)) or _older().get(name)


def information(name: str) -> Info:
    """The tool's description of the option with this keyword."""
    return _found(name) or {}


def names() -> List[str]:
    """All keywords."""
    return sorted([*table(), *_ADDITIONAL])


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(map(_text, value))
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _values(info: Info, value: object) -> List[str]:
    """The values of an option, one for each time that it is passed."""
    if isinstance(value, Mapping):
        return [_text(name) if number is None else "%s=%s" % (_text(name), _text(number))
                for name, number in value.items()]
    if isinstance(value, (str, os.PathLike)) or not isinstance(value, Sequence):
        return [_text(value)]
    return [*map(_text, value)] if info["repeats"] else [_text(tuple(value))]


def _one(name: str, info: Info, value: object) -> List[str]:
    """An option as arguments. True is a flag; False and None omit it."""
    if value is None or value is False:
        return []
    option = "--" + info["long"] if info["long"] else "-" + info["short"]
    if value is True:
        if info["argument"] and not info["optional"]:
            raise TypeError("the option '%s' takes a value: %s" % (name, info["argument"]))
        return [option]
    if not info["argument"]:
        raise TypeError("the option '%s' is True or False, not %r" % (name, value))
    joined = (option + "=%s",) if info["long"] else (option, "%s")
    return [part % text if "%s" in part else part for text in _values(info, value) for part in joined]


def _unknown(function: str, name: str) -> TypeError:
    return TypeError("%s() has no option '%s'%s" % (function, name, near(name, names())))


def arguments(function: str, options: Mapping[str, object]) -> Tuple[str, ...]:
    """Converts keyword options of one of the package's functions to arguments of the tool."""
    made: List[str] = []
    for name, value in options.items():
        info = _found(name)
        if info is None:
            raise _unknown(function, name)
        made += _one(name, info, value)
    return tuple(made)
