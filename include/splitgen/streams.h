/* How interleaved streams are cut: by kernels, and by the generator, which proves them. */
#ifndef SPLITGEN_STREAMS_H
#define SPLITGEN_STREAMS_H

#if !defined(SPLITGEN_COPY) /* the generator has its own */
#include <splitgen/put.h>
#endif

/* The most streams that are interleaved. */
#define SPLITGEN_INTERLEAVED_MAX 4

/* Streams that are a multiple of so many bytes apart lie in different pages of one bank of memory,
 * which has one page open at a time, so that they take twice as long (generator/plan/MEASURED.md,
 * Interleaved streams). */
#define SPLITGEN_BANK_BYTES 268435456U

/* How many units of so many bytes a stream has, a multiple of `step`. */
SPLITGEN_COPY size_t splitgen_per_stream(size_t units, size_t streams, size_t step, size_t bytes)
{
    const size_t per_stream = units / (streams * step) * step;
    const size_t less = (8192 + step * bytes - 1) / (step * bytes) * step;

    return per_stream > less && per_stream * bytes % SPLITGEN_BANK_BYTES == 0 ? per_stream - less
                                                                              : per_stream;
}

#endif
