/* Runs plans of packed elements bit by bit and compares with the definition of the split,
 * element by element by division. Shares no code with plan/verify/ or the planner; assumes no
 * field of the plan to be in range. */
#ifndef PROPERTY_SIMULATE_PACKED_H
#define PROPERTY_SIMULATE_PACKED_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"
#include "plan/plan.h"

/* True if the program (over bits, or the portable one over bytes) and every view do exactly what
 * plan->split says. Otherwise why has the first error. */
bool simulate_packed(sg_arena *arena, const sg_plan *plan, sg_buf *why);

#endif
