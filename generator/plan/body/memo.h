/* Bodies once for all splits of a run that are alike. */
#ifndef SG_PLAN_BODY_MEMO_H
#define SG_PLAN_BODY_MEMO_H

#include "plan/plan.h"

/* Takes plan->variants from one that was added and is alike: whether there is one. Both: memo may
 * be NULL. */
bool sg_memo_recall(const sg_memo *memo, sg_plan *plan);

void sg_memo_add(sg_arena *arena, sg_memo *memo, const sg_plan *plan);

#endif
