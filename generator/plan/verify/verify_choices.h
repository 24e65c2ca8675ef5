/* Proves the table of choices. */
#ifndef SG_PLAN_VERIFY_VERIFY_CHOICES_H
#define SG_PLAN_VERIFY_VERIFY_CHOICES_H

#include "plan/plan.h"

/* NULL when the table is proved, else what is wrong, in the arena. */
const char *sg_verify_choices(sg_arena *arena, const sg_plan *plan);

#endif
