/* The bodies a kernel gets beside the portable one. */
#ifndef SG_PLAN_CHOOSE_CANDIDATES_H
#define SG_PLAN_CHOOSE_CANDIDATES_H

#include "plan/plan.h"

/* In the first-level cache, how much longer than on its own program a machine may take by one that
 * suits all of them; else it gets a body of its own (MEASURED.md, Choosing bodies). */
#define SG_SHARED_LOSS 1.1

/* Fills plan->variants for the instruction sets asked for. */
void sg_candidates_build(sg_arena *arena, sg_plan *plan, const sg_plan_options *options);

/* Rows from which a body is worth the time to ask for it, where their number is free. */
int64_t sg_candidates_least_rows(const sg_plan *plan);

#endif
