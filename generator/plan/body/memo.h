/* Shares bodies between equal splits of one run. */
#ifndef SG_PLAN_BODY_MEMO_H
#define SG_PLAN_BODY_MEMO_H

#include "plan/plan.h"

/* Copies the bodies of an equal plan that was added before; false if there is none. memo may be
 * NULL in both functions. */
bool sg_memo_recall(const sg_memo *memo, sg_plan *plan);

void sg_memo_add(sg_arena *arena, sg_memo *memo, const sg_plan *plan);

#endif
