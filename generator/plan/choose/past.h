/* Whether kernels bypass the cache. */
#ifndef SG_PLAN_CHOOSE_PAST_H
#define SG_PLAN_CHOOSE_PAST_H

#include "plan/plan.h"

/* Chooses plan->past, whether stores are non-temporal, for what --nt asks. */
sg_past sg_past_choose(const sg_plan *plan, sg_stream stream);

#endif
