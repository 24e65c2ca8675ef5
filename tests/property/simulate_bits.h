/* Runs the words and runs of a plan for a map over bits and compares with a naive copy. Shares no
 * code with plan/verify/ or the planner; trusts no field of the plan to be in range. */
#ifndef PROPERTY_SIMULATE_BITS_H
#define PROPERTY_SIMULATE_BITS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"
#include "plan/plan.h"

/* True when every bit arrives where the copy puts it, bits between rows and parts that lie apart
 * are what they were, and bits behind the end of what is written zero. Otherwise why says what is
 * wrong first. Over vectors programs are not run: there are none for such maps. */
bool simulate_bits(sg_arena *arena, const sg_plan *plan, const sg_map *map, sg_buf *why);

#endif
