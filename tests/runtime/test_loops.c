/* Tests the loops of splitgen/loops.h alone, with tiles and bodies that record the rows they are
 * called for: all row counts, several first rows, tiles of several sizes and iterations of
 * several tiles. Every row is copied, none outside, and vectors are aligned to cache lines if
 * possible. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The number of streams that the processor asks for. */
static size_t streams_wanted = 1;

#include <splitgen/vector.h>

#if SPLITGEN_X86
#define splitgen_streams(cpu, bytes) ((void)(cpu), (void)(bytes), streams_wanted)
#endif
#include <splitgen/loops.h>

enum { ROWS_MOST = 200, FIRST_MOST = 131, ALL = FIRST_MOST + ROWS_MOST, ROW_BYTES = 3, LINE = 64 };

/* The arguments of a loop. `rows` are those of a tile. */
typedef struct numbers {
    size_t rows;
    size_t tiles;
    size_t most; /* rows after the last iteration that other code may copy */
    size_t turn;
    size_t prologue; /* rows */
    size_t bytes;    /* in a row of each tensor */
    size_t vector;
    bool others;
    size_t first;
    size_t last;
    const void *const *in;
    void *const *out;
    size_t outs;
} numbers;

/* The parts of rows that are copied. */
enum { TOGETHER = 1, OTHERS = 2, BOTH = 3 };

static numbers call;
static unsigned char moved[ALL];
static size_t came_to_vectors; /* calls that must align vectors */
static bool is_outside;
static size_t across;      /* iterations with ordinary stores whose vectors cross lines */
static size_t by_others;   /* rows copied by the portable program */
static bool is_short;      /* a body was called for fewer rows than it accepts */
static size_t next[4];     /* the row that each combiner expects, by stream */
static bool is_disordered; /* combiners received rows out of order */
static unsigned char input[ALL * ROW_BYTES + LINE];
static _Alignas(LINE) unsigned char output[2][(2 * ALL * ROW_BYTES / LINE + 3) * LINE];

static void note(size_t first, size_t rows, unsigned char part)
{
    is_outside = is_outside || first < call.first || first + rows > call.last;
    for (size_t i = 0; i < rows && first + i < ALL; ++i) {
        moved[first + i] |= part;
    }
}

static bool is_at_vector(size_t row)
{
    return ((uintptr_t)call.out[0] + row * call.bytes) % call.vector == 0;
}

/* Combined stores are appended, so each stream goes row by row. */
static void append(size_t stream, size_t row)
{
    is_disordered = is_disordered || (next[stream] != SIZE_MAX && next[stream] != row);
    next[stream] = row + call.rows;
}

static void tile(const splitgen_at *at, size_t row, splitgen_store store)
{
    const bool together = store == SPLITGEN_TOGETHER || store == SPLITGEN_COMBINED_TOGETHER;
    const bool others = store == SPLITGEN_OTHERS || store == SPLITGEN_COMBINED_OTHERS;

    across += call.vector > 0 && !is_at_vector(row);
    for (size_t i = 0; i < (together ? at->streams : 1); ++i) {
        note(row + i * at->stream, call.rows,
             together && call.others ? TOGETHER
             : others                ? OTHERS
                                     : BOTH);
        if (store == SPLITGEN_COMBINED_TOGETHER) {
            append(i, row + i * at->stream);
        }
    }
    if (store == SPLITGEN_COMBINED) {
        append(0, row);
    } else if (store == SPLITGEN_COMBINED_STREAMED) {
        append((row - call.first) / at->stream, row);
    }
}

static void cached(const void *const in[], void *const out[], size_t first, size_t last)
{
    (void)in;
    (void)out;
    is_short = is_short || last < first || last - first < call.rows * call.tiles;
    note(first, last - first, BOTH);
}

static void portable(const void *const in[], void *const out[], size_t first, size_t last)
{
    (void)in;
    (void)out;
    by_others += last - first;
    note(first, last - first, BOTH);
}

typedef void looping(const numbers *n);

static void run(looping *loop, const numbers *n)
{
    call = *n;
    memset(moved, 0, sizeof moved);
    is_outside = is_short = is_disordered = false;
    across = by_others = 0;
    memset(next, 0xff, sizeof next); /* SIZE_MAX */
    loop(n);
    for (size_t row = n->first; row < n->last; ++row) {
        if (moved[row] != BOTH) {
            fail_msg("row %zu of [%zu, %zu) is left out; tiles of %zu rows, %zu in an iteration",
                     row, n->first, n->last, n->rows, n->tiles);
        }
    }
    if (is_outside || is_short || is_disordered) {
        fail_msg("%s: rows [%zu, %zu), tiles of %zu rows, %zu in an iteration",
                 is_outside ? "moves rows outside"
                 : is_short ? "a body gets less than an iteration"
                            : "combines rows out of order",
                 n->first, n->last, n->rows, n->tiles);
    }
}

/* Runs all suitable row counts: at least `iterations` iterations and the prologue rows. */
static void run_all(looping *loop, numbers n, size_t least)
{
    static const size_t firsts[] = {0, 1, 2, 7, 64, FIRST_MOST};
    const void *const in[] = {input};
    void *const out[] = {output[0], output[1] + 1};

    n.in = in;
    n.out = out;
    n.outs = 2;
    for (size_t f = 0; f < sizeof firsts / sizeof firsts[0]; ++f) {
        for (size_t rows = least > 0 ? least : 1; rows <= ROWS_MOST; ++rows) {
            n.first = firsts[f];
            n.last = n.first + rows;
            run(loop, &n);
            assert_true(by_others <= n.most);
        }
    }
}

/* Tiles of several sizes, and 1, 2 and 4 of them in an iteration. */
static const size_t tile_rows[] = {1, 3, 8, 21, 32};

#define EACH_ITERATION(n)                                                                          \
    for (size_t s = 0; s < sizeof tile_rows / sizeof tile_rows[0]; ++s)                            \
        for (size_t k = ((n).rows = tile_rows[s], 1); ((n).tiles = k) <= 4; k *= 2)

/* --- ordinary stores -------------------------------------------------------------------------- */

static void row_by_row(const numbers *n)
{
    splitgen_row_by_row(tile, SPLITGEN_CACHED, n->in, 1, n->out, n->outs, n->first, n->last);
}

static void test_row_by_row(void **state)
{
    (void)state;
    run_all(row_by_row, (numbers){.rows = 1, .tiles = 1}, 0);
}

static void tiles(const numbers *n)
{
    splitgen_tiles(tile, n->rows, n->tiles, n->in, 1, n->out, n->outs, n->first, n->last);
}

static void test_tiles(void **state)
{
    numbers n = {0};

    (void)state;
    EACH_ITERATION(n)
    {
        run_all(tiles, n, n.rows * n.tiles);
    }
}

static void tiles_and_rows(const numbers *n)
{
    splitgen_tiles_and_rows(tile, n->rows, n->tiles, n->most, portable, n->in, 1, n->out, n->outs,
                            n->first, n->last);
}

static void test_tiles_and_rows(void **state)
{
    numbers n = {0};

    (void)state;
    EACH_ITERATION(n)
    {
        for (n.most = 0; n.most < n.rows * n.tiles && n.most < 8; n.most += 3) {
            run_all(tiles_and_rows, n, n.rows * n.tiles);
        }
    }
}

static void tiles_aligned(const numbers *n)
{
    splitgen_tiles_aligned(tile, n->rows, n->tiles, n->bytes, n->vector, n->in, 1, n->out, n->outs,
                           n->first, n->last);
}

/* Whether at some row all outputs begin at a vector. */
static bool comes_to_vectors(const numbers *n)
{
    const bool alike = (uintptr_t)n->out[0] % n->vector == (uintptr_t)n->out[1] % n->vector;
    bool comes = false;

    for (size_t row = n->first; alike && row < n->first + n->vector; ++row) {
        comes = comes || ((uintptr_t)n->out[0] + row * n->bytes) % n->vector == 0;
    }
    return comes;
}

/* If outputs can be aligned and there are enough rows, all tiles are aligned except those of the
 * first and the last iteration. */
static void run_aligned(numbers n, size_t place, size_t apart)
{
    void *const out[] = {output[0] + place, output[1] + place + apart};

    n.out = out;
    n.outs = 2;
    for (n.first = 0; n.first <= FIRST_MOST; n.first += FIRST_MOST / 2) {
        for (size_t rows = n.rows * n.tiles; rows <= ROWS_MOST; ++rows) {
            n.last = n.first + rows;
            run(tiles_aligned, &n);
            if (comes_to_vectors(&n) &&
                rows >= n.vector + SPLITGEN_ALIGNED_ITERATIONS * n.rows * n.tiles) {
                assert_in_range(across, 0, 2 * n.tiles);
                ++came_to_vectors;
            }
        }
    }
}

/* Tiles with rows of complete vectors. */
static void test_tiles_aligned(void **state)
{
    static const size_t row_bytes[] = {1, 3, 6};
    const void *const in[] = {input};
    numbers n = {.in = in, .vector = 32};

    (void)state;
    for (size_t b = 0; b < sizeof row_bytes / sizeof row_bytes[0]; ++b) {
        n.bytes = row_bytes[b];
        for (n.vector = 8; n.vector <= 32; n.vector *= 2) {
            n.rows = n.vector / (n.bytes & (0 - n.bytes));
            for (n.tiles = 1; n.rows > 0 && n.tiles <= 4; n.tiles *= 2) {
                for (size_t place = 0; place < n.vector && n.rows * n.tiles <= ROWS_MOST;
                     place += 1 + n.vector / 32) {
                    run_aligned(n, place, 0);
                    run_aligned(n, place, 1);
                }
            }
        }
    }
    assert_true(came_to_vectors > 0);
}

/* --- non-temporal stores ---------------------------------------------------------------------- */

#if SPLITGEN_X86
static void tiles_streamed(const numbers *n)
{
    splitgen_tiles_streamed(tile, n->rows, n->tiles, n->turn, ROW_BYTES, 0, 0, cached, n->in, 1,
                            n->out, n->outs, n->first, n->last);
}

static void runs_streamed(const numbers *n)
{
    splitgen_runs_streamed(tile, n->rows, n->others, ROW_BYTES, cached, n->in, 1, n->out, n->outs,
                           n->first, n->last);
}

static void rows_streamed(const numbers *n)
{
    splitgen_rows_streamed(tile, n->in, 1, n->out, n->outs, n->first, n->last);
}

static void test_streamed(void **state)
{
    numbers n = {0};

    (void)state;
    for (streams_wanted = 1; streams_wanted <= SPLITGEN_INTERLEAVED_MAX; ++streams_wanted) {
        EACH_ITERATION(n)
        {
            for (n.turn = 1; n.turn <= 4; n.turn += n.turn) {
                run_all(tiles_streamed, n, n.rows * n.tiles);
            }
        }
        n.tiles = 1;
        for (n.rows = 1; n.rows <= 3; ++n.rows) {
            n.others = false;
            run_all(runs_streamed, n, n.rows);
            n.others = true;
            run_all(runs_streamed, n, n.rows);
        }
        run_all(rows_streamed, (numbers){.rows = 1, .tiles = 1}, 0);
    }
}

/* --- whole cache lines ------------------------------------------------------------------------ */

/* Combiners begin and end, and nothing is appended to them: their bytes are written unchanged. */
static const size_t combined[] = {ROW_BYTES, ROW_BYTES};

SPLITGEN_TARGET_AVX512
static void tiles_combined(const numbers *n)
{
    splitgen_combiner lines[2];

    splitgen_tiles_combined(tile, n->rows, n->tiles, n->prologue, combined, lines, cached, n->in, 1,
                            n->out, n->outs, n->first, n->last);
}

SPLITGEN_TARGET_AVX512
static void tiles_combined_streamed(const numbers *n)
{
    splitgen_combiner lines[2];
    splitgen_combiners each_lines[2];

    splitgen_tiles_combined_streamed(tile, n->rows, n->tiles, n->turn, ROW_BYTES, 0, 0, n->prologue,
                                     combined, lines, each_lines, cached, n->in, 1, n->out, n->outs,
                                     n->first, n->last);
}

SPLITGEN_TARGET_AVX512
static void runs_combined_streamed(const numbers *n)
{
    splitgen_combiner lines[2];
    splitgen_combiners each_lines[2];

    splitgen_runs_combined_streamed(tile, n->others, ROW_BYTES, n->prologue, combined, lines,
                                    each_lines, cached, n->in, 1, n->out, n->outs, n->first,
                                    n->last);
}

/* Prologue rows fill whole iterations of at least a line. */
static size_t prologue_of(size_t iteration)
{
    return (LINE / ROW_BYTES + iteration) / iteration * iteration;
}

static void test_combined(void **state)
{
    numbers n = {0};

    (void)state;
    if ((splitgen_cpu() & SPLITGEN_CPU_AVX512) == 0) {
        skip();
    }
    for (streams_wanted = 1; streams_wanted <= SPLITGEN_INTERLEAVED_MAX; ++streams_wanted) {
        EACH_ITERATION(n)
        {
            n.prologue = prologue_of(n.rows * n.tiles);
            run_all(tiles_combined, n, n.prologue + n.rows * n.tiles);
            for (n.turn = 1; n.turn <= 4; n.turn += n.turn) {
                run_all(tiles_combined_streamed, n, n.prologue + n.rows * n.tiles);
            }
        }
        n = (numbers){.rows = 1, .tiles = 1, .prologue = prologue_of(1)};
        run_all(runs_combined_streamed, n, n.prologue + 1);
        n.others = true;
        run_all(runs_combined_streamed, n, n.prologue + 1);
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_row_by_row),
        cmocka_unit_test(test_tiles),
        cmocka_unit_test(test_tiles_and_rows),
        cmocka_unit_test(test_tiles_aligned),
#if SPLITGEN_X86
        cmocka_unit_test(test_streamed),
        cmocka_unit_test(test_combined),
#endif
    };

    return cmocka_run_group_tests_name("loops", tests, NULL, NULL);
}
