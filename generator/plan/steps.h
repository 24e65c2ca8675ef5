/* The steps of plan.c, shared between the files of this folder only. */
#ifndef SG_PLAN_STEPS_H
#define SG_PLAN_STEPS_H

#include "plan/plan.h"

/* A plan over bytes, built and verified; the same contract as sg_plan_build. */
sg_plan *sg_plan_build_bytes(sg_arena *arena, sg_diag *diag, const sg_split *split,
                             const sg_plan_options *options);

/* The plan of a split of packed elements: over bytes where that is possible, else over bits. */
sg_plan *sg_plan_build_packed(sg_arena *arena, sg_diag *diag, const sg_split *split,
                              const sg_plan_options *options);

/* Whether the kernel's stores may bypass the cache: plan->past. */
sg_past sg_plan_past(const sg_plan *plan, sg_stream stream);

/* How far to unroll: small code is not, unless that was asked for. */
sg_unroll sg_plan_unroll(const sg_plan_options *options);

/* Reports that a plan does not verify. */
void sg_plan_report(sg_diag *diag, const sg_split *split, const char *flaw);

/* Makes plan->outputs from the wanted parts, without columns and views. */
void sg_layout_outputs(sg_arena *arena, sg_plan *plan);

/* Does that and fills plan->layout and the columns. */
void sg_layout_build(sg_arena *arena, sg_plan *plan);

/* Whether both are the same matrix with the same columns, whichever outputs these are. */
bool sg_layout_same(const sg_layout *a, const sg_layout *b);

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

/* An instruction that names nothing yet: no column, register or constant. */
sg_insn sg_program_insn(sg_opcode op);

/* Appends the instructions of one run to a segment with room for them. */
void sg_program_append(const sg_plan *plan, sg_segment *segment, int64_t column, int64_t dst,
                       int64_t src, int64_t bytes);

/* Fills plan->whole and plan->row. rows_per_trip == layout.rows gives straight-line code.
 * The counts were checked against SG_INSNS_HARD_CAP before. */
void sg_program_build(sg_arena *arena, sg_plan *plan, int64_t rows_per_trip);

/* Cycles of all rows of the kernel by the portable program. */
double sg_cost_portable(const sg_plan *plan);

/* Sets v->tail_rows by the microarchitecture that is fastest, and on all of them what all rows of
 * the kernel take, from what a trip does. */
void sg_cost_sum(const sg_plan *plan, sg_variant *v);

/* What a trip takes, without all rows; slices run one after the other. */
sg_prediction sg_cost_predict(const sg_plan *plan, const sg_variant *v, const sg_cost *cost);

/* Sets what is told of no microarchitecture in particular: the slowest one's. */
void sg_cost_tell_slowest(sg_prediction on[SG_UARCH_COUNT]);

/* How far a body fills its ports, for choosing between two ways to go on: the busiest port
 * decides, the others break ties. By the costs v->isa was made with. */
double sg_cost_pressure(const sg_plan *plan, const sg_variant *v, const sg_body *body);

/* Repeats short windows, chooses tails, asks for the input ahead. */
void sg_variant_finish(sg_arena *arena, const sg_plan *plan, sg_variant *variant);

/* Fills plan->variants for the instruction sets asked for. */
void sg_variant_build(sg_arena *arena, sg_plan *plan, const sg_plan_options *options);

/* Takes plan->variants from one that was added and is alike: whether there is one. Both: memo may
 * be NULL. */
bool sg_memo_recall(const sg_memo *memo, sg_plan *plan);

void sg_memo_add(sg_arena *arena, sg_memo *memo, const sg_plan *plan);

#endif
