/* Tests the runtime's detection of this machine, and the vector copies of runs.h, write_combining.h
 * and open_rows.h if it has the instructions: every size, against unmapped pages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <splitgen/vector.h>

static unsigned rows_cpu; /* the instruction sets that rows of an open length may use */
#define SPLITGEN_ROWS_CPU rows_cpu
#include <splitgen/open_rows.h>

#include "guard.h"

enum { LARGEST = 2300 }; /* more than two of the longest steps of a copy */

static void test_instruction_sets(void **state)
{
    const unsigned cpu = splitgen_cpu();

    (void)state;
    assert_int_equal(splitgen_cpu(), cpu); /* remembered */
#if SPLITGEN_X86
    __builtin_cpu_init();
    const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    const bool vbmi = avx512 && __builtin_cpu_supports("avx512vbmi");
    assert_int_equal((cpu & SPLITGEN_CPU_AVX2) != 0, __builtin_cpu_supports("avx2") != 0);
    assert_int_equal((cpu & SPLITGEN_CPU_AVX512) != 0, avx512);
    assert_int_equal((cpu & SPLITGEN_CPU_AVX512VBMI) != 0, vbmi);
    if ((cpu & SPLITGEN_CPU_PEXT) != 0) {
        assert_true(__builtin_cpu_supports("bmi2"));
    }
    const unsigned shuffles =
        SPLITGEN_CPU_ONE_SHUFFLE | SPLITGEN_CPU_DEAR_CROSSINGS | SPLITGEN_CPU_PAGE_STREAMS;
    const unsigned halves =
        SPLITGEN_CPU_HALF_STORES | SPLITGEN_CPU_PREFETCH_ALL | SPLITGEN_CPU_NEAR_CACHE;
    assert_int_equal(cpu & ~(SPLITGEN_CPU_AVX2 | SPLITGEN_CPU_AVX512 | SPLITGEN_CPU_AVX512VBMI |
                             SPLITGEN_CPU_PEXT | shuffles | halves),
                     0);
    /* these are identified by vendor, family and model, which the compiler's library knows too */
    const bool intel = __builtin_cpu_is("intel") != 0;
    const bool amd = __builtin_cpu_is("amd") != 0;
    assert_true((cpu & shuffles) == 0 || ((cpu & shuffles) == shuffles && intel && avx512));
    assert_true((cpu & halves) == 0 || ((cpu & halves) == halves && amd && avx512));
    assert_int_equal((cpu & halves) != 0, __builtin_cpu_is("amdfam19h") != 0 && avx512);
    if (__builtin_cpu_is("sapphirerapids") || __builtin_cpu_is("icelake-server") ||
        (__builtin_cpu_is("skylake-avx512") && avx512)) {
        assert_int_equal(cpu & shuffles, shuffles);
    }
    assert_int_equal(splitgen_prefetch_distance(1) == 0, (cpu & SPLITGEN_CPU_PREFETCH_ALL) != 0);
    assert_int_equal(splitgen_prefetch_distance(SPLITGEN_INTERLEAVED_MAX) == 0,
                     (cpu & SPLITGEN_CPU_PREFETCH_ALL) != 0);
    assert_int_equal(splitgen_stream_rows(cpu, true), splitgen_stream_bytes());
    assert_int_equal(splitgen_stream_rows(0, false), splitgen_stream_bytes());
    assert_int_equal(splitgen_stream_rows(SPLITGEN_CPU_NEAR_CACHE, true), splitgen_stream_bytes());
    assert_int_equal(splitgen_stream_rows(SPLITGEN_CPU_NEAR_CACHE, false),
                     splitgen_stream_bytes() / 5 * 8);
    assert_int_equal(splitgen_streams(0, 384), 1);
    assert_int_equal(splitgen_streams(SPLITGEN_CPU_PAGE_STREAMS, 384), SPLITGEN_INTERLEAVED_MAX);
    assert_int_equal(splitgen_streams(SPLITGEN_CPU_PAGE_STREAMS, 4096), SPLITGEN_INTERLEAVED_MAX);
    assert_int_equal(splitgen_streams(SPLITGEN_CPU_PREFETCH_ALL, 0), 2);
    assert_int_equal(splitgen_streams(SPLITGEN_CPU_PREFETCH_ALL, 384), 2);
    assert_int_equal(splitgen_streams(SPLITGEN_CPU_PREFETCH_ALL, 4096), 1);
    assert_int_equal(splitgen_combining_unit(0), 64);
    assert_int_equal(splitgen_combining_unit(SPLITGEN_CPU_HALF_STORES), 32);
#else
    assert_int_equal(cpu, 0);
#endif
}

/* Three quarters of the largest cache, or five eighths on a Zen 4, up to 48 MiB. */
static void test_stream_bytes(void **state)
{
    const size_t bytes = splitgen_stream_bytes();

    (void)state;
    assert_int_equal(splitgen_stream_bytes(), bytes);
    assert_in_range(bytes, (size_t)128 << 10, (size_t)48 << 20);
#if SPLITGEN_X86
    assert_int_equal(splitgen_stream_many(0), bytes);
    assert_int_equal(splitgen_stream_many(SPLITGEN_CPU_NEAR_CACHE), bytes / 4 * 3);
#endif
}

#if SPLITGEN_X86

typedef void copy_function(void *dst, const void *src, size_t bytes);

SPLITGEN_TARGET_AVX2
static void lines_avx2(void *dst, const void *src, size_t bytes)
{
    splitgen_vectors_avx2(dst, src, bytes);
}

SPLITGEN_TARGET_AVX2
static void run_avx2(void *dst, const void *src, size_t bytes)
{
    splitgen_run_avx2(dst, src, bytes);
}

SPLITGEN_TARGET_AVX2
static void stream_avx2(void *dst, const void *src, size_t bytes)
{
    splitgen_run_non_temporal_avx2(dst, src, bytes, splitgen_streams(0, 0));
    _mm_sfence();
}

SPLITGEN_TARGET_AVX2
static void stream_avx2_by_turns(void *dst, const void *src, size_t bytes)
{
    splitgen_run_non_temporal_avx2(dst, src, bytes, splitgen_streams(SPLITGEN_CPU_PAGE_STREAMS, 0));
    _mm_sfence();
}

SPLITGEN_TARGET_AVX2
static void past_avx2(void *dst, const void *src, size_t bytes)
{
    splitgen_copy_non_temporal_avx2(dst, src, bytes, splitgen_streams(splitgen_cpu(), 0));
}

SPLITGEN_TARGET_AVX512
static void lines_avx512(void *dst, const void *src, size_t bytes)
{
    splitgen_vectors_avx512(dst, src, bytes);
}

SPLITGEN_TARGET_AVX512
static void run_avx512(void *dst, const void *src, size_t bytes)
{
    splitgen_run_avx512(dst, src, bytes);
}

SPLITGEN_TARGET_AVX512
static void stream_avx512(void *dst, const void *src, size_t bytes)
{
    splitgen_run_non_temporal_avx512(dst, src, bytes, splitgen_streams(0, 0));
    _mm_sfence();
}

SPLITGEN_TARGET_AVX512
static void stream_avx512_by_turns(void *dst, const void *src, size_t bytes)
{
    splitgen_run_non_temporal_avx512(dst, src, bytes,
                                     splitgen_streams(SPLITGEN_CPU_PAGE_STREAMS, 0));
    _mm_sfence();
}

static void fill(unsigned char *in, size_t bytes)
{
    for (size_t i = 0; i < bytes; ++i) {
        in[i] = (unsigned char)((i * 2654435761U) >> 11);
    }
}

/* Runs of every size: two columns, in and out with `pad` bytes between their rows. */
static void check_columns(size_t rows, size_t pad, test_place place)
{
    test_guard in_guard = {0};
    test_guard out_guard = {0};

    for (size_t bytes = 1; bytes <= LARGEST; ++bytes) {
        const size_t step = 2 * bytes + pad;
        const size_t all = rows * step - pad;
        unsigned char *in = test_guard_place(&in_guard, all, 1, place);
        unsigned char *out = test_guard_place(&out_guard, all, 1, place);

        fill(in, all);
        for (size_t i = 0; i < all; ++i) {
            out[i] = (unsigned char)~in[i];
        }
        SPLITGEN_COPY_COLUMNS(bytes, rows, SPLITGEN_COLUMN(out, step, in, step),
                              SPLITGEN_COLUMN(out + bytes, step, in + bytes, step));
        for (size_t row = 0; row < rows; ++row) {
            assert_memory_equal(out + row * step, in + row * step, 2 * bytes);
        }
        for (size_t i = 0; i < all; ++i) {
            out[i] = i % step < 2 * bytes ? in[i] : (unsigned char)~out[i];
        }
        assert_memory_equal(out, in, all); /* nothing between rows was written */
        assert_true(test_guard_intact(&out_guard));
    }
    test_guard_free(&in_guard);
    test_guard_free(&out_guard);
}

static void test_open_rows(void **state)
{
    const unsigned isas[] = {0, SPLITGEN_CPU_AVX2, SPLITGEN_CPU_AVX2 | SPLITGEN_CPU_AVX512};

    (void)state;
    for (size_t i = 0; i < sizeof isas / sizeof isas[0]; ++i) {
        rows_cpu = isas[i] & splitgen_cpu();
        for (size_t rows = 1; rows <= 6; ++rows) {
            check_columns(rows, rows % 3, rows % 2 == 0 ? TEST_PLACE_END : TEST_PLACE_BEGIN);
        }
    }
}

/* Sizes from `first` to LARGEST; the output at a multiple of `align`, the input anywhere. */
static void check_copy(copy_function *copy, size_t first, size_t step, size_t align)
{
    test_guard in_guard = {0};
    test_guard out_guard = {0};

    for (size_t bytes = first; bytes <= LARGEST; bytes += step) {
        for (test_place place = 0; place < TEST_PLACES; ++place) {
            unsigned char *in = test_guard_place(&in_guard, bytes, 1, place);
            unsigned char *out = test_guard_place(&out_guard, bytes, align, place);

            fill(in, bytes);
            for (size_t i = 0; i < bytes; ++i) {
                out[i] = (unsigned char)~in[i];
            }
            copy(out, in, bytes);
            assert_memory_equal(out, in, bytes);
            assert_true(test_guard_intact(&out_guard));
        }
    }
    test_guard_free(&in_guard);
    test_guard_free(&out_guard);
}

static void test_avx2(void **state)
{
    (void)state;
    if ((splitgen_cpu() & SPLITGEN_CPU_AVX2) == 0) {
        skip();
    }
    check_copy(lines_avx2, 32, 1, 1);
    check_copy(run_avx2, 32, 1, 1);
    check_copy(stream_avx2, 32, 32, 32);
    check_copy(stream_avx2_by_turns, 32, 32, 32);
    check_copy(past_avx2, 0, 1, 1);
}

static void test_avx512(void **state)
{
    (void)state;
    if ((splitgen_cpu() & SPLITGEN_CPU_AVX512) == 0) {
        skip();
    }
    check_copy(lines_avx512, 64, 1, 1);
    check_copy(run_avx512, 64, 1, 1);
    check_copy(stream_avx512, 64, 64, 64);
    check_copy(stream_avx512_by_turns, 64, 64, 64);
}

/* SPLITGEN_KEEP does not change the value. */
SPLITGEN_TARGET_AVX2
static void twice(unsigned char *bytes)
{
    __m256i value = splitgen_load_avx2(bytes);

    SPLITGEN_KEEP(value);
    value = _mm256_add_epi8(value, value);
    SPLITGEN_KEEP(value);
    splitgen_store_avx2(bytes, value);
}

/* Parts are multiples of the step, cover nearly everything, and are never a multiple of a bank
 * apart. */
static void test_parts(void **state)
{
    static const size_t sizes[] = {1, 24, 64, 384, 6144, 8192, 65536};
    const size_t bank = SPLITGEN_BANK_BYTES;

    (void)state;
    assert_int_equal(splitgen_per_stream(0, 2, 4, 64), 0);
    assert_int_equal(splitgen_per_stream(7, 2, 4, 64), 0);
    assert_int_equal(splitgen_per_stream(8, 2, 4, 64), 4);
    assert_int_equal(splitgen_per_stream(1, 2, 1, bank), 0);
    assert_int_equal(splitgen_per_stream(2, 2, 1, bank), 1); /* nothing to spare */
    assert_int_equal(splitgen_run_per_stream(SPLITGEN_CUT_MIN - 1, 2), 0);
    assert_int_equal(splitgen_run_per_stream(SPLITGEN_CUT_MIN + 63, 2), SPLITGEN_CUT_MIN / 2);
    assert_int_equal(splitgen_run_per_stream(2 * bank, 2) % 64, 0);
    assert_int_not_equal(splitgen_run_per_stream(2 * bank, 2), bank);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        for (size_t streams = 1; streams <= SPLITGEN_INTERLEAVED_MAX; ++streams) {
            for (size_t step = 1; step <= 8; step *= 2) {
                for (size_t banks = 1; banks <= 3; ++banks) {
                    const size_t units = banks * bank / sizes[i] * streams;
                    const size_t part = splitgen_per_stream(units, streams, step, sizes[i]);

                    assert_int_equal(part % step, 0);
                    assert_true(streams * part <= units);
                    assert_true((units - streams * part) * sizes[i] <
                                2 * streams * (8192 + step * sizes[i]));
                    assert_int_not_equal(part * sizes[i] % bank, 0);
                }
            }
        }
    }
}

static void test_keep(void **state)
{
    unsigned char bytes[32];

    (void)state;
    if ((splitgen_cpu() & SPLITGEN_CPU_AVX2) == 0) {
        skip();
    }
    for (unsigned i = 0; i < 32; ++i) {
        bytes[i] = (unsigned char)i;
    }
    twice(bytes);
    for (unsigned i = 0; i < 32; ++i) {
        assert_int_equal(bytes[i], 2 * i);
    }
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instruction_sets),
        cmocka_unit_test(test_stream_bytes),
#if SPLITGEN_X86
        cmocka_unit_test(test_open_rows),
        cmocka_unit_test(test_avx2),
        cmocka_unit_test(test_avx512),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_keep),
#endif
    };

    return cmocka_run_group_tests_name("cpu", tests, NULL, NULL);
}
