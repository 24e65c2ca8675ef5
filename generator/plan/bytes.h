/* Plans of splits whose elements are whole bytes. */
#ifndef SG_PLAN_BYTES_H
#define SG_PLAN_BYTES_H

#include "plan/plan.h"

/* Moves of one loop body that --unroll=auto aims at by taking several short rows an iteration, so
 * that the loop costs little beside them (MEASURED.md, Unrolling). */
#define SG_LOOP_BODY_MOVES INT64_C(16)

/* Instructions printed for one kernel, in any mode; above it is an error with the ways out, as
 * compiling would take many seconds (MEASURED.md, Unrolling). */
#define SG_INSNS_HARD_CAP INT64_C(16384)

/* A plan that is not verified yet. NULL: reported, the program would be too long. */
sg_plan *sg_bytes_build(sg_arena *arena, sg_diag *diag, const sg_split *split,
                        const sg_plan_options *options);

/* All but the map and the views of a plan, which are there. False: reported in the same way. */
bool sg_bytes_build_programs(sg_arena *arena, sg_diag *diag, sg_plan *plan,
                             const sg_plan_options *options) SG_CHECK;

#endif
