/* What programs cost, by the tables of plan/machine/. */
#ifndef SG_PLAN_BODY_COST_H
#define SG_PLAN_BODY_COST_H

#include "plan/machine/machine.h"
#include "plan/plan.h"

/* Runs from this size on are stored at multiples of some bytes where most stores would cross lines
 * otherwise (splitgen_aligning_avx2 in splitgen/runs.h). */
#define SG_ALIGN_MIN INT64_C(256)

/* Vectors gain for sure where what they are predicted to take is at most this share of the portable
 * program's cycles (MEASURED.md, Vectors or not). */
#define SG_VECTOR_GAIN 0.78

/* Cycles of all rows of the kernel by the portable program. */
double sg_cost_portable(const sg_plan *plan);

/* Sets v->tail_rows by the microarchitecture that is fastest, and on all of them what all rows of
 * the kernel take, from what an iteration does. */
void sg_cost_sum(const sg_plan *plan, sg_body *v);

/* What an iteration takes, without all rows; slices run one after the other. */
sg_prediction sg_cost_predict(const sg_plan *plan, const sg_body *v, const sg_cost *cost);

/* Sets what is told of no microarchitecture in particular: the slowest one's. */
void sg_cost_tell_slowest(sg_prediction on[SG_UARCH_COUNT]);

/* How busy the ports are with a body, to choose between two programs: the busiest port decides, the
 * others break ties. By the costs that v->isa was made with. */
double sg_cost_pressure(const sg_plan *plan, const sg_body *v, const sg_code *code);

/* The microarchitecture of those it was chosen for on which an iteration takes least. */
const sg_prediction *sg_body_fastest(const sg_body *v);

#endif
