"""What kernels cost before they run: time to generate and to compile them, and their size.

Times are processor seconds, sizes bytes of .text in the object file of one kernel."""

from figures import number, span, table

GENERATE = 0.050  # maximum seconds to generate any case of the suite
COMPILE = 2.0     # and to compile it, with either compiler
COMPILERS = ("gcc", "clang")


def kernels(data):
    """One entry for each case: its natural size if that was built, else the first regime."""
    chosen = {}
    for entry in data["measurements"]:
        if entry["case"] not in chosen or entry["regime"] == "natural":
            chosen[entry["case"]] = entry
    return list(chosen.values())


def slowest(data, key):
    """[(case, seconds)] over all regimes, the longest of each case, longest first."""
    worst = {}
    for entry in data["measurements"]:
        seconds = entry["build"].get(key, 0.0)
        worst[entry["case"]] = max(worst.get(entry["case"], 0.0), seconds)
    return sorted(worst.items(), key=lambda item: -item[1])


def verdict(what, limit, found):
    """A sentence that says whether all are below the limit, and which are not."""
    over = [(case, seconds) for case, seconds in found if seconds >= limit]
    if not over:
        return (f"All of {len(found)} cases {what} in under {span(limit)}; the longest is "
                f"{found[0][0]} with {span(found[0][1])}.")
    return (f"{len(found) - len(over)} of {len(found)} cases {what} in under {span(limit)}; not "
            + ", ".join(f"{case} ({span(seconds)})" for case, seconds in over) + ".")


def section(data):
    entries = kernels(data)
    if not entries:
        return
    yield "## Generating, compiling, size"
    yield ""
    yield ("Processor time of `splitgen`, of `gcc -O2 -c` and of `clang -O2 -c` (the headers for "
           "vector instructions alone take most of what short kernels take), and the bytes of "
           "`.text` in the object, by `size`. One kernel for each case: of its natural size where "
           "that was built, else of the regime named. The sentences count all sizes.")
    yield ""
    yield "- " + verdict("generate", GENERATE, slowest(data, "generate_seconds"))
    for compiler in COMPILERS:
        yield "- " + verdict(f"compile with {compiler}", COMPILE,
                             slowest(data, f"{compiler}_compile_seconds"))
    yield ""
    rows = []
    for entry in entries:
        facts = entry["build"]
        row = [entry["number"], entry["case"], entry["regime"], number(facts["c_bytes"]),
               span(facts["generate_seconds"])]
        for compiler in COMPILERS:
            row += [span(facts[f"{compiler}_compile_seconds"]),
                    number(facts[f"{compiler}_text_bytes"])]
        rows.append(row)
    yield from table(["#", "case", "kernel of", "bytes of C", "generated in", "gcc takes",
                      "gcc .text", "clang takes", "clang .text"], rows)
