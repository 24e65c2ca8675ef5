/* The functions of kernels with an array of outputs: blocks of rows, one strip after the other. */
#ifndef SG_PLAN_FUNCTIONS_STRIPS_H
#define SG_PLAN_FUNCTIONS_STRIPS_H

#include "plan/functions/function.h"

/* Appends those of a variant to plan->functions. */
void sg_strips_build(sg_arena *arena, sg_plan *plan, int64_t variant);

#endif
