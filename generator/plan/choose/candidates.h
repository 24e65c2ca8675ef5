/* Chooses which bodies a kernel gets beside the portable one. */
#ifndef SG_PLAN_CHOOSE_CANDIDATES_H
#define SG_PLAN_CHOOSE_CANDIDATES_H

#include "plan/plan.h"

/* In the L1 cache, for concats and for splits without a column wider than SG_APART_BYTES: the
 * maximum slowdown of a shared program, relative to the best one for a machine. Above it the
 * machine gets its own body (MEASURED.md, Choosing bodies). */
#define SG_SHARED_LOSS 1.1
#define SG_APART_BYTES INT64_C(8)

/* Fills plan->bodies for the requested instruction sets. */
void sg_candidates_build(sg_arena *arena, sg_plan *plan, const sg_plan_options *options);

/* For kernels with a dynamic number of rows: the minimum number of rows for which a body gains more
 * than checking the processor's instructions costs. */
int64_t sg_candidates_least_rows(const sg_plan *plan);

#endif
