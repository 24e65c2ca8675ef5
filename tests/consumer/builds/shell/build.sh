#!/bin/sh
# Builds everything every time: for small programs and for experiments.
set -eu
cd "$(dirname "$0")"
"$(pkg-config --variable=splitgen splitgen)" qkv.lua -o qkv.c --header qkv.h
# shellcheck disable=SC2046 # words
${CC:-cc} -O2 main.c qkv.c $(pkg-config --cflags --libs splitgen-runtime) -o app
