/* What kernels with vector bodies need beside splitgen.h: whether this machine has the
 * instructions, whether stores should bypass its cache, and a few inline copies. Included by
 * generated code only; without a GNU compiler, or on other processors, it declares nothing and the
 * kernels keep their portable bodies. */
#ifndef SPLITGEN_VECTOR_H
#define SPLITGEN_VECTOR_H

#include <splitgen/splitgen.h>

/* SPLITGEN_NO_VECTOR leaves every vector body out. */
#if !defined(SPLITGEN_NO_VECTOR) && defined(__GNUC__) && defined(__x86_64__)
#define SPLITGEN_X86 1
#else
#define SPLITGEN_X86 0
#endif

#if !defined(SPLITGEN_NO_VECTOR) && defined(__GNUC__) && defined(__aarch64__) &&                   \
    defined(__ARM_NEON) && !defined(__AARCH64EB__)
#define SPLITGEN_NEON 1
#else
#define SPLITGEN_NEON 0
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Bits of splitgen_cpu(). A set bit means that the processor has the instructions and that the
 * operating system saves their registers. */
#define SPLITGEN_CPU_AVX2       1U
#define SPLITGEN_CPU_AVX512     2U /* F, BW, DQ and VL */
#define SPLITGEN_CPU_AVX512VBMI 4U

/* Instruction sets of this machine; 0 on processors without a query. Asks the processor once and
 * remembers the answer; safe from any thread. */
unsigned splitgen_cpu(void);

/* Bytes an operation must touch (input and outputs together) before stores that bypass the cache
 * are faster than stores that fill it: three quarters of the last-level cache, as far as the
 * processor tells. Safe from any thread. */
size_t splitgen_stream_bytes(void);

#if SPLITGEN_X86

#include <immintrin.h>

#define SPLITGEN_TARGET_AVX2       __attribute__((target("avx2")))
#define SPLITGEN_TARGET_AVX512     __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define SPLITGEN_TARGET_AVX512VBMI                                                                 \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")))

/* clang replaces sequences of shuffles by what it takes for better ones; an empty asm on the
 * value in between keeps them as written. gcc does not. */
#if defined(__clang__)
#define SPLITGEN_KEEP(value) __asm__("" : "+v"(value))
#else
#define SPLITGEN_KEEP(value) ((void)0)
#endif

/* Copies of at least one vector, the last vector overlapping where bytes is no multiple. The sizes
 * are literals in generated code, so every branch folds. */
SPLITGEN_TARGET_AVX512
static inline void splitgen_lines_avx512(void *SPLITGEN_RESTRICT dst,
                                         const void *SPLITGEN_RESTRICT src, size_t bytes)
{
    char *d = (char *)dst;
    const char *s = (const char *)src;
    size_t left = bytes;

    for (; left >= 256; left -= 256, d += 256, s += 256) {
        const __m512i a = _mm512_loadu_si512(s);
        const __m512i b = _mm512_loadu_si512(s + 64);
        const __m512i c = _mm512_loadu_si512(s + 128);
        const __m512i e = _mm512_loadu_si512(s + 192);
        _mm512_storeu_si512(d, a);
        _mm512_storeu_si512(d + 64, b);
        _mm512_storeu_si512(d + 128, c);
        _mm512_storeu_si512(d + 192, e);
    }
    if (left >= 128) {
        const __m512i a = _mm512_loadu_si512(s);
        const __m512i b = _mm512_loadu_si512(s + 64);
        _mm512_storeu_si512(d, a);
        _mm512_storeu_si512(d + 64, b);
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
    if (left > 0) {
        _mm512_storeu_si512(d + left - 64, _mm512_loadu_si512(s + left - 64));
    }
}

/* The same past the cache: dst at a multiple of 64, bytes a multiple of 64. */
SPLITGEN_TARGET_AVX512
static inline void splitgen_stream_avx512(void *SPLITGEN_RESTRICT dst,
                                          const void *SPLITGEN_RESTRICT src, size_t bytes)
{
    char *d = (char *)dst;
    const char *s = (const char *)src;

    for (size_t i = 0; i < bytes; i += 64) {
        _mm512_stream_si512((__m512i *)(void *)(d + i), _mm512_loadu_si512(s + i));
    }
}

SPLITGEN_TARGET_AVX2
static inline void splitgen_lines_avx2(void *SPLITGEN_RESTRICT dst,
                                       const void *SPLITGEN_RESTRICT src, size_t bytes)
{
    char *d = (char *)dst;
    const char *s = (const char *)src;
    size_t left = bytes;

    for (; left >= 128; left -= 128, d += 128, s += 128) {
        const __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)s);
        const __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(s + 32));
        const __m256i c = _mm256_loadu_si256((const __m256i *)(const void *)(s + 64));
        const __m256i e = _mm256_loadu_si256((const __m256i *)(const void *)(s + 96));
        _mm256_storeu_si256((__m256i *)(void *)d, a);
        _mm256_storeu_si256((__m256i *)(void *)(d + 32), b);
        _mm256_storeu_si256((__m256i *)(void *)(d + 64), c);
        _mm256_storeu_si256((__m256i *)(void *)(d + 96), e);
    }
    if (left >= 64) {
        const __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)s);
        const __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(s + 32));
        _mm256_storeu_si256((__m256i *)(void *)d, a);
        _mm256_storeu_si256((__m256i *)(void *)(d + 32), b);
        left -= 64;
        d += 64;
        s += 64;
    }
    if (left >= 32) {
        _mm256_storeu_si256((__m256i *)(void *)d,
                            _mm256_loadu_si256((const __m256i *)(const void *)s));
        left -= 32;
        d += 32;
        s += 32;
    }
    if (left > 0) {
        _mm256_storeu_si256(
            (__m256i *)(void *)(d + left - 32),
            _mm256_loadu_si256((const __m256i *)(const void *)(s + left - 32)));
    }
}

SPLITGEN_TARGET_AVX2
static inline void splitgen_stream_avx2(void *SPLITGEN_RESTRICT dst,
                                        const void *SPLITGEN_RESTRICT src, size_t bytes)
{
    char *d = (char *)dst;
    const char *s = (const char *)src;

    for (size_t i = 0; i < bytes; i += 32) {
        _mm256_stream_si256((__m256i *)(void *)(d + i),
                            _mm256_loadu_si256((const __m256i *)(const void *)(s + i)));
    }
}

#endif /* SPLITGEN_X86 */

#if SPLITGEN_NEON
#include <arm_neon.h>
#endif

#ifdef __cplusplus
}
#endif

#endif
