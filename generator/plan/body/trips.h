/* What a trip of the loop around a body is, and what it does besides: see trips.c. */
#ifndef SG_PLAN_BODY_TRIPS_H
#define SG_PLAN_BODY_TRIPS_H

#include "plan/plan.h"

/* Repeats short tiles, chooses tails, prefetches the input. */
void sg_trips_choose(sg_arena *arena, const sg_plan *plan, sg_body *body);

/* How many trips, each reading `trip` bytes, at least 1, make a piece of a stream: a power of two
 * times `least`. */
int64_t sg_trips_in_piece(int64_t trip, int64_t least);

#endif
