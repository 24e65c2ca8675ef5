"""Measures one case in one regime: all competitors in random order, round after round."""

import math
import random
import statistics
import time

import competitors as co
from figures import fewest_cycles
from native import Buffers, address


AGAIN = 5     # number of copy loops that are tried again if all data are in memory
PATIENCE = 5  # seconds; a peer whose run takes longer is not measured


class Work:
    """Shared by the competitors of one case and regime."""

    def __init__(self, library, machine, op, regime, sets, placement, huge, scratch):
        self.library, self.machine, self.op = library, machine, op
        self.pipeline = regime == "pipeline"
        self.in_turn = regime == "dram"  # all sets alternately; else one of them in each round
        self.scratch = scratch
        self.buffers = Buffers(library, op, sets, placement, huge, self.pipeline)

    def sets_at(self, place):
        """Indices of the buffer sets that a batch at this place uses alternately."""
        return range(self.buffers.count) if self.in_turn else range(place, place + 1)


def _native(work, built, kernel_of):
    library = work.library
    for name, (path, symbol) in built.items():
        if name == "splitgen_free":
            work.buffers.shape.free_kernel = co.kernel_in(path, symbol)
            yield co.Native(name, work, context=address(library.lib.suite_free), kind="splitgen")
        elif name.startswith("splitgen_"):
            kernel = co.kernel_in(path, symbol)
            kernel_of[name] = kernel
            function = getattr(library, f"kernel_{work.op.direction}")(kernel)
            yield co.Native(name, work, plain=function, kind="splitgen")
        else:
            yield co.Native(name, work, plain=co.function_in(path, symbol))
    names = ["memcpy_parts", "memcpy_rows"] if work.op.in_bytes else []
    for name in names + (["packed_elements"] if work.op.bits else []):
        yield co.Native(name, work, context=address(getattr(library.lib, f"suite_{name}")))
    if not work.op.bits:
        yield from co.image_libraries(work)


def _copies(work, seconds):
    """The best copy loop for these bytes, for one piece and for several, each as a competitor. The others are tried
    once, the faster ones again (seconds: for each), and left out."""
    library = work.library
    cached = work.op.bytes < work.machine["l3"]
    for kind, get in (("limit", library.copy_whole), ("limit_k", library.copy_pieces)):
        tried = []
        for index in range(library.copy_count()):
            name = library.copy_name(index)
            if name:
                copy = co.Native(kind, work, context=get(index), kind="limit")
                copy.note = name.decode()
                tried.append((copy.batch(1, int(cached)), index, copy))
        tried.sort()
        # Out of cache a run is long, and its time is reliable without repetition.
        again = [one for one in tried if one[0] < max(2 * tried[0][0], 1e-4)]
        for at, (first, index, copy) in enumerate(again if cached else again[:AGAIN]):
            runs = min(max(1, int(seconds / 5 / max(first, 1e-9))), 100000)
            tried[at] = (min(copy.batch(runs, int(cached)) for _ in range(5 if cached else 2)),
                         index, copy)
        best = min(tried if cached else tried[:AGAIN])[2]
        best.forget()
        yield best


def choose(work, built, case, peers, processors, seconds):
    """Returns (competitors, {name: why it is missing}). seconds: to try a copy loop. Each of the competitors has
    done one run with right results."""
    absent, kernel_of, chosen = {}, {}, []

    def wanted(name):
        return not peers or name.startswith("splitgen") or any(name.startswith(p) for p in peers)

    for competitor in _native(work, built, kernel_of):
        if case.slow and competitor.name in ("onnx2c", "gcc_o3"):
            absent[competitor.name] = "left out of cases of gigabytes"
        elif wanted(competitor.name):
            chosen.append(competitor)
    if processors > 1:
        work.buffers.shape.kernel = kernel_of["splitgen_gcc"]
        chosen.append(co.Native("splitgen_2", work,
                                context=address(work.library.lib.suite_parallel),
                                kind="splitgen", threads=2))
    null = getattr(work.library.lib, f"suite_null_{work.op.direction}")
    chosen.append(co.Native("null", work, plain=address(null), kind="null"))
    makers = [("numpy", lambda: co.NumPy(work))]
    for threads in (1, 2)[:processors]:
        makers += [(f"onnxruntime_{threads}", lambda t=threads: co.OnnxRuntime(work, t)),
                   (f"openvino_{threads}", lambda t=threads: co.OpenVino(work, t))]
    if "splitgen_free" in built:
        makers.append(("onnxruntime_free", lambda: co.OnnxRuntime(work, 1, free=True)))
    for name, make in makers:
        if not wanted(name):
            continue
        if work.op.bits:
            absent[name] = "no packed elements"
            continue
        if case.slow and not name.startswith("onnxruntime"):
            absent[name] = "left out of cases of gigabytes"
            continue
        try:
            chosen.append(make())
        except (co.Unsupported, ImportError) as error:
            absent[name] = str(error)
    for competitor in list(chosen):
        if competitor.kind == "null":
            continue
        work.buffers.poison(0)
        competitor.first_run = competitor.once()
        wrong = work.buffers.wrong_part()
        if wrong >= 0:
            if competitor.kind == "splitgen":
                raise AssertionError(f"{competitor.name} is wrong in part {wrong}")
            absent[competitor.name] = f"gives other bytes in part {wrong}"
            if competitor.note:
                absent[competitor.name] += f" ({competitor.note})"
        elif competitor.note == "view":
            absent[competitor.name] = "view"  # parts are views: nothing to time
        elif competitor.kind == "peer" and competitor.first_run > PATIENCE:
            absent[competitor.name] = f"one run takes more than {PATIENCE} s"
        else:
            continue
        competitor.close()
        chosen.remove(competitor)
    if wanted("limit"):
        chosen += _copies(work, seconds)
    return chosen, absent


def measure(work, chosen, seconds, rounds, tick):
    """-> {name: results}. seconds: for all together, except that each has three batches, or two
    where a run takes longer than its share of the time, or one where it takes a second.
    tick(fraction) is called as it goes on."""
    share = seconds / len(chosen) / rounds
    plans = []
    for competitor in chosen:
        # The first run has cold caches and new pages, so its time is only useful if it is long.
        slow = competitor.first_run > max(0.05, 2 * share)
        single = competitor.first_run if slow else competitor.batch(1, 1)
        if single < 1e-3 and isinstance(competitor, co.Native):
            single = competitor.batch(max(1, int(2e-4 / max(single, 1e-9))), 1)
        runs = min(max(1, int(share / max(single, 1e-9))), competitor.most_runs)
        # Out of cache the sets alternate anyway, and long runs evict what they warmed.
        warm = 1 if single < share / 3 else 0
        plans.append((competitor, runs, warm, slow))
    discard = {competitor.name: len(competitor.samples() if isinstance(competitor, co.Native)
                                    else competitor._batches) for competitor in chosen}
    where = {competitor.name: [] for competitor in chosen}  # the round of each batch
    used = dict.fromkeys(where, 0.0)
    least = {c.name: 1 if c.first_run > 1 else 2 if c.first_run > seconds / len(chosen) else 3
             for c in chosen}
    start = time.perf_counter()
    for number in range(rounds):
        random.shuffle(plans)
        place = number % work.buffers.count
        moved = work.buffers.count > 1 and not work.in_turn
        for competitor, runs, warm, slow in plans:
            # A competitor that is slow, or has to prepare for each batch, waits until its share has grown; quartiles
            # need at least three batches.
            if number >= least[competitor.name] and used[competitor.name] > share * number:
                continue
            begin = time.perf_counter()
            competitor.place = place
            first = moved and not slow  # nothing at this place is in a cache yet
            competitor.batch(runs, 1 if first else warm)
            moved = moved and not first
            used[competitor.name] += time.perf_counter() - begin
            where[competitor.name].append(number)
        spent = time.perf_counter() - start
        tick(max((number + 1) / rounds, spent / seconds))
        if number >= 2 and spent > 1.2 * seconds:
            break
    return _results(work, plans, where, discard)


def _results(work, plans, where, discard):
    by_round, results = {}, {}
    for competitor, runs, _, _ in plans:
        samples = competitor.samples()[discard[competitor.name]:]
        pairs = [(n, s) for n, s in zip(where[competitor.name], samples) if s is not None]
        kept = [(n, s[0]) for n, s in pairs if s[1]]
        noisy = len(kept) < max(2, len(pairs) / 2)
        if len(kept) < min(3, len(pairs)):
            # Disturbances make a batch longer, so the shortest are the most reliable.
            kept = sorted(((n, s[0]) for n, s in pairs), key=lambda one: one[1])[:3]
        if not kept:
            continue
        times = [t for _, t in kept]
        median = statistics.median(times)
        by_round[competitor.name] = dict(kept)
        results[competitor.name] = {
            "kind": competitor.kind, "threads": competitor.threads, "note": competitor.note,
            "seconds": median, "min": min(times),
            "cv": statistics.stdev(times) / statistics.fmean(times) if len(times) > 1 else None,
            "gb_per_s": work.op.bytes / median / 1e9,
            "batches": len(times), "dropped": len(pairs) - len(kept), "runs_per_batch": runs,
            "noisy": noisy,
            # Below ten ticks of its clock the number is unreliable.
            "coarse": median < 10 * competitor.resolution,
            "hertz": competitor.hertz,
            "cycles": fewest_cycles([sample for _, sample in pairs]),
            "samples": [float(f"{t:.4g}") for t in times],
        }
    for ours in ("splitgen_gcc", "splitgen_clang", "splitgen_2", "splitgen_free"):
        for name, result in results.items():
            if name != ours and ours in results:
                result.setdefault("versus", {})[ours] = _ratio(by_round[name], by_round[ours])
    for name, times in by_round.items():
        if results[name]["kind"] == "splitgen":
            results[name]["of_limit"] = {
                limit: _ratio(by_round[limit], times)["median"]
                for limit in ("limit", "limit_k") if limit in by_round}
    return results


def _ratio(theirs, ours):
    """The ratio of times, from rounds in which both ran; quartiles are the spread."""
    common = sorted(set(theirs) & set(ours))
    if len(common) < 3:  # too few for quartiles: the spread is the full range
        theirs, ours = theirs.values(), ours.values()
        return {"median": statistics.median(theirs) / statistics.median(ours),
                "low": min(theirs) / max(ours), "high": max(theirs) / min(ours),
                "rounds": len(common)}
    ratios = [theirs[n] / ours[n] for n in common]
    low, middle, high = statistics.quantiles(ratios, n=4, method="inclusive")
    return {"median": middle, "low": low, "high": high, "rounds": len(ratios)}
