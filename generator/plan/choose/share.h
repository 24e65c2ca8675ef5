/* Finds plans that can share the code of another plan. */
#ifndef SG_PLAN_CHOOSE_SHARE_H
#define SG_PLAN_CHOOSE_SHARE_H

#include "plan/plan.h"

/* For each plan, the index of the first plan whose code can serve its kernel: itself, or an earlier
 * one with the same rows and columns, the same element size, and the same outputs in the same
 * order. */
void sg_plan_share(const sg_plan *const *plans, int64_t count, int64_t *codes);

#endif
