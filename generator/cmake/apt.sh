#!/bin/sh
# Installs those of the named Debian packages that are missing, without removing any. If none is missing it does nothing
# and needs no network. Prints only what it installs, and the output of apt-get if that fails.
#   apt.sh [--missing] PACKAGE...     --missing: only prints which are
set -eu

list=
if [ "${1-}" = --missing ]; then
    list=yes
    shift
fi

missing=
for package in "$@"; do
    # prints several lines if a package is installed for several architectures
    if ! dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed; then
        case "$missing " in
        *" $package "*) ;;
        *) missing="$missing $package" ;;
        esac
    fi
done
if [ -n "$list" ]; then
    echo "${missing# }"
    exit 0
fi
if [ -z "$missing" ]; then
    exit 0
fi
if ! command -v apt-get >/dev/null 2>&1; then
    echo "apt.sh: no apt-get here; trying with what this system has, instead of:$missing" >&2
    exit 0
fi

as_root=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "apt.sh: neither root nor sudo; as root, run: apt-get install$missing" >&2
        exit 1
    fi
    as_root=sudo
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT

apt() {
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 \
        -o APT::Get::Remove=false "$@" \
        >>"$log" 2>&1 </dev/null
}

echo "apt.sh: installing$missing"
# Old lists, or none, make the first try fail; a mirror that hiccups, the second.
# $missing is a list of words.
# shellcheck disable=SC2086
apt install --no-install-recommends $missing && exit 0
apt update || apt update || true
: >"$log"
# shellcheck disable=SC2086
apt install --no-install-recommends $missing && exit 0
cat "$log" >&2
echo "apt.sh: could not install:$missing" >&2
exit 1
