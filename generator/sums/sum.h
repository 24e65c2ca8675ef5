/* size: sizes, offsets and strides that depend on open dimensions: sums of products of integers and
 * names, such as 64*N*M+16. A size is immutable. */
#ifndef SG_SUMS_SUM_H
#define SG_SUMS_SUM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"

/* The limit on the terms of a size, and on the factors of a term. Real models need fewer. */
#define SG_SUM_MOST 64

typedef struct sg_sum sg_sum;

/* A name, or a sum of at least two terms without sums, which have no common factor. */
typedef struct sg_sum_factor {
    const char *name; /* NULL: it is a sum */
    const sg_sum *sum;
} sg_sum_factor;

typedef struct sg_sum_term {
    int64_t number;               /* never 0 */
    const sg_sum_factor *factors; /* sorted, sums last */
    int64_t count;
} sg_sum_term;

/* Terms with different factors, those with more factors first. No terms: 0. */
struct sg_sum {
    const sg_sum_term *terms;
    int64_t count;
    bool over; /* it is beyond the limit, does not fit, or does not exist, and has no terms */
};

sg_sum sg_sum_number(sg_arena *arena, int64_t number);
sg_sum sg_sum_name(sg_arena *arena, const char *name); /* keeps the name, not a copy */
sg_sum sg_sum_factor_of(sg_arena *arena, const sg_sum_factor *factor);
sg_sum *sg_sum_copy(sg_arena *arena, const sg_sum *size); /* with its names */

/* Names that no file, user or rule can give: of a dim without a name, and of the number of an
 * iteration, from 0 to turns - 1. */
const char *sg_sum_nameless(sg_arena *arena, int64_t number);
const char *sg_sum_counter(sg_arena *arena, int64_t number, int64_t turns);
/* Of a size that follows from others: shown with a number behind the stem. The stem of any name. */
const char *sg_sum_follower_name(sg_arena *arena, const char *stem, int64_t number);
const char *sg_sum_stem(sg_arena *arena, const char *name);
bool sg_sum_is_nameless(const char *name);
bool sg_sum_is_follower(const char *name);
bool sg_sum_may_be_name(const char *name); /* whether a file, user or rule may use it */

/* a + times * b, and a * b. */
sg_sum sg_sum_add(sg_arena *arena, const sg_sum *a, const sg_sum *b, int64_t times);
sg_sum sg_sum_times(sg_arena *arena, const sg_sum *a, const sg_sum *b);
/* The same size without sums as factors. */
sg_sum sg_sum_expanded(sg_arena *arena, const sg_sum *size);
/* The dim of an expanded size: one term, with what all terms have in common before their sum, so
 * that equal sums are equal dims: 2*N+4 is 2*(N+2). Over if a number is negative, or it is a sum of
 * more than 8 terms. */
sg_sum sg_sum_factored(sg_arena *arena, const sg_sum *size);
/* a / b of dims; over if b does not divide a for all values of the names. */
sg_sum sg_sum_quotient(sg_arena *arena, const sg_sum *a, const sg_sum *b);

bool sg_sum_same(const sg_sum *a, const sg_sum *b);
bool sg_sum_is_number(const sg_sum *size); /* whether it is the same for all values */
/* The number of a size that has no names, or that is added to its names. */
int64_t sg_sum_constant(const sg_sum *size);
const char *sg_sum_only_name(const sg_sum *size); /* NULL: it is not just a name */
/* Whether it is at least 1 for all values; false if a factor is a sum. */
bool sg_sum_is_positive(const sg_sum *size);

typedef struct sg_sum_names {
    const char **items;
    int64_t count;
    int64_t capacity;
} sg_sum_names;

/* Adds the names in a size, including those in its sums; some may be there already. */
void sg_sum_add_names(sg_arena *arena, const sg_sum *size, sg_sum_names *names);

/* The value for these numbers of the names. False: it overflows, is over, or number_of failed. */
typedef bool sg_sum_number_of(const void *context, const char *name, int64_t *number);
bool sg_sum_value(const sg_sum *size, sg_sum_number_of *number_of, const void *context,
                  int64_t *value) SG_CHECK;
/* For sg_sum_value: the largest number of an iteration. False: it is another name. */
bool sg_sum_most(const void *context, const char *name, int64_t *number) SG_CHECK;
/* A size that follows from another one, but is no sum of products: (from + more) / by, rounded
 * down, but at least 0 and at most `most`. */
typedef struct sg_sum_follower {
    const char *name;
    const sg_sum *from;
    int64_t more;
    int64_t by;       /* above 0 */
    int64_t most;     /* INT64_MAX: no limit */
    int64_t expected; /* at least 1 */
} sg_sum_follower;

/* The value for these numbers of the names in `from`. */
bool sg_sum_followed(const sg_sum_follower *size, sg_sum_number_of *number_of, const void *context,
                     int64_t *value) SG_CHECK;
bool sg_sum_counts(const sg_sum *size); /* whether it has the number of an iteration */

/* "197*N", "2*(N+1)", "64*N*M-16". How nameless dims are written: */
typedef enum sg_sum_style {
    SG_SUM_SHOWN,    /* "?" */
    SG_SUM_NUMBERED, /* "?0", "?1" */
    SG_SUM_KEY       /* another text for each dim: a byte 1 ends each name */
} sg_sum_style;
const char *sg_sum_name_text(sg_arena *arena, const char *name, sg_sum_style style);
const char *sg_sum_text(sg_arena *arena, const sg_sum *size, sg_sum_style style);

#endif
