/* Plans of splits whose elements are whole bytes. */
#ifndef SG_PLAN_BYTES_H
#define SG_PLAN_BYTES_H

#include "plan/plan.h"

/* A plan that is not verified yet. NULL: reported, the program would be too long. */
sg_plan *sg_bytes_build(sg_arena *arena, sg_diag *diag, const sg_split *split,
                        const sg_plan_options *options);

#endif
