"""python -m splitgen bench MODEL|SPEC [OPTION OF SPLITGEN ...]: times kernels, NumPy and ONNX Runtime."""
from __future__ import annotations

import ctypes
import importlib.util
import pathlib
import sys
import time
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from . import verify
from .api import built
from .errors import CompilerError, SplitgenError
from .loaded import Kernel, Kernels
from .picture import bars
from .progress import Progress, print_table, say

USAGE = """usage: splitgen bench [--seconds=N] [--kernels=N] [--picture=F.svg] MODEL|SPEC [OPTION OF SPLITGEN ...]

Times the kernels that move most bytes (8, or N) beside NumPy and, where it is installed, ONNX Runtime on one thread: GB/s
of bytes read and written, the best of runs; with buffers that begin at multiples of 64 bytes, and with those that malloc
gives, 16 bytes behind such a place. Results are written to arrays that are there. Measuring takes --seconds (20) in all.
Writes a picture (splitgen-bench.svg).
"""

# Alignment of the buffers: bytes past a multiple of 64.
_PLACES = (("aligned", 0), ("malloc", 16))
_MOST_BYTES = 1 << 30
_OTHERS = ("NumPy", "ONNX Runtime")


def _like(array: Any, offset: int) -> Any:
    """An array of the same shape, strides and contents that begins `offset` bytes past a multiple of 64. All its
    pages have been written once."""
    import numpy as np

    span = sum((n - 1) * step for n, step in zip(array.shape, array.strides)) + array.itemsize if array.size else 0
    block = np.zeros(span + 128, np.uint8)
    block[:] = 1
    start = -block.ctypes.data % 64 + offset
    made = np.ndarray(array.shape, array.dtype, block, start, array.strides if array.size else None)
    made[...] = array
    return made


def _best(run: Callable[[], object], seconds: float) -> float:
    """The shortest time of a run. Short runs are timed several at once."""
    begin = time.perf_counter()
    run()
    once = time.perf_counter() - begin
    batch = max(1, min(1000, int(2e-5 / max(once, 1e-7))))
    best, end, tries = once, begin + seconds, 0
    while tries < 5 or (time.perf_counter() < end and tries < 20000):
        begin = time.perf_counter()
        for _ in range(batch):
            run()
        best = min(best, (time.perf_counter() - begin) / batch)
        tries += 1
        if time.perf_counter() > end + seconds:
            break
    return best


class Subject:
    """A kernel with its arrays, the full tensor's first, and the peers that do the same work on them."""

    def __init__(self, kernel: Kernel, offset: int) -> None:
        numbers = {one["name"]: one.get("expected") or 1 for one in kernel.plan.get("open", [])}
        self.kernel, self.numbers = kernel, numbers
        self.whole = _like(kernel.new_whole(**numbers), offset)
        self.parts = [part if part is None else _like(part, offset) for part in kernel.new_parts(**numbers)]

    def ours(self) -> Callable[[], object]:
        """The kernel through the runtime's checked call, with its arguments prepared."""
        library, descriptor = self.kernel._inner._bind()
        pointers = (ctypes.c_void_p * len(self.parts))(*(p if p is None else p.ctypes.data for p in self.parts))
        whole = ctypes.c_void_p(self.whole.ctypes.data)
        name = "splitgen_join" if self.kernel.joins else "splitgen_run"
        arguments: List[Any] = [descriptor, pointers, whole] if self.kernel.joins else [descriptor, whole, pointers]
        if self.numbers:
            name += "_dims"
            arguments.append((ctypes.c_size_t * len(self.numbers))(*self.numbers.values()))
        function = getattr(library, name)
        if function(*arguments) != 0:
            raise ValueError("%s does not take these buffers" % self.kernel.__name__)
        return lambda: function(*arguments)

    def numpy(self) -> Optional[Callable[[], object]]:
        """copyto() for each part; NumPy has no views of packed elements."""
        import numpy as np

        views = self.kernel.views(self.whole)
        if len(views) != len(self.parts) or any(view is None and part is not None for view, part in zip(views, self.parts)):
            return None
        pairs = [(view, part) for view, part in zip(views, self.parts) if part is not None]
        if not self.kernel.joins:
            pairs = [(part, view) for view, part in pairs]

        def run() -> None:
            for to, source in pairs:
                np.copyto(to, source)
        return run

    def onnx(self) -> Optional[Callable[[], object]]:
        """A model of the node, with inputs and outputs bound to the same arrays."""
        from . import reference

        plan = self.kernel.plan
        if reference.why_no_node(plan) or not plan["element_bytes"] or any(part is None for part in self.parts):
            return None
        whole, parts = reference.sides(plan)
        tensors, arrays = [whole, *parts], [self.whole, *self.parts]
        if not all(array.flags.c_contiguous for array in arrays):
            return None
        try:
            node = reference.OnnxNode(plan, self.numbers)
        except Exception: # unsupported there: no column
            return None
        binding = node.session.io_binding()
        dtype, per = reference.element(plan)
        for names, bind in ((node.given, binding.bind_input), (node.made, binding.bind_output)):
            for name in names:
                at = int(name[1:])
                shape = reference.shape_of(plan, tensors[at], self.numbers) + ((per,) if per > 1 else ())
                bind(name, "cpu", 0, dtype, shape, arrays[at].ctypes.data)
        return lambda: node.session.run_with_iobinding(binding)


def _moved(plan: Mapping[str, Any]) -> int:
    return int(plan.get("bytes_moved") or 0)


def _measure(subject: Subject, seconds: float, with_onnx: bool) -> Dict[str, float]:
    """Seconds of a call of each peer that can run it."""
    runs: Dict[str, Optional[Callable[[], object]]] = {"splitgen": subject.ours(), "NumPy": subject.numpy(),
                                                       "ONNX Runtime": subject.onnx() if with_onnx else None}
    return {name: _best(run, seconds) for name, run in runs.items() if run is not None}


def _chosen(kernels: Kernels, count: int) -> List[Kernel]:
    """The kernels that copy most, as long as their arrays fit."""
    fitting = [k for k in kernels.values()
               if 0 < _moved(k.plan) * 3 < _MOST_BYTES and k.plan["dtype"] not in ("string", "ptr")]
    # Of several kernels with the same shapes one is enough.
    different = {repr(k).partition(":")[2]: k for k in reversed(fitting)}
    return sorted(different.values(), key=lambda k: -_moved(k.plan))[:count]


def bench(arguments: Sequence[str], seconds: int, kernels: int, picture: str) -> int:
    """Measures, prints a table and writes a picture; returns the exit status."""
    made = built(arguments)
    chosen = _chosen(made, kernels)
    if not chosen:
        say("no kernel moves bytes that NumPy has arrays of", file=sys.stderr)
        return 1
    with_onnx = all(importlib.util.find_spec(name) for name in ("onnx", "onnxruntime"))
    share = seconds / (len(chosen) * len(_PLACES) * (3 if with_onnx else 2))
    columns = ["splitgen", *_OTHERS[:1 + with_onnx]]
    rows = [["kernel", "buffers", "bytes", "us", *columns]]
    groups: List[Tuple[str, Dict[str, float]]] = []
    progress = Progress(len(chosen) * len(_PLACES))
    for i, kernel in enumerate(chosen):
        for j, (place, offset) in enumerate(_PLACES):
            progress.at(i * len(_PLACES) + j, kernel.__name__)
            if offset % max(kernel.plan["align"], 1):
                continue
            subject = Subject(kernel, offset)
            size = 2 * sum(part.nbytes for part in subject.parts if part is not None)
            rates = {name: size / took / 1e9 for name, took in _measure(subject, share, with_onnx).items()}
            groups.append(("%s, %s" % (kernel.__name__, place), rates))
            rows.append([kernel.__name__, place, str(size), "%.1f" % (size / rates["splitgen"] / 1e3),
                         *("%.2f" % rates[name] if name in rates else "-" for name in columns)])
    progress.end()
    print_table(rows, right=range(2, len(rows[0])))
    text = made.module._library.loaded().splitgen_status_text
    say("\nGB/s of bytes read and written; the call itself, which counts in small kernels, takes %.1f us" %
          (_best(lambda: text(0), 0.05) * 1e6))
    if len(chosen) < len(made):
        say("%d of %d kernels: those of different shapes that move most" % (len(chosen), len(made)))
    pathlib.Path(picture).write_text(bars("Bytes read and written", "GB/s, more is better", columns, groups),
                                     encoding="utf-8")
    say("%s: the same as a picture" % picture)
    return 0


def main(arguments: Sequence[str]) -> int:
    """Runs the command; errors go to standard error."""
    own = {"seconds": 20, "kernels": 8}
    rest = verify.passed_on(arguments, own)
    picture = next((a.partition("=")[2] for a in rest if a.startswith("--picture=")), "splitgen-bench.svg")
    rest = [a for a in rest if not a.startswith("--picture=")]
    if not rest or "--help" in rest or "-h" in rest:
        print(USAGE, end="")
        return 0 if rest else 2
    try:
        return bench(rest, picture=picture, **own)
    except (SplitgenError, CompilerError) as error:
        say(error, file=sys.stderr)
        return getattr(error, "exit_code", 2)
