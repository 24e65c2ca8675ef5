"""compile(), generate() and list(): the tool as functions."""
from __future__ import annotations

import json
import pathlib
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Union

from . import compiler, options, tool
from .folders import default_cache, private_cache
from .loaded import Kernels

if TYPE_CHECKING:
    import os

    from typing_extensions import Unpack

    from .options import Options
    from .tool import Source

Op = Dict[str, Any]


class Ops(List[Op]):
    """Ops as dicts: name, op, type, shape, axis, lengths, outputs or inputs, views, bytes and, of a model, node,
    op_type, path and tensors. summary: their sums, and what else a model has."""
    summary: Dict[str, Any]


def generate(source: Source, *, emit: Union[str, Sequence[str]] = "c", **given: Unpack[Options]) -> Dict[str, str]:
    """The text of generated files, by their names.

    source: the notation, the path of a spec or a model, or several of these. emit: the kinds of files, as --emit has
    them. Further keywords are the tool's options, with _ for -.

    >>> generate("qkv.lua", defines={"batch": 8}, emit=["c", "h"])
    """
    kinds = emit if isinstance(emit, str) else ",".join(emit)
    return tool.files(kinds, [*options.arguments("generate", given), *tool.inputs(source)], "generate")


def list_ops(source: Source, **given: Unpack[Options]) -> Ops:
    """Returns the ops of a spec, a model or the notation, as in --list=json; generates nothing."""
    text = tool.run([*options.arguments("list", given), *tool.inputs(source), "--list=json"], "list")
    document = json.loads(text)
    ops = Ops(document["ops"])
    ops.summary = document["summary"]
    return ops


def _cache(given: Union[bool, str, "os.PathLike[str]"]) -> Optional[pathlib.Path]:
    """The folder to keep builds in, or None if there is no safe one."""
    if given == "":
        raise ValueError("cache is an empty path: give a folder, or False for none")
    if given is False:
        return None
    folder = default_cache() if given is True else pathlib.Path(given).absolute()
    return folder and private_cache(folder)


def built(arguments: Sequence[str], cflags: "compiler.Words" = (), cc: Optional["compiler.Words"] = None,
          cache: Union[bool, str, "os.PathLike[str]"] = True, function: str = "") -> Kernels:
    """The kernels that the tool generates with these arguments, of a function or of a command of the package."""
    flags, command = compiler.words("cflags", cflags), compiler.chosen(cc)
    files = tool.files("c,py,json,svg", arguments, function)
    stem = next(name for name in files if name.endswith(".json"))[:-len(".json")]
    return compiler.build(files, flags, command, _cache(cache), lambda folder: Kernels(folder, stem))


def compile_kernels(source: Source, *, cflags: "compiler.Words" = (), cc: Optional["compiler.Words"] = None,
                    cache: Union[bool, str, "os.PathLike[str]"] = True, **given: Unpack[Options]) -> Kernels:
    """Generates kernels, compiles them and loads them; kernels that were compiled before come from a cache.

    source: the notation, the path of a spec or a model, or several of these. cc: the C compiler, else CC, cc, gcc,
    clang or PyPI's ziglang; cflags: additional flags for it. Both are strings, split as in a shell, or sequences of
    words. cache: a folder, else splitgen in XDG_CACHE_HOME; False for none. It is used only if nobody else can write to
    it. All other keywords are the tool's options, with _ for -.

    >>> k = compile("rgb: u8[1080,1920,3] @2 -> r:1 g:1 b:1")
    >>> r, g, b = k.rgb(image)
    """
    return built([*options.arguments("compile", given), *tool.inputs(source)], cflags, cc, cache, "compile")


# Public names; inside the package they would shadow Python's own functions.
for _function, _name in ((list_ops, "list"), (compile_kernels, "compile")):
    _function.__name__ = _function.__qualname__ = _name
