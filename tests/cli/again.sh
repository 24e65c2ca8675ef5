# again.sh FILE OUT FOLDER...: generates again what FILE and those beside it hold, from the comment at the top of FILE
# alone: into the new folder OUT, from files of the FOLDERs that have the digests it names.
set -eu
file=$1 out=$2
shift 2
mkdir -p "$out/from" "$out/to"
sed -n 's/^ \* SHA-256: //p' "$file" > "$out/digests"
while read -r digest name; do
    test "$name" != - || name=standard_input
    for found in $(find "$@" -type f); do
        case $(sha256sum "$found") in
        "$digest "*) mkdir -p "$(dirname "$out/from/$name")" && cp "$found" "$out/from/$name" ;;
        esac
    done
    test -f "$out/from/$name"
done < "$out/digests"
command=$(sed -n '/^ \* Command: / {
    :more
    /\\$/ { N; b more
    }
    s/\\\n \* *//g
    s/^ \* Command: //p
}' "$file")
kinds=c,h,json,svg,test,bench,proof,registry,py
test -f "$out/from/standard_input" || : > "$out/from/standard_input"
cd "$out/from"
eval "$command --emit=$kinds -o ../to/k" < standard_input
