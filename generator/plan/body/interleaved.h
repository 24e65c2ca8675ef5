/* Equal columns of one element each, for instruction sets with deinterleaving loads: one load fills
 * a vector of every output. For a concat, with interleaving stores. */
#ifndef SG_PLAN_BODY_INTERLEAVED_H
#define SG_PLAN_BODY_INTERLEAVED_H

#include "plan/machine/machine.h"
#include "plan/plan.h"

/* The body for this layout; false if the layout is another one, or has more columns than
 * isa->interleaved_max. */
bool sg_interleaved_build(sg_arena *arena, const sg_plan *plan, const sg_isa_info *isa,
                          sg_body *body);

#endif
