# Makes a Markdown table of the JSON that Google Benchmark writes: times in nanoseconds, and how
# many times as long each peer takes as the kernel. A ratio below 1.00 is a loss.
#   -v statistic=median (default) or min
function value(line) {
    sub(/^[^:]*: */, "", line)
    gsub(/[",]/, "", line)
    return line
}
function ns(op, who, t) {
    t = time[op, who]
    return t >= 1000 ? sprintf("%.0f", t) : sprintf("%.1f", t)
}
function ratio(op, who, peer) {
    return sprintf("%.2f", time[op, peer] / time[op, who])
}
BEGIN {
    if (statistic == "") {
        statistic = "median"
    }
}
/"family_index"/ { place = value($0) + 0 }
/"run_name"/ {
    split(value($0), path, "/")
    op = path[1]
    who = path[2]
    if (!(op in first) || place < first[op]) {
        first[op] = place
    }
}
/"aggregate_name"/ { aggregate = value($0) }
/"real_time"/ && aggregate == statistic { time[op, who] = value($0) + 0 }
/"real_time"/ && aggregate == "cv" && value($0) + 0 > cv[op] + 0 { cv[op] = value($0) + 0 }
/"input_bytes"/ && aggregate == statistic { bytes[op] = value($0) + 0 }
END {
    for (op in first) {
        order[first[op]] = op
        if (first[op] > last) {
            last = first[op]
        }
        count++
    }
    if (count == 0) {
        print "no measurements in the input" > "/dev/stderr"
        exit 1
    }
    print "| op (" statistic ", ns) | input bytes | kernel, gcc | kernel, clang | memcpy per row |" \
          " memcpy per output | per element | row/gcc | row/clang | output/gcc | output/clang |" \
          " element/gcc | element/clang | worst cv |"
    print "| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |"
    for (i = 0; i <= last; i++) {
        if (!(i in order)) {
            continue
        }
        op = order[i]
        printf "| %s | %.0f | %s | %s | %s | %s | %s ", op, bytes[op], ns(op, "kernel_gcc"),
               ns(op, "kernel_clang"), ns(op, "rows_memcpy"), ns(op, "outputs_memcpy"),
               ns(op, "elements")
        printf "| %s | %s | %s | %s | %s | %s | %.1f %% |\n", ratio(op, "kernel_gcc", "rows_memcpy"),
               ratio(op, "kernel_clang", "rows_memcpy"), ratio(op, "kernel_gcc", "outputs_memcpy"),
               ratio(op, "kernel_clang", "outputs_memcpy"), ratio(op, "kernel_gcc", "elements"),
               ratio(op, "kernel_clang", "elements"), 100 * cv[op]
    }
}
