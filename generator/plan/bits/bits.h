/* Plans of splits of packed elements off byte boundaries. */
#ifndef SG_PLAN_BITS_BITS_H
#define SG_PLAN_BITS_BITS_H

#include "plan/plan.h"

/* The same split over bytes, if every row and every wanted part of a row begins and ends at a whole
 * byte; otherwise NULL. Its parts are bytes of the axis, its type is u8. */
sg_split *sg_bits_as_bytes(sg_arena *arena, const sg_split *split);

/* Fills plan->bits and the plan's statistics, without views. False: reported, the program would be
 * too long. */
bool sg_bits_build(sg_arena *arena, sg_diag *diag, sg_plan *plan,
                   const sg_plan_options *options) SG_CHECK;

#endif
