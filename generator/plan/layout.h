/* The split as a matrix of rows x row bytes cut into columns. */
#ifndef SG_PLAN_LAYOUT_H
#define SG_PLAN_LAYOUT_H

#include "plan/plan.h"

/* Makes plan->outputs from the wanted parts, without columns and views. */
void sg_layout_outputs(sg_arena *arena, sg_plan *plan);

/* Does that and fills plan->map, in bytes or bits. */
void sg_layout_build(sg_arena *arena, sg_plan *plan, int unit_bits);

/* Whether both move the same between the same places, whichever outputs the parts are. */
bool sg_map_same(const sg_map *a, const sg_map *b);

/* Whether the rows of a part, or of all of them, lie behind each other. */
bool sg_map_is_dense(const sg_map_part *part);
bool sg_map_all_dense(const sg_map *map);

/* Bytes of the input, of all rows that the plan is for. */
int64_t sg_plan_bytes(const sg_plan *plan);

/* A single output as wide as its row is one run over all rows. */
bool sg_plan_is_one_run(const sg_plan *plan);

#endif
