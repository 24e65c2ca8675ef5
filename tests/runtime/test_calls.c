/* Compares what checked calls accept and refuse with a simple implementation of the rules in
 * splitgen.h: every row of a buffer is compared with every row of another. Kernels and addresses
 * of buffers are random. Nothing is copied, so no buffer has to exist. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <splitgen/splitgen.h>

#include "prng.h"

enum { PARTS_MAX = 20, ROWS_MAX = 4, TRIALS = 300000, STATUSES = SPLITGEN_NOT_IN_PLACE + 1 };

/* A call: buffer 0 is the full tensor, buffer i + 1 is part i. */
static struct {
    splitgen_kernel kernel;
    splitgen_tensor parts[PARTS_MAX];
    splitgen_view views[PARTS_MAX];
    int64_t dims[1 + PARTS_MAX][2];
    splitgen_free open;
    size_t items; /* 1 unless a dimension is open */
    uintptr_t places[1 + PARTS_MAX];
    bool has_array; /* of parts */
    size_t ran;
} now;

static test_prng prng;

static size_t below(size_t most)
{
    return (size_t)test_prng_range(&prng, 0, (int64_t)most - 1);
}

static void split(const void *whole, void *const parts[])
{
    (void)whole;
    (void)parts;
    now.ran++;
}

static void join(const void *const parts[], void *whole)
{
    (void)parts;
    (void)whole;
    now.ran++;
}

static void split_open(const void *whole, void *const parts[], size_t first, size_t last,
                       size_t rows)
{
    (void)first;
    (void)last;
    (void)rows;
    split(whole, parts);
}

static void join_open(const void *const parts[], void *whole, size_t first, size_t last,
                      size_t rows)
{
    (void)first;
    (void)last;
    (void)rows;
    join(parts, whole);
}

static splitgen_tensor *tensor(size_t number)
{
    return number == 0 ? &now.kernel.whole : &now.parts[number - 1];
}

static bool is_copied(size_t number)
{
    return (number == 0 || !now.views[number - 1].only) && tensor(number)->bytes > 0;
}

/* Whether two buffers share a byte; addresses wrap around to 0. */
static bool meet(size_t a, size_t b)
{
    const size_t rows = now.kernel.rows * now.items;

    if (!is_copied(a) || !is_copied(b)) {
        return false;
    }
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < rows; j++) {
            const uintptr_t one = now.places[a] + i * tensor(a)->row_stride;
            const uintptr_t other = now.places[b] + j * tensor(b)->row_stride;
            if (other - one < (size_t)now.dims[a][1] || one - other < (size_t)now.dims[b][1]) {
                return true;
            }
        }
    }
    return false;
}

/* The status that splitgen.h requires for the call. */
static splitgen_status expected(bool is_idle)
{
    const bool joins = now.kernel.joins;
    const size_t count = now.kernel.nparts;

    if (!is_idle) {
        if (is_copied(0) && now.places[0] == 0) {
            return joins ? SPLITGEN_NULL_OUTPUT : SPLITGEN_NULL_INPUT;
        }
        if (!now.has_array) {
            return joins ? SPLITGEN_NULL_INPUTS : SPLITGEN_NULL_OUTPUTS;
        }
        for (size_t i = 1; i <= count; i++) {
            if (is_copied(i) && now.places[i] == 0) {
                return joins ? SPLITGEN_NULL_INPUT : SPLITGEN_NULL_OUTPUT;
            }
        }
        for (size_t i = 0; i <= count; i++) {
            if (is_copied(i) && now.places[i] % now.kernel.align != 0) {
                return SPLITGEN_MISALIGNED;
            }
        }
        for (size_t i = 1; i <= count; i++) {
            for (size_t j = 0; j < (joins ? 1 : i); j++) {
                if (meet(i, j)) {
                    return SPLITGEN_OVERLAP;
                }
            }
        }
    }
    for (size_t i = 1; now.has_array && i <= count; i++) {
        if (now.views[i - 1].only && tensor(i)->bytes > 0 && now.places[i] != 0 &&
            now.places[i] != now.places[0] + now.views[i - 1].byte_offset) {
            return SPLITGEN_NOT_IN_PLACE;
        }
    }
    return SPLITGEN_OK;
}

static void make_tensor(size_t number, size_t width, size_t gap)
{
    const size_t rows = now.kernel.rows;
    const size_t stride = width + gap;

    now.dims[number][0] = (int64_t)rows;
    now.dims[number][1] = (int64_t)width;
    *tensor(number) = (splitgen_tensor){
        "t", SPLITGEN_U8, 2, now.dims[number], width > 0 ? (rows - 1) * stride + width : 0, stride};
}

/* Makes a random kernel; returns whether all its parts are only views. */
static bool make_kernel(void)
{
    static const int64_t strides[] = {1, 1};
    static const splitgen_number number = {"n", 1};
    static const unsigned char powers[] = {1, 0};
    const size_t count = 1 + below(test_prng_chance(&prng, 60) ? 8 : PARTS_MAX);
    const bool joins = test_prng_chance(&prng, 50), is_open = test_prng_chance(&prng, 30);
    const bool has_gaps = test_prng_chance(&prng, 40), has_views = test_prng_chance(&prng, 30);
    const size_t gap = below(40);
    size_t offset = 0;
    bool is_idle = true;

    now.kernel = (splitgen_kernel){.name = "k",
                                   .joins = joins,
                                   .nparts = count,
                                   .parts = now.parts,
                                   .rows = 1 + below(ROWS_MAX),
                                   .align = (size_t)1 << below(5),
                                   .axis = 1,
                                   .abi = SPLITGEN_ABI,
                                   .views = now.views};
    for (size_t i = 0; i < count; i++) {
        const size_t width = test_prng_chance(&prng, 3) ? 0 : 1 + below(24);
        make_tensor(i + 1, width, !has_gaps ? 0 : test_prng_chance(&prng, 50) ? gap : below(40));
        now.views[i] = (splitgen_view){SPLITGEN_VIEW_STRIDED, offset, strides,
                                       has_views && test_prng_chance(&prng, 50)};
        is_idle = is_idle && now.views[i].only;
        offset += width;
    }
    make_tensor(0, offset, has_gaps ? gap : 0);
    now.items = is_open ? 1 + below(3) : 1;
    if (is_open) {
        now.open = (splitgen_free){
            .name = "n", .expected = 1, .count = 1, .numbers = &number, .powers = powers};
        now.open.split_rows = joins || is_idle ? NULL : split_open;
        now.open.join_rows = joins && !is_idle ? join_open : NULL;
        now.kernel.free = &now.open;
    } else if (!is_idle) {
        now.kernel.split = joins ? NULL : split;
        now.kernel.join = joins ? join : NULL;
    }
    return is_idle;
}

/* Places buffers one after the other in random order, from an address near the end of the
 * address space; then moves some of them. */
static void place_buffers(void)
{
    const size_t count = 1 + now.kernel.nparts;
    const size_t align = now.kernel.align;
    uintptr_t at = test_prng_chance(&prng, 3) ? (uintptr_t)0 - 64 * (1 + below(40)) : 4096;
    size_t order[1 + PARTS_MAX];

    for (size_t i = 0; i < count; i++) {
        order[i] = i;
    }
    for (size_t i = count - 1; i > 0 && test_prng_chance(&prng, 90); i--) {
        const size_t other = below(i + 1), kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
    for (size_t i = 0; i < count; i++) {
        const splitgen_tensor *t = tensor(order[i]);
        now.places[order[i]] = at;
        at += (t->bytes + (now.items - 1) * now.kernel.rows * t->row_stride + align - 1) / align *
              align;
    }
    for (size_t i = 1; i < count; i++) {
        if (now.views[i - 1].only) {
            now.places[i] =
                test_prng_chance(&prng, 50) ? 0 : now.places[0] + now.views[i - 1].byte_offset;
        }
    }
    for (size_t i = test_prng_chance(&prng, 60) ? 1 + below(2) : 0; i > 0; i--) {
        uintptr_t *place = &now.places[below(count)];
        const uintptr_t other = now.places[below(count)];

        switch (below(6)) {
        case 0:
            *place = 0;
            break;
        case 1:
            *place += 1;
            break;
        case 2:
            *place -= align;
            break;
        case 3:
            *place = other;
            break;
        case 4:
            *place = other + align * below(8);
            break;
        default:
            *place = other + (size_t)now.dims[below(count)][1];
            break;
        }
    }
    now.has_array = !test_prng_chance(&prng, 2);
}

/* Calls with item numbers, or by rows if the kernel has none. */
static splitgen_status call(bool by_rows)
{
    void *parts[PARTS_MAX];
    void *whole = (void *)now.places[0];
    void *const *outputs = now.has_array ? parts : NULL;
    const void *const *inputs = (const void *const *)outputs;
    const splitgen_kernel *k = &now.kernel;

    for (size_t i = 0; i < k->nparts; i++) {
        parts[i] = (void *)now.places[i + 1];
    }
    if (k->free != NULL) {
        return k->joins ? splitgen_join_n(k, inputs, whole, now.items)
                        : splitgen_run_n(k, whole, outputs, now.items);
    }
    if (by_rows) {
        return k->joins ? splitgen_join_rows(k, inputs, whole, k->rows, k->rows + 1)
                        : splitgen_run_rows(k, whole, outputs, k->rows, k->rows + 1);
    }
    return k->joins ? splitgen_join(k, inputs, whole) : splitgen_run(k, whole, outputs);
}

static void test_calls(void **state)
{
    size_t seen[STATUSES] = {0};

    (void)state;
    test_prng_seed(&prng, 1);
    for (size_t trial = 0; trial < TRIALS; trial++) {
        const bool is_idle = make_kernel();
        place_buffers();
        const splitgen_status wanted = expected(is_idle);

        now.ran = 0;
        assert_int_equal(call(false), wanted);
        assert_int_equal(now.ran, wanted == SPLITGEN_OK && !is_idle ? 1 : 0);
        if (now.kernel.free == NULL) { /* wrong rows are reported last */
            assert_int_equal(call(true), wanted == SPLITGEN_OK ? SPLITGEN_BAD_ROWS : wanted);
        }
        seen[wanted]++;
    }
    assert_true(seen[SPLITGEN_OK] > TRIALS / 4);
    assert_true(seen[SPLITGEN_OVERLAP] > TRIALS / 20);
    assert_true(seen[SPLITGEN_MISALIGNED] > TRIALS / 20);
    assert_true(seen[SPLITGEN_NULL_INPUT] > TRIALS / 100);
    assert_true(seen[SPLITGEN_NULL_OUTPUT] > TRIALS / 100);
    assert_true(seen[SPLITGEN_NULL_INPUTS] > TRIALS / 200);
    assert_true(seen[SPLITGEN_NULL_OUTPUTS] > TRIALS / 200);
    assert_true(seen[SPLITGEN_NOT_IN_PLACE] > TRIALS / 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_calls)};

    return cmocka_run_group_tests_name("calls", tests, NULL, NULL);
}
