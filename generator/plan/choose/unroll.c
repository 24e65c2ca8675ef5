/* How far to unroll. */
#include "plan/choose/unroll.h"

sg_unroll sg_unroll_choose(const sg_plan_options *options)
{
    const bool small = options->optimize == SG_OPTIMIZE_SIZE;
    return small && options->unroll == SG_UNROLL_AUTO ? SG_UNROLL_NONE : options->unroll;
}
