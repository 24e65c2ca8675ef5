/* Models of the intrinsics of AVX2, AVX-512 (F, BW, DQ, VL, VBMI) and BMI2 that generated code
 * uses, in plain C. What each does is written from Intel's definition of its instruction
 * ("Operation" in the Software Developer's Manual); tests/isa/compare_x86.c compares each with the
 * instruction. */
#ifndef SPLITGEN_TEST_ISA_IMMINTRIN_H
#define SPLITGEN_TEST_ISA_IMMINTRIN_H

#pragma GCC system_header

#include "../bytes.h"

/* A processor faults at an unsupported instruction. So does a model, if the supported ones are
 * known: see vector.h here. */
#if !defined(ISA_DEMAND)
#define ISA_DEMAND(isas) ((void)0)
#endif
#define ISA_DEMAND_BYTES(bytes)                                                                    \
    ISA_DEMAND((bytes) == 64 ? SPLITGEN_CPU_AVX512 : (bytes) == 32 ? SPLITGEN_CPU_AVX2 : 0)

typedef struct __m128i {
    uint8_t byte[16];
} __m128i;

typedef struct __m256i {
    uint8_t byte[32];
} __m256i;

typedef struct __m512i {
    uint8_t byte[64];
} __m512i;

typedef uint8_t __mmask8;
typedef uint16_t __mmask16;
typedef uint32_t __mmask32;
typedef uint64_t __mmask64;

/* Loads and stores of complete vectors: unaligned, and those that require alignment. */
#define ISA_LOAD(name, type, pointer)                                                              \
    ISA_MODEL type name(pointer src)                                                               \
    {                                                                                              \
        type v;                                                                                    \
                                                                                                   \
        ISA_DEMAND_BYTES(sizeof v);                                                                \
        memcpy(&v, src, sizeof v);                                                                 \
        return v;                                                                                  \
    }

#define ISA_STORE(name, type, pointer)                                                             \
    ISA_MODEL void name(pointer dst, type v)                                                       \
    {                                                                                              \
        ISA_DEMAND_BYTES(sizeof v);                                                                \
        memcpy(dst, &v, sizeof v);                                                                 \
    }

#define ISA_STORE_ALIGNED(name, type, pointer)                                                     \
    ISA_MODEL void name(pointer dst, type v)                                                       \
    {                                                                                              \
        ISA_DEMAND_BYTES(sizeof v);                                                                \
        isa_demand_aligned(dst, sizeof v);                                                         \
        memcpy(dst, &v, sizeof v);                                                                 \
    }

ISA_LOAD(_mm_loadu_si128, __m128i, const __m128i *)
ISA_LOAD(_mm256_loadu_si256, __m256i, const __m256i *)
ISA_LOAD(_mm512_loadu_si512, __m512i, const void *)
ISA_STORE(_mm_storeu_si128, __m128i, __m128i *)
ISA_STORE(_mm256_storeu_si256, __m256i, __m256i *)
ISA_STORE(_mm512_storeu_si512, __m512i, void *)
ISA_STORE_ALIGNED(_mm512_store_si512, __m512i, void *)
ISA_STORE_ALIGNED(_mm_stream_si128, __m128i, __m128i *)
ISA_STORE_ALIGNED(_mm256_stream_si256, __m256i, __m256i *)
ISA_STORE_ALIGNED(_mm512_stream_si512, __m512i, void *)

/* Non-temporal stores take effect at once here. */
ISA_MODEL void _mm_sfence(void)
{
}

/* The low 8 bytes; the rest is cleared. */
ISA_MODEL __m128i _mm_loadl_epi64(const __m128i *src)
{
    __m128i v = {{0}};

    memcpy(&v, src, 8);
    return v;
}

ISA_MODEL void _mm_storel_epi64(__m128i *dst, __m128i v)
{
    memcpy(dst, &v, 8);
}

/* Bytes whose bit of the mask is 0 are not touched in memory. */
ISA_MODEL __m512i _mm512_mask_loadu_epi8(__m512i src, __mmask64 mask, const void *from)
{
    __m512i v = src;

    ISA_DEMAND_BYTES(sizeof v);
    for (unsigned i = 0; i < 64; ++i) {
        if ((mask >> i & 1) != 0) {
            v.byte[i] = ((const uint8_t *)from)[i];
        }
    }
    return v;
}

/* The other bytes become 0, or are not touched. Shorter vectors need AVX-512, too. */
#define ISA_MASKED(prefix, type, mask_type)                                                        \
    ISA_MODEL type prefix##_maskz_loadu_epi8(mask_type mask, const void *from)                     \
    {                                                                                              \
        type v = {{0}};                                                                            \
                                                                                                   \
        ISA_DEMAND(SPLITGEN_CPU_AVX512);                                                           \
        for (unsigned i = 0; i < sizeof v; ++i) {                                                  \
            if ((mask >> i & 1) != 0) {                                                            \
                v.byte[i] = ((const uint8_t *)from)[i];                                            \
            }                                                                                      \
        }                                                                                          \
        return v;                                                                                  \
    }                                                                                              \
                                                                                                   \
    ISA_MODEL void prefix##_mask_storeu_epi8(void *to, mask_type mask, type v)                     \
    {                                                                                              \
        ISA_DEMAND(SPLITGEN_CPU_AVX512);                                                           \
        for (unsigned i = 0; i < sizeof v; ++i) {                                                  \
            if ((mask >> i & 1) != 0) {                                                            \
                ((uint8_t *)to)[i] = v.byte[i];                                                    \
            }                                                                                      \
        }                                                                                          \
    }
ISA_MASKED(_mm, __m128i, __mmask16)
ISA_MASKED(_mm256, __m256i, __mmask32)
ISA_MASKED(_mm512, __m512i, __mmask64)

/* Vectors from numbers: the last argument is the lowest lane. */
ISA_MODEL __m128i _mm_cvtsi32_si128(int low)
{
    __m128i v = {{0}};

    isa_set_lane(v.byte, 32, 0, (uint32_t)low);
    return v;
}

ISA_MODEL __m256i _mm256_set1_epi8(char value)
{
    __m256i v;

    memset(&v, value, sizeof v);
    return v;
}

ISA_MODEL __m512i _mm512_set1_epi8(char value)
{
    __m512i v;

    memset(&v, value, sizeof v);
    return v;
}

ISA_MODEL __m512i _mm512_set1_epi32(int value)
{
    __m512i v;

    for (unsigned i = 0; i < 16; ++i) {
        isa_set_lane(v.byte, 32, i, (uint32_t)value);
    }
    return v;
}

ISA_MODEL __m512i _mm512_set_epi32(int v15, int v14, int v13, int v12, int v11, int v10, int v9,
                                   int v8, int v7, int v6, int v5, int v4, int v3, int v2, int v1,
                                   int v0)
{
    const int lanes[] = {v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15};
    __m512i v;

    for (unsigned i = 0; i < 16; ++i) {
        isa_set_lane(v.byte, 32, i, (uint32_t)lanes[i]);
    }
    return v;
}

ISA_MODEL __m512i _mm512_set_epi64(long long v7, long long v6, long long v5, long long v4,
                                   long long v3, long long v2, long long v1, long long v0)
{
    const long long lanes[] = {v0, v1, v2, v3, v4, v5, v6, v7};
    __m512i v;

    for (unsigned i = 0; i < 8; ++i) {
        isa_set_lane(v.byte, 64, i, (uint64_t)lanes[i]);
    }
    return v;
}

/* Parts of vectors. The upper part after a cast to a longer vector is undefined: this model
 * makes it visible. */
ISA_MODEL __m256i _mm256_castsi128_si256(__m128i low)
{
    __m256i v;

    memset(&v, 0xdb, sizeof v);
    memcpy(&v, &low, sizeof low);
    return v;
}

ISA_MODEL __m512i _mm512_castsi256_si512(__m256i low)
{
    __m512i v;

    memset(&v, 0xdb, sizeof v);
    memcpy(&v, &low, sizeof low);
    return v;
}

ISA_MODEL __m128i _mm256_castsi256_si128(__m256i v)
{
    __m128i low;

    memcpy(&low, &v, sizeof low);
    return low;
}

ISA_MODEL __m256i _mm512_castsi512_si256(__m512i v)
{
    __m256i low;

    memcpy(&low, &v, sizeof low);
    return low;
}

ISA_MODEL __m256i _mm256_inserti128_si256(__m256i v, __m128i half, int which)
{
    memcpy(v.byte + 16 * (which & 1), &half, sizeof half);
    return v;
}

ISA_MODEL __m512i _mm512_inserti64x4(__m512i v, __m256i half, int which)
{
    memcpy(v.byte + 32 * (which & 1), &half, sizeof half);
    return v;
}

ISA_MODEL __m128i _mm256_extracti128_si256(__m256i v, int which)
{
    __m128i half;

    memcpy(&half, v.byte + 16 * (which & 1), sizeof half);
    return half;
}

ISA_MODEL __m256i _mm512_extracti64x4_epi64(__m512i v, int which)
{
    __m256i half;

    memcpy(&half, v.byte + 32 * (which & 1), sizeof half);
    return half;
}

/* Lane by lane. */
#define ISA_LANES(name, type, bits, ...)                                                           \
    ISA_MODEL type name(type va, type vb)                                                          \
    {                                                                                              \
        type r;                                                                                    \
                                                                                                   \
        for (unsigned i = 0; i < sizeof r * 8 / (bits); ++i) {                                     \
            const uint64_t a = isa_lane(va.byte, bits, i);                                         \
            const uint64_t b = isa_lane(vb.byte, bits, i);                                         \
            isa_set_lane(r.byte, bits, i, __VA_ARGS__);                                            \
        }                                                                                          \
        return r;                                                                                  \
    }

ISA_LANES(_mm256_and_si256, __m256i, 64, a &b)
ISA_LANES(_mm256_andnot_si256, __m256i, 64, ~a &b)
ISA_LANES(_mm256_or_si256, __m256i, 64, a | b)
ISA_LANES(_mm512_or_si512, __m512i, 64, a | b)
ISA_LANES(_mm512_sub_epi8, __m512i, 8, a - b)
ISA_LANES(_mm512_sub_epi32, __m512i, 32, a - b)

/* Shifts all lanes of 64 bits by the low 64 bits of `count`. */
#define ISA_SHIFT(name, type, shifted)                                                             \
    ISA_MODEL type name(type v, __m128i count)                                                     \
    {                                                                                              \
        const uint64_t by = isa_lane(count.byte, 64, 0);                                           \
                                                                                                   \
        for (unsigned i = 0; i < sizeof v / 8; ++i) {                                              \
            const uint64_t a = isa_lane(v.byte, 64, i);                                            \
            isa_set_lane(v.byte, 64, i, by < 64 ? (shifted) : 0);                                  \
        }                                                                                          \
        return v;                                                                                  \
    }

ISA_SHIFT(_mm256_srl_epi64, __m256i, a >> by)
ISA_SHIFT(_mm256_sll_epi64, __m256i, a << by)
ISA_SHIFT(_mm512_srl_epi64, __m512i, a >> by)
ISA_SHIFT(_mm512_sll_epi64, __m512i, a << by)

/* Bit by bit: the bits of a, b and c form the index (a is bit 2) of a bit of `table`. */
ISA_MODEL __m512i _mm512_ternarylogic_epi64(__m512i a, __m512i b, __m512i c, int table)
{
    __m512i r;

    for (unsigned i = 0; i < 64; ++i) {
        unsigned byte = 0;
        for (unsigned bit = 0; bit < 8; ++bit) {
            const unsigned row = (a.byte[i] >> bit & 1U) << 2 | (b.byte[i] >> bit & 1U) << 1 |
                                 (c.byte[i] >> bit & 1U);
            byte |= ((unsigned)table >> row & 1U) << bit;
        }
        r.byte[i] = (uint8_t)byte;
    }
    return r;
}

/* Lanes of b where the mask has ones, of a elsewhere. */
ISA_MODEL __m256i _mm256_blend_epi32(__m256i a, __m256i b, int mask)
{
    for (unsigned i = 0; i < 8; ++i) {
        if (((unsigned)mask >> i & 1U) != 0) {
            isa_set_lane(a.byte, 32, i, isa_lane(b.byte, 32, i));
        }
    }
    return a;
}

/* The same mask for both halves. */
ISA_MODEL __m256i _mm256_blend_epi16(__m256i a, __m256i b, int mask)
{
    for (unsigned i = 0; i < 16; ++i) {
        if (((unsigned)mask >> i % 8 & 1U) != 0) {
            isa_set_lane(a.byte, 16, i, isa_lane(b.byte, 16, i));
        }
    }
    return a;
}

/* Selects by the highest bit of each byte. */
ISA_MODEL __m256i _mm256_blendv_epi8(__m256i a, __m256i b, __m256i mask)
{
    for (unsigned i = 0; i < 32; ++i) {
        if ((mask.byte[i] & 0x80) != 0) {
            a.byte[i] = b.byte[i];
        }
    }
    return a;
}

#define ISA_BLEND(bits, mask_type)                                                                 \
    ISA_MODEL __m512i _mm512_mask_blend_epi##bits(mask_type mask, __m512i a, __m512i b)            \
    {                                                                                              \
        for (unsigned i = 0; i < 512 / (bits); ++i) {                                              \
            if (((uint64_t)mask >> i & 1) != 0) {                                                  \
                isa_set_lane(a.byte, bits, i, isa_lane(b.byte, bits, i));                          \
            }                                                                                      \
        }                                                                                          \
        return a;                                                                                  \
    }

ISA_BLEND(8, __mmask64)
ISA_BLEND(16, __mmask32)
ISA_BLEND(32, __mmask16)
ISA_BLEND(64, __mmask8)

/* Shuffles bytes within each half; an index with the highest bit set gives zero. */
ISA_MODEL __m256i _mm256_shuffle_epi8(__m256i v, __m256i index)
{
    __m256i r;

    for (unsigned i = 0; i < 32; ++i) {
        const uint8_t from = index.byte[i];
        r.byte[i] = (from & 0x80) != 0 ? 0 : v.byte[i / 16 * 16 + from % 16];
    }
    return r;
}

/* Lanes from any position, selected by the low bits of their indexes: from one vector, from two,
 * and only where a mask has ones. */
ISA_MODEL __m256i _mm256_permutevar8x32_epi32(__m256i v, __m256i index)
{
    __m256i r;

    for (unsigned i = 0; i < 8; ++i) {
        const unsigned from = (unsigned)isa_lane(index.byte, 32, i) % 8;
        isa_set_lane(r.byte, 32, i, isa_lane(v.byte, 32, from));
    }
    return r;
}

#define ISA_PERMUTE(bits)                                                                          \
    ISA_MODEL __m512i _mm512_permutexvar_epi##bits(__m512i index, __m512i v)                       \
    {                                                                                              \
        __m512i r;                                                                                 \
                                                                                                   \
        ISA_DEMAND((bits) == 8 ? SPLITGEN_CPU_AVX512VBMI : 0);                                     \
        for (unsigned i = 0; i < 512 / (bits); ++i) {                                              \
            const unsigned from = (unsigned)(isa_lane(index.byte, bits, i) % (512 / (bits)));      \
            isa_set_lane(r.byte, bits, i, isa_lane(v.byte, bits, from));                           \
        }                                                                                          \
        return r;                                                                                  \
    }                                                                                              \
                                                                                                   \
    ISA_MODEL __m512i _mm512_permutex2var_epi##bits(__m512i a, __m512i index, __m512i b)           \
    {                                                                                              \
        const unsigned lanes = 512 / (bits);                                                       \
        __m512i r;                                                                                 \
                                                                                                   \
        ISA_DEMAND((bits) == 8 ? SPLITGEN_CPU_AVX512VBMI : 0);                                     \
        for (unsigned i = 0; i < lanes; ++i) {                                                     \
            const unsigned from = (unsigned)(isa_lane(index.byte, bits, i) % (2 * lanes));         \
            isa_set_lane(r.byte, bits, i,                                                          \
                         isa_lane(from < lanes ? a.byte : b.byte, bits, from % lanes));            \
        }                                                                                          \
        return r;                                                                                  \
    }

ISA_PERMUTE(8)
ISA_PERMUTE(16)
ISA_PERMUTE(32)
ISA_PERMUTE(64)

/* Interleaves lanes of a and b from the low or high 8 bytes of every 16. */
#define ISA_UNPACK(name, type, bits, half)                                                         \
    ISA_MODEL type name(type a, type b)                                                            \
    {                                                                                              \
        const unsigned lanes = 128 / (bits);                                                       \
        type r;                                                                                    \
                                                                                                   \
        for (unsigned i = 0; i < sizeof r * 8 / (bits); ++i) {                                     \
            const unsigned from = i / lanes * lanes + (half)*lanes / 2 + i % lanes / 2;            \
            isa_set_lane(r.byte, bits, i, isa_lane(i % 2 == 0 ? a.byte : b.byte, bits, from));     \
        }                                                                                          \
        return r;                                                                                  \
    }

ISA_UNPACK(_mm_unpacklo_epi64, __m128i, 64, 0)
ISA_UNPACK(_mm_unpackhi_epi64, __m128i, 64, 1)
ISA_UNPACK(_mm256_unpacklo_epi8, __m256i, 8, 0)
ISA_UNPACK(_mm256_unpackhi_epi8, __m256i, 8, 1)
ISA_UNPACK(_mm256_unpacklo_epi16, __m256i, 16, 0)
ISA_UNPACK(_mm256_unpackhi_epi16, __m256i, 16, 1)
ISA_UNPACK(_mm256_unpacklo_epi32, __m256i, 32, 0)
ISA_UNPACK(_mm256_unpackhi_epi32, __m256i, 32, 1)
ISA_UNPACK(_mm256_unpacklo_epi64, __m256i, 64, 0)
ISA_UNPACK(_mm256_unpackhi_epi64, __m256i, 64, 1)
ISA_UNPACK(_mm512_unpacklo_epi8, __m512i, 8, 0)
ISA_UNPACK(_mm512_unpackhi_epi8, __m512i, 8, 1)
ISA_UNPACK(_mm512_unpacklo_epi16, __m512i, 16, 0)
ISA_UNPACK(_mm512_unpackhi_epi16, __m512i, 16, 1)
ISA_UNPACK(_mm512_unpacklo_epi32, __m512i, 32, 0)
ISA_UNPACK(_mm512_unpackhi_epi32, __m512i, 32, 1)
ISA_UNPACK(_mm512_unpacklo_epi64, __m512i, 64, 0)
ISA_UNPACK(_mm512_unpackhi_epi64, __m512i, 64, 1)

/* The bits of v where the mask has ones, packed at the low end. */
ISA_MODEL uint64_t _pext_u64(uint64_t v, uint64_t mask)
{
    uint64_t r = 0;
    unsigned to = 0;

    for (unsigned i = 0; i < 64; ++i) {
        if ((mask >> i & 1) != 0) {
            r |= (v >> i & 1) << to;
            ++to;
        }
    }
    return r;
}

#endif
