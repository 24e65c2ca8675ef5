/* The entry points: functions that select a body, or copy rows by the portable program if none
 * fits. */
#ifndef SG_PLAN_FUNCTIONS_ENTRY_POINTS_H
#define SG_PLAN_FUNCTIONS_ENTRY_POINTS_H

#include "plan/functions/function.h"

/* Appends them to plan->functions, after all others. */
void sg_entry_points_build(sg_arena *arena, sg_plan *plan);

#endif
