/* Iterations of the loop around a body: their length and the extra work in them, see iterations.c.
 * */
#ifndef SG_PLAN_BODY_ITERATIONS_H
#define SG_PLAN_BODY_ITERATIONS_H

#include "plan/plan.h"

/* Repeats short tiles, chooses how remaining rows are copied, and adds prefetches. */
void sg_iterations_choose(sg_arena *arena, const sg_plan *plan, sg_body *body);

#endif
