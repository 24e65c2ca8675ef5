/* Bodies once for all splits of a run that are alike. */
#ifndef SG_PLAN_BODY_MEMO_H
#define SG_PLAN_BODY_MEMO_H

#include "plan/plan.h"

/* Takes the bodies of an equal plan that was added before; false where there is none. memo may be
 * NULL in both functions. */
bool sg_memo_recall(const sg_memo *memo, sg_plan *plan);

void sg_memo_add(sg_arena *arena, sg_memo *memo, const sg_plan *plan);

#endif
