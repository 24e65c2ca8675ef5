/* The steps of plan.c, shared between the files of this folder only. */
#ifndef SG_PLAN_STEPS_H
#define SG_PLAN_STEPS_H

#include "plan/plan.h"

/* Fills plan->layout and the part, column and dims of plan->outputs. */
void sg_layout_build(sg_arena *arena, sg_plan *plan);

/* Fills the view fields of plan->outputs. */
void sg_view_build(sg_arena *arena, sg_plan *plan);

/* Instructions one row needs. */
int64_t sg_program_row_insns(const sg_plan *plan);

/* Fills plan->whole and plan->row. rows_per_trip == layout.rows gives straight-line code.
 * The counts were checked against SG_INSNS_HARD_CAP before. */
void sg_program_build(sg_arena *arena, sg_plan *plan, int64_t rows_per_trip);

/* How one column's row is moved, for the text of a strategy. */
int64_t sg_program_pieces(const sg_plan *plan, int64_t bytes);

#endif
