/* Stores of whole cache lines, wherever rows and outputs begin: write combining, and non-temporal
 * stores row by row. Included by generated code only, with splitgen/vector.h. */
#ifndef SPLITGEN_WRITE_COMBINING_H
#define SPLITGEN_WRITE_COMBINING_H

#include <splitgen/runs.h>

#if SPLITGEN_X86

#ifdef __cplusplus
extern "C" {
#endif

/* Write combining for one output, whatever the width of its rows and its alignment: bytes that do
 * not fill a cache line are kept in a register until the next row completes the line. A store that
 * crosses cache lines takes twice the time, and more in the second-level cache
 * (generator/plan/MEASURED.md, Write combining). */
typedef struct splitgen_combiner {
    unsigned char *line; /* the line that is not yet full, at a multiple of 64 */
    size_t fill;         /* its number of known bytes, less than 64 */
    size_t ahead;        /* with non-temporal stores: the prefetch distance of the input */
    __m512i known;       /* the known bytes; the other bytes are arbitrary */
} splitgen_combiner;

/* How far ahead each of many inputs is prefetched, in short runs too: prefetchers do not follow so
 * many (generator/plan/MEASURED.md, Concats). */
#define SPLITGEN_MANY_AHEAD SPLITGEN_NUMBER(size_t, 256)

/* The combiners of one output, one for each interleaved stream. */
typedef struct splitgen_combiners {
    splitgen_combiner of[SPLITGEN_INTERLEAVED_MAX];
} splitgen_combiners;

/* A mask of the first n bytes of a line, n at most 63. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY __mmask64 splitgen_first_bytes(size_t n)
{
    return ~(~UINT64_C(0) << n);
}

/* The asm keeps clang from merging both stores into one ordinary store before it knows
 * `non_temporal`. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_line_avx512(unsigned char *line, __m512i value, bool non_temporal)
{
    if (non_temporal) {
#if defined(__clang__) && !defined(SPLITGEN_NO_ASM)
        __asm__("vmovntdq %1, %0"
                : "=m"(*SPLITGEN_POINTER(__m512i, SPLITGEN_POINTER(void, line)))
                : "v"(value));
#else
        splitgen_store_non_temporal_512(line, value);
#endif
    } else {
        _mm512_store_si512(line, value);
    }
}

/* Stores a vector at any address, or non-temporally at a multiple of 64. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_put_avx512(void *dst, __m512i value, bool non_temporal)
{
    if (non_temporal) {
        splitgen_line_avx512(SPLITGEN_POINTER(unsigned char, dst), value, true);
    } else {
        _mm512_storeu_si512(dst, value);
    }
}

/* If rows and outputs are multiples of this many bytes, write combining gains nothing in L1, on a
 * processor with these bits of splitgen_cpu(). With HALF_STORES a processor stores 64 bytes as two
 * halves, so only stores across 32 bytes cost more (generator/plan/MEASURED.md, Write combining).
 */
SPLITGEN_COPY uintptr_t splitgen_combining_unit(unsigned cpu)
{
    return (cpu & SPLITGEN_CPU_HALF_STORES) != 0 ? 32 : 64;
}

/* Begins after at least 64 bytes of the output that are already written; `end` is their end. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_combiner_begin(splitgen_combiner *combiner, void *end, size_t ahead)
{
    combiner->ahead = ahead;
    combiner->fill = SPLITGEN_ADDRESS(end) % 64;
    combiner->line = SPLITGEN_POINTER(unsigned char, end) - combiner->fill;
    combiner->known = _mm512_maskz_loadu_epi8(splitgen_first_bytes(combiner->fill), combiner->line);
}

/* A line whose lane `fill` is the byte at src: `known`, with the lanes in `mask`, which are behind
 * that one, from memory. Only their bytes are read; what lies before src may belong to nothing, so
 * no pointer points there. */
#if defined(__cplusplus)
#define SPLITGEN_BEFORE(src, bytes)                                                                \
    reinterpret_cast<const void *>(reinterpret_cast<uintptr_t>(src) - (bytes))
#else
#define SPLITGEN_BEFORE(src, bytes) ((const void *)((uintptr_t)(src) - (bytes)))
#endif
#if !defined(SPLITGEN_PROVER) /* which has a model of it */
#define splitgen_load_behind(known, mask, src, fill)                                               \
    _mm512_mask_loadu_epi8(known, mask, SPLITGEN_BEFORE(src, fill))
#endif

/* Appends less than a cache line. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_append_part(splitgen_combiner *combiner, const unsigned char *src,
                                        size_t bytes, bool non_temporal)
{
    const size_t fill = combiner->fill + bytes;
    const __mmask64 all = fill < 64 ? splitgen_first_bytes(fill) : ~UINT64_C(0);
    const __m512i value = splitgen_load_behind(
        combiner->known, all & ~splitgen_first_bytes(combiner->fill), src, combiner->fill);

    if (non_temporal && combiner->ahead == SPLITGEN_MANY_AHEAD) {
        SPLITGEN_PREFETCH(src, SPLITGEN_MANY_AHEAD);
    }
    if (fill < 64) {
        combiner->known = value;
        combiner->fill = fill;
    } else {
        const unsigned char *rest = src + (64 - combiner->fill);

        splitgen_line_avx512(combiner->line, value, non_temporal);
        combiner->line += 64;
        combiner->fill = fill - 64;
        combiner->known = _mm512_maskz_loadu_epi8(splitgen_first_bytes(combiner->fill), rest);
    }
}

/* Appends at least a cache line. Only the appended bytes are read. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_append_lines(splitgen_combiner *combiner, const unsigned char *src,
                                         size_t bytes, bool non_temporal)
{
    const __mmask64 fresh = ~splitgen_first_bytes(combiner->fill);
    const unsigned char *next = src + (64 - combiner->fill); /* the first byte of the next line */
    unsigned char *line = combiner->line;
    __m512i v0 = splitgen_load_behind(combiner->known, fresh, src, combiner->fill);
    size_t left = bytes;

    if (left >= 256) {
        for (;;) {
            const __m512i v1 = _mm512_loadu_si512(next);
            const __m512i v2 = _mm512_loadu_si512(next + 64);
            const __m512i v3 = _mm512_loadu_si512(next + 128);
            if (non_temporal) {
                splitgen_prefetch(next, 256, combiner->ahead);
            }
            splitgen_line_avx512(line, v0, non_temporal);
            splitgen_line_avx512(line + 64, v1, non_temporal);
            splitgen_line_avx512(line + 128, v2, non_temporal);
            splitgen_line_avx512(line + 192, v3, non_temporal);
            left -= 256;
            line += 256;
            next += 256;
            if (left < 256) {
                break;
            }
            v0 = _mm512_loadu_si512(next - 64);
        }
        if (left >= 64) {
            v0 = _mm512_loadu_si512(next - 64);
        }
    }
    if (non_temporal) {
        splitgen_prefetch(next, left, combiner->ahead);
    }
    if (left >= 128) {
        const __m512i v1 = _mm512_loadu_si512(next);
        splitgen_line_avx512(line, v0, non_temporal);
        splitgen_line_avx512(line + 64, v1, non_temporal);
        left -= 128;
        line += 128;
        next += 128;
        if (left >= 64) {
            v0 = _mm512_loadu_si512(next - 64);
        }
    }
    if (left >= 64) {
        splitgen_line_avx512(line, v0, non_temporal);
        left -= 64;
        line += 64;
        next += 64;
    }
    combiner->fill += left;
    if (left > 0 && combiner->fill >= 64) {
        splitgen_line_avx512(line, _mm512_loadu_si512(next - 64), non_temporal);
        line += 64;
        next += 64;
        combiner->fill -= 64;
    }
    combiner->line = line;
    combiner->known = _mm512_maskz_loadu_epi8(splitgen_first_bytes(combiner->fill), next - 64);
}

/* Appends a row. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_combine_avx512(splitgen_combiner *combiner, const void *src,
                                           size_t bytes, bool non_temporal)
{
    const unsigned char *s = SPLITGEN_POINTER(const unsigned char, src);

    if (bytes < 64) {
        splitgen_append_part(combiner, s, bytes, non_temporal);
    } else {
        splitgen_append_lines(combiner, s, bytes, non_temporal);
    }
}

/* Appends a row of each interleaved stream with non-temporal stores; the streams are src_step bytes
 * apart. */
SPLITGEN_TARGET_AVX512
SPLITGEN_ONCE void splitgen_combine_interleaved(splitgen_combiners *combiners, const void *src,
                                                size_t src_step, size_t bytes, size_t streams)
{
    const unsigned char *s = SPLITGEN_POINTER(const unsigned char, src);

    for (size_t left = bytes; left > 0;) {
        const size_t piece = left < 2 * SPLITGEN_PIECE_BYTES ? left : SPLITGEN_PIECE_BYTES;

        for (size_t i = 0; i < streams; ++i) {
            splitgen_combine_avx512(&combiners->of[i], s + i * src_step, piece, true);
        }
        s += piece;
        left -= piece;
    }
}

/* The indices that rotate a vector by `fill` bytes. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY __m512i splitgen_rotate_from(size_t fill)
{
    const __m512i from = _mm512_set_epi64(
        0x3f3e3d3c3b3a3938, 0x3736353433323130, 0x2f2e2d2c2b2a2928, 0x2726252423222120,
        0x1f1e1d1c1b1a1918, 0x1716151413121110, 0x0f0e0d0c0b0a0908, 0x0706050403020100);

    return _mm512_sub_epi8(from, _mm512_set1_epi8(SPLITGEN_NUMBER(char, fill)));
}

/* Rotates a vector so that its first byte is at the free place in the combiner's line. Rotates
 * words if `fill` is a multiple of 4. */
SPLITGEN_TARGET_AVX512VBMI
SPLITGEN_COPY __m512i splitgen_rotate_bytes(const splitgen_combiner *combiner, __m512i value)
{
    return _mm512_permutexvar_epi8(splitgen_rotate_from(combiner->fill), value);
}

SPLITGEN_TARGET_AVX512
SPLITGEN_COPY __m512i splitgen_rotate_words(const splitgen_combiner *combiner, __m512i value)
{
    const __m512i from = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i piece = _mm512_set1_epi32(SPLITGEN_NUMBER(int, combiner->fill / 4));

    return _mm512_permutexvar_epi32(_mm512_sub_epi32(from, piece), value);
}

/* Appends a rotated vector. The bytes for the next line remain in the register. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_combine_rotated(splitgen_combiner *combiner, __m512i rotated,
                                            bool non_temporal)
{
    const __mmask64 known = splitgen_first_bytes(combiner->fill);

    splitgen_line_avx512(combiner->line, _mm512_mask_blend_epi8(known, rotated, combiner->known),
                         non_temporal);
    combiner->line += 64;
    combiner->known = rotated;
}

/* Writes the remaining bytes. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_combiner_end(const splitgen_combiner *combiner)
{
    _mm512_mask_storeu_epi8(combiner->line, splitgen_first_bytes(combiner->fill), combiner->known);
}

#ifdef __cplusplus
}
#endif

#endif /* SPLITGEN_X86 */

#endif
