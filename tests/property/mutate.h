/* Copies of plans with one thing wrong. */
#ifndef PROPERTY_MUTATE_H
#define PROPERTY_MUTATE_H

#include "base/arena.h"
#include "plan/plan.h"
#include "random.h"

/* A copy of the plan with one field, instruction, block or constant changed. *what names the
 * change. The plan may still mean the same; only running it shows. */
sg_plan *mutate_plan(sg_arena *arena, rng *r, const sg_plan *plan, const char **what);

#endif
