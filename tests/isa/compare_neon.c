/* Compares the models of models/neon/arm_neon.h with the instructions (compare.h). */
#include <arm_neon.h>

#define A    vld1q_u8(in_a)
#define B    vld1q_u8(in_b)
#define C    vld1q_u8(in_c)
#define PUT  vst1q_u8
#define SOME vld1_u8

#define REINTERPRETED(bits, v) PUT(result, vreinterpretq_u8_u##bits(v))
#define BOTH                   vld2q_u8(in_a)

/* The vectors that lanes of `bits` bits are deinterleaved to; all of them are compared. */
#define DEALT(X, count, bits)                                                                      \
    X(                                                                                             \
        vld##count##q_u##bits, for (unsigned i = 0; i < count; ++i) {                              \
            memcpy(result + 16 * i, &vld##count##q_u##bits((const void *)in_a).val[i], 16);        \
        })

/* And interleaved again. */
#define GATHERED(X, count, bits)                                                                   \
    X(vst##count##q_u##bits,                                                                       \
      vst##count##q_u##bits((void *)result, vld##count##q_u##bits((const void *)(in_a))))

#define COMPARISONS(X)                                                                             \
    X(vld1_u8, PUT(result, vcombine_u8(SOME(in_a), SOME(in_a + 3))))                               \
    X(vld1q_u8, PUT(result, vld1q_u8(in_a + 5)))                                                   \
    X(vst1q_u8, vst1q_u8(result + 3, A))                                                           \
    X(vst1_u8, vst1_u8(result + 3, SOME(in_a)))                                                    \
    X(vget_low_u8, vst1_u8(result, vget_low_u8(A)))                                                \
    X(vget_high_u8, vst1_u8(result, vget_high_u8(A)))                                              \
    X(vcombine_u8, PUT(result, vcombine_u8(SOME(in_a), SOME(in_b))))                               \
    X(vbslq_u8, PUT(result, vbslq_u8(A, B, C)))                                                    \
    X(vqtbl1q_u8, PUT(result, vqtbl1q_u8(A, B)))                                                   \
    X(vqtbl2q_u8, PUT(result, vqtbl2q_u8(BOTH, B)))                                                \
    X(vreinterpretq_u8_u16, REINTERPRETED(16, vld2q_u16((const void *)in_a).val[1]))               \
    X(vreinterpretq_u8_u32, REINTERPRETED(32, vld2q_u32((const void *)in_a).val[1]))               \
    X(vreinterpretq_u8_u64, REINTERPRETED(64, vld2q_u64((const void *)in_a).val[1]))               \
    DEALT(X, 2, 8)                                                                                 \
    DEALT(X, 3, 8)                                                                                 \
    DEALT(X, 4, 8)                                                                                 \
    DEALT(X, 2, 16)                                                                                \
    DEALT(X, 3, 16)                                                                                \
    DEALT(X, 4, 16)                                                                                \
    DEALT(X, 2, 32)                                                                                \
    DEALT(X, 3, 32)                                                                                \
    DEALT(X, 4, 32)                                                                                \
    DEALT(X, 2, 64)                                                                                \
    DEALT(X, 3, 64)                                                                                \
    DEALT(X, 4, 64)                                                                                \
    X(vreinterpretq_u16_u8, REINTERPRETED(16, vreinterpretq_u16_u8(A)))                            \
    X(vreinterpretq_u32_u8, REINTERPRETED(32, vreinterpretq_u32_u8(A)))                            \
    X(vreinterpretq_u64_u8, REINTERPRETED(64, vreinterpretq_u64_u8(A)))                            \
    GATHERED(X, 2, 8)                                                                              \
    GATHERED(X, 3, 8)                                                                              \
    GATHERED(X, 4, 8)                                                                              \
    GATHERED(X, 2, 16)                                                                             \
    GATHERED(X, 3, 16)                                                                             \
    GATHERED(X, 4, 16)                                                                             \
    GATHERED(X, 2, 32)                                                                             \
    GATHERED(X, 3, 32)                                                                             \
    GATHERED(X, 4, 32)                                                                             \
    GATHERED(X, 2, 64)                                                                             \
    GATHERED(X, 3, 64)                                                                             \
    GATHERED(X, 4, 64)

#include "compare.h"
