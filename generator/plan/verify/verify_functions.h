/* Verifies the functions around bodies. */
#ifndef SG_PLAN_VERIFY_VERIFY_FUNCTIONS_H
#define SG_PLAN_VERIFY_VERIFY_FUNCTIONS_H

#include "plan/plan.h"

/* NULL if the functions of every row of the dispatch table are verified; otherwise the error, in
 * the arena. */
const char *sg_verify_functions(sg_arena *arena, const sg_plan *plan);

#endif
