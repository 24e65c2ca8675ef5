/* Plans of splits whose elements are whole bytes. */
#ifndef SG_PLAN_BYTES_H
#define SG_PLAN_BYTES_H

#include "plan/plan.h"

/* Number of moves in a loop body that --unroll=auto aims at by copying several short rows in an
 * iteration, so that loop overhead is small (MEASURED.md, Unrolling). */
#define SG_LOOP_BODY_MOVES INT64_C(16)

/* Maximum number of instructions printed for one kernel, in any mode. More is an error with
 * suggestions, as compiling would take many seconds (MEASURED.md, Unrolling). */
#define SG_INSNS_HARD_CAP INT64_C(16384)

/* Builds a plan, not verified yet. NULL: reported, the program would be too long. */
sg_plan *sg_bytes_build(sg_arena *arena, sg_diag *diag, const sg_split *split,
                        const sg_plan_options *options);

/* Builds all of a plan that already has its map and views. False: reported in the same way. */
bool sg_bytes_build_programs(sg_arena *arena, sg_diag *diag, sg_plan *plan,
                             const sg_plan_options *options) SG_CHECK;

/* Adapts the portable program and the statistics to a plan that has lost bodies. */
void sg_bytes_adapt(sg_arena *arena, sg_plan *plan);

#endif
