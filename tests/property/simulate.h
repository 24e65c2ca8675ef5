/* Runs the programs of a plan byte by byte and compares with the meaning of the split, element by
 * element by division. Shares no code with plan/verify/ or the planner; trusts no field of the
 * plan to be in range. */
#ifndef PROPERTY_SIMULATE_H
#define PROPERTY_SIMULATE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"
#include "plan/plan.h"

/* True when the portable program, the row program for every row, every body and every view do
 * exactly what plan->split says: no byte outside a buffer, each output byte written once and from
 * the right input byte. Otherwise why says what is wrong first. */
bool simulate_plan(sg_arena *arena, const sg_plan *plan, sg_buf *why);

/* The same of a plan for a map over bytes, beside a naive copy: nothing is written between rows and
 * parts that lie apart. */
bool simulate_map(sg_arena *arena, const sg_plan *plan, const sg_map *map, sg_buf *why);

#endif
