/* What an iteration of the loop around a body is, and what it does besides: see iterations.c. */
#ifndef SG_PLAN_BODY_ITERATIONS_H
#define SG_PLAN_BODY_ITERATIONS_H

#include "plan/plan.h"

/* Repeats short tiles, chooses tails, prefetches the input. */
void sg_iterations_choose(sg_arena *arena, const sg_plan *plan, sg_body *body);

/* How many iterations, each reading `iteration` bytes, at least 1, make a piece of a stream: a
 * power of two times `least`. */
int64_t sg_iterations_in_piece(int64_t iteration, int64_t least);

#endif
