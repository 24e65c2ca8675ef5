/* Runs the words and runs of a plan for a map over bits and compares with a naive copy. Shares
 * no code with plan/verify/ or the planner; assumes no field of the plan to be in range. */
#ifndef PROPERTY_SIMULATE_BITS_H
#define PROPERTY_SIMULATE_BITS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"
#include "plan/plan.h"

/* True if every bit arrives where the copy puts it, bits of padding between rows and parts are
 * unchanged, and bits after the end of outputs are zero. Otherwise why has the first error.
 * Vector programs are not run: such maps have none. */
bool simulate_bits(sg_arena *arena, const sg_plan *plan, const sg_map *map, sg_buf *why);

#endif
