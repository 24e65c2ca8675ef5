/* Whether kernels use non-temporal stores. */
#ifndef SG_PLAN_CHOOSE_NON_TEMPORAL_H
#define SG_PLAN_CHOOSE_NON_TEMPORAL_H

#include "plan/plan.h"

/* Chooses plan->non_temporal by the option --non-temporal. */
sg_non_temporal sg_non_temporal_choose(const sg_plan *plan, sg_nt_option non_temporal);

#endif
