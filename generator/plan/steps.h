/* The steps of plan.c, shared between the files of this folder only. */
#ifndef SG_PLAN_STEPS_H
#define SG_PLAN_STEPS_H

#include "plan/plan.h"

/* Fills plan->layout and the part, column and dims of plan->outputs. */
void sg_layout_build(sg_arena *arena, sg_plan *plan);

/* Fills the view fields of plan->outputs. */
void sg_view_build(sg_arena *arena, sg_plan *plan);

/* What a piece of a program costs to print and to run. */
typedef struct sg_work {
    int64_t insns;
    int64_t moves; /* as SG_UNROLL_BUDGET counts them */
} sg_work;

/* Work of one run of contiguous bytes, and of all runs of one row. */
sg_work sg_program_run_work(const sg_plan *plan, int64_t bytes);
sg_work sg_program_row_work(const sg_plan *plan);

/* Appends the instructions of one run to a segment with room for them. */
void sg_program_append(const sg_plan *plan, sg_segment *segment, int64_t column, int64_t dst,
                       int64_t src, int64_t bytes);

/* A single output as wide as its row is one run over all rows. */
bool sg_program_is_one_run(const sg_plan *plan);

/* Fills plan->whole and plan->row. rows_per_trip == layout.rows gives straight-line code.
 * The counts were checked against SG_INSNS_HARD_CAP before. */
void sg_program_build(sg_arena *arena, sg_plan *plan, int64_t rows_per_trip);
/* How far a body fills its ports, for choosing between two ways to go on: the busiest port
 * decides, the others break ties. */
double sg_variant_pressure(const sg_plan *plan, const sg_variant *v, const sg_body *body);

/* Fills plan->variants for the instruction sets asked for. */
void sg_variant_build(sg_arena *arena, sg_plan *plan, const sg_plan_options *options);

#endif
