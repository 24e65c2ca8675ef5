#!/bin/sh
# Configures and builds a preset, runs tests by another, and shows the progress: a line for every tenth of the build,
# and a line for every test. All output goes to FOLDER/run.log; of the output of cmake and compilers, only failures are
# shown.
#   preset.sh PRESET [TEST-PRESET [FOLDER]]     from the project's top folder; FOLDER: of the build, build/PRESET
set -eu

preset=$1
folder=${3-build/$preset}
log=$folder/run.log
failed=$folder/run.failed
mkdir -p "$folder"
: >"$log"

# step FILTER COMMAND...: runs the command; the filter gets its output line by line and prints some of it.
step() {
    filter=$1
    shift
    rm -f "$failed"
    { "$@" 2>&1 || : >"$failed"; } | while IFS= read -r line; do
        printf '%s\n' "$line" >>"$log"
        "$filter" "$line"
    done
    [ ! -e "$failed" ]
}

# The filters, called with a line each.
# shellcheck disable=SC2317 # not directly
silent() { :; }

tenth=0
# shellcheck disable=SC2317
every_tenth() {
    case $1 in
    "["[0-9]*/[0-9]*"] "*)
        count=${1%%]*}
        count=${count#[}
        if [ "$((${count%/*} * 10 / ${count#*/}))" -gt "$tenth" ]; then
            tenth=$((${count%/*} * 10 / ${count#*/}))
            echo "building: ${count%/*} of ${count#*/}"
        fi
        ;;
    esac
}

# shellcheck disable=SC2317
results() {
    case $1 in
    *" Start "*[0-9]": "*) ;;
    *) printf '%s\n' "$1" ;;
    esac
}

# Prints the relevant part of the log: from the first command that failed, or all of it.
fail() {
    if grep -q '^FAILED: ' "$log"; then
        sed -n '/^FAILED: /,$p' "$log" >&2
    else
        cat "$log" >&2
    fi
    echo "$1 failed; everything that was printed: $log" >&2
    exit 1
}

echo "configuring: $folder"
step silent cmake --preset "$preset" || fail "configuring"
step every_tenth cmake --build --preset "$preset" || fail "building"
echo "built: $folder"
if [ $# -lt 2 ]; then
    exit
fi

begin=$(date +%s)
echo "testing: a line for each test, its output where it fails"
mkdir -p "$folder/Testing/Temporary"
: >"$folder/Testing/Temporary/LastTest.log"
ended=0
step results ctest --preset "$2" || ended=1
# Lists what was skipped on this machine, as reported at configuration or by tests; then the numbers, and what failed.
awk -v seconds="$(($(date +%s) - begin))" -v folder="$folder" -v log_file="$log" '
    FNR == NR && /: .*left out/ { sub(/^-- /, ""); print "left out: " $0 }
    FNR == NR && /^ *[0-9]+\/[0-9]+ Test +#[0-9]+: / {
        count++
        sub(/^[^:]*: /, "")
        if (/[*][*][*]Skipped/) { skipped++ } else if (!/ Passed /) { failed[++failures] = $1 }
    }
    FNR != NR && / Testing: / { name = $NF }
    FNR != NR && sub(/.*SKIPPED: /, "") { print "left out: " name ": " $0 }
    END {
        printf "%d tests in %d seconds: %d passed, %d skipped, %d failed; everything that was printed: %s\n",
               count, seconds, count - skipped - failures, skipped, failures, log_file
        for (i = 1; i <= failures; i++) {
            printf "failed: %s; again, with its output: ctest --test-dir %s -V -R \047^%s$\047\n", failed[i], folder, failed[i]
        }
    }
' "$log" "$folder/Testing/Temporary/LastTest.log"
exit "$ended"
