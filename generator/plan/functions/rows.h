/* The functions of kernels whose outputs are parameters: iterations over all rows. */
#ifndef SG_PLAN_FUNCTIONS_ROWS_H
#define SG_PLAN_FUNCTIONS_ROWS_H

#include "plan/functions/function.h"

/* Appends the functions of a body to plan->functions. */
void sg_rows_build(sg_arena *arena, sg_plan *plan, int64_t body);

#endif
