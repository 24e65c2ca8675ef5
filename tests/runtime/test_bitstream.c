/* Compares the words and runs of bitstream.h with loops over single bits: every mask of a few
 * shapes, every shift and size, between unmapped pages, with every instruction set of this
 * machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <splitgen/bitstream.h>

#include "guard.h"

enum { LARGEST = 300 };

static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 31) * UINT64_C(0x9e3779b97f4a7c15);
    return x ^ x >> 29;
}

static uint64_t picked(uint64_t x, uint64_t mask)
{
    uint64_t result = 0;
    int n = 0;
    for (int bit = 0; bit < 64; ++bit) {
        if ((mask >> bit & 1) != 0) {
            result |= (x >> bit & 1) << n++;
        }
    }
    return result;
}

#if SPLITGEN_X86
SPLITGEN_TARGET_PEXT
static uint64_t pick_pext(uint64_t x, uint64_t mask)
{
    return splitgen_pick_pext(x, mask);
}
#endif

/* With one instruction, and with one of the fallback steps. */
static void test_pick(void **state)
{
    (void)state;
    const uint64_t mask = UINT64_C(0xf00f00f00f00f00f);
    for (uint64_t i = 1; i < 1000; ++i) {
        uint64_t x = mixed(i);
#if SPLITGEN_X86
        if ((splitgen_cpu() & SPLITGEN_CPU_PEXT) != 0) {
            assert_true(pick_pext(x, mixed(x)) == picked(x, mixed(x)));
            assert_true(pick_pext(x, mask) == picked(x, mask));
        }
#endif
        const uint64_t moved = mixed(i) & UINT64_C(0xff00ff00ff00ff00);
        x &= UINT64_C(0xff00ff00ff00ff00);
        assert_true(splitgen_close(x, moved, 8) == ((x & ~moved) | (x & moved) >> 8));
    }
}

static void test_words(void **state)
{
    (void)state;
    unsigned char bytes[8] = {0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0};
    assert_true(splitgen_load_lsb(bytes, 8) == UINT64_C(0xf0debc9a78563412));
    assert_true(splitgen_load_msb(bytes, 8) == UINT64_C(0x123456789abcdef0));
    assert_true(splitgen_load_lsb(bytes, 3) == UINT64_C(0x563412));
    assert_true(splitgen_load_msb(bytes, 3) == UINT64_C(0x1234560000000000));
    unsigned char out[9];
    for (size_t n = 1; n <= 8; ++n) {
        memset(out, 0x77, sizeof out);
        splitgen_store_lsb(out, UINT64_C(0xf0debc9a78563412), n);
        assert_memory_equal(out, bytes, n);
        assert_int_equal(out[n], 0x77);
        memset(out, 0x77, sizeof out);
        splitgen_store_msb(out, UINT64_C(0x123456789abcdef0), n);
        assert_memory_equal(out, bytes, n);
        assert_int_equal(out[n], 0x77);
    }
}

typedef void run_function(unsigned char *dst, const unsigned char *src, unsigned shift,
                          size_t bytes);

static unsigned bit_of(const unsigned char *bytes, size_t at, bool msb)
{
    return (unsigned)bytes[at / 8] >> (msb ? 7 - at % 8 : at % 8) & 1U;
}

static void check_runs(run_function *run, bool msb)
{
    test_guard from = {0};
    test_guard to = {0};
    for (size_t bytes = 1; bytes <= LARGEST; bytes += bytes < 140 ? 1 : 7) {
        for (unsigned shift = 0; shift < 8; ++shift) {
            for (int place = 0; place < TEST_PLACES; ++place) {
                const size_t read = bytes + (shift > 0 ? 1 : 0);
                unsigned char *src = test_guard_place(&from, read, 1, (test_place)place);
                unsigned char *dst = test_guard_place(&to, bytes, 1, (test_place)place);
                for (size_t i = 0; i < read; ++i) {
                    src[i] = (unsigned char)(mixed(i + bytes) >> 20 & 0xff);
                }
                run(dst, src, shift, bytes);
                for (size_t at = 0; at < 8 * bytes; ++at) {
                    if (bit_of(dst, at, msb) != bit_of(src, at + shift, msb)) {
                        fail_msg("bit %zu of %zu bytes at shift %u", at, bytes, shift);
                    }
                }
                assert_true(test_guard_intact(&to));
            }
        }
    }
    test_guard_free(&from);
    test_guard_free(&to);
}

static void run_lsb(unsigned char *dst, const unsigned char *src, unsigned shift, size_t bytes)
{
    splitgen_run_lsb(dst, src, shift, bytes);
}

static void run_msb(unsigned char *dst, const unsigned char *src, unsigned shift, size_t bytes)
{
    splitgen_run_msb(dst, src, shift, bytes);
}

#if SPLITGEN_X86
#define VECTOR_RUN(name, target)                                                                   \
    target static void name(unsigned char *dst, const unsigned char *src, unsigned shift,          \
                            size_t bytes)                                                          \
    {                                                                                              \
        splitgen_##name(dst, src, shift, bytes);                                                   \
    }
VECTOR_RUN(run_lsb_avx2, SPLITGEN_TARGET_BITS_AVX2)
VECTOR_RUN(run_msb_avx2, SPLITGEN_TARGET_BITS_AVX2)
VECTOR_RUN(run_lsb_avx512, SPLITGEN_TARGET_BITS_AVX512)
VECTOR_RUN(run_msb_avx512, SPLITGEN_TARGET_BITS_AVX512)
#endif

static void test_runs(void **state)
{
    (void)state;
    check_runs(run_lsb, false);
    check_runs(run_msb, true);
#if SPLITGEN_X86
    const unsigned cpu = splitgen_cpu();
    if ((cpu & SPLITGEN_BITS_AVX2) == SPLITGEN_BITS_AVX2) {
        check_runs(run_lsb_avx2, false);
        check_runs(run_msb_avx2, true);
    }
    if ((cpu & SPLITGEN_BITS_AVX512) == SPLITGEN_BITS_AVX512) {
        check_runs(run_lsb_avx512, false);
        check_runs(run_msb_avx512, true);
    }
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pick),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
