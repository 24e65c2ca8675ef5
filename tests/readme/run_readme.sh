#!/bin/sh
# Runs every command of a page, in order, in a scratch copy of the tree, and compares the output with the page. Does not
# run the set-up commands of setup.txt, which would run this test again; with SETUP_NEEDED in the environment the page
# has to show them. PYTHON3 there is what python3 runs.
#
#   run_readme.sh PAGE SOURCE_DIR BINARY_DIR SPLITGEN SCRATCH [update]
#
# With `update` the outputs are written into the page instead of being compared.
#
# ```sh            the lines are one script, run by sh -e in the folder that the block before it left,
#                  as in a reader's shell; the first in the copy's top folder
# ```sh exit=N     the script's last command must exit with N
# ```text          right behind a ```sh block: its exact output, standard error included
# ```lua F         a block of any other language with a file name: written to F, in that folder,
#                  before going on
set -eu

readme=$1
source_dir=$2
binary_dir=$3
splitgen=$4
scratch=$5
update=${6:-}
here=$(dirname "$0")

fail() {
    echo "README: $*" >&2
    exit 1
}

[ -f "$readme" ] || fail "there is no $readme"
rm -rf "$scratch"
mkdir -p "$scratch/tree" "$scratch/blocks" "$scratch/home"
(cd "$source_dir" && tar -cf - --exclude=./build --exclude=./.git .) |
    (cd "$scratch/tree" && tar -xf -)

# This build takes the place of any preset that the README says was built.
mkdir -p "$scratch/tree/build"
for preset in release demo test; do
    ln -s "$binary_dir" "$scratch/tree/build/$preset"
done
mkdir "$scratch/bin"
[ -z "${PYTHON3-}" ] || ln -s "$PYTHON3" "$scratch/bin/python3"
PATH=$scratch/bin:$(dirname "$splitgen"):$PATH
C_INCLUDE_PATH=$source_dir/include
LIBRARY_PATH=$binary_dir/runtime
HOME=$scratch/home
export PATH C_INCLUDE_PATH LIBRARY_PATH HOME

# One file per block: NNN.info holds what follows the fence, NNN.body the lines.
awk -v dir="$scratch/blocks" '
    /^```/ && !inside {
        inside = 1
        path = sprintf("%s/%03d", dir, ++count)
        print substr($0, 4) > (path ".info")
        close(path ".info")
        printf "" > (path ".body")
        next
    }
    /^```/ { inside = 0; close(path ".body"); next }
    inside { print > (path ".body") }
    END { if (inside) { print "README: a code block never ends" > "/dev/stderr"; exit 1 } }
' "$readme"

# A set-up command: its program must exist, and the workflow preset it names.
check_setup() {
    program=${1%% *}
    case $program in
    git) ;; # readers on the web have it, or a browser
    */*) [ -x "$scratch/tree/$program" ] || fail "'$1': $program is not an executable file" ;;
    *) command -v "$program" >/dev/null || fail "'$1': no program $program" ;;
    esac
    case $1 in
    *--preset*)
        preset=${1##*--preset}
        preset=$(echo "$preset" | sed 's/^[ =]*//; s/[^A-Za-z0-9_-].*//')
        (cd "$scratch/tree" && cmake --workflow --list-presets) | grep -q "\"$preset\"" ||
            fail "'$1': no workflow preset '$preset'"
        ;;
    esac
    echo "$1" >>"$scratch/setup_seen"
}

run=0
compared=0
folder=$scratch/tree
previous=
: >"$scratch/setup_seen"
for info in "$scratch"/blocks/*.info; do
    body=${info%.info}.body
    read -r language words <"$info" || [ -n "$language" ] || language=
    case $language in
    sh)
        script=$scratch/script
        : >"$script"
        while IFS= read -r line || [ -n "$line" ]; do
            line=${line#\$ }
            if grep -qxF -e "${line#./}" "$here/setup.txt"; then
                check_setup "${line#./}"
            else
                printf '%s\n' "$line" >>"$script"
            fi
        done <"$body"
        if ! grep -q '[^[:space:]]' "$script"; then
            previous=
            continue
        fi
        expected=0
        case $words in
        exit=*) expected=${words#exit=} ;;
        esac
        status=0
        (cd "$folder" && sh -ec 'trap "pwd >\"\$0\"" EXIT; . "$1"' "$scratch/folder" "$script") \
            >"$scratch/output" 2>&1 </dev/null || status=$?
        folder=$(cat "$scratch/folder")
        if [ "$status" -ne "$expected" ]; then
            cat "$script" "$scratch/output" >&2
            fail "exit status $status, expected $expected"
        fi
        run=$((run + 1))
        previous=sh
        ;;
    text)
        if [ "$previous" = sh ] && [ "$update" = update ]; then
            cp "$scratch/output" "${body%.body}.new"
        elif [ "$previous" = sh ]; then
            diff -u "$body" "$scratch/output" >&2 || {
                cat "$script" >&2
                fail "the output shown (-) is not the output (+)"
            }
            compared=$((compared + 1))
        fi
        previous=
        ;;
    *)
        if [ -n "$words" ]; then
            mkdir -p "$(dirname "$folder/$words")"
            cp "$body" "$folder/$words"
        fi
        previous=
        ;;
    esac
done

while IFS= read -r line; do
    [ -z "${SETUP_NEEDED-}" ] || grep -qxF -e "$line" "$scratch/setup_seen" ||
        fail "the set-up command '$line' is not shown"
done <"$here/setup.txt"
[ "$run" -gt 0 ] || fail "there is no command to run"

if [ "$update" = update ]; then
    awk -v dir="$scratch/blocks" '
        /^```/ && !inside {
            inside = 1
            print
            new = sprintf("%s/%03d.new", dir, ++count)
            replaced = system("test -f " new) == 0
            while (replaced && (getline line <new) > 0) {
                print line
            }
            next
        }
        /^```/ { inside = replaced = 0 }
        !replaced { print }
    ' "$readme" >"$scratch/README.md"
    cp "$scratch/README.md" "$readme"
fi
echo "README: ran $run blocks of commands, compared $compared outputs"
