/* Proves the loops around windows. */
#ifndef SG_PLAN_VERIFY_VERIFY_LOOPS_H
#define SG_PLAN_VERIFY_VERIFY_LOOPS_H

#include "plan/plan.h"

/* NULL when the loops of every row of the table of choices are proved, else what is wrong, in the
 * arena. */
const char *sg_verify_loops(sg_arena *arena, const sg_plan *plan);

#endif
