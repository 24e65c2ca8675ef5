/* Views: where each output lies in the full tensor. */
#ifndef SG_PLAN_VIEW_H
#define SG_PLAN_VIEW_H

#include "plan/plan.h"

/* Fills the view fields of plan->outputs. */
void sg_view_build(sg_arena *arena, sg_plan *plan);

#endif
