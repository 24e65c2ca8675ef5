"""Rewrites diagnostics of the tool for Python: they name keyword arguments instead of command-line options."""
from __future__ import annotations

import re
import shlex
from typing import Dict, List, Match, Optional, Sequence, Tuple

from .errors import Diagnostic
from .options import information, keyword

_QUOTED = re.compile(r"'(--[a-z][a-z-]*|-[A-Z])(=[^']*)?'")
_OPTION = re.compile(r"(?<![\w/'-])(--[a-z][a-z-]*|-[DI](?= \w))(?:=([^\s,;]+))?")
_COMMAND = re.compile(r"splitgen (?=-).*")
# Options that the package adds: as they appear in a command, and whether a value follows as a separate word.
_ADDED = re.compile(r" --emit=\S+ -o (?:'[^']*'|\S+)(?: --diagnostics-format=json)?")
_HIDDEN = {"--emit": False, "--list": False, "--format": False, "--diagnostics-format": False, "-o": True}


def _needs_value(name: str) -> bool:
    info = information(name)
    return bool(info["argument"]) and not info["optional"]


def _words(text: str) -> List[Tuple[str, Optional[str]]]:
    """A command's options and sources, as keyword (empty: a source) and value (None: it has none)."""
    found: List[Tuple[str, Optional[str]]] = []
    words = iter(shlex.split(text)[1:])
    for word in words:
        option, _, value = word.partition("=") if word.startswith("--") else (word, "", "")
        name = keyword(option)
        if option in _HIDDEN:
            if _HIDDEN[option]:
                next(words, None)
        elif name:
            found.append((name, value or (next(words, None) if _needs_value(name) else None)))
        else:
            found += [("", word)] if word != "-e" else []
    return found


def _shown(name: str, values: Sequence[Optional[str]]) -> str:
    """name=VALUE in Python's syntax."""
    given = [value for value in values if value is not None]
    if not given:
        return name + "=True"
    if information(name)["repeats"] and all("=" in value for value in given):
        pairs = (value.split("=", 1) for value in given)
        return "%s={%s}" % (name, ", ".join("%r: %s" % (key, text if text.isalnum() else repr(text)) for key, text in pairs))
    return "%s=%s" % (name, repr(given[0]) if len(given) == 1 else "[%s]" % ", ".join(map(repr, given)))


def _call(function: str, text: str) -> str:
    """The Python call that corresponds to a command."""
    try:
        words = _words(text)
    except ValueError: # an apostrophe in a sentence
        return text
    sources = [value for name, value in words if not name]
    named: Dict[str, List[Optional[str]]] = {}
    for name, value in words:
        if name:
            named.setdefault(name, []).append(value)
    source = repr(sources[0] if len(sources) == 1 else sources)
    return "splitgen.%s(%s)" % (function, ", ".join([source, *(_shown(*one) for one in named.items())]))


_OWN = {"--list": "list()", "--emit": "emit"}


def _quoted(match: Match[str]) -> str:
    name = _OWN.get(match.group(1)) or keyword(match.group(1))
    return "'%s%s'" % (name, match.group(2) or "") if name else match.group(0)


def _option(match: Match[str]) -> str:
    name = keyword(match.group(1))
    if not name:
        return _OWN.get(match.group(1), match.group(0))
    return name + ("=" + match.group(2) if match.group(2) else "" if _needs_value(name) else "=True")


def _defines(match: Match[str]) -> str:
    names = re.findall(r"-D (\S+)=VALUE", match.group(0))
    return "define={%s}" % ", ".join("%r: VALUE" % name for name in names)


def _ops(match: Match[str]) -> str:
    return "%s=%s" % (keyword(match.group(1)), re.findall(r"--\w+ (\S+)", match.group(0)))


def _sentence(function: str, text: str) -> str:
    command = _COMMAND.search(text)
    if command:
        return text[:command.start()] + _call(function, command.group(0))
    text = re.sub(r"-D \S+=VALUE(?: -D \S+=VALUE)*", _defines, text)
    text = re.sub(r"(--except|--only) \S+(?: \1 \S+)*", _ops, text)
    text = _QUOTED.sub(_quoted, text)
    return _OPTION.sub(_option, text)


def _spans(line: bytes) -> List[Tuple[int, int]]:
    """The positions of the words of a command."""
    return [found.span() for found in re.finditer(rb"(?:'[^']*'|\\.|[^\s'])+", line)]


def _written(word: bytes, before: bytes) -> Tuple[str, int]:
    """Converts a word of a command to the Python argument, and counts the bytes removed before it (negative: added)."""
    quote = int(word[:1] == b"'" and word[-1:] == b"'")
    text = word[quote:len(word) - quote].decode(errors="replace")
    option, equals, value = text.partition("=")
    name = _OWN.get(option) or keyword(option)
    if name and text.startswith("-"):
        return name + "=" + (value if equals else "True"), quote + len(option) - len(name)
    name = keyword(before.decode(errors="replace")) if before[:2] != b"--" else ""
    return (name + "=" + text, quote - len(name) - 1) if name else (text, quote)


def _argument(one: Diagnostic) -> Diagnostic:
    """Converts a place in the command line to a place in the keyword argument."""
    line, column, before = (one.excerpt or "").encode(), (one.column or 1) - 1, b""
    for start, end in _spans(line):
        if start <= column < end:
            text, gone = _written(line[start:end], before)
            room = len(text.encode()) + 1
            last = None if one.end_column is None else max(min(one.end_column - start - gone, room), 1)
            return one._replace(file="<arguments>", excerpt=text, column=min(max(column + 1 - start - gone, 1), room),
                                end_column=last)
        before = line[start:end]
    return one._replace(file=None, line=None, column=None, end_line=None, end_column=None, excerpt=None)


def _typed(one: Diagnostic) -> Diagnostic:
    """Removes the options that the package adds from a diagnostic of one of its commands."""
    excerpt = one.excerpt and one.excerpt.partition(" --emit=")[0]
    return one._replace(message=_ADDED.sub("", one.message), excerpt=excerpt, notes=tuple(map(_typed, one.notes)))


def in_python(function: str, one: Diagnostic) -> Diagnostic:
    """Rewrites a diagnostic of the tool for a function of the package; "": one of its commands, which take options."""
    if not function:
        return _typed(one)
    if one.excerpt is not None and one.file == "<command line>" and one.excerpt.startswith("splitgen "):
        one = _argument(one)
    return one._replace(message=_sentence(function, one.message),
                        notes=tuple(in_python(function, note) for note in one.notes))
