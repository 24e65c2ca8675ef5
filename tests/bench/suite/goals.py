"""splitgen's speed goals, and whether the measurements reach them. Asserts nothing.

Ratios are their time over ours. The profiler of a peer may count whole microseconds and be off by half of one; if
that could change the result, the comparison counts as undecided."""

import statistics

import ports
from figures import NAMES, geometric_mean, number, peers_of, ratio, times

HALF_TICK = 0.5e-6  # seconds
WORST = 5           # offenders named
SIDES = (("splitgen_gcc", 1), ("splitgen_clang", 1), ("splitgen_2", 2))


def at_least(entry, peer, versus):
    """The ratio for the shortest time that the peer's profiler allows; 0 if that is unknown."""
    result = entry["results"][peer]
    if not result["coarse"]:
        return versus["median"]
    return versus["median"] * max(0.0, 1 - HALF_TICK / result["seconds"])


def check(entry, peer, versus, factor=1.0):
    """Whether ours is `factor` times as fast: True, False, or None if the clock is too coarse. A factor of 1 is
    missed only beyond the spread."""
    enough = versus["high"] >= 1 if factor == 1 else versus["median"] >= factor
    if not entry["results"][peer]["coarse"]:
        return enough
    return True if enough and at_least(entry, peer, versus) >= factor else None


def count(good, total):
    return f"{good} of {total}" if good == total else f"**{good} of {total}**"


def name_worst(found):
    """found: (value, case, more text); the lowest value of each case, lowest first."""
    lowest = {}
    for value, case, more in sorted(found):
        lowest.setdefault(case, f"{case} {times(value)}{more}")
    return ", ".join(list(lowest.values())[:WORST])


def _regimes(data):
    return [r for r in data["regimes"] if any(e["regime"] == r for e in data["measurements"])]


def _regimes_and_all(data):
    regimes = _regimes(data)
    return [*regimes, "all"] if len(regimes) > 1 else regimes


def _of(data, regime):
    return [e for e in data["measurements"] if regime in ("all", e["regime"])]


def never_behind(data):
    for regime in _regimes_and_all(data):
        verdicts, cases, worst = [], {}, []
        for entry in _of(data, regime):
            for ours, threads in SIDES:
                for peer in peers_of(entry, threads):
                    versus = ratio(entry, peer, ours)
                    if not versus:
                        continue
                    verdict = check(entry, peer, versus)
                    verdicts.append(verdict)
                    key = (entry["case"], entry["regime"])
                    cases[key] = cases.get(key, True) and verdict is not False
                    if verdict is False:
                        worst.append((versus["median"], entry["case"], f" ({NAMES[peer]})"))
        if not verdicts:
            continue
        decided = [v for v in verdicts if v is not None]
        undecided = len(verdicts) - len(decided)
        held = (f"{count(sum(cases.values()), len(cases))} cases, "
                f"{sum(decided)} of {len(decided)} comparisons")
        if undecided:
            held += f" ({undecided} undecided)"
        yield ["never behind a peer beyond the spread", regime, held, "", name_worst(worst)]


def means(data):
    """Geometric means against the runtimes; every factor with the regimes separately and together."""
    for peer, ours, factor in (("onnxruntime_1", "splitgen_gcc", 3),
                               ("openvino_1", "splitgen_gcc", 3),
                               ("onnxruntime_2", "splitgen_2", 1),
                               ("openvino_2", "splitgen_2", 1)):
        for regime in _regimes_and_all(data):
            exact, least = [], []
            for entry in _of(data, regime):
                versus = ratio(entry, peer, ours)
                if not versus:
                    continue
                if not entry["results"][peer]["coarse"]:
                    exact.append((versus["median"], entry["case"], ""))
                least.append((at_least(entry, peer, versus), entry["case"], ""))
            least = [row for row in least if row[0] > 0]
            if not least:
                continue
            low = geometric_mean([value for value, _, _ in least])
            text = f"at least {times(low)} over all {len(least)} that can be timed"
            if exact:
                mean = geometric_mean([value for value, _, _ in exact])
                text = f"{times(mean)} over {len(exact)} timed well; {text}"
            else:
                mean = low
            held = "yes" if mean >= factor and low >= factor else \
                "**no**" if mean < factor else "**undecided**"
            yield [f"geometric mean against {NAMES[peer]} {factor}x", regime, held, text,
                   name_worst(exact or least)]


def near_the_copy(data):
    for regime in _regimes(data):
        entries = [e for e in _of(data, regime) if 2 * e["bytes"] > data["machine"]["l1"]]
        for ours in ("splitgen_gcc", "splitgen_clang"):
            found = [(e["results"][ours]["of_limit"]["limit_k"], e["case"], "") for e in entries
                     if "limit_k" in e["results"].get(ours, {}).get("of_limit", {})]
            if found and regime != "l1":
                values = [value for value, _, _ in found]
                good = sum(value >= 0.95 for value in values)
                yield ["at least 0.95 of limit_k beyond L1", f"{regime}, {NAMES[ours][10:]}",
                       count(good, len(values)), f"median {times(statistics.median(values))}",
                       name_worst(found)]


def port_bound(data):
    for asked, good in (("at least 0.66 of the port bound", lambda f: f >= 0.66),
                        ("prediction within 25 %", ports.is_predicted)):
        for ours in ports.COMPILERS:
            found = ports.fractions(data, ours)
            if found:
                values = [fraction for _, fraction in found]
                worst = [(fraction, e["case"], "") for e, fraction in found if not good(fraction)]
                yield [asked, f"{ports.REGIME}, {NAMES[ours][10:]}",
                       count(sum(map(good, values)), len(values)),
                       f"median {times(statistics.median(values))}", name_worst(worst)]


def _planes(entry):
    widths = entry.get("widths", [])
    return entry["dtype"] == "u8" and 2 <= len(widths) <= 4 and set(widths) == {1}


def _wide(entry):
    widths = [width for width in entry.get("widths", []) if width]
    return entry.get("rows", 1) > 1 and len(widths) > 1 and min(widths) >= 128


def _pairs(data, regime, which, peers, factor):
    """Returns (verdicts, ratios, misses as name_worst() takes them) of the chosen entries."""
    verdicts, values, worst = [], [], []
    for entry in filter(which, _of(data, regime)):
        for peer in peers:
            for ours in ("splitgen_gcc", "splitgen_clang"):
                versus = ratio(entry, peer, ours)
                if versus:
                    verdict = check(entry, peer, versus, factor)
                    verdicts.append(verdict)
                    values.append(versus["median"])
                    if not verdict:
                        worst.append((versus["median"], entry["case"], f" ({NAMES[peer]})"))
    return verdicts, values, worst


def special(data):
    planes = "2, 3 or 4 planes of u8 against libyuv and OpenCV"
    wanted = [(f"{planes}: {'1.5x' if regime == 'l1' else 'never behind'}", regime, _planes,
               ("libyuv", "opencv"), 1.5 if regime == "l1" else 1.0) for regime in _regimes(data)]
    for peer in ("memcpy_parts", "onnxruntime_1"):
        wanted.append((f"chunks of 128 bytes or more against {NAMES[peer]}: 1.5x", "dram", _wide,
                       (peer,), 1.5))
    for asked, regime, which, peers, factor in wanted:
        verdicts, values, worst = _pairs(data, regime, which, peers, factor)
        if values:
            yield [asked, regime, count(sum(v is True for v in verdicts), len(verdicts)),
                   f"geometric mean {times(geometric_mean(values))}", name_worst(worst)]


def rows(data):
    """[goal, where, held, measured, worst], each a line of text."""
    return [row for goal in (never_behind, means, near_the_copy, port_bound, special)
            for row in goal(data)]
