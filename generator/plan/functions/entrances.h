/* The functions that choose a body, or copy rows by the portable program where there is none. */
#ifndef SG_PLAN_FUNCTIONS_ENTRANCES_H
#define SG_PLAN_FUNCTIONS_ENTRANCES_H

#include "plan/functions/function.h"

/* Appends them to plan->functions, behind all others. */
void sg_entrances_build(sg_arena *arena, sg_plan *plan);

#endif
