/* The portable program: columns as straight-line copies, in segments of constant trip count. */
#ifndef SG_PLAN_BODY_PORTABLE_H
#define SG_PLAN_BODY_PORTABLE_H

#include "plan/plan.h"

/* What a piece of a program costs to print and to run. */
typedef struct sg_work {
    int64_t insns;
    int64_t moves; /* as SG_UNROLL_BUDGET counts them */
} sg_work;

/* Work of one run of contiguous bytes, and of all runs of one row. */
sg_work sg_portable_run_work(const sg_plan *plan, int64_t bytes);
sg_work sg_portable_row_work(const sg_plan *plan);

/* Appends the instructions of one run to a segment with room for them. */
void sg_portable_append(const sg_plan *plan, sg_segment *segment, int64_t column, int64_t dst,
                        int64_t src, int64_t bytes);

/* Fills plan->whole and plan->row. rows_per_trip == layout.rows gives straight-line code.
 * The counts were checked against SG_INSNS_HARD_CAP before. */
void sg_portable_build(sg_arena *arena, sg_plan *plan, int64_t rows_per_trip);

#endif
