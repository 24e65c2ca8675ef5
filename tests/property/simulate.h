/* Runs the programs of a plan byte by byte and compares with the definition of the split,
 * element by element by division. Shares no code with plan/verify/ or the planner; does not rely
 * on any field of the plan being in range. */
#ifndef PROPERTY_SIMULATE_H
#define PROPERTY_SIMULATE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"
#include "plan/plan.h"

/* True if the portable program, the row program for every row, every vector body and every view
 * do exactly what plan->split says: no byte outside a buffer, each output byte written once and
 * from the right input byte. Otherwise why has the first error. */
bool simulate_plan(sg_arena *arena, const sg_plan *plan, sg_buf *why);

/* The same for a plan of a map over bytes, compared with a naive copy: nothing is written to
 * padding between rows and parts. */
bool simulate_map(sg_arena *arena, const sg_plan *plan, const sg_map *map, sg_buf *why);

#endif
