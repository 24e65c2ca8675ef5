/* Which plans the code of another one serves. */
#ifndef SG_PLAN_CHOOSE_SHARE_H
#define SG_PLAN_CHOOSE_SHARE_H

#include "plan/plan.h"

/* For each plan the index of the first whose code does all that its kernel has to: its own, or that
 * of an earlier one with the same rows and columns of elements of one size and the same outputs in
 * the same order. */
void sg_plan_share(const sg_plan *const *plans, int64_t count, int64_t *codes);

#endif
