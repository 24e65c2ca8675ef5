/* Copies of runs, from memory to memory: through the cache, by the string instruction, and past the
 * cache. Included by generated code only, with splitgen/vector.h. */
#ifndef SPLITGEN_RUNS_H
#define SPLITGEN_RUNS_H

#include <splitgen/vector.h>

#if SPLITGEN_X86

#ifdef __cplusplus
extern "C" {
#endif

/* For functions whose caller has asked, or need not ask as the compiler knows. */
SPLITGEN_COPY bool splitgen_asks_all(void)
{
    return ((splitgen_asked_cpu() | SPLITGEN_CPU_BUILT) & SPLITGEN_CPU_ASKS_ALL) != 0;
}

/* Copies the last bytes of a run, up to 32 of at least 32, by the smallest vector or word that
 * holds them; it overlaps what stands before them. The smaller it is, the less often it crosses a
 * line: 40 + 38 + 22 bytes a row on a Zen 4 in L1 1.38 times as fast as by a whole vector, 12 of 83
 * to 409 bytes 1.06. */
SPLITGEN_TARGET_AVX2
SPLITGEN_COPY void splitgen_rest(char *d, const char *s, size_t left)
{
    if (left > 16) {
        splitgen_store_avx2(d + left - 32, splitgen_load_avx2(s + left - 32));
    } else {
        splitgen_put_rest(d, s, left);
    }
}

SPLITGEN_TARGET_AVX2
SPLITGEN_COPY void splitgen_run_128(char *d, const char *s)
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
    splitgen_store_avx2(d + 32, v1);
    splitgen_store_avx2(d + 64, v2);
    splitgen_store_avx2(d + 96, v3);
    SPLITGEN_IN_ORDER();
}

/* Runs from this size on are stored at multiples of 32 bytes, where most stores would cross lines
 * otherwise: loads that do so instead cost less. Without against with, how many times as fast on a
 * Zen 4 in L1 and L2, gcc and clang:
 *
 *     outputs off a line by 1, 16 or 48 bytes    3 x 1024 bytes a row    1.2 to 1.5, 1.05 to 1.1
 *                                                4 x 512, AVX2           1.2 to 1.3, 1.05 to 1.07
 *                                                4 x 256, AVX2           1.0 to 1.16
 *                                                3 x 4096                          , 1.02 to 1.2
 *     rows no multiple of 32 bytes               3 x 1000                1.1 to 1.3, 1.02 to 1.08
 *                                                520 + 300 + 700         1.1
 *                                                8 x 1000, AVX2          1.09 to 1.16
 *                                                4 x 300, AVX2                     , 1.03 to 1.05
 *
 * and 50 random splits in L1 1.06, 25 in L2 1.03 on average. */
#define SPLITGEN_ALIGN_MIN 256

/* Whether a run is. Processors foresee it, also where rows begin at other places in turn. */
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
    char *d = SPLITGEN_POINTER(char, dst);
    const char *s = SPLITGEN_POINTER(const char, src);
    char *const last = d + bytes - 32;
    const char *const last_src = s + bytes - 32;
    size_t head = -SPLITGEN_ADDRESS(dst) % 32;
    size_t left = bytes / 32 * 32 - 32; /* the same for every head, so that loops are constant */

    __asm__("" : "+r"(head) : : "memory"); /* else gcc counts more pointers up than it can hold */
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
 * the beginning of the next, with which a Zen 4 takes up to 1.3 times as long (8 runs of 22 to 39
 * bytes a row, in L1 and L2), and no split of 54 is slower in order. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_lines_avx512(void *SPLITGEN_RESTRICT dst,
                                         const void *SPLITGEN_RESTRICT src, size_t bytes)
{
    char *d = SPLITGEN_POINTER(char, dst);
    const char *s = SPLITGEN_POINTER(const char, src);
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
        _mm512_storeu_si512(d + 64, v1);
        _mm512_storeu_si512(d + 128, v2);
        _mm512_storeu_si512(d + 192, v3);
        SPLITGEN_IN_ORDER();
    }
    if (left >= 128) {
        const __m512i v0 = _mm512_loadu_si512(s);
        const __m512i v1 = _mm512_loadu_si512(s + 64);
        _mm512_storeu_si512(d, v0);
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
SPLITGEN_COPY void splitgen_lines_avx2(void *SPLITGEN_RESTRICT dst,
                                       const void *SPLITGEN_RESTRICT src, size_t bytes)
{
    char *d = SPLITGEN_POINTER(char, dst);
    const char *s = SPLITGEN_POINTER(const char, src);
    size_t left = bytes;

    if (splitgen_aligns(dst, bytes)) {
        splitgen_aligning_avx2(dst, src, bytes);
        return;
    }
    for (; left >= 64; left -= 64, d += 64, s += 64) {
        const __m256i v0 = splitgen_load_avx2(s);
        const __m256i v1 = splitgen_load_avx2(s + 32);
        splitgen_store_avx2(d, v0);
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
SPLITGEN_COPY void splitgen_run_512(char *d, const char *s)
{
    splitgen_run_128(d, s);
    splitgen_run_128(d + 128, s + 128);
    splitgen_run_128(d + 256, s + 256);
    splitgen_run_128(d + 384, s + 384);
}

/* Copies by so many bytes at a time. */
SPLITGEN_TARGET_AVX2
SPLITGEN_COPY void splitgen_run_by_128(char *d, const char *s, size_t bytes)
{
    size_t left = bytes;

    for (; left >= 128; left -= 128, d += 128, s += 128) {
        splitgen_run_128(d, s);
    }
    if (left > 0) {
        /* the last bytes of less than a vector overlap what stands before them */
        splitgen_lines_avx2(d, s, left);
    }
}

/* The same for what does not fit the first-level cache: 1024 bytes in straight line, as prefetchers
 * that follow the steps of single load instructions are in the way when the next run begins
 * elsewhere. Zen 5, L2, GB/s, medians over placements of the buffers, straight lines of
 *
 *     bytes                    128    256    512   1024
 *     64 rows of 4 x 1024       72     72    123    117     loads of 32 bytes
 *                               73     74    119    110                64
 *     42 rows of 3 x 2048       71     68     84    115                32
 *                               73     73     72    115                64
 *     128 rows of 2 x 1024     126    126    121    116                32
 *                              126    118    127     80                64
 */
SPLITGEN_TARGET_AVX2
SPLITGEN_COPY void splitgen_run_avx2(void *SPLITGEN_RESTRICT dst, const void *SPLITGEN_RESTRICT src,
                                     size_t bytes)
{
    char *d = SPLITGEN_POINTER(char, dst);
    const char *s = SPLITGEN_POINTER(const char, src);
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

/* Whether a processor with these bits of splitgen_cpu() copies long runs by its string instruction;
 * SG_STRING_BYTES in the generator's budget.h has measurements. */
SPLITGEN_COPY bool splitgen_strings(unsigned cpu)
{
    return (cpu & SPLITGEN_CPU_STRINGS) != 0;
}

/* Where the string instruction is fast whatever cache the data fits: it is not where only the
 * output begins within a line. */
SPLITGEN_COPY bool splitgen_suits_string(const void *dst, const void *src)
{
    return SPLITGEN_ADDRESS(dst) % 64 == 0 ||
           (SPLITGEN_ADDRESS(dst) ^ SPLITGEN_ADDRESS(src)) % 64 == 0;
}

SPLITGEN_COPY void splitgen_string(void *dst, const void *src, size_t bytes)
{
    __asm__ volatile("rep movsb" : "+D"(dst), "+S"(src), "+c"(bytes) : : "memory");
}

/* Past the cache, so many parts of the rows are copied by turns. Intel's prefetchers stop at the
 * end of a page; while they find into the next one of one part, the others keep memory busy. AMD's
 * follow single instructions, which then jump from part to part; a Zen 4 asks for all it reads
 * (splitgen_ahead()) and gains by two parts. GB/s beyond the caches, with parts
 *
 *                                   1      2      4      8
 *     Emerald Rapids, 3 x 3072    10.2          13.7   14.0
 *                     3 x 1        9.5          13.0   13.4
 *                    16 x 1024    10.1   11.3   12.3   12.5
 *     Zen 5,          3 x 1       25.1   26.3   14.0
 *                     4 x 1       24.4   22.9   14.1
 *                    128 + 64     24.4   25.2   17.5
 *                    26 x 256     21.8   18.2   15.9
 *     Zen 4,          3 x 3072     40.8   44.9   43.8
 *                     3 x 1        39.8   41.9   42.3
 *                     2 x 1 words  40.0   42.3   43.0
 *                     8 x 1024     41.0   44.5   45.2
 *                     128 + 64     40.1   41.5   42.0
 *
 * Trips that read more than 1.7 KB are long turns by themselves and have one part there: two take
 * 0.94 to 1.00 of the time up to 1664 bytes, 0.93 to 1.05 of 1792 to 2048, 1.02 to 1.2 beyond. */
#define SPLITGEN_FRONTS_MAX 4

/* For a processor with these bits of splitgen_cpu() and trips that read so many bytes; 0: runs. */
SPLITGEN_COPY size_t splitgen_fronts(unsigned cpu, size_t trip)
{
    return 1 + (SPLITGEN_FRONTS_MAX - 1) * (cpu / SPLITGEN_CPU_PAGE_TURNS & 1) +
           (trip <= 1700 ? cpu / SPLITGEN_CPU_ASKS_ALL & 1 : 0);
}

/* Parts that are a multiple of so many bytes apart lie at the same place of several pages of one
 * bank of memory, which has one of them open at a time. Zen 4, two parts, GB/s at this distance,
 * and at 4 KiB to 32 MiB less: one run of 0.5 to 2 GiB 14 and 22 to 23, 2 x 4096 bytes a row, 0.5
 * and 2 GiB, 15 and 21 to 22; distances of 64, 128, 192, 320 and 384 MiB cost nothing. */
#define SPLITGEN_BANK_BYTES 268435456U

/* How many units of so many bytes a part has, a multiple of `step`. */
SPLITGEN_COPY size_t splitgen_part(size_t units, size_t fronts, size_t step, size_t bytes)
{
    const size_t part = units / (fronts * step) * step;
    const size_t less = (8192 + step * bytes - 1) / (step * bytes) * step;

    return part > less && part * bytes % SPLITGEN_BANK_BYTES == 0 ? part - less : part;
}

/* The same as splitgen_stream_bytes() for all rows of a kernel or only some, on a processor with
 * these bits of splitgen_cpu(). The others are other threads' then, and together cores reach more
 * of a cache than of the way past it: on a Zen 4 two threads of one cache write 25 to 28 GB/s past
 * it, as one does. How many times as fast through it, two threads: input of 8 MiB 2.1 to 2.9,
 * 10 1.2 to 1.7, 12 to 14 1.1 to 1.7, 16 1.1 to 1.25, 20 1.0 to 1.2, 24 0.95 to 1.07; one thread
 * 0.7 to 1.0 from 12 MiB on. (Where the two are cores of two caches, past it 1.4 to 2.) */
SPLITGEN_COPY size_t splitgen_stream_rows(unsigned cpu, bool all)
{
    const size_t bytes = splitgen_stream_bytes();

    return !all && (cpu & SPLITGEN_CPU_NEAR_PAST) != 0 ? bytes / 5 * 8 : bytes;
}

/* The same as splitgen_stream_bytes() for more than 8 outputs, on a processor with these bits of
 * splitgen_cpu(): on a Zen 4 they are slow through the last-level cache. How many times as fast
 * past it as through it, 8 MiB of input, medians and while all was quiet: 26 x 256 bytes 2.9
 * and 3.1, 16 x 256 in the same sets 3.1 and 2.6, 64 columns of f32 2.0 and 2.6, 257 of u8 3.2
 * and 2.8, 96 outputs of 324 to 9720 bytes 2.2 and 1.6; but with 4 MiB 0.6 to 1.0. */
SPLITGEN_COPY size_t splitgen_stream_many(unsigned cpu)
{
    const size_t bytes = splitgen_stream_bytes();

    return (cpu & SPLITGEN_CPU_NEAR_PAST) != 0 ? bytes / 4 * 3 : bytes;
}

/* How far ahead of a streaming copy its source is asked for, as memory likes to read for a while
 * and then to write for a while. Zen 5, GB/s beyond the caches, all rows behind each other:
 *
 *                            alone   ahead by 2048   4096   8192   16384
 *     4 x 1024 bytes          22.5                   29.0   27.2    29.2
 *     26 x 256                21.0       25.9        28.3   29.2
 *     3 x 1536                20.2                   30.2   30.1    29.8
 *     2 x 6144                20.4                   29.7   30.3    30.4
 *
 * (another day 26 x 256: 20.4, 19.3, 22.2, 23.0). Four parts by turns take four times as long for
 * these bytes: Emerald Rapids, 3 x 3072, 10.5 GB/s ahead by 8192 and 12.8 by 2048.
 *
 * A Zen 4 asks for what it reads next (0), as something that is read once: then its second-level
 * cache need not pass on to the last what is dropped from it. Time by how it asks, two parts, of
 * asking for one part of what is read next by other prefetches and of short trips for nothing:
 *
 *                              0     384     768
 *     3 x 3072 bytes         0.86    0.88    0.88
 *     512 + 64 words         0.83    0.85    0.83
 *     40 + 20 + 20 doubles   0.94    0.95    0.99
 *     1 + 1 + 1 + 2 floats   0.89    0.86    0.96
 *     8 + 8 + 2 bytes        0.87    0.98    1.00
 *     1 1 5 1 1 1 5 doubles  0.86    0.97    1.25
 */
SPLITGEN_COPY size_t splitgen_ahead(size_t fronts)
{
    return splitgen_asks_all() ? 0 : fronts > 1 ? 2048 : 8192;
}

/* What of a run is copied in turn: SG_FRONT_BYTES in the generator's budget.h has measurements. */
#define SPLITGEN_FRONT_BYTES 512

/* Runs from this size on are cut into parts themselves. */
#define SPLITGEN_CUT_MIN 65536

/* Asks for what is read next and not again. */
SPLITGEN_TARGET_AVX2
SPLITGEN_COPY void splitgen_ask_once(const void *src, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += 64) {
        SPLITGEN_PREFETCH_ONCE(src, i);
    }
}

/* Asks for bytes of a streaming copy's source, unless they are read next and are so many that
 * asking takes longer than waiting. */
SPLITGEN_TARGET_AVX2
SPLITGEN_COPY void splitgen_ask(const void *src, size_t bytes, size_t ahead)
{
    if (ahead == 0) {
        if (bytes <= 4096) {
            splitgen_ask_once(src, bytes);
        }
        return;
    }
    for (size_t i = 0; i < bytes; i += 64) {
        SPLITGEN_PREFETCH(src, ahead + i);
    }
}

/* In front of trips that read from src on: asks for so many bytes of theirs, or for others far
 * ahead. */
SPLITGEN_TARGET_AVX2
SPLITGEN_COPY void splitgen_ask_trips(const void *src, size_t now, size_t far, size_t fronts)
{
    const size_t ahead = splitgen_ahead(fronts);

    if (ahead == 0) {
        splitgen_ask_once(src, now);
    } else {
        splitgen_ask(src, far, ahead);
    }
}

/* Whole lines past the cache: dst at a multiple of 64, bytes a multiple of 64. Such stores are not
 * ordered with others, not even by releasing a lock: _mm_sfence() comes after the last of a call.
 */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_burst_avx512(char *d, const char *s, size_t bytes, size_t ahead)
{
    splitgen_ask(s, bytes, ahead);
    for (size_t i = 0; i < bytes; i += 64) {
        _mm512_stream_si512(SPLITGEN_POINTER(__m512i, SPLITGEN_POINTER(void, d + i)),
                            _mm512_loadu_si512(s + i));
    }
}

SPLITGEN_TARGET_AVX2
SPLITGEN_COPY void splitgen_burst_avx2(char *d, const char *s, size_t bytes, size_t ahead)
{
    splitgen_ask(s, bytes, ahead);
    for (size_t i = 0; i < bytes; i += 32) {
        _mm256_stream_si256(SPLITGEN_POINTER(__m256i, SPLITGEN_POINTER(void, d + i)),
                            splitgen_load_avx2(s + i));
    }
}

/* A run of each part by turns; the parts are dst_step and src_step bytes apart. Not in line: calls
 * are not seen beyond the caches, and compilers take seconds over a row of 26. */
SPLITGEN_TARGET_AVX512
SPLITGEN_ONCE void splitgen_fronts_avx512(void *SPLITGEN_RESTRICT dst, size_t dst_step,
                                          const void *SPLITGEN_RESTRICT src, size_t src_step,
                                          size_t bytes, size_t fronts)
{
    char *d = SPLITGEN_POINTER(char, dst);
    const char *s = SPLITGEN_POINTER(const char, src);
    const size_t ahead = splitgen_ahead(fronts);

    for (size_t left = bytes; left > 0;) {
        const size_t turn = left < SPLITGEN_FRONT_BYTES ? left : SPLITGEN_FRONT_BYTES;

        for (size_t i = 0; i < fronts; ++i) {
            splitgen_burst_avx512(d + i * dst_step, s + i * src_step, turn, ahead);
        }
        d += turn;
        s += turn;
        left -= turn;
    }
}

SPLITGEN_TARGET_AVX2
SPLITGEN_ONCE void splitgen_fronts_avx2(void *SPLITGEN_RESTRICT dst, size_t dst_step,
                                        const void *SPLITGEN_RESTRICT src, size_t src_step,
                                        size_t bytes, size_t fronts)
{
    char *d = SPLITGEN_POINTER(char, dst);
    const char *s = SPLITGEN_POINTER(const char, src);
    const size_t ahead = splitgen_ahead(fronts);

    for (size_t left = bytes; left > 0;) {
        const size_t turn = left < SPLITGEN_FRONT_BYTES ? left : SPLITGEN_FRONT_BYTES;

        for (size_t i = 0; i < fronts; ++i) {
            splitgen_burst_avx2(d + i * dst_step, s + i * src_step, turn, ahead);
        }
        d += turn;
        s += turn;
        left -= turn;
    }
}

/* Bytes of each part of a run that is long enough for parts. */
SPLITGEN_COPY size_t splitgen_cut(size_t bytes, size_t fronts)
{
    return bytes < SPLITGEN_CUT_MIN ? 0 : 64 * splitgen_part(bytes / 64, fronts, 1, 64);
}

/* One run; its own parts take turns where it is long. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_stream_avx512(void *SPLITGEN_RESTRICT dst,
                                          const void *SPLITGEN_RESTRICT src, size_t bytes,
                                          size_t fronts)
{
    const size_t part = splitgen_cut(bytes, fronts);
    const size_t done = fronts * part;

    splitgen_fronts_avx512(dst, part, src, part, part, fronts);
    splitgen_burst_avx512(SPLITGEN_POINTER(char, dst) + done,
                          SPLITGEN_POINTER(const char, src) + done, bytes - done,
                          splitgen_ahead(fronts));
}

SPLITGEN_TARGET_AVX2
SPLITGEN_COPY void splitgen_stream_avx2(void *SPLITGEN_RESTRICT dst,
                                        const void *SPLITGEN_RESTRICT src, size_t bytes,
                                        size_t fronts)
{
    const size_t part = splitgen_cut(bytes, fronts);
    const size_t done = fronts * part;

    splitgen_fronts_avx2(dst, part, src, part, part, fronts);
    splitgen_burst_avx2(SPLITGEN_POINTER(char, dst) + done,
                        SPLITGEN_POINTER(const char, src) + done, bytes - done,
                        splitgen_ahead(fronts));
}

/* Any number of bytes to and from anywhere, whole lines past the cache. */
SPLITGEN_TARGET_AVX2
SPLITGEN_ONCE void splitgen_past_avx2(void *SPLITGEN_RESTRICT dst,
                                      const void *SPLITGEN_RESTRICT src, size_t bytes,
                                      size_t fronts)
{
    char *d = SPLITGEN_POINTER(char, dst);
    const char *s = SPLITGEN_POINTER(const char, src);
    const size_t head = (64 - SPLITGEN_ADDRESS(dst) % 64) % 64;
    size_t left = bytes;

    if (bytes >= head + 64) {
        const size_t lines = (bytes - head) / 64 * 64;

        memcpy(d, s, head);
        splitgen_stream_avx2(d + head, s + head, lines, fronts);
        _mm_sfence();
        left -= head + lines;
        d += head + lines;
        s += head + lines;
    }
    memcpy(d, s, left);
}

#ifdef __cplusplus
}
#endif

#endif /* SPLITGEN_X86 */

#endif
