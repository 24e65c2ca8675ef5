/* Compares the models of models/wasm/wasm_simd128.h with the instructions (compare.h). */
#include <wasm_simd128.h>

#define A        wasm_v128_load(in_a)
#define B        wasm_v128_load(in_b)
#define C        wasm_v128_load(in_c)
#define PUT(...) wasm_v128_store(result, __VA_ARGS__)

#define COMPARISONS(X)                                                                             \
    X(wasm_v128_load, PUT(wasm_v128_load(in_a + 5)))                                               \
    X(wasm_v128_store, wasm_v128_store(result + 3, A))                                             \
    X(wasm_v128_store64_lane, wasm_v128_store64_lane(result + 3, A, 0);                            \
      wasm_v128_store64_lane(result + 16, A, 1))                                                   \
    X(wasm_v128_load64_zero, PUT(wasm_v128_load64_zero(in_a + 1)))                                 \
    X(wasm_v128_load64_lane, PUT(wasm_v128_load64_lane(in_b + 1, A, 0));                           \
      wasm_v128_store(result + 16, wasm_v128_load64_lane(in_b + 1, A, 1)))                         \
    X(wasm_i8x16_splat, PUT(wasm_i8x16_splat((int8_t)in_a[0])))                                    \
    X(wasm_v128_or, PUT(wasm_v128_or(A, B)))                                                       \
    X(wasm_i8x16_sub, PUT(wasm_i8x16_sub(A, B)))                                                   \
    X(wasm_i8x16_gt, PUT(wasm_i8x16_gt(A, B)))                                                     \
    X(wasm_v128_bitselect, PUT(wasm_v128_bitselect(A, B, C)))                                      \
    X(wasm_i8x16_swizzle, PUT(wasm_i8x16_swizzle(A, B)))                                           \
    X(wasm_i8x16_shuffle,                                                                          \
      PUT(wasm_i8x16_shuffle(A, B, 31, 0, 16, 15, 1, 2, 30, 29, 4, 8, 12, 20, 24, 28, 7, 7)))

#include "compare.h"
