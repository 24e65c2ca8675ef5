/* The functions of a plan as text. */
#ifndef SG_PLAN_TELL_DUMP_FUNCTIONS_H
#define SG_PLAN_TELL_DUMP_FUNCTIONS_H

#include "base/text.h"
#include "plan/plan.h"

void sg_dump_functions(sg_buf *out, const sg_plan *plan);

#endif
