/* Executes a function that passes a tile to a loop of splitgen/loops.h, by including that header.
 * */
#ifndef SG_PLAN_VERIFY_EXECUTE_LOOPS_H
#define SG_PLAN_VERIFY_EXECUTE_LOOPS_H

#include "plan/functions/function.h"
#include "plan/verify/execute.h"

/* Executes it for rows [first, last). Errors are in m->flaw. */
void sg_execute_loop(sg_execution *m, const sg_function *f, int64_t first, int64_t last);

#endif
