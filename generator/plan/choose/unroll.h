/* How far to unroll. */
#ifndef SG_PLAN_CHOOSE_UNROLL_H
#define SG_PLAN_CHOOSE_UNROLL_H

#include "plan/plan.h"

/* The unrolling that was asked for; with --optimize=size, a loop over the rows unless --unroll says
 * otherwise. */
sg_unroll sg_unroll_choose(const sg_plan_options *options);

#endif
