/* A small seeded generator (splitmix64): the same numbers on every machine. */
#ifndef PROPERTY_RANDOM_H
#define PROPERTY_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct rng {
    uint64_t state;
} rng;

static inline uint64_t rng_next(rng *r)
{
    r->state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = r->state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* A number in [low, high], low <= high. */
static inline int64_t rng_in(rng *r, int64_t low, int64_t high)
{
    uint64_t span = (uint64_t)high - (uint64_t)low + 1;
    uint64_t offset = span == 0 ? rng_next(r) : rng_next(r) % span;
    return (int64_t)((uint64_t)low + offset);
}

/* True once in n. */
static inline bool rng_one_in(rng *r, int n)
{
    return rng_in(r, 1, n) == 1;
}

#define RNG_PICK(r, array)                                                                         \
    ((array)[rng_in((r), 0, (int64_t)(sizeof(array) / sizeof(array)[0]) - 1)])

#endif
