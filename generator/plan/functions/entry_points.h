/* The functions that choose a body, or copy rows by the portable program where there is none. */
#ifndef SG_PLAN_FUNCTIONS_ENTRY_POINTS_H
#define SG_PLAN_FUNCTIONS_ENTRY_POINTS_H

#include "plan/functions/function.h"

/* Appends them to plan->functions, behind all others. */
void sg_entry_points_build(sg_arena *arena, sg_plan *plan);

#endif
