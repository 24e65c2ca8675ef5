/* What the programs share that apply every intrinsic to the same random operands and print a digest of
 * the results, a line each. Compiled once with the models and once with what they are compared with;
 * what they print must be the same. No C library is asked for, so that WebAssembly can run it. */
#ifndef SPLITGEN_TEST_ISA_COMPARE_H
#define SPLITGEN_TEST_ISA_COMPARE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { TURNS = 2000 };

/* Operands of the turn, any bytes; the first of every four turns has only small numbers, which make
 * indexes and counts that are in range. */
static uint8_t operand_a[64], operand_b[64], operand_c[64];
static uint64_t operand_mask;
static uint8_t result[64];

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
    uint8_t *const all[] = {operand_a, operand_b, operand_c};

    for (unsigned v = 0; v < 3; ++v) {
        for (unsigned i = 0; i < 64; ++i) {
            const uint64_t number = hashed(turn << 8 | v << 6 | i) >> 20;
            all[v][i] = (uint8_t)(turn % 4 == 0 ? number % 16 : number & 0xff);
        }
    }
    operand_mask = hashed(~turn);
    memset(result, 0xa5, sizeof result);
}

static uint64_t digest_of_result(uint64_t digest)
{
    for (unsigned i = 0; i < 64; ++i) {
        digest = hashed(digest + result[i] + 1);
    }
    return digest;
}

/* An intrinsic applied by a function that leaves the result's bytes in `result`. */
typedef struct comparison {
    const char *name;
    void (*apply)(void);
} comparison;

static uint64_t digest_of(const comparison *c)
{
    uint64_t digest = 0;

    for (uint64_t turn = 0; turn < TURNS; ++turn) {
        next_operands(turn);
        c->apply();
        digest = digest_of_result(digest);
    }
    return digest;
}

#endif
