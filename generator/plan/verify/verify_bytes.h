/* Verifies plans over whole bytes. */
#ifndef SG_PLAN_VERIFY_VERIFY_BYTES_H
#define SG_PLAN_VERIFY_VERIFY_BYTES_H

#include "plan/plan.h"
#include "plan/verify/expectation.h"

/* NULL if the plan is verified; otherwise the error, in the arena. */
const char *sg_verify_bytes(sg_arena *arena, const sg_plan *plan);

/* Verifies the layout, the portable programs and the bodies against an expectation. */
const char *sg_verify_programs(sg_arena *arena, const sg_plan *plan, const sg_expectation *e);

#endif
