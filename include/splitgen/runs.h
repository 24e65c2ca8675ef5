/* Copies of runs from memory to memory, with ordinary and with non-temporal stores. Included by
 * generated code only, with splitgen/vector.h. */
#ifndef SPLITGEN_RUNS_H
#define SPLITGEN_RUNS_H

#include <splitgen/streams.h>
#include <splitgen/vector.h>

#if SPLITGEN_X86

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the processor has PREFETCH_ALL. The caller must have called splitgen_cpu(), unless the
 * compiler knows the answer. */
SPLITGEN_COPY bool splitgen_prefetches_all(void)
{
    return ((splitgen_asked_cpu() | SPLITGEN_CPU_BUILT) & SPLITGEN_CPU_PREFETCH_ALL) != 0;
}

/* Copies up to 32 last bytes of a run of at least 32, with the smallest vector or word that holds
 * them. It overlaps the bytes before. A smaller one crosses a cache line less often
 * (generator/plan/MEASURED.md, Copies). */
SPLITGEN_TARGET_AVX2
SPLITGEN_COPY void splitgen_rest(unsigned char *d, const unsigned char *s, size_t left)
{
    if (left > 16) {
        splitgen_store_avx2(d + left - 32, splitgen_load_avx2(s + left - 32));
    } else {
        splitgen_put_rest(d, s, left);
    }
}

SPLITGEN_TARGET_AVX2
SPLITGEN_COPY void splitgen_run_128(unsigned char *d, const unsigned char *s)
{
    __m256i v0 = splitgen_load_avx2(s);
    __m256i v1 = splitgen_load_avx2(s + 32);
    __m256i v2 = splitgen_load_avx2(s + 64);
    __m256i v3 = splitgen_load_avx2(s + 96);
    SPLITGEN_KEEP(v0); /* otherwise clang merges two loads into one of 64 bytes */
    SPLITGEN_KEEP(v1);
    SPLITGEN_KEEP(v2);
    SPLITGEN_KEEP(v3);
    splitgen_store_avx2(d, v0);
    SPLITGEN_IN_ORDER();
    splitgen_store_avx2(d + 32, v1);
    SPLITGEN_IN_ORDER();
    splitgen_store_avx2(d + 64, v2);
    SPLITGEN_IN_ORDER();
    splitgen_store_avx2(d + 96, v3);
    SPLITGEN_IN_ORDER();
}

/* Runs of at least this size are stored at multiples of a vector. Otherwise most stores would cross
 * cache lines; loads that do so cost less (generator/plan/MEASURED.md, Aligning). */
#define SPLITGEN_ALIGN_MIN 256

/* Whether a run is brought to multiples of a vector. Processors predict this branch, even if the
 * alignment of rows changes periodically. */
SPLITGEN_COPY bool splitgen_aligns(const void *dst, size_t bytes, size_t vector)
{
    return bytes >= SPLITGEN_ALIGN_MIN && SPLITGEN_ADDRESS(dst) % vector != 0;
}

SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_run_256(unsigned char *d, const unsigned char *s)
{
    const __m512i v0 = _mm512_loadu_si512(s);
    const __m512i v1 = _mm512_loadu_si512(s + 64);
    const __m512i v2 = _mm512_loadu_si512(s + 128);
    const __m512i v3 = _mm512_loadu_si512(s + 192);
    _mm512_storeu_si512(d, v0);
    SPLITGEN_IN_ORDER();
    _mm512_storeu_si512(d + 64, v1);
    SPLITGEN_IN_ORDER();
    _mm512_storeu_si512(d + 128, v2);
    SPLITGEN_IN_ORDER();
    _mm512_storeu_si512(d + 192, v3);
    SPLITGEN_IN_ORDER();
}

/* splitgen_aligning_ISA() copies at least two vectors with stores at multiples of `vector` bytes,
 * except the first and last ones, which overlap them. `run` copies four vectors. `left` is the same
 * for every head, so that loop counts are constant. */
#define SPLITGEN_ALIGNING(isa, target, vector, load, store, run)                                   \
    target SPLITGEN_COPY void splitgen_aligning_##isa(                                             \
        void *SPLITGEN_RESTRICT dst, const void *SPLITGEN_RESTRICT src, size_t bytes)              \
    {                                                                                              \
        unsigned char *d = SPLITGEN_POINTER(unsigned char, dst);                                   \
        const unsigned char *s = SPLITGEN_POINTER(const unsigned char, src);                       \
        unsigned char *const last = d + bytes - (vector);                                          \
        const unsigned char *const last_src = s + bytes - (vector);                                \
        size_t head = -SPLITGEN_ADDRESS(dst) % (vector);                                           \
        size_t left = bytes / (vector) * (vector) - (vector);                                      \
                                                                                                   \
        SPLITGEN_KEEP_NUMBER(head);                                                                \
        store(d, load(s));                                                                         \
        SPLITGEN_IN_ORDER();                                                                       \
        d += head;                                                                                 \
        s += head;                                                                                 \
        for (; left >= 4 * (vector); left -= 4 * (vector), d += 4 * (vector), s += 4 * (vector)) { \
            run(d, s);                                                                             \
        }                                                                                          \
        for (; left >= (vector); left -= (vector), d += (vector), s += (vector)) {                 \
            store(d, load(s));                                                                     \
            SPLITGEN_IN_ORDER();                                                                   \
        }                                                                                          \
        if (bytes % (vector) != 0) {                                                               \
            store(last - (vector), load(last_src - (vector)));                                     \
        }                                                                                          \
        store(last, load(last_src));                                                               \
        SPLITGEN_IN_ORDER();                                                                       \
    }

SPLITGEN_ALIGNING(avx2, SPLITGEN_TARGET_AVX2, SPLITGEN_NUMBER(size_t, 32), splitgen_load_avx2,
                  splitgen_store_avx2, splitgen_run_128)
SPLITGEN_ALIGNING(avx512, SPLITGEN_TARGET_AVX512, SPLITGEN_NUMBER(size_t, 64), _mm512_loadu_si512,
                  _mm512_storeu_si512, splitgen_run_256)

/* Copies of at least one vector, for data in the first-level cache: the fewest and widest
 * instructions, in order (as in splitgen_put()). gcc would move the end of a run after the
 * beginning of the next, which is slower on some processors (generator/plan/MEASURED.md, Runs). */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_vectors_avx512(void *SPLITGEN_RESTRICT dst,
                                           const void *SPLITGEN_RESTRICT src, size_t bytes)
{
    unsigned char *d = SPLITGEN_POINTER(unsigned char, dst);
    const unsigned char *s = SPLITGEN_POINTER(const unsigned char, src);
    size_t left = bytes;

    if (splitgen_aligns(dst, bytes, 64)) {
        splitgen_aligning_avx512(dst, src, bytes);
        return;
    }
    for (; left >= 256; left -= 256, d += 256, s += 256) {
        splitgen_run_256(d, s);
    }
    if (left >= 128) {
        const __m512i v0 = _mm512_loadu_si512(s);
        const __m512i v1 = _mm512_loadu_si512(s + 64);
        _mm512_storeu_si512(d, v0);
        SPLITGEN_IN_ORDER();
        _mm512_storeu_si512(d + 64, v1);
        SPLITGEN_IN_ORDER();
        left -= 128;
        d += 128;
        s += 128;
    }
    if (left >= 64) {
        _mm512_storeu_si512(d, _mm512_loadu_si512(s));
        left -= 64;
        d += 64;
        s += 64;
    }
    SPLITGEN_IN_ORDER();
    if (left > 32) {
        _mm512_storeu_si512(d + left - 64, _mm512_loadu_si512(s + left - 64));
    } else {
        splitgen_rest(d, s, left);
    }
    SPLITGEN_IN_ORDER();
}

SPLITGEN_TARGET_AVX2
SPLITGEN_COPY void splitgen_vectors_avx2(void *SPLITGEN_RESTRICT dst,
                                         const void *SPLITGEN_RESTRICT src, size_t bytes)
{
    unsigned char *d = SPLITGEN_POINTER(unsigned char, dst);
    const unsigned char *s = SPLITGEN_POINTER(const unsigned char, src);
    size_t left = bytes;

    if (splitgen_aligns(dst, bytes, 32)) {
        splitgen_aligning_avx2(dst, src, bytes);
        return;
    }
    for (; left >= 64; left -= 64, d += 64, s += 64) {
        const __m256i v0 = splitgen_load_avx2(s);
        const __m256i v1 = splitgen_load_avx2(s + 32);
        splitgen_store_avx2(d, v0);
        SPLITGEN_IN_ORDER();
        splitgen_store_avx2(d + 32, v1);
        SPLITGEN_IN_ORDER();
    }
    if (left >= 32) {
        splitgen_store_avx2(d, splitgen_load_avx2(s));
        left -= 32;
        d += 32;
        s += 32;
    }
    SPLITGEN_IN_ORDER();
    splitgen_rest(d, s, left);
    SPLITGEN_IN_ORDER();
}

SPLITGEN_TARGET_AVX2
SPLITGEN_COPY void splitgen_run_512(unsigned char *d, const unsigned char *s)
{
    splitgen_run_128(d, s);
    splitgen_run_128(d + 128, s + 128);
    splitgen_run_128(d + 256, s + 256);
    splitgen_run_128(d + 384, s + 384);
}

/* Copies 128 bytes per iteration. */
SPLITGEN_TARGET_AVX2
SPLITGEN_COPY void splitgen_run_by_128(unsigned char *d, const unsigned char *s, size_t bytes)
{
    size_t left = bytes;

    for (; left >= 128; left -= 128, d += 128, s += 128) {
        splitgen_run_128(d, s);
    }
    if (left > 0) {
        /* copies less than a vector by overlapping the bytes before */
        splitgen_vectors_avx2(d, s, left);
    }
}

/* The same for data that does not fit the first-level cache: 1024 bytes in straight line. In a
 * loop, prefetchers that follow the strides of single load instructions would prefetch wrongly when
 * the next run begins elsewhere (generator/plan/MEASURED.md, Runs). */
SPLITGEN_TARGET_AVX2
SPLITGEN_COPY void splitgen_run_avx2(void *SPLITGEN_RESTRICT dst, const void *SPLITGEN_RESTRICT src,
                                     size_t bytes)
{
    unsigned char *d = SPLITGEN_POINTER(unsigned char, dst);
    const unsigned char *s = SPLITGEN_POINTER(const unsigned char, src);
    size_t left = bytes;

    if (splitgen_aligns(dst, bytes, 32)) {
        splitgen_aligning_avx2(dst, src, bytes);
        return;
    }
    for (; left >= 1024; left -= 1024, d += 1024, s += 1024) {
        splitgen_run_512(d, s);
        splitgen_run_512(d + 512, s + 512);
    }
    if (left >= 512) {
        splitgen_run_512(d, s);
        left -= 512;
        d += 512;
        s += 512;
    }
    if (left >= 256) {
        splitgen_run_128(d, s);
        splitgen_run_128(d + 128, s + 128);
        left -= 256;
        d += 256;
        s += 256;
    }
    splitgen_run_by_128(d, s, left);
}

SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_run_avx512(void *SPLITGEN_RESTRICT dst,
                                       const void *SPLITGEN_RESTRICT src, size_t bytes)
{
    splitgen_run_avx2(dst, src, bytes);
}

/* The number of streams that non-temporal copies interleave: rows are divided into this many
 * ranges, and a piece of each is copied in turn. It depends on the bits of splitgen_cpu() and on
 * the bytes that an iteration reads; 0: runs.
 *
 * Prefetchers that stop at the end of a page (PAGE_STREAMS) load the next page of one stream while
 * the others keep memory busy. Prefetchers that follow single instructions lose track, because
 * these jump between the streams. But a processor for which all input is prefetched (PREFETCH_ALL,
 * see splitgen_prefetch_distance()) gains from two streams, unless iterations read more than 1.7
 * KB, which are long pieces already (generator/plan/MEASURED.md, Interleaved streams). */
SPLITGEN_COPY size_t splitgen_streams(unsigned cpu, size_t iteration)
{
    return 1 + (SPLITGEN_INTERLEAVED_MAX - 1) * (cpu / SPLITGEN_CPU_PAGE_STREAMS & 1) +
           (iteration <= 1700 ? cpu / SPLITGEN_CPU_PREFETCH_ALL & 1 : 0);
}

/* splitgen_stream_bytes() for a call that copies all rows or only some, on a processor with these
 * bits of splitgen_cpu(). In the second case other threads copy the other rows. If few cores share
 * a cache (NEAR_CACHE), together they get more out of it than out of memory
 * (generator/plan/MEASURED.md, Non-temporal stores). */
SPLITGEN_COPY size_t splitgen_stream_rows(unsigned cpu, bool all)
{
    const size_t bytes = splitgen_known_stream_bytes();

    return !all && (cpu & SPLITGEN_CPU_NEAR_CACHE) != 0 ? bytes / 5 * 8 : bytes;
}

/* splitgen_stream_bytes() for more than 8 outputs, on a processor with these bits of
 * splitgen_cpu(). With NEAR_CACHE, many outputs are slow through the last-level cache
 * (generator/plan/MEASURED.md, Non-temporal stores). */
SPLITGEN_COPY size_t splitgen_stream_many(unsigned cpu)
{
    const size_t bytes = splitgen_known_stream_bytes();

    return (cpu & SPLITGEN_CPU_NEAR_CACHE) != 0 ? bytes / 4 * 3 : bytes;
}

/* The prefetch distance of the input of a copy with non-temporal stores. Memory is faster if it
 * reads for a while and then writes for a while; with four interleaved streams the same bytes last
 * four times as long. With PREFETCH_ALL the distance is 0: the copy prefetches what it reads next,
 * as data that is read once, so that the second-level cache does not pass it to the last-level
 * cache when it is evicted (generator/plan/MEASURED.md, Non-temporal stores). */
SPLITGEN_COPY size_t splitgen_prefetch_distance(size_t streams)
{
    return splitgen_prefetches_all() ? 0 : streams > 1 ? 2048 : 8192;
}

/* The bytes of a run that one interleaved stream copies before the next stream continues
 * (generator/plan/MEASURED.md, Interleaved streams). */
#define SPLITGEN_PIECE_BYTES SPLITGEN_NUMBER(size_t, 512)

/* Runs of at least this size are divided into interleaved streams. */
#define SPLITGEN_CUT_MIN 65536

/* Prefetches data that is read next, and only once. */
SPLITGEN_COPY void splitgen_prefetch_once(const void *src, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += 64) {
        SPLITGEN_PREFETCH_ONCE(src, i);
    }
}

/* Prefetches the input of a copy with non-temporal stores, `ahead` bytes further on. If that is 0,
 * prefetches the next input, up to the size at which prefetches take longer than waiting. */
SPLITGEN_COPY void splitgen_prefetch(const void *src, size_t bytes, size_t ahead)
{
    if (ahead == 0) {
        if (bytes <= 4096) {
            splitgen_prefetch_once(src, bytes);
        }
        return;
    }
    for (size_t i = 0; i < bytes; i += 64) {
        SPLITGEN_PREFETCH(src, ahead + i);
    }
}

/* Prefetches for iterations whose input begins at src: `now` bytes from there if the prefetch
 * distance is 0, otherwise `far` bytes at splitgen_prefetch_distance(). */
SPLITGEN_COPY void splitgen_prefetch_iterations(const void *src, size_t now, size_t far,
                                                size_t streams)
{
    const size_t ahead = splitgen_prefetch_distance(streams);

    if (ahead == 0) {
        splitgen_prefetch_once(src, now);
    } else {
        splitgen_prefetch(src, far, ahead);
    }
}

/* Copies whole cache lines with non-temporal stores: dst and bytes are multiples of 64. These
 * stores are not ordered with others, not even by releasing a lock, so _mm_sfence() follows the
 * last one of a call. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_lines_non_temporal_avx512(unsigned char *d, const unsigned char *s,
                                                      size_t bytes, size_t ahead)
{
    splitgen_prefetch(s, bytes, ahead);
    for (size_t i = 0; i < bytes; i += 64) {
        splitgen_store_non_temporal_512(d + i, _mm512_loadu_si512(s + i));
    }
}

SPLITGEN_TARGET_AVX2
SPLITGEN_COPY void splitgen_lines_non_temporal_avx2(unsigned char *d, const unsigned char *s,
                                                    size_t bytes, size_t ahead)
{
    splitgen_prefetch(s, bytes, ahead);
    for (size_t i = 0; i < bytes; i += 32) {
        splitgen_store_non_temporal_256(d + i, splitgen_load_avx2(s + i));
    }
}

/* The bytes of each interleaved stream of one run; 0 if the run is too short to be divided. */
SPLITGEN_COPY size_t splitgen_run_per_stream(size_t bytes, size_t streams)
{
    return bytes < SPLITGEN_CUT_MIN ? 0 : 64 * splitgen_per_stream(bytes / 64, streams, 1, 64);
}

/* Functions for each instruction set:
 *
 * - splitgen_interleave_ copies a run of each interleaved stream; the streams are dst_step and
 *   src_step bytes apart. Not inlined: beyond the caches a call costs nothing measurable, and
 *   compilers take seconds for a row of 26 runs.
 * - splitgen_run_non_temporal_ copies one run, a long one as interleaved streams.
 * - splitgen_ragged_non_temporal_ does so for any size and alignment: whole cache lines by
 *   non-temporal stores, the rest by memcpy. */
#define SPLITGEN_NON_TEMPORAL(suffix, target)                                                      \
    target SPLITGEN_ONCE void splitgen_interleave_##suffix(                                        \
        void *SPLITGEN_RESTRICT dst, size_t dst_step, const void *SPLITGEN_RESTRICT src,           \
        size_t src_step, size_t bytes, size_t streams)                                             \
    {                                                                                              \
        unsigned char *d = SPLITGEN_POINTER(unsigned char, dst);                                   \
        const unsigned char *s = SPLITGEN_POINTER(const unsigned char, src);                       \
        const size_t ahead = splitgen_prefetch_distance(streams);                                  \
                                                                                                   \
        for (size_t left = bytes; left > 0;) {                                                     \
            const size_t piece = left < SPLITGEN_PIECE_BYTES ? left : SPLITGEN_PIECE_BYTES;        \
                                                                                                   \
            for (size_t i = 0; i < streams; ++i) {                                                 \
                splitgen_lines_non_temporal_##suffix(d + i * dst_step, s + i * src_step, piece,    \
                                                     ahead);                                       \
            }                                                                                      \
            d += piece;                                                                            \
            s += piece;                                                                            \
            left -= piece;                                                                         \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    target SPLITGEN_COPY void splitgen_run_non_temporal_##suffix(                                  \
        void *SPLITGEN_RESTRICT dst, const void *SPLITGEN_RESTRICT src, size_t bytes,              \
        size_t streams)                                                                            \
    {                                                                                              \
        const size_t per_stream = splitgen_run_per_stream(bytes, streams);                         \
        const size_t done = streams * per_stream;                                                  \
                                                                                                   \
        if (done > 0) {                                                                            \
            splitgen_interleave_##suffix(dst, per_stream, src, per_stream, per_stream, streams);   \
        }                                                                                          \
        splitgen_lines_non_temporal_##suffix(SPLITGEN_POINTER(unsigned char, dst) + done,          \
                                             SPLITGEN_POINTER(const unsigned char, src) + done,    \
                                             bytes - done, splitgen_prefetch_distance(streams));   \
    }                                                                                              \
                                                                                                   \
    target SPLITGEN_ONCE void splitgen_ragged_non_temporal_##suffix(                               \
        void *SPLITGEN_RESTRICT dst, const void *SPLITGEN_RESTRICT src, size_t bytes,              \
        size_t streams)                                                                            \
    {                                                                                              \
        unsigned char *d = SPLITGEN_POINTER(unsigned char, dst);                                   \
        const unsigned char *s = SPLITGEN_POINTER(const unsigned char, src);                       \
        const size_t head = (64 - SPLITGEN_ADDRESS(dst) % 64) % 64;                                \
        size_t left = bytes;                                                                       \
                                                                                                   \
        if (bytes >= head + 64) {                                                                  \
            const size_t lines = (bytes - head) / 64 * 64;                                         \
                                                                                                   \
            splitgen_copy(d, s, head);                                                             \
            splitgen_run_non_temporal_##suffix(d + head, s + head, lines, streams);                \
            left -= head + lines;                                                                  \
            d += head + lines;                                                                     \
            s += head + lines;                                                                     \
        }                                                                                          \
        splitgen_copy(d, s, left);                                                                 \
    }
SPLITGEN_NON_TEMPORAL(avx2, SPLITGEN_TARGET_AVX2)
SPLITGEN_NON_TEMPORAL(avx512, SPLITGEN_TARGET_AVX512)
#undef SPLITGEN_NON_TEMPORAL

/* Copies a piece of a row, and waits until its stores are complete. */
SPLITGEN_TARGET_AVX2
SPLITGEN_ONCE void splitgen_copy_non_temporal_avx2(void *SPLITGEN_RESTRICT dst,
                                                   const void *SPLITGEN_RESTRICT src, size_t bytes,
                                                   size_t streams)
{
    splitgen_ragged_non_temporal_avx2(dst, src, bytes, streams);
    _mm_sfence();
}

#ifdef __cplusplus
}
#endif

#endif /* SPLITGEN_X86 */

#endif
