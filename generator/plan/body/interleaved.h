/* Equal columns of one element each where the instruction set has loads that take them apart: one
 * load for a vector of every output. */
#ifndef SG_PLAN_BODY_INTERLEAVED_H
#define SG_PLAN_BODY_INTERLEAVED_H

#include "plan/machine/machine.h"
#include "plan/plan.h"

/* The body for this layout, or false when it is another one or isa->interleaved_max columns are
 * too few. */
bool sg_interleaved_build(sg_arena *arena, const sg_plan *plan, const sg_isa_info *isa,
                          sg_body *body);

#endif
