"""What tables and plots share: names, ratios, means, and numbers as text. Knows no file.

An entry is one case in one regime as the results have it; a ratio is their time over ours, so that
above 1 splitgen is faster. Times are seconds."""

import math
import statistics

NAMES = {
    "splitgen_gcc": "splitgen, gcc -O2", "splitgen_clang": "splitgen, clang -O2",
    "splitgen_2": "splitgen, 2 threads", "splitgen_free": "splitgen, batch free",
    "onnxruntime_free": "ONNX Runtime, batch free", "onnxruntime_1": "ONNX Runtime",
    "onnxruntime_2": "ONNX Runtime, 2 threads", "openvino_1": "OpenVINO",
    "openvino_2": "OpenVINO, 2 threads", "opencv": "OpenCV", "libyuv": "libyuv",
    "numpy": "NumPy", "onnx2c": "onnx2c's loop", "gcc_o3": "gcc -O3 loop",
    "gcc_native": "gcc -O3 -march=native loop", "memcpy_parts": "memcpy, parts first",
    "memcpy_rows": "memcpy, rows first", "packed_elements": "loop over packed elements",
    "limit": "limit", "limit_k": "limit_k",
}


def stem(joins):
    """The beginning of the names of all result files."""
    return "bench-joins" if joins else "bench"


def ops(data):
    """What was measured, for pages and plots."""
    return "concats" if data["joins"] else "splits"


def peers_of(entry, threads=1):
    return {name: result for name, result in entry["results"].items()
            if result["kind"] == "peer" and result["threads"] == threads}


def best_peer(entry, threads=1):
    peers = peers_of(entry, threads)
    return min(peers, key=lambda name: peers[name]["seconds"]) if peers else None


def ratio(entry, peer, ours):
    return entry["results"].get(peer, {}).get("versus", {}).get(ours)


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def losses(data):
    """Yields (entry, peer, ours, ratio) for each loss in at least three quarters of the rounds."""
    for entry in data["measurements"]:
        for ours, threads in (("splitgen_gcc", 1), ("splitgen_clang", 1), ("splitgen_2", 2)):
            for peer in peers_of(entry, threads):
                versus = ratio(entry, peer, ours)
                if versus and versus["high"] < 1:
                    yield entry, peer, ours, versus


def number(value, digits=3):
    if value is None:
        return ""
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.{max(0, digits - 1 - math.floor(math.log10(value)))}f}" if value > 0 else "0"


def times(value):
    """A ratio; a loss must not round up to 1.00."""
    if value is None:
        return ""
    text = number(value) if value >= 9.995 else f"{value:.2f}"
    return "0.99" if value < 1 and text == "1.00" else text


def size(count):
    for unit, scale in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if count >= scale:
            return f"{number(count / scale)} {unit}"
    return f"{count} B"


def span(seconds):
    for unit, scale in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= scale:
            return f"{number(seconds / scale)} {unit}"
    return f"{number(seconds / 1e-9)} ns"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows] + [""]


def fewest_cycles(samples):
    """Cycles of a run on an otherwise idle core, or None if the clock is unknown: the median of the fastest quarter
    of all batches. Samples are (seconds, good, cycles); cycles are those of the fastest piece of the batch, so an
    interrupted batch counts too."""
    cycles = sorted(sample[2] for sample in samples if len(sample) > 2)
    return statistics.median(cycles[:max(1, len(cycles) // 4)]) if cycles else None
