/* The loops of kernels. A generated kernel defines a tile, which copies some rows in straight line
 * with the vectors of one instruction set. This file has everything around a tile, once for all
 * kernels: remaining rows, alignment, few rows, non-temporal stores, interleaved streams, write
 * combining.
 *
 * The tile and its store mode are arguments of these functions. Both are literals in every call,
 * and everything is inlined, so only a loop around the instructions of the tile is left. Rows are
 * counted from the first row of the tensors, whatever rows a call is for. Included by generated
 * code only.
 *
 * Contract of each loop: it calls its tile, or a function argument, for rows within [first, last),
 * so that each of them is copied at least once. It reads and writes nothing else. The generator
 * executes these very functions to prove its plans (generator/plan/verify/execute_loops.c). */
#ifndef SPLITGEN_LOOPS_H
#define SPLITGEN_LOOPS_H

#if !defined(SPLITGEN_LOOPS_MODEL) /* the generator defines stand-ins for vectors                  \
                                    */
#include <splitgen/rows.h>
#include <splitgen/vector.h>

#if SPLITGEN_X86
#define splitgen_fence() _mm_sfence()
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The linkage of tiles, and of functions that pass a tile to a loop, which then has the tile in
 * line. gcc refuses to compile an always_inline function that it cannot inline, and with -Og it
 * learns too late which tile a pointer is. `flatten` inlines the same calls where it can;
 * clones of such a function would lose it. With -Os it leaves out those in a loop. */
#if defined(__clang__) || (defined(__GNUC__) && defined(__OPTIMIZE_SIZE__))
#define SPLITGEN_TILE static inline __attribute__((always_inline))
#define SPLITGEN_LOOP
#elif defined(__GNUC__)
#define SPLITGEN_TILE static inline
#define SPLITGEN_LOOP __attribute__((flatten, noinline, noclone))
#else
#define SPLITGEN_TILE static inline
#define SPLITGEN_LOOP
#endif

#if !SPLITGEN_X86 /* no stores are combined */
typedef struct splitgen_combiner splitgen_combiner;
typedef struct splitgen_combiners splitgen_combiners;
#endif

/* The store mode of a tile. */
typedef enum splitgen_store {
    SPLITGEN_CACHED,            /* ordinary stores at any address */
    SPLITGEN_PROLOGUE,          /* the same without prefetching */
    SPLITGEN_STREAMED,          /* non-temporal stores at multiples of a vector */
    SPLITGEN_TOGETHER,          /* the same, only the long runs, of all interleaved streams */
    SPLITGEN_OTHERS,            /* the same, everything but these, of one stream */
    SPLITGEN_COMBINED,          /* ordinary stores of whole cache lines, wherever tensors begin */
    SPLITGEN_COMBINED_STREAMED, /* non-temporal stores of whole cache lines */
    SPLITGEN_COMBINED_TOGETHER, /* the same, only combined runs, of all interleaved streams */
    SPLITGEN_COMBINED_OTHERS    /* the same, everything but these, of one stream */
} splitgen_store;

/* The most inputs, and the most outputs, of a tile. Kernels with more have several tiles. */
#define SPLITGEN_TENSORS_MAX 32

/* The tensors of a call, and the parameters that loops pass to their tiles. */
typedef struct splitgen_at {
    const unsigned char *in[SPLITGEN_TENSORS_MAX];
    unsigned char *out[SPLITGEN_TENSORS_MAX];
    size_t streams;                 /* the number of interleaved streams */
    size_t stream;                  /* the rows from one to the next */
    splitgen_combiner *lines;       /* for each output, if stores are combined */
    splitgen_combiners *each_lines; /* the same for each stream */
} splitgen_at;

/* No tensors. */
#define SPLITGEN_NOWHERE                                                                           \
    {                                                                                              \
        {NULL}, {NULL}, 0, 0, NULL, NULL                                                           \
    }

/* A tile: copies its number of rows, from `row` on. */
typedef void splitgen_tile(const splitgen_at *at, size_t row, splitgen_store store);

/* DO(i) for each tensor. The numbers are literals, so that arrays which nothing else indexes become
 * registers. */
#define SPLITGEN_8_TENSORS(DO, i)                                                                  \
    DO(i) DO((i) + 1) DO((i) + 2) DO((i) + 3) DO((i) + 4) DO((i) + 5) DO((i) + 6) DO((i) + 7)
#define SPLITGEN_EACH_TENSOR(DO)                                                                   \
    SPLITGEN_8_TENSORS(DO, 0)                                                                      \
    SPLITGEN_8_TENSORS(DO, 8) SPLITGEN_8_TENSORS(DO, 16) SPLITGEN_8_TENSORS(DO, 24)

/* The tensors of a call: `ins` inputs and `outs` outputs. */
SPLITGEN_COPY splitgen_at splitgen_at_of(const void *const in[], size_t ins, void *const out[],
                                         size_t outs)
{
    splitgen_at at = SPLITGEN_NOWHERE;

#define SPLITGEN_TENSOR_AT(i)                                                                      \
    if ((i) < ins) {                                                                               \
        at.in[i] = SPLITGEN_POINTER(const unsigned char, splitgen_input(in, i));                   \
    }                                                                                              \
    if ((i) < outs) {                                                                              \
        at.out[i] = SPLITGEN_POINTER(unsigned char, splitgen_output(out, i));                      \
    }
    SPLITGEN_EACH_TENSOR(SPLITGEN_TENSOR_AT)
#undef SPLITGEN_TENSOR_AT
    return at;
}

/* --- ordinary stores -------------------------------------------------------------------------- */

/* Rows [first, last), one after the other. */
SPLITGEN_COPY void splitgen_row_by_row(splitgen_tile *tile, splitgen_store store,
                                       const void *const in[], size_t ins, void *const out[],
                                       size_t outs, size_t first, size_t last)
{
    const splitgen_at at = splitgen_at_of(in, ins, out, outs);

    for (size_t row = first; row < last; ++row) {
        size_t now = row;

#if defined(__clang__) && SPLITGEN_X86
        /* otherwise clang advances a pointer per tensor, most of them on the stack */
        SPLITGEN_KEEP_NUMBER(now);
#endif
        tile(&at, now, store);
    }
}

/* An iteration: `tiles` tiles of `rows` rows each; tiles is 1, 2 or 4. */
SPLITGEN_COPY void splitgen_iteration(splitgen_tile *tile, size_t rows, size_t tiles,
                                      const splitgen_at *at, size_t row, splitgen_store store)
{
    tile(at, row, store);
    if (tiles > 1) {
        tile(at, row + rows, store);
    }
    if (tiles > 2) {
        tile(at, row + 2 * rows, store);
        tile(at, row + 3 * rows, store);
    }
}

/* Copies rows [first, last), at least an iteration. If up to `most` rows are left after the last
 * full iteration, returns the first of them. More are copied by an iteration that ends with the
 * last row and overlaps the one before; then, or if no rows are left, returns `last`. */
SPLITGEN_COPY size_t splitgen_iterations(splitgen_tile *tile, size_t rows, size_t tiles,
                                         size_t most, const splitgen_at *at, size_t first,
                                         size_t last)
{
    const size_t iteration = rows * tiles;
    const size_t end = last - iteration;
    size_t row = first;

    for (;;) {
        splitgen_iteration(tile, rows, tiles, at, row, SPLITGEN_CACHED);
        if (row + iteration <= end) {
            row += iteration;
        } else if (row + most < end) {
            row = end;
        } else {
            break;
        }
    }
    return row + iteration;
}

/* Rows [first, last), at least an iteration. */
SPLITGEN_COPY void splitgen_tiles(splitgen_tile *tile, size_t rows, size_t tiles,
                                  const void *const in[], size_t ins, void *const out[],
                                  size_t outs, size_t first, size_t last)
{
    const splitgen_at at = splitgen_at_of(in, ins, out, outs);

    (void)splitgen_iterations(tile, rows, tiles, 0, &at, first, last);
}

/* A variant: copies rows [first, last). */
typedef void splitgen_body(const void *const in[], void *const out[], size_t first, size_t last);

/* The same as splitgen_tiles(), but `others` copies up to `most` rows after the last full
 * iteration, which is cheaper than an overlapping iteration. */
SPLITGEN_COPY void splitgen_tiles_and_rows(splitgen_tile *tile, size_t rows, size_t tiles,
                                           size_t most, splitgen_body *others,
                                           const void *const in[], size_t ins, void *const out[],
                                           size_t outs, size_t first, size_t last)
{
    const splitgen_at at = splitgen_at_of(in, ins, out, outs);
    const size_t row = splitgen_iterations(tile, rows, tiles, most, &at, first, last);

    if (row < last) {
        others(in, out, row, last);
    }
}

/* Bytes from an address to the next multiple of `bytes`, a power of two. 0 if other addresses are
 * not equally far from one: `apart` has the bits in which they differ. */
SPLITGEN_COPY size_t splitgen_until(uintptr_t address, uintptr_t apart, size_t bytes)
{
    return apart % bytes == 0 ? (0 - address) % bytes : 0;
}

/* 1 / odd, modulo 256. */
SPLITGEN_COPY size_t splitgen_inverse(size_t odd)
{
    size_t inverse = odd; /* correct for 3 bits, then for twice as many each time */

    inverse *= 2 - odd * inverse;
    inverse *= 2 - odd * inverse;
    return inverse % 256;
}

/* The number of rows from `row` to the first at which all outputs begin at a multiple of `vector`
 * bytes, a power of two. Their rows all have `bytes` bytes, which is not a multiple of it. 0: `row`
 * is such a row, or there is none. The result is below
 * vector / step, where step is the largest power of two that divides `bytes`. */
SPLITGEN_COPY size_t splitgen_lead(const splitgen_at *at, size_t outs, size_t bytes, size_t vector,
                                   size_t row)
{
    const size_t step = bytes & (0 - bytes);
    const uintptr_t address = SPLITGEN_ADDRESS(at->out[0]);
    uintptr_t apart = 0;

#define SPLITGEN_TENSOR_APART(i)                                                                   \
    if ((i) < outs) {                                                                              \
        apart |= address ^ SPLITGEN_ADDRESS(at->out[i]);                                           \
    }
    SPLITGEN_EACH_TENSOR(SPLITGEN_TENSOR_APART)
#undef SPLITGEN_TENSOR_APART
    return splitgen_until(address + row * bytes, apart, vector) / step *
           splitgen_inverse(bytes / step) % (vector / step);
}

/* Aligning outputs to vectors pays if at least this many iterations follow
 * (generator/plan/MEASURED.md, Aligning). */
#define SPLITGEN_ALIGNED_ITERATIONS 16

/* Copies rows [first, last), at least an iteration. If all outputs are aligned to `vector` bytes at
 * the same row, an extra iteration comes first, which the next one overlaps, so that vectors are
 * stored at multiples of `vector`. */
SPLITGEN_COPY void splitgen_tiles_aligned(splitgen_tile *tile, size_t rows, size_t tiles,
                                          size_t bytes, size_t vector, const void *const in[],
                                          size_t ins, void *const out[], size_t outs, size_t first,
                                          size_t last)
{
    const splitgen_at at = splitgen_at_of(in, ins, out, outs);
    const size_t lead = splitgen_lead(&at, outs, bytes, vector, first);
    size_t row = first;

    if (lead > 0 && last - first >= lead + SPLITGEN_ALIGNED_ITERATIONS * rows * tiles) {
        splitgen_iteration(tile, rows, tiles, &at, first, SPLITGEN_CACHED);
        row += lead;
    }
    (void)splitgen_iterations(tile, rows, tiles, 0, &at, row, last);
}

/* --- more tensors than a tile has ------------------------------------------------------------- */

/* Groups of adjacent columns, each of which `body` copies, at regular distances. */
typedef struct splitgen_column_set {
    splitgen_body *body;
    size_t groups;
    size_t part; /* the first tensor of the first group */
    size_t parts_on;
    size_t at; /* where the first group begins in a row of the full tensor, in bytes */
    size_t bytes_on;
} splitgen_column_set;

#if !defined(SPLITGEN_LOOPS_MODEL)
/* A call for one group of columns: `at` bytes into the full tensor, from tensor `part` on. */
SPLITGEN_COPY void splitgen_call_columns(splitgen_body *body, bool joins, size_t part, size_t at,
                                         const void *const in[], void *const out[], size_t first,
                                         size_t last)
{
    if (joins) {
        void *const whole = SPLITGEN_POINTER(unsigned char, splitgen_output(out, 0)) + at;

        body(in + part, &whole, first, last);
    } else {
        const void *const whole = SPLITGEN_POINTER(const unsigned char, splitgen_input(in, 0)) + at;

        body(&whole, out + part, first, last);
    }
}

/* Prefetches `bytes` bytes of the input from byte `at` on, for a later block. */
#if SPLITGEN_X86
#define splitgen_prefetch_block(in, at, bytes)                                                     \
    splitgen_prefetch_later(SPLITGEN_ADDRESS(splitgen_input(in, 0)) + (at), bytes)
#else
#define splitgen_prefetch_block(in, at, bytes) ((void)(in), (void)(at), (void)(bytes))
#endif
#endif

/* Rows [first, last), at least an iteration, in blocks of `most` rows, a whole number of
 * iterations; 0: all rows at once. All groups of columns copy a block before the next one. The last
 * block has up to an iteration more, so none is too short. Each group prefetches `ahead` bytes of
 * the next block, whose rows have `bytes` bytes. */
SPLITGEN_COPY void splitgen_column_groups(const splitgen_column_set columns[], size_t count,
                                          bool joins, size_t iteration, size_t most, size_t bytes,
                                          size_t ahead, const void *const in[], void *const out[],
                                          size_t first, size_t last)
{
    size_t rows = 0;

    for (size_t row = first; row < last; row += rows) {
        size_t next = 0;

        rows = last - row;
        rows = most > 0 && rows - iteration >= most ? most : rows;
        for (size_t c = 0; c < count; ++c) {
            for (size_t i = 0; i < columns[c].groups; ++i) {
                if (ahead > 0 && row + rows < last) {
                    splitgen_prefetch_block(in, (row + rows) * bytes + next, ahead);
                    next += ahead;
                }
                splitgen_call_columns(
                    columns[c].body, joins, columns[c].part + i * columns[c].parts_on,
                    columns[c].at + i * columns[c].bytes_on, in, out, row, row + rows);
            }
        }
    }
}

#if SPLITGEN_X86

/* --- non-temporal stores ---------------------------------------------------------------------- */

/* Copies the rows from `end` on, which follow the streams, with `cached`, the function with
 * ordinary stores. It copies at least an iteration. */
SPLITGEN_COPY void splitgen_behind(splitgen_body *cached, size_t iteration, const void *const in[],
                                   void *const out[], size_t end, size_t last)
{
    if (end < last) {
        cached(in, out, last - end < iteration ? last - iteration : end, last);
    }
}

/* Rows [first, last), at least an iteration, for one group of columns of several: `cached` copies
 * the rows after the last full iteration, and the caller waits for the stores. */
SPLITGEN_COPY void splitgen_tiles_past(splitgen_tile *tile, size_t rows, size_t tiles,
                                       splitgen_body *cached, const void *const in[], size_t ins,
                                       void *const out[], size_t outs, size_t first, size_t last)
{
    const size_t iteration = rows * tiles;
    const size_t end = last - (last - first) % iteration;
    splitgen_at at = splitgen_at_of(in, ins, out, outs);

    at.streams = splitgen_streams(splitgen_asked_cpu(), 0);
    for (size_t row = first; row < end; row += iteration) {
        splitgen_iteration(tile, rows, tiles, &at, row, SPLITGEN_STREAMED);
    }
    splitgen_behind(cached, iteration, in, out, end, last);
}

/* The same for groups of columns that use non-temporal stores. */
SPLITGEN_COPY void splitgen_column_groups_past(const splitgen_column_set columns[], size_t count,
                                               bool joins, size_t iteration, size_t most,
                                               size_t bytes, size_t ahead, const void *const in[],
                                               void *const out[], size_t first, size_t last)
{
    splitgen_column_groups(columns, count, joins, iteration, most, bytes, ahead, in, out, first,
                           last);
    splitgen_fence();
}

#if !defined(SPLITGEN_LOOPS_MODEL)
/* Prefetches the input from byte `from` on, for an interleaved stream. */
SPLITGEN_COPY void splitgen_prefetch_rows(const splitgen_at *at, size_t from, size_t now,
                                          size_t far)
{
    splitgen_prefetch_iterations(at->in[0] + from, now, far, at->streams);
}
#endif

/* `turn` iterations of one stream. Short iterations prefetch their input together, `now` bytes
 * each; long ones prefetch `far` bytes ahead. `bytes` is the size of a row of the full tensor. */
SPLITGEN_COPY void splitgen_turn(splitgen_tile *tile, size_t rows, size_t tiles, size_t turn,
                                 size_t bytes, size_t now, size_t far, const splitgen_at *at,
                                 size_t first, splitgen_store store)
{
    const size_t iteration = rows * tiles;

    if (far == 0 && now > 0) {
        splitgen_prefetch_rows(at, first * bytes, turn * now, 0);
    }
    for (size_t row = first; row < first + turn * iteration; row += iteration) {
        if (far > 0) {
            splitgen_prefetch_rows(at, row * bytes, now, far);
        }
        splitgen_iteration(tile, rows, tiles, at, row, store);
    }
}

/* Rows [first, last), as interleaved streams; `cached` copies the rows after them. */
SPLITGEN_COPY void splitgen_tiles_streamed(splitgen_tile *tile, size_t rows, size_t tiles,
                                           size_t turn, size_t bytes, size_t now, size_t far,
                                           splitgen_body *cached, const void *const in[],
                                           size_t ins, void *const out[], size_t outs, size_t first,
                                           size_t last)
{
    const size_t iteration = rows * tiles;
    splitgen_at at = splitgen_at_of(in, ins, out, outs);

    at.streams = splitgen_streams(splitgen_asked_cpu(), iteration * bytes);
    at.stream = iteration * splitgen_per_stream((last - first) / iteration, at.streams, turn,
                                                iteration * bytes);
    for (size_t done = 0; done < at.stream; done += turn * iteration) {
        for (size_t i = 0; i < at.streams; ++i) {
            splitgen_turn(tile, rows, tiles, turn, bytes, now, far, &at,
                          first + i * at.stream + done, SPLITGEN_STREAMED);
        }
    }
    splitgen_behind(cached, iteration, in, out, first + at.streams * at.stream, last);
    splitgen_fence();
}

/* The same for long runs. Each run is copied in all streams together; then `others`, the rest of
 * the tile, in each stream. */
SPLITGEN_COPY void splitgen_runs_streamed(splitgen_tile *tile, size_t iteration, bool others,
                                          size_t bytes, splitgen_body *cached,
                                          const void *const in[], size_t ins, void *const out[],
                                          size_t outs, size_t first, size_t last)
{
    splitgen_at at = splitgen_at_of(in, ins, out, outs);

    at.streams = splitgen_streams(splitgen_asked_cpu(), 0);
    at.stream = iteration *
                splitgen_per_stream((last - first) / iteration, at.streams, 1, iteration * bytes);
    for (size_t row = first; row < first + at.stream; row += iteration) {
        tile(&at, row, SPLITGEN_TOGETHER);
        for (size_t i = 0; others && i < at.streams; ++i) {
            tile(&at, row + i * at.stream, SPLITGEN_OTHERS);
        }
    }
    splitgen_behind(cached, iteration, in, out, first + at.streams * at.stream, last);
    splitgen_fence();
}

/* The same for runs so long that each is divided into streams itself: copies row by row. */
SPLITGEN_COPY void splitgen_rows_streamed(splitgen_tile *tile, const void *const in[], size_t ins,
                                          void *const out[], size_t outs, size_t first, size_t last)
{
    splitgen_at at = splitgen_at_of(in, ins, out, outs);

    at.streams = splitgen_streams(splitgen_asked_cpu(), 0);
    for (size_t row = first; row < last; ++row) {
        tile(&at, row, SPLITGEN_STREAMED);
    }
    splitgen_fence();
}

/* --- whole cache lines ------------------------------------------------------------------------ */

#if !defined(SPLITGEN_LOOPS_MODEL)
/* Begins the write combiners of all outputs, from row `row` on. `combined` has the bytes of a row
 * of each, and 0 for outputs without one. At least a cache line before them has been written. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_lines_begin(const splitgen_at *at, const size_t combined[], size_t outs,
                                        size_t row, size_t ahead)
{
#define SPLITGEN_TENSOR_BEGIN(i)                                                                   \
    if ((i) < outs && combined[i] > 0) {                                                           \
        splitgen_combiner_begin(&at->lines[i], at->out[i] + row * combined[i], ahead);             \
    }
    SPLITGEN_EACH_TENSOR(SPLITGEN_TENSOR_BEGIN)
#undef SPLITGEN_TENSOR_BEGIN
}

/* Writes the bytes that they hold. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_lines_end(const splitgen_at *at, const size_t combined[], size_t outs)
{
#define SPLITGEN_TENSOR_END(i)                                                                     \
    if ((i) < outs && combined[i] > 0) {                                                           \
        splitgen_combiner_end(&at->lines[i]);                                                      \
    }
    SPLITGEN_EACH_TENSOR(SPLITGEN_TENSOR_END)
#undef SPLITGEN_TENSOR_END
}

#endif /* SPLITGEN_LOOPS_MODEL */

/* Copies rows [first, last), at least `prologue` and an iteration. `cached` copies the prologue
 * rows, which fill the first cache line of every tensor, and the rows after the last full
 * iteration, by an iteration that overlaps. `lines` has room for `outs`. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_tiles_combined(splitgen_tile *tile, size_t rows, size_t tiles,
                                           size_t prologue, const size_t combined[],
                                           splitgen_combiner lines[], splitgen_body *cached,
                                           const void *const in[], size_t ins, void *const out[],
                                           size_t outs, size_t first, size_t last)
{
    const size_t iteration = rows * tiles;
    splitgen_at at = splitgen_at_of(in, ins, out, outs);
    size_t row = first + prologue;

    at.lines = lines;
    cached(in, out, first, row);
    splitgen_lines_begin(&at, combined, outs, row, 0);
    for (; last - row >= iteration; row += iteration) {
        splitgen_iteration(tile, rows, tiles, &at, row, SPLITGEN_COMBINED);
    }
    splitgen_lines_end(&at, combined, outs);
    if (row < last) {
        cached(in, out, last - iteration, last);
    }
}

/* Loads the combiners of a stream for a turn, so that they are registers, or stores them back. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_lines_take(const splitgen_at *at, const size_t combined[], size_t outs,
                                       size_t stream, bool back)
{
#define SPLITGEN_TENSOR_TAKE(i)                                                                    \
    if ((i) < outs && combined[i] > 0) {                                                           \
        if (back) {                                                                                \
            at->each_lines[i].of[stream] = at->lines[i];                                           \
        } else {                                                                                   \
            at->lines[i] = at->each_lines[i].of[stream];                                           \
        }                                                                                          \
    }
    SPLITGEN_EACH_TENSOR(SPLITGEN_TENSOR_TAKE)
#undef SPLITGEN_TENSOR_TAKE
}

/* The number of interleaved streams. Several inputs are as many streams already, and prefetchers
 * follow few (generator/plan/MEASURED.md, Concats). */
SPLITGEN_COPY size_t splitgen_streams_of(size_t ins, size_t iteration)
{
    return ins > 1 ? 1 : splitgen_streams(splitgen_asked_cpu(), iteration);
}

/* How far ahead of its loads a combiner prefetches the input. */
SPLITGEN_COPY size_t splitgen_ahead_of(size_t ins, size_t streams)
{
    return ins > 16 ? SPLITGEN_MANY_AHEAD : splitgen_prefetch_distance(streams);
}

/* Begins each of the interleaved streams, of at.stream rows, with its prologue rows. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_streams_begin(const splitgen_at *at, const size_t combined[],
                                          size_t outs, size_t prologue, splitgen_body *cached,
                                          const void *const in[], size_t ins, void *const out[],
                                          size_t first)
{
    for (size_t i = 0; i < at->streams && at->stream > 0; ++i) {
        const size_t row = first + i * at->stream;

        cached(in, out, row, row + prologue);
        splitgen_lines_begin(at, combined, outs, row + prologue,
                             splitgen_ahead_of(ins, at->streams));
        splitgen_lines_take(at, combined, outs, i, true);
    }
}

SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_streams_end(const splitgen_at *at, const size_t combined[], size_t outs)
{
    for (size_t i = 0; i < at->streams && at->stream > 0; ++i) {
        splitgen_lines_take(at, combined, outs, i, false);
        splitgen_lines_end(at, combined, outs);
    }
}

/* Rows [first, last), as interleaved streams that each combine their own stores; `cached` copies
 * the rows after them. Streams have the prologue rows and full turns, or there are none. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_tiles_combined_streamed(
    splitgen_tile *tile, size_t rows, size_t tiles, size_t turn, size_t bytes, size_t now,
    size_t far, size_t prologue, const size_t combined[], splitgen_combiner lines[],
    splitgen_combiners each_lines[], splitgen_body *cached, const void *const in[], size_t ins,
    void *const out[], size_t outs, size_t first, size_t last)
{
    const size_t iteration = rows * tiles;
    const size_t head = prologue / iteration;
    const size_t streams = splitgen_streams_of(ins, iteration * bytes);
    const size_t all =
        splitgen_per_stream((last - first) / iteration, streams, 1, iteration * bytes);
    splitgen_at at = splitgen_at_of(in, ins, out, outs);

    at.lines = lines;
    at.each_lines = each_lines;
    at.streams = streams;
    at.stream = all < head ? 0 : (all - (all - head) % turn) * iteration;
    splitgen_streams_begin(&at, combined, outs, prologue, cached, in, ins, out, first);
    for (size_t done = prologue; done < at.stream; done += turn * iteration) {
        for (size_t i = 0; i < at.streams; ++i) {
            splitgen_lines_take(&at, combined, outs, i, false);
            splitgen_turn(tile, rows, tiles, turn, bytes, now, far, &at,
                          first + i * at.stream + done, SPLITGEN_COMBINED_STREAMED);
            splitgen_lines_take(&at, combined, outs, i, true);
        }
    }
    splitgen_streams_end(&at, combined, outs);
    splitgen_behind(cached, iteration, in, out, first + at.streams * at.stream, last);
    splitgen_fence();
}

/* The same for long runs, row by row. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_runs_combined_streamed(
    splitgen_tile *tile, bool others, size_t bytes, size_t prologue, const size_t combined[],
    splitgen_combiner lines[], splitgen_combiners each_lines[], splitgen_body *cached,
    const void *const in[], size_t ins, void *const out[], size_t outs, size_t first, size_t last)
{
    const size_t streams = splitgen_streams_of(ins, 0);
    const size_t all = splitgen_per_stream(last - first, streams, 1, bytes);
    splitgen_at at = splitgen_at_of(in, ins, out, outs);

    at.lines = lines;
    at.each_lines = each_lines;
    at.streams = streams;
    at.stream = all < prologue ? 0 : all;
    splitgen_streams_begin(&at, combined, outs, prologue, cached, in, ins, out, first);
    for (size_t row = first + prologue; row < first + at.stream; ++row) {
        tile(&at, row, SPLITGEN_COMBINED_TOGETHER);
        for (size_t i = 0; others && i < at.streams; ++i) {
            tile(&at, row + i * at.stream, SPLITGEN_COMBINED_OTHERS);
        }
    }
    splitgen_streams_end(&at, combined, outs);
    splitgen_behind(cached, 1, in, out, first + at.streams * at.stream, last);
    splitgen_fence();
}

#if !defined(SPLITGEN_LOOPS_MODEL)

/* --- runs and stores of tiles ----------------------------------------------------------------- */

/* How a run is copied with ordinary stores. Non-temporal functions below: `lines` for runs whose
 * ends are at cache lines, `ragged` for others. */
typedef enum splitgen_by {
    SPLITGEN_BY_MEMCPY,
    SPLITGEN_BY_PUT,     /* moves in order */
    SPLITGEN_BY_SHORT,   /* vectors of 32 bytes */
    SPLITGEN_BY_VECTORS, /* the fewest instructions */
    SPLITGEN_BY_RUN,     /* in straight line */
    SPLITGEN_BY_CALL     /* the C library */
} splitgen_by;

/* Whether only the runs of all interleaved streams together are to be copied. */
SPLITGEN_COPY bool splitgen_is_together(splitgen_store store)
{
    return store == SPLITGEN_TOGETHER || store == SPLITGEN_COMBINED_TOGETHER;
}

/* Prefetches `lines` cache lines of input, `ahead` bytes after src, unless the loop does: loops
 * with non-temporal stores prefetch iteration by iteration. */
SPLITGEN_COPY void splitgen_prefetch_tile(const unsigned char *src, size_t ahead, size_t lines,
                                          splitgen_store store)
{
    if (store == SPLITGEN_CACHED || store == SPLITGEN_COMBINED ||
        store == SPLITGEN_COMBINED_OTHERS) {
        for (size_t i = 0; i < lines; ++i) {
            SPLITGEN_PREFETCH(src, ahead + 64 * i);
        }
    }
}

/* How many bytes ahead, at least, splitgen_prefetch_end() prefetches (generator/plan/MEASURED.md,
 * Non-temporal stores). */
#define SPLITGEN_ENDS_AHEAD 4096

/* Prefetches the line where a run ends some rows ahead, if it is written by ordinary stores between
 * non-temporal ones: they would wait for memory, and all later stores with them. The next run
 * usually begins in that line. */
SPLITGEN_COPY void splitgen_prefetch_end(const unsigned char *dst, size_t dst_row, size_t bytes,
                                         splitgen_store store)
{
    if (store == SPLITGEN_STREAMED) {
        SPLITGEN_PREFETCH(dst, bytes + (SPLITGEN_ENDS_AHEAD / dst_row + 1) * dst_row);
    }
}

#define SPLITGEN_RUNS(isa, target)                                                                 \
    /* Through the cache. */                                                                       \
    target SPLITGEN_COPY void splitgen_cached_##isa(unsigned char *dst, const unsigned char *src,  \
                                                    size_t bytes, splitgen_by by)                  \
    {                                                                                              \
        if (by == SPLITGEN_BY_VECTORS) {                                                           \
            splitgen_vectors_##isa(dst, src, bytes);                                               \
        } else if (by == SPLITGEN_BY_RUN) {                                                        \
            splitgen_run_##isa(dst, src, bytes);                                                   \
        } else if (by == SPLITGEN_BY_CALL) {                                                       \
            splitgen_copy(dst, src, bytes);                                                        \
        } else if (by == SPLITGEN_BY_SHORT) {                                                      \
            splitgen_vectors_avx2(dst, src, bytes);                                                \
        } else if (by == SPLITGEN_BY_PUT) {                                                        \
            splitgen_put(dst, src, bytes);                                                         \
        } else {                                                                                   \
            memcpy(dst, src, bytes);                                                               \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    /* A run of whole lines, past the cache where its tile does so. */                             \
    target SPLITGEN_COPY void splitgen_lines_##isa(const splitgen_at *at, unsigned char *dst,      \
                                                   const unsigned char *src, size_t bytes,         \
                                                   splitgen_by by, splitgen_store store)           \
    {                                                                                              \
        if (store == SPLITGEN_STREAMED) {                                                          \
            splitgen_run_non_temporal_##isa(dst, src, bytes, at->streams);                         \
        } else {                                                                                   \
            splitgen_cached_##isa(dst, src, bytes, by);                                            \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    /* The same where the lines at its ends need not be whole. */                                  \
    target SPLITGEN_COPY void splitgen_ragged_##isa(const splitgen_at *at, unsigned char *dst,     \
                                                    const unsigned char *src, size_t bytes,        \
                                                    splitgen_by by, splitgen_store store)          \
    {                                                                                              \
        if (store == SPLITGEN_STREAMED) {                                                          \
            splitgen_ragged_non_temporal_##isa(dst, src, bytes, at->streams);                      \
        } else {                                                                                   \
            splitgen_cached_##isa(dst, src, bytes, by);                                            \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    /* A run of whole cache lines, copied for all interleaved streams together. dst_row and        \
     * src_row are the row strides in bytes. */                                                    \
    target SPLITGEN_COPY void splitgen_pieces_##isa(                                               \
        const splitgen_at *at, unsigned char *dst, size_t dst_row, const unsigned char *src,       \
        size_t src_row, size_t bytes, splitgen_by by, splitgen_store store)                        \
    {                                                                                              \
        if (store == SPLITGEN_TOGETHER) {                                                          \
            splitgen_interleave_##isa(dst, at->stream *dst_row, src, at->stream *src_row, bytes,   \
                                      at->streams);                                                \
        } else if (store != SPLITGEN_OTHERS && store != SPLITGEN_COMBINED_TOGETHER) {              \
            splitgen_cached_##isa(dst, src, bytes, by);                                            \
        } else {                                                                                   \
            /* moved already */                                                                    \
        }                                                                                          \
    }
SPLITGEN_RUNS(avx2, SPLITGEN_TARGET_AVX2)
SPLITGEN_RUNS(avx512, SPLITGEN_TARGET_AVX512)
#undef SPLITGEN_RUNS

/* How a run whose stores may be combined is copied by non-temporal stores: not at all, or by one of
 * the functions above. */
typedef enum splitgen_past {
    SPLITGEN_PAST_NOT,
    SPLITGEN_PAST_LINES,
    SPLITGEN_PAST_RAGGED,
    SPLITGEN_PAST_PIECES
} splitgen_past;

/* A run of tensor `out` whose stores are combined with those of the rows before. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_combined_avx512(const splitgen_at *at, size_t out, unsigned char *dst,
                                            size_t dst_row, const unsigned char *src,
                                            size_t src_row, size_t bytes, splitgen_by by,
                                            splitgen_past past, splitgen_store store)
{
    if (store == SPLITGEN_COMBINED) {
        splitgen_combine_avx512(&at->lines[out], src, bytes, false);
    } else if (store == SPLITGEN_COMBINED_STREAMED) {
        splitgen_combine_avx512(&at->lines[out], src, bytes, true);
    } else if (store == SPLITGEN_COMBINED_TOGETHER) {
        splitgen_combine_interleaved(&at->each_lines[out], src, at->stream * src_row, bytes,
                                     at->streams);
    } else if (store == SPLITGEN_COMBINED_OTHERS) {
        return; /* already copied */
    } else if (past == SPLITGEN_PAST_PIECES) {
        splitgen_pieces_avx512(at, dst, dst_row, src, src_row, bytes, by, store);
    } else if (past == SPLITGEN_PAST_RAGGED) {
        splitgen_prefetch_end(dst, dst_row, bytes, store);
        splitgen_ragged_avx512(at, dst, src, bytes, by, store);
    } else if (past == SPLITGEN_PAST_LINES) {
        splitgen_lines_avx512(at, dst, src, bytes, by, store);
    } else if (store != SPLITGEN_TOGETHER) {
        splitgen_cached_avx512(dst, src, bytes, by);
    } else {
        /* no long run */
    }
}

/* Stores 64 bytes of tensor `out` in the store mode of the tile. A combiner rotates bytes, or words
 * of 4. */
#define SPLITGEN_STORES(unit, target)                                                              \
    target SPLITGEN_COPY void splitgen_store_##unit(const splitgen_at *at, size_t out,             \
                                                    unsigned char *dst, __m512i value,             \
                                                    splitgen_store store)                          \
    {                                                                                              \
        if (store == SPLITGEN_COMBINED || store == SPLITGEN_COMBINED_STREAMED) {                   \
            splitgen_combiner *line = &at->lines[out];                                             \
                                                                                                   \
            splitgen_combine_rotated(line, splitgen_rotate_##unit(line, value),                    \
                                     store == SPLITGEN_COMBINED_STREAMED);                         \
        } else {                                                                                   \
            splitgen_put_avx512(dst, value, store == SPLITGEN_STREAMED);                           \
        }                                                                                          \
    }
SPLITGEN_STORES(bytes, SPLITGEN_TARGET_AVX512VBMI)
SPLITGEN_STORES(words, SPLITGEN_TARGET_AVX512)
#undef SPLITGEN_STORES

/* --- dispatch --------------------------------------------------------------------------------- */

/* The addresses of all outputs at byte `offset`, or-ed. */
SPLITGEN_COPY uintptr_t splitgen_places(void *const out[], size_t outs, size_t offset)
{
    uintptr_t places = 0;

    for (size_t i = 0; i < outs; ++i) {
        places |= SPLITGEN_ADDRESS(out[i]) + offset;
    }
    return places;
}

/* The first call of all: detects the processor, then calls `body` for the rows. The call comes last
 * there, with its arguments in place, so nothing is saved for it (generator/plan/MEASURED.md,
 * Calls). */
SPLITGEN_COLD void splitgen_first(const void *const in[], void *const out[], size_t first,
                                  size_t last, splitgen_body *body)
{
    (void)splitgen_cpu();
    body(in, out, first, last);
}

/* The same if the number of rows is an argument. */
typedef void splitgen_open_body(const void *const in[], void *const out[], size_t first,
                                size_t last, size_t all);

SPLITGEN_COLD void splitgen_first_open(const void *const in[], void *const out[], size_t first,
                                       size_t last, size_t all, splitgen_open_body *body)
{
    (void)splitgen_cpu();
    body(in, out, first, last, all);
}

#endif /* SPLITGEN_LOOPS_MODEL */
#endif /* SPLITGEN_X86 */

#ifdef __cplusplus
}
#endif

#endif
