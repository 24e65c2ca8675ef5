/* Shared by the programs that apply every intrinsic to the same random operands and print a
 * digest of the results, one per line. Each program is compiled with the models and with the
 * real instructions, and must print the same. A file that includes this lists its intrinsics:
 *
 *   COMPARISONS(X)  X(name, statement that leaves its result in result[])
 *
 * The functions at the end are exported if there is no C library (WebAssembly). */
#ifndef SPLITGEN_TEST_ISA_COMPARE_H
#define SPLITGEN_TEST_ISA_COMPARE_H

#include <stddef.h>
#include <stdint.h>
#if __STDC_HOSTED__
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#else
void *memcpy(void *dst, const void *src, size_t bytes);
void *memset(void *dst, int value, size_t bytes);
#endif

enum { TURNS = 1000 };

/* Operands of a round, any bytes; in every fourth round small numbers, which are in range as
 * indexes or counts. Aligned, because some stores require it of their results. */
static uint8_t in_a[64] __attribute__((aligned(64)));
static uint8_t in_b[64] __attribute__((aligned(64)));
static uint8_t in_c[64] __attribute__((aligned(64)));
static uint64_t in_mask;
static uint8_t result[64] __attribute__((aligned(64)));

static uint64_t hashed(uint64_t x)
{
    x ^= x >> 31;
    x *= UINT64_C(0x7fb5d329728ea185);
    x ^= x >> 27;
    x *= UINT64_C(0x81dadef4bc2dd44d);
    return x ^ x >> 33;
}

static void next_operands(uint64_t turn)
{
    for (unsigned i = 0; i < 64; ++i) {
        const uint64_t number = hashed(turn << 8 | i) >> 16;
        const unsigned most = turn % 4 == 0 ? 15 : 255;
        in_a[i] = (uint8_t)(number & most);
        in_b[i] = (uint8_t)(number >> 8 & most);
        in_c[i] = (uint8_t)(number >> 16 & most);
    }
    in_mask = hashed(~turn);
    memset(result, 0xa5, sizeof result);
}

#define COMPARISON_APPLY(name, ...)                                                                \
    static void apply_##name(void)                                                                 \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }
COMPARISONS(COMPARISON_APPLY)

static const struct {
    const char *name;
    void (*apply)(void);
} comparisons[] = {
#define COMPARISON_ROW(name, ...) {#name, apply_##name},
    COMPARISONS(COMPARISON_ROW)};

int comparison_count(void);
int comparison_count(void)
{
    return (int)(sizeof comparisons / sizeof comparisons[0]);
}

const char *comparison_name(int number);
const char *comparison_name(int number)
{
    return comparisons[number].name;
}

uint64_t comparison_digest(int number);
uint64_t comparison_digest(int number)
{
    uint64_t digest = 0;

    for (uint64_t turn = 0; turn < TURNS; ++turn) {
        next_operands(turn);
        comparisons[number].apply();
        for (unsigned i = 0; i < 64; ++i) {
            digest = hashed(digest + result[i] + 1);
        }
    }
    return digest;
}

#if __STDC_HOSTED__
int main(void)
{
    for (int i = 0; i < comparison_count(); ++i) {
        printf("%s %016" PRIx64 "\n", comparison_name(i), comparison_digest(i));
    }
    return 0;
}
#else
void *memcpy(void *dst, const void *src, size_t bytes)
{
    for (size_t i = 0; i < bytes; ++i) {
        ((volatile unsigned char *)dst)[i] = ((const unsigned char *)src)[i];
    }
    return dst;
}

void *memset(void *dst, int value, size_t bytes)
{
    for (size_t i = 0; i < bytes; ++i) {
        ((volatile unsigned char *)dst)[i] = (unsigned char)value;
    }
    return dst;
}
#endif

#endif
