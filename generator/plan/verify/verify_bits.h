/* Verifies plans of packed elements, over bytes or over bits. */
#ifndef SG_PLAN_VERIFY_VERIFY_BITS_H
#define SG_PLAN_VERIFY_VERIFY_BITS_H

#include "plan/plan.h"
#include "plan/verify/expectation.h"

/* NULL if the plan is verified; otherwise the error, in the arena. */
const char *sg_verify_packed(sg_arena *arena, const sg_plan *plan);

/* Verifies programs over bits against an expectation. */
const char *sg_verify_bits(sg_arena *arena, const sg_plan *plan, sg_expectation *e);

#endif
