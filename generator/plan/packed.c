/* Plans of packed elements: over bytes if rows and parts begin and end at whole bytes, over bits
 * otherwise. Delegates all copying. */
#include "plan/packed.h"

#include "plan/bits/bits.h"
#include "plan/bytes.h"
#include "plan/layout.h"
#include "plan/plan.h"
#include "plan/view.h"

/* Replaces the stand-in split over bytes by the user's split. */
static void restore(sg_arena *arena, sg_plan *plan, const sg_split *split)
{
    const sg_output *planned = plan->outputs;
    plan->split = split;
    sg_layout_outputs(arena, plan);
    for (int64_t o = 0; o < plan->noutputs; ++o) {
        plan->outputs[o].column = planned[o].column;
        plan->outputs[o].strategy = planned[o].strategy;
    }
}

static sg_plan *build_bits(sg_arena *arena, sg_diag *diag, const sg_split *split,
                           const sg_plan_options *options)
{
    sg_plan *plan = SG_NEW(arena, sg_plan);
    plan->split = split;
    plan->optimize = options->optimize;
    plan->no_memcpy = options->no_memcpy;
    sg_layout_build(arena, plan, 1);
    return sg_bits_build(arena, diag, plan, options) ? plan : NULL;
}

sg_plan *sg_packed_build(sg_arena *arena, sg_diag *diag, const sg_split *split,
                         const sg_plan_options *options)
{
    const sg_split *bytes = sg_bits_as_bytes(arena, split);
    sg_plan *plan = bytes != NULL ? sg_bytes_build(arena, diag, bytes, options)
                                  : build_bits(arena, diag, split, options);
    if (plan == NULL) {
        return NULL;
    }
    if (bytes != NULL) {
        restore(arena, plan, split);
    }
    sg_view_build(arena, plan);
    return plan;
}
