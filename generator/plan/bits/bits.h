/* Plans of splits of packed elements off byte boundaries. */
#ifndef SG_PLAN_BITS_BITS_H
#define SG_PLAN_BITS_BITS_H

#include "plan/plan.h"

/* The same split over bytes where every row and every wanted part of one begins and ends at a whole
 * byte, else NULL. Its parts are bytes of the axis, its type is u8. */
sg_split *sg_bits_as_bytes(sg_arena *arena, const sg_split *split);

/* Fills plan->bits and what a plan tells of itself, without views. False: reported, the program
 * would be too long. */
bool sg_bits_build(sg_arena *arena, sg_diag *diag, sg_plan *plan,
                   const sg_plan_options *options) SG_CHECK;

#endif
