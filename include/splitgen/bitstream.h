/* Bit streams for kernels of packed elements: words of a stream, and runs of bits that move to
 * another position within bytes. Included by generated code only. Correct for any byte order; reads
 * and writes exactly the named bytes.
 *
 * A stream begins at bit 0 of its first byte (lsb) or at bit 7 (msb). The first bit of a word is
 * the lowest one in an lsb stream, and the highest one in an msb stream. */
#ifndef SPLITGEN_BITSTREAM_H
#define SPLITGEN_BITSTREAM_H

#include <splitgen/vector.h>
#ifdef SPLITGEN_NO_MEMCPY
#include <splitgen/words.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Reverses the bytes of a word. */
SPLITGEN_COPY uint64_t splitgen_swap_bytes(uint64_t x)
{
#if defined(__GNUC__)
    return __builtin_bswap64(x);
#else
    x = (x & UINT64_C(0x00ff00ff00ff00ff)) << 8 | (x >> 8 & UINT64_C(0x00ff00ff00ff00ff));
    x = (x & UINT64_C(0x0000ffff0000ffff)) << 16 | (x >> 16 & UINT64_C(0x0000ffff0000ffff));
    return x << 32 | x >> 32;
#endif
}

/* Converts between the machine's byte order and that of streams. */
static inline uint64_t splitgen_lsb_word(uint64_t x)
{
#if defined(__BYTE_ORDER__) && defined(__ORDER_LITTLE_ENDIAN__) &&                                 \
    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return x;
#else
    const uint16_t one = 1;
    unsigned char first;

    memcpy(&first, &one, 1);
    return first == 1 ? x : splitgen_swap_bytes(x);
#endif
}

static inline uint64_t splitgen_msb_word(uint64_t x)
{
    return splitgen_swap_bytes(splitgen_lsb_word(x));
}

#ifdef SPLITGEN_NO_MEMCPY
/* The same as below, byte by byte. */
static inline uint64_t splitgen_load_lsb(const unsigned char *src, size_t bytes)
{
    uint64_t x = 0;

    for (size_t i = bytes; i > 0; --i) {
        x = (x << 8) | src[i - 1];
    }
    return x;
}

static inline uint64_t splitgen_load_msb(const unsigned char *src, size_t bytes)
{
    uint64_t x = 0;

    for (size_t i = 0; i < bytes; ++i) {
        x = (x << 8) | src[i];
    }
    return x << (8 * (8 - bytes));
}

static inline void splitgen_store_lsb(unsigned char *dst, uint64_t word, size_t bytes)
{
    uint64_t left = word;

    for (size_t i = 0; i < bytes; ++i) {
        dst[i] = SPLITGEN_NUMBER(unsigned char, left & 0xff);
        left >>= 8;
    }
}

static inline void splitgen_store_msb(unsigned char *dst, uint64_t word, size_t bytes)
{
    uint64_t left = word;

    for (size_t i = 0; i < bytes; ++i) {
        dst[i] = SPLITGEN_NUMBER(unsigned char, left >> 56);
        left <<= 8;
    }
}

#define splitgen_copy_bytes splitgen_words_8
#else
/* The first `bytes` (1 to 8) bytes of a stream; the rest of the word is zero. */
static inline uint64_t splitgen_load_lsb(const unsigned char *src, size_t bytes)
{
    uint64_t x = 0;

    memcpy(&x, src, bytes);
    return splitgen_lsb_word(x);
}

static inline uint64_t splitgen_load_msb(const unsigned char *src, size_t bytes)
{
    uint64_t x = 0;

    memcpy(&x, src, bytes);
    return splitgen_msb_word(x);
}

static inline void splitgen_store_lsb(unsigned char *dst, uint64_t word, size_t bytes)
{
    const uint64_t x = splitgen_lsb_word(word);

    memcpy(dst, &x, bytes);
}

static inline void splitgen_store_msb(unsigned char *dst, uint64_t word, size_t bytes)
{
    const uint64_t x = splitgen_msb_word(word);

    memcpy(dst, &x, bytes);
}

#define splitgen_copy_bytes splitgen_copy
#endif

/* One step of compressing bits: moves those at `moved` down by `distance`, into places that are
 * zero (Warren, Hacker's Delight, 7-4). */
static inline uint64_t splitgen_close(uint64_t x, uint64_t moved, unsigned distance)
{
    const uint64_t t = x & moved;

    return (x ^ t) | (t >> distance);
}

/* Writes dst[0 .. bytes) from the stream at bit `shift` (0 to 7) of src. Reads bytes + 1 bytes, or
 * `bytes` if shift is 0. */
static inline void splitgen_run_lsb(unsigned char *SPLITGEN_RESTRICT dst,
                                    const unsigned char *SPLITGEN_RESTRICT src, unsigned shift,
                                    size_t bytes)
{
    size_t i = 0;

    if (shift == 0) {
        splitgen_copy_bytes(dst, src, bytes);
        return;
    }
    for (; bytes - i >= 8; i += 8) {
        const uint64_t low = splitgen_load_lsb(src + i, 8) >> shift;
        splitgen_store_lsb(dst + i, low | (splitgen_load_lsb(src + i + 1, 8) << (8 - shift)), 8);
    }
    for (; i < bytes; ++i) {
        const unsigned next = src[i + 1];

        dst[i] = SPLITGEN_NUMBER(unsigned char, (src[i] >> shift) | ((next << (8 - shift)) & 0xff));
    }
}

static inline void splitgen_run_msb(unsigned char *SPLITGEN_RESTRICT dst,
                                    const unsigned char *SPLITGEN_RESTRICT src, unsigned shift,
                                    size_t bytes)
{
    size_t i = 0;

    if (shift == 0) {
        splitgen_copy_bytes(dst, src, bytes);
        return;
    }
    for (; bytes - i >= 8; i += 8) {
        const uint64_t high = splitgen_load_msb(src + i, 8) << shift;
        splitgen_store_msb(dst + i, high | (splitgen_load_msb(src + i + 1, 8) >> (8 - shift)), 8);
    }
    for (; i < bytes; ++i) {
        const unsigned first = src[i];

        dst[i] =
            SPLITGEN_NUMBER(unsigned char, ((first << shift) & 0xff) | (src[i + 1] >> (8 - shift)));
    }
}

#if SPLITGEN_X86

/* The bits of splitgen_cpu() that a variant needs. */
#define SPLITGEN_BITS_AVX2   (SPLITGEN_CPU_AVX2 | SPLITGEN_CPU_PEXT)
#define SPLITGEN_BITS_AVX512 (SPLITGEN_CPU_AVX512 | SPLITGEN_CPU_PEXT)

#if defined(__BMI__) && defined(__BMI2__)
#define SPLITGEN_TARGET_PEXT
#define SPLITGEN_TARGET_BITS_AVX2   SPLITGEN_TARGET_AVX2
#define SPLITGEN_TARGET_BITS_AVX512 SPLITGEN_TARGET_AVX512
#else
#define SPLITGEN_TARGET_PEXT        SPLITGEN_TARGET("bmi,bmi2")
#define SPLITGEN_TARGET_BITS_AVX2   SPLITGEN_TARGET("avx2,bmi,bmi2")
#define SPLITGEN_TARGET_BITS_AVX512 SPLITGEN_TARGET("avx512f,avx512bw,avx512vl,bmi,bmi2")
#endif

/* The bits of x where mask is 1, compressed to the low end. */
SPLITGEN_TARGET_PEXT
static inline uint64_t splitgen_pick_pext(uint64_t x, uint64_t mask)
{
    return _pext_u64(x, mask);
}

/* A vector of a stream at bit `shift` of src. The two halves of a byte come from two loads that are
 * one byte apart. lsb streams need no mask, because the halves agree where they overlap; msb
 * streams select within each byte, by `high`. */
SPLITGEN_TARGET_BITS_AVX2
static inline __m256i splitgen_bits_lsb_avx2(const unsigned char *src, unsigned shift)
{
    const __m128i right = _mm_cvtsi32_si128(SPLITGEN_NUMBER(int, shift));
    const __m128i left = _mm_cvtsi32_si128(SPLITGEN_NUMBER(int, 8 - shift));

    return _mm256_or_si256(_mm256_srl_epi64(splitgen_load_avx2(src), right),
                           _mm256_sll_epi64(splitgen_load_avx2(src + 1), left));
}

SPLITGEN_TARGET_BITS_AVX2
static inline __m256i splitgen_bits_msb_avx2(const unsigned char *src, unsigned shift)
{
    const __m128i left = _mm_cvtsi32_si128(SPLITGEN_NUMBER(int, shift));
    const __m128i right = _mm_cvtsi32_si128(SPLITGEN_NUMBER(int, 8 - shift));
    const __m256i high = _mm256_set1_epi8(SPLITGEN_NUMBER(char, 0xff << shift & 0xff));
    const __m256i a = _mm256_sll_epi64(splitgen_load_avx2(src), left);
    const __m256i b = _mm256_srl_epi64(splitgen_load_avx2(src + 1), right);

    return _mm256_or_si256(_mm256_and_si256(a, high), _mm256_andnot_si256(high, b));
}

SPLITGEN_TARGET_BITS_AVX512
static inline __m512i splitgen_bits_lsb_avx512(const unsigned char *src, unsigned shift)
{
    const __m128i right = _mm_cvtsi32_si128(SPLITGEN_NUMBER(int, shift));
    const __m128i left = _mm_cvtsi32_si128(SPLITGEN_NUMBER(int, 8 - shift));

    return _mm512_or_si512(_mm512_srl_epi64(_mm512_loadu_si512(src), right),
                           _mm512_sll_epi64(_mm512_loadu_si512(src + 1), left));
}

SPLITGEN_TARGET_BITS_AVX512
static inline __m512i splitgen_bits_msb_avx512(const unsigned char *src, unsigned shift)
{
    const __m128i left = _mm_cvtsi32_si128(SPLITGEN_NUMBER(int, shift));
    const __m128i right = _mm_cvtsi32_si128(SPLITGEN_NUMBER(int, 8 - shift));
    const __m512i high = _mm512_set1_epi8(SPLITGEN_NUMBER(char, 0xff << shift & 0xff));
    const __m512i a = _mm512_sll_epi64(_mm512_loadu_si512(src), left);
    const __m512i b = _mm512_srl_epi64(_mm512_loadu_si512(src + 1), right);

    return _mm512_ternarylogic_epi64(high, a, b, 0xca);
}

/* Runs of such vectors of `unit` bytes. The last vector overlaps the one before if bytes is not a
 * multiple; `fewer` copies runs below one vector. */
#define SPLITGEN_BIT_RUN(order, suffix, target, unit, store, fewer)                                \
    target static inline void splitgen_run_##order##_##suffix(                                     \
        unsigned char *SPLITGEN_RESTRICT dst, const unsigned char *SPLITGEN_RESTRICT src,          \
        unsigned shift, size_t bytes)                                                              \
    {                                                                                              \
        if (shift == 0 || bytes < (unit)) {                                                        \
            fewer(dst, src, shift, bytes);                                                         \
            return;                                                                                \
        }                                                                                          \
        for (size_t at = 0;; at = bytes - at - (unit) < (unit) ? bytes - (unit) : at + (unit)) {   \
            store(dst + at, splitgen_bits_##order##_##suffix(src + at, shift));                    \
            if (at + (unit) == bytes) {                                                            \
                break;                                                                             \
            }                                                                                      \
        }                                                                                          \
    }
SPLITGEN_BIT_RUN(lsb, avx2, SPLITGEN_TARGET_BITS_AVX2, 32, splitgen_store_avx2, splitgen_run_lsb)
SPLITGEN_BIT_RUN(msb, avx2, SPLITGEN_TARGET_BITS_AVX2, 32, splitgen_store_avx2, splitgen_run_msb)
SPLITGEN_BIT_RUN(lsb, avx512, SPLITGEN_TARGET_BITS_AVX512, 64, _mm512_storeu_si512,
                 splitgen_run_lsb_avx2)
SPLITGEN_BIT_RUN(msb, avx512, SPLITGEN_TARGET_BITS_AVX512, 64, _mm512_storeu_si512,
                 splitgen_run_msb_avx2)
#undef SPLITGEN_BIT_RUN

#endif /* SPLITGEN_X86 */

#ifdef __cplusplus
}
#endif

#endif
