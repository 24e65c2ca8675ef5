/* Concats by the runtime, and padded rows in both directions: what runs, what is refused, and
 * which buffers may lie in each other's padding. Kernels are written by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <splitgen/splitgen.h>

enum { PARTS_MAX = 3, MEMORY = 4096, CANARY = 0xEE };

/* The kernel under test, which its own functions read: rows of parts side by side. */
static struct {
    splitgen_kernel kernel;
    splitgen_tensor parts[PARTS_MAX];
    splitgen_view views[PARTS_MAX];
    int64_t whole_dims[2];
    int64_t dims[PARTS_MAX][2];
    int64_t strides[2];
    size_t ran;         /* how often */
    size_t first, last; /* the rows of the last call, and the total number */
    size_t rows, scale;
} now;

static void copy_rows(const void *whole, const void *parts, size_t first, size_t last)
{
    now.ran++;
    now.first = first;
    now.last = last;
    for (size_t i = 0; i < now.kernel.nparts; i++) {
        const size_t width = (size_t)now.dims[i][1];
        for (size_t row = first; row < last && !now.views[i].only && width > 0; row++) {
            char *part = (char *)splitgen_output(parts, i) + row * now.parts[i].row_stride;
            char *place = (char *)(uintptr_t)whole + row * now.kernel.whole.row_stride +
                          now.views[i].byte_offset;
            memcpy(now.kernel.joins ? place : part, now.kernel.joins ? part : place, width);
        }
    }
}

static void split_rows(const void *whole, void *const parts[], size_t first, size_t last)
{
    copy_rows(whole, parts, first, last);
}

static void join_rows(const void *const parts[], void *whole, size_t first, size_t last)
{
    copy_rows(whole, parts, first, last);
}

static void split(const void *whole, void *const parts[])
{
    copy_rows(whole, parts, 0, now.kernel.rows);
}

static void join(const void *const parts[], void *whole)
{
    copy_rows(whole, parts, 0, now.kernel.rows);
}

static void split_free(const void *whole, void *const parts[], size_t first, size_t last,
                       size_t rows)
{
    now.rows = rows;
    copy_rows(whole, parts, first, last);
}

static void join_free(const void *const parts[], void *whole, size_t first, size_t last,
                      size_t rows)
{
    now.rows = rows;
    copy_rows(whole, parts, first, last);
}

static void join_scaled(const void *const parts[], void *whole, size_t first, size_t last,
                        size_t rows, size_t scale)
{
    (void)parts;
    (void)whole;
    now.ran++;
    now.first = first;
    now.last = last;
    now.rows = rows;
    now.scale = scale;
}

static size_t span(size_t rows, size_t width, size_t stride)
{
    return rows == 0 || width == 0 ? 0 : (rows - 1) * stride + width;
}

/* Parts of these widths and strides, side by side in a full tensor with this stride. */
static void make(bool joins, size_t rows, size_t stride, size_t count, const size_t *widths,
                 const size_t *strides)
{
    size_t at = 0;

    memset(&now, 0, sizeof now);
    for (size_t i = 0; i < count; i++) {
        now.dims[i][0] = (int64_t)rows;
        now.dims[i][1] = (int64_t)widths[i];
        now.parts[i] = (splitgen_tensor){
            "part", SPLITGEN_U8, 2, now.dims[i], span(rows, widths[i], strides[i]), strides[i]};
        now.views[i] = (splitgen_view){SPLITGEN_VIEW_STRIDED, at, now.strides, false};
        at += widths[i];
    }
    now.strides[0] = (int64_t)stride;
    now.strides[1] = 1;
    now.whole_dims[0] = (int64_t)rows;
    now.whole_dims[1] = (int64_t)at;
    now.kernel = (splitgen_kernel){
        .name = "hand",
        .joins = joins,
        .whole = {"whole", SPLITGEN_U8, 2, now.whole_dims, span(rows, at, stride), stride},
        .nparts = count,
        .parts = now.parts,
        .split = joins ? NULL : split,
        .join = joins ? join : NULL,
        .split_rows = joins ? NULL : split_rows,
        .join_rows = joins ? join_rows : NULL,
        .rows = rows,
        .align = 1,
        .axis = 1,
        .abi = SPLITGEN_ABI,
        .views = now.views,
    };
}

/* Turns the kernel's rows into those of one item. */
static void make_free(void)
{
    static const splitgen_number number = {"n", 2};
    static const unsigned char powers[] = {1, 0};
    static splitgen_free open;

    open = (splitgen_free){.name = "n",
                           .expected = 2,
                           .split_rows = now.kernel.joins ? NULL : split_free,
                           .join_rows = now.kernel.joins ? join_free : NULL,
                           .count = 1,
                           .numbers = &number,
                           .powers = powers};
    now.kernel.split = NULL;
    now.kernel.join = NULL;
    now.kernel.split_rows = NULL;
    now.kernel.join_rows = NULL;
    now.kernel.free = &open;
}

static splitgen_status call(void *whole, void *const parts[])
{
    return now.kernel.joins ? splitgen_join(&now.kernel, (const void *const *)parts, whole)
                            : splitgen_run(&now.kernel, whole, parts);
}

static splitgen_status call_n(void *whole, void *const parts[], size_t n)
{
    return now.kernel.joins ? splitgen_join_n(&now.kernel, (const void *const *)parts, whole, n)
                            : splitgen_run_n(&now.kernel, whole, parts, n);
}

/* Every byte of the full tensor comes from its part, rows [first, last) only; padding and all
 * other bytes are unchanged. */
static void check_whole(const unsigned char *whole, size_t bytes, const unsigned char *const *parts,
                        size_t first, size_t last)
{
    for (size_t at = 0; at < bytes; at++) {
        const size_t row = at / now.kernel.whole.row_stride;
        const size_t column = at % now.kernel.whole.row_stride;
        unsigned char right = CANARY;
        for (size_t i = 0; i < now.kernel.nparts && row >= first && row < last; i++) {
            const size_t from = now.views[i].byte_offset;
            if (column >= from && column < from + (size_t)now.dims[i][1]) {
                right = parts[i][row * now.parts[i].row_stride + column - from];
            }
        }
        assert_int_equal(whole[at], right);
    }
}

static void test_joins(void **state)
{
    static const size_t widths[] = {5, 0, 3}, strides[] = {9, 0, 3};
    unsigned char memory[3][144], whole[144];
    const void *parts[] = {memory[0], NULL, memory[2]};
    const unsigned char *const bytes[] = {memory[0], memory[1], memory[2]};
    const size_t dims[] = {3};

    (void)state;
    for (size_t i = 0; i < sizeof memory; i++) {
        memory[i / 144][i % 144] = (unsigned char)(i * 7 % 200);
    }
    make(true, 4, 11, 3, widths, strides);
    memset(whole, CANARY, sizeof whole);
    assert_int_equal(splitgen_join(&now.kernel, parts, whole), SPLITGEN_OK);
    check_whole(whole, sizeof whole, bytes, 0, 4);
    for (size_t first = 0; first <= 5; first++) {
        for (size_t last = 0; last <= 5; last++) {
            const bool good = first <= last && last <= 4;
            memset(whole, CANARY, sizeof whole);
            assert_int_equal(splitgen_join_rows(&now.kernel, parts, whole, first, last),
                             good ? SPLITGEN_OK : SPLITGEN_BAD_ROWS);
            check_whole(whole, sizeof whole, bytes, good ? first : 0, good ? last : 0);
        }
    }
    make_free();
    memset(whole, CANARY, sizeof whole);
    assert_int_equal(splitgen_join_n(&now.kernel, parts, whole, 2), SPLITGEN_OK);
    assert_int_equal(now.rows, 8);
    check_whole(whole, sizeof whole, bytes, 0, 8);
    assert_int_equal(splitgen_join_dims(&now.kernel, parts, whole, dims), SPLITGEN_OK);
    assert_int_equal(now.last, 12);
    splitgen_join_open(&now.kernel, parts, whole, 1, 2, 4, 1);
    assert_int_equal(now.first, 1);
    assert_int_equal(now.rows, 4);
    now.ran = 0;
    assert_int_equal(splitgen_join_n(&now.kernel, NULL, NULL, 0), SPLITGEN_OK);
    assert_int_equal(now.ran, 0);
}

/* An open number after the axis: rows are counted before it, and it multiplies lengths. */
static void test_scaled(void **state)
{
    static const splitgen_number numbers[] = {{"n", 1}, {"h", 1}};
    static const int64_t dims[] = {1, 6, 1};
    static const int64_t steps[] = {6, 1, 1};
    static const unsigned char powers[] = {1, 0, 0, 0, 0, 3};
    static const splitgen_free open = {
        .name = "n", .count = 2, .numbers = numbers, .powers = powers, .join_scaled = join_scaled};
    static const splitgen_tensor part = {"a", SPLITGEN_U8, 3, dims, 6, 6};
    static const splitgen_view place = {SPLITGEN_VIEW_STRIDED, 4, steps, false};
    splitgen_kernel k = {.name = "k",
                         .joins = true,
                         .whole = part,
                         .nparts = 1,
                         .parts = &part,
                         .rows = 1,
                         .align = 1,
                         .axis = 1,
                         .abi = SPLITGEN_ABI,
                         .views = &place,
                         .free = &open};
    const void *parts[] = {(const void *)(uintptr_t)4096};
    const splitgen_view only = {SPLITGEN_VIEW_CONTIGUOUS, 4, steps, true};
    const size_t given[] = {5, 3};
    const size_t bytes = 6 * 5 * 3 * 3 * 3; /* n is a factor once, h three times */
    int64_t strides[3];
    size_t offset;

    (void)state;
    assert_int_equal(splitgen_join_dims(&k, parts, (void *)(uintptr_t)(4096 + bytes), given),
                     SPLITGEN_OK);
    assert_int_equal(now.rows, 5);
    assert_int_equal(now.scale, 27);
    assert_int_equal(splitgen_join_dims(&k, parts, (void *)(uintptr_t)(4096 + bytes - 1), given),
                     SPLITGEN_OVERLAP);
    assert_int_equal(splitgen_view_dims(&k, 0, given, &offset, strides), SPLITGEN_OK);
    assert_int_equal(offset, 4 * 27);
    assert_int_equal(strides[0], 6 * 27);
    k.views = &only; /* a part that is only a view is at the address of splitgen_view_dims() */
    for (offset = 3 * 27; offset <= 5 * 27; offset++) {
        void *whole = (void *)((uintptr_t)parts[0] - offset);
        const splitgen_status right = offset == 4 * 27 ? SPLITGEN_OK : SPLITGEN_NOT_IN_PLACE;
        assert_int_equal(splitgen_join_dims(&k, parts, whole, given), right);
        assert_int_equal(splitgen_join_parallel_dims(&k, parts, whole, given, NULL, NULL), right);
    }
}

static void test_refused(void **state)
{
    static const size_t widths[] = {8, 8}, strides[] = {8, 8};
    uint64_t memory[64];
    unsigned char *bytes = (unsigned char *)memory;
    const void *parts[] = {bytes, bytes + 64};
    void *outputs[] = {bytes, bytes + 64};
    const size_t dims[] = {1};
    void *whole = bytes + 256;

    (void)state;
    make(true, 2, 16, 2, widths, strides);
    now.kernel.align = 8;
    assert_int_equal(splitgen_join(NULL, parts, whole), SPLITGEN_NULL_KERNEL);
    assert_int_equal(splitgen_join_rows(NULL, parts, whole, 0, 0), SPLITGEN_NULL_KERNEL);
    assert_int_equal(splitgen_join_parallel(NULL, parts, whole, NULL, NULL), SPLITGEN_NULL_KERNEL);
    assert_int_equal(splitgen_join(&now.kernel, parts, NULL), SPLITGEN_NULL_OUTPUT);
    assert_int_equal(splitgen_join(&now.kernel, NULL, whole), SPLITGEN_NULL_INPUTS);
    assert_int_equal(splitgen_join_n(&now.kernel, parts, whole, 1), SPLITGEN_FIXED_COUNT);
    assert_int_equal(splitgen_join_dims(&now.kernel, parts, whole, dims), SPLITGEN_FIXED_COUNT);
    assert_int_equal(splitgen_join_dims(&now.kernel, parts, whole, NULL), SPLITGEN_FIXED_COUNT);
    assert_int_equal(splitgen_join(&now.kernel, parts, bytes + 257), SPLITGEN_MISALIGNED);
    parts[1] = bytes + 65;
    assert_int_equal(splitgen_join(&now.kernel, parts, whole), SPLITGEN_MISALIGNED);
    parts[1] = NULL;
    assert_int_equal(splitgen_join(&now.kernel, parts, whole), SPLITGEN_NULL_INPUT);
    parts[1] = bytes + 264;
    assert_int_equal(splitgen_join(&now.kernel, parts, whole), SPLITGEN_OVERLAP);
    parts[1] = bytes; /* the same tensor twice, and one that begins inside the other */
    assert_int_equal(splitgen_join(&now.kernel, parts, whole), SPLITGEN_OK);
    parts[1] = bytes + 8;
    assert_int_equal(splitgen_join(&now.kernel, parts, whole), SPLITGEN_OK);
    now.ran = 0;
    assert_int_equal(splitgen_run(&now.kernel, whole, outputs), SPLITGEN_JOINS);
    assert_int_equal(splitgen_run_rows(&now.kernel, NULL, NULL, 5, 1), SPLITGEN_JOINS);
    assert_int_equal(splitgen_run_n(&now.kernel, whole, outputs, 0), SPLITGEN_JOINS);
    assert_int_equal(splitgen_run_dims(&now.kernel, whole, outputs, NULL), SPLITGEN_JOINS);
    assert_int_equal(splitgen_run_parallel(&now.kernel, whole, outputs, NULL, NULL),
                     SPLITGEN_JOINS);
    assert_int_equal(splitgen_run_parallel_n(&now.kernel, whole, outputs, 0, NULL, NULL),
                     SPLITGEN_JOINS);
    assert_int_equal(splitgen_run_parallel_dims(&now.kernel, whole, outputs, NULL, NULL, NULL),
                     SPLITGEN_JOINS);
    make_free();
    assert_int_equal(splitgen_join(&now.kernel, parts, whole), SPLITGEN_NEEDS_COUNT);
    assert_int_equal(splitgen_join_rows(&now.kernel, parts, whole, 0, 1), SPLITGEN_NEEDS_COUNT);
    assert_int_equal(splitgen_join_dims(&now.kernel, parts, whole, NULL), SPLITGEN_NULL_DIMS);
    assert_int_equal(splitgen_join_parallel_dims(&now.kernel, parts, whole, NULL, NULL, NULL),
                     SPLITGEN_NULL_DIMS);
    assert_int_equal(splitgen_join_n(&now.kernel, parts, whole, SIZE_MAX / 16), SPLITGEN_TOO_MANY);
    now.kernel.abi--;
    assert_int_equal(splitgen_join_dims(&now.kernel, NULL, NULL, NULL), SPLITGEN_BAD_ABI);
    make(false, 2, 16, 2, widths, strides);
    assert_int_equal(splitgen_join(&now.kernel, parts, whole), SPLITGEN_SPLITS);
    assert_int_equal(splitgen_join_rows(&now.kernel, NULL, NULL, 5, 1), SPLITGEN_SPLITS);
    assert_int_equal(splitgen_join_n(&now.kernel, parts, whole, 0), SPLITGEN_SPLITS);
    assert_int_equal(splitgen_join_dims(&now.kernel, parts, whole, NULL), SPLITGEN_SPLITS);
    assert_int_equal(splitgen_join_parallel(&now.kernel, parts, whole, NULL, NULL),
                     SPLITGEN_SPLITS);
    assert_int_equal(splitgen_join_parallel_n(&now.kernel, parts, whole, 0, NULL, NULL),
                     SPLITGEN_SPLITS);
    assert_int_equal(splitgen_join_parallel_dims(&now.kernel, parts, whole, NULL, NULL, NULL),
                     SPLITGEN_SPLITS);
    assert_int_equal(now.ran, 0);
}

/* A concat of views only, and one with an empty full tensor. */
static void test_nothing(void **state)
{
    static const size_t widths[] = {8, 8}, none[] = {0, 0};
    const void *parts[] = {NULL, NULL};

    (void)state;
    make(true, 2, 16, 2, widths, widths);
    now.views[0].only = now.views[1].only = true;
    now.kernel.join = NULL;
    now.kernel.join_rows = NULL;
    assert_int_equal(splitgen_join(&now.kernel, NULL, NULL), SPLITGEN_OK);
    assert_int_equal(splitgen_join_parallel(&now.kernel, NULL, NULL, NULL, NULL), SPLITGEN_OK);
    make(true, 2, 16, 2, none, none);
    assert_int_equal(splitgen_join(&now.kernel, parts, NULL), SPLITGEN_OK);
    assert_int_equal(splitgen_join_parallel(&now.kernel, parts, NULL, NULL, NULL), SPLITGEN_OK);
    assert_int_equal(now.ran, 2);
}

/* A part that is only a view must be in its place, or nothing is copied. */
static void test_in_place(void **state)
{
    static const size_t widths[] = {8, 8}, strides[] = {8, 8};
    unsigned char whole[256], part[256];
    const void *parts[] = {part, NULL};

    (void)state;
    for (size_t at = 0; at <= 32; at++) {
        make(true, 1, 16, 2, widths, strides);
        now.views[1].only = true;
        parts[1] = at < 32 ? whole + at : part;
        assert_int_equal(splitgen_join(&now.kernel, parts, whole),
                         at == 8 ? SPLITGEN_OK : SPLITGEN_NOT_IN_PLACE);
        assert_int_equal(splitgen_join_parallel(&now.kernel, parts, whole, NULL, NULL),
                         at == 8 ? SPLITGEN_OK : SPLITGEN_NOT_IN_PLACE);
        assert_int_equal(splitgen_join_rows(&now.kernel, parts, whole, 0, 1),
                         at == 8 ? SPLITGEN_OK : SPLITGEN_NOT_IN_PLACE);
        assert_int_equal(now.ran, at == 8 ? 3 : 0);
        make_free(); /* rows: the second part is where it was */
        assert_int_equal(splitgen_join_n(&now.kernel, parts, whole, 2),
                         at == 8 ? SPLITGEN_OK : SPLITGEN_NOT_IN_PLACE);
        assert_int_equal(splitgen_join_n(&now.kernel, parts, whole, 0), SPLITGEN_OK);
    }
    make(true, 1, 16, 2, widths, strides);
    now.views[1].only = true;
    parts[0] = whole; /* overlap, which is reported first */
    assert_int_equal(splitgen_join(&now.kernel, parts, whole), SPLITGEN_OVERLAP);
    now.views[0].only = true; /* nothing remains to be copied, but addresses are still checked */
    now.kernel.join = NULL;
    now.kernel.join_rows = NULL;
    assert_int_equal(splitgen_join(&now.kernel, parts, whole), SPLITGEN_NOT_IN_PLACE);
    parts[1] = whole + 8;
    assert_int_equal(splitgen_join(&now.kernel, parts, whole), SPLITGEN_OK);
    assert_int_equal(splitgen_join(&now.kernel, parts, NULL), SPLITGEN_NOT_IN_PLACE);
    now.parts[0].bytes = now.parts[1].bytes = 0; /* an empty buffer may be anywhere */
    assert_int_equal(splitgen_join(&now.kernel, parts, NULL), SPLITGEN_OK);
    assert_int_equal(now.ran, 0);
}

/* Marks the bytes of every row of a buffer; returns whether one of them was marked before. */
static bool mark(unsigned char *used, size_t begin, size_t rows, size_t width, size_t stride,
                 unsigned char with, unsigned char against)
{
    bool met = false;

    for (size_t row = 0; row < rows; row++) {
        for (size_t k = 0; k < width; k++) {
            unsigned char *byte = &used[begin + row * stride + k];
            met = met || (*byte & against) != 0;
            *byte |= with;
        }
    }
    return met;
}

/* A random number below `most`. */
static size_t below(size_t most)
{
    static uint64_t seed = 42;

    seed = seed * 6364136223846793005U + 1442695040888963407U;
    return (size_t)(seed >> 33) % most;
}

/* Whether buffers at these addresses are legal, byte for byte: no output overlaps anything. */
static bool is_right(const size_t *places, size_t rows)
{
    static unsigned char used[2 * MEMORY];
    const bool joins = now.kernel.joins;
    size_t width = 0;
    bool met = false;

    memset(used, 0, sizeof used);
    for (size_t i = 0; i < now.kernel.nparts; i++) {
        met |= mark(used, places[i + 1], rows, (size_t)now.dims[i][1], now.parts[i].row_stride, 1,
                    joins ? 0 : 1);
        width += (size_t)now.dims[i][1];
    }
    return !(mark(used, places[0], rows, width, now.kernel.whole.row_stride, 2, 1) || met);
}

/* Buffers of all widths and strides at all addresses, with and without items, in both
 * directions, compared with a count of their bytes. */
static void test_overlap(void **state)
{
    static unsigned char memory[2 * MEMORY];
    size_t seen[2][2] = {{0, 0}, {0, 0}};

    (void)state;
    for (size_t trial = 0; trial < 200000; trial++) {
        const size_t count = 1 + below(PARTS_MAX), rows = 1 + below(4), items = 1 + below(3);
        const bool joins = below(2) == 1, is_free = below(2) == 1, alike = below(2) == 1;
        const size_t common = 24 + below(8);
        size_t widths[PARTS_MAX], strides[PARTS_MAX], places[PARTS_MAX + 1], width = 0;
        void *parts[PARTS_MAX];
        for (size_t i = 0; i < count; i++) {
            widths[i] = below(7);
            strides[i] = below(4) == 0 ? widths[i] : alike ? common : widths[i] + below(24);
            width += widths[i];
        }
        make(joins, rows, alike && below(4) > 0 ? common : width + below(3) * 9, count, widths,
             strides);
        if (is_free) {
            make_free();
        }
        for (size_t i = 0; i <= count; i++) {
            places[i] = below(below(3) == 0 ? MEMORY / 16 : 40 + below(80));
            if (i > 0) {
                parts[i - 1] = memory + places[i];
            }
        }
        const bool right = is_right(places, rows * (is_free ? items : 1));
        const splitgen_status status =
            is_free ? call_n(memory + places[0], parts, items) : call(memory + places[0], parts);
        assert_int_equal(status, right ? SPLITGEN_OK : SPLITGEN_OVERLAP);
        seen[joins][right]++;
    }
    for (size_t i = 0; i < 4; i++) {
        assert_true(seen[i / 2][i % 2] > 5000);
    }
}

/* Common uses: the halves of one matrix are two parts, and parts lie in the padding of the full
 * tensor. */
static void test_side_by_side(void **state)
{
    static const size_t widths[] = {8, 8}, strides[] = {16, 16}, wide[] = {32, 32};
    unsigned char matrix[4 * 16], whole[4 * 16];
    unsigned char padded[4 * 32];
    void *parts[] = {matrix, matrix + 8};
    void *inside[] = {padded + 16, padded + 24};

    (void)state;
    make(false, 4, 16, 2, widths, strides);
    for (size_t i = 0; i < sizeof whole; i++) {
        whole[i] = (unsigned char)(i + 1);
    }
    assert_int_equal(call(whole, parts), SPLITGEN_OK);
    assert_memory_equal(matrix, whole, sizeof whole); /* the same matrix again */
    parts[1] = matrix + 7;
    assert_int_equal(call(whole, parts), SPLITGEN_OVERLAP);
    for (int joins = 0; joins < 2; joins++) {
        make(joins == 1, 4, 32, 2, widths, wide);
        assert_int_equal(call(padded, inside), SPLITGEN_OK);
        inside[0] = padded + 15;
        assert_int_equal(call(padded, inside), SPLITGEN_OVERLAP);
        inside[0] = padded + 16;
    }
}

/* Packed elements: rows of 3 and 5 nibbles with a stride of 16 take 2 and 3 bytes of 8. */
static void test_packed(void **state)
{
    static const size_t widths[] = {3, 5}, strides[] = {16, 16};
    unsigned char memory[64];
    void *parts[] = {memory + 32, memory + 34};

    (void)state;
    make(false, 4, 8, 2, widths, strides);
    now.kernel.split = NULL;
    now.kernel.whole.dtype = now.parts[0].dtype = now.parts[1].dtype = SPLITGEN_U4;
    now.kernel.whole.bytes = 16;
    now.parts[0].bytes = 3 * 8 + 2;
    now.parts[1].bytes = 3 * 8 + 3;
    now.kernel.rows = 0; /* nothing is copied */
    now.kernel.split = split;
    assert_int_equal(call(memory, parts), SPLITGEN_OK);
    parts[1] = memory + 33;
    assert_int_equal(call(memory, parts), SPLITGEN_OVERLAP);
    parts[1] = memory + 37; /* its row ends where the next row of the other begins */
    assert_int_equal(call(memory, parts), SPLITGEN_OK);
    parts[1] = memory + 38;
    assert_int_equal(call(memory, parts), SPLITGEN_OVERLAP);
}

static void backwards(void *pool, size_t tasks, void (*task)(void *context, size_t index),
                      void *context)
{
    *(size_t *)pool = tasks;
    while (tasks > 0) {
        task(context, --tasks);
    }
}

/* Many and few rows, with and without padding, in both directions: all bytes are right and
 * padding is unchanged. */
static void check_parallel(bool joins, size_t rows, size_t scale, bool gaps, bool by_lines,
                           bool is_free)
{
    const size_t widths[] = {3 * scale, 0, 5 * scale};
    const size_t strides[] = {3 * scale + (gaps ? 7 : 0), 0, 5 * scale + (gaps ? 90 : 0)};
    const size_t stride = 8 * scale + (gaps ? 64 : 0);
    unsigned char *memory[3], *whole = malloc(rows * stride);
    void *parts[3];
    size_t tasks = 0;

    assert_non_null(whole);
    make(joins, is_free ? rows / 2 : rows, stride, 3, widths, strides);
    if (is_free) {
        make_free();
    }
    for (size_t i = 0; i < 3; i++) {
        parts[i] = memory[i] = malloc(rows * strides[i] + 1);
        assert_non_null(memory[i]);
        for (size_t at = 0; at < rows * strides[i]; at++) {
            memory[i][at] = joins ? (unsigned char)((at * 2654435761U >> 9) + i) : CANARY;
        }
    }
    for (size_t at = 0; at < rows * stride; at++) {
        whole[at] = joins ? CANARY : (unsigned char)(at * 2654435761U >> 9);
    }
    const void *const *inputs = (const void *const *)parts;
    assert_int_equal(
        joins && is_free
            ? splitgen_join_parallel_n(&now.kernel, inputs, whole, 2, backwards, &tasks)
        : joins   ? splitgen_join_parallel(&now.kernel, inputs, whole, backwards, &tasks)
        : is_free ? splitgen_run_parallel_n(&now.kernel, whole, parts, 2, backwards, &tasks)
                  : splitgen_run_parallel(&now.kernel, whole, parts, backwards, &tasks),
        SPLITGEN_OK);
    assert_true(tasks > 1);
    assert_int_equal(now.ran > 0, !by_lines);
    for (size_t row = 0; row < rows; row++) {
        const unsigned char *line = whole + row * stride;
        assert_memory_equal(line, memory[0] + row * strides[0], widths[0]);
        assert_memory_equal(line + widths[0], memory[2] + row * strides[2], widths[2]);
        for (size_t k = 8 * scale; joins && k < stride; k++) {
            assert_int_equal(line[k], CANARY);
        }
        for (size_t i = 0; i < 3; i++) {
            for (size_t k = widths[i]; !joins && k < strides[i]; k++) {
                assert_int_equal(memory[i][row * strides[i] + k], CANARY);
            }
        }
    }
    for (size_t i = 0; i < 3; i++) {
        free(memory[i]);
    }
    free(whole);
}

static void test_parallel(void **state)
{
    (void)state;
    for (int way = 0; way < 8; way++) {
        const bool joins = way % 2 == 1, gaps = way / 2 % 2 == 1, is_free = way >= 4;
        check_parallel(joins, 40000, 8, gaps, false, is_free);
        check_parallel(joins, 4, 131072, gaps, true, is_free);
    }
}

/* The only part fills a dense full tensor. It is contiguous there, but has padding itself. */
static void test_parallel_gaps(void **state)
{
    enum { WIDTH = 1 << 20, STRIDE = WIDTH + 64 };
    static const size_t width[] = {WIDTH}, stride[] = {STRIDE};
    static unsigned char whole[4 * WIDTH], part[4 * STRIDE];
    void *parts[] = {part};
    size_t tasks = 0;

    (void)state;
    for (size_t at = 0; at < sizeof whole; at++) {
        whole[at] = (unsigned char)(at * 2654435761U >> 9);
    }
    memset(part, CANARY, sizeof part);
    make(false, 4, WIDTH, 1, width, stride);
    now.views[0].kind = SPLITGEN_VIEW_CONTIGUOUS;
    assert_int_equal(splitgen_run_parallel(&now.kernel, whole, parts, backwards, &tasks),
                     SPLITGEN_OK);
    assert_true(tasks > 1 && now.ran == 0);
    for (size_t at = 0; at < sizeof part; at++) {
        const size_t column = at % STRIDE;
        assert_int_equal(part[at], column < WIDTH ? whole[at / STRIDE * WIDTH + column] : CANARY);
    }
}

/* A full tensor with more than its parts, which only the kernel can copy: the runtime does not
 * copy pieces. And one long part of which a mere view is skipped. */
static void test_parallel_rest(void **state)
{
    static const size_t widths[] = {1 << 22, 64}, strides[] = {1 << 22, 64};
    static unsigned char memory[3 << 22];
    const void *parts[] = {memory, memory + (1 << 22) + 128};
    size_t tasks = 0;

    (void)state;
    make(true, 1, (1 << 22) + 64, 2, widths, strides);
    assert_int_equal(
        splitgen_join_parallel(&now.kernel, parts, memory + (6 << 20), backwards, &tasks),
        SPLITGEN_OK);
    assert_true(tasks > 1 && now.ran == 0);
    now.kernel.nparts = 1;
    assert_int_equal(
        splitgen_join_parallel(&now.kernel, parts, memory + (6 << 20), backwards, &tasks),
        SPLITGEN_OK);
    assert_int_equal(now.ran, 1);
    now.kernel.nparts = 2;
    now.views[1].only = true;
    parts[1] = NULL;
    assert_int_equal(
        splitgen_join_parallel(&now.kernel, parts, memory + (6 << 20), backwards, &tasks),
        SPLITGEN_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_joins),         cmocka_unit_test(test_scaled),
        cmocka_unit_test(test_refused),       cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_in_place),      cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_side_by_side),  cmocka_unit_test(test_packed),
        cmocka_unit_test(test_parallel),      cmocka_unit_test(test_parallel_rest),
        cmocka_unit_test(test_parallel_gaps),
    };

    return cmocka_run_group_tests_name("joins", tests, NULL, NULL);
}
