/* How far to unroll. */
#ifndef SG_PLAN_CHOOSE_UNROLL_H
#define SG_PLAN_CHOOSE_UNROLL_H

#include "plan/plan.h"

/* What was asked for; small code is a loop over the rows unless more was. */
sg_unroll sg_unroll_choose(const sg_plan_options *options);

#endif
