/* Support for vector variants: detection of instructions and caches, vectors made of several loads,
 * and copies, in runs.h and write_combining.h. Included by generated code only. Without a GNU
 * compiler, or on other processors, it declares nothing, and kernels use portable C. */
#ifndef SPLITGEN_VECTOR_H
#define SPLITGEN_VECTOR_H

#include <splitgen/lane_rules.h>
#include <splitgen/machines.h>
#include <splitgen/put.h>
#include <splitgen/splitgen.h>

/* Outside of extern "C", because these headers include others, which may have templates. */
#if SPLITGEN_X86
#if !__STDC_HOSTED__ && !defined(__clang__) && !defined(_MM_MALLOC_H_INCLUDED)
#define _MM_MALLOC_H_INCLUDED /* gcc's own guard: its _mm_malloc() needs a hosted <stdlib.h> */
#endif
/* g++ 12 warns about its own header, which leaves values undefined on purpose. */
#if !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#elif defined(__has_warning)
#if __has_warning("-Winvalid-feature-combination")
/* clang 19 warns about its own header on processors that have AVX10, at the end of the file, so
 * that a `pop` after the header would have no effect. */
#pragma clang diagnostic ignored "-Winvalid-feature-combination"
#endif
#endif
#include <immintrin.h>
#if !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#elif SPLITGEN_NEON
#include <arm_neon.h>
#elif SPLITGEN_WASM
#include <wasm_simd128.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The instruction sets and traits of this machine; 0 on processors that cannot be queried. Queries
 * the processor once and remembers the answer. Safe from any thread. */
SPLITGEN_API unsigned splitgen_cpu(void);

/* The number of bytes that an operation must touch (inputs and outputs together) before
 * non-temporal stores are faster than ordinary ones: three quarters of the last-level cache if its
 * size is known, five eighths with NEAR_CACHE, and at most 48 MiB. Safe from any thread. */
SPLITGEN_API size_t splitgen_stream_bytes(void);

/* What the compiler may assume (-march=...), as bits of splitgen_cpu(), for --dispatch=static. */
#if defined(__AVX512VBMI__) && defined(__AVX512VL__) && defined(__AVX512BW__) &&                   \
    defined(__AVX512DQ__)
#define SPLITGEN_BUILT_ISAS (SPLITGEN_CPU_AVX2 | SPLITGEN_CPU_AVX512 | SPLITGEN_CPU_AVX512VBMI)
#elif defined(__AVX512VL__) && defined(__AVX512BW__) && defined(__AVX512DQ__)
#define SPLITGEN_BUILT_ISAS (SPLITGEN_CPU_AVX2 | SPLITGEN_CPU_AVX512)
#elif defined(__AVX2__)
#define SPLITGEN_BUILT_ISAS SPLITGEN_CPU_AVX2
#else
#define SPLITGEN_BUILT_ISAS 0
#endif
#if defined(__BMI2__)
#define SPLITGEN_BUILT_PEXT SPLITGEN_CPU_PEXT
#else
#define SPLITGEN_BUILT_PEXT 0
#endif

/* Whether a macro is defined as 1, like those in SPLITGEN_COMPILERS. */
#define SPLITGEN_IS_1                       0, 1
#define SPLITGEN_SECOND(first, second, ...) second
#define SPLITGEN_IS(...)                    SPLITGEN_SECOND(__VA_ARGS__, 0, 0)
#define SPLITGEN_IS_DEFINED_AS(value)       SPLITGEN_IS(SPLITGEN_IS_##value)
#define SPLITGEN_IS_DEFINED(macro)          SPLITGEN_IS_DEFINED_AS(macro)
#define SPLITGEN_BUILT_FOR(macro, machine)                                                         \
    | (SPLITGEN_IS_DEFINED(macro) *                                                                \
       ((SPLITGEN_BUILT_ISAS & SPLITGEN_NEEDS_##machine) == SPLITGEN_NEEDS_##machine) *            \
       (SPLITGEN_MACHINE_##machine & ~SPLITGEN_CPU_PEXT))
#define SPLITGEN_CPU_BUILT                                                                         \
    SPLITGEN_NUMBER(unsigned, SPLITGEN_BUILT_ISAS |                                                \
                                  SPLITGEN_BUILT_PEXT SPLITGEN_COMPILERS(SPLITGEN_BUILT_FOR))

#if SPLITGEN_X86

/* The instruction sets of functions. */
#define SPLITGEN_TARGET(sets)      __attribute__((target(sets)))
#define SPLITGEN_TARGET_AVX2       SPLITGEN_TARGET("avx2")
#define SPLITGEN_TARGET_AVX512     SPLITGEN_TARGET("avx512f,avx512bw,avx512dq,avx512vl")
#define SPLITGEN_TARGET_AVX512VBMI SPLITGEN_TARGET("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")

/* clang replaces sequences of shuffles, and blends with a known mask, by two-source permutes that
 * cost twice as much (generator/plan/MEASURED.md, Choosing bodies). An empty asm on a value or a
 * mask prevents this. gcc does not need it. */
#if defined(__clang__) && !defined(SPLITGEN_NO_ASM)
#define SPLITGEN_KEEP(value)     __asm__("" : "+v"(value))
#define SPLITGEN_KEEP_MASK(mask) __asm__("" : "+k"(mask))
#else
#define SPLITGEN_KEEP(value)     ((void)0)
#define SPLITGEN_KEEP_MASK(mask) ((void)0)
#endif

/* gcc reloads a vector that may be a memory operand for every use, and loads are the bottleneck
 * (generator/plan/MEASURED.md, Choosing bodies). */
#if defined(SPLITGEN_NO_ASM)
#define SPLITGEN_KEEP_LOAD(value) ((void)0)
#else
#define SPLITGEN_KEEP_LOAD(value) __asm__("" : "+v"(value))
#endif

SPLITGEN_TARGET_AVX512
SPLITGEN_COPY __m512i splitgen_load_once(const void *src)
{
    __m512i value = _mm512_loadu_si512(src);

    SPLITGEN_KEEP_LOAD(value);
    return value;
}

/* Masks of blends, and blends of lanes with this many bits: the lanes of b where the mask has ones,
 * of a elsewhere. */
#define SPLITGEN_BLEND(lanes, bits)                                                                \
    SPLITGEN_TARGET_AVX512                                                                         \
    SPLITGEN_COPY __mmask##lanes splitgen_mask_##lanes(__mmask##lanes mask)                        \
    {                                                                                              \
        SPLITGEN_KEEP_MASK(mask);                                                                  \
        return mask;                                                                               \
    }                                                                                              \
                                                                                                   \
    SPLITGEN_TARGET_AVX512                                                                         \
    SPLITGEN_COPY __m512i splitgen_blend_##bits(__mmask##lanes mask, __m512i a, __m512i b)         \
    {                                                                                              \
        __m512i value = _mm512_mask_blend_epi##bits(mask, a, b);                                   \
                                                                                                   \
        SPLITGEN_KEEP(value);                                                                      \
        return value;                                                                              \
    }

SPLITGEN_BLEND(64, 8)
SPLITGEN_BLEND(32, 16)
SPLITGEN_BLEND(16, 32)
SPLITGEN_BLEND(8, 64)

/* The same bit by bit, with a mask in a vector. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY __m512i splitgen_select(__m512i mask, __m512i a, __m512i b)
{
    __m512i value = _mm512_ternarylogic_epi64(mask, b, a, 0xca);

    SPLITGEN_KEEP(value);
    return value;
}

/* A non-temporal store at a multiple of 64 bytes. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_store_non_temporal_512(void *dst, __m512i value)
{
    _mm512_stream_si512(SPLITGEN_POINTER(__m512i, dst), value);
}

/* Prefetches a cache line that will be read. It may lie after the end of its buffer, where a
 * pointer would be invalid, so the address is a number. */
#if defined(SPLITGEN_PROVER)
#define SPLITGEN_PREFETCH(pointer, bytes) ((void)(pointer), (void)(bytes))
#elif defined(__cplusplus)
#define SPLITGEN_PREFETCH(pointer, bytes)                                                          \
    __builtin_prefetch(                                                                            \
        reinterpret_cast<const void *>(reinterpret_cast<uintptr_t>(pointer) + (bytes)))
#else
#define SPLITGEN_PREFETCH(pointer, bytes)                                                          \
    __builtin_prefetch((const void *)((uintptr_t)(pointer) + (bytes)))
#endif

/* Prefetches a cache line that is read once, into the first-level cache only, so that nothing is
 * evicted from the others. */
#if defined(SPLITGEN_PROVER)
#define SPLITGEN_PREFETCH_ONCE(pointer, bytes) ((void)(pointer), (void)(bytes))
#elif defined(__cplusplus)
#define SPLITGEN_PREFETCH_ONCE(pointer, bytes)                                                     \
    __builtin_prefetch(                                                                            \
        reinterpret_cast<const void *>(reinterpret_cast<uintptr_t>(pointer) + (bytes)), 0, 0)
#else
#define SPLITGEN_PREFETCH_ONCE(pointer, bytes)                                                     \
    __builtin_prefetch((const void *)((uintptr_t)(pointer) + (bytes)), 0, 0)
#endif

/* Prefetches bytes that are read some thousand cycles later, into the second-level cache: the
 * first-level cache cannot keep them that long. */
#if defined(SPLITGEN_PROVER)
#define SPLITGEN_PREFETCH_LATER(address) ((void)(address))
#elif defined(__cplusplus)
#define SPLITGEN_PREFETCH_LATER(address)                                                           \
    __builtin_prefetch(reinterpret_cast<const void *>(address), 0, 2)
#else
#define SPLITGEN_PREFETCH_LATER(address) __builtin_prefetch((const void *)(address), 0, 2)
#endif

static inline void splitgen_prefetch_later(uintptr_t address, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += 64) {
        SPLITGEN_PREFETCH_LATER(address + i);
    }
}

/* The answer of splitgen_cpu() with SPLITGEN_CPU_KNOWN; 0 before the first query. */
extern SPLITGEN_API unsigned splitgen_cpu_answer;

/* The bit of splitgen_cpu_answer that says that the processor was queried. */
#define SPLITGEN_CPU_KNOWN 0x80000000U

/* The answer of splitgen_stream_bytes(); 0 before the first query. Only a self-test writes both
 * variables, to make kernels take every variant. */
extern SPLITGEN_API size_t splitgen_stream_answer;

/* The known bits, for functions whose caller has made the query; 0 before it. */
static inline unsigned splitgen_asked_cpu(void)
{
    return __atomic_load_n(&splitgen_cpu_answer, __ATOMIC_RELAXED);
}

/* splitgen_cpu() without a call after the first query, because calls are measurable in short
 * kernels (generator/plan/MEASURED.md, Calls). */
static inline unsigned splitgen_known_cpu(void)
{
    const unsigned known = splitgen_asked_cpu();

    return known != 0 ? known : splitgen_cpu();
}

/* The same for splitgen_stream_bytes(). */
static inline size_t splitgen_known_stream_bytes(void)
{
    const size_t known = __atomic_load_n(&splitgen_stream_answer, __ATOMIC_RELAXED);

    return __builtin_expect(known != 0, 1) ? known : splitgen_stream_bytes();
}

/* For functions that are called at most once. */
#define SPLITGEN_COLD SPLITGEN_ONCE __attribute__((cold))

SPLITGEN_TARGET_AVX2
static inline __m256i splitgen_load_avx2(const void *src)
{
    return _mm256_loadu_si256(SPLITGEN_POINTER(const __m256i, src));
}

SPLITGEN_TARGET_AVX2
SPLITGEN_COPY __m256i splitgen_constant_avx2(const void *src)
{
    __m256i value = splitgen_load_avx2(src);

    SPLITGEN_KEEP(value);
    return value;
}

SPLITGEN_TARGET_AVX2
static inline void splitgen_store_avx2(void *dst, __m256i value)
{
    _mm256_storeu_si256(SPLITGEN_POINTER(__m256i, dst), value);
}

SPLITGEN_TARGET_AVX2
static inline __m128i splitgen_load_16(const void *src)
{
    return _mm_loadu_si128(SPLITGEN_POINTER(const __m128i, src));
}

SPLITGEN_TARGET_AVX2
static inline void splitgen_store_16(void *dst, __m128i value)
{
    _mm_storeu_si128(SPLITGEN_POINTER(__m128i, dst), value);
}

SPLITGEN_TARGET_AVX2
static inline __m128i splitgen_load_8(const void *src)
{
    return _mm_loadl_epi64(SPLITGEN_POINTER(const __m128i, src));
}

SPLITGEN_TARGET_AVX2
static inline void splitgen_store_8(void *dst, __m128i value)
{
    _mm_storel_epi64(SPLITGEN_POINTER(__m128i, dst), value);
}

/* A non-temporal store at a multiple of 32 bytes. */
SPLITGEN_TARGET_AVX2
SPLITGEN_COPY void splitgen_store_non_temporal_256(void *dst, __m256i value)
{
    _mm256_stream_si256(SPLITGEN_POINTER(__m256i, dst), value);
}

/* A vector made of pieces of neighbouring rows, `step` bytes apart. */
SPLITGEN_TARGET_AVX512
static inline __m512i splitgen_load_2x32(const void *src, size_t step)
{
    const unsigned char *s = SPLITGEN_POINTER(const unsigned char, src);
    const __m256i a = splitgen_load_avx2(s);
    const __m256i b = splitgen_load_avx2(s + step);

    return _mm512_inserti64x4(_mm512_castsi256_si512(a), b, 1);
}

SPLITGEN_TARGET_AVX512
static inline __m512i splitgen_load_4x16(const void *src, size_t step)
{
    const unsigned char *s = SPLITGEN_POINTER(const unsigned char, src);
    const __m128i a = splitgen_load_16(s);
    const __m128i b = splitgen_load_16(s + step);
    const __m128i c = splitgen_load_16(s + 2 * step);
    const __m128i d = splitgen_load_16(s + 3 * step);
    const __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(a), b, 1);
    const __m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256(c), d, 1);

    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

/* Two tiles of 16 bytes in one register. */
SPLITGEN_TARGET_AVX2
static inline __m256i splitgen_load_halves(const void *low, const void *high)
{
    const __m256i a = _mm256_castsi128_si256(splitgen_load_16(low));

    return _mm256_inserti128_si256(a, splitgen_load_16(high), 1);
}

/* The inverse of splitgen_load_halves(), splitgen_load_2x32() and splitgen_load_4x16(). */
SPLITGEN_TARGET_AVX2
static inline void splitgen_store_halves(void *low, void *high, __m256i value)
{
    splitgen_store_16(low, _mm256_castsi256_si128(value));
    splitgen_store_16(high, _mm256_extracti128_si256(value, 1));
}

SPLITGEN_TARGET_AVX512
static inline void splitgen_store_2x32(void *dst, size_t step, __m512i value)
{
    splitgen_store_avx2(dst, _mm512_castsi512_si256(value));
    splitgen_store_avx2(SPLITGEN_POINTER(unsigned char, dst) + step,
                        _mm512_extracti64x4_epi64(value, 1));
}

SPLITGEN_TARGET_AVX512
static inline void splitgen_store_4x16(void *dst, size_t step, __m512i value)
{
    unsigned char *d = SPLITGEN_POINTER(unsigned char, dst);

    splitgen_store_halves(d, d + step, _mm512_castsi512_si256(value));
    splitgen_store_halves(d + 2 * step, d + 3 * step, _mm512_extracti64x4_epi64(value, 1));
}

/* Two tiles, each of two pieces of 8 bytes. */
SPLITGEN_TARGET_AVX2
static inline __m256i splitgen_load_4x8(const void *low, const void *high, size_t step)
{
    const unsigned char *l = SPLITGEN_POINTER(const unsigned char, low);
    const unsigned char *h = SPLITGEN_POINTER(const unsigned char, high);
    const __m128i a = _mm_unpacklo_epi64(splitgen_load_8(l), splitgen_load_8(l + step));
    const __m128i b = _mm_unpacklo_epi64(splitgen_load_8(h), splitgen_load_8(h + step));

    return _mm256_inserti128_si256(_mm256_castsi128_si256(a), b, 1);
}

/* The inverse. */
SPLITGEN_TARGET_AVX2
static inline void splitgen_store_2x8(void *dst, size_t step, __m128i value)
{
    unsigned char *d = SPLITGEN_POINTER(unsigned char, dst);

    splitgen_store_8(d, value);
    splitgen_store_8(d + step, _mm_unpackhi_epi64(value, value));
}

SPLITGEN_TARGET_AVX2
static inline void splitgen_store_4x8(void *low, void *high, size_t step, __m256i value)
{
    splitgen_store_2x8(low, step, _mm256_castsi256_si128(value));
    splitgen_store_2x8(high, step, _mm256_extracti128_si256(value, 1));
}

/* Stores for a function that several loops call. `non_temporal` is a literal in each call, but
 * known only after inlining. Before that, clang would merge both branches into one ordinary store.
 */
SPLITGEN_TARGET_AVX2
SPLITGEN_COPY void splitgen_put_avx2(void *dst, __m256i value, bool non_temporal)
{
    if (non_temporal) {
#if defined(__clang__) && !defined(SPLITGEN_NO_ASM)
        __asm__("vmovntdq %1, %0" : "=m"(*SPLITGEN_POINTER(__m256i, dst)) : "x"(value));
#else
        _mm256_stream_si256(SPLITGEN_POINTER(__m256i, dst), value);
#endif
    } else {
        splitgen_store_avx2(dst, value);
    }
}

SPLITGEN_TARGET_AVX2
SPLITGEN_COPY void splitgen_put_16(void *dst, __m128i value, bool non_temporal)
{
    if (non_temporal) {
#if defined(__clang__) && !defined(SPLITGEN_NO_ASM)
        __asm__("vmovntdq %1, %0" : "=m"(*SPLITGEN_POINTER(__m128i, dst)) : "x"(value));
#else
        _mm_stream_si128(SPLITGEN_POINTER(__m128i, dst), value);
#endif
    } else {
        splitgen_store_16(dst, value);
    }
}

SPLITGEN_TARGET_AVX2
SPLITGEN_COPY void splitgen_put_halves(void *low, void *high, __m256i value, bool non_temporal)
{
    splitgen_put_16(low, _mm256_castsi256_si128(value), non_temporal);
    splitgen_put_16(high, _mm256_extracti128_si256(value, 1), non_temporal);
}

#endif /* SPLITGEN_X86 */

#if SPLITGEN_NEON

#define SPLITGEN_TARGET_NEON

/* As above: with known indices and masks, clang turns the 15 instructions of a 4-way split into 31,
 * and a blend with an unknown mask into three. */
#if defined(__clang__) && !defined(SPLITGEN_NO_ASM)
#define SPLITGEN_KEEP(value) __asm__("" : "+w"(value))
#else
#define SPLITGEN_KEEP(value) ((void)0)
#endif

static inline uint8x16_t splitgen_constant_neon(const uint8_t *src)
{
    uint8x16_t value = vld1q_u8(src);

    SPLITGEN_KEEP(value);
    return value;
}

/* Stores a vector as two pieces of 8 bytes. */
static inline void splitgen_store_2x8(uint8_t *low, uint8_t *high, uint8x16_t value)
{
    vst1_u8(low, vget_low_u8(value));
    vst1_u8(high, vget_high_u8(value));
}

/* Lanes of b where the mask has ones, of a elsewhere. */
static inline uint8x16_t splitgen_blend(uint8x16_t a, uint8x16_t b, uint8x16_t mask)
{
#if defined(__clang__) && !defined(SPLITGEN_NO_ASM)
    __asm__("bit %0.16b, %1.16b, %2.16b" : "+w"(a) : "w"(b), "w"(mask));
    return a;
#else
    return vbslq_u8(mask, b, a);
#endif
}

/* Lanes of the concatenation of a and b, by index. */
static inline uint8x16_t splitgen_pick2(uint8x16_t a, uint8x16_t b, uint8x16_t index)
{
    uint8x16x2_t both;

    both.val[0] = a;
    both.val[1] = b;
    return vqtbl2q_u8(both, index);
}

#endif /* SPLITGEN_NEON */

#if SPLITGEN_WASM

#define SPLITGEN_TARGET_WASM

/* A vector made of two pieces of 8 bytes. */
SPLITGEN_COPY v128_t splitgen_load_2x8(const void *low, const void *high)
{
    return wasm_v128_load64_lane(high, wasm_v128_load64_zero(low), 1);
}

SPLITGEN_COPY void splitgen_store_2x8(void *low, void *high, v128_t value)
{
    wasm_v128_store64_lane(low, value, 0);
    wasm_v128_store64_lane(high, value, 1);
}

/* Bytes of the concatenation of a and b, by index. A shuffle with a constant index would be one
 * instruction. But for single bytes, engines on x86 rebuild both halves of that index every time,
 * while the indices of swizzles stay in registers. Indices below 16 or above 127 need no range
 * check either. */
SPLITGEN_COPY v128_t splitgen_pick2(v128_t a, v128_t b, v128_t index)
{
    const v128_t of_a = wasm_v128_or(index, wasm_i8x16_gt(index, wasm_i8x16_splat(15)));
    const v128_t of_b = wasm_i8x16_sub(index, wasm_i8x16_splat(16));

    return wasm_v128_or(wasm_i8x16_swizzle(a, of_a), wasm_i8x16_swizzle(b, of_b));
}

#endif /* SPLITGEN_WASM */

#ifdef __cplusplus
}
#endif

#include <splitgen/write_combining.h>
#include <splitgen/runs.h>

#endif
