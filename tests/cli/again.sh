# again.sh FILE KINDS OUT FOLDER...: generates FILE and its neighbours, which are of the KINDS, again from the comment
# at the top of FILE alone. Writes to the new folder OUT; the inputs are the files of the FOLDERs with the digests that
# the comment names.
set -eu
file=$1 kinds=$2 out=$3
shift 3
mkdir -p "$out/from" "$out/to"
sed -n 's/^ \* SHA-256: //p' "$file" > "$out/digests"
find "$@" -type f -exec sha256sum {} + > "$out/there"
while read -r digest name; do
    test "$name" != - || name=standard_input
    mkdir -p "$(dirname "$out/from/$name")"
    cp "$(sed -n "s/^$digest  //p" "$out/there")" "$out/from/$name"
done < "$out/digests"
command=$(sed -n '/^ \* Command: / {
    :more
    /\\$/ { N; b more
    }
    s/\\\n \* *//g
    s/^ \* Command: //p
}' "$file")
test -f "$out/from/standard_input" || : > "$out/from/standard_input"
cd "$out/from"
eval "$command --emit=$kinds -o ../to/k" < standard_input
