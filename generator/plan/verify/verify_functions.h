/* Proves the functions around bodies. */
#ifndef SG_PLAN_VERIFY_VERIFY_FUNCTIONS_H
#define SG_PLAN_VERIFY_VERIFY_FUNCTIONS_H

#include "plan/plan.h"

/* NULL when the functions of every row of the table of choices are proved, else what is wrong, in
 * the arena. */
const char *sg_verify_functions(sg_arena *arena, const sg_plan *plan);

#endif
