/* How far to unroll. */
#ifndef SG_PLAN_CHOOSE_UNROLL_H
#define SG_PLAN_CHOOSE_UNROLL_H

#include "plan/plan.h"

/* The unrolling from the options; with --optimize=size, a loop over rows unless --unroll says
 * otherwise. */
sg_unroll sg_unroll_choose(const sg_plan_options *options);

#endif
