/* Compares the models of models/x86/immintrin.h with the instructions (compare.h).
 * COMPARE_AVX512 includes those of AVX-512. COMPARE_SIMDE uses the portable C of the library
 * SIMDe instead of the instructions. */
#if defined(COMPARE_SIMDE)
#define SIMDE_NO_NATIVE
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx512.h>
#else
#include <immintrin.h>
#endif

#include <stdint.h>
#include <string.h>

#define X16(bytes)    _mm_loadu_si128((const void *)(bytes))
#define X32(bytes)    _mm256_loadu_si256((const void *)(bytes))
#define X64(bytes)    _mm512_loadu_si512((const void *)(bytes))
#define PUT16(...)    _mm_storeu_si128((void *)result, __VA_ARGS__)
#define PUT32(...)    _mm256_storeu_si256((void *)result, __VA_ARGS__)
#define PUT64(...)    _mm512_storeu_si512((void *)result, __VA_ARGS__)
#define PUT_HIGH(...) _mm256_storeu_si256((void *)(result + 32), __VA_ARGS__)
#define WORD(number)  (word = (number), memcpy(result, &word, sizeof word))

/* Testing every immediate mask would need code for each; these masks have every bit set and
 * cleared. */
#define AVX2(X)                                                                                    \
    X(_mm_loadu_si128, PUT16(X16(in_a + 5)))                                                       \
    X(_mm256_loadu_si256, PUT32(X32(in_a + 5)))                                                    \
    X(_mm_storeu_si128, _mm_storeu_si128((void *)(result + 3), X16(in_a)))                         \
    X(_mm256_storeu_si256, _mm256_storeu_si256((void *)(result + 3), X32(in_a)))                   \
    X(_mm_stream_si128, _mm_stream_si128((void *)(result + 16), X16(in_a)))                        \
    X(_mm256_stream_si256, _mm256_stream_si256((void *)(result + 32), X32(in_a)))                  \
    X(_mm_sfence, PUT16(X16(in_a)); _mm_sfence())                                                  \
    X(_mm_loadl_epi64, PUT16(_mm_loadl_epi64((const void *)(in_a + 1))))                           \
    X(_mm_storel_epi64, _mm_storel_epi64((void *)(result + 1), X16(in_a)))                         \
    X(_mm_cvtsi32_si128, PUT16(_mm_cvtsi32_si128((int)in_mask)))                                   \
    X(_mm256_set1_epi8, PUT32(_mm256_set1_epi8((char)in_a[0])))                                    \
    X(_mm256_castsi128_si256, PUT16(_mm256_castsi256_si128(_mm256_castsi128_si256(X16(in_a)))))    \
    X(_mm256_castsi256_si128, PUT16(_mm256_castsi256_si128(X32(in_a))))                            \
    X(_mm256_inserti128_si256, PUT32(_mm256_inserti128_si256(X32(in_a), X16(in_b), 0));            \
      PUT_HIGH(_mm256_inserti128_si256(X32(in_a), X16(in_b), 1)))                                  \
    X(_mm256_extracti128_si256,                                                                    \
      PUT32(_mm256_inserti128_si256(X32(in_b), _mm256_extracti128_si256(X32(in_a), 0), 1));        \
      PUT16(_mm256_extracti128_si256(X32(in_a), 1)))                                               \
    X(_mm256_and_si256, PUT32(_mm256_and_si256(X32(in_a), X32(in_b))))                             \
    X(_mm256_andnot_si256, PUT32(_mm256_andnot_si256(X32(in_a), X32(in_b))))                       \
    X(_mm256_or_si256, PUT32(_mm256_or_si256(X32(in_a), X32(in_b))))                               \
    X(_mm256_srl_epi64, PUT32(_mm256_srl_epi64(X32(in_a), _mm_cvtsi32_si128(in_b[0] % 80)));       \
      PUT_HIGH(_mm256_srl_epi64(X32(in_a), X16(in_b))))                                            \
    X(_mm256_sll_epi64, PUT32(_mm256_sll_epi64(X32(in_a), _mm_cvtsi32_si128(in_b[0] % 80)));       \
      PUT_HIGH(_mm256_sll_epi64(X32(in_a), X16(in_b))))                                            \
    X(_mm256_blend_epi32, PUT32(_mm256_blend_epi32(X32(in_a), X32(in_b), 0x1b));                   \
      PUT_HIGH(_mm256_blend_epi32(X32(in_a), X32(in_b), 0xe4)))                                    \
    X(_mm256_blend_epi16, PUT32(_mm256_blend_epi16(X32(in_a), X32(in_b), 0x1b));                   \
      PUT_HIGH(_mm256_blend_epi16(X32(in_a), X32(in_b), 0xe4)))                                    \
    X(_mm256_blendv_epi8, PUT32(_mm256_blendv_epi8(X32(in_a), X32(in_b), X32(in_c))))              \
    X(_mm256_shuffle_epi8, PUT32(_mm256_shuffle_epi8(X32(in_a), X32(in_b))))                       \
    X(_mm256_permutevar8x32_epi32, PUT32(_mm256_permutevar8x32_epi32(X32(in_a), X32(in_b))))       \
    X(_mm256_unpacklo_epi8, PUT32(_mm256_unpacklo_epi8(X32(in_a), X32(in_b))))                     \
    X(_mm256_unpacklo_epi16, PUT32(_mm256_unpacklo_epi16(X32(in_a), X32(in_b))))                   \
    X(_mm256_unpacklo_epi32, PUT32(_mm256_unpacklo_epi32(X32(in_a), X32(in_b))))                   \
    X(_mm256_unpacklo_epi64, PUT32(_mm256_unpacklo_epi64(X32(in_a), X32(in_b))))                   \
    X(_mm256_unpackhi_epi8, PUT32(_mm256_unpackhi_epi8(X32(in_a), X32(in_b))))                     \
    X(_mm256_unpackhi_epi16, PUT32(_mm256_unpackhi_epi16(X32(in_a), X32(in_b))))                   \
    X(_mm256_unpackhi_epi32, PUT32(_mm256_unpackhi_epi32(X32(in_a), X32(in_b))))                   \
    X(_mm256_unpackhi_epi64, PUT32(_mm256_unpackhi_epi64(X32(in_a), X32(in_b))))                   \
    X(_mm_unpacklo_epi64, PUT16(_mm_unpacklo_epi64(X16(in_a), X16(in_b))))                         \
    X(_mm_unpackhi_epi64, PUT16(_mm_unpackhi_epi64(X16(in_a), X16(in_b))))

/* Intrinsics that SIMDe does not have. */
#define NOT_IN_SIMDE(X) X(_pext_u64, uint64_t word; WORD(_pext_u64(hashed(in_mask), in_mask)))

#define NOT_IN_SIMDE_512(X)                                                                        \
    X(_mm512_stream_si512, _mm512_stream_si512((void *)result, X64(in_a)))                         \
    X(_mm512_mask_loadu_epi8, PUT64(_mm512_mask_loadu_epi8(X64(in_a), in_mask, in_b)))             \
    X(_mm512_maskz_loadu_epi8, PUT64(_mm512_maskz_loadu_epi8(in_mask, in_b)))                      \
    X(_mm512_mask_storeu_epi8, _mm512_mask_storeu_epi8(result, in_mask, X64(in_a)))                \
    X(_mm_maskz_loadu_epi8, PUT16(_mm_maskz_loadu_epi8((__mmask16)in_mask, in_b)))                 \
    X(_mm256_maskz_loadu_epi8, PUT32(_mm256_maskz_loadu_epi8((__mmask32)in_mask, in_b)))           \
    X(_mm_mask_storeu_epi8, _mm_mask_storeu_epi8(result, (__mmask16)in_mask, X16(in_a)))           \
    X(_mm256_mask_storeu_epi8, _mm256_mask_storeu_epi8(result, (__mmask32)in_mask, X32(in_a)))

typedef uint64_t mask_of_8; /* a bit for each lane of 8, 16, ... bits */
typedef uint32_t mask_of_16;
typedef uint16_t mask_of_32;
typedef uint8_t mask_of_64;

#define BY_LANES(X, bits)                                                                          \
    X(_mm512_mask_blend_epi##bits,                                                                 \
      PUT64(_mm512_mask_blend_epi##bits((mask_of_##bits)in_mask, X64(in_a), X64(in_b))))           \
    X(_mm512_permutexvar_epi##bits, PUT64(_mm512_permutexvar_epi##bits(X64(in_a), X64(in_b))))     \
    X(_mm512_permutex2var_epi##bits,                                                               \
      PUT64(_mm512_permutex2var_epi##bits(X64(in_a), X64(in_b), X64(in_c))))                       \
    X(_mm512_unpacklo_epi##bits, PUT64(_mm512_unpacklo_epi##bits(X64(in_a), X64(in_b))))           \
    X(_mm512_unpackhi_epi##bits, PUT64(_mm512_unpackhi_epi##bits(X64(in_a), X64(in_b))))

#define AVX512(X)                                                                                  \
    X(_mm512_loadu_si512, PUT64(X64(in_a)))                                                        \
    X(_mm512_storeu_si512, _mm512_storeu_si512(result, X64(in_b)))                                 \
    X(_mm512_store_si512, _mm512_store_si512(result, X64(in_b)))                                   \
    X(_mm512_set1_epi8, PUT64(_mm512_set1_epi8((char)in_a[0])))                                    \
    X(_mm512_set1_epi32, PUT64(_mm512_set1_epi32((int)in_mask)))                                   \
    X(_mm512_set_epi32, PUT64(_mm512_set_epi32(in_a[0], -2, 3, -4, 5, -6, 7, -8, 9, -10, 11, -12,  \
                                               13, -14, 15, in_a[1])))                             \
    X(_mm512_set_epi64, PUT64(_mm512_set_epi64(in_a[0], -2, 3, -4, 5, -6, 7, in_a[1])))            \
    X(_mm512_castsi256_si512, PUT32(_mm512_castsi512_si256(_mm512_castsi256_si512(X32(in_a)))))    \
    X(_mm512_castsi512_si256, PUT32(_mm512_castsi512_si256(X64(in_a))))                            \
    X(_mm512_extracti64x4_epi64, PUT32(_mm512_extracti64x4_epi64(X64(in_a), 0));                   \
      PUT_HIGH(_mm512_extracti64x4_epi64(X64(in_a), 1)))                                           \
    X(_mm512_inserti64x4, PUT64(in_a[0] % 2 == 0 ? _mm512_inserti64x4(X64(in_a), X32(in_b), 0)     \
                                                 : _mm512_inserti64x4(X64(in_a), X32(in_b), 1)))   \
    X(_mm512_or_si512, PUT64(_mm512_or_si512(X64(in_a), X64(in_b))))                               \
    X(_mm512_sub_epi8, PUT64(_mm512_sub_epi8(X64(in_a), X64(in_b))))                               \
    X(_mm512_sub_epi32, PUT64(_mm512_sub_epi32(X64(in_a), X64(in_b))))                             \
    X(_mm512_srl_epi64, PUT64(_mm512_srl_epi64(X64(in_a), _mm_cvtsi32_si128(in_b[0] % 80))))       \
    X(_mm512_sll_epi64, PUT64(_mm512_sll_epi64(X64(in_a), _mm_cvtsi32_si128(in_b[0] % 80))))       \
    X(_mm512_ternarylogic_epi64,                                                                   \
      PUT64(in_a[0] % 2 == 0 ? _mm512_ternarylogic_epi64(X64(in_a), X64(in_b), X64(in_c), 0xca)    \
                             : _mm512_ternarylogic_epi64(X64(in_a), X64(in_b), X64(in_c), 0x2d)))  \
    BY_LANES(X, 8)                                                                                 \
    BY_LANES(X, 16)                                                                                \
    BY_LANES(X, 32)                                                                                \
    BY_LANES(X, 64)

#if defined(COMPARE_SIMDE) || defined(COMPARE_AS_SIMDE)
#define COMPARISONS(X) AVX2(X) AVX512(X)
#elif defined(COMPARE_AVX512)
#define COMPARISONS(X) AVX2(X) NOT_IN_SIMDE(X) AVX512(X) NOT_IN_SIMDE_512(X)
#else
#define COMPARISONS(X) AVX2(X) NOT_IN_SIMDE(X)
#endif

#include "compare.h"
