/* The bodies a kernel gets beside the portable one. */
#ifndef SG_PLAN_CHOOSE_CANDIDATES_H
#define SG_PLAN_CHOOSE_CANDIDATES_H

#include "plan/plan.h"

/* Fills plan->variants for the instruction sets asked for. */
void sg_candidates_build(sg_arena *arena, sg_plan *plan, const sg_plan_options *options);

#endif
