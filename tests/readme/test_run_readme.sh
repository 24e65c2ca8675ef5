#!/bin/sh
# Runs run_readme.sh on small READMEs, good and bad ones, because a test of the README that cannot fail would be
# useless.
#
#   test_run_readme.sh SOURCE_DIR BINARY_DIR SPLITGEN SCRATCH
set -eu

source_dir=$1
binary_dir=$2
splitgen=$3
scratch=$4
here=$(dirname "$0")

mkdir -p "$scratch"
SETUP_NEEDED=1
export SETUP_NEEDED

# The set-up commands, so that a page is not refused because they are missing.
setup() {
    echo '```sh'
    cat "$here/setup.txt"
    echo '```'
}

# check NAME accepted|refused: reads the page from standard input
check() {
    { setup; cat; } >"$scratch/$1.md"
    verdict=accepted
    sh "$here/run_readme.sh" "$scratch/$1.md" "$source_dir" "$binary_dir" "$splitgen" \
        "$scratch/run" >"$scratch/log" 2>&1 || verdict=refused
    if [ "$verdict" != "$2" ]; then
        cat "$scratch/log" >&2
        echo "page '$1' was $verdict, expected $2" >&2
        exit 1
    fi
}

check output accepted <<'PAGE'
```lua deep/one.lua
return 1
```
```sh
echo one
cat deep/one.lua
```
```text
one
return 1
```
PAGE

check exit_status accepted <<'PAGE'
```sh exit=3
$ sh -c 'echo no >&2; exit 3'
```
```text
no
```
PAGE

check tool_and_tree accepted <<'PAGE'
```sh
command -v splitgen
test -f CMakePresets.json
test -d build/demo
```
PAGE

check folder_left_behind accepted <<'PAGE'
```sh
mkdir -p build/tour && cd build/tour
```
```lua one.lua
return 1
```
```sh exit=1
cat one.lua; cd ..; false
```
```sh
test -f tour/one.lua
```
PAGE

check wrong_output refused <<'PAGE'
```sh
echo one
```
```text
two
```
PAGE

check missing_newline refused <<'PAGE'
```sh
printf one
```
```text
one
```
PAGE

check failing_command refused <<'PAGE'
```sh
false
true
```
PAGE

check wrong_status refused <<'PAGE'
```sh exit=3
true
```
PAGE

check nothing_to_run refused <<'PAGE'
```text
echo one
```
PAGE

check endless_block refused <<'PAGE'
```sh
echo one
PAGE

printf '```sh\necho one\n```\n' >"$scratch/no_setup.md"
if sh "$here/run_readme.sh" "$scratch/no_setup.md" "$source_dir" "$binary_dir" "$splitgen" \
    "$scratch/run" >"$scratch/log" 2>&1; then
    echo "a page without the set-up commands was accepted" >&2
    exit 1
fi
# An update turns a refused page into an accepted one and changes nothing else.
{
    setup
    printf '```sh\necho one\necho two\n```\n```text\nold\n```\nprose\n```text\nkept\n```\n'
} >"$scratch/update.md"
{
    setup
    printf '```sh\necho one\necho two\n```\n```text\none\ntwo\n```\nprose\n```text\nkept\n```\n'
} >"$scratch/updated.md"
sh "$here/run_readme.sh" "$scratch/update.md" "$source_dir" "$binary_dir" "$splitgen" \
    "$scratch/run" update >"$scratch/log" 2>&1
cmp "$scratch/update.md" "$scratch/updated.md"

echo "run_readme.sh tells good pages from bad ones"
