/* Whether kernels bypass the cache. */
#ifndef SG_PLAN_CHOOSE_PAST_H
#define SG_PLAN_CHOOSE_PAST_H

#include "plan/plan.h"

/* What plan->past has to be for the way asked for. */
sg_past sg_past_choose(const sg_plan *plan, sg_stream stream);

#endif
