/* numbers: the numbers of open dimensions, for which sizes, offsets and strides are checked. */
#ifndef SG_PLACEMENT_NUMBERS_H
#define SG_PLACEMENT_NUMBERS_H

#include "sums/sum.h"

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

/* The value for one set of numbers. Returns false if it overflows or the size is over. */
bool sg_place_value(const sg_sum *sum, const sg_place_open *open, int64_t nopen, int numbers,
                    int64_t *value) SG_CHECK;
/* The size in bytes of this many bits: "64*N", or "(12*N+7)/8" (integer division). */
const char *sg_place_bytes_text(sg_arena *arena, const sg_sum *bits);

#endif
