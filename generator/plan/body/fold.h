/* Instructions that do the same to one row after the other: C says them once, in a loop. */
#ifndef SG_PLAN_BODY_FOLD_H
#define SG_PLAN_BODY_FOLD_H

#include "plan/plan.h"

/* Finds runs of code that repeat from row to row. The instructions stay as they are. */
void sg_fold_find(sg_arena *arena, const sg_map *map, sg_code *code);

#endif
