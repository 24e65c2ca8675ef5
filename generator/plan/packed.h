/* Plans of splits of packed elements: over bytes if possible, otherwise over bits. */
#ifndef SG_PLAN_PACKED_H
#define SG_PLAN_PACKED_H

#include "plan/plan.h"

/* As sg_bytes_build. */
sg_plan *sg_packed_build(sg_arena *arena, sg_diag *diag, const sg_split *split,
                         const sg_plan_options *options);

#endif
