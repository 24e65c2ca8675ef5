/* Wide columns by whole vectors: a row's runs are copied with the widest moves of an instruction
 * set, the last vector of a run overlapping the one before. */
#ifndef SG_PLAN_WIDE_H
#define SG_PLAN_WIDE_H

#include "plan/isa.h"
#include "plan/plan.h"

/* The variant's body for this layout, or false when no column is as wide as a vector or a row
 * needs more instructions than one function should have. */
bool sg_wide_build(sg_arena *arena, const sg_plan *plan, const sg_isa_info *isa,
                   sg_variant *variant);

#endif
