/* From a plan that may be wrong to one that is verified. */
#ifndef SG_PLAN_SETTLE_H
#define SG_PLAN_SETTLE_H

#include "plan/plan.h"

/* Builds the functions of a plan and verifies it. `map` is its map if it comes from no split; NULL.
 * If the proof refuses the plan, the rows of its dispatch table that are to blame are left out, and
 * the bodies that only they select, with a warning that asks for a report: a mistake in vector code
 * costs the user speed, not the kernel. Plans over bits have no other program than words and runs,
 * so nothing of them is left out. NULL: reported (SG_EXIT_BUG), the portable program does not
 * verify, or, if `strict`, anything does not. */
sg_plan *sg_settle(sg_arena *arena, sg_diag *diag, sg_plan *plan, const sg_map *map, bool strict);

#endif
