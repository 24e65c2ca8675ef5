"""python -m splitgen tune [-o FILE] [--seconds=N]: measures what instructions cost on this machine, for --machine."""
from __future__ import annotations

import pathlib
import platform
import sys
from typing import Dict, List, NamedTuple, Optional, Sequence, Tuple

from . import compiler
from .errors import CompilerError
from .folders import new_folder
from .paths import VERSION
from .progress import say

USAGE = """usage: splitgen tune [-o F] [--seconds=N]

Measures what AVX2 instructions cost on this machine, in N seconds (20; 120 at most), and writes a file for --machine, F or
standard output. The machine should be idle, and not be throttled by heat. It takes a C compiler (CC), gcc or clang. Only x86
processors are measured, and of them only the AVX2 bodies; other instruction sets get those for all machines.
"""
_SOURCE = pathlib.Path(__file__).with_name("tune.c")
_MOST_SECONDS = 120
# A loop that mixes instructions is slower than loops of one kind: rows of cost.inc that were fitted have 0.9 to 0.97.
_IN_LOOPS = 0.95
_REGISTERS = 12 # of 16; the others have data


class Loop(NamedTuple):
    """Cycles of an iteration, and by what share the median of the tries is longer."""
    cycles: float
    spread: float


Loops = Dict[str, Loop]
Row = Tuple[str, float, str] # a number's name, its value, and what was measured


def _measured(seconds: int) -> Loops:
    """Compiles the loops and runs them."""
    done = compiler.run_program(_SOURCE, new_folder() / "tune.exe", str(seconds))
    if done.returncode != 0:
        raise CompilerError(done.stderr.decode(errors="replace").strip() or "measuring ended with %d" % done.returncode)
    lines = [line.split() for line in done.stdout.decode().splitlines()]
    return {name: Loop(float(cycles), float(spread)) for name, cycles, spread in lines}


def rows(loops: Loops, is_lane: bool) -> List[Row]:
    """The numbers of one of the two AVX2 rows: with permutes across a register, or only within its halves."""
    def rate(name: str, count: int, what: str, kept: float = _IN_LOOPS) -> Tuple[float, str]:
        loop = loops[name]
        return kept * count / loop.cycles, "%s: %.2f cycles for %d, spread %.0f %%" % (
            what, loop.cycles, count, 100 * loop.spread)

    def slots(name: str, beside: str, count: int, what: str) -> Tuple[float, str]:
        """How much each of two other instructions uses the unit that `count` instructions of `beside` keep busy (16
        in a loop of their own)."""
        loop, alone = loops[name], loops[beside]
        return max(0.0, (loop.cycles * 16 / alone.cycles - count) / 2), "%s: %.2f cycles for 2 beside %d, spread %.0f %%" % (
            what, loop.cycles, count, 100 * loop.spread)

    across = [2 * (loops[kind + "_across"].cycles / loops[kind].cycles - 1) for kind in ("loads", "stores")]
    mask = max(0.0, (loops["masks_loaded"].cycles - loops["masks_kept"].cycles) / 4)
    loads, stores = rate("loads", 16, "vmovdqu from L1"), rate("stores", 16, "vmovdqu to L1")
    none, unused = (0.0, "AVX2 has none"), (1.0, "not used")
    numbers: Dict[str, Tuple[float, str]] = {
        "all": rate("mix", 15, "loads, shuffles, blends and stores", 1.0),
        "cross": (max(0.0, *across), "the larger of loads, %.2f, and stores, %.2f, half of them across lines" % (
            across[0], across[1])),
        "loads": loads,
        "stores": stores,
        "alu": rate("blends", 16, "vpblendd"),
        "shuffles": rate("permutes", 16, "vpermd") if is_lane else rate("shuffles", 16, "vpshufb"),
        "permute2": none,
        "permute2_alu": none,
        "permute2_store": none,
        "insert_alu": (0.0, "not used") if is_lane else slots("inserts_blends", "blends", 12, "vinserti128 and vpblendd"),
        "byte_alu": unused if is_lane else slots("byte_blends_blends", "blends", 12, "vpblendvb and vpblendd"),
        "byte_shuffles": unused if is_lane else slots("byte_blends_shuffles", "shuffles", 8, "vpblendvb and vpshufb"),
        "word_shuffles": (slots("blends_permutes", "permutes", 8, "vpblendd and vpermd") if is_lane else
                          slots("word_blends_shuffles", "shuffles", 8, "vpblendw and vpshufb")),
        "mask": (mask, "4 masks loaded in a loop of shuffles: %.2f cycles, %.2f without" % (
            loops["masks_loaded"].cycles, loops["masks_kept"].cycles)),
        "indices": (_REGISTERS, "not measured: of 16 registers"),
        "run_loads": loads,
        "run_stores": stores,
        "move_stores": rate("moves", 16, "moves of 16 and of 8 bytes in turn"),
        "combiner": (0.0, "AVX2 has no write combining"),
    }
    return [(name, value, what) for name, (value, what) in numbers.items()]


def _processor() -> str:
    """The operating system's name for the processor."""
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text(errors="replace")
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("model name")), "")


def text(loops: Loops, seconds: int, command: Sequence[str]) -> str:
    """The file."""
    lines = ["# What instructions cost on a machine, for splitgen --machine=FILE; measured by: splitgen tune --seconds=%d" % seconds,
             "# splitgen %s, %s, %s %s" % (VERSION, " ".join(command), platform.system(), platform.machine()),
             "# Processor: %s" % _processor(),
             "# A cycle is an add that waits for the one before it. Instructions per cycle are %.2f of what a loop of one kind" %
             _IN_LOOPS, "# reaches. generator/plan/machine/cost.inc has what each number means."]
    for name, is_lane in (("AVX2LANE", True), ("AVX2BYTE", False)):
        made = rows(loops, is_lane)
        lines += ["", "[%s]" % name]
        lines += ["%-14s = %-5s # %s" % (key, "%.2f" % value, what) for key, value, what in made]
        lines.append("# COST(NAME, %s, %s)" % (name, ", ".join("%.2f" % value for _, value, _ in made)))
    return "\n".join(lines) + "\n"


def _given(arguments: Sequence[str]) -> Tuple[Optional[str], int]:
    """The file, or None, and the seconds; ValueError describes a wrong argument."""
    path, seconds, left = None, 20, [*arguments]
    while left:
        name, equals, value = left.pop(0).partition("=")
        if name not in ("-o", "--seconds"):
            raise ValueError("tune has no option '%s'; it has -o and --seconds" % name)
        if not equals:
            if not left:
                raise ValueError("'%s' lacks a value" % name)
            value = left.pop(0)
        if name == "-o":
            path = value
        elif not value.isdigit() or not 1 <= int(value) <= _MOST_SECONDS:
            raise ValueError("'%s' is not a number of seconds from 1 to %d" % (value, _MOST_SECONDS))
        else:
            seconds = int(value)
    return path, seconds


def main(arguments: Sequence[str]) -> int:
    """Runs the command; errors go to standard error."""
    if "--help" in arguments or "-h" in arguments:
        print(USAGE, end="")
        return 0
    try:
        path, seconds = _given(arguments)
        if platform.machine().lower() not in ("x86_64", "amd64"):
            raise ValueError("tune measures x86 processors only, and this is one of %s" % platform.machine())
        made = text(_measured(seconds), seconds, compiler.command())
        if path is None or path == "-":
            print(made, end="")
        else:
            pathlib.Path(path).write_text(made, encoding="utf-8")
    except (ValueError, CompilerError) as error:
        say("splitgen: error: %s" % error, file=sys.stderr)
        return 2
    except OSError as error:
        say("splitgen: error: cannot write '%s': %s" % (error.filename, error.strerror), file=sys.stderr)
        return 3
    return 0
