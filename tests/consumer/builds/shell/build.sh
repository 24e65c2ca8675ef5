#!/bin/sh
# Builds everything every time: for small programs and for experiments.
set -eu
cd "$(dirname "$0")"
# pkg-config escapes blanks in paths, so its output is evaluated.
eval "$(pkg-config --variable=splitgen splitgen) qkv.lua -o qkv.c --header qkv.h"
eval "${CC:-cc} -O2 main.c qkv.c $(pkg-config --cflags --libs splitgen-runtime) -o app"
