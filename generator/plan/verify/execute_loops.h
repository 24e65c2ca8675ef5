/* Executes a function that hands a tile to a loop of splitgen/loops.h, by that very loop. */
#ifndef SG_PLAN_VERIFY_EXECUTE_LOOPS_H
#define SG_PLAN_VERIFY_EXECUTE_LOOPS_H

#include "plan/functions/function.h"
#include "plan/verify/execute.h"

/* For rows [first, last). What is wrong is in `flaw` then. */
void sg_execute_loop(sg_execution *m, const sg_function *f, int64_t first, int64_t last);

#endif
