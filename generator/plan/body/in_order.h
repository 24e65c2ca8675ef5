/* Bodies that copy one row of all outputs after the other by non-temporal stores, for machines with
 * IN_ORDER. */
#ifndef SG_PLAN_BODY_IN_ORDER_H
#define SG_PLAN_BODY_IN_ORDER_H

#include "plan/plan.h"

/* Puts a body for machines with IN_ORDER before the one that all with the instructions share,
 * where the kernel has many outputs whose rows are nearly all at least a line; plan->bodies has
 * room for it. */
void sg_in_order_add(sg_arena *arena, sg_plan *plan);

#endif
