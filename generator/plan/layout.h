/* The split as a matrix of rows x row bytes cut into columns. */
#ifndef SG_PLAN_LAYOUT_H
#define SG_PLAN_LAYOUT_H

#include "plan/plan.h"

/* Makes plan->outputs from the wanted parts, without columns and views. */
void sg_layout_outputs(sg_arena *arena, sg_plan *plan);

/* Does that and fills plan->layout and the columns. */
void sg_layout_build(sg_arena *arena, sg_plan *plan);

/* Whether both are the same matrix with the same columns, whichever outputs these are. */
bool sg_layout_same(const sg_layout *a, const sg_layout *b);

/* Bytes of the input, of all rows that the plan is for. */
int64_t sg_plan_bytes(const sg_plan *plan);

/* A single output as wide as its row is one run over all rows. */
bool sg_plan_is_one_run(const sg_plan *plan);

#endif
