/* Models of the intrinsics of WebAssembly's SIMD128 that generated code uses, in plain C. What each
 * does is written from the specification of its instruction; tests/isa/compare_wasm.c compares each
 * with it. */
#ifndef SPLITGEN_TEST_ISA_WASM_SIMD128_H
#define SPLITGEN_TEST_ISA_WASM_SIMD128_H

#pragma GCC system_header

#include "../bytes.h"

typedef struct v128_t {
    uint8_t byte[16];
} v128_t;

ISA_MODEL v128_t wasm_v128_load(const void *src)
{
    v128_t v;

    memcpy(&v, src, sizeof v);
    return v;
}

ISA_MODEL void wasm_v128_store(void *dst, v128_t v)
{
    memcpy(dst, &v, sizeof v);
}

/* Loads 8 bytes into the low half and clears the rest; or into one half and keeps the rest. */
ISA_MODEL v128_t wasm_v128_load64_zero(const void *src)
{
    v128_t v = {{0}};

    memcpy(&v, src, 8);
    return v;
}

ISA_MODEL v128_t wasm_v128_load64_lane(const void *src, v128_t v, int lane)
{
    memcpy(v.byte + 8 * lane, src, 8);
    return v;
}

ISA_MODEL void wasm_v128_store64_lane(void *dst, v128_t v, int lane)
{
    memcpy(dst, v.byte + 8 * lane, 8);
}

ISA_MODEL v128_t wasm_i8x16_splat(int8_t value)
{
    v128_t v;

    memset(&v, value, sizeof v);
    return v;
}

/* Lane by lane. */
#define ISA_WASM_LANES(name, ...)                                                                  \
    ISA_MODEL v128_t name(v128_t va, v128_t vb)                                                    \
    {                                                                                              \
        for (unsigned i = 0; i < 16; ++i) {                                                        \
            const uint8_t a = va.byte[i];                                                          \
            const uint8_t b = vb.byte[i];                                                          \
            va.byte[i] = (uint8_t)(__VA_ARGS__);                                                   \
        }                                                                                          \
        return va;                                                                                 \
    }

ISA_WASM_LANES(wasm_v128_or, a | b)
ISA_WASM_LANES(wasm_i8x16_sub, a - b)
ISA_WASM_LANES(wasm_i8x16_gt, (int8_t)a > (int8_t)b ? 0xff : 0)

/* Bits of a where the mask has ones, of b elsewhere. */
ISA_MODEL v128_t wasm_v128_bitselect(v128_t a, v128_t b, v128_t mask)
{
    for (unsigned i = 0; i < 16; ++i) {
        b.byte[i] = (uint8_t)((mask.byte[i] & a.byte[i]) | (~mask.byte[i] & b.byte[i]));
    }
    return b;
}

/* Bytes selected from one vector; an index beyond it gives zero. */
ISA_MODEL v128_t wasm_i8x16_swizzle(v128_t v, v128_t index)
{
    v128_t r;

    for (unsigned i = 0; i < 16; ++i) {
        r.byte[i] = index.byte[i] < 16 ? v.byte[index.byte[i]] : 0;
    }
    return r;
}

/* The same from a followed by b, with 16 constant indices. */
ISA_MODEL v128_t isa_shuffle(v128_t a, v128_t b, const uint8_t *index)
{
    v128_t r;

    for (unsigned i = 0; i < 16; ++i) {
        r.byte[i] = index[i] < 16 ? a.byte[index[i]] : b.byte[index[i] - 16];
    }
    return r;
}

#define wasm_i8x16_shuffle(a, b, ...) isa_shuffle(a, b, ISA_NUMBERS(__VA_ARGS__))
#if defined(__cplusplus)
#define ISA_NUMBERS(...)                                                                           \
    [] {                                                                                           \
        static const uint8_t numbers[16] = {__VA_ARGS__};                                          \
        return numbers;                                                                            \
    }()
#else
#define ISA_NUMBERS(...) ((const uint8_t[16]){__VA_ARGS__})
#endif

#endif
