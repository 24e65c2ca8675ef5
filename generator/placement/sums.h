/* sums: how sizes, offsets and strides depend on open dimensions: sums of products of them, such as
 * 64*N*M+16. A sum does not change once it is made. */
#ifndef SG_PLACEMENT_SUMS_H
#define SG_PLACEMENT_SUMS_H

#include "base/arena.h"
#include "shapes/fact.h"

/* Products up to which a size counts as known. What has more comes of no real model. */
#define SG_PLACE_PRODUCTS 64

typedef struct sg_place_product {
    int64_t factor;     /* never 0 */
    const char **names; /* in order */
    int64_t count;
} sg_place_product;

/* Products of different names, those of more names first; none of them: 0. */
typedef struct sg_place_sum {
    const sg_place_product *products;
    int64_t count;
} sg_place_sum;

/* An open dimension, and its number as expected. */
typedef struct sg_place_open {
    const char *name;
    int64_t expected;
} sg_place_open;

/* Numbers of all open dimensions: the expected ones; others, by which the planner looks whether a
 * plan holds for every number; and others still, by which the proof does. */
enum {
    SG_PLACE_EXPECTED,
    SG_PLACE_PLANNED,                       /* and the next one */
    SG_PLACE_PROVED = SG_PLACE_PLANNED + 2, /* and the next one */
    SG_PLACE_NUMBERS = SG_PLACE_PROVED + 2
};

sg_place_sum sg_place_sum_number(sg_arena *arena, int64_t number);
/* Of an integer or a name. False: it is too long. */
bool sg_place_sum_dim(sg_arena *arena, sg_fact_entry dim, sg_place_sum *sum) SG_CHECK;
/* a + times * b. */
sg_place_sum sg_place_sum_add(sg_arena *arena, const sg_place_sum *a, const sg_place_sum *b,
                              int64_t times);
sg_place_sum sg_place_sum_times(sg_arena *arena, const sg_place_sum *a, const sg_place_sum *b);
bool sg_place_sum_same(const sg_place_sum *a, const sg_place_sum *b);
/* Its value for those numbers. False: it does not fit. */
bool sg_place_sum_value(const sg_place_sum *sum, const sg_place_open *open, int64_t nopen,
                        int numbers, int64_t *value) SG_CHECK;
/* Whether it is the same for all numbers. */
bool sg_place_sum_is_number(const sg_place_sum *sum);
/* What an open dimension is called: its name, or "?0", "?1" ... if the model gives it none. */
const char *sg_place_open_name(sg_arena *arena, const char *name);
/* "64*N*M+16", of such names. */
const char *sg_place_sum_text(sg_arena *arena, const sg_place_sum *sum);
/* The bytes that so many bits take: "64*N", or "(12*N+7)/8", rounded down. */
const char *sg_place_bytes_text(sg_arena *arena, const sg_place_sum *bits);

#endif
