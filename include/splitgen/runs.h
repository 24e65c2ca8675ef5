/* Copies of runs, from memory to memory: by ordinary and by non-temporal stores.
 * Included by generated code only, with splitgen/vector.h. */
#ifndef SPLITGEN_RUNS_H
#define SPLITGEN_RUNS_H

#include <splitgen/streams.h>
#include <splitgen/vector.h>

#if SPLITGEN_X86

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the processor has PREFETCH_ALL. For functions whose caller has called splitgen_cpu(), or
 * need not as the compiler knows the answer. */
SPLITGEN_COPY bool splitgen_prefetches_all(void)
{
    return ((splitgen_asked_cpu() | SPLITGEN_CPU_BUILT) & SPLITGEN_CPU_PREFETCH_ALL) != 0;
}

/* Copies the last bytes of a run, up to 32 of at least 32, by the smallest vector or word that
 * holds them; it overlaps what stands before them. The smaller it is, the less often it crosses a
 * line (generator/plan/MEASURED.md, Copies). */
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
    SPLITGEN_KEEP(v0); /* clang makes one load of 64 bytes of two */
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

/* Runs from this size on are stored at multiples of 32 bytes, where most stores would cross lines
 * otherwise: loads that do so instead cost less (generator/plan/MEASURED.md, Aligning). */
#define SPLITGEN_ALIGN_MIN 256

/* Whether a run is stored at multiples of 32 bytes. Processors predict this branch, also where the
 * alignment of rows changes periodically. */
SPLITGEN_COPY bool splitgen_aligns(const void *dst, size_t bytes)
{
    return bytes >= SPLITGEN_ALIGN_MIN && SPLITGEN_ADDRESS(dst) % 32 != 0;
}

/* Copies at least 64 bytes with stores at multiples of 32 between the first and the last ones,
 * which overlap them. */
SPLITGEN_TARGET_AVX2
SPLITGEN_COPY void splitgen_aligning_avx2(void *SPLITGEN_RESTRICT dst,
                                          const void *SPLITGEN_RESTRICT src, size_t bytes)
{
    unsigned char *d = SPLITGEN_POINTER(unsigned char, dst);
    const unsigned char *s = SPLITGEN_POINTER(const unsigned char, src);
    unsigned char *const last = d + bytes - 32;
    const unsigned char *const last_src = s + bytes - 32;
    size_t head = -SPLITGEN_ADDRESS(dst) % 32;
    size_t left = bytes / 32 * 32 - 32; /* the same for every head, so that loops are constant */

#if !defined(SPLITGEN_PROVER)
    __asm__("" : "+r"(head) : : "memory"); /* else gcc counts more pointers up than it can hold */
#endif
    splitgen_store_avx2(d, splitgen_load_avx2(s));
    SPLITGEN_IN_ORDER();
    d += head;
    s += head;
    for (; left >= 128; left -= 128, d += 128, s += 128) {
        splitgen_run_128(d, s);
    }
    for (; left >= 32; left -= 32, d += 32, s += 32) {
        splitgen_store_avx2(d, splitgen_load_avx2(s));
        SPLITGEN_IN_ORDER();
    }
    if (bytes % 32 != 0) {
        splitgen_store_avx2(last - 32, splitgen_load_avx2(last_src - 32));
    }
    splitgen_store_avx2(last, splitgen_load_avx2(last_src));
    SPLITGEN_IN_ORDER();
}

/* Copies of at least one vector. `lines` is for what fits the first-level cache: as few and wide
 * instructions as there are, in order (splitgen_put() has why): gcc moves the end of a run behind
 * the beginning of the next, with which some processors take longer (generator/plan/MEASURED.md,
 * Runs). */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_vectors_avx512(void *SPLITGEN_RESTRICT dst,
                                           const void *SPLITGEN_RESTRICT src, size_t bytes)
{
    unsigned char *d = SPLITGEN_POINTER(unsigned char, dst);
    const unsigned char *s = SPLITGEN_POINTER(const unsigned char, src);
    size_t left = bytes;

    if (splitgen_aligns(dst, bytes)) {
        splitgen_aligning_avx2(dst, src, bytes);
        return;
    }
    for (; left >= 256; left -= 256, d += 256, s += 256) {
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

    if (splitgen_aligns(dst, bytes)) {
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

/* Copies by so many bytes at a time. */
SPLITGEN_TARGET_AVX2
SPLITGEN_COPY void splitgen_run_by_128(unsigned char *d, const unsigned char *s, size_t bytes)
{
    size_t left = bytes;

    for (; left >= 128; left -= 128, d += 128, s += 128) {
        splitgen_run_128(d, s);
    }
    if (left > 0) {
        /* the last bytes of less than a vector overlap what stands before them */
        splitgen_vectors_avx2(d, s, left);
    }
}

/* The same for what does not fit the first-level cache: 1024 bytes in straight line, as
 * prefetchers that follow the steps of single load instructions are in the way when the next run
 * begins elsewhere (generator/plan/MEASURED.md, Runs). */
SPLITGEN_TARGET_AVX2
SPLITGEN_COPY void splitgen_run_avx2(void *SPLITGEN_RESTRICT dst, const void *SPLITGEN_RESTRICT src,
                                     size_t bytes)
{
    unsigned char *d = SPLITGEN_POINTER(unsigned char, dst);
    const unsigned char *s = SPLITGEN_POINTER(const unsigned char, src);
    size_t left = bytes;

    if (splitgen_aligns(dst, bytes)) {
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

/* How many streams non-temporal copies interleave: the rows are cut into so many parts, and a piece
 * of each is copied in turn. Prefetchers that stop at the end of a page (PAGE_STREAMS) load the
 * next page of one stream while the others keep memory busy. Prefetchers that follow single
 * instructions lose track instead, as these jump between the streams; but a processor that wants
 * prefetches of all it reads (PREFETCH_ALL, see splitgen_prefetch_distance()) gains by two streams.
 * Iterations that read more than 1.7 KB are long pieces by themselves and have one stream there
 * (generator/plan/MEASURED.md, Interleaved streams). For a processor with these bits of
 * splitgen_cpu() and iterations that read so many bytes; 0: runs. */
SPLITGEN_COPY size_t splitgen_streams(unsigned cpu, size_t iteration)
{
    return 1 + (SPLITGEN_INTERLEAVED_MAX - 1) * (cpu / SPLITGEN_CPU_PAGE_STREAMS & 1) +
           (iteration <= 1700 ? cpu / SPLITGEN_CPU_PREFETCH_ALL & 1 : 0);
}

/* splitgen_stream_bytes() for a call that copies all rows or only some, on a processor with these
 * bits of splitgen_cpu(). The other rows are then copied by other threads, and together cores get
 * more out of a cache that few of them share (NEAR_CACHE) than out of memory
 * (generator/plan/MEASURED.md, Non-temporal stores). */
SPLITGEN_COPY size_t splitgen_stream_rows(unsigned cpu, bool all)
{
    const size_t bytes = splitgen_known_stream_bytes();

    return !all && (cpu & SPLITGEN_CPU_NEAR_CACHE) != 0 ? bytes / 5 * 8 : bytes;
}

/* splitgen_stream_bytes() for more than 8 outputs, on a processor with these bits of
 * splitgen_cpu(): with NEAR_CACHE many outputs are slow through the last-level cache
 * (generator/plan/MEASURED.md, Non-temporal stores). */
SPLITGEN_COPY size_t splitgen_stream_many(unsigned cpu)
{
    const size_t bytes = splitgen_known_stream_bytes();

    return (cpu & SPLITGEN_CPU_NEAR_CACHE) != 0 ? bytes / 4 * 3 : bytes;
}

/* How far ahead a copy with non-temporal stores prefetches its input, as memory is faster when it
 * reads for a while and then writes for a while; with four interleaved streams these bytes last
 * four times as long. With PREFETCH_ALL it prefetches what it reads next (0), as data that is read
 * once: then the second-level cache need not pass on to the last what is dropped from it
 * (generator/plan/MEASURED.md, Non-temporal stores). */
SPLITGEN_COPY size_t splitgen_prefetch_distance(size_t streams)
{
    return splitgen_prefetches_all() ? 0 : streams > 1 ? 2048 : 8192;
}

/* Bytes of a run that one interleaved stream copies before the next stream continues
 * (generator/plan/MEASURED.md, Interleaved streams). */
#define SPLITGEN_PIECE_BYTES 512

/* Runs from this size on are themselves cut into interleaved streams. */
#define SPLITGEN_CUT_MIN 65536

/* Prefetches what is read next and only once. */
SPLITGEN_COPY void splitgen_prefetch_once(const void *src, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += 64) {
        SPLITGEN_PREFETCH_ONCE(src, i);
    }
}

/* Prefetches the input of a copy with non-temporal stores, `ahead` bytes further on. With 0 it
 * prefetches what is read next, unless that is so much that prefetches take longer than the
 * waiting. */
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

/* Prefetches for iterations whose input begins at src: `now` bytes from there on where the
 * processor likes to be asked for what it reads next, else `far` bytes that lie
 * splitgen_prefetch_distance() further on.
 */
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

/* Copies whole cache lines by non-temporal stores: dst is a multiple of 64, and so is bytes. Such
 * stores are not ordered with others, not even by releasing a lock, so _mm_sfence() comes after the
 * last of a call. */
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

/* Bytes of each interleaved stream of one run; 0 where the run is too short to be cut. */
SPLITGEN_COPY size_t splitgen_run_per_stream(size_t bytes, size_t streams)
{
    return bytes < SPLITGEN_CUT_MIN ? 0 : 64 * splitgen_per_stream(bytes / 64, streams, 1, 64);
}

/* By these lines, for each instruction set:
 *
 *   splitgen_interleave_  copies a run of each interleaved stream; the streams are dst_step and
 *       src_step bytes apart. Not in line: calls are not seen beyond the caches, and compilers take
 *       seconds over a row of 26.
 *   splitgen_run_non_temporal_  copies one run, as interleaved streams where it is long.
 *   splitgen_ragged_non_temporal_  the same of any number of bytes to and from anywhere: whole
 * cache lines by non-temporal stores, the rest by memcpy.
 */
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
        splitgen_interleave_##suffix(dst, per_stream, src, per_stream, per_stream, streams);       \
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
            memcpy(d, s, head);                                                                    \
            splitgen_run_non_temporal_##suffix(d + head, s + head, lines, streams);                \
            left -= head + lines;                                                                  \
            d += head + lines;                                                                     \
            s += head + lines;                                                                     \
        }                                                                                          \
        memcpy(d, s, left);                                                                        \
    }
SPLITGEN_NON_TEMPORAL(avx2, SPLITGEN_TARGET_AVX2)
SPLITGEN_NON_TEMPORAL(avx512, SPLITGEN_TARGET_AVX512)
#undef SPLITGEN_NON_TEMPORAL

/* A piece of a row by itself: what it has stored is complete behind it. */
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
