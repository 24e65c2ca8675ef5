/* splitmix64 (Steele, Lea, Flood 2014). */
#include "prng.h"

uint64_t test_prng_mix(uint64_t value)
{
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

void test_prng_seed(test_prng *prng, uint64_t seed)
{
    prng->state = test_prng_mix(seed);
}

uint64_t test_prng_next(test_prng *prng)
{
    prng->state += UINT64_C(0x9e3779b97f4a7c15);
    return test_prng_mix(prng->state);
}

int64_t test_prng_range(test_prng *prng, int64_t low, int64_t high)
{
    /* The bias of the remainder is below 2^-40 for the ranges tests use. */
    uint64_t width = (uint64_t)high - (uint64_t)low + 1;
    uint64_t bits = test_prng_next(prng);
    return (int64_t)((uint64_t)low + (width == 0 ? bits : bits % width));
}

bool test_prng_chance(test_prng *prng, int percent)
{
    return test_prng_range(prng, 0, 99) < percent;
}
