/* Predicted cost of programs, by the tables of plan/machine/. */
#ifndef SG_PLAN_BODY_COST_H
#define SG_PLAN_BODY_COST_H

#include "plan/machine/machine.h"
#include "plan/plan.h"

/* Runs of at least this many bytes are stored aligned if most stores would otherwise cross cache
 * lines (splitgen_aligning_... in splitgen/runs.h). */
#define SG_ALIGN_MIN INT64_C(256)

/* Vectors surely gain if their predicted cycles are at most this share of the portable program's
 * (MEASURED.md, When vectors pay). */
#define SG_VECTOR_GAIN 0.78

/* Cycles of the portable program for all rows of the kernel. */
double sg_cost_portable(const sg_plan *plan);

/* From the cost of an iteration, sets the cost of all rows on every microarchitecture, and
 * v->tail_rows by the fastest one. */
void sg_cost_sum(const sg_plan *plan, sg_body *v);

/* The cost of an iteration, with one slice after the other; `all` is not set. */
sg_prediction sg_cost_predict(const sg_plan *plan, const sg_body *v, const sg_cost *cost);

/* Sets the generic prediction: that of the slowest microarchitecture. */
void sg_cost_tell_slowest(sg_prediction on[SG_UARCH_COUNT]);

/* How busy a body keeps the ports, to compare two programs: the busiest port decides, the others
 * break ties. Uses the costs in v->isa. */
double sg_cost_pressure(const sg_plan *plan, const sg_body *v, const sg_code *code);

/* The prediction for the fastest of the microarchitectures that the body was optimised for. */
const sg_prediction *sg_body_fastest(const sg_body *v);

#endif
