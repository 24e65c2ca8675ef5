/* splitgen_run_parallel and splitgen_run_parallel_n: how the work is divided, and that every
 * byte is written by one task. The kernel is written by hand, its shape changes from test to
 * test, and its rows may belong to several items. Takes a cmocka filter as its argument. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <splitgen/splitgen.h>

#include "guard.h"

enum { OUTPUTS_MAX = 4096, RANGES_MAX = 2048, THREADS = 4, TASKS_MAX = 1024 };

typedef struct range {
    size_t first, last;
} range;

/* The split under test: rows of columns, some of which may be unwanted (in the input only). */
static struct {
    splitgen_kernel kernel;
    splitgen_tensor tensors[OUTPUTS_MAX];
    splitgen_view views[OUTPUTS_MAX];
    size_t n;         /* number of items; 0: no dimension is open */
    size_t rows;      /* of all items */
    size_t row_bytes; /* of the input */
    bool moves;       /* whether run_rows copies, or only records its arguments */
    /* what happened */
    pthread_mutex_t lock;
    range ranges[RANGES_MAX];
    size_t nranges;
    size_t runs;
    size_t tasks;
} now = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void run_rows(const void *input, void *const outputs[], size_t first, size_t last)
{
    if (first == last) {
        return;
    }
    pthread_mutex_lock(&now.lock);
    assert_true(now.nranges < RANGES_MAX);
    now.ranges[now.nranges++] = (range){first, last};
    pthread_mutex_unlock(&now.lock);
    for (size_t row = first; now.moves && row < last; ++row) {
        for (size_t i = 0; i < now.kernel.nparts; ++i) {
            const size_t width = now.tensors[i].bytes / now.kernel.rows; /* of each item */
            if (width > 0) {
                memcpy((char *)outputs[i] + row * width,
                       (const char *)input + row * now.row_bytes + now.views[i].byte_offset, width);
            }
        }
    }
}

static void run(const void *input, void *const outputs[])
{
    ++now.runs;
    if (now.moves) {
        run_rows(input, outputs, 0, now.kernel.rows);
    }
}

/* Like a kernel with an open dimension: counts as a run if it is called for all at once. */
static void run_free_rows(const void *input, void *const outputs[], size_t first, size_t last,
                          size_t rows)
{
    assert_int_equal(rows, now.rows);
    if (first == 0 && last == rows) {
        ++now.runs;
    }
    run_rows(input, outputs, first, last);
}

static void forget(void)
{
    now.nranges = now.runs = now.tasks = 0;
}

/* A kernel of `rows` rows with these columns; `skip` bytes of every row are in no output. */
static void make(size_t rows, size_t skip, const size_t *widths, size_t count)
{
    static const int64_t dims[2] = {1, 1};
    static const int64_t strides[2] = {1, 1};

    assert_true(count <= OUTPUTS_MAX);
    forget();
    now.n = 0;
    now.rows = rows;
    now.moves = true;
    now.row_bytes = skip;
    for (size_t i = 0; i < count; ++i) {
        now.tensors[i] = (splitgen_tensor){"part", SPLITGEN_U8, 2, dims, rows * widths[i], 1};
        now.views[i].only = false;
        now.views[i].byte_offset = now.row_bytes;
        now.views[i].strides = strides;
        now.row_bytes += widths[i];
    }
    for (size_t i = 0; i < count; ++i) {
        now.views[i].kind = rows <= 1 || widths[i] == 0 || widths[i] == now.row_bytes
                                ? SPLITGEN_VIEW_CONTIGUOUS
                                : SPLITGEN_VIEW_STRIDED;
    }
    now.kernel = (splitgen_kernel){.name = "hand",
                                   .whole = {"in", SPLITGEN_U8, 2, dims, rows * now.row_bytes, 1},
                                   .nparts = count,
                                   .parts = now.tensors,
                                   .split = run,
                                   .split_rows = run_rows,
                                   .rows = rows,
                                   .align = 1,
                                   .axis = 1,
                                   .abi = SPLITGEN_ABI,
                                   .views = now.views};
}

/* The current kernel with its rows divided into n items. An output is contiguous for every n
 * only if it is the complete input. */
static void make_free(size_t n)
{
    static const splitgen_number number = {"n", 1};
    static const unsigned char powers[] = {1, 0};
    static const splitgen_free items = {.name = "n",
                                        .expected = 1,
                                        .split_rows = run_free_rows,
                                        .count = 1,
                                        .numbers = &number,
                                        .powers = powers};

    assert_int_equal(now.rows % n, 0);
    now.n = n;
    now.kernel.rows /= n;
    now.kernel.whole.bytes /= n;
    now.kernel.split = NULL;
    now.kernel.split_rows = NULL;
    now.kernel.free = &items;
    for (size_t i = 0; i < now.kernel.nparts; ++i) {
        const size_t width = now.tensors[i].bytes / now.rows;

        now.tensors[i].bytes /= n;
        now.views[i].kind =
            width == 0 || width == now.row_bytes ? SPLITGEN_VIEW_CONTIGUOUS : SPLITGEN_VIEW_STRIDED;
    }
}

/* Runs the current kernel by the function for its kind. */
static splitgen_status run_parallel(const void *input, void *const outputs[],
                                    splitgen_parallel_for parallel_for, void *pool)
{
    return now.n > 0
               ? splitgen_run_parallel_n(&now.kernel, input, outputs, now.n, parallel_for, pool)
               : splitgen_run_parallel(&now.kernel, input, outputs, parallel_for, pool);
}

/* Bytes of the input or an output, over all items. */
static size_t bytes_of(const splitgen_tensor *tensor)
{
    return tensor->bytes * (now.n > 0 ? now.n : 1);
}

typedef void task_function(void *context, size_t index);

static void forwards(void *pool, size_t tasks, task_function *task, void *context)
{
    assert_ptr_equal(pool, &now);
    now.tasks = tasks;
    for (size_t i = 0; i < tasks; ++i) {
        task(context, i);
    }
}

static void backwards(void *pool, size_t tasks, task_function *task, void *context)
{
    assert_ptr_equal(pool, &now);
    now.tasks = tasks;
    for (size_t i = tasks; i-- > 0;) {
        task(context, i);
    }
}

typedef struct crew {
    task_function *task;
    void *context;
    size_t tasks;
    atomic_size_t next;
} crew;

static void *crew_member(void *arg)
{
    crew *c = (crew *)arg;
    for (size_t i = atomic_fetch_add(&c->next, 1); i < c->tasks;
         i = atomic_fetch_add(&c->next, 1)) {
        c->task(c->context, i);
    }
    return NULL;
}

static void by_threads(void *pool, size_t tasks, task_function *task, void *context)
{
    crew c = {.task = task, .context = context, .tasks = tasks};
    pthread_t threads[THREADS];

    assert_ptr_equal(pool, &now);
    now.tasks = tasks;
    for (size_t i = 0; i < THREADS; ++i) {
        assert_int_equal(pthread_create(&threads[i], NULL, crew_member, &c), 0);
    }
    for (size_t i = 0; i < THREADS; ++i) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
}

/* The buffers of the current kernel, with all outputs in one block between unmapped pages. */
typedef struct buffers {
    test_guard in_guard, out_guard;
    unsigned char *in;
    unsigned char *out; /* outputs[i] is at the sum of the bytes before it */
    size_t out_bytes;
    unsigned char *expected;
    void *outputs[OUTPUTS_MAX];
} buffers;

static buffers *buffers_new(void)
{
    buffers *b = (buffers *)calloc(1, sizeof *b);
    size_t at = 0;

    assert_non_null(b);
    for (size_t i = 0; i < now.kernel.nparts; ++i) {
        b->out_bytes += bytes_of(&now.tensors[i]);
    }
    b->in = test_guard_place(&b->in_guard, bytes_of(&now.kernel.whole), 1, TEST_PLACE_END);
    b->out = test_guard_place(&b->out_guard, b->out_bytes, 1, TEST_PLACE_END);
    for (size_t i = 0; i < bytes_of(&now.kernel.whole); ++i) {
        b->in[i] = (unsigned char)((i * 2654435761U) >> 13);
    }
    b->expected = (unsigned char *)malloc(b->out_bytes + 1);
    assert_non_null(b->expected);
    for (size_t i = 0; i < now.kernel.nparts; ++i) {
        const size_t width = now.kernel.rows > 0 ? now.tensors[i].bytes / now.kernel.rows : 0;

        b->outputs[i] = now.tensors[i].bytes > 0 ? b->out + at : NULL;
        for (size_t row = 0; row < now.rows; ++row) {
            for (size_t k = 0; k < width; ++k) {
                b->expected[at++] = b->in[row * now.row_bytes + now.views[i].byte_offset + k];
            }
        }
    }
    return b;
}

static void buffers_free(buffers *b)
{
    test_guard_free(&b->in_guard);
    test_guard_free(&b->out_guard);
    free(b->expected);
    free(b);
}

/* Runs every task alone on outputs that are wrong in every bit, and counts the writers: each
 * byte is right after one task and untouched by all others. */
static void one_by_one(void *pool, size_t tasks, task_function *task, void *context)
{
    buffers *b = (buffers *)pool;
    unsigned char *writers = (unsigned char *)calloc(b->out_bytes, 1);
    size_t most = 0;
    size_t least = SIZE_MAX;

    assert_non_null(writers);
    now.tasks = tasks;
    for (size_t t = 0; t < tasks; ++t) {
        size_t written = 0;

        for (size_t i = 0; i < b->out_bytes; ++i) {
            b->out[i] = (unsigned char)~b->expected[i];
        }
        task(context, t);
        for (size_t i = 0; i < b->out_bytes; ++i) {
            if (b->out[i] == b->expected[i]) {
                ++writers[i];
                ++written;
            } else if ((unsigned char)~b->out[i] != b->expected[i]) {
                fail_msg("task %zu wrote a wrong byte at %zu", t, i);
            }
        }
        most = written > most ? written : most;
        least = written < least ? written : least;
    }
    for (size_t i = 0; i < b->out_bytes; ++i) {
        if (writers[i] != 1) {
            fail_msg("byte %zu has %d writers", i, writers[i]);
        }
    }
    /* equal within a block of 64 rows or one row, which are never as large as a task */
    assert_true(least > 0 && most <= 2 * least);
    assert_true(most >= SPLITGEN_PARALLEL_BYTES / 2);
    memcpy(b->out, b->expected, b->out_bytes);
    free(writers);
}

typedef enum how { IN_CALLER, BY_ROWS, BY_LINES } how;

/* Every way to run the current kernel gives the expected bytes, with `tasks` tasks divided like
 * this. */
static void check_moves(how expected, size_t tasks)
{
    static const splitgen_parallel_for pools[] = {forwards, backwards, by_threads, one_by_one,
                                                  NULL};
    buffers *b = buffers_new();

    for (size_t p = 0; p < sizeof pools / sizeof *pools; ++p) {
        void *pool = pools[p] == one_by_one ? (void *)b : (void *)&now;
        const bool cut = expected != IN_CALLER && pools[p] != NULL;

        forget();
        memset(b->out, 0, b->out_bytes);
        assert_int_equal(run_parallel(b->in, b->outputs, pools[p], pool), SPLITGEN_OK);
        assert_int_equal(memcmp(b->out, b->expected, b->out_bytes), 0);
        assert_true(test_guard_intact(&b->out_guard));
        assert_int_equal(now.tasks, cut ? tasks : 0);
        assert_int_equal(now.runs, cut ? 0 : 1);
        if (cut) {
            assert_int_equal(now.nranges, expected == BY_ROWS ? tasks : 0);
        }
    }
    buffers_free(b);
}

#define MAKE(rows, skip, ...)                                                                      \
    make(rows, skip, (const size_t[]){__VA_ARGS__},                                                \
         sizeof((const size_t[]){__VA_ARGS__}) / sizeof(size_t))

enum { LEAST = SPLITGEN_PARALLEL_BYTES, HALF = SPLITGEN_PARALLEL_MIN / 2 };

static void test_small(void **state)
{
    (void)state;
    MAKE(1000, 0, 100, 0, 200);
    check_moves(IN_CALLER, 0);
    MAKE(1, 7, HALF, HALF - 1);
    check_moves(IN_CALLER, 0);
    MAKE(1, 7, HALF, HALF);
    check_moves(BY_LINES, 8);
    MAKE(HALF / 4, 0, 3, 4);
    check_moves(IN_CALLER, 0);
    MAKE(HALF / 4, 0, 3, 5);
    check_moves(BY_ROWS, 8);
}

static void test_one_row(void **state)
{
    (void)state;
    MAKE(1, 0, 2000003, 0, 700001, 5, 64, 0);
    check_moves(BY_LINES, (2000003 + 700001 + 5 + 64) / LEAST);
    MAKE(1, 1234567, 1, 2100000, 1);
    check_moves(BY_LINES, 8);
    /* a single output as wide as its rows is one run of bytes */
    MAKE(64, 0, 40000, 0);
    check_moves(BY_LINES, 9);
    MAKE(800000, 0, 3);
    check_moves(BY_LINES, 9);
}

static atomic_size_t copied; /* bytes copied by the kernel's own copy */

static void counted_copy(void *dst, const void *src, size_t bytes)
{
    memcpy(dst, src, bytes);
    atomic_fetch_add(&copied, bytes);
}

/* Parts of rows are copied by the kernel's function. */
static void test_copy_of_kernel(void **state)
{
    buffers *b;

    (void)state;
    MAKE(2, 0, 800009, 0, 300000);
    now.kernel.copy = counted_copy;
    check_moves(BY_LINES, 8);
    atomic_store(&copied, 0);
    b = buffers_new();
    assert_int_equal(splitgen_run_parallel(&now.kernel, b->in, b->outputs, forwards, &now),
                     SPLITGEN_OK);
    assert_int_equal(atomic_load(&copied), 2 * 1100009);
    buffers_free(b);
}

static void test_few_rows(void **state)
{
    (void)state;
    MAKE(2, 0, 800009, 0, 300000);
    check_moves(BY_LINES, 8);
    MAKE(9, 100, 1, 240000, 127, 128, 129, 0, 65);
    check_moves(BY_ROWS, 8);
    MAKE(8, 100, 1, 300000, 127, 128, 129, 0, 65);
    check_moves(BY_LINES, 9);
}

static void test_many_rows(void **state)
{
    (void)state;
    MAKE(110000, 0, 3, 1, 0, 16);
    check_moves(BY_ROWS, 8);
    MAKE(64 * 2200 + 1, 5, 4, 12);
    check_moves(BY_ROWS, 8);
    MAKE(40, 3, 100000, 0, 17); /* pairs of rows */
    check_moves(BY_ROWS, 15);
}

/* With many outputs, they are not searched for every few bytes. */
static void test_many_outputs(void **state)
{
    size_t widths[OUTPUTS_MAX];

    (void)state;
    for (size_t i = 0; i < OUTPUTS_MAX; ++i) {
        widths[i] = i % 3 == 0 ? 0 : 3600 + i % 7;
    }
    make(1, 0, widths, OUTPUTS_MAX);
    check_moves(BY_LINES, 9);
    make(1, 0, widths, 1024);
    check_moves(BY_LINES, 9);
}

/* Without views, only the kernel knows what to copy. */
static void test_no_views(void **state)
{
    (void)state;
    MAKE(1, 0, HALF, HALF);
    now.views[1].kind = SPLITGEN_VIEW_NONE;
    check_moves(IN_CALLER, 0);
    MAKE(1, 0, HALF, HALF);
    now.views[0].kind = SPLITGEN_VIEW_STRIDED; /* but there is one row of it */
    check_moves(BY_LINES, 8);
    MAKE(1, 0, HALF, HALF, 0);
    now.views[2].kind = SPLITGEN_VIEW_NONE; /* of nothing */
    check_moves(BY_LINES, 8);
    MAKE(1, 0, HALF, HALF);
    now.kernel.whole.dtype = SPLITGEN_U4;
    check_moves(IN_CALLER, 0);
    MAKE(2, 0, 4 * LEAST, LEAST);
    now.views[1].kind = SPLITGEN_VIEW_NONE;
    check_moves(BY_ROWS, 2);
    MAKE(2, 0, 4 * LEAST, LEAST);
    now.kernel.whole.dtype = SPLITGEN_I4;
    check_moves(BY_ROWS, 2);
}

/* The rows of all items are divided: small items are combined, and tasks cross the ends of
 * items. */
static void test_items(void **state)
{
    static const size_t counts[] = {1, 7, 64 * 2100};

    (void)state;
    for (size_t i = 0; i < 3; ++i) {
        MAKE(64 * 2100, 5, 4, 12);
        make_free(counts[i]);
        check_moves(BY_ROWS, 8);
    }
    MAKE(26, 300, 1, 100000, 0, 127); /* pairs of rows, one of them of both items */
    make_free(2);
    check_moves(BY_ROWS, 9);
    for (size_t i = 0; i < 2; ++i) { /* fewer rows than tasks */
        MAKE(7, 100, 1, 300000, 127, 128, 129, 0, 65);
        make_free(counts[i]);
        check_moves(BY_LINES, 8);
    }
    MAKE(1, 100, 1, HALF, HALF + 77); /* the only row */
    make_free(1);
    check_moves(BY_LINES, 8);
    MAKE(6, 0, 400000, 0); /* the output is the input */
    make_free(3);
    check_moves(BY_LINES, 9);
    MAKE(42, 0, 49900, 1);
    make_free(42);
    check_moves(IN_CALLER, 0);
}

/* An output that is contiguous only for one item. */
static void test_items_views(void **state)
{
    (void)state;
    MAKE(2, 0, 4 * LEAST, LEAST);
    make_free(2);
    check_moves(BY_LINES, 10);
    MAKE(2, 0, 4 * LEAST, LEAST);
    make_free(2);
    now.views[1].kind = SPLITGEN_VIEW_NONE;
    check_moves(BY_ROWS, 2);
}

static void test_nothing(void **state)
{
    void *outputs[2] = {NULL, NULL};

    (void)state;
    MAKE(0, 0, 5, 6);
    assert_int_equal(splitgen_run_parallel(&now.kernel, NULL, outputs, forwards, &now),
                     SPLITGEN_OK);
    MAKE(100, 4000, 0, 0);
    assert_int_equal(
        splitgen_run_parallel(&now.kernel, outputs /* not examined */, outputs, forwards, &now),
        SPLITGEN_OK);
    now.kernel.nparts = 0;
    assert_int_equal(splitgen_run_parallel(&now.kernel, outputs, NULL, forwards, &now),
                     SPLITGEN_OK);
    MAKE(7, 0, HALF, 6);
    make_free(7);
    assert_int_equal(splitgen_run_parallel_n(&now.kernel, NULL, NULL, 0, forwards, &now),
                     SPLITGEN_OK);
    assert_int_equal(now.tasks + now.runs + now.nranges, 0);
}

/* Arguments that splitgen_run refuses are refused before a task or the kernel runs. */
static void test_refused(void **state)
{
    unsigned char *memory = (unsigned char *)malloc(8 * (size_t)HALF);
    void *outputs[2];

    (void)state;
    assert_non_null(memory);
    MAKE(1, 0, HALF, HALF);
    outputs[0] = memory + 2 * (size_t)HALF;
    outputs[1] = NULL;
    assert_int_equal(splitgen_run_parallel(NULL, memory, outputs, forwards, &now),
                     SPLITGEN_NULL_KERNEL);
    assert_int_equal(splitgen_run_parallel(&now.kernel, NULL, outputs, forwards, &now),
                     SPLITGEN_NULL_INPUT);
    assert_int_equal(splitgen_run_parallel(&now.kernel, memory, outputs, forwards, &now),
                     SPLITGEN_NULL_OUTPUT);
    outputs[1] = memory + 3 * (size_t)HALF - 1;
    assert_int_equal(splitgen_run_parallel(&now.kernel, memory, outputs, forwards, &now),
                     SPLITGEN_OVERLAP);
    outputs[1] = memory + 3 * (size_t)HALF + 1;
    now.kernel.align = 2;
    assert_int_equal(splitgen_run_parallel(&now.kernel, memory, outputs, NULL, NULL),
                     SPLITGEN_MISALIGNED);
    assert_int_equal(splitgen_run_parallel_n(&now.kernel, memory, outputs, 1, forwards, &now),
                     SPLITGEN_FIXED_COUNT);
    make_free(1);
    assert_int_equal(splitgen_run_parallel(&now.kernel, memory, outputs, forwards, &now),
                     SPLITGEN_NEEDS_COUNT);
    assert_int_equal(
        splitgen_run_parallel_n(&now.kernel, memory, outputs, SIZE_MAX, forwards, &now),
        SPLITGEN_TOO_MANY);
    now.kernel.align = 1;
    assert_int_equal(splitgen_run_parallel_n(&now.kernel, memory, outputs, 2, forwards, &now),
                     SPLITGEN_OVERLAP);
    now.kernel.abi++;
    assert_int_equal(splitgen_run_parallel(&now.kernel, memory, outputs, NULL, NULL),
                     SPLITGEN_BAD_ABI);
    assert_int_equal(now.tasks + now.runs + now.nranges, 0);
    free(memory);
}

static int by_first(const void *a, const void *b)
{
    const size_t x = ((const range *)a)->first;
    const size_t y = ((const range *)b)->first;

    return x < y ? -1 : x > y;
}

/* Divides `rows` rows of `width` bytes without copying, and checks the ranges. */
static void check_ranges(size_t n, size_t rows, size_t width, size_t tasks, size_t block)
{
    void *outputs[1];
    size_t most = 0;
    size_t least = SIZE_MAX;

    MAKE(rows, 1, width);
    if (n > 0) {
        make_free(n);
    }
    now.moves = false;
    outputs[0] = (void *)(uintptr_t)(4096 + rows * (width + 1)); /* never read */
    assert_int_equal(run_parallel((const void *)(uintptr_t)4096, outputs, backwards, &now),
                     SPLITGEN_OK);
    assert_int_equal(now.tasks, tasks);
    assert_int_equal(now.nranges, tasks);
    qsort(now.ranges, now.nranges, sizeof *now.ranges, by_first);
    assert_int_equal(now.ranges[0].first, 0);
    assert_int_equal(now.ranges[tasks - 1].last, rows);
    for (size_t i = 0; i < tasks; ++i) {
        const size_t count = now.ranges[i].last - now.ranges[i].first;

        assert_true(now.ranges[i].first < now.ranges[i].last);
        assert_int_equal(now.ranges[i].first % block, 0);
        assert_true(i == 0 || now.ranges[i - 1].last == now.ranges[i].first);
        most = count > most ? count : most;
        if (i + 1 < tasks) {
            least = count < least ? count : least;
        }
    }
    assert_true(most - least <= block);
}

static void test_ranges(void **state)
{
    (void)state;
    for (size_t rows = 22000; rows < 22200; ++rows) {
        check_ranges(0, rows, 100, rows * 100 / LEAST, 64);
    }
    check_ranges(0, 65, LEAST, 65, 1);
    check_ranges(0, 448, LEAST / 4, 112, 4);
    check_ranges(0, 449, LEAST / 4, 112, 4);
    check_ranges(0, 511, LEAST, 511, 1);
    check_ranges(0, 1023, LEAST, 1023, 1);
    check_ranges(0, 1025, LEAST, 1024, 1);
    check_ranges(0, TASKS_MAX * (size_t)64, LEAST, TASKS_MAX, 64);
    check_ranges(0, TASKS_MAX * (size_t)64 + 1, LEAST, TASKS_MAX, 64);
    check_ranges(1, 22111, 100, 22111 * 100 / LEAST, 64);
    check_ranges(22111, 22111, 100, 22111 * 100 / LEAST, 64);
    check_ranges(13, 13 * 1700, 100, 13 * 1700 * 100 / LEAST, 64); /* across the ends of items */
    check_ranges(5, 65, LEAST, 65, 1);
#if SIZE_MAX > 0xffffffff
    check_ranges(0, (size_t)1 << 62, 1, TASKS_MAX, 64);
    check_ranges(0, ((size_t)1 << 62) + 1, 1, TASKS_MAX, 64);
    check_ranges(0, (SIZE_MAX - 8192) / 4, 1, TASKS_MAX, 64);
    check_ranges(0, (SIZE_MAX - 8192) / 2 / (LEAST + 1), LEAST, TASKS_MAX, 64);
    check_ranges((size_t)1 << 60, (size_t)1 << 62, 1, TASKS_MAX, 64);
#endif
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),     cmocka_unit_test(test_one_row),
        cmocka_unit_test(test_few_rows),  cmocka_unit_test(test_copy_of_kernel),
        cmocka_unit_test(test_many_rows), cmocka_unit_test(test_many_outputs),
        cmocka_unit_test(test_no_views),  cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_refused),   cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_items),     cmocka_unit_test(test_items_views),
    };

    if (argc > 1) {
        cmocka_set_test_filter(argv[1]);
    }
    return cmocka_run_group_tests_name("parallel", tests, NULL, NULL);
}
