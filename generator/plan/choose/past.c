/* Whether kernels bypass the cache. */
#include "plan/choose/past.h"

#include "base/checked.h"
#include "plan/layout.h"
#include "plan/plan.h"

/* Whether a kernel ever leaves the cache: below this footprint, input and outputs, none does. */
#define PAST_MIN_BYTES (INT64_C(4) << 20)

sg_past sg_past_choose(const sg_plan *plan, sg_stream stream)
{
    if (plan->map.joins || !sg_map_all_dense(&plan->map)) {
        return SG_PAST_NEVER; /* whole lines are those of neighbouring rows */
    }
    int64_t touched = INT64_MAX; /* a sum beyond int64 is more than any cache holds */
    (void)sg_add64(sg_plan_bytes(plan), plan->bytes_moved, &touched);
    if (stream == SG_STREAM_AUTO) {
        return plan->split->free_name != NULL || touched >= PAST_MIN_BYTES ? SG_PAST_LARGE
                                                                           : SG_PAST_NEVER;
    }
    return stream == SG_STREAM_ALWAYS ? SG_PAST_ALWAYS : SG_PAST_NEVER;
}
