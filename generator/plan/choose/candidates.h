/* The bodies a kernel gets beside the portable one. */
#ifndef SG_PLAN_CHOOSE_CANDIDATES_H
#define SG_PLAN_CHOOSE_CANDIDATES_H

#include "plan/plan.h"

/* In the first-level cache, how much longer than on its own program a machine may take by one that
 * suits all of them; else it gets a body of its own (MEASURED.md, Choosing bodies). */
#define SG_SHARED_LOSS 1.1

/* Fills plan->bodies for the instruction sets asked for. */
void sg_candidates_build(sg_arena *arena, sg_plan *plan, const sg_plan_options *options);

/* The fewest rows for which a body gains more than the question for the processor's instructions
 * takes; for kernels with an open number of rows. */
int64_t sg_candidates_least_rows(const sg_plan *plan);

#endif
