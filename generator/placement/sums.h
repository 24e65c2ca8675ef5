/* sums: sizes, offsets and strides that depend on open dimensions, as sums of products such as
 * 64*N*M+16. A sum is immutable. */
#ifndef SG_PLACEMENT_SUMS_H
#define SG_PLACEMENT_SUMS_H

#include "base/arena.h"
#include "shapes/fact.h"

/* The limit on the products of a sum, and on the names of a product. A size beyond it counts as
 * unknown. Real models need fewer. */
#define SG_PLACE_PRODUCTS 64

typedef struct sg_place_product {
    int64_t factor;     /* never 0 */
    const char **names; /* sorted */
    int64_t count;
} sg_place_product;

/* Products of different names, those with more names first. No products: 0. */
typedef struct sg_place_sum {
    const sg_place_product *products;
    int64_t count;
    bool over; /* it is beyond the limit or has a factor that does not fit, and has no products */
} sg_place_sum;

/* An open dimension, and its expected number. */
typedef struct sg_place_open {
    const char *name;
    int64_t expected;
} sg_place_open;

/* Sets of numbers for all open dimensions: the expected ones; those with which the planner checks
 * that a plan holds for every number; and those with which the proof checks it. */
enum {
    SG_PLACE_EXPECTED,
    SG_PLACE_PLANNED,                       /* this and the next one */
    SG_PLACE_PROVED = SG_PLACE_PLANNED + 2, /* this and the next one */
    SG_PLACE_NUMBERS = SG_PLACE_PROVED + 2
};

sg_place_sum sg_place_sum_number(sg_arena *arena, int64_t number);
/* The sum for a dim that is an integer or a name. Returns false if it is over. */
bool sg_place_sum_dim(sg_arena *arena, sg_fact_entry dim, sg_place_sum *sum) SG_CHECK;
/* a + times * b. */
sg_place_sum sg_place_sum_add(sg_arena *arena, const sg_place_sum *a, const sg_place_sum *b,
                              int64_t times);
sg_place_sum sg_place_sum_times(sg_arena *arena, const sg_place_sum *a, const sg_place_sum *b);
bool sg_place_sum_same(const sg_place_sum *a, const sg_place_sum *b);
/* The value for one set of numbers. Returns false if it overflows or the sum is over. */
bool sg_place_sum_value(const sg_place_sum *sum, const sg_place_open *open, int64_t nopen,
                        int numbers, int64_t *value) SG_CHECK;
/* Whether it is the same for all numbers. */
bool sg_place_sum_is_number(const sg_place_sum *sum);
/* The name of an open dimension, or "?0", "?1" ... if the model does not name it. */
const char *sg_place_open_name(sg_arena *arena, const char *name);
/* For example "64*N*M+16". */
const char *sg_place_sum_text(sg_arena *arena, const sg_place_sum *sum);
/* The size in bytes of this many bits: "64*N", or "(12*N+7)/8" (integer division). */
const char *sg_place_bytes_text(sg_arena *arena, const sg_place_sum *bits);

#endif
