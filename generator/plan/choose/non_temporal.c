/* Whether kernels use non-temporal stores. */
#include "plan/choose/non_temporal.h"

#include "base/checked.h"
#include "plan/layout.h"
#include "plan/plan.h"

/* Minimum size of input and outputs together for non-temporal stores. */
#define NON_TEMPORAL_MIN_BYTES (INT64_C(4) << 20)

sg_non_temporal sg_non_temporal_choose(const sg_plan *plan, sg_nt_option non_temporal)
{
    const int64_t touched = sg_sum64(sg_plan_bytes(plan), plan->bytes_moved);
    if (non_temporal == SG_NT_OPTION_AUTO) {
        return plan->split->nopen > 0 || touched >= NON_TEMPORAL_MIN_BYTES ? SG_NON_TEMPORAL_LARGE
                                                                           : SG_NON_TEMPORAL_NEVER;
    }
    return non_temporal == SG_NT_OPTION_ALWAYS ? SG_NON_TEMPORAL_ALWAYS : SG_NON_TEMPORAL_NEVER;
}
