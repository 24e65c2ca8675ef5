/* Vector constants by rule, instead of rows of numbers in generated code: indices of shuffles and
 * masks of blends. Included by generated code only. */
#ifndef SPLITGEN_LANE_RULES_H
#define SPLITGEN_LANE_RULES_H

/* Declares `name`, a vector that is loaded from a table of its lanes: a list in braces, or one of
 * the rules below. AVX-512 also needs the type and the number of lanes. */
#define SPLITGEN_TABLE(vector, load, name, lane, count, ...)                                       \
    static const lane name##_lanes[count] = __VA_ARGS__;                                           \
    const vector name = load(name##_lanes)
#define SPLITGEN_AVX512_TABLE(...) SPLITGEN_TABLE(__m512i, _mm512_loadu_si512, __VA_ARGS__)
#define SPLITGEN_AVX2_TABLE(name, ...)                                                             \
    SPLITGEN_TABLE(__m256i, splitgen_constant_avx2, name, uint32_t, 8, __VA_ARGS__)
#define SPLITGEN_AVX2BYTE_TABLE(name, ...)                                                         \
    SPLITGEN_TABLE(__m256i, splitgen_load_avx2, name, uint8_t, 32, __VA_ARGS__)
#define SPLITGEN_NEON_TABLE(name, ...)                                                             \
    SPLITGEN_TABLE(uint8x16_t, splitgen_constant_neon, name, uint8_t, 16, __VA_ARGS__)
#define SPLITGEN_WASM_TABLE(name, ...)                                                             \
    SPLITGEN_TABLE(v128_t, wasm_v128_load, name, uint8_t, 16, __VA_ARGS__)

/* Lane i of an index: first + step * i, modulo `end`. */
#define SPLITGEN_LANE(i, step, first, end) (((first) + (step) * (i)) % (end))
#define SPLITGEN_4_LANES(i, step, first, end)                                                      \
    SPLITGEN_LANE(i, step, first, end), SPLITGEN_LANE((i) + 1, step, first, end),                  \
        SPLITGEN_LANE((i) + 2, step, first, end), SPLITGEN_LANE((i) + 3, step, first, end)
#define SPLITGEN_16_LANES(i, step, first, end)                                                     \
    SPLITGEN_4_LANES(i, step, first, end), SPLITGEN_4_LANES((i) + 4, step, first, end),            \
        SPLITGEN_4_LANES((i) + 8, step, first, end), SPLITGEN_4_LANES((i) + 12, step, first, end)

/* Arrays of such lanes; 2X16 has the same 16 in each half of 32, as byte shuffles of AVX2 need. */
#define SPLITGEN_LANES_8(step, first, end)                                                         \
    {                                                                                              \
        SPLITGEN_4_LANES(0, step, first, end), SPLITGEN_4_LANES(4, step, first, end)               \
    }
#define SPLITGEN_LANES_16(step, first, end)                                                        \
    {                                                                                              \
        SPLITGEN_16_LANES(0, step, first, end)                                                     \
    }
#define SPLITGEN_LANES_2X16(step, first, end)                                                      \
    {                                                                                              \
        SPLITGEN_16_LANES(0, step, first, end), SPLITGEN_16_LANES(0, step, first, end)             \
    }
#define SPLITGEN_LANES_64(step, first, end)                                                        \
    {                                                                                              \
        SPLITGEN_16_LANES(0, step, first, end), SPLITGEN_16_LANES(16, step, first, end),           \
            SPLITGEN_16_LANES(32, step, first, end), SPLITGEN_16_LANES(48, step, first, end)       \
    }

/* Byte masks: all bits of bytes first + step * i, and no other bits. */
#define SPLITGEN_MARK(i, step, first) ((i) % (step) == (first) ? 255 : 0)
#define SPLITGEN_4_MARKS(i, step, first)                                                           \
    SPLITGEN_MARK(i, step, first), SPLITGEN_MARK((i) + 1, step, first),                            \
        SPLITGEN_MARK((i) + 2, step, first), SPLITGEN_MARK((i) + 3, step, first)
#define SPLITGEN_16_MARKS(step, first)                                                             \
    SPLITGEN_4_MARKS(0, step, first), SPLITGEN_4_MARKS(4, step, first),                            \
        SPLITGEN_4_MARKS(8, step, first), SPLITGEN_4_MARKS(12, step, first)
#define SPLITGEN_MARKS_16(step, first)                                                             \
    {                                                                                              \
        SPLITGEN_16_MARKS(step, first)                                                             \
    }
#define SPLITGEN_MARKS_2X16(step, first)                                                           \
    {                                                                                              \
        SPLITGEN_16_MARKS(step, first), SPLITGEN_16_MARKS(step, first)                             \
    }

#endif
