/* Executes the loops of splitgen/rows.h, which kernels include, on rows without data. */
#ifndef SG_PLAN_VERIFY_EXECUTE_ROWS_H
#define SG_PLAN_VERIFY_EXECUTE_ROWS_H

#include "base/arena.h"
#include "plan/plan.h"

/* Whether the loops of portable code run for exactly the rows of a call, with the plan's iterations
 * and blocks, and loops over groups of rows with the right pointers. NULL: they do; otherwise what
 * is wrong. */
const char *sg_execute_rows(sg_arena *arena, const sg_plan *plan);

#endif
