#!/bin/bash -eu
# Builds the fuzzers as OSS-Fuzz requires: with $CC, $CXX and their flags, from $SRC/splitgen, in $WORK. Puts each into
# $OUT with its seeds, its dictionary and its limits. Links as C++, because engines are C++, and with static libraries,
# because nothing is installed where the fuzzers run.
source=$SRC/splitgen
fuzz=$source/tests/fuzz
build=$WORK/splitgen

cmake -S "$source" -B "$build" -DCMAKE_C_COMPILER="$CC" -DSPLITGEN_BUILD_TESTS=OFF -DSPLITGEN_BUILD_EXAMPLES=OFF
cmake --build "$build" --target splitgen_core --parallel
cd "$build"

# Flags are lists.
# shellcheck disable=SC2086
compile() {
    $CC $CFLAGS -std=c11 -D_POSIX_C_SOURCE=200809L -I "$source/generator" -I "$source/include" -c "$fuzz/$1.c" -o "$1.o"
}

compile fuzz_pipeline
for path in "$fuzz"/corpus/*/; do
    name=$(basename "$path")
    fuzzer=fuzz_$name
    compile "$fuzzer"
    # shellcheck disable=SC2086
    $CXX $CXXFLAGS $LIB_FUZZING_ENGINE "$fuzzer.o" fuzz_pipeline.o generator/libsplitgen_core.a \
        -l:liblua5.4.a -l:libexpat.a -l:libnettle.a -lm -ldl -o "$OUT/$fuzzer"
    rm -f "$OUT/${fuzzer}_seed_corpus.zip"
    zip -q -j "$OUT/${fuzzer}_seed_corpus.zip" "$path"*
    cp "$fuzz/$name.dict" "$OUT/$fuzzer.dict"
    cp "$fuzz/oss-fuzz/fuzzer.options" "$OUT/$fuzzer.options"
done
