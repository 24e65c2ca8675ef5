#!/bin/sh
# Everything, every time: for small programs and for trying things out.
set -eu
cd "$(dirname "$0")"
"$(pkg-config --variable=splitgen splitgen)" qkv.lua -o qkv.c --header qkv.h
# shellcheck disable=SC2046 # words
${CC:-cc} -O2 main.c qkv.c $(pkg-config --cflags --libs splitgen-runtime) -o app
