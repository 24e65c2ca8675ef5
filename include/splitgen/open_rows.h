/* Copies of runs whose length is known only at run time; each call copies runs of one length, in
 * many rows. Included by generated code only. With SPLITGEN_ROWS_CPU, an expression for the bits of
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

/* A run of every row: where its first row begins in the output and in the input, and how many bytes
 * apart its rows are. */
typedef struct {
    void *to;
    size_t to_step;
    const void *from;
    size_t from_step;
} splitgen_column;

/* A statement that copies from s to d, for every row of every column. */
#define SPLITGEN_ROW_BY_ROW(copy)                                                                  \
    for (const splitgen_column *column = columns; column < columns + count; ++column) {            \
        unsigned char *d = SPLITGEN_POINTER(unsigned char, column->to);                            \
        const unsigned char *s = SPLITGEN_POINTER(const unsigned char, column->from);              \
        const size_t to_step = column->to_step;                                                    \
        const size_t from_step = column->from_step;                                                \
                                                                                                   \
        for (size_t left = rows; left > 0; --left, d += to_step, s += from_step) {                 \
            copy                                                                                   \
        }                                                                                          \
    }

/* The same, four rows per iteration, as the loop takes as long as short moves. Multiples of the
 * steps are hidden, because clang would add one step after the other (generator/plan/MEASURED.md,
 * Rows of an open length). */
#if defined(__OPTIMIZE_SIZE__)
#define SPLITGEN_EACH_ROW(copy) SPLITGEN_ROW_BY_ROW(copy)
#else
#define SPLITGEN_ROW(to_offset, from_offset, copy)                                                 \
    {                                                                                              \
        unsigned char *const d = to + (to_offset);                                                 \
        const unsigned char *const s = from + (from_offset);                                       \
                                                                                                   \
        copy                                                                                       \
    }
#define SPLITGEN_EACH_ROW(copy)                                                                    \
    for (const splitgen_column *column = columns; column < columns + count; ++column) {            \
        unsigned char *to = SPLITGEN_POINTER(unsigned char, column->to);                           \
        const unsigned char *from = SPLITGEN_POINTER(const unsigned char, column->from);           \
        const size_t to_step = column->to_step;                                                    \
        const size_t from_step = column->from_step;                                                \
        size_t to_2 = 2 * to_step;                                                                 \
        size_t to_3 = 3 * to_step;                                                                 \
        size_t from_2 = 2 * from_step;                                                             \
        size_t from_3 = 3 * from_step;                                                             \
        size_t left = rows;                                                                        \
                                                                                                   \
        SPLITGEN_KEEP_NUMBER(to_2);                                                                \
        SPLITGEN_KEEP_NUMBER(to_3);                                                                \
        SPLITGEN_KEEP_NUMBER(from_2);                                                              \
        SPLITGEN_KEEP_NUMBER(from_3);                                                              \
        for (; left >= 4; left -= 4, to += 4 * to_step, from += 4 * from_step) {                   \
            SPLITGEN_ROW(0, 0, copy)                                                               \
            SPLITGEN_ROW(to_step, from_step, copy)                                                 \
            SPLITGEN_ROW(to_2, from_2, copy)                                                       \
            SPLITGEN_ROW(to_3, from_3, copy)                                                       \
        }                                                                                          \
        for (; left > 0; --left, to += to_step, from += from_step) {                               \
            SPLITGEN_ROW(0, 0, copy)                                                               \
        }                                                                                          \
    }
#endif

/* Runs of `unit` to 2 * unit bytes, by moves of `unit` that overlap. */
SPLITGEN_COPY void splitgen_rows_by(const splitgen_column *columns, size_t count, size_t bytes,
                                    size_t rows, size_t unit)
{
    const size_t last = bytes - unit;

    if (last == 0) {
        SPLITGEN_EACH_ROW(memcpy(d, s, unit);)
    } else {
        SPLITGEN_EACH_ROW(memcpy(d, s, unit); memcpy(d + last, s + last, unit);)
    }
}

/* Runs of up to 31 bytes. */
SPLITGEN_COPY void splitgen_rows_narrow(const splitgen_column *columns, size_t count, size_t bytes,
                                        size_t rows)
{
    if (bytes >= 16) {
        splitgen_rows_by(columns, count, bytes, rows, 16);
    } else if (bytes >= 8) {
        splitgen_rows_by(columns, count, bytes, rows, 8);
    } else if (bytes >= 4) {
        splitgen_rows_by(columns, count, bytes, rows, 4);
    } else if (bytes >= 2) {
        splitgen_rows_by(columns, count, bytes, rows, 2);
    } else if (bytes == 1) {
        splitgen_rows_by(columns, count, bytes, rows, 1);
    } else {
        /* nothing */
    }
}

SPLITGEN_COPY void splitgen_move_32(unsigned char *d, const unsigned char *s)
{
    memcpy(d, s, 16);
    memcpy(d + 16, s + 16, 16);
}

SPLITGEN_COPY void splitgen_move_64(unsigned char *d, const unsigned char *s)
{
    splitgen_move_32(d, s);
    splitgen_move_32(d + 32, s + 32);
}

SPLITGEN_COPY void splitgen_rows_wide(const splitgen_column *columns, size_t count, size_t bytes,
                                      size_t rows)
{
    SPLITGEN_ROW_BY_ROW(memcpy(d, s, bytes);)
}

/* splitgen_rows_SUFFIX(): the size class of the runs is selected once for all rows of all columns.
 * The last move of a run overlaps the one before. Moves of 64 bytes are for runs that end near a
 * multiple of 64: if the next run begins at another offset in a cache line, they cross lines, as
 * smaller moves do less often. Runs beyond the last class are copied by `wide`
 * (generator/plan/MEASURED.md, Rows of an open length). */
#define SPLITGEN_LAST(move, size) move(d + bytes - (size), s + bytes - (size));
#define SPLITGEN_MOVE_16(d, s)    memcpy(d, s, 16)
#define SPLITGEN_ROW_COPIES(suffix, target, narrow, move_32, move_64, wide)                        \
    target SPLITGEN_ONCE void splitgen_rows_##suffix(const splitgen_column *columns, size_t count, \
                                                     size_t bytes, size_t rows)                    \
    {                                                                                              \
        if (bytes < 32) {                                                                          \
            narrow(columns, count, bytes, rows);                                                   \
        } else if (bytes == 32) {                                                                  \
            SPLITGEN_EACH_ROW(move_32(d, s);)                                                      \
        } else if (bytes <= 48) {                                                                  \
            SPLITGEN_EACH_ROW(move_32(d, s); SPLITGEN_LAST(SPLITGEN_MOVE_16, 16))                  \
        } else if (bytes < 64) {                                                                   \
            SPLITGEN_EACH_ROW(move_32(d, s); SPLITGEN_LAST(move_32, 32))                           \
        } else if (bytes == 64) {                                                                  \
            SPLITGEN_EACH_ROW(move_64(d, s);)                                                      \
        } else if (bytes <= 96) {                                                                  \
            SPLITGEN_EACH_ROW(move_32(d, s); move_32(d + 32, s + 32); SPLITGEN_LAST(move_32, 32))  \
        } else if (bytes <= 128) {                                                                 \
            SPLITGEN_EACH_ROW(move_64(d, s); SPLITGEN_LAST(move_64, 64))                           \
        } else if (bytes <= 160) {                                                                 \
            SPLITGEN_ROW_BY_ROW(move_32(d, s); move_32(d + 32, s + 32); move_32(d + 64, s + 64);   \
                                move_32(d + 96, s + 96); SPLITGEN_LAST(move_32, 32))               \
        } else if (bytes <= 192) {                                                                 \
            SPLITGEN_ROW_BY_ROW(move_64(d, s); move_64(d + 64, s + 64);                            \
                                SPLITGEN_LAST(move_64, 64))                                        \
        } else if (bytes <= 256) {                                                                 \
            SPLITGEN_ROW_BY_ROW(move_64(d, s); move_64(d + 64, s + 64);                            \
                                SPLITGEN_LAST(move_64, 128) SPLITGEN_LAST(move_64, 64))            \
        } else {                                                                                   \
            wide(columns, count, bytes, rows);                                                     \
        }                                                                                          \
    }
SPLITGEN_ROW_COPIES(plain, , splitgen_rows_narrow, splitgen_move_32, splitgen_move_64,
                    splitgen_rows_wide)

#if defined(SPLITGEN_ROWS_CPU) && SPLITGEN_X86
/* Runs beyond this are left to the C library. */
#define SPLITGEN_WIDE_MAX 2048

SPLITGEN_TARGET_AVX2
SPLITGEN_COPY void splitgen_move_32_avx2(unsigned char *d, const unsigned char *s)
{
    splitgen_store_avx2(d, splitgen_load_avx2(s));
}

SPLITGEN_TARGET_AVX2
SPLITGEN_COPY void splitgen_move_64_avx2(unsigned char *d, const unsigned char *s)
{
    splitgen_move_32_avx2(d, s);
    splitgen_move_32_avx2(d + 32, s + 32);
}

SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_move_64_avx512(unsigned char *d, const unsigned char *s)
{
    _mm512_storeu_si512(d, _mm512_loadu_si512(s));
}

/* Runs of up to 31 bytes: one masked move takes less time than two that overlap. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_rows_narrow_avx512(const splitgen_column *columns, size_t count,
                                               size_t bytes, size_t rows)
{
    const __mmask32 mask = (1U << bytes) - 1;

    if (bytes <= 8 || bytes == 16) {
        splitgen_rows_narrow(columns, count, bytes, rows);
    } else if (bytes < 16) {
        const __mmask16 low = SPLITGEN_NUMBER(__mmask16, mask);

        SPLITGEN_EACH_ROW(_mm_mask_storeu_epi8(d, low, _mm_maskz_loadu_epi8(low, s));)
    } else {
        SPLITGEN_EACH_ROW(_mm256_mask_storeu_epi8(d, mask, _mm256_maskz_loadu_epi8(mask, s));)
    }
}

/* splitgen_aligned_ISA() stores at multiples of a vector, except the first and last ones, which
 * overlap them. */
#define SPLITGEN_WIDE(isa, target, vector, move)                                                   \
    target SPLITGEN_COPY void splitgen_aligned_##isa(unsigned char *d, const unsigned char *s,     \
                                                     size_t bytes)                                 \
    {                                                                                              \
        const size_t size = (vector);                                                              \
        const size_t last = bytes - size;                                                          \
        size_t at = size - SPLITGEN_ADDRESS(d) % size;                                             \
                                                                                                   \
        move(d, s);                                                                                \
        for (; at + 3 * size < last; at += 4 * size) {                                             \
            move(d + at, s + at);                                                                  \
            move(d + at + size, s + at + size);                                                    \
            move(d + at + 2 * size, s + at + 2 * size);                                            \
            move(d + at + 3 * size, s + at + 3 * size);                                            \
            SPLITGEN_IN_ORDER(); /* otherwise compilers turn the loop into a call */               \
        }                                                                                          \
        for (; at < last; at += size) {                                                            \
            move(d + at, s + at);                                                                  \
            SPLITGEN_IN_ORDER();                                                                   \
        }                                                                                          \
        move(d + last, s + last);                                                                  \
    }                                                                                              \
                                                                                                   \
    target SPLITGEN_COPY void splitgen_rows_wide_##isa(const splitgen_column *columns,             \
                                                       size_t count, size_t bytes, size_t rows)    \
    {                                                                                              \
        if (bytes <= SPLITGEN_WIDE_MAX) {                                                          \
            SPLITGEN_ROW_BY_ROW(splitgen_aligned_##isa(d, s, bytes);)                              \
        } else {                                                                                   \
            SPLITGEN_ROW_BY_ROW(memcpy(d, s, bytes);)                                              \
        }                                                                                          \
    }
SPLITGEN_WIDE(avx2, SPLITGEN_TARGET_AVX2, 32, splitgen_move_32_avx2)
SPLITGEN_WIDE(avx512, SPLITGEN_TARGET_AVX512, 64, splitgen_move_64_avx512)
SPLITGEN_ROW_COPIES(avx2, SPLITGEN_TARGET_AVX2, splitgen_rows_narrow, splitgen_move_32_avx2,
                    splitgen_move_64_avx2, splitgen_rows_wide_avx2)
SPLITGEN_ROW_COPIES(avx512, SPLITGEN_TARGET_AVX512, splitgen_rows_narrow_avx512,
                    splitgen_move_32_avx2, splitgen_move_64_avx512, splitgen_rows_wide_avx512)
#undef SPLITGEN_WIDE
#endif
#undef SPLITGEN_ROW_COPIES
#undef SPLITGEN_LAST
#undef SPLITGEN_MOVE_16
#undef SPLITGEN_ROW_BY_ROW
#undef SPLITGEN_EACH_ROW
#undef SPLITGEN_ROW

/* Copies `bytes` of each row of each column. */
SPLITGEN_ONCE void splitgen_copy_columns(const splitgen_column *columns, size_t count, size_t bytes,
                                         size_t rows)
{
#if !defined(SPLITGEN_PROVER)
    if (rows > 1) {
#if defined(SPLITGEN_ROWS_CPU) && SPLITGEN_X86
        if ((SPLITGEN_ROWS_CPU & SPLITGEN_CPU_AVX512) != 0) {
            splitgen_rows_avx512(columns, count, bytes, rows);
            return;
        }
        if ((SPLITGEN_ROWS_CPU & SPLITGEN_CPU_AVX2) != 0) {
            splitgen_rows_avx2(columns, count, bytes, rows);
            return;
        }
#endif
        splitgen_rows_plain(columns, count, bytes, rows);
        return;
    }
#endif
    for (size_t row = 0; row < rows; ++row) {
        for (size_t i = 0; i < count; ++i) {
            splitgen_copy_open(
                SPLITGEN_POINTER(unsigned char, columns[i].to) + row * columns[i].to_step,
                SPLITGEN_POINTER(const unsigned char, columns[i].from) + row * columns[i].from_step,
                bytes);
        }
    }
}

/* The same for one column: kernels generated by version 0.3.0 call it. */
SPLITGEN_COPY void splitgen_copy_rows(void *SPLITGEN_RESTRICT dst, size_t to_step,
                                      const void *SPLITGEN_RESTRICT src, size_t from_step,
                                      size_t bytes, size_t rows)
{
    const splitgen_column column = {dst, to_step, src, from_step};

    splitgen_copy_columns(&column, 1, bytes, rows);
}

/* The same for columns that are written as SPLITGEN_COLUMN(to, to_step, from, from_step). */
#define SPLITGEN_COLUMN(to, to_step, from, from_step)                                              \
    {                                                                                              \
        to, to_step, from, from_step                                                               \
    }
#define SPLITGEN_COPY_COLUMNS(bytes, rows, ...)                                                    \
    do {                                                                                           \
        const splitgen_column splitgen_columns[] = {__VA_ARGS__};                                  \
        splitgen_copy_columns(splitgen_columns,                                                    \
                              sizeof splitgen_columns / sizeof splitgen_columns[0], bytes, rows);  \
    } while (0)

#ifdef __cplusplus
}
#endif

#endif
