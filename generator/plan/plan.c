/* From a split to a verified plan. */
#include "plan/plan.h"

#include "plan/bits/bits.h"
#include "plan/bytes.h"
#include "plan/layout.h"
#include "plan/packed.h"
#include "plan/params.h"
#include "plan/settle.h"

/* Whether the array of pointers advances from group to group of rows. */
static bool shifts_array(const sg_plan *plan)
{
    bool shifts = false;
    for (int64_t p = 0; plan->array_params && p < plan->map.nparts; ++p) {
        for (int64_t g = 0; g < plan->map.ngroups; ++g) {
            shifts = shifts || sg_map_gap(&plan->map, p, g) > 0;
        }
    }
    return shifts;
}

/* Whether an array of this many pointers is small enough for any stack. */
static bool check_gathered(sg_diag *diag, const sg_plan *plan)
{
    const bool shifts = shifts_array(plan);
    if (plan->noutputs <= SG_PLAN_MAX_GATHERED || (!shifts && !plan->gathers)) {
        return true;
    }
    return sg_diag_fail(
        diag, SG_EXIT_BUDGET, plan->split->op->span,
        shifts ? "%lld parts are more than splitgen takes where rows of one lie in groups: %d; "
                 "give its rows one stride, or cut the tensor in two steps"
               : "%lld parts are more than splitgen joins where some are constants: %d; make the "
                 "constants inputs of the model, or skip the node with --except",
        (long long)plan->noutputs, SG_PLAN_MAX_GATHERED);
}

sg_plan *sg_plan_build(sg_arena *arena, sg_diag *diag, const sg_split *split,
                       const sg_plan_options *options)
{
    sg_plan *plan = split->packing == SG_PACKING_NONE
                        ? sg_bytes_build(arena, diag, split, options)
                        : sg_packed_build(arena, diag, split, options);
    if (plan == NULL) {
        return NULL;
    }
    sg_params_build(arena, plan);
    if (!check_gathered(diag, plan)) {
        return NULL;
    }
    return sg_settle(arena, diag, plan, NULL, SG_REFUSALS_ARE_ERRORS);
}

sg_plan *sg_plan_build_map(sg_arena *arena, sg_diag *diag, const sg_map *map,
                           const sg_plan_options *options)
{
    sg_plan *plan = SG_NEW(arena, sg_plan);
    plan->optimize = options->optimize;
    plan->no_memcpy = options->no_memcpy;
    sg_layout_from_map(arena, plan, map);
    if (!(map->unit_bits == 1 ? sg_bits_build(arena, diag, plan, options)
                              : sg_bytes_build_programs(arena, diag, plan, options))) {
        return NULL;
    }
    return sg_settle(arena, diag, plan, map, SG_REFUSALS_ARE_ERRORS);
}
