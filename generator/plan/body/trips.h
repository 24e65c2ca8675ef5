/* What a trip of the loop around a body is, and what it does besides: see trips.c. */
#ifndef SG_PLAN_BODY_TRIPS_H
#define SG_PLAN_BODY_TRIPS_H

#include "plan/plan.h"

/* Repeats short tiles, chooses tails, asks for the input ahead. */
void sg_trips_choose(sg_arena *arena, const sg_plan *plan, sg_body *body);

/* Trips of `trip` bytes of the input, at least 1, that a part of the rows copies in turn past the
 * cache: a power of two times `least`. */
int64_t sg_trips_in_piece(int64_t trip, int64_t least);

#endif
