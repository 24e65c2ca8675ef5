/* Verifies a plan by executing its programs on symbolic bytes. Shares no code with the planner.
 * Proves that every byte of every output is written exactly once, from the right byte of the input,
 * and that nothing outside the buffers is read or written. */
#ifndef SG_PLAN_VERIFY_VERIFY_H
#define SG_PLAN_VERIFY_VERIFY_H

#include "plan/plan.h"

/* NULL if the plan is verified; otherwise the error, in the arena. */
const char *sg_verify(sg_arena *arena, const sg_plan *plan);

/* The same for a plan whose map comes from no split. */
const char *sg_verify_map(sg_arena *arena, const sg_plan *plan, const sg_map *map);

#endif
