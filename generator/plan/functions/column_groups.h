/* The functions of kernels with an array of outputs: blocks of rows, one column group after the
 * other. */
#ifndef SG_PLAN_FUNCTIONS_COLUMN_GROUPS_H
#define SG_PLAN_FUNCTIONS_COLUMN_GROUPS_H

#include "plan/functions/function.h"

/* Appends the functions of a body to plan->functions. */
void sg_column_groups_build(sg_arena *arena, sg_plan *plan, int64_t body);

#endif
