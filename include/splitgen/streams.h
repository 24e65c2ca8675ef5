/* The lengths of interleaved streams, for kernels and for the generator, which proves them. */
#ifndef SPLITGEN_STREAMS_H
#define SPLITGEN_STREAMS_H

#if !defined(SPLITGEN_COPY) /* the generator has its own */
#include <splitgen/put.h>
#endif

/* The most interleaved streams. */
#define SPLITGEN_INTERLEAVED_MAX 4

/* Streams that are a multiple of this many bytes apart lie in different pages of one bank of
 * memory. A bank has one open page, so they take twice as long (generator/plan/MEASURED.md,
 * Interleaved streams). */
#define SPLITGEN_BANK_BYTES 268435456U

/* The number of units of `bytes` bytes in a stream, a multiple of `step`. */
SPLITGEN_COPY size_t splitgen_per_stream(size_t units, size_t streams, size_t step, size_t bytes)
{
    const size_t per_stream = units / (streams * step) * step;
    const size_t less = (8192 + step * bytes - 1) / (step * bytes) * step;

    return per_stream > less && per_stream * bytes % SPLITGEN_BANK_BYTES == 0 ? per_stream - less
                                                                              : per_stream;
}

#endif
