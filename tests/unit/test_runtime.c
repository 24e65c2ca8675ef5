/* The runtime: what splitgen_run, splitgen_run_rows and splitgen_run_n accept and refuse, and
 * that the numbers of the public header agree with the generator's list of types. Generated
 * kernels are tested elsewhere; the kernel here is written by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <splitgen/splitgen.h>

/* 4 rows of 24 bytes, split into columns of 16, 0 and 8 bytes. */
enum { ROWS = 4, ROW = 24, A = 16, B = 8, WHOLE = ROWS * ROW, CANARY = 0xEE };

static void run_rows(const void *input, void *const outputs[], size_t first, size_t last)
{
    const unsigned char *in = (const unsigned char *)input;
    unsigned char *a = (unsigned char *)outputs[0];
    unsigned char *b = (unsigned char *)outputs[2];
    size_t row;

    for (row = first; row < last; row++) {
        memcpy(a + row * A, in + row * ROW, A);
        memcpy(b + row * B, in + row * ROW + A, B);
    }
}

static void run(const void *input, void *const outputs[])
{
    run_rows(input, outputs, 0, ROWS);
}

static const int64_t in_dims[] = {ROWS, ROW};
static const int64_t a_dims[] = {ROWS, A};
static const int64_t none_dims[] = {ROWS, 0};
static const int64_t b_dims[] = {ROWS, B};
static const splitgen_tensor out_tensors[] = {{"a", SPLITGEN_U8, 2, a_dims, (size_t)ROWS *A, A},
                                              {"none", SPLITGEN_U8, 2, none_dims, 0, 0},
                                              {"b", SPLITGEN_U8, 2, b_dims, (size_t)ROWS *B, B}};
static const int64_t strides[] = {ROW, 1};
static const splitgen_view views[] = {{SPLITGEN_VIEW_STRIDED, 0, strides, false},
                                      {SPLITGEN_VIEW_CONTIGUOUS, A, strides, false},
                                      {SPLITGEN_VIEW_STRIDED, A, strides, false}};
static const splitgen_kernel kernel = {.name = "hand",
                                       .whole = {"in", SPLITGEN_U8, 2, in_dims, WHOLE, ROW},
                                       .nparts = 3,
                                       .parts = out_tensors,
                                       .split = run,
                                       .split_rows = run_rows,
                                       .rows = ROWS,
                                       .align = 8,
                                       .axis = 1,
                                       .abi = SPLITGEN_ABI,
                                       .views = views};

/* One block of memory; buffers are given by their offsets in it. */
typedef struct arena {
    union {
        unsigned char bytes[512];
        uint64_t aligner;
    } u;
    void *outputs[3];
} arena;

enum { IN = 0, OUT_A = 96, OUT_B = 160, END = 192 };

static void arena_reset(arena *m)
{
    size_t i;

    memset(m->u.bytes, CANARY, sizeof m->u.bytes);
    for (i = 0; i < (size_t)ROWS * ROW; i++) {
        m->u.bytes[IN + i] = (unsigned char)(i + 1);
    }
    m->outputs[0] = m->u.bytes + OUT_A;
    m->outputs[1] = NULL;
    m->outputs[2] = m->u.bytes + OUT_B;
}

static unsigned char expected_byte(size_t at)
{
    if (at >= OUT_A && at < OUT_B) {
        return (unsigned char)((at - OUT_A) / A * ROW + (at - OUT_A) % A + 1);
    }
    if (at >= OUT_B && at < END) {
        return (unsigned char)((at - OUT_B) / B * ROW + A + (at - OUT_B) % B + 1);
    }
    return CANARY;
}

/* The outputs at their usual addresses hold rows [first, last); all other bytes are unchanged. */
static void assert_rows(const arena *m, size_t first, size_t last)
{
    size_t at;

    for (at = OUT_A; at < sizeof m->u.bytes; at++) {
        size_t row = at < OUT_B ? (at - OUT_A) / A : (at - OUT_B) / B;
        bool written = at < END && row >= first && row < last;

        assert_int_equal(m->u.bytes[at], written ? expected_byte(at) : CANARY);
    }
}

/* The call is refused and nothing after the input was written. */
static void assert_refused(const arena *m, const splitgen_kernel *k, const void *input,
                           void *const outputs[], splitgen_status status)
{
    size_t at;

    assert_int_equal(splitgen_run(k, input, outputs), status);
    assert_int_equal(splitgen_run_rows(k, input, outputs, 0, ROWS), status);
    for (at = OUT_A; at < sizeof m->u.bytes; at++) {
        assert_int_equal(m->u.bytes[at], CANARY);
    }
}

static void test_runs(void **state)
{
    arena m;

    (void)state;
    arena_reset(&m);
    assert_int_equal(SPLITGEN_OK, 0);
    assert_int_equal(splitgen_run(&kernel, m.u.bytes, m.outputs), SPLITGEN_OK);
    assert_rows(&m, 0, ROWS); /* input, a and b are adjacent, which is not an overlap */
}

static void test_null(void **state)
{
    arena m;
    splitgen_kernel k = kernel;

    (void)state;
    arena_reset(&m);
    assert_refused(&m, NULL, m.u.bytes, m.outputs, SPLITGEN_NULL_KERNEL);
    assert_refused(&m, &kernel, NULL, m.outputs, SPLITGEN_NULL_INPUT);
    assert_refused(&m, &kernel, m.u.bytes, NULL, SPLITGEN_NULL_OUTPUTS);
    m.outputs[2] = NULL;
    assert_refused(&m, &kernel, m.u.bytes, m.outputs, SPLITGEN_NULL_OUTPUT);
    m.outputs[0] = NULL;
    m.outputs[2] = m.u.bytes + OUT_B;
    assert_refused(&m, &kernel, m.u.bytes, m.outputs, SPLITGEN_NULL_OUTPUT);
    k.abi = SPLITGEN_ABI + 1;
    arena_reset(&m);
    assert_refused(&m, &k, m.u.bytes, m.outputs, SPLITGEN_BAD_ABI);
}

static void run_nothing(const void *input, void *const outputs[])
{
    (void)input;
    (void)outputs;
}

static void run_no_rows(const void *input, void *const outputs[], size_t first, size_t last)
{
    (void)first;
    (void)last;
    run_nothing(input, outputs);
}

/* Buffers of 0 bytes may be NULL, misaligned, or lie anywhere. */
static void test_empty(void **state)
{
    static const splitgen_tensor empty[] = {{"x", SPLITGEN_U8, 2, none_dims, 0, 0},
                                            {"y", SPLITGEN_U8, 2, none_dims, 0, 0}};
    arena m;
    splitgen_kernel k = kernel;
    void *outputs[2] = {NULL, NULL};

    (void)state;
    arena_reset(&m);
    m.outputs[1] = m.u.bytes + 1;
    assert_int_equal(splitgen_run(&kernel, m.u.bytes, m.outputs), SPLITGEN_OK);

    k.whole.bytes = 0;
    k.parts = empty;
    k.nparts = 2;
    k.split = run_nothing;
    k.split_rows = run_no_rows;
    k.rows = 0;
    assert_int_equal(splitgen_run(&k, NULL, outputs), SPLITGEN_OK);
    assert_int_equal(splitgen_run_rows(&k, NULL, outputs, 0, 0), SPLITGEN_OK);
    outputs[0] = outputs[1] = m.u.bytes + 3;
    assert_int_equal(splitgen_run(&k, m.u.bytes + 3, outputs), SPLITGEN_OK);
    assert_int_equal(splitgen_run(&k, NULL, NULL), SPLITGEN_NULL_OUTPUTS);
    k.nparts = 0;
    assert_int_equal(splitgen_run(&k, NULL, NULL), SPLITGEN_OK);
}

static void test_alignment(void **state)
{
    arena m;
    splitgen_kernel k = kernel;
    size_t off;

    (void)state;
    for (off = 1; off < 8; off++) {
        arena_reset(&m);
        m.outputs[0] = m.u.bytes + 256 + off;
        assert_refused(&m, &kernel, m.u.bytes, m.outputs, SPLITGEN_MISALIGNED);
        m.outputs[0] = m.u.bytes + 256;
        m.outputs[2] = m.u.bytes + 384 + off;
        assert_refused(&m, &kernel, m.u.bytes, m.outputs, SPLITGEN_MISALIGNED);
        m.outputs[2] = m.u.bytes + 384;
        assert_refused(&m, &kernel, m.u.bytes + 400 + off, m.outputs, SPLITGEN_MISALIGNED);
        assert_int_equal(splitgen_run(&kernel, m.u.bytes, m.outputs), SPLITGEN_OK);
        k.align = 1;
        arena_reset(&m);
        m.outputs[0] = m.u.bytes + 256 + off;
        assert_int_equal(splitgen_run(&k, m.u.bytes, m.outputs), SPLITGEN_OK);
    }
}

/* Every pair of buffers, at every distance around the point where they begin to touch. */
static void test_overlap(void **state)
{
    static const size_t sizes[3] = {(size_t)ROWS * ROW, (size_t)ROWS * A, (size_t)ROWS * B};
    arena m;
    splitgen_kernel k = kernel;
    size_t place[3]; /* of input, a, b */
    size_t at;

    (void)state;
    k.align = 1;
    k.split = run_nothing;
    for (at = 0; at < 3 * (size_t)192; at++) {
        size_t mover = at / 192;
        size_t i;
        size_t j;
        bool shared = false;

        arena_reset(&m);
        place[0] = 0; /* [0, 96) */
        place[1] = 96;
        place[2] = 160;
        place[mover] = at % 192;
        for (i = 1; i < 3; i++) {
            for (j = 0; j < i; j++) {
                shared =
                    shared || (place[i] < place[j] + sizes[j] && place[j] < place[i] + sizes[i]);
            }
        }
        m.outputs[0] = m.u.bytes + place[1];
        m.outputs[2] = m.u.bytes + place[2];
        assert_int_equal(splitgen_run(&k, m.u.bytes + place[0], m.outputs),
                         shared ? SPLITGEN_OVERLAP : SPLITGEN_OK);
    }
    /* common use */
    arena_reset(&m);
    m.outputs[0] = m.outputs[2] = m.u.bytes + OUT_A;
    assert_refused(&m, &kernel, m.u.bytes, m.outputs, SPLITGEN_OVERLAP);
    m.outputs[2] = m.u.bytes + A; /* b as a view of the input */
    assert_refused(&m, &kernel, m.u.bytes, m.outputs, SPLITGEN_OVERLAP);
}

/* A range that runs past the end of the address space wraps around. */
static void test_overlap_wraps(void **state)
{
    arena m;
    splitgen_kernel k = kernel;
    uintptr_t top = UINTPTR_MAX - 15; /* the last 16 bytes */

    (void)state;
    arena_reset(&m);
    k.split = run_nothing;
    m.outputs[0] = (void *)top; /* 64 bytes: 48 of them from address 0 */
    m.outputs[2] = (void *)(uintptr_t)40;
    assert_int_equal(splitgen_run(&k, m.u.bytes, m.outputs), SPLITGEN_OVERLAP);
    m.outputs[2] = (void *)(uintptr_t)48;
    assert_int_equal(splitgen_run(&k, m.u.bytes, m.outputs), SPLITGEN_OK);
    m.outputs[0] = m.u.bytes + OUT_A;
    m.outputs[2] = (void *)(top - 16); /* ends with the address space */
    assert_int_equal(splitgen_run(&k, m.u.bytes, m.outputs), SPLITGEN_OK);
    m.outputs[2] = (void *)top;
    m.outputs[0] =
        (void *)(uintptr_t)8; /* outputs in ascending order, the second overlaps the first */
    assert_int_equal(splitgen_run(&k, m.u.bytes, m.outputs), SPLITGEN_OVERLAP);
    m.outputs[0] = (void *)(uintptr_t)16;
    assert_int_equal(splitgen_run(&k, m.u.bytes, m.outputs), SPLITGEN_OK);
    m.outputs[0] = m.u.bytes + OUT_A;
    assert_int_equal(splitgen_run(&k, (const void *)(uintptr_t)8, m.outputs), SPLITGEN_OVERLAP);
    assert_int_equal(splitgen_run(&k, (const void *)(uintptr_t)16, m.outputs), SPLITGEN_OK);
}

/* Outputs in any order of address, separate and with one pair that shares a byte. */
static void test_many_outputs(void **state)
{
    enum { N = 7 };
    static const size_t orders[][N] = {
        {0, 1, 2, 3, 4, 5, 6}, {6, 5, 4, 3, 2, 1, 0}, {3, 0, 6, 1, 5, 2, 4}, {1, 0, 2, 3, 4, 5, 6}};
    unsigned char memory[16 * N];
    unsigned char input[1] = {0};
    splitgen_tensor tensors[N];
    splitgen_view dense[N];
    void *outputs[N];
    splitgen_kernel k = kernel;
    size_t o;
    size_t i;

    (void)state;
    for (i = 0; i < N; i++) {
        tensors[i] = out_tensors[0];
        tensors[i].bytes = 16;
        dense[i] = views[0];
    }
    k.views = dense;
    k.whole.bytes = 1;
    k.nparts = N;
    k.parts = tensors;
    k.align = 1;
    k.split = run_nothing;
    for (o = 0; o < sizeof orders / sizeof *orders; o++) {
        for (i = 0; i < N; i++) {
            outputs[i] = memory + 16 * orders[o][i];
        }
        assert_int_equal(splitgen_run(&k, input, outputs), SPLITGEN_OK);
        for (i = 0; i < N; i++) {
            void *kept = outputs[i];

            outputs[i] = memory + 16 * orders[o][i] + (orders[o][i] < N - 1 ? 1 : -1);
            assert_int_equal(splitgen_run(&k, input, outputs), SPLITGEN_OVERLAP);
            outputs[i] = kept;
        }
    }
}

static void test_rows(void **state)
{
    arena m;
    size_t first;
    size_t last;

    (void)state;
    for (first = 0; first <= ROWS + 1; first++) {
        for (last = 0; last <= ROWS + 1; last++) {
            bool good = first <= last && last <= ROWS;

            arena_reset(&m);
            assert_int_equal(splitgen_run_rows(&kernel, m.u.bytes, m.outputs, first, last),
                             good ? SPLITGEN_OK : SPLITGEN_BAD_ROWS);
            assert_rows(&m, good ? first : 0, good ? last : 0);
        }
    }
    arena_reset(&m);
    assert_int_equal(splitgen_run_rows(&kernel, m.u.bytes, m.outputs, SIZE_MAX, 1),
                     SPLITGEN_BAD_ROWS);
    m.outputs[0] = NULL; /* an empty range does not excuse wrong pointers */
    assert_int_equal(splitgen_run_rows(&kernel, m.u.bytes, m.outputs, 2, 2), SPLITGEN_NULL_OUTPUT);
}

/* The rows of the last call of a kernel with an open dimension. */
static size_t first_row;
static size_t last_row;
static size_t all_rows;
static size_t all_scale;

static void run_free_rows(const void *input, void *const outputs[], size_t first, size_t last,
                          size_t rows)
{
    first_row = first;
    last_row = last;
    all_rows = rows;
    run_rows(input, outputs, first, last);
}

static void run_no_free_rows(const void *input, void *const outputs[], size_t first, size_t last,
                             size_t rows)
{
    all_rows = rows;
    run_no_rows(input, outputs, first, last);
}

static void run_no_scaled_rows(const void *input, void *const outputs[], size_t first, size_t last,
                               size_t rows, size_t scale)
{
    all_scale = scale;
    run_no_free_rows(input, outputs, first, last, rows);
}

/* Items of 4 rows, like `kernel`. */
static splitgen_kernel free_kernel(void)
{
    static const splitgen_number batch = {"batch", 1};
    static const unsigned char powers[] = {1, 0};
    static const splitgen_free open = {.name = "batch",
                                       .expected = 1,
                                       .split_rows = run_free_rows,
                                       .count = 1,
                                       .numbers = &batch,
                                       .powers = powers};
    splitgen_kernel k = kernel;

    k.split = NULL;
    k.split_rows = NULL;
    k.free = &open;
    return k;
}

/* Every item is copied, and nothing after the last. */
static void test_items(void **state)
{
    static const size_t counts[] = {1, 2, 7};
    enum { MOST = 8 * ROWS };
    unsigned char input[MOST * ROW];
    uint64_t a_words[MOST * A / 8], b_words[MOST * B / 8];
    unsigned char *a = (unsigned char *)a_words;
    unsigned char *b = (unsigned char *)b_words;
    void *outputs[3] = {NULL, NULL, NULL};
    splitgen_kernel k = free_kernel();
    size_t c;
    size_t i;

    (void)state;
    outputs[0] = a;
    outputs[2] = b;
    k.align = 1;
    for (i = 0; i < sizeof input; i++) {
        input[i] = (unsigned char)(i * 7 + i / 256);
    }
    for (c = 0; c < sizeof counts / sizeof *counts; c++) {
        const size_t rows = counts[c] * ROWS;

        memset(a, CANARY, sizeof a_words);
        memset(b, CANARY, sizeof b_words);
        assert_int_equal(splitgen_run_n(&k, input, outputs, counts[c]), SPLITGEN_OK);
        assert_int_equal(first_row, 0);
        assert_int_equal(last_row, rows);
        assert_int_equal(all_rows, rows);
        for (i = 0; i < sizeof a_words; i++) {
            assert_int_equal(a[i], i / A < rows ? input[i / A * ROW + i % A] : CANARY);
        }
        for (i = 0; i < sizeof b_words; i++) {
            assert_int_equal(b[i], i / B < rows ? input[i / B * ROW + A + i % B] : CANARY);
        }
    }
}

/* No items: the kernel is checked, buffers are not. */
static void test_no_items(void **state)
{
    splitgen_kernel k = free_kernel();
    void *outputs[3] = {NULL, NULL, NULL};

    (void)state;
    all_rows = SIZE_MAX;
    assert_int_equal(splitgen_run_n(&k, NULL, NULL, 0), SPLITGEN_OK);
    assert_int_equal(splitgen_run_n(&k, NULL, outputs, 0), SPLITGEN_OK);
    outputs[0] = outputs[2] = (void *)(uintptr_t)1; /* misaligned, and the same twice */
    assert_int_equal(splitgen_run_n(&k, outputs, outputs, 0), SPLITGEN_OK);
    assert_int_equal(all_rows, SIZE_MAX); /* the kernel did not run */
    assert_int_equal(splitgen_run_n(NULL, NULL, NULL, 0), SPLITGEN_NULL_KERNEL);
    assert_int_equal(splitgen_run_n(&kernel, NULL, NULL, 0), SPLITGEN_FIXED_COUNT);
    k.abi--;
    k.free = NULL; /* an older descriptor does not have this field: it is not read */
    assert_int_equal(splitgen_run_n(&k, NULL, NULL, 0), SPLITGEN_BAD_ABI);
}

/* An open number is multiplied once for each occurrence: for rows before the axis and for the
 * scale after it; a view's offset is multiplied by the scale. */
static void test_dims(void **state)
{
    static const splitgen_number numbers[] = {{"n", 4}, {"t", 9}, {"h", 2}};
    static const int64_t dims[] = {1, 2, 6, 1, 5};
    static const int64_t steps[] = {60, 30, 5, 5, 1};
    static const unsigned char powers[] = {1, 0, 0, /* n */
                                           1, 1, 0, /* 2*n*t */
                                           0, 0, 0, /* the axis */
                                           0, 1, 2, /* t*h*h */
                                           0, 0, 0};
    static const splitgen_free open = {.name = "n",
                                       .expected = 4,
                                       .count = 3,
                                       .numbers = numbers,
                                       .powers = powers,
                                       .split_scaled = run_no_scaled_rows};
    static const splitgen_tensor out = {"a", SPLITGEN_U8, 5, dims, 20, 10};
    static const splitgen_view places[] = {{SPLITGEN_VIEW_STRIDED, 10, steps, false}};
    const splitgen_kernel k = {.name = "k",
                               .whole = {"data", SPLITGEN_U8, 5, dims, 60, 30},
                               .nparts = 1,
                               .parts = &out,
                               .rows = 2,
                               .align = 1,
                               .axis = 2,
                               .abi = SPLITGEN_ABI,
                               .views = places,
                               .free = &open};
    void *outputs[1] = {(void *)(uintptr_t)((uintptr_t)1 << 30)};
    const void *input = (const void *)(uintptr_t)4096;
    const size_t given[] = {3, 5, 7};
    const size_t none[] = {3, SIZE_MAX, 0};
    const size_t many[] = {1, 1, (size_t)1 << (sizeof(size_t) * 4)};
    const size_t empty[] = {0, SIZE_MAX / 6, 1}; /* strides beyond int64_t */
    int64_t found[5];
    size_t offset = 0;
    size_t i;

    (void)state;
    assert_int_equal(splitgen_run_dims(&k, input, outputs, given), SPLITGEN_OK);
    assert_int_equal(all_rows, 2 * 3 * 3 * 5);
    assert_int_equal(all_scale, 5 * 7 * 7);
    all_rows = 1;
    assert_int_equal(splitgen_run_dims(&k, NULL, NULL, none), SPLITGEN_OK);
    assert_int_equal(all_rows, 1); /* the kernel did not run */
    assert_int_equal(splitgen_run_dims(&k, input, outputs, many), SPLITGEN_TOO_MANY);
    assert_int_equal(splitgen_run_dims(&k, input, outputs, NULL), SPLITGEN_NULL_DIMS);
    assert_int_equal(splitgen_run_dims(NULL, input, outputs, given), SPLITGEN_NULL_KERNEL);
    assert_int_equal(splitgen_run_dims(&kernel, input, outputs, given), SPLITGEN_FIXED_COUNT);
    assert_int_equal(splitgen_run_n(&k, input, outputs, 1), SPLITGEN_NEEDS_COUNT);
    assert_int_equal(splitgen_run(&k, input, outputs), SPLITGEN_NEEDS_COUNT);
    outputs[0] = (void *)(uintptr_t)(4096 + 60 * 3 * 3 * 5 * 5 * 7 * 7 - 1);
    assert_int_equal(splitgen_run_dims(&k, input, outputs, given), SPLITGEN_OVERLAP);

    assert_int_equal(splitgen_view_dims(&k, 0, given, &offset, found), SPLITGEN_OK);
    assert_int_equal(offset, 10 * 245);
    for (i = 0; i < 5; i++) {
        static const int64_t times[] = {3 * 5 * 245, 245, 245, 1, 1};
        assert_int_equal(found[i], steps[i] * times[i]);
    }
    assert_int_equal(splitgen_view_dims(&k, 1, given, &offset, found), SPLITGEN_NO_VIEW);
    assert_int_equal(splitgen_view_dims(&k, 0, NULL, &offset, found), SPLITGEN_NULL_DIMS);
    assert_int_equal(splitgen_view_dims(&k, 0, many, &offset, found), SPLITGEN_TOO_MANY);
    assert_int_equal(splitgen_view_dims(&k, 0, empty, &offset, NULL), SPLITGEN_OK);
    assert_int_equal(splitgen_view_dims(&k, 0, empty, &offset, found),
                     sizeof(size_t) < 8 ? SPLITGEN_OK : SPLITGEN_TOO_MANY);
    assert_int_equal(splitgen_view_dims(NULL, 0, given, &offset, NULL), SPLITGEN_NULL_KERNEL);
}

/* Each kind of kernel through the other kind's functions; then everything that splitgen_run
 * refuses, by the bytes of all items. */
static void test_items_refused(void **state)
{
    splitgen_kernel k = free_kernel();
    arena m;
    size_t at;

    (void)state;
    arena_reset(&m);
    assert_refused(&m, &k, m.u.bytes, m.outputs, SPLITGEN_NEEDS_COUNT);
    assert_refused(&m, &k, NULL, NULL, SPLITGEN_NEEDS_COUNT);
    assert_int_equal(splitgen_run_n(&kernel, m.u.bytes, m.outputs, 1), SPLITGEN_FIXED_COUNT);
    assert_int_equal(splitgen_run_n(NULL, m.u.bytes, m.outputs, 1), SPLITGEN_NULL_KERNEL);
    assert_int_equal(splitgen_run_n(&k, NULL, m.outputs, 1), SPLITGEN_NULL_INPUT);
    assert_int_equal(splitgen_run_n(&k, m.u.bytes, NULL, 1), SPLITGEN_NULL_OUTPUTS);
    m.outputs[2] = NULL;
    assert_int_equal(splitgen_run_n(&k, m.u.bytes, m.outputs, 1), SPLITGEN_NULL_OUTPUT);
    m.outputs[2] = m.u.bytes + 385;
    assert_int_equal(splitgen_run_n(&k, m.u.bytes, m.outputs, 1), SPLITGEN_MISALIGNED);
    k.abi++;
    assert_int_equal(splitgen_run_n(&k, m.u.bytes, m.outputs, 1), SPLITGEN_BAD_ABI);
    for (at = OUT_A; at < sizeof m.u.bytes; at++) {
        assert_int_equal(m.u.bytes[at], CANARY);
    }
}

/* Any two of input, a and b, in both orders, at the distance that n items need and one byte
 * closer, where one item less fits. */
static void test_items_overlap(void **state)
{
    static const splitgen_number n_number = {"n", 1};
    static const unsigned char powers[] = {1, 0};
    static const splitgen_free nothing = {.name = "n",
                                          .expected = 1,
                                          .split_rows = run_no_free_rows,
                                          .count = 1,
                                          .numbers = &n_number,
                                          .powers = powers};
    static const size_t sizes[3] = {(size_t)ROWS * ROW, (size_t)ROWS * A, (size_t)ROWS * B};
    splitgen_kernel k = free_kernel();
    uintptr_t place[3]; /* never read */
    size_t n;
    size_t low;
    size_t high;
    size_t closer;

    (void)state;
    k.align = 1;
    k.free = &nothing;
    for (n = 1; n <= 1000; n = n * 3 + 1) {
        for (low = 0; low < 3; low++) {
            for (high = 0; high < 3; high++) {
                for (closer = 0; low != high && closer < 2; closer++) {
                    void *outputs[3] = {NULL, NULL, NULL};

                    place[3 - low - high] = (uintptr_t)1 << 30;
                    place[low] = 4096;
                    place[high] = 4096 + n * sizes[low] - closer;
                    outputs[0] = (void *)place[1];
                    outputs[2] = (void *)place[2];
                    assert_int_equal(splitgen_run_n(&k, (const void *)place[0], outputs, n),
                                     closer ? SPLITGEN_OVERLAP : SPLITGEN_OK);
                }
            }
        }
    }
}

/* The largest number of items whose bytes and rows fit size_t, and one more. */
static void test_too_many(void **state)
{
    static const splitgen_number n_number = {"n", 1};
    static const unsigned char powers[] = {1, 0};
    static const splitgen_free nothing = {.name = "n",
                                          .expected = 1,
                                          .split_rows = run_no_free_rows,
                                          .count = 1,
                                          .numbers = &n_number,
                                          .powers = powers};
    splitgen_tensor tensors[3];
    splitgen_kernel k = free_kernel();
    void *outputs[3] = {NULL, NULL, NULL};
    size_t i;

    (void)state;
    k.free = &nothing;
    k.parts = tensors;
    memcpy(tensors, out_tensors, sizeof tensors);
    for (i = 0; i < 4; i++) { /* rows, the input, the first and the last output */
        const size_t size = 1000 + 8 * i;
        const size_t limit = SIZE_MAX / size;

        k.rows = i == 0 ? size : 1;
        k.whole.bytes = i == 1 ? size : 0;
        tensors[0].bytes = i == 2 ? size : 0;
        tensors[2].bytes = i == 3 ? size : 0;
        outputs[0] = outputs[2] = (void *)(uintptr_t)4096;
        assert_int_equal(splitgen_run_n(&k, outputs[0], outputs, limit), SPLITGEN_OK);
        assert_int_equal(all_rows, limit * k.rows);
        assert_int_equal(splitgen_run_n(&k, outputs[0], outputs, limit + 1), SPLITGEN_TOO_MANY);
        assert_int_equal(splitgen_run_n(&k, outputs[0], outputs, SIZE_MAX), SPLITGEN_TOO_MANY);
    }
    k.rows = 0; /* an empty kernel, any number of times */
    tensors[2].bytes = 0;
    assert_int_equal(splitgen_run_n(&k, NULL, outputs, SIZE_MAX), SPLITGEN_OK);
    assert_int_equal(all_rows, 0);
}

static void test_status_text(void **state)
{
    int i;
    int j;

    (void)state;
    for (i = SPLITGEN_OK; i <= SPLITGEN_NOT_IN_PLACE; i++) {
        const char *text = splitgen_status_text((splitgen_status)i);

        assert_non_null(text);
        assert_true(text[0] >= 'a' && text[0] <= 'z');
        assert_string_not_equal(text, "unknown status");
        for (j = SPLITGEN_OK; j < i; j++) {
            assert_string_not_equal(text, splitgen_status_text((splitgen_status)j));
        }
    }
    assert_string_equal(splitgen_status_text((splitgen_status)(SPLITGEN_NOT_IN_PLACE + 1)),
                        "unknown status");
}

/* Consecutive numbers from 1, and the size that the generator uses. */
static void test_dtypes(void **state)
{
    int number = 0;

    (void)state;
#define SPLITGEN_DTYPE(id, wanted, text, bits, packed, ...)                                        \
    number++;                                                                                      \
    assert_int_equal(wanted, number); /* none twice, none missing */                               \
    assert_int_equal(SPLITGEN_##id, number);                                                       \
    assert_string_equal(splitgen_dtype_name(SPLITGEN_##id), text);                                 \
    if (SPLITGEN_##id == SPLITGEN_STRING) {                                                        \
        assert_int_equal(splitgen_dtype_bytes(SPLITGEN_##id), sizeof(char *));                     \
    } else {                                                                                       \
        assert_int_equal(splitgen_dtype_bytes(SPLITGEN_##id), (packed) ? 0 : (bits) / 8);          \
    }
#include <splitgen/dtypes.inc>
    assert_string_equal(splitgen_dtype_name((splitgen_dtype)0), "?");
    assert_string_equal(splitgen_dtype_name((splitgen_dtype)(number + 1)), "?");
    assert_int_equal(splitgen_dtype_bytes((splitgen_dtype)(number + 1)), 0);
}

static void test_copy(void **state)
{
    unsigned char from[9000];
    unsigned char to[9002];
    size_t sizes[] = {0, 1, 16, 257, 4096, 8999};
    size_t s;
    size_t i;

    (void)state;
    for (i = 0; i < sizeof from; i++) {
        from[i] = (unsigned char)(i * 7 + 1);
    }
    for (s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        memset(to, 0, sizeof to);
        splitgen_copy(to + 1, from, sizes[s]);
        assert_int_equal(to[0], 0);
        assert_memory_equal(to + 1, from, sizes[s]);
        assert_int_equal(to[1 + sizes[s]], 0);
    }
}

static void test_output(void **state)
{
    float a[2], b[2];
    float *const typed[] = {a, b, a + 1};
    void *const untyped[] = {b, NULL, a};

    (void)state;
    assert_ptr_equal(splitgen_output(typed, 0), a);
    assert_ptr_equal(splitgen_output(typed, 1), b);
    assert_ptr_equal(splitgen_output(typed, 2), a + 1);
    assert_ptr_equal(splitgen_output(untyped, 0), b);
    assert_ptr_equal(splitgen_output(untyped, 1), NULL);
    assert_ptr_equal(splitgen_output(untyped, 2), a);
}

static void run_a_rows(const void *input, void *const outputs[], size_t first, size_t last)
{
    size_t row;

    for (row = first; row < last; row++) {
        memcpy((unsigned char *)outputs[0] + row * A, (const unsigned char *)input + row * ROW, A);
    }
}

static void run_a(const void *input, void *const outputs[])
{
    run_a_rows(input, outputs, 0, ROWS);
}

/* The entry of an output that is only a view must be NULL or its address in the input: no other
 * address would be filled. */
static void test_only_view(void **state)
{
    static const splitgen_view seen[] = {{SPLITGEN_VIEW_STRIDED, 0, strides, false},
                                         {SPLITGEN_VIEW_CONTIGUOUS, A, strides, true},
                                         {SPLITGEN_VIEW_STRIDED, A, strides, true}};
    splitgen_kernel k = kernel;
    arena m;
    size_t place;

    (void)state;
    k.views = seen;
    k.split = run_a;
    k.split_rows = run_a_rows;
    for (place = 0; place < IN + A + ROW; place++) {
        arena_reset(&m);
        m.outputs[2] = place == 0 ? NULL : m.u.bytes + place;
        if (place > 0 && place != IN + A) {
            assert_refused(&m, &k, m.u.bytes + IN, m.outputs, SPLITGEN_NOT_IN_PLACE);
            continue;
        }
        assert_int_equal(splitgen_run(&k, m.u.bytes + IN, m.outputs), SPLITGEN_OK);
        assert_memory_equal(m.u.bytes + OUT_A + A, m.u.bytes + IN + ROW, A);
        assert_int_equal(m.u.bytes[OUT_B], CANARY);
        assert_int_equal(splitgen_run_parallel(&k, m.u.bytes + IN, m.outputs, NULL, NULL),
                         SPLITGEN_OK);
    }
    arena_reset(&m);
    m.outputs[0] = NULL;
    m.outputs[2] = m.u.bytes + IN; /* NULL is reported first */
    assert_refused(&m, &k, m.u.bytes + IN, m.outputs, SPLITGEN_NULL_OUTPUT);
}

/* It is no error that there is nothing to run if pointers are NULL; views have their addresses
 * and all other rules hold. */
static void test_only_views(void **state)
{
    static const splitgen_view seen[] = {{SPLITGEN_VIEW_STRIDED, 0, strides, true},
                                         {SPLITGEN_VIEW_CONTIGUOUS, A, strides, true},
                                         {SPLITGEN_VIEW_STRIDED, A, strides, true}};
    static const splitgen_number batch = {"batch", 1};
    static const unsigned char powers[] = {1, 0};
    static const splitgen_free items = {
        .name = "batch", .expected = 1, .count = 1, .numbers = &batch, .powers = powers};
    splitgen_kernel k = kernel;
    arena m;

    (void)state;
    k.views = seen;
    k.split = NULL;
    k.split_rows = NULL;
    assert_int_equal(splitgen_run(&k, NULL, NULL), SPLITGEN_OK);
    assert_int_equal(splitgen_run_rows(&k, NULL, NULL, 0, ROWS), SPLITGEN_OK);
    assert_int_equal(splitgen_run_rows(&k, NULL, NULL, 0, ROWS + 1), SPLITGEN_BAD_ROWS);
    assert_int_equal(splitgen_run_parallel(&k, NULL, NULL, NULL, NULL), SPLITGEN_OK);
    assert_int_equal(splitgen_run_n(&k, NULL, NULL, 2), SPLITGEN_FIXED_COUNT);
    arena_reset(&m);
    m.outputs[0] = m.outputs[1] = NULL;
    m.outputs[2] = m.u.bytes + IN + A;
    assert_int_equal(splitgen_run(&k, m.u.bytes + IN, m.outputs), SPLITGEN_OK);
    assert_int_equal(splitgen_run(&k, NULL, m.outputs), SPLITGEN_NOT_IN_PLACE);
    m.outputs[2] = m.u.bytes + IN;
    assert_int_equal(splitgen_run(&k, m.u.bytes + IN, m.outputs), SPLITGEN_NOT_IN_PLACE);
    assert_int_equal(splitgen_run_rows(&k, m.u.bytes + IN, m.outputs, 0, ROWS),
                     SPLITGEN_NOT_IN_PLACE);
    assert_int_equal(splitgen_run_parallel(&k, m.u.bytes + IN, m.outputs, NULL, NULL),
                     SPLITGEN_NOT_IN_PLACE);
    k.free = &items;
    assert_int_equal(splitgen_run(&k, NULL, NULL), SPLITGEN_NEEDS_COUNT);
    assert_int_equal(splitgen_run_n(&k, NULL, NULL, 2), SPLITGEN_OK);
    assert_int_equal(splitgen_run_parallel_n(&k, NULL, NULL, 2, NULL, NULL), SPLITGEN_OK);
    k.abi = SPLITGEN_ABI - 1;
    assert_int_equal(splitgen_run_n(&k, NULL, NULL, 2), SPLITGEN_BAD_ABI);
}

static void test_find(void **state)
{
    static const splitgen_kernel a = {.name = "a"}, b = {.name = "b"}, c = {.name = "c"};
    static const splitgen_entry entries[] = {
        {"", &a}, {"/heads/Split", &b}, {"/heads/Split", &c}, {"heads", &a}, {"\xc3\xa9", &b}};
    static const splitgen_registry registry = {5, entries}, none = {0, NULL};

    (void)state;
    assert_ptr_equal(splitgen_find(&registry, ""), &a);
    assert_ptr_equal(splitgen_find(&registry, "/heads/Split"), &b); /* the first of two */
    assert_ptr_equal(splitgen_find(&registry, "heads"), &a);
    assert_ptr_equal(splitgen_find(&registry, "\xc3\xa9"), &b);
    assert_null(splitgen_find(&registry, "head"));
    assert_null(splitgen_find(&registry, "headset"));
    assert_null(splitgen_find(&registry, "\xc3\xa9s"));
    assert_null(splitgen_find(&registry, NULL));
    assert_null(splitgen_find(NULL, "heads"));
    assert_null(splitgen_find(&none, "heads"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs),          cmocka_unit_test(test_null),
        cmocka_unit_test(test_empty),         cmocka_unit_test(test_alignment),
        cmocka_unit_test(test_overlap),       cmocka_unit_test(test_overlap_wraps),
        cmocka_unit_test(test_many_outputs),  cmocka_unit_test(test_rows),
        cmocka_unit_test(test_status_text),   cmocka_unit_test(test_dtypes),
        cmocka_unit_test(test_copy),          cmocka_unit_test(test_output),
        cmocka_unit_test(test_find),          cmocka_unit_test(test_items),
        cmocka_unit_test(test_no_items),      cmocka_unit_test(test_dims),
        cmocka_unit_test(test_items_refused), cmocka_unit_test(test_items_overlap),
        cmocka_unit_test(test_too_many),      cmocka_unit_test(test_only_view),
        cmocka_unit_test(test_only_views),
    };

    return cmocka_run_group_tests_name("runtime", tests, NULL, NULL);
}
