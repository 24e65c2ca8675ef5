/* Models of the intrinsics of NEON that generated code uses, in plain C. What each does is written
 * from Arm's definition of its instruction; tests/isa/compare_neon.c compares each with it. */
#ifndef SPLITGEN_TEST_ISA_ARM_NEON_H
#define SPLITGEN_TEST_ISA_ARM_NEON_H

#pragma GCC system_header

#include "../bytes.h"

typedef struct uint8x8_t {
    uint8_t byte[8];
} uint8x8_t;

/* A vector of `lanes` lanes of `bits` bits; two, three and four of them; and their loads, which
 * deinterleave consecutive lanes. */
#define ISA_NEON_LOAD(bits, lanes, count)                                                          \
    typedef struct uint##bits##x##lanes##x##count##_t {                                            \
        uint##bits##x##lanes##_t val[count];                                                       \
    } uint##bits##x##lanes##x##count##_t;                                                          \
                                                                                                   \
    ISA_MODEL uint##bits##x##lanes##x##count##_t vld##count##q_u##bits(const uint##bits##_t *src)  \
    {                                                                                              \
        const uint8_t *s = (const uint8_t *)src;                                                   \
        uint##bits##x##lanes##x##count##_t r;                                                      \
                                                                                                   \
        for (unsigned i = 0; i < (lanes) * (count); ++i) {                                         \
            isa_set_lane(r.val[i % (count)].byte, bits, i / (count), isa_lane(s, bits, i));        \
        }                                                                                          \
        return r;                                                                                  \
    }                                                                                              \
                                                                                                   \
    ISA_MODEL void vst##count##q_u##bits(uint##bits##_t *dst,                                      \
                                         uint##bits##x##lanes##x##count##_t v)                     \
    {                                                                                              \
        uint8_t *d = (uint8_t *)dst;                                                               \
                                                                                                   \
        for (unsigned i = 0; i < (lanes) * (count); ++i) {                                         \
            isa_set_lane(d, bits, i, isa_lane(v.val[i % (count)].byte, bits, i / (count)));        \
        }                                                                                          \
    }

#define ISA_NEON(bits, lanes)                                                                      \
    typedef struct uint##bits##x##lanes##_t {                                                      \
        uint8_t byte[16];                                                                          \
    } uint##bits##x##lanes##_t;                                                                    \
    ISA_NEON_LOAD(bits, lanes, 2)                                                                  \
    ISA_NEON_LOAD(bits, lanes, 3)                                                                  \
    ISA_NEON_LOAD(bits, lanes, 4)

ISA_NEON(8, 16)
ISA_NEON(16, 8)
ISA_NEON(32, 4)
ISA_NEON(64, 2)

/* The same bytes as lanes of 8 bits, and back. */
#define ISA_NEON_REINTERPRET(bits, lanes)                                                          \
    ISA_MODEL uint8x16_t vreinterpretq_u8_u##bits(uint##bits##x##lanes##_t v)                      \
    {                                                                                              \
        uint8x16_t r;                                                                              \
                                                                                                   \
        memcpy(&r, &v, sizeof r);                                                                  \
        return r;                                                                                  \
    }                                                                                              \
                                                                                                   \
    ISA_MODEL uint##bits##x##lanes##_t vreinterpretq_u##bits##_u8(uint8x16_t v)                    \
    {                                                                                              \
        uint##bits##x##lanes##_t r;                                                                \
                                                                                                   \
        memcpy(&r, &v, sizeof r);                                                                  \
        return r;                                                                                  \
    }

ISA_NEON_REINTERPRET(16, 8)
ISA_NEON_REINTERPRET(32, 4)
ISA_NEON_REINTERPRET(64, 2)

ISA_MODEL uint8x8_t vld1_u8(const uint8_t *src)
{
    uint8x8_t v;

    memcpy(&v, src, sizeof v);
    return v;
}

ISA_MODEL uint8x16_t vld1q_u8(const uint8_t *src)
{
    uint8x16_t v;

    memcpy(&v, src, sizeof v);
    return v;
}

ISA_MODEL void vst1q_u8(uint8_t *dst, uint8x16_t v)
{
    memcpy(dst, &v, sizeof v);
}

ISA_MODEL void vst1_u8(uint8_t *dst, uint8x8_t v)
{
    memcpy(dst, &v, sizeof v);
}

ISA_MODEL uint8x8_t vget_low_u8(uint8x16_t v)
{
    uint8x8_t half;

    memcpy(&half, v.byte, sizeof half);
    return half;
}

ISA_MODEL uint8x8_t vget_high_u8(uint8x16_t v)
{
    uint8x8_t half;

    memcpy(&half, v.byte + 8, sizeof half);
    return half;
}

ISA_MODEL uint8x16_t vcombine_u8(uint8x8_t low, uint8x8_t high)
{
    uint8x16_t v;

    memcpy(v.byte, &low, sizeof low);
    memcpy(v.byte + 8, &high, sizeof high);
    return v;
}

/* Bits of a where the mask has ones, of b elsewhere. */
ISA_MODEL uint8x16_t vbslq_u8(uint8x16_t mask, uint8x16_t a, uint8x16_t b)
{
    for (unsigned i = 0; i < 16; ++i) {
        b.byte[i] = (uint8_t)((mask.byte[i] & a.byte[i]) | (~mask.byte[i] & b.byte[i]));
    }
    return b;
}

/* Bytes selected from one or two vectors; an index beyond them gives zero. */
ISA_MODEL uint8x16_t vqtbl1q_u8(uint8x16_t table, uint8x16_t index)
{
    uint8x16_t r;

    for (unsigned i = 0; i < 16; ++i) {
        r.byte[i] = index.byte[i] < 16 ? table.byte[index.byte[i]] : 0;
    }
    return r;
}

ISA_MODEL uint8x16_t vqtbl2q_u8(uint8x16x2_t table, uint8x16_t index)
{
    uint8x16_t r;

    for (unsigned i = 0; i < 16; ++i) {
        const unsigned from = index.byte[i];
        r.byte[i] = from < 32 ? table.val[from / 16].byte[from % 16] : 0;
    }
    return r;
}

#endif
