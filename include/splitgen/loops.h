/* The loops of kernels. A generated kernel says how one tile moves: some rows in straight line, by
 * the vectors of one instruction set. What is around a tile stands here, once for all kernels:
 * tails, alignment, few rows, stores that bypass the cache, interleaved streams, write combining.
 *
 * A tile is an argument of these functions, and so is the way it stores. Both are literals wherever
 * they are called, and everything is inlined: what is left is a loop around the instructions of the
 * tile, with nothing to decide. Rows are counted from the first row of the tensors, whichever rows
 * a call is for. Included by generated code only.
 *
 * Contract of each loop: it calls its tile, or a function that it is given, for rows that lie in
 * [first, last), so that each of these is moved at least once; it reads and writes nothing else.
 * The generator executes these very functions to prove its plans
 * (generator/plan/verify/execute_loops.c).
 */
#ifndef SPLITGEN_LOOPS_H
#define SPLITGEN_LOOPS_H

#if !defined(SPLITGEN_LOOPS_MODEL) /* the generator has no vectors: it says what stands for them   \
                                    */
#include <splitgen/vector.h>

#if SPLITGEN_X86
#define splitgen_fence() _mm_sfence()
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* In front of tiles, which are inlined wherever a loop calls them. */
#if defined(__GNUC__) && !defined(__NO_INLINE__)
#define SPLITGEN_TILE static inline __attribute__((always_inline, unused))
#else
#define SPLITGEN_TILE static inline
#endif

/* How a tile stores. */
typedef enum splitgen_store {
    SPLITGEN_CACHED,   /* anywhere, through the cache */
    SPLITGEN_PROLOGUE, /* the same without prefetching */
    SPLITGEN_STREAMED, /* at multiples of a vector, past the cache */
    SPLITGEN_TOGETHER, /* the same, long runs of all interleaved streams and nothing else */
    SPLITGEN_OTHERS,   /* the same, what is not moved together, of one stream */
    SPLITGEN_COMBINED, /* whole cache lines wherever tensors begin, through the cache */
    SPLITGEN_COMBINED_STREAMED, /* the same past the cache */
    SPLITGEN_COMBINED_TOGETHER, /* the same, what is combined of all interleaved streams */
    SPLITGEN_COMBINED_OTHERS    /* the same, what is not, of one stream */
} splitgen_store;

/* The most tensors that are read, and that are written. Kernels with more have other functions. */
#define SPLITGEN_TENSORS_MAX 32

#if !SPLITGEN_X86 /* nothing combines stores */
typedef struct splitgen_combiner splitgen_combiner;
typedef struct splitgen_combiners splitgen_combiners;
#endif

/* Where the tensors of a call lie, and what loops tell their tiles. */
typedef struct splitgen_at {
    const unsigned char *in[SPLITGEN_TENSORS_MAX];
    unsigned char *out[SPLITGEN_TENSORS_MAX];
    size_t streams;                 /* how many are interleaved, */
    size_t stream;                  /* and the rows from one to the next */
    splitgen_combiner *lines;       /* of each tensor that is written, where stores are combined */
    splitgen_combiners *each_lines; /* the same of each stream */
} splitgen_at;

/* No tensor anywhere. */
#define SPLITGEN_NOWHERE                                                                           \
    {                                                                                              \
        {NULL}, {NULL}, 0, 0, NULL, NULL                                                           \
    }

/* A tile: moves rows from `row` on, as many as it has. */
typedef void splitgen_tile(const splitgen_at *at, size_t row, splitgen_store store);

/* A body: moves rows [first, last). */
typedef void splitgen_body(const void *const in[], void *const out[], size_t first, size_t last);

/* DO(i) for each tensor. The numbers are literals, so arrays that nothing else indexes are
 * registers. */
#define SPLITGEN_8_TENSORS(DO, i)                                                                  \
    DO(i) DO((i) + 1) DO((i) + 2) DO((i) + 3) DO((i) + 4) DO((i) + 5) DO((i) + 6) DO((i) + 7)
#define SPLITGEN_EACH_TENSOR(DO)                                                                   \
    SPLITGEN_8_TENSORS(DO, 0)                                                                      \
    SPLITGEN_8_TENSORS(DO, 8) SPLITGEN_8_TENSORS(DO, 16) SPLITGEN_8_TENSORS(DO, 24)

/* The tensors of a call, `ins` that are read and `outs` that are written. */
SPLITGEN_COPY splitgen_at splitgen_at_of(const void *const in[], size_t ins, void *const out[],
                                         size_t outs)
{
    splitgen_at at = SPLITGEN_NOWHERE;

#define SPLITGEN_TENSOR_AT(i)                                                                      \
    if ((i) < ins) {                                                                               \
        at.in[i] = SPLITGEN_POINTER(const unsigned char, in[i]);                                   \
    }                                                                                              \
    if ((i) < outs) {                                                                              \
        at.out[i] = SPLITGEN_POINTER(unsigned char, out[i]);                                       \
    }
    SPLITGEN_EACH_TENSOR(SPLITGEN_TENSOR_AT)
#undef SPLITGEN_TENSOR_AT
    return at;
}

/* --- through the cache ------------------------------------------------------------------------ */

/* Rows [first, last), one after the other. */
SPLITGEN_COPY void splitgen_row_by_row(splitgen_tile *tile, splitgen_store store,
                                       const void *const in[], size_t ins, void *const out[],
                                       size_t outs, size_t first, size_t last)
{
    const splitgen_at at = splitgen_at_of(in, ins, out, outs);

    for (size_t row = first; row < last; ++row) {
        tile(&at, row, store);
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

/* Rows [first, last), at least an iteration; where `most` of them or fewer are left behind the last
 * whole iteration, returns the first of these. More are moved by an iteration that ends with the
 * last row and overlaps the one before; then, and where none are left, it returns `last`. */
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

/* The same, but up to `most` rows behind the last whole iteration are moved by `others`, which is
 * cheaper than an iteration that overlaps. */
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

/* Bytes from an address to the next multiple of so many, a power of two; 0 where `apart`, the bits
 * in which other addresses differ from it, says that they are not all as far from one. */
SPLITGEN_COPY size_t splitgen_until(uintptr_t address, uintptr_t apart, size_t bytes)
{
    return apart % bytes == 0 ? (0 - address) % bytes : 0;
}

/* 1 / odd, modulo 256. */
SPLITGEN_COPY size_t splitgen_inverse(size_t odd)
{
    size_t inverse = odd; /* of 3 bits, then of twice as many each time */

    inverse *= 2 - odd * inverse;
    inverse *= 2 - odd * inverse;
    return inverse % 256;
}

/* The rows from `row` on to the first at which all tensors that are written begin a vector of
 * `vector` bytes, a power of two; their rows all have `bytes` bytes, no multiple of that. 0: they
 * do at this row, or never do together. Multiples of `bytes` give every multiple of what it has in
 * common with a vector, so there are fewer such rows than a vector has of these. */
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

/* Iterations behind the one that brings outputs to vectors, from which on it pays
 * (generator/plan/MEASURED.md, Aligning). */
#define SPLITGEN_ALIGNED_ITERATIONS 16

/* Rows [first, last), at least an iteration, by tiles that store vectors at multiples of `vector`
 * bytes where all that is written comes to one at the same row: an iteration in front, which the
 * next one overlaps, brings it there. */
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

#if SPLITGEN_X86

/* --- past the cache --------------------------------------------------------------------------- */

/* What is left behind streams that end with row `end`, by the body that stores through the cache,
 * which moves at least an iteration. */
SPLITGEN_COPY void splitgen_behind(splitgen_body *cached, size_t iteration, const void *const in[],
                                   void *const out[], size_t end, size_t last)
{
    if (end < last) {
        cached(in, out, last - end < iteration ? last - iteration : end, last);
    }
}

#if !defined(SPLITGEN_LOOPS_MODEL)
/* Prefetches input from byte `from` on, for an interleaved stream. */
SPLITGEN_COPY void splitgen_prefetch_rows(const splitgen_at *at, size_t from, size_t now,
                                          size_t far)
{
    splitgen_prefetch_iterations(at->in[0] + from, now, far, at->streams);
}
#endif

/* Iterations of interleaved streams: `turn` of one stream, then of the next. Short ones prefetch
 * `now` bytes each of what they read, together, and long ones `far` bytes further on. `bytes` are
 * those of a row of the whole. */
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

/* Rows [first, last), as interleaved streams; what is left behind them by `cached`. */
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

/* The same of long runs: each is moved of all streams together, then `others`, what the tile has
 * besides, of each. */
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

/* The same of runs so long that each is cut into streams itself: rows one after the other. */
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
/* The combiners of all tensors whose stores are combined, from row `row` on: `combined` has the
 * bytes of a row of each, and 0 for others. At least a cache line in front of it is written. */
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

/* Writes what they hold. */
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

/* Rows [first, last), at least `prologue` and an iteration: `cached` moves the prologue rows, which
 * fill the first line of every tensor, and what is left behind the last whole iteration, by one
 * that overlaps. `lines` has room for `outs`. */
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

/* The combiners of stream i: taken for a turn, so that they are registers, and put back. */
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

/* Begins each of the interleaved streams, of at.stream rows, by its prologue rows. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_streams_begin(const splitgen_at *at, const size_t combined[],
                                          size_t outs, size_t prologue, splitgen_body *cached,
                                          const void *const in[], void *const out[], size_t first)
{
    for (size_t i = 0; i < at->streams && at->stream > 0; ++i) {
        const size_t row = first + i * at->stream;

        cached(in, out, row, row + prologue);
        splitgen_lines_begin(at, combined, outs, row + prologue,
                             splitgen_prefetch_distance(at->streams));
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

/* Rows [first, last), as interleaved streams of which each combines its own stores; what is left
 * behind them by `cached`. Streams have the prologue rows and whole turns, or there are none. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_tiles_combined_streamed(
    splitgen_tile *tile, size_t rows, size_t tiles, size_t turn, size_t bytes, size_t now,
    size_t far, size_t prologue, const size_t combined[], splitgen_combiner lines[],
    splitgen_combiners each_lines[], splitgen_body *cached, const void *const in[], size_t ins,
    void *const out[], size_t outs, size_t first, size_t last)
{
    const size_t iteration = rows * tiles;
    const size_t head = prologue / iteration;
    const size_t streams = splitgen_streams(splitgen_asked_cpu(), iteration * bytes);
    const size_t all =
        splitgen_per_stream((last - first) / iteration, streams, 1, iteration * bytes);
    splitgen_at at = splitgen_at_of(in, ins, out, outs);

    at.lines = lines;
    at.each_lines = each_lines;
    at.streams = streams;
    at.stream = all < head ? 0 : (all - (all - head) % turn) * iteration;
    splitgen_streams_begin(&at, combined, outs, prologue, cached, in, out, first);
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

/* The same of long runs, by rows. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_runs_combined_streamed(
    splitgen_tile *tile, bool others, size_t bytes, size_t prologue, const size_t combined[],
    splitgen_combiner lines[], splitgen_combiners each_lines[], splitgen_body *cached,
    const void *const in[], size_t ins, void *const out[], size_t outs, size_t first, size_t last)
{
    const size_t streams = splitgen_streams(splitgen_asked_cpu(), 0);
    const size_t all = splitgen_per_stream(last - first, streams, 1, bytes);
    splitgen_at at = splitgen_at_of(in, ins, out, outs);

    at.lines = lines;
    at.each_lines = each_lines;
    at.streams = streams;
    at.stream = all < prologue ? 0 : all;
    splitgen_streams_begin(&at, combined, outs, prologue, cached, in, out, first);
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

/* --- what tiles do ---------------------------------------------------------------------------- */

/* How a run is copied through the cache; and of others, by lines where its ends are whole lines,
 * and ragged where they need not be. */
typedef enum splitgen_by {
    SPLITGEN_BY_MEMCPY,
    SPLITGEN_BY_PUT,     /* moves that keep their order */
    SPLITGEN_BY_SHORT,   /* vectors of 32 bytes */
    SPLITGEN_BY_VECTORS, /* as few instructions as possible */
    SPLITGEN_BY_RUN,     /* in straight line */
    SPLITGEN_BY_CALL     /* the C library */
} splitgen_by;

/* Whether only what is moved of all interleaved streams together is wanted. */
SPLITGEN_COPY bool splitgen_is_together(splitgen_store store)
{
    return store == SPLITGEN_TOGETHER || store == SPLITGEN_COMBINED_TOGETHER;
}

/* Prefetches so many cache lines of input, `ahead` bytes behind a place, where nothing else does:
 * the loops that bypass the cache prefetch iteration by iteration. */
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
    /* A run of whole lines that is moved of all interleaved streams together; rows of what is     \
     * written and of what is read are so many bytes apart. */                                     \
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

/* What past the cache a run is that may be combined too: nothing, or one of those above. */
typedef enum splitgen_past {
    SPLITGEN_PAST_NOT,
    SPLITGEN_PAST_LINES,
    SPLITGEN_PAST_RAGGED,
    SPLITGEN_PAST_PIECES
} splitgen_past;

/* A run whose stores are combined with those of the rows before, of tensor `out`. */
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
        return; /* moved already */
    } else if (past == SPLITGEN_PAST_PIECES) {
        splitgen_pieces_avx512(at, dst, dst_row, src, src_row, bytes, by, store);
    } else if (past == SPLITGEN_PAST_RAGGED) {
        splitgen_ragged_avx512(at, dst, src, bytes, by, store);
    } else if (past == SPLITGEN_PAST_LINES) {
        splitgen_lines_avx512(at, dst, src, bytes, by, store);
    } else if (store != SPLITGEN_TOGETHER) {
        splitgen_cached_avx512(dst, src, bytes, by);
    } else {
        /* no long run */
    }
}

/* Stores 64 bytes of tensor `out`, as its tile stores: by a combiner, which rotates bytes, or words
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

/* --- which body ------------------------------------------------------------------------------- */

/* Where row `offset` bytes behind the first lies in all that is written, or-ed. */
SPLITGEN_COPY uintptr_t splitgen_places(void *const out[], size_t outs, size_t offset)
{
    uintptr_t places = 0;

    for (size_t i = 0; i < outs; ++i) {
        places |= SPLITGEN_ADDRESS(out[i]) + offset;
    }
    return places;
}

/* Asks what this machine has, then moves the rows by `body`: the first call of all. It stands last
 * there, and its arguments are in their places, so nothing is saved for it
 * (generator/plan/MEASURED.md, Calls). */
SPLITGEN_COLD __attribute__((unused)) void splitgen_first(const void *const in[], void *const out[],
                                                          size_t first, size_t last,
                                                          splitgen_body *body)
{
    (void)splitgen_cpu();
    body(in, out, first, last);
}

/* The same of rows of so many as a call brings. */
typedef void splitgen_open_body(const void *const in[], void *const out[], size_t first,
                                size_t last, size_t all);

SPLITGEN_COLD __attribute__((unused)) void splitgen_first_open(const void *const in[],
                                                               void *const out[], size_t first,
                                                               size_t last, size_t all,
                                                               splitgen_open_body *body)
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
