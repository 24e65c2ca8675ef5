"""Makes the page from the measurements: summary, losses, tables. plots.py makes the plots."""

import os

import builds
import goals
import plots
import ports
from figures import (NAMES, best_peer, geometric_mean, losses, number, ops, peers_of, ratio, size,
                     span, stem, table, times)


def duration(regime, took):
    """took: seconds for building, checking and measuring a regime."""
    parts = ", ".join(f"{name} {span(took[key])}" for name, key in
                      (("kernels", "build"), ("checks", "check"), ("measuring", "measure")))
    return f"{regime} took {span(sum(took.values()))}: {parts}"


def one_line(entry):
    ours = entry["results"].get("splitgen_gcc")
    peer = best_peer(entry)
    if not ours:
        return "no result"
    text = f"{number(ours['gb_per_s'])} GB/s"
    if peer:
        versus = ratio(entry, peer, "splitgen_gcc")
        text += f", {times(versus['median'])}x of {NAMES[peer]}"
    if "limit_k" in ours.get("of_limit", {}):
        text += f", {times(ours['of_limit']['limit_k'])} of the limit"
    if ours["noisy"]:
        text += ", noisy"
    return text


def _speed(entry, name):
    result = entry["results"].get(name)
    if not result:
        return ""
    if entry["bytes"] < 1024:
        return span(result["seconds"])
    return number(result["gb_per_s"]) + ("~" if result["coarse"] else "")


def _versus(entry, peer, ours="splitgen_gcc", spread=False):
    versus = ratio(entry, peer, ours)
    if not versus:
        return "view" if entry["absent"].get(peer) == "view" else ""
    text = times(versus["median"])
    if entry["results"][peer]["coarse"]:
        text += "~"
    if spread:
        text += f" ({times(versus['low'])}..{times(versus['high'])})"
    return f"**{text}**" if versus["high"] < 1 else text


def _machine(data):
    machine = data["machine"]
    peers = [f"{name} {version}" for name, version in data["peer_versions"].items()
             if version != "absent"]
    peers += [name for name in ("libyuv", "opencv") if data[name]]
    yield (f"{machine['cpu']} ({machine['family_model']}; {', '.join(machine['vector'])}"
           f"{'; virtual machine' if machine['hypervisor'] else ''}), "
           f"{machine['processors']} processors, L1 {size(machine['l1'])}, "
           f"L2 {size(machine['l2'])}, L3 {size(machine['l3'])}, memory {size(machine['memory'])}. "
           f"{machine['system']}, {machine['libc']}, huge pages "
           f"{'asked for' if data['huge_pages'] else 'not asked for'} "
           f"(system: {machine['thp']}).")
    yield ""
    yield f"{machine['splitgen']}; {machine['gcc']}; {machine['clang']}; {', '.join(peers)}."
    yield ""
    for regime, took in data.get("took", {}).items():
        yield f"- {duration(regime, took)}."
    yield ""


def _summary(data):
    regimes = [regime for regime in data["regimes"]
               if any(e["regime"] == regime for e in data["measurements"])]
    present = {name for e in data["measurements"] for name, r in e["results"].items()
               if r["kind"] == "peer"}
    rows = []
    for peer in [name for name in NAMES if name in present]:
        ours = "splitgen_2" if peer.endswith("_2") else "splitgen_gcc"
        row = [NAMES[peer]]
        everything = []
        for regime in regimes + [None]:
            found = [(ratio(e, peer, ours), e["results"].get(peer)) for e in data["measurements"]
                     if regime in (None, e["regime"])]
            values = [v["median"] for v, result in found if v and not result["coarse"]]
            everything.append(f"{times(geometric_mean(values))} ({len(values)})" if values else "")
        rows.append(row + everything)
    yield from table(["splitgen is faster than", *regimes, "all"], rows)
    yield ("Geometric means of time ratios, in brackets the number of cases. Against two threads "
           "splitgen uses two as well. Cases that a profiler cannot time (~) are not in the means, "
           "nor are views.")
    yield ""
    rows = []
    for regime in regimes:
        cells = []
        for name in ("splitgen_gcc", "splitgen_clang"):
            for limit in ("limit_k", "limit"):
                values = [e["results"][name]["of_limit"][limit] for e in data["measurements"]
                          if e["regime"] == regime and e["bytes"] >= 1024
                          and limit in e["results"].get(name, {}).get("of_limit", {})]
                cells.append(times(geometric_mean(values)))
        rows.append([regime, *cells])
    yield from table(["fraction of a plain copy", "gcc: of limit_k", "gcc: of limit",
                      "clang: of limit_k", "clang: of limit"], rows)


def _goals(data):
    rows = goals.rows(data)
    if rows:
        yield "## Goals and how far they are reached"
        yield ""
        yield ("Made from the measurements below. **Bold** is what is not reached; the last column "
               "names the cases farthest from it. Where a peer's profiler counts whole "
               "microseconds, a comparison that half of one could turn is undecided, and the "
               "lower of two means takes every such time at its shortest.")
        yield ""
        yield from table(["goal", "where", "held", "measured", "worst"], rows)


def _losses(data):
    found = sorted(losses(data), key=lambda loss: loss[3]["median"])
    sure = [loss for loss in found if not loss[0]["results"][loss[1]]["coarse"]]
    unsure = [loss for loss in found if loss not in sure]
    measured = sum(len(peers_of(e)) for e in data["measurements"])
    yield "## Where splitgen is behind"
    yield ""
    if not found:
        yield f"Nowhere, in {measured} comparisons."
        yield ""
        return
    yield ("Every case in which splitgen is slower than a peer by more than the spread: the "
           "quartiles of the ratio in rounds in which both ran are below 1.")
    yield ""
    yield from _loss_table(sure)
    if unsure:
        yield ("So do these look, but the peer's own profiler counts whole microseconds and tells "
               "too little about times this short:")
        yield ""
        yield from _loss_table(unsure)


def _loss_table(found):
    yield from table(
        ["case", "regime", "ours", "peer", "ratio (quartiles)", "ours takes", "peer takes"],
        [[e["case"], e["regime"], NAMES[ours], NAMES[peer],
          f"{times(v['median'])} ({times(v['low'])}..{times(v['high'])})",
          span(e["results"][ours]["seconds"]),
          span(e["results"][peer]["seconds"]) + ("~" if e["results"][peer]["coarse"] else "")]
         for e, peer, ours, v in found])


def _regime(data, regime):
    entries = [e for e in data["measurements"] if e["regime"] == regime]
    if not entries:
        return
    yield f"## {regime}"
    yield ""
    yield data["regimes"][regime] + "."
    yield ""
    yield f"![{regime}]({stem(data['joins'])}-{regime}.svg)"
    yield ""
    rows = []
    for e in entries:
        ours = e["results"].get("splitgen_gcc", {})
        peer, peer_2 = best_peer(e), best_peer(e, 2)
        limit = ours.get("of_limit", {})
        marks = "!" if ours.get("noisy") else ""
        rows.append([
            e["number"], e["case"] + marks, size(e["bytes"]), _speed(e, "splitgen_gcc"),
            _speed(e, "splitgen_clang"), NAMES[peer] if peer else "",
            _speed(e, peer) if peer else "", _versus(e, peer, spread=True) if peer else "",
            times(limit.get("limit_k")), times(limit.get("limit")), _versus(e, "onnxruntime_1"),
            _versus(e, "openvino_1"), _speed(e, "splitgen_2"),
            _versus(e, peer_2, "splitgen_2") if peer_2 else ""])
    yield from table(["#", "case", "whole", "gcc", "clang", "best peer", "its speed",
                      "ratio (quartiles)", "of limit_k", "of limit", "vs ONNX Runtime",
                      "vs OpenVINO", "2 threads", "vs best with 2"], rows)
    calls = [e["results"]["null"]["seconds"] for e in entries if e["bytes"] < 1024]
    if calls:
        yield f"A call of an empty function takes {span(min(calls))}."
        yield ""


def _off_line(data):
    """The cost of buffers that begin 16 bytes past a line: speeds there, and the difference."""
    entries = [e for e in data["measurements"] if "splitgen_gcc" in e.get("off_line", {})
               and "splitgen_gcc" in e["results"]]
    if not entries:
        return
    yield "## Off the line"
    yield ""
    yield ("The same kernels with every buffer 16 bytes behind a line, where malloc() puts large "
           "blocks. Speeds are those there; in brackets, how many times that is of the speed with "
           "all buffers at lines.")
    yield ""
    names = ("splitgen_gcc", "gcc_o3", "limit_k")
    rows, all_of = [], {}
    for e in entries:
        row = [e["regime"], e["number"], e["case"]]
        for name in names:
            there, on_line = e["off_line"].get(name), e["results"].get(name)
            if there and on_line:
                of = on_line["seconds"] / there["seconds"]
                all_of.setdefault((e["regime"], name), []).append(of)
                row.append(f"{number(there['gb_per_s'])} ({times(of)})")
            else:
                row.append("")
        rows.append(row)
    for regime in data["regimes"]:
        if (regime, "splitgen_gcc") in all_of:
            rows.append([regime, "", "all"] + [times(geometric_mean(all_of[regime, name]))
                                               if (regime, name) in all_of else ""
                                               for name in names])
    yield from table(["regime", "#", "case", "splitgen", "gcc -O3 loop", "limit_k"], rows)


def _free(data):
    entries = [e for e in data["measurements"] if "splitgen_free" in e["results"]]
    if not entries:
        return
    yield "## With the batch left free"
    yield ""
    yield ("The first dimension is a number that the call says: to a kernel generated for any, and "
           "to ONNX Runtime with a model that has none. The last column is the time of the kernel "
           "for any number over that of the one for this number.")
    yield ""
    rows, ratios = [], []
    for e in entries:
        pairs = [("onnxruntime_1", "splitgen_gcc"), ("onnxruntime_free", "splitgen_free"),
                 ("splitgen_free", "splitgen_gcc")]
        found = [ratio(e, *pair) for pair in pairs]
        *theirs, own = [v and v["median"] for v in found]
        if not all(theirs) or any(e["results"][peer]["coarse"] for peer, _ in pairs):
            theirs = [None, None]  # both means are over the same cases
        ratios.append([*theirs, own])
        marks = "!" if e["results"]["splitgen_free"]["noisy"] else ""
        rows.append([e["case"] + marks, e["regime"], size(e["bytes"]),
                     *(_versus(e, *pair, spread=True) for pair in pairs)])
    rows.append(["geometric mean", "", "", *(times(geometric_mean([v for v in column if v]))
                                             for column in zip(*ratios))])
    yield from table(["case", "regime", "whole", "ONNX Runtime / splitgen",
                      "the same, batch free", "free / fixed"], rows)


def _view(data):
    """Why a peer has no time if its parts are views."""
    if data["joins"]:
        return "takes parts into the whole as they are handed over, which its profiler omits"
    return "aliases the whole, copies nothing"


def _missing(data):
    yield "## Not measured"
    yield ""
    if data["refused"]:
        yield from table(["case", "splitgen does not support it"],
                         [[name, why] for name, why in data["refused"].items()])
    reasons = {}
    for e in data["measurements"]:
        for peer, why in e["absent"].items():
            why = _view(data) if why == "view" else why
            reasons.setdefault((NAMES.get(peer, peer), why), set()).add(e["case"])
    if reasons:
        yield from table(["peer", "why", "cases"],
                         [[peer, why, ", ".join(sorted(names))]
                          for (peer, why), names in sorted(reasons.items())])
    reasons = {}
    for left in data["left_out"]:
        reasons.setdefault((left["case"], left["why"]), []).append(left["regime"])
    if reasons:
        yield from table(["case", "not in", "why"],
                         [[name, ", ".join(names), why] for (name, why), names in reasons.items()])


def _random(data):
    drawn = data.get("random")
    if drawn:
        yield f"## The random {ops(data)}"
        yield ""
        yield (f"`--random={len(drawn['cases'])} --seed={drawn['seed']}` draws these; in `natural` "
               "with the rows in brackets.")
        yield ""
        yield from table(["case", "notation"],
                         [[name, f"`{notation.format(rows='rows')}` ({rows})"]
                          for name, notation, rows in drawn["cases"]])


def markdown(data):
    lines = [f"# splitgen beside its peers: {ops(data)}", ""]
    if data["quick"]:
        lines += ["**Made with --quick: shows that the suite works; the numbers mean little.**", ""]
    noisy = sum(e["results"].get("splitgen_gcc", {}).get("noisy", False)
                for e in data["measurements"])
    if noisy:
        lines += [f"**The machine was not quiet in {noisy} of {len(data['measurements'])} "
                  "measurements (marked !).**", ""]
    lines += _machine(data)
    lines += [f"![summary]({stem(data['joins'])}-summary.svg)", "", *_summary(data), *_goals(data),
              *_losses(data),
              "## How to read the tables", "",
              "Speeds are GB/s of the whole's bytes, medians; below 1 KiB, the time of a call. "
              "`ratio` is the peer's time over that of splitgen compiled by gcc -O2: above 1 splitgen is "
              "faster, **bold** is a loss beyond the spread. `limit` is the best of eight ways of "
              "copying the same bytes in one piece, `limit_k` in as many pieces as there are "
              f"parts. `view`: the peer {_view(data)}; splitgen's header has the offset of such a "
              "part as a constant, too. `~`: too short for the peer's own profiler. In `pipeline`, "
              "every number is producer, kernel and consumer together.", ""]
    for regime in data["regimes"]:
        lines += _regime(data, regime)
    lines += [*ports.section(data), *builds.section(data), *_off_line(data), *_free(data),
              *_missing(data), *_random(data)]
    return "\n".join(lines)


def write(data, out, gnuplot):
    path = os.path.join(out, stem(data["joins"]) + ".md")
    with open(path, "w", encoding="utf-8") as file:
        file.write(markdown(data))
    made = [os.path.join(out, stem(data["joins"]) + ".json"), path]
    if gnuplot:
        made += plots.write(data, out, gnuplot)
    return made
