/* Loops that split 2, 3 and 4 ways on AArch64 as image libraries have them, beside the kernels of
 * neon_table.py: to be counted, not to be timed. Written after what the libraries do:
 *
 *   ld    one structured load per tile, pointers that move on, rows counted down:
 * SplitUVRow_NEON, SplitRGBRow_NEON and SplitARGBRow_NEON of libyuv (source/row_neon64.cc) cv the
 * same by an index, the last tile overlapping: vecsplit_ of OpenCV
 *         (modules/core/src/split.simd.hpp) with v_load_deinterleave (intrin_neon.hpp)
 *   uzp   plain loads and unzips, as neither of them has it
 *
 *   neon_count FORM BYTES WAYS ROWS
 *
 * runs one of them, or FORM run, the generated kernel, over ROWS rows; exit code 1 when its outputs
 * are wrong. */
#include <arm_neon.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <splitgen/splitgen.h>

#define MAX_ROWS 2048
#define NOINLINE __attribute__((noinline))

typedef void loop(const void *input, unsigned char *const outputs[], size_t rows);

/* A vector of every element size under one name, so that each loop is written once. */
#define VECTORS(X)                                                                                 \
    X(8, 16)                                                                                       \
    X(16, 8)                                                                                       \
    X(32, 4)

#define STORE(bits, i)    vst1q_u##bits(out##i, v.val[i]);
#define MOVE(lanes, i)    out##i += (lanes);
#define STORE_AT(bits, i) vst1q_u##bits(out##i + row, v.val[i]);
#define EACH2(f, x)       f(x, 0) f(x, 1)
#define EACH3(f, x)       f(x, 0) f(x, 1) f(x, 2)
#define EACH4(f, x)       f(x, 0) f(x, 1) f(x, 2) f(x, 3)
#define OUT(bits, i)      uint##bits##_t *out##i = (uint##bits##_t *)(void *)outputs[i];

#define LD(bits, lanes, ways)                                                                      \
    static NOINLINE void ld_##bits##_##ways(const void *input, unsigned char *const outputs[],     \
                                            size_t rows)                                           \
    {                                                                                              \
        const uint##bits##_t *in = (const uint##bits##_t *)input;                                  \
        EACH##ways(OUT, bits) do                                                                   \
        {                                                                                          \
            const uint##bits##x##lanes##x##ways##_t v = vld##ways##q_u##bits(in);                  \
            EACH##ways(STORE, bits) EACH##ways(MOVE, lanes) in += (lanes) * (ways);                \
            rows -= (lanes);                                                                       \
        }                                                                                          \
        while (rows > 0)                                                                           \
            ;                                                                                      \
    }

#define CV(bits, lanes, ways)                                                                      \
    static NOINLINE void cv_##bits##_##ways(const void *input, unsigned char *const outputs[],     \
                                            size_t rows)                                           \
    {                                                                                              \
        const uint##bits##_t *in = (const uint##bits##_t *)input;                                  \
        EACH##ways(OUT, bits) for (size_t row = 0; row < rows; row += (lanes))                     \
        {                                                                                          \
            if (row > rows - (lanes)) {                                                            \
                row = rows - (lanes);                                                              \
            }                                                                                      \
            const uint##bits##x##lanes##x##ways##_t v = vld##ways##q_u##bits(in + row * (ways));   \
            EACH##ways(STORE_AT, bits)                                                             \
        }                                                                                          \
    }

#define LOOPS(bits, lanes)                                                                         \
    LD(bits, lanes, 2)                                                                             \
    LD(bits, lanes, 3)                                                                             \
    LD(bits, lanes, 4)                                                                             \
    CV(bits, lanes, 2)                                                                             \
    CV(bits, lanes, 3)                                                                             \
    CV(bits, lanes, 4)                                                                             \
    static NOINLINE void uzp_##bits##_2(const void *input, unsigned char *const outputs[],         \
                                        size_t rows)                                               \
    {                                                                                              \
        const uint##bits##_t *in = (const uint##bits##_t *)input;                                  \
        EACH2(OUT, bits)                                                                           \
        for (; rows > 0; rows -= (lanes)) {                                                        \
            const uint##bits##x##lanes##_t a = vld1q_u##bits(in);                                  \
            const uint##bits##x##lanes##_t b = vld1q_u##bits(in + (lanes));                        \
            vst1q_u##bits(out0, vuzp1q_u##bits(a, b));                                             \
            vst1q_u##bits(out1, vuzp2q_u##bits(a, b));                                             \
            in += 2 * (lanes);                                                                     \
            EACH2(MOVE, lanes)                                                                     \
        }                                                                                          \
    }                                                                                              \
    static NOINLINE void uzp_##bits##_4(const void *input, unsigned char *const outputs[],         \
                                        size_t rows)                                               \
    {                                                                                              \
        const uint##bits##_t *in = (const uint##bits##_t *)input;                                  \
        EACH4(OUT, bits)                                                                           \
        for (; rows > 0; rows -= (lanes)) {                                                        \
            const uint##bits##x##lanes##_t a = vld1q_u##bits(in);                                  \
            const uint##bits##x##lanes##_t b = vld1q_u##bits(in + (lanes));                        \
            const uint##bits##x##lanes##_t c = vld1q_u##bits(in + 2 * (lanes));                    \
            const uint##bits##x##lanes##_t d = vld1q_u##bits(in + 3 * (lanes));                    \
            const uint##bits##x##lanes##_t even0 = vuzp1q_u##bits(a, b);                           \
            const uint##bits##x##lanes##_t even1 = vuzp1q_u##bits(c, d);                           \
            const uint##bits##x##lanes##_t odd0 = vuzp2q_u##bits(a, b);                            \
            const uint##bits##x##lanes##_t odd1 = vuzp2q_u##bits(c, d);                            \
            vst1q_u##bits(out0, vuzp1q_u##bits(even0, even1));                                     \
            vst1q_u##bits(out1, vuzp1q_u##bits(odd0, odd1));                                       \
            vst1q_u##bits(out2, vuzp2q_u##bits(even0, even1));                                     \
            vst1q_u##bits(out3, vuzp2q_u##bits(odd0, odd1));                                       \
            in += 4 * (lanes);                                                                     \
            EACH4(MOVE, lanes)                                                                     \
        }                                                                                          \
    }
VECTORS(LOOPS)

#define KERNEL(bits, ways)   extern const splitgen_kernel run_##bits##_##ways##_kernel;
#define KERNELS(bits, lanes) KERNEL(bits, 2) KERNEL(bits, 3) KERNEL(bits, 4)
VECTORS(KERNELS)

typedef struct entry {
    int bits;
    int ways;
    const splitgen_kernel *kernel;
    loop *ld, *cv, *uzp;
} entry;

#define ENTRIES(bits, lanes)                                                                       \
    {bits, 2, &run_##bits##_2_kernel, ld_##bits##_2, cv_##bits##_2, uzp_##bits##_2},               \
        {bits, 3, &run_##bits##_3_kernel, ld_##bits##_3, cv_##bits##_3, NULL},                     \
        {bits, 4, &run_##bits##_4_kernel, ld_##bits##_4, cv_##bits##_4, uzp_##bits##_4},

static const entry entries[] = {VECTORS(ENTRIES)};

static union {
    unsigned char bytes[MAX_ROWS * 16];
    uint32_t aligned;
} input;
static union {
    unsigned char bytes[4][MAX_ROWS * 4];
    uint32_t aligned;
} output;

static bool run(const char *form, const entry *e, unsigned char *const outputs[], size_t rows)
{
    loop *chosen = strcmp(form, "ld") == 0    ? e->ld
                   : strcmp(form, "cv") == 0  ? e->cv
                   : strcmp(form, "uzp") == 0 ? e->uzp
                                              : NULL;
    if (strcmp(form, "run") == 0) {
        void *pointers[4] = {outputs[0], outputs[1], outputs[2], outputs[3]};
        e->kernel->split_rows(input.bytes, pointers, 0, rows);
        return true;
    }
    if (chosen != NULL) {
        chosen(input.bytes, outputs, rows);
    }
    return chosen != NULL;
}

int main(int argc, char **argv)
{
    unsigned char *outputs[4];
    if (argc != 5) {
        return 2;
    }
    const size_t bytes = (size_t)atoi(argv[2]);
    const size_t ways = (size_t)atoi(argv[3]);
    const size_t rows = (size_t)atoi(argv[4]);
    /* always fills all of it, so that only the loop differs from run to run */
    for (size_t i = 0; i < sizeof input.bytes; ++i) {
        input.bytes[i] = (unsigned char)(i * 7 + i / 251);
    }
    for (size_t i = 0; i < 4; ++i) {
        outputs[i] = output.bytes[i];
    }
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; ++i) {
        if ((size_t)entries[i].bits != 8 * bytes || (size_t)entries[i].ways != ways) {
            continue;
        }
        if (!run(argv[1], &entries[i], outputs, rows)) {
            return 3;
        }
        return memcmp(outputs[1] + (rows - 1) * bytes,
                      input.bytes + ((rows - 1) * ways + 1) * bytes, bytes) != 0;
    }
    return 2;
}
