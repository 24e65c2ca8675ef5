/* Proves plans of packed elements, whether over bytes or bits. */
#ifndef SG_PLAN_VERIFY_VERIFY_BITS_H
#define SG_PLAN_VERIFY_VERIFY_BITS_H

#include "plan/plan.h"
#include "plan/verify/expectation.h"

/* NULL when the plan is proved, else what is wrong, in the arena. */
const char *sg_verify_packed(sg_arena *arena, const sg_plan *plan);

/* Programs over bits, against an expectation. */
const char *sg_verify_bits(sg_arena *arena, const sg_plan *plan, sg_expectation *e);

#endif
