/* From a split to a proved plan. */
#include "plan/plan.h"

#include "plan/bytes.h"
#include "plan/functions/function.h"
#include "plan/packed.h"
#include "plan/verify/verify.h"

sg_plan *sg_plan_build(sg_arena *arena, sg_diag *diag, const sg_split *split,
                       const sg_plan_options *options)
{
    sg_plan *plan = split->packing == SG_PACKING_NONE
                        ? sg_bytes_build(arena, diag, split, options)
                        : sg_packed_build(arena, diag, split, options);
    if (plan == NULL) {
        return NULL;
    }
    sg_functions_build(arena, plan);
    const char *flaw = sg_verify(arena, plan);
    if (flaw != NULL) {
        sg_diag_fail(diag, SG_EXIT_BUG, split->op->span,
                     "the plan of '%s' does not verify: %s; this is a bug in splitgen, please "
                     "report it with this input",
                     split->name, flaw);
        return NULL;
    }
    return plan;
}
