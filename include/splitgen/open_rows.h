/* Copies of runs whose length is known only at run time; each call copies the same run of many
 * rows. Included by generated code only. With SPLITGEN_ROWS_CPU, an expression for the bits of
 * splitgen_cpu(), it uses vectors. */
#ifndef SPLITGEN_OPEN_ROWS_H
#define SPLITGEN_OPEN_ROWS_H

#if defined(SPLITGEN_ROWS_CPU)
#include <splitgen/vector.h>
#endif

#include <splitgen/put.h>
#include <splitgen/splitgen.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Runs of `unit` to 2 * unit bytes, by two moves of `unit` that overlap. Two rows per iteration,
 * because the loop takes as long as the moves (generator/plan/MEASURED.md, Rows of an open length).
 */
SPLITGEN_COPY void splitgen_rows_by(unsigned char *SPLITGEN_RESTRICT d, size_t to_step,
                                    const unsigned char *SPLITGEN_RESTRICT s, size_t from_step,
                                    size_t bytes, size_t rows, size_t unit)
{
    const size_t last = bytes - unit;
    size_t left = rows;

    if (last == 0) {
        for (; left >= 2; left -= 2, d += 2 * to_step, s += 2 * from_step) {
            memcpy(d, s, unit);
            memcpy(d + to_step, s + from_step, unit);
        }
    }
    for (; left >= 2; left -= 2, d += 2 * to_step, s += 2 * from_step) {
        memcpy(d, s, unit);
        memcpy(d + last, s + last, unit);
        memcpy(d + to_step, s + from_step, unit);
        memcpy(d + to_step + last, s + from_step + last, unit);
    }
    if (left > 0) {
        memcpy(d, s, unit);
        memcpy(d + last, s + last, unit);
    }
}

/* Runs of up to 32 bytes. */
SPLITGEN_COPY void splitgen_rows_narrow(unsigned char *SPLITGEN_RESTRICT d, size_t to_step,
                                        const unsigned char *SPLITGEN_RESTRICT s, size_t from_step,
                                        size_t bytes, size_t rows)
{
    if (bytes >= 16) {
        splitgen_rows_by(d, to_step, s, from_step, bytes, rows, 16);
    } else if (bytes >= 8) {
        splitgen_rows_by(d, to_step, s, from_step, bytes, rows, 8);
    } else if (bytes >= 4) {
        splitgen_rows_by(d, to_step, s, from_step, bytes, rows, 4);
    } else if (bytes >= 2) {
        splitgen_rows_by(d, to_step, s, from_step, bytes, rows, 2);
    } else if (bytes == 1) {
        splitgen_rows_by(d, to_step, s, from_step, bytes, rows, 1);
    } else {
        /* nothing */
    }
}

SPLITGEN_COPY void splitgen_move_32(unsigned char *d, const unsigned char *s)
{
    memcpy(d, s, 16);
    memcpy(d + 16, s + 16, 16);
}

/* splitgen_rows_SUFFIX(): the size class of the run is selected once for all rows. The last moves
 * of a run overlap those before. Runs longer than `most` are left to the C library
 * (generator/plan/MEASURED.md, Rows of an open length). */
#define SPLITGEN_ROWS(suffix, target, move, most)                                                  \
    target SPLITGEN_COPY void splitgen_move_128_##suffix(unsigned char *d, const unsigned char *s) \
    {                                                                                              \
        move(d, s);                                                                                \
        move(d + 32, s + 32);                                                                      \
        move(d + 64, s + 64);                                                                      \
        move(d + 96, s + 96);                                                                      \
        SPLITGEN_IN_ORDER(); /* otherwise compilers turn the loop around it into a call */         \
    }                                                                                              \
                                                                                                   \
    target SPLITGEN_ONCE void splitgen_rows_##suffix(                                              \
        unsigned char *SPLITGEN_RESTRICT d, size_t to_step,                                        \
        const unsigned char *SPLITGEN_RESTRICT s, size_t from_step, size_t bytes, size_t rows)     \
    {                                                                                              \
        if (bytes <= 32) {                                                                         \
            splitgen_rows_narrow(d, to_step, s, from_step, bytes, rows);                           \
        } else if (bytes <= 64) {                                                                  \
            for (size_t row = 0; row < rows; ++row, d += to_step, s += from_step) {                \
                move(d, s);                                                                        \
                move(d + bytes - 32, s + bytes - 32);                                              \
            }                                                                                      \
        } else if (bytes < 128) {                                                                  \
            for (size_t row = 0; row < rows; ++row, d += to_step, s += from_step) {                \
                move(d, s);                                                                        \
                move(d + 32, s + 32);                                                              \
                move(d + bytes - 64, s + bytes - 64);                                              \
                move(d + bytes - 32, s + bytes - 32);                                              \
            }                                                                                      \
        } else if (bytes <= (most)) {                                                              \
            const size_t last = bytes - 128;                                                       \
                                                                                                   \
            for (size_t row = 0; row < rows; ++row, d += to_step, s += from_step) {                \
                for (size_t i = 0; i < last; i += 128) {                                           \
                    splitgen_move_128_##suffix(d + i, s + i);                                      \
                }                                                                                  \
                splitgen_move_128_##suffix(d + last, s + last);                                    \
            }                                                                                      \
        } else {                                                                                   \
            for (size_t row = 0; row < rows; ++row, d += to_step, s += from_step) {                \
                memcpy(d, s, bytes);                                                               \
            }                                                                                      \
        }                                                                                          \
    }
SPLITGEN_ROWS(plain, , splitgen_move_32, 128)
#if defined(SPLITGEN_ROWS_CPU) && SPLITGEN_X86
SPLITGEN_TARGET_AVX2
SPLITGEN_COPY void splitgen_move_32_avx2(unsigned char *d, const unsigned char *s)
{
    splitgen_store_avx2(d, splitgen_load_avx2(s));
}
SPLITGEN_ROWS(avx2, SPLITGEN_TARGET_AVX2, splitgen_move_32_avx2, 1024)
#endif
#undef SPLITGEN_ROWS

/* The same with the fastest moves of the processor. */
SPLITGEN_ONCE void splitgen_rows_best(unsigned char *SPLITGEN_RESTRICT d, size_t to_step,
                                      const unsigned char *SPLITGEN_RESTRICT s, size_t from_step,
                                      size_t bytes, size_t rows)
{
#if defined(SPLITGEN_ROWS_CPU) && SPLITGEN_X86
    if ((SPLITGEN_ROWS_CPU & SPLITGEN_CPU_AVX2) != 0) {
        splitgen_rows_avx2(d, to_step, s, from_step, bytes, rows);
        return;
    }
#endif
    splitgen_rows_plain(d, to_step, s, from_step, bytes, rows);
}

/* For this many rows or fewer, copying takes less time than a call and the selection of a size
 * class. */
#define SPLITGEN_FEW_ROWS 3

/* Copies `bytes` of each row. The rows of the output are to_step bytes apart, those of the input
 * from_step. */
SPLITGEN_COPY void splitgen_copy_rows(void *SPLITGEN_RESTRICT dst, size_t to_step,
                                      const void *SPLITGEN_RESTRICT src, size_t from_step,
                                      size_t bytes, size_t rows)
{
    unsigned char *d = SPLITGEN_POINTER(unsigned char, dst);
    const unsigned char *s = SPLITGEN_POINTER(const unsigned char, src);

#if !defined(SPLITGEN_PROVER)
    if (rows == 1) {
        splitgen_copy_open(d, s, bytes);
        return;
    }
    if (rows > SPLITGEN_FEW_ROWS) {
        splitgen_rows_best(d, to_step, s, from_step, bytes, rows);
        return;
    }
#endif
    for (size_t row = 0; row < rows; ++row) {
        splitgen_copy_open(d + row * to_step, s + row * from_step, bytes);
    }
}

#ifdef __cplusplus
}
#endif

#endif
