/* Copies of plans over bits with one thing wrong. */
#ifndef PROPERTY_MUTATE_BITS_H
#define PROPERTY_MUTATE_BITS_H

#include "base/arena.h"
#include "plan/plan.h"
#include "random.h"

/* A copy of a plan with plan->bits, with one field changed, like mutate_plan() for others. */
sg_plan *mutate_bits(sg_arena *arena, rng *r, const sg_plan *plan, const char **what);

#endif
