"""Draws the measurements as SVG with gnuplot, without a background, in colours for light and dark."""

import os
import subprocess

import figures

INK = "#808080"
OURS, THEIRS, LOSS, SECOND = "#1f9e77", "#d98c1f", "#d8434e", "#7a78c0"

# Where the data of a regime lies.
PLACES = {"l1": "L1", "l2": "L2", "llc": "last-level cache", "dram": "memory", "natural": "own size",
          "pipeline": "in a pipeline"}

_HEAD = f"""set terminal svg size {{width}},{{height}} dynamic font 'sans-serif,12'
set output '{{path}}'
set border lc rgb '{INK}'
set tics textcolor rgb '{INK}' nomirror
set grid lc rgb '{INK}' lw 0.4 dt 2
set key textcolor rgb '{INK}'
set title textcolor rgb '{INK}'
set xlabel textcolor rgb '{INK}'
set ylabel textcolor rgb '{INK}'
"""


def _draw(gnuplot, script):
    result = subprocess.run([gnuplot], input=script, capture_output=True, text=True)
    if result.returncode or "error" in result.stderr.lower():
        raise RuntimeError(f"gnuplot: {result.stderr}")


def _block(name, rows):
    return f"${name} << EOD\n" + "".join(" ".join(map(str, row)) + "\n" for row in rows) + "EOD\n"


def _regime(data, regime, path, gnuplot):
    """Left, each case's ratio to its best peer, to ONNX Runtime and to OpenVINO; right, the speed of splitgen and of
    the best peer relative to a plain copy."""
    entries = [e for e in data["measurements"] if e["regime"] == regime and figures.best_peer(e)
               and "splitgen_gcc" in e["results"]][::-1]
    if not entries:
        return False
    wins, lost, ort, vino, ours, theirs = [], [], [], [], [], []
    for y, entry in enumerate(entries):
        peer = figures.best_peer(entry)
        versus = figures.ratio(entry, peer, "splitgen_gcc")
        row = (versus["median"], y, versus["low"], versus["high"])
        (lost if versus["high"] < 1 else wins).append(row)
        for name, rows in (("onnxruntime_1", ort), ("openvino_1", vino)):
            other = figures.ratio(entry, name, "splitgen_gcc")
            if other and not entry["results"][name]["coarse"]:
                rows.append((other["median"], y))
        limit = entry["results"]["splitgen_gcc"].get("of_limit", {}).get("limit_k")
        if limit and entry["bytes"] >= 1024:
            ours.append((limit, y))
            theirs.append((limit / versus["median"], y))
    tics = ", ".join(f"'{e['case']}' {y}" for y, e in enumerate(entries))
    script = _HEAD.format(width=960, height=130 + 17 * len(entries), path=path)
    for name, rows in (("wins", wins), ("lost", lost), ("ort", ort), ("vino", vino),
                       ("ours", ours), ("theirs", theirs)):
        # gnuplot refuses an empty plot; a point far outside is invisible.
        script += _block(name, rows or [(1, -9, 1, 1)])
    top = len(entries) - 0.4
    low = 0.8 * min([0.6] + [row[0] for rows in (wins, lost, ort, vino) for row in rows]
                    + [row[2] for row in wins + lost])
    script += f"""set multiplot layout 1,2
set lmargin at screen 0.20
set rmargin at screen 0.66
set tmargin 2.2
set bmargin 5
set yrange [-0.6:{top}]
set ytics ({tics}) noenhanced
set logscale x
set xrange [{low}:*]
set format x '%g'
set key bmargin center horizontal samplen 1
set title '{regime}, {figures.ops(data)}: time of the others / time of splitgen' offset 0,0
set arrow 1 from 1,-0.6 to 1,{top} nohead lc rgb '{INK}' lw 1.5
plot $ort using 1:2 with points pt 6 ps 0.8 lc rgb '{SECOND}' title 'ONNX Runtime', \\
     $vino using 1:2 with points pt 4 ps 0.8 lc rgb '{THEIRS}' title 'OpenVINO', \\
     $wins using 1:2:3:4 with xerrorbars pt 7 ps 0.9 lc rgb '{OURS}' title 'best peer', \\
     $lost using 1:2:3:4 with xerrorbars pt 7 ps 0.9 lc rgb '{LOSS}' title 'best peer, a loss'
set lmargin at screen 0.69
set rmargin at screen 0.98
unset logscale x
unset arrow 1
set xrange [0:1.3]
set xtics 0.25
set ytics ('' 0)
set title 'fraction of a plain copy (limit\\_k)'
set arrow 1 from 1,-0.6 to 1,{top} nohead lc rgb '{INK}' lw 1.5
plot $ours using (0):2:(0):1:($2-0.3):($2+0.3) with boxxyerror fs solid 0.7 noborder \\
          lc rgb '{OURS}' title 'splitgen', \\
     $theirs using 1:2 with points pt 2 ps 0.8 lc rgb '{THEIRS}' title 'best peer'
unset multiplot
"""
    _draw(gnuplot, script)
    return True


def best_ratios(data, regime):
    """Returns (wins, level, lost): ratios to the best peer, sorted; level means within the spread."""
    wins, level, lost = [], [], []
    for entry in data["measurements"]:
        peer = figures.best_peer(entry)
        versus = entry["regime"] == regime and peer and figures.ratio(entry, peer, "splitgen_gcc")
        if versus:
            found = wins if versus["low"] > 1 else lost if versus["high"] < 1 else level
            found.append(versus["median"])
    return sorted(wins), sorted(level), sorted(lost)


def _strips(data, regimes):
    """Every case of a regime as a point, from the worst to the best, losses first."""
    points, labels = {"wins": [], "level": [], "lost": []}, []
    for x, regime in enumerate(regimes):
        wins, level, lost = best_ratios(data, regime)
        count, at = len(wins) + len(level) + len(lost), 0
        for name, ratios in (("lost", lost), ("level", level), ("wins", wins)):
            for value in ratios:
                points[name].append((x - 0.4 + 0.8 * (at + 0.5) / count, value))
                at += 1
        if count:
            text = f"{len(lost)} of {count} slower"
            if lost:
                text += f"\\nworst {figures.times(lost[0])}x"
            labels.append(f'set label "{text}" at {x},graph 0.93 center font ",11" '
                          f'textcolor rgb "{LOSS if lost else OURS}" front\n')
    values = [value for rows in points.values() for _, value in rows] or [1]
    script = "".join(_block(name, rows or [(-9, 1)]) for name, rows in points.items())
    return script + f"""unset arrow 1
unset key
set yrange [{min(0.7, min(values) * 0.8)}:{max(values) * 4}]
set key bmargin center horizontal samplen 1
set title 'Speed of {figures.ops(data)} beside the best peer of each, one thread: a point for every case'
set arrow 1 from -0.6,1 to {len(regimes) - 0.4},1 nohead lc rgb '{INK}' lw 1.5
{''.join(labels)}plot $wins using 1:2 with points pt 7 ps 0.8 lc rgb '{OURS}' title 'faster', \\
     $level using 1:2 with points pt 7 ps 0.8 lc rgb '{INK}' title 'equal within the spread', \\
     $lost using 1:2 with points pt 7 ps 0.9 lc rgb '{LOSS}' title 'slower'
unset multiplot
"""


def _summary(data, path, gnuplot):
    """Geometric means against the runtimes, and every case against its best peer, by regime."""
    series = [("onnxruntime_1", "splitgen_gcc", SECOND), ("onnxruntime_2", "splitgen_2", "#b3b2e0"),
              ("openvino_1", "splitgen_gcc", THEIRS), ("openvino_2", "splitgen_2", "#efc68a")]
    regimes = [r for r in data["regimes"] if any(e["regime"] == r for e in data["measurements"])]
    if not any(figures.best_peer(e) for e in data["measurements"]):
        return False
    script = _HEAD.format(width=900, height=680, path=path)
    drawn, least, most = [], 0.7, 1.0
    for at, (peer, ours, colour) in enumerate(series):
        rows = []
        for x, regime in enumerate(regimes):
            values = [figures.ratio(e, peer, ours)["median"] for e in data["measurements"]
                      if e["regime"] == regime and figures.ratio(e, peer, ours)
                      and not e["results"][peer]["coarse"]]
            if values:
                mean = figures.geometric_mean(values)
                least, most = min(least, mean), max(most, mean)
                left = x - 0.4 + 0.2 * at
                # The last two position the number, above the line even if the bar is below it.
                rows.append((left, left + 0.18, mean, left + 0.09, max(mean, 1),
                             figures.times(mean), len(values)))
        if rows:
            script += _block(f"s{at}", rows)
            drawn.append((at, figures.NAMES[peer], colour))
    tics = ", ".join(f"'{PLACES[regime]}' {x}" for x, regime in enumerate(regimes))
    machine = data["machine"]
    where = f"{machine['splitgen']}, {machine['gcc'].split(' (')[0]} -O2, {machine['uarch']}: {machine['cpu']}"
    bars = [f"$s{at} using 1:3:1:2:(1):3 with boxxyerror fs solid 0.8 noborder lc rgb '{colour}' "
            f"title '{name}'" for at, name, colour in drawn]
    labels = [f"$s{at} using 4:{place} with labels offset 0,{offset} font ',{size}' textcolor rgb '{INK}' notitle"
              for at, _, _ in drawn
              for place, offset, size in (("5:6", 0.6, 10), (f"({least * 0.75}):(sprintf('n=%d', $7))", 0, 9))]
    if not drawn:  # the runtimes can time nothing here, or there are only other peers
        bars = ["NaN notitle"]
    script += f"""set multiplot layout 2,1
set lmargin 8
set rmargin 2
set logscale y
set yrange [{least * 0.6}:{most * 2}]
set format y '%gx'
set xrange [-0.6:{len(regimes) - 0.4}]
set xtics ({tics})
set key bmargin center horizontal samplen 1
set bmargin 4.5
set title "Speed of {figures.ops(data)} beside inference runtimes: geometric mean of the n that their timers resolve\\n{where}" noenhanced
set arrow 1 from -0.6,1 to {len(regimes) - 0.4},1 nohead lc rgb '{INK}' lw 1.5
plot {", ".join(bars + labels)}
""" + _strips(data, regimes)
    _draw(gnuplot, script)
    return True


def write(data, out, gnuplot):
    made = []
    stem = os.path.join(out, figures.stem(data["joins"]))
    path = f"{stem}-summary.svg"
    if _summary(data, path, gnuplot):
        made.append(path)
    for regime in data["regimes"]:
        path = f"{stem}-{regime}.svg"
        if _regime(data, regime, path, gnuplot):
            made.append(path)
    return made
