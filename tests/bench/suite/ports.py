"""limit_port: the planner's bound for the first-level cache, compared with the measurement.

The bound comes from the plan: predictions[] of vector_bodies in `splitgen --emit=json` is the time that the busiest
port needs for one iteration of the version that runs on this processor, by the costs of its microarchitecture.
Speeds are bytes of the full tensor per cycle. The clock comes from the loop of known cycles around each batch, and
only undisturbed batches count: a port does not wait for a neighbour on the same core."""

from figures import NAMES, number, table, times

REGIME = "l1"
COMPILERS = ("splitgen_gcc", "splitgen_clang")


def measured(entry, ours):
    """Bytes of the full tensor per cycle, or None."""
    cycles = entry["results"].get(ours, {}).get("cycles")
    return entry["bytes"] / cycles if cycles else None


def fractions(data, ours):
    """[(entry, measured speed over predicted)] of the cases in L1 that run vector code."""
    found = []
    for entry in data["measurements"]:
        speed = measured(entry, ours)
        if entry["regime"] == REGIME and entry.get("prediction") and speed:
            found.append((entry, speed / entry["prediction"]["bytes_per_cycle"]))
    return found


def is_predicted(fraction):
    """Within a quarter of the prediction, in either direction."""
    return abs(fraction - 1) <= 0.25


def _cells(entry):
    plan = entry["prediction"]
    cells = [entry["number"], entry["case"], f"{plan['isa']}, {plan['bound']}",
             number(plan["bytes_per_cycle"])]
    for ours in COMPILERS:
        speed = measured(entry, ours)
        if speed is None:
            cells += ["", ""]
            continue
        fraction = speed / plan["bytes_per_cycle"]
        text = times(fraction)
        cells += [number(speed), text if is_predicted(fraction) else f"**{text}**"]
    return cells


def section(data):
    entries = [e for e in data["measurements"] if e["regime"] == REGIME and "prediction" in e]
    rows = [_cells(e) for e in entries if e["prediction"]]
    if not entries:
        return
    yield "## Predicted and measured in L1"
    yield ""
    yield ("Bytes of the whole a cycle. Predicted (`limit_port`) is the plan's own number: what the "
           "busiest port allows for the body that runs here, as `splitgen --emit=json` has it in "
           "`vector_bodies` and as counted by generator/plan/machine/cost.inc. Measured, with both "
           "compilers, are the fastest piece of 50 microseconds or more of each batch, "
           "and of these the fastest quarter, which a neighbour on the same core disturbed least; "
           "with the call and what is left over behind the last whole iteration. "
           "**Bold** is a prediction off by more than a quarter.")
    yield ""
    uarchs = sorted({e["prediction"].get("uarch", "generic") for e in entries if e["prediction"]})
    if uarchs == ["generic"]:
        yield ("This processor is none that the costs are known for, so the predictions are those "
               "for the slowest one that has the instructions.")
    elif uarchs:
        yield f"The costs are those of {', '.join(uarchs)}, as found by the processor's model."
    yield ""
    for ours in COMPILERS:
        found = [fraction for _, fraction in fractions(data, ours)]
        if found:
            yield (f"- {NAMES[ours]}: within 25 %: {sum(map(is_predicted, found))} of "
                   f"{len(found)}; at least 0.66 of the port bound: "
                   f"{sum(f >= 0.66 for f in found)} of {len(found)}.")
    yield ""
    if rows:
        yield from table(["#", "case", "body, port that bounds it", "predicted", "gcc",
                          "over predicted", "clang", "over predicted"], rows)
    portable = [e["case"] for e in entries if not e["prediction"]]
    if portable:
        yield f"No vector body runs here, so nothing is predicted for: {', '.join(portable)}."
        yield ""
