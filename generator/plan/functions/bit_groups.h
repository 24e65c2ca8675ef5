/* The functions of kernels over bits: groups of rows, then the remaining rows. */
#ifndef SG_PLAN_FUNCTIONS_BIT_GROUPS_H
#define SG_PLAN_FUNCTIONS_BIT_GROUPS_H

#include "plan/functions/function.h"

/* Appends the functions of all bodies to plan->functions. */
void sg_bit_groups_build(sg_arena *arena, sg_plan *plan);

#endif
