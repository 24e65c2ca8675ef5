/* A seeded pseudo-random number generator for tests: the same seed gives the same numbers on
 * every host. For tests only. */
#ifndef SPLITGEN_TEST_PRNG_H
#define SPLITGEN_TEST_PRNG_H

#include <stdbool.h>
#include <stdint.h>

typedef struct test_prng {
    uint64_t state;
} test_prng;

/* Any seed is good, also consecutive ones. */
void test_prng_seed(test_prng *prng, uint64_t seed);

/* 64 uniform bits. */
uint64_t test_prng_next(test_prng *prng);

/* Uniform in [low, high], both included; low <= high. */
int64_t test_prng_range(test_prng *prng, int64_t low, int64_t high);

/* True in `percent` of 100 calls. */
bool test_prng_chance(test_prng *prng, int percent);

/* A bijection on 64 bits without a visible pattern: different inputs give different outputs. */
uint64_t test_prng_mix(uint64_t value);

#endif
