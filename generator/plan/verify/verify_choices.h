/* Verifies the dispatch table. */
#ifndef SG_PLAN_VERIFY_VERIFY_CHOICES_H
#define SG_PLAN_VERIFY_VERIFY_CHOICES_H

#include "plan/plan.h"

/* NULL if the table is verified; otherwise the error, in the arena. */
const char *sg_verify_choices(sg_arena *arena, const sg_plan *plan);

#endif
