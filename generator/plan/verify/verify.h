/* Executes a plan's programs on symbolic bytes and proves, sharing no code with the planner:
 * every byte of every output is written exactly once, from the right byte of the input, and
 * nothing outside the buffers is read or written. */
#ifndef SG_PLAN_VERIFY_VERIFY_H
#define SG_PLAN_VERIFY_VERIFY_H

#include "plan/plan.h"

/* NULL when the plan is proved, else what is wrong, in the arena. */
const char *sg_verify(sg_arena *arena, const sg_plan *plan);

/* The same of a plan for a map that is no split's. */
const char *sg_verify_map(sg_arena *arena, const sg_plan *plan, const sg_map *map);

#endif
