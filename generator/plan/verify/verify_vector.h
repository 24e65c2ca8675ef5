/* Verifies vector programs, lane by lane. */
#ifndef SG_PLAN_VERIFY_VERIFY_VECTOR_H
#define SG_PLAN_VERIFY_VERIFY_VECTOR_H

#include "plan/plan.h"
#include "plan/verify/expectation.h"

/* Executes one tile of a body, lane by lane. */
const char *sg_verify_body(sg_arena *arena, const sg_expectation *e, const sg_body *v);

#endif
