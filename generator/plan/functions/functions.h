/* Builds the functions of a plan. */
#ifndef SG_PLAN_FUNCTIONS_FUNCTIONS_H
#define SG_PLAN_FUNCTIONS_FUNCTIONS_H

#include "base/arena.h"
#include "plan/plan.h"

/* Fills plan->functions from its bodies and choices: what the choices call, and what that calls.
 * The arena owns the memory. */
void sg_functions_build(sg_arena *arena, sg_plan *plan);

#endif
